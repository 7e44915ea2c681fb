//! Positions and moves as text.
//!
//! A position has five fields, separated by blanks. The board: ranks from a, files from 9, each
//! piece by its name, after `+` if it is promoted and `-` if its owner is not the side it started
//! on. The side to move. Both hands in the order of capture. The number of the next move. Two
//! hexadecimal digits for the kinds of every piece.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use tsumero_core::{ByColor, Color, File, Rank, Square};

use crate::army::{ARMY_SIZE, Army, ArmyError};
use crate::kind_set::KindSet;
use crate::legality::{IllegalMove, dead_kinds};
use crate::moves::Move;
use crate::piece::PieceId;
use crate::piece_set::PieceSet;
use crate::position::{Position, State};

/// Why a text is not a position.
///
/// ```
/// use tsumero_quantum::{ParsePositionError, Position};
///
/// let start = Position::startpos().to_string();
/// let error = |from, to| start.replacen(from, to, 1).parse::<Position>().unwrap_err();
/// assert_eq!(error(" b ", " black "), ParsePositionError::Turn);
/// match error("LMN", "LLN") {
///     ParsePositionError::Twice(piece) => assert_eq!(piece.to_string(), "L"),
///     other => panic!("{other}"),
/// }
/// assert_eq!(error("LMN", "L1N").to_string(), "piece M is missing");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// There are not five fields.
    #[error("a position has five fields: board, turn, hands, ply, kinds")]
    FieldCount,
    /// The board does not have nine ranks of nine squares.
    #[error("the board must have nine ranks of nine squares")]
    BoardShape,
    /// The board contains something that is not a piece.
    #[error("byte {0} of the board is not part of a piece")]
    BoardText(usize),
    /// The side to move is neither `b` nor `w`.
    #[error("the turn must be b or w")]
    Turn,
    /// The hands are not two lists of names separated by a slash.
    #[error("the hands must be names of pieces around one slash")]
    Hands,
    /// A piece occurs twice.
    #[error("piece {0} occurs twice")]
    Twice(PieceId),
    /// A piece is missing.
    #[error("piece {0} is missing")]
    Missing(PieceId),
    /// The number of the next move is not a number of at least 1.
    #[error("the ply must be a number from 1")]
    Ply,
    /// The kinds are not 80 hexadecimal digits.
    #[error("the kinds must be 80 hexadecimal digits")]
    Kinds,
    /// The kinds of a side contradict each other or are not converged.
    #[error("{}: {reason}", side_name(*.side))]
    Army {
        /// The side.
        side: Color,
        /// What is wrong.
        reason: ArmyError,
    },
    /// A promoted piece that could be a gold or a king.
    #[error("piece {0} is promoted and could be a gold or a king")]
    Promoted(PieceId),
    /// An unpromoted piece where one of its kinds could never move again.
    #[error("piece {0} stands unpromoted where one of its kinds has no move")]
    Dead(PieceId),
    /// A captured piece that could be the king or another kind.
    #[error("piece {0} was captured and could be a king")]
    CapturedKing(PieceId),
    /// A captured piece is certainly the king, but the game did not end with its capture.
    #[error(
        "the king {0} was captured, but is not the last piece in the hand of its opponent, who moved last"
    )]
    KingNotLast(PieceId),
}

fn side_name(side: Color) -> &'static str {
    match side {
        Color::Black => "pieces A to T",
        Color::White => "pieces a to t",
    }
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads the text form. It checks what the rules guarantee for each piece and for the kinds. The ply
    /// is not compared with the rest.
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[board, turn, hands, ply, kinds] = &fields[..] else {
            return Err(ParsePositionError::FieldCount);
        };
        let side_to_move = match turn {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(ParsePositionError::Turn),
        };
        let has_digits_only = ply.bytes().all(|byte| byte.is_ascii_digit());
        let ply = match ply.parse::<u32>() {
            Ok(ply) if ply > 0 && has_digits_only => ply,
            _ => return Err(ParsePositionError::Ply),
        };
        let armies = parse_kinds(kinds)?;
        let mut reader =
            Reader { state: State::empty(armies, side_to_move, ply), seen: PieceSet::EMPTY };
        reader.board(board)?;
        reader.hands(hands)?;
        if let Some(missing) = PieceId::all().find(|&piece| !reader.seen.contains(piece)) {
            return Err(ParsePositionError::Missing(missing));
        }
        let mut position = Position::from_state(reader.state);
        if let Some(winner) = check_pieces(&position)? {
            reader.state.set_winner(winner);
            position = Position::from_state(reader.state);
        }
        Ok(position)
    }
}

fn parse_kinds(text: &str) -> Result<ByColor<Army>, ParsePositionError> {
    let digits = text.as_bytes();
    if digits.len() != 2 * PieceId::COUNT || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err(ParsePositionError::Kinds);
    }
    let value = |digit: u8| match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit - b'A' + 10,
    };
    let mut armies = ByColor([Army::new(); 2]);
    for side in Color::ALL {
        let mut sets = [KindSet::EMPTY; ARMY_SIZE];
        let digits = &digits[side.index() * 2 * ARMY_SIZE..];
        for (set, pair) in sets.iter_mut().zip(digits.chunks_exact(2)) {
            *set = KindSet::from_bits(value(pair[0]) << 4 | value(pair[1]));
        }
        armies[side] =
            Army::from_sets(sets).map_err(|reason| ParsePositionError::Army { side, reason })?;
    }
    Ok(armies)
}

/// Places the pieces as the text says, each once.
struct Reader {
    state: State,
    seen: PieceSet,
}

impl Reader {
    fn see(&mut self, piece: PieceId) -> Result<(), ParsePositionError> {
        if self.seen.contains(piece) {
            return Err(ParsePositionError::Twice(piece));
        }
        self.seen.insert(piece);
        Ok(())
    }

    fn board(&mut self, text: &str) -> Result<(), ParsePositionError> {
        let (mut rank, mut file) = (0, 9);
        let (mut promoted, mut turned) = (false, false);
        for (place, byte) in text.bytes().enumerate() {
            let marked = promoted || turned;
            match byte {
                b'+' if !marked => promoted = true,
                b'-' if !turned => turned = true,
                b'/' if !marked => {
                    if file != 0 {
                        return Err(ParsePositionError::BoardShape);
                    }
                    (rank, file) = (rank + 1, 9);
                }
                b'1'..=b'9' if !marked => {
                    let run = usize::from(byte - b'0');
                    file = usize::checked_sub(file, run).ok_or(ParsePositionError::BoardShape)?;
                }
                letter => {
                    let piece =
                        PieceId::from_letter(letter).ok_or(ParsePositionError::BoardText(place))?;
                    if file == 0 || rank > 8 {
                        return Err(ParsePositionError::BoardShape);
                    }
                    file -= 1;
                    self.see(piece)?;
                    let owner = if turned { !piece.side() } else { piece.side() };
                    let square = Square::from_dense_index(file * 9 + rank)
                        .ok_or(ParsePositionError::BoardShape)?;
                    self.state.put_on_board(piece, square, owner, promoted);
                    (promoted, turned) = (false, false);
                }
            }
        }
        if promoted || turned {
            return Err(ParsePositionError::BoardText(text.len()));
        }
        if rank != 8 || file != 0 { Err(ParsePositionError::BoardShape) } else { Ok(()) }
    }

    fn hands(&mut self, text: &str) -> Result<(), ParsePositionError> {
        let (black, white) = text.split_once('/').ok_or(ParsePositionError::Hands)?;
        for (color, names) in [(Color::Black, black), (Color::White, white)] {
            for letter in names.bytes() {
                let piece = PieceId::from_letter(letter).ok_or(ParsePositionError::Hands)?;
                self.see(piece)?;
                self.state.put_in_hand(piece, color);
            }
        }
        Ok(())
    }
}

/// Checks what the rules guarantee for each piece. Returns who captured the king, if anyone did.
fn check_pieces(position: &Position) -> Result<Option<Color>, ParsePositionError> {
    let mut winner = None;
    for piece in PieceId::all() {
        let kinds = position.kinds(piece);
        let owner = position.owner(piece);
        if position.is_promoted(piece) && !kinds.is_subset_of(KindSet::PROMOTABLE) {
            return Err(ParsePositionError::Promoted(piece));
        }
        let square = position.square_of(piece);
        if let Some(square) = square
            && !position.is_promoted(piece)
            && kinds.meets(dead_kinds(square, owner))
        {
            return Err(ParsePositionError::Dead(piece));
        }
        let was_captured = square.is_none() || owner != piece.side();
        if was_captured && kinds.meets(KindSet::KING) {
            if kinds != KindSet::KING {
                return Err(ParsePositionError::CapturedKing(piece));
            }
            // The capture of the king ends the game. So the king is the last piece in the hand of
            // its opponent, who is not to move, and the only captured king.
            let last = position.hand(owner).last() == Some(&piece);
            let was_taken_now = owner != piece.side() && owner != position.side_to_move();
            if square.is_some() || !last || !was_taken_now || winner.is_some() {
                return Err(ParsePositionError::KingNotLast(piece));
            }
            winner = Some(owner);
        }
    }
    Ok(winner)
}

/// Writes the text form, which reads back as the same position.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all() {
            if rank.index() > 0 {
                f.write_char('/')?;
            }
            let mut empty = 0;
            for file in File::all().rev() {
                let Some(piece) = self.piece_at(Square::new(file, rank)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{}", self.marked_name(piece))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        let turn = match self.side_to_move() {
            Color::Black => 'b',
            Color::White => 'w',
        };
        write!(f, " {turn} ")?;
        self.hand_iter(Color::Black).try_for_each(|piece| write!(f, "{piece}"))?;
        f.write_char('/')?;
        self.hand_iter(Color::White).try_for_each(|piece| write!(f, "{piece}"))?;
        write!(f, " {} {}", self.ply(), self.kinds_text())
    }
}

impl Position {
    /// The name of a piece after the marks for its state on the board.
    pub fn marked_name(&self, piece: PieceId) -> String {
        let promoted = if self.is_promoted(piece) { "+" } else { "" };
        let turned = if self.owner(piece) == piece.side() { "" } else { "-" };
        format!("{promoted}{turned}{piece}")
    }

    /// The kinds of all pieces, two hexadecimal digits each, in the order of their numbers.
    pub fn kinds_text(&self) -> String {
        PieceId::all().fold(String::new(), |mut text, piece| {
            let _ = write!(text, "{:02x}", self.kinds(piece).bits());
            text
        })
    }

    /// Reads a move and checks that it is legal.
    ///
    /// # Errors
    /// The rule that the move breaks, or that the text is not a move.
    pub fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let mv = text.parse::<Move>()?;
        self.validate(mv)?;
        Ok(mv)
    }
}
