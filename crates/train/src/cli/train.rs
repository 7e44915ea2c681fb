//! `tsumero-train train`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use chacha20::ChaCha8Rng;
use clap::Args;
use rand::SeedableRng;
use tsumero_network::{Kind, Network, Parameters};

use super::outputs::{OutputSet, SetKind};
use crate::expectation::fitted_scale;
use crate::fit::{Quiet, Selection, chart};
use crate::progress::{say, tell};
use crate::training::data::{self, Data};
use crate::training::model::Model;
use crate::training::quantize::{dequantize, quantize};
use crate::training::report::{Comparison, Measure, integer_values};
use crate::training::yardstick::{Reading, Yardstick};
use crate::training::{Loss, TrainOptions, Trained, train, values};

/// Train a network on recorded games.
///
/// Writes OUT.nn.bin (the network), OUT.json (what was done, and the losses) and OUT.svg (the losses
/// by epoch). An earlier set of these is replaced, but no other file.
#[derive(Debug, Args)]
pub struct TrainNetwork {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Results, without the endings
    #[arg(long)]
    out: PathBuf,
    /// Network to train further, instead of one of random numbers: a file with the same inputs or
    /// K-P, and with two layers of 32. If it is narrower than --width, it is widened
    #[arg(long)]
    from: Option<PathBuf>,
    /// The inputs. Without it, those of --from, or K-P
    #[arg(long, value_enum)]
    inputs: Option<Inputs>,
    /// Width of the transformer for each view: 128, 256 or 512; two layers of 32 follow
    #[arg(long, default_value_t = 256)]
    width: usize,
    /// The loss to minimize
    #[arg(long, value_enum, default_value_t = Loss::CrossEntropy)]
    loss: Loss,
    /// Share of the result in the target, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = 0.0)]
    lambda: f64,
    /// How much of what the game shows later is mixed into each score, 0 to 1: with this share the
    /// next score counts, and so on up to the result, or in converted records to the last score
    /// (TD(λ))
    #[arg(long, default_value_t = 0.8)]
    foresight: f64,
    /// The share of the result in the last part of the training. Without it, that of --lambda
    #[arg(long)]
    late_lambda: Option<f64>,
    /// Length of the last part, as a share of the training, 0 to 1
    #[arg(long, default_value_t = 0.2)]
    late_share: f64,
    /// Share of the training, at its end, with numbers rounded as in the file, 0 to 1
    #[arg(long, default_value_t = 0.3)]
    rounded_share: f64,
    /// Scale of the logistic curve; without it, it is fitted to the results
    #[arg(long)]
    scale: Option<f64>,
    /// Number of passes over the positions
    #[arg(long, default_value_t = 12)]
    epochs: u32,
    /// Positions in each step
    #[arg(long, default_value_t = 4096)]
    batch: usize,
    /// Size of the first steps
    #[arg(long, default_value_t = 2e-3)]
    rate: f64,
    /// Size of the last steps
    #[arg(long, default_value_t = 1e-5)]
    last_rate: f64,
    /// Weight decay in a step, as a multiple of the rate
    #[arg(long, default_value_t = 0.02)]
    decay: f64,
    /// Do not exchange left and right in half of the positions
    #[arg(long)]
    no_mirror: bool,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the initial numbers and of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Searched positions left out at the beginning of a game
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Positions to which the search gave a larger score are left out
    #[arg(long, default_value_t = 3000)]
    max_score: i32,
    /// Which positions are left out, in addition to those in check
    #[arg(long, value_enum, default_value_t = Quiet::Played)]
    quiet: Quiet,
    /// Use each position only once
    #[arg(long)]
    distinct: bool,
    /// One game in this many is held out
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..))]
    held_out: u32,
}

/// What is written.
static SET: SetKind = SetKind {
    endings: &["json", "nn.bin", "svg"],
    fields: &["network", "rounding", "scale"],
    is_pretty: true,
};

/// The kinds of inputs that can be trained.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Inputs {
    /// K-P: kings and pieces separately
    Kp,
    /// ZoneKA1: K-P once for each of nine zones of the own king
    Zones,
}

impl Inputs {
    fn of(kind: Kind) -> Option<Inputs> {
        [Inputs::Kp, Inputs::Zones].into_iter().find(|inputs| inputs.kind() == kind)
    }

    fn kind(self) -> Kind {
        match self {
            Inputs::Kp => Kind::Kp,
            Inputs::Zones => Kind::ZoneKa1,
        }
    }
}

impl TrainNetwork {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let shares = [
            ("--lambda", self.lambda),
            ("--late-lambda", self.late_lambda.unwrap_or(0.0)),
            ("--late-share", self.late_share),
            ("--foresight", self.foresight),
            ("--rounded-share", self.rounded_share),
        ];
        if let Some((name, _)) = shares.iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            bail!("{name} must be from 0 to 1");
        }
        let above = [self.rate, self.last_rate, self.scale.unwrap_or(1.0)];
        if above.iter().any(|&number| number <= 0.0 || !number.is_finite()) || self.batch == 0 {
            bail!("--rate, --last-rate, --scale and --batch must be finite and above 0");
        }
        if self.decay < 0.0 || !self.decay.is_finite() {
            bail!("--decay must be finite and not below 0");
        }
        match self.width {
            128 => self.run_strips::<2>(),
            256 => self.run_strips::<4>(),
            512 => self.run_strips::<8>(),
            other => bail!("--width must be 128, 256 or 512, not {other}"),
        }
    }

    fn run_strips<const STRIPS: usize>(&self) -> anyhow::Result<()> {
        let inputs = self.files.iter().chain(&self.from);
        let outputs = OutputSet::new(&self.out, &SET, inputs)?;
        let initial = self.initial::<STRIPS>()?;
        let yardstick = Yardstick::built_in()?;
        let Data { training, searched, held_out, .. } = self.load()?;
        let (training, held_out) = (&training, &held_out);
        let scale = self.scale.unwrap_or_else(|| fitted_scale(&searched, training.results()));
        drop(searched);
        tell(format_args!("scale {scale:.1}"));
        let options = self.options(scale);
        let mut readings = Vec::new();
        let trained: Trained<STRIPS> =
            train(initial, training, &held_out.samples, &options, &mut |epoch, loss, model| {
                let reading = yardstick.read_off(&values(model, yardstick.samples()));
                readings.push(reading);
                tell(format_args!(
                    "epoch {epoch}: loss {:.6}, held out {:.6}; {}",
                    loss.training,
                    loss.held_out,
                    shown(&reading)
                ));
            });
        if let Some(epoch) = trained.diverged() {
            bail!("the training diverged in epoch {epoch}: take smaller steps (--rate)");
        }

        let mut file = Vec::new();
        quantize(&trained.model)?.write(&mut file)?;
        let network = Network::from_bytes(&file)?;
        let measure = Measure { loss: self.loss, lambda: self.lambda, scale };
        let comparison = Comparison::new(&trained.model, &network, held_out, &measure);
        let reading = yardstick.read_off(&integer_values(&network, yardstick.sfens()));
        let json = serde_json::json!({
            "network": network.shape().to_string(),
            "files": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "from": self.from.as_ref().map(|path| path.display().to_string()),
            "positions": training.len(),
            "held_out": held_out.samples.len(),
            "options": format!("{options:?}"),
            "selection": format!("{:?}, distinct {}", self.selection(), self.distinct),
            "scale": scale,
            "losses": comparison.losses,
            "gain_over_attack_maps": comparison.gain_over_attack_maps,
            "rounding": comparison.rounding,
            "yardstick": reading,
            "yardstick_by_epoch": readings,
        });
        let title = format!(
            "{} from {} positions, lambda {}",
            network.shape(),
            training.len(),
            self.lambda
        );
        // Before anything is printed: after a long training, perhaps nobody reads any more.
        let chart = chart::loss_curve(&trained.losses, &title).into_bytes();
        let written = outputs.write(json, vec![("nn.bin", file), ("svg", chart)])?;
        say(format_args!("{comparison}"))?;
        say(format_args!("network, integers: {}", shown(&reading)))?;
        written.say()?;
        Ok(())
    }

    /// The network to begin with.
    fn initial<const STRIPS: usize>(&self) -> anyhow::Result<Model<STRIPS>> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let Some(path) = &self.from else {
            let kind = self.inputs.map_or(Kind::Kp, Inputs::kind);
            return Ok(Model::random(kind, &mut rng));
        };
        let named = || path.display().to_string();
        let bytes = fs::read(path).with_context(named)?;
        let parameters = Parameters::from_bytes(&bytes).with_context(named)?;
        let of_file = Inputs::of(parameters.architecture().kind());
        let kind = self.inputs.or(of_file).map_or(Kind::Kp, Inputs::kind);
        dequantize(kind, &parameters, &mut rng).with_context(named)
    }

    fn options(&self, scale: f64) -> TrainOptions {
        TrainOptions {
            loss: self.loss,
            lambda: self.lambda,
            late_lambda: self.late_lambda.unwrap_or(self.lambda),
            late_share: self.late_share,
            rounded_share: self.rounded_share,
            scale,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            last_rate: self.last_rate,
            decay: self.decay,
            mirror: !self.no_mirror,
            threads: self.threads,
            seed: self.seed,
        }
    }

    fn selection(&self) -> Selection {
        Selection {
            skip: self.skip,
            foresight: self.foresight,
            max_score: self.max_score,
            held_out: self.held_out,
            quiet: self.quiet,
        }
    }

    fn load(&self) -> anyhow::Result<Data> {
        let data = data::load(&self.files, &self.selection(), self.distinct)?;
        tell(format_args!(
            "{} positions to learn from, {} held out; left out: {} early, {} decided, {} in check, \
             {} loud, {} repeated",
            data.training.len(),
            data.held_out.samples.len(),
            data.left_out.early,
            data.left_out.decided,
            data.left_out.in_check,
            data.left_out.loud,
            data.repeated
        ));
        if data.training.is_empty() || data.held_out.samples.is_empty() {
            bail!("that is too little to learn from and to hold out");
        }
        Ok(data)
    }
}

/// A reading of the yardstick, for people.
fn shown(reading: &Reading) -> String {
    let Reading { loss, scale, correlation, opening_correlation } = reading;
    format!(
        "games of others: loss {loss:.4} at scale {scale:.0}, correlation {correlation:.3}, \
         openings {opening_correlation:.3}"
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        train: TrainNetwork,
    }

    #[test]
    fn the_late_lambda_is_that_of_lambda_unless_it_is_set() {
        let lambdas = |arguments: &str| {
            let words = format!("train games --out result {arguments}");
            let line = Line::try_parse_from(words.split_whitespace()).unwrap();
            let options = line.train.options(1.0);
            (options.lambda, options.late_lambda)
        };
        assert_eq!(lambdas("--lambda 0.3"), (0.3, 0.3));
        assert_eq!(lambdas("--lambda 0.3 --late-lambda 0.1"), (0.3, 0.1));
    }
}
