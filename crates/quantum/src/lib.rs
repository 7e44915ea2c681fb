//! Quantum shogi: ordinary shogi in which nobody knows which piece is which.
//!
//! Every piece has the set of kinds that it can still be ([`KindSet`]). A move keeps the kinds that
//! could have made it. A side's 20 pieces ([`Army`]) then converge: kinds that the number of pieces
//! excludes are removed. Whoever captures a piece that can only be the king wins.
//!
//! ```
//! use tsumero_quantum::{Position, perft};
//!
//! let mut position = Position::startpos();
//! assert_eq!(perft(&position, 2), 30_992);
//! // A piece that moves two squares sideways can only be the rook, and no other piece of its side can.
//! for text in ["7g7f", "3c3d", "8h6h"] {
//!     let mv = position.parse_move(text)?;
//!     position.play(mv)?;
//! }
//! assert_eq!(position.kinds_text().matches("40").count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod army;
mod forced;
mod kind_set;
mod legality;
mod movegen;
mod movement;
mod moves;
mod notation;
mod odds;
mod outcome;
mod perft;
mod piece;
mod piece_set;
mod play;
mod position;
mod search;

pub use army::{ARMY_SIZE, Army, ArmyError, Captured, Contradiction};
pub use forced::{MOST_FORCED_PLIES, forced_win, longest_reply, only_first_move, winning_moves};
pub use kind_set::{Kind, KindSet, KindSetIter};
pub use legality::IllegalMove;
pub use movement::kinds_that_move;
pub use moves::{Move, ParseMoveError};
pub use notation::ParsePositionError;
pub use odds::Odds;
pub use outcome::{Outcome, REPETITIONS};
pub use perft::{divide, perft, perft_while};
pub use piece::PieceId;
pub use position::Position;
pub use search::{
    BestMove, Info, Question, Searcher, SearcherError, Settings, WEIGHT_COUNT, evaluate, features,
    weights,
};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
