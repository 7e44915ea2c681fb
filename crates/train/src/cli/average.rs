//! `tsumero-train average`.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use tsumero_files::{Inputs, write_atomic};
use tsumero_network::Parameters;

use crate::training::average::average;

/// Write the mean of several networks.
///
/// They have the same shape, and should have been trained further from the same network.
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
        let out = || self.out.display().to_string();
        Inputs::of(&self.files).check(&self.out, |_| false).with_context(out)?;
        let read = |path: &PathBuf| {
            let named = || path.display().to_string();
            Parameters::from_bytes(&fs::read(path).with_context(named)?).with_context(named)
        };
        let networks = self.files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        let mut bytes = Vec::new();
        average(&networks)?.write(&mut bytes).with_context(out)?;
        write_atomic(&self.out, &bytes).with_context(out)?;
        println!("{}", out());
        Ok(())
    }
}
