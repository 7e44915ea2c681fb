//! The rules of shogi on a padded one-dimensional board with incremental attack maps.
//!
//! [`Position`] is the main type. It reads SFEN, generates and validates legal moves, makes them and
//! takes them back, and answers questions about checks, pins, mates in one, repetition and
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
//! # Speed and the target
//!
//! The vector instructions are chosen when the crate is built, not at run time. A dependent crate
//! that is built without `target-cpu` uses SSE2. Bulk perft then takes 3.0 times as long as a build
//! for the machine (AVX-512) on an AMD Zen 5 server, and 2.1 times on Zen 4. A build for x86-64-v3
//! (AVX2) takes 1.6 and 1.3 times as long. Set `RUSTFLAGS="-C target-cpu=native"`, or make one
//! binary for each level. Dispatch at run time was not tried: every move uses the attack maps, so it
//! would have to choose between whole searches, not at each use.
//!
//! # Methods of `Position`
//!
//! **Start and text**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`startpos`](Position::startpos) | the start of an even game | `position/sfen.rs` |
//! | [`from_sfen`](Position::from_sfen) | reads an SFEN, or names its first fault | `position/sfen.rs` |
//! | [`from_diagram`](Position::from_diagram) | the same, but pieces may stand anywhere | `position/sfen.rs` |
//! | [`broken_rules`](Position::broken_rules) | the rules that pieces break where they stand | `position/sfen.rs` |
//! | [`to_sfen`](Position::to_sfen) | writes the SFEN | `position/sfen.rs` |
//! | [`parse_move`](Position::parse_move) | reads a USI move and checks that it is legal | `legality.rs` |
//!
//! **What is where**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`side_to_move`](Position::side_to_move) | whose turn it is | `position/mod.rs` |
//! | [`piece_at`](Position::piece_at) | the piece on a square | `position/mod.rs` |
//! | [`pieces`](Position::pieces) | all pieces with their squares | `position/mod.rs` |
//! | [`squares_of`](Position::squares_of) | the squares of a color's pieces | `position/mod.rs` |
//! | [`king`](Position::king) | the king's square | `position/mod.rs` |
//! | [`hand`](Position::hand) | the pieces in hand | `position/mod.rs` |
//! | [`cells`](Position::cells) | the raw padded board | `position/mod.rs` |
//! | [`ply`](Position::ply) | the number of the next move | `position/mod.rs` |
//! | [`key`](Position::key) | the hash key (Zobrist) | `position/mod.rs` |
//! | [`board_key`](Position::board_key) | the hash key without the hands | `position/mod.rs` |
//! | [`last_move`](Position::last_move) | the move that led here | `position/mod.rs` |
//! | [`moves_played`](Position::moves_played) | the number of known moves before | `position/mod.rs` |
//!
//! **Legal moves**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`legal_moves`](Position::legal_moves) | all legal moves | `movegen/mod.rs` |
//! | [`generate`](Position::generate) | the legal moves that a [`Filter`] selects | `movegen/mod.rs` |
//! | [`generate_checks`](Position::generate_checks) | the legal moves that give check | `movegen/checks.rs` |
//! | [`count_legal_moves`](Position::count_legal_moves) | their number, without a list | `movegen/count.rs` |
//! | [`count_checks`](Position::count_checks) | the number of checks, without a list | `movegen/checks.rs` |
//! | [`count_replies`](Position::count_replies) | the number of replies to a move, without making it | `movegen/count.rs` |
//! | [`has_legal_move`](Position::has_legal_move) | is there any legal move? | `movegen/mod.rs` |
//! | [`validate`](Position::validate) | is a USI move legal? If not, which rule does it break? | `legality.rs` |
//! | [`unpack_move`](Position::unpack_move) | a move from a table, if it is legal here | `legality.rs` |
//!
//! **Making moves**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`do_move`](Position::do_move) | makes a legal move, unchecked | `position/do_move.rs` |
//! | [`undo_move`](Position::undo_move) | takes it back | `position/do_move.rs` |
//! | [`try_do_move`](Position::try_do_move) | makes a move if it is legal | `position/do_move.rs` |
//! | [`try_undo_move`](Position::try_undo_move) | takes a move back if there is one | `position/do_move.rs` |
//! | [`play`](Position::play) | makes a move of the game, for good | `position/do_move.rs` |
//! | [`do_null_move`](Position::do_null_move) | passes the turn | `position/do_move.rs` |
//! | [`undo_null_move`](Position::undo_null_move) | takes the pass back | `position/do_move.rs` |
//! | [`board_key_after`](Position::board_key_after) | the key after a move, before making it | `position/do_move.rs` |
//!
//! **Check, pins and attacks**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`in_check`](Position::in_check) | is the side to move in check? | `pins.rs` |
//! | [`checkers`](Position::checkers) | the pieces that give check | `pins.rs` |
//! | [`pinned`](Position::pinned) | the pinned pieces | `pins.rs` |
//! | [`flights`](Position::flights) | the king's flight squares | `pins.rs` |
//! | [`gives_check`](Position::gives_check) | does a move give check? | `movegen/checks.rs` |
//! | [`check_squares`](Position::check_squares) | from where each kind would give check | `movegen/checks.rs` |
//! | [`attackers`](Position::attackers) | the pieces that attack a square | `pins.rs` |
//! | [`attacks`](Position::attacks) | the attack map of both colors | `position/mod.rs` |
//!
//! **Mate and the end of the game**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`is_mate`](Position::is_mate) | is the side to move mated? | `movegen/mod.rs` |
//! | [`mate_in_one`](Position::mate_in_one) | a move that mates at once | `mate_in_one/mod.rs` |
//! | [`repetition`](Position::repetition) | fourfold repetition and perpetual check | `rules/repetition.rs` |
//! | [`repetition_within`](Position::repetition_within) | a repetition as a search sees it | `rules/repetition.rs` |
//! | [`declaration_wins`](Position::declaration_wins) | does a declaration (entering king) win? | `rules/impasse.rs` |
//! | [`declaration_points`](Position::declaration_points) | the points for it | `rules/impasse.rs` |
//! | [`pieces_in_enemy_camp`](Position::pieces_in_enemy_camp) | the pieces for it | `rules/impasse.rs` |
//! | [`impasse_points`](Position::impasse_points) | the points of an impasse | `rules/impasse.rs` |
//! | [`is_impasse_draw`](Position::is_impasse_draw) | is an impasse drawn? | `rules/impasse.rs` |
//! | [`has_tried`](Position::has_tried) | has a king won under the try rule? | `rules/impasse.rs` |
//! | [`consistency`](Position::consistency) | compares incremental values with fresh ones | `position/consistency.rs` |
//!
//! # Where to look
//!
//! | question | file |
//! |---|---|
//! | where are the attack maps updated? | `placement/attacks.rs`, at the first look at a position after a move (`position/stack.rs`) |
//! | where are nifu (二歩) and uchifuzume (打ち歩詰め) decided? | `movegen/drops.rs`; for moves from outside `legality.rs` |
//! | where may or must a piece promote? | `promotion.rs` |
//! | how do the pieces move? | the table in `movement.rs` |
//! | which vector instructions are used? | `lanes/mod.rs` |
//!
//! The crate's README shows more examples, `examples/` whole programs. `docs/core.md` of the repository explains the
//! data structures and `docs/glossary.md` the words.

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
