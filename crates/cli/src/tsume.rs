//! `tsumero tsume`: making and checking mate problems.

mod check;
mod generate;
mod interrupts;
mod outputs;
mod tasks;
mod verdict;

use std::io::Write;

use clap::Subcommand;

use super::{Failure, Outcome};
use check::Check;
use generate::Generate;

/// The tools for mate problems.
#[derive(Debug, Subcommand)]
pub(crate) enum Tsume {
    /// Make sound problems: one solution, no idle piece, the hand used up
    ///
    /// Prints `sfen,plies,solution,notes`, one problem a line. Problem K of a seed depends only on
    /// the seed, K, --plies, --loose and the style (--board, --hand, --area, --pieces, --both-kings),
    /// not on the number of threads. To continue after K lines, run the same command with --skip K
    /// (the header is then left out). Ctrl-C ends the run and keeps what was made, the page included;
    /// a second one ends it at once. With --to the problems are printed as games, unless --out is
    /// given.
    Generate(Generate),
    /// Check whether problems are sound, and name what is wrong
    ///
    /// One line for each: `sound`; `second solution MOVE...` (a line whose last move is a second
    /// check that mates); `shorter N` or `longer N` if the second column claims another length than
    /// N plies; `no mate`; `unknown WHY`. Remarks may follow after `sound`: `; idle SQUARE...` for
    /// pieces without which the solution is the same, and `; left in hand N` for pieces that the
    /// attacker does not need. The exit code is 1 unless all are sound. In a game file, each game
    /// is a problem. --out and --html write the sound problems. --verbose and --lang add a line for
    /// each second solution and for what tradition sets apart; --json prints them as JSON.
    Check(Check),
}

impl Tsume {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        match self {
            Tsume::Generate(generate) => generate.run(output),
            Tsume::Check(check) => check.run(output),
        }
    }
}
