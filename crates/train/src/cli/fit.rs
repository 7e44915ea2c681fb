//! `tsumero-train fit`.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use tsumero_search::EvaluationFunction;

use super::outputs::{Files, OutputSet, SetKind};
use crate::fingerprint;
use crate::fit::{
    self, Extractor, Factors, Fit, FitOptions, Quiet, Selection, chart, data, evaluations,
};
use crate::progress::{say, tell};

/// Fit a linear evaluation to recorded games.
///
/// Writes OUT.json (what was done, and the corrections as integers), OUT.bin (the same numbers as
/// 32-bit little-endian integers), OUT.svg (the losses) and OUT.weights (the weights with their
/// corrections as 16-bit little-endian integers, as the search reads them). An earlier set of these
/// is replaced, but no other file.
#[derive(Debug, Args)]
pub struct FitEvaluation {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Results, without the endings
    #[arg(long)]
    out: PathBuf,
    /// Which features
    #[arg(long, default_value = "attack-maps", value_parser = evaluations::NAMES)]
    features: String,
    /// Share of the result in the target, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = 0.5)]
    lambda: f64,
    /// Scale of the logistic curve; without it, it is fitted to the results
    #[arg(long)]
    scale: Option<f64>,
    /// Expected standard deviation of the corrections, in units of the evaluation
    #[arg(long, default_value_t = 20.0)]
    prior: f64,
    /// Number of passes over the positions
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Positions in each step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Size of the first steps, in units of the evaluation
    #[arg(long, default_value_t = 1.0)]
    rate: f64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Searched positions left out at the beginning of a game
    #[arg(long, default_value_t = 4)]
    skip: usize,
    /// Positions to which the search gave a larger score are left out
    #[arg(long, default_value_t = 2000)]
    max_score: i32,
    /// One game in this many is held out
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..))]
    held_out: u32,
}

/// What is written.
static SET: SetKind = SetKind {
    endings: &["json", "bin", "svg", "weights"],
    fields: &["features", "prior", "scale"],
    is_pretty: false,
};

impl FitEvaluation {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        self.check()?;
        let outputs = OutputSet::new(&self.out, &SET, &self.files)?;
        let extractor = fit::by_name(&self.features).context("there are no such features")?;
        let (training, held_out, left_out) =
            data::load(&self.files, &self.selection(), &*extractor)?;
        tell(format_args!(
            "{} positions to learn from, {} held out; left out: {} early, {} decided, {} in check, \
             {} loud",
            training.len(),
            held_out.len(),
            left_out.early,
            left_out.decided,
            left_out.in_check,
            left_out.loud
        ));
        if training.is_empty() || held_out.is_empty() {
            bail!("that is too little to learn from and to hold out");
        }
        let fit = fit::fit(
            &training,
            &held_out,
            &Factors::of(&*extractor),
            &self.options(),
            &mut |epoch, loss| {
                tell(format_args!(
                    "epoch {epoch}: loss {:.6}, held out {:.6}",
                    loss.training, loss.held_out
                ));
            },
        );
        if fit.losses.iter().any(|loss| !loss.is_finite()) {
            bail!("the fit diverged: take smaller steps (--rate)");
        }
        // Before anything is printed: perhaps nobody reads any more.
        let (json, files) = self.results(&fit, training.len(), &*extractor)?;
        let written = outputs.write(json, files)?;
        say(format_args!(
            "scale {:.1}; held-out loss {:.6} before, {:.6} after, {:.6} rounded; the search's \
             scores {:.6}",
            fit.scale,
            fit.losses[0].held_out,
            fit.losses[fit.losses.len() - 1].held_out,
            fit.loss_rounded,
            fit.loss_of_scores
        ))?;
        written.say()?;
        Ok(())
    }

    /// Checks the numbers that Clap does not.
    fn check(&self) -> anyhow::Result<()> {
        if !(0.0..=1.0).contains(&self.lambda) {
            bail!("--lambda must be from 0 to 1, not {}", self.lambda);
        }
        let above = [self.prior, self.rate, self.scale.unwrap_or(1.0)];
        if above.iter().any(|&number| number.is_nan() || number <= 0.0) || self.batch == 0 {
            bail!("--prior, --rate, --scale and --batch must be above 0");
        }
        // Without a prior, all corrections are equally likely; without end, the others mean nothing.
        if above[1..].contains(&f64::INFINITY) {
            bail!("--rate and --scale must be finite");
        }
        Ok(())
    }

    fn selection(&self) -> Selection {
        Selection {
            foresight: 0.0,
            skip: self.skip,
            max_score: self.max_score,
            held_out: self.held_out,
            quiet: Quiet::Settled,
        }
    }

    fn options(&self) -> FitOptions {
        FitOptions {
            lambda: self.lambda,
            scale: self.scale,
            prior: self.prior,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            threads: self.threads,
            seed: self.seed,
        }
    }

    /// The JSON and the other files to write. `positions` is the number of those that were learned from.
    fn results(
        &self,
        fit: &Fit,
        positions: usize,
        extractor: &dyn Extractor,
    ) -> anyhow::Result<(serde_json::Value, Files<'static>)> {
        let corrections: Vec<i32> =
            fit.corrections.iter().map(|value| value.round() as i32).collect();
        let json = serde_json::json!({
            "features": self.features,
            "evaluation": fingerprint::of_evaluations(&[&EvaluationFunction::AttackMaps]),
            "files": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "positions": positions,
            "lambda": self.lambda,
            "scale": fit.scale,
            "prior": self.prior,
            "held_out_loss": { "before": fit.losses[0].held_out,
                "after": fit.losses[fit.losses.len() - 1].held_out,
                "rounded": fit.loss_rounded, "scores": fit.loss_of_scores },
            "corrections": corrections,
        });
        let title = format!("{positions} positions, lambda {}", self.lambda);
        let bytes: Vec<u8> = corrections.iter().flat_map(|value| value.to_le_bytes()).collect();
        let weights = extractor.present().map(|present| {
            let sums = present.iter().zip(&corrections);
            let words = sums.map(|(&weight, &by)| corrected(weight, by).map(i16::to_le_bytes));
            words.collect::<anyhow::Result<Vec<_>>>()
        });
        let weights = weights.transpose()?.map(|words| words.concat());
        let chart = chart::loss_curve(&fit.losses, &title).into_bytes();
        let mut files = vec![("bin", bytes), ("svg", chart)];
        files.extend(weights.map(|weights| ("weights", weights)));
        Ok((json, files))
    }
}

/// A weight with its correction. One that does not fit would not be that of the printed losses.
fn corrected(weight: i32, by: i32) -> anyhow::Result<i16> {
    let sum = i64::from(weight) + i64::from(by);
    i16::try_from(sum)
        .map_err(|_| anyhow!("a weight of {sum} does not fit: take smaller steps (--rate)"))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        fit: FitEvaluation,
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        assert_eq!(corrected(32_760, 7).unwrap(), 32_767);
        assert_eq!(corrected(-32_760, -8).unwrap(), -32_768);
        assert!(corrected(32_760, 8).is_err() && corrected(-32_760, -9).is_err());
        assert!(corrected(1, i32::MAX).is_err());
    }

    #[test]
    fn numbers_that_fit_nothing_are_refused() {
        let check = |arguments: &str| {
            let words = format!("fit games --out name {arguments}");
            Line::parse_from(words.split_whitespace()).fit.check().is_ok()
        };
        assert!(check("") && check("--prior inf --rate 0.1 --scale 900 --batch 1"));
        for name in ["prior", "rate", "scale"] {
            assert!(!check(&format!("--{name} nan")) && !check(&format!("--{name} 0")), "{name}");
        }
        assert!(!check("--rate inf") && !check("--scale inf"));
        assert!(!check("--batch 0") && !check("--lambda nan"));
    }
}
