//! Quantum shogi over USI: which game is played, and the search of it on the search thread.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use tsumero_control::{Limits, Signals};
use tsumero_core::{Color, File, Rank, Square};
use tsumero_quantum::{
    BestMove, Info, Kind, Move, ParsePositionError, PieceId, Position, Searcher, SearcherError,
    Settings, perft,
};

use crate::command::printable;
use crate::search_thread::{Generation, Memory};

/// The game that is played: the value of `USI_Variant`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Variant {
    /// Ordinary shogi.
    #[default]
    Shogi,
    /// Quantum shogi.
    Quantum,
}

impl Variant {
    /// The names that `USI_Variant` takes, in the order of [`Variant::ALL`].
    pub const NAMES: [&str; 2] = ["shogi", "quantum"];
    /// All variants.
    pub const ALL: [Variant; 2] = [Variant::Shogi, Variant::Quantum];
}

/// One search of quantum shogi.
#[derive(Debug)]
pub struct QuantumSearch {
    /// Its number.
    pub generation: Generation,
    /// Where it starts, with the game so far.
    pub position: Position,
    /// What is looked for.
    pub task: QuantumTask,
    /// The table it should use.
    pub memory: Memory,
    /// How it is told to stop.
    pub signals: Arc<Signals>,
    /// When it was asked for.
    pub started: Instant,
}

/// What a search looks for.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "only one task exists at a time, in a box")]
pub enum QuantumTask {
    /// The best move.
    BestMove {
        /// When to end.
        limits: Limits,
        /// The moves to choose from; empty for all.
        root_moves: Vec<Move>,
        /// How to search.
        settings: Settings,
    },
    /// The number of legal lines of so many plies.
    Perft(u32),
}

/// What is told of a search while it runs.
#[derive(Clone, Debug)]
pub enum QuantumReport {
    /// The table could not be had; the search goes on with what there is.
    OutOfMemory(SearcherError),
    /// Progress.
    Info(Info),
    /// One line of perft.
    PerftMove(Move, u64),
}

/// The answer of a search.
#[derive(Clone, Copy, Debug)]
pub enum QuantumOutcome {
    /// The move to play.
    BestMove(BestMove),
    /// The count; `None` if it was stopped.
    Perft(Option<u64>),
}

/// The table made when there is no room for the one that is wanted, in megabytes.
const SMALLEST_TABLE: usize = 1;

/// The searcher with the size it was made for. It is made when it is first needed: who never
/// plays quantum shogi has no memory taken by it.
#[derive(Default)]
pub(crate) struct QuantumTable {
    searcher: Option<(Searcher, usize)>,
}

impl QuantumTable {
    /// Empties the table, if there is one.
    pub(crate) fn clear(&mut self) {
        if let Some((searcher, _)) = &mut self.searcher {
            searcher.clear();
        }
    }

    fn prepare(&mut self, memory: Memory) -> (Option<&mut Searcher>, Result<(), SearcherError>) {
        let mut result = Ok(());
        let size = self.searcher.as_ref().map(|&(_, size)| size);
        if size != Some(memory.hash_mb) {
            // The old table goes first: there may not be room for both.
            self.searcher = None;
            let made = Searcher::new(memory.hash_mb).or_else(|error| {
                result = Err(error);
                Searcher::new(SMALLEST_TABLE)
            });
            self.searcher = made.ok().map(|searcher| (searcher, memory.hash_mb));
        } else if memory.clear {
            self.clear();
        }
        (self.searcher.as_mut().map(|(searcher, _)| searcher), result)
    }

    /// Does a search and tells of it through `tell`.
    pub(crate) fn run(
        &mut self,
        search: QuantumSearch,
        tell: &mut dyn FnMut(QuantumReport),
    ) -> QuantumOutcome {
        let QuantumSearch { mut position, task, memory, signals, started, .. } = search;
        match task {
            QuantumTask::BestMove { limits, root_moves, settings } => {
                let (searcher, result) = self.prepare(memory);
                if let Err(error) = result {
                    tell(QuantumReport::OutOfMemory(error));
                }
                let Some(searcher) = searcher else {
                    // Not even a megabyte: any legal move is better than none.
                    let any = position.legal_moves().first().copied();
                    let best = any.map(|best| BestMove::Move { best, ponder: None });
                    return QuantumOutcome::BestMove(best.unwrap_or(BestMove::Resign));
                };
                let mut on_info = |info| tell(QuantumReport::Info(info));
                QuantumOutcome::BestMove(searcher.search(
                    &position,
                    &limits,
                    &root_moves,
                    &settings,
                    &signals,
                    started,
                    &mut on_info,
                ))
            }
            QuantumTask::Perft(0) => QuantumOutcome::Perft(Some(1)),
            QuantumTask::Perft(depth) => {
                let mut total = 0;
                for m in position.legal_moves() {
                    let Some(count) = count_below(&mut position, m, depth - 1, &signals) else {
                        return QuantumOutcome::Perft(None);
                    };
                    tell(QuantumReport::PerftMove(m, count));
                    total += count;
                }
                QuantumOutcome::Perft(Some(total))
            }
        }
    }
}

/// The depth at which perft no longer looks for a stop: below it the count takes milliseconds.
const PERFT_WITHOUT_LOOKING: u32 = 2;

/// Counts the lines of so many moves after a legal move; `None` once it is stopped.
fn count_below(position: &mut Position, m: Move, depth: u32, signals: &Signals) -> Option<u64> {
    if signals.is_stopped() {
        return None;
    }
    position.do_move(m).ok()?;
    let count = if depth <= PERFT_WITHOUT_LOOKING {
        Some(perft(position, depth))
    } else {
        let moves = position.legal_moves();
        moves.into_iter().map(|m| count_below(position, m, depth - 1, signals)).sum()
    };
    position.undo_move();
    count
}

/// The position that `position` describes, or what is wrong with it, in ASCII. The root is
/// `startpos` or a position in the notation of quantum shogi.
pub(crate) fn replay(root: &str, moves: &[String]) -> Result<Position, String> {
    let mut position = match root {
        "startpos" => Position::startpos(),
        text => text.parse().map_err(|error: ParsePositionError| {
            format!("position {}: {error}", printable(text.as_bytes()))
        })?,
    };
    for (number, word) in (1..).zip(moves) {
        let played = position.parse_move(word).and_then(|m| Ok(position.do_move(m)?));
        if let Err(reason) = played {
            let word = printable(word.as_bytes());
            return Err(format!("move {number} of position, {word}: {reason}"));
        }
    }
    Ok(position)
}

/// Draws the board as Black sees it, every piece as its name with its marks, then the hands, the
/// position, the side to move, and of every piece its kinds with their odds in percent: the
/// share of assignments of kinds to its side that make it so. No line end after the last line.
pub(crate) fn display(f: &mut fmt::Formatter<'_>, position: &Position) -> fmt::Result {
    for file in File::all().rev() {
        write!(f, "   {file}")?;
    }
    writeln!(f)?;
    let rule = "+---+---+---+---+---+---+---+---+---+";
    writeln!(f, "{rule}")?;
    for rank in Rank::all() {
        for file in File::all().rev() {
            let piece = position.piece_at(Square::new(file, rank));
            let name = piece.map(|piece| position.marked_name(piece)).unwrap_or_default();
            write!(f, "|{name:>3}")?;
        }
        writeln!(f, "| {rank}")?;
        writeln!(f, "{rule}")?;
    }
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let hand: String = position.hand(color).iter().map(|piece| piece.letter()).collect();
        writeln!(f, "{name} hand: {}", if hand.is_empty() { "-" } else { &hand })?;
    }
    writeln!(f, "Position: {position}")?;
    let name = |color| if color == Color::Black { "Black" } else { "White" };
    writeln!(f, "Side to move: {}", name(position.side_to_move()))?;
    if let Some(winner) = position.winner() {
        writeln!(f, "Winner: {}", name(winner))?;
    }
    let odds = Color::ALL.map(|color| position.army(color).odds());
    for color in Color::ALL {
        let number = odds[color.index()].total();
        writeln!(f, "Assignments of {}'s first pieces: {number}", name(color))?;
    }
    write!(f, "Odds in percent:")?;
    for piece in PieceId::all() {
        let odds = &odds[piece.side().index()];
        write!(f, "\n{piece} {:<8}", position.kinds(piece))?;
        for kind in Kind::ALL.into_iter().filter(|&kind| position.kinds(piece).contains(kind)) {
            let percent = odds.probability(piece.index(), kind) * 100.0;
            write!(f, " {} {percent:.1}", kind.letter())?;
        }
    }
    Ok(())
}
