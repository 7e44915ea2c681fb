//! The rules of shogi on a padded one-dimensional board with incremental attack maps.
//!
//! [`Position`] is the centre: it is read from SFEN, generates and validates legal moves, does
//! and undoes them, and answers questions about checks, pins, mates in one, repetition and
//! declaration. The crate knows no clock, no thread, no search and no output.
//!
//! ```
//! use tsumero_core::Position;
//! let mut position = Position::startpos();
//! for text in ["7g7f", "3c3d", "8h2b+"] {
//!     let mv = position.parse_move(text).unwrap();
//!     position.do_move(mv);
//! }
//! assert!(position.legal_moves().iter().any(|mv| mv.to_string() == "3a2b"));
//! ```
//!
//! The crate's README shows more of it, `examples/` whole programs.

mod color;
mod direction;
mod hand;
mod king_danger;
mod lanes;
mod legality;
mod mate_in_one;
mod mating_patterns;
mod mix;
mod move_list;
mod movegen;
mod movement;
mod moves;
mod neighbors;
pub mod notation;
mod perft;
mod piece;
mod pins;
mod placement;
mod position;
mod promotion;
mod rays;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod square;
mod square_set;
mod zobrist;

pub use color::{ByColor, Color, ParseColorError};
pub use direction::{Compass, Direction, DirectionSet};
pub use hand::Hand;
pub use legality::IllegalMove;
pub use mix::{GOLDEN_GAMMA, mix};
pub use move_list::{MAX_MOVES, MoveList};
pub use movegen::Filter;
pub use movement::{
    Displacement, Vector, displacement, line, line_direction, slides, steps, vectors,
};
pub use moves::{Move, ParseMoveError, UsiMove};
pub use perft::{divide, perft};
pub use piece::{ParsePieceError, Piece, PieceKind};
pub use placement::attacks::AttackMap;
pub use position::{Handicap, MateProblem, ParseHandicapError, Position, Setup, SfenError};
pub use rules::{EnteringKingRule, Repetition};
pub use square::{File, ParseSquareError, Rank, Square};
pub use square_set::SquareSet;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
