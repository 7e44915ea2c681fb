//! `tsumero-train openings`.

use std::collections::HashSet;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, bail};
use chacha20::ChaCha8Rng;
use clap::Args;
use rand::SeedableRng;
use tsumero_core::Move;
use tsumero_files::open_growing;
use tsumero_search::SearcherError;

use crate::openings::{self, OpeningError};
use crate::progress::{Progress, say, tell};
use crate::walk::{WalkRules, Walker, line_text};
use crate::workers::{self, Worker};

/// After so many walks in a row without a new line, nearly all lines that there are, are known, or too
/// few positions are balanced.
const MOST_WALKS: u64 = if cfg!(test) { 20 } else { 10_000 };

/// Make balanced opening lines.
///
/// A line is a walk from the start position: each move is a random one of the best few. The line is
/// kept if a longer search finds its last position balanced and no other line ends there. Lines are
/// appended to the file.
#[derive(Debug, Args)]
pub struct MakeOpenings {
    /// File of opening lines
    file: PathBuf,
    /// Number of lines that the file shall contain
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// Least and greatest number of moves of a line
    #[arg(long, num_args = 2, default_values_t = [8, 24])]
    plies: Vec<u32>,
    /// Number of moves to choose from
    #[arg(long, default_value_t = 8)]
    choices: usize,
    /// Largest difference of their scores from the best one
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..))]
    margin: i32,
    /// Nodes of the search that finds them
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    walk_nodes: u64,
    /// Nodes of the search of a line's last position
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Largest score of a line's last position, for either side
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(i32).range(0..))]
    max_score: i32,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl MakeOpenings {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let [least, greatest] = self.plies[..] else { bail!("--plies needs two numbers") };
        if least > greatest {
            bail!("the first number of --plies must not be above the second");
        }
        let named = || self.file.display().to_string();
        // No other process adds lines meanwhile.
        let mut file = open_growing(&self.file).with_context(named)?;
        let known = match openings::read(&self.file) {
            Ok(known) => known,
            Err(OpeningError::Empty(_)) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let mut keys: HashSet<u64> = known.iter().map(|line| line.game().key()).collect();
        let mut count = known.len();
        let mut end = file.seek(SeekFrom::End(0)).with_context(named)?;
        let is_ended = std::fs::read(&self.file).with_context(named)?.last() == Some(&b'\n');
        if end > 0 && !is_ended {
            file.write_all(b"\n").with_context(named)?;
            end += 1;
        }
        let rules = WalkRules {
            plies: least..=greatest,
            choices: self.choices.max(1),
            margin: self.margin,
            walk_nodes: self.walk_nodes,
            judge_nodes: self.nodes,
            max_score: self.max_score,
        };
        let start = count as u64;
        let mut progress = Progress::new(start);
        let mut result = Ok(());
        let walks = AtomicU64::new(0);
        let given_up = AtomicBool::new(false);
        let work = |worker: &Worker<'_, (u64, Vec<Move>)>| -> Result<(), SearcherError> {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            // When a file is continued, it gets new lines, not the same ones again.
            rng.set_stream((worker.number as u64) << 32 | start);
            let mut walker = Walker::new(rules.clone())?;
            while !worker.is_stopped() && !given_up.load(Ordering::Relaxed) {
                if walks.fetch_add(1, Ordering::Relaxed) >= MOST_WALKS {
                    given_up.store(true, Ordering::Relaxed);
                    break;
                }
                let Some((position, line)) = walker.walk(&mut rng) else { continue };
                if !worker.send((position.key(), line)) {
                    break;
                }
            }
            Ok(())
        };
        let take = |lines: Vec<(u64, Vec<Move>)>| {
            for (key, line) in lines {
                if count == self.count || !keys.insert(key) {
                    continue;
                }
                walks.store(0, Ordering::Relaxed);
                // In one piece, so that a killed process leaves no part of a line.
                let text = line_text(&line) + "\n";
                result = file.write_all(text.as_bytes());
                if result.is_err() {
                    // Nor does a full disk: a part would count as a line.
                    let _ = file.set_len(end);
                    break;
                }
                end += text.len() as u64;
                count += 1;
            }
            if progress.is_due() {
                let (done, all) = (count as u64, self.count as u64);
                tell(format_args!("{done} lines, {} left", progress.time_left(done, all)));
            }
            if count >= self.count || result.is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        if start < self.count as u64 {
            workers::run(self.threads, work, take)?;
        }
        result.with_context(named)?;
        if count < self.count {
            bail!("{}: {count} lines; {MOST_WALKS} walks in a row made no new one", named());
        }
        say(format_args!("{}: {count} lines", self.file.display()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        openings: MakeOpenings,
    }

    /// From one move to choose from comes one line, and no line is balanced to a point.
    #[test]
    fn a_run_that_finds_no_more_lines_ends() {
        let path = std::env::temp_dir().join(format!("tsumero-walks-{}", std::process::id()));
        for (rules, lines) in [("--choices 1 --max-score 3000", 1), ("--max-score 0", 0)] {
            let file = path.display();
            let words =
                format!("openings {file} --count 2 --plies 3 3 --walk-nodes 9 --nodes 9 {rules}");
            let run = Line::try_parse_from(words.split_whitespace()).unwrap().openings.run();
            let told = run.unwrap_err().to_string();
            assert!(told.contains(&format!(": {lines} lines;")), "{told}");
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text.lines().count(), lines, "{rules}");
            std::fs::remove_file(&path).unwrap();
        }
    }
}
