//! Replies to the GUI, and their text.
//!
//! Everything printed is ASCII, because some clients decode it as ASCII. Every line is exact,
//! because some clients compare whole lines.

use std::fmt;

use tsumero_control::{Bound, Score, ScoreKind, nodes_per_second};
use tsumero_mate::{MateAnswer, MateInfo};
use tsumero_search::BenchResult;

use crate::display::{self, Ascii};
use crate::evaluation::Explanation;
use crate::game::{AnyPosition, BestMove, Info};
use crate::notice::Notice;
use crate::options;

/// One reply to the GUI. Its text has no line end after the last line.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The answer to `usi`: name, author, options, `usiok`.
    Identity,
    /// `readyok`.
    ReadyOk,
    /// A line of the search.
    Info(Info),
    /// Progress of a mate search.
    MateInfo(MateInfo),
    /// `info string ...`, for the user to read.
    Note(String),
    /// `info string Error! ...`: something in the input is wrong.
    Error(String),
    /// The answer to `go`.
    BestMove(BestMove),
    /// The answer to `go mate`; `None` if the game has no mate search.
    Checkmate(Option<MateAnswer>),
    /// The number of leaves below one move.
    PerftMove(String, u64),
    /// The number of leaves below all moves, which ends `go perft`.
    PerftTotal(u64),
    /// The answer to `d`.
    Drawing(Box<AnyPosition>),
    /// The answer to `eval`.
    Explanation(Explanation),
    /// The answer to `bench`.
    Bench(BenchResult),
    /// An empty line, which shows that the engine is alive.
    KeepAlive,
}

/// The name in `id name`.
const NAME: &str = concat!("Tsumero ", env!("CARGO_PKG_VERSION"));
/// The name in `id author`.
const AUTHOR: &str = "the Tsumero authors";

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Identity => {
                writeln!(f, "id name {NAME}")?;
                writeln!(f, "id author {AUTHOR}")?;
                for option in options::declared() {
                    writeln!(f, "{option}")?;
                }
                f.write_str("usiok")
            }
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write_info(f, info),
            Reply::MateInfo(info) => {
                let (time, nodes) = (info.time.as_millis(), info.nodes);
                let nps = nodes_per_second(nodes, info.time);
                write!(f, "info time {time} nodes {nodes} nps {nps} hashfull {}", info.hashfull)?;
                if info.mate.is_empty() {
                    return Ok(());
                }
                write!(f, " score mate {} pv", info.mate.len())?;
                write_moves(f, &info.mate)
            }
            Reply::Note(text) => write!(f, "info string {}", Ascii(text)),
            Reply::Error(text) => write!(f, "info string Error! {}", Ascii(text)),
            Reply::BestMove(BestMove::Move { best, ponder }) => {
                write!(f, "bestmove {best}")?;
                ponder.as_ref().map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Reply::BestMove(BestMove::Resign) => f.write_str("bestmove resign"),
            Reply::BestMove(BestMove::DeclareWin) => f.write_str("bestmove win"),
            Reply::Checkmate(Some(MateAnswer::Mate(mate))) => {
                f.write_str("checkmate")?;
                write_moves(f, &mate.line)
            }
            Reply::Checkmate(Some(MateAnswer::NoMate)) => f.write_str("checkmate nomate"),
            // The protocol has one word for all unknown results. Any other word after `checkmate`
            // would be read as a move.
            Reply::Checkmate(Some(MateAnswer::Unknown(_))) => f.write_str("checkmate timeout"),
            Reply::Checkmate(None) => f.write_str("checkmate notimplemented"),
            Reply::PerftMove(first, count) => write!(f, "{first}: {count}"),
            Reply::PerftTotal(count) => write!(f, "Nodes searched: {count}"),
            Reply::Drawing(position) => position.fmt(f),
            Reply::Explanation(explanation) => display::explanation(f, explanation),
            // The form that testing frameworks in the manner of OpenBench look for.
            Reply::Bench(result) => write!(f, "{} nodes {} nps", result.nodes, result.nps()),
            Reply::KeepAlive => Ok(()),
        }
    }
}

/// The keys are in the order in which GUIs show them. `pv` is last, because it takes the rest of
/// the line.
fn write_info(f: &mut fmt::Formatter<'_>, info: &Info) -> fmt::Result {
    write!(f, "info depth {} seldepth {}", info.depth, info.seldepth)?;
    write!(f, " multipv {}", info.multipv)?;
    write_score(f, info.score, info.bound)?;
    let (nodes, time) = (info.nodes, info.time.as_millis());
    let nps = info.nps();
    write!(f, " nodes {nodes} nps {nps} hashfull {} time {time}", info.hashfull)?;
    match (info.score.kind(), info.pv.is_empty()) {
        (_, false) => {
            f.write_str(" pv")?;
            write_moves(f, &info.pv)
        }
        // GUIs show these words with the score. Without a line they would show nothing.
        (ScoreKind::Mate(0), true) => f.write_str(" pv resign"),
        // Only a declaration wins without a move.
        (ScoreKind::Mate(1), true) => f.write_str(" pv win"),
        (_, true) => Ok(()),
    }
}

/// The moves, each with a space in front.
fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[impl fmt::Display]) -> fmt::Result {
    moves.iter().try_for_each(|m| write!(f, " {m}"))
}

fn write_score(f: &mut fmt::Formatter<'_>, score: Score, bound: Bound) -> fmt::Result {
    write!(f, " score {}", score.kind())?;
    match bound {
        Bound::Exact => Ok(()),
        Bound::Lower => f.write_str(" lowerbound"),
        Bound::Upper => f.write_str(" upperbound"),
    }
}
impl From<Notice> for Reply {
    fn from(notice: Notice) -> Reply {
        match notice {
            Notice::Note(text) => Reply::Note(text),
            Notice::Error(text) => Reply::Error(text),
        }
    }
}
