//! `tsumero-train average`.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use tsumero_files::{Inputs, write_atomic};
use tsumero_network::Parameters;

use crate::progress::say;
use crate::training::average::{AverageError, average};

/// Write the mean of several networks.
///
/// They have the same shape, and should have been trained further from the same network. A short
/// `train --from` with `--rounded-share 1` can then adapt the mean to its rounding.
#[derive(Debug, Args)]
pub struct AverageNetworks {
    /// Network files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write; no file is replaced
    #[arg(long)]
    out: PathBuf,
}

impl AverageNetworks {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let read = |path: &PathBuf| {
            let named = || path.display().to_string();
            Parameters::from_bytes(&fs::read(path).with_context(named)?).with_context(named)
        };
        let networks = self.files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        let out = || self.out.display().to_string();
        let mut bytes = Vec::new();
        let mean = average(&networks).map_err(|error| match error {
            AverageError::Different { place, .. } => {
                anyhow::Error::from(error).context(self.files[place].display().to_string())
            }
            _ => error.into(),
        })?;
        mean.write(&mut bytes).with_context(out)?;
        Inputs::from_paths(&self.files).check(&self.out, |_| Ok(false)).with_context(out)?;
        write_atomic(&self.out, &bytes).with_context(out)?;
        say(format_args!("{}", out()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tsumero_network::{Architecture, Kind};

    use super::*;

    #[test]
    fn the_mean_is_written_and_no_file_is_replaced() {
        let folder = std::env::temp_dir().join(format!("tsumero-average-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let network = |bias: i16| {
            let architecture = Architecture::new(Kind::Kp, 128, 32, 32).unwrap();
            let mut network = Parameters::zeros(architecture);
            network.transformer_biases.fill(bias);
            network
        };
        let files = [2, 6].map(|bias| {
            let (path, mut bytes) = (folder.join(bias.to_string()), Vec::new());
            network(bias).write(&mut bytes).unwrap();
            fs::write(&path, bytes).unwrap();
            path
        });
        let average_to = |out: &PathBuf| {
            AverageNetworks { files: files.to_vec(), out: out.clone() }
                .run()
                .map_err(|e| format!("{e:#}"))
        };
        let out = folder.join("mean");
        assert_eq!(average_to(&out), Ok(()));
        let mean = fs::read(&out).unwrap();
        assert_eq!(Parameters::from_bytes(&mean), Ok(network(4)));
        // A network of another shape is named.
        let other = folder.join("other");
        let mut bytes = Vec::new();
        let wider = Architecture::new(Kind::Kp, 256, 32, 32).unwrap();
        Parameters::zeros(wider).write(&mut bytes).unwrap();
        fs::write(&other, bytes).unwrap();
        let three = vec![files[0].clone(), other.clone(), files[1].clone()];
        let out_of_three = folder.join("none");
        let error = AverageNetworks { files: three, out: out_of_three }.run().unwrap_err();
        let expected = "found a network K-P 256x2-32-32, expected K-P 128x2-32-32 as the first one";
        assert_eq!(format!("{error:#}"), format!("{}: {expected}", other.display()));
        // Neither an earlier result nor an input is replaced.
        fs::write(&out, "something of value").unwrap();
        for (path, reason) in [(&out, "not made by this command"), (&files[1], "it is an input")] {
            let before = fs::read(path).unwrap();
            let error = average_to(path).unwrap_err();
            assert!(error.contains(reason) && error.contains(path.to_str().unwrap()), "{error}");
            assert_eq!(fs::read(path).unwrap(), before);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
