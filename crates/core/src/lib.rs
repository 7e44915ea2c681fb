//! The rules of shogi on a padded one-dimensional board with incremental attack maps.
//!
//! A [`Position`] is a plain value: board, hands, side to move. It reads SFEN, generates and validates
//! legal moves, plays them, and answers questions about checks, pins, mates in one and declaration. A
//! [`Game`] is a position with the moves that led to it, which decide what is a repetition. A [`Line`]
//! is what a search moves on: it makes and takes back moves as fast as possible. Both can be used
//! wherever a position is expected. The crate knows no clock, no thread, no search and no output.
//!
//! ```
//! use tsumero_core::{Game, Repetition};
//! let mut game: Game = "startpos moves 7g7f 3c3d 8h2b+".parse()?;
//! let mv = game.parse_move("3a2b")?;
//! assert!(game.legal_moves().contains(&mv));
//! game.play(mv)?;
//! assert_eq!(game.repetition(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
//! # Without the standard library
//!
//! There is no `no_std` build. One would be possible: beyond `core` and `alloc`, the crate needs only
//! hash maps, for the positions of a game.
//!
//! # Methods of `Position`
//!
//! **Start and text**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`startpos`](Position::startpos) | the start of an even game | `handicap.rs` |
//! | [`from_sfen`](Position::from_sfen) | reads an SFEN, or names its first fault ([`SfenError`]) | `sfen.rs` |
//! | [`from_diagram`](Position::from_diagram) | the same, but pieces may stand anywhere | `sfen.rs` |
//! | [`broken_rules`](Position::broken_rules) | the rules that pieces break where they stand | `sfen.rs` |
//! | [`to_sfen`](Position::to_sfen) | writes the SFEN | `sfen.rs` |
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
//! | [`key_after`](Position::key_after) | the same after a move, before playing it | `position/mod.rs` |
//! | [`board_key`](Position::board_key) | the hash key without the hands | `position/mod.rs` |
//! | [`board_key_after`](Position::board_key_after) | the key without the hands after a move | `position/mod.rs` |
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
//! **Playing moves**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`play`](Position::play) | plays a move, or names the rule that it breaks | `play.rs` |
//! | [`play_unchecked`](Position::play_unchecked) | plays a legal move | `play.rs` |
//! | [`hand_over`](Position::hand_over) | moves a piece from one hand into the other | `play.rs` |
//!
//! **Check, pins and attacks**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`in_check`](Position::in_check) | is the side to move in check? | `in_check.rs` |
//! | [`checkers`](Position::checkers) | the pieces that give check | `in_check.rs` |
//! | [`flights`](Position::flights) | the king's flight squares | `in_check.rs` |
//! | [`pinned`](Position::pinned) | the pinned pieces | `pins.rs` |
//! | [`gives_check`](Position::gives_check) | does a move give check? | `movegen/checks.rs` |
//! | [`check_squares`](Position::check_squares) | from where each kind would give check | `movegen/checks.rs` |
//! | [`attackers`](Position::attackers) | the pieces that attack a square | `attackers.rs` |
//! | [`attacks`](Position::attacks) | the attack map of both colors | `position/mod.rs` |
//!
//! **Mate and the end of the game**
//!
//! | method | what it does | file |
//! |---|---|---|
//! | [`is_mate`](Position::is_mate) | is the side to move mated? | `movegen/mod.rs` |
//! | [`mate_in_one`](Position::mate_in_one) | a move that mates at once | `mate_in_one/mod.rs` |
//! | [`declaration_wins`](Position::declaration_wins) | does a declaration (entering king) win? | `rules/impasse.rs` |
//! | [`declaration_points`](Position::declaration_points) | the points for it | `rules/impasse.rs` |
//! | [`pieces_in_enemy_camp`](Position::pieces_in_enemy_camp) | the pieces for it | `rules/impasse.rs` |
//! | [`impasse_points`](Position::impasse_points) | the points of an impasse | `rules/impasse.rs` |
//! | [`is_impasse_draw`](Position::is_impasse_draw) | is an impasse drawn? | `rules/impasse.rs` |
//! | [`consistency`](Position::consistency) | compares incremental values with fresh ones | `consistency.rs` |
//!
//! # Methods of `Game` and `Line`
//!
//! | `Game`, in `game.rs` | `Line`, in `line/mod.rs` | what it does |
//! |---|---|---|
//! | [`play`](Game::play) | | plays a move, or names the rule that it breaks |
//! | [`play_unchecked`](Game::play_unchecked) | [`do_move`](Line::do_move) | makes a legal move |
//! | [`undo`](Game::undo) | [`undo_move`](Line::undo_move) | takes it back |
//! | | [`do_null_move`](Line::do_null_move), [`undo_null_move`](Line::undo_null_move) | passes the turn, and takes that back |
//! | [`last_move`](Game::last_move) | [`last_move`](Line::last_move) | the move that led here |
//! | [`start`](Game::start), [`moves`](Game::moves) | | where the game started, and its moves |
//! | [`repetition`](Game::repetition) | [`repetition`](Line::repetition) | fourfold repetition and perpetual check |
//! | | [`repetition_within`](Line::repetition_within) | a repetition as a search sees it |
//! | [`may_end_by_repetition`](Game::may_end_by_repetition) | | has a position occurred three times? |
//! | [`third_occurrences`](Game::third_occurrences) | | which ones? |
//!
//! # Where to look
//!
//! | question | file |
//! |---|---|
//! | where are the attack maps updated? | `placement/attacks.rs`; in a line at the first look at a position (`line/stack.rs`) |
//! | where are nifu (二歩) and uchifuzume (打ち歩詰め) decided? | `movegen/drops.rs`; for moves from outside `legality.rs` |
//! | where may or must a piece promote? | `promotion.rs` |
//! | how do the pieces move? | the table in `movement.rs` |
//! | which vector instructions are used? | `lanes/mod.rs`; to write moves `move_list/avx512.rs` |
//!
//! The crate's README shows more examples, `examples/` whole programs. `docs/core.md` of the
//! repository explains the data structures and `docs/glossary.md` the words.

mod attackers;
mod between;
mod color;
mod consistency;
mod direction;
mod game;
mod game_result;
mod hand;
mod handicap;
mod history;
mod in_check;
mod key_map;
mod king_danger;
mod lanes;
mod legality;
mod line;
mod mate_in_one;
mod mate_problem;
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
mod play;
mod position;
mod promotion;
mod rays;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod sfen;
mod square;
mod square_names;
mod square_set;
mod text;
mod zobrist;

pub use between::between;
pub use color::{ByColor, Color, ParseColorError};
pub use direction::{Compass, Direction, DirectionSet, DirectionSetIter};
pub use game::{Game, ParseGameError};
pub use game_result::GameResult;
pub use hand::{Hand, ParseHandError};
pub use handicap::{Handicap, ParseHandicapError};
pub use key_map::{KeyHasher, KeyMap};
pub use legality::IllegalMove;
pub use line::Line;
pub use mate_problem::MateProblem;
pub use mix::{GOLDEN_GAMMA, mix};
pub use move_list::{MAX_MOVES, MoveList};
pub use movegen::Filter;
pub use movement::{
    Displacement, Vector, compass, displacement, line_direction, slides, steps, vectors,
};
pub use moves::{Move, ParseMoveError, UsiMove};
pub use perft::{MAX_PERFT_DEPTH, divide, perft, perft_while};
pub use piece::{ParsePieceError, Piece, PieceKind};
pub use placement::attacks::AttackMap;
pub use position::Position;
pub use rules::{EnteringKingRule, ParseEnteringKingRuleError, Repetition};
pub use setup::{Setup, SetupError};
pub use sfen::SfenError;
pub use square::{File, ParseSquareError, Rank, Square};
pub use square_set::{SquareSet, SquareSetIter};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
