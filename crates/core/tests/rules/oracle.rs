//! The oracle: a slow second opinion on the rules of shogi.
//!
//! Nothing here is shared with the crate under test, and nothing is clever. The board is a plain
//! nine by nine array. A rule is a predicate that follows the rule book. A move is legal when no
//! predicate forbids it. There are no attack maps and no pins. Whether a king is safe is found by
//! making the move on a copy and looking for a piece that reaches the king.
//!
//! The convention is the one perft counts use: every optional non-promotion counts as a move of its
//! own, a promotion is forced only where the piece could never move again, a pawn drop that mates is
//! excluded (also when it answers a check), a pawn *move* that mates is legal, repetition is ignored,
//! and a side may be without a king, in which case it is never in check.

mod text;

use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Color {
    Black,
    White,
}

impl Color {
    pub(crate) const BOTH: [Color; 2] = [Color::Black, Color::White];

    pub(crate) fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Kind {
    Pawn,
    Lance,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
    King,
    PromotedPawn,
    PromotedLance,
    PromotedKnight,
    PromotedSilver,
    Horse,
    Dragon,
}

impl Kind {
    /// The kinds a hand can hold, in the order in which a hand array counts them.
    pub(crate) const HAND: [Kind; 7] =
        [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];

    pub(crate) fn promoted(self) -> Option<Kind> {
        match self {
            Kind::Pawn => Some(Kind::PromotedPawn),
            Kind::Lance => Some(Kind::PromotedLance),
            Kind::Knight => Some(Kind::PromotedKnight),
            Kind::Silver => Some(Kind::PromotedSilver),
            Kind::Bishop => Some(Kind::Horse),
            Kind::Rook => Some(Kind::Dragon),
            _ => None,
        }
    }

    fn unpromoted(self) -> Kind {
        Kind::HAND.into_iter().find(|kind| kind.promoted() == Some(self)).unwrap_or(self)
    }

    /// The index of this kind in a hand array; a king is never in hand.
    fn hand_index(self) -> Option<usize> {
        Kind::HAND.into_iter().position(|kind| kind == self)
    }

    /// The vectors of the kind as Black sees them: files towards the left, ranks towards the
    /// own camp, and whether the piece slides.
    fn vectors(self) -> &'static [(i32, i32, bool)] {
        match self {
            Kind::Pawn => &[(0, -1, false)],
            Kind::Lance => &[(0, -1, true)],
            Kind::Knight => &[(1, -2, false), (-1, -2, false)],
            Kind::Silver => {
                &[(1, -1, false), (0, -1, false), (-1, -1, false), (1, 1, false), (-1, 1, false)]
            }
            Kind::Gold
            | Kind::PromotedPawn
            | Kind::PromotedLance
            | Kind::PromotedKnight
            | Kind::PromotedSilver => &[
                (1, -1, false),
                (0, -1, false),
                (-1, -1, false),
                (1, 0, false),
                (-1, 0, false),
                (0, 1, false),
            ],
            Kind::Bishop => &[(1, -1, true), (-1, -1, true), (1, 1, true), (-1, 1, true)],
            Kind::Rook => &[(0, -1, true), (1, 0, true), (-1, 0, true), (0, 1, true)],
            Kind::King => &[
                (1, -1, false),
                (0, -1, false),
                (-1, -1, false),
                (1, 0, false),
                (-1, 0, false),
                (1, 1, false),
                (0, 1, false),
                (-1, 1, false),
            ],
            Kind::Horse => &[
                (1, -1, true),
                (-1, -1, true),
                (1, 1, true),
                (-1, 1, true),
                (0, -1, false),
                (1, 0, false),
                (-1, 0, false),
                (0, 1, false),
            ],
            Kind::Dragon => &[
                (0, -1, true),
                (1, 0, true),
                (-1, 0, true),
                (0, 1, true),
                (1, -1, false),
                (-1, -1, false),
                (1, 1, false),
                (-1, 1, false),
            ],
        }
    }
}

/// A square of the board: file 1 to 9 from the right, rank 1 to 9 from the top, as Black sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) struct Square {
    pub(crate) file: i32,
    pub(crate) rank: i32,
}

impl Square {
    pub(crate) fn all() -> impl Iterator<Item = Square> {
        (1..=9).flat_map(|file| (1..=9).map(move |rank| Square { file, rank }))
    }

    fn shifted(self, files: i32, ranks: i32) -> Option<Square> {
        let (file, rank) = (self.file + files, self.rank + ranks);
        ((1..=9).contains(&file) && (1..=9).contains(&rank)).then_some(Square { file, rank })
    }

    fn in_promotion_zone(self, color: Color) -> bool {
        match color {
            Color::Black => self.rank <= 3,
            Color::White => self.rank >= 7,
        }
    }
}

/// A move as text encodes it, whether it makes sense or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Move {
    Board { from: Square, to: Square, promote: bool },
    Drop { kind: Kind, to: Square },
}

impl Move {
    /// Every move that can be written down: 81 x 81 x 2 board moves and 7 x 81 drops.
    pub(crate) fn every_encodable() -> impl Iterator<Item = Move> {
        let board = Square::all().flat_map(|from| {
            Square::all()
                .flat_map(move |to| [false, true].map(|promote| Move::Board { from, to, promote }))
        });
        let drops = Kind::HAND
            .into_iter()
            .flat_map(|kind| Square::all().map(move |to| Move::Drop { kind, to }));
        board.chain(drops)
    }
}

/// The rule a move breaks.
///
/// A move may break several rules. `Position::violations` names them all. `Position::illegality`
/// names the first in the order of [`Reason::PRECEDENCE`]: first what the text says, then what
/// stands on the board, then how the piece moves, then what may be dropped, then promotion. The two
/// rules about kings come last, the mover's own king first. A rule is judged only where its
/// question makes sense; each predicate says what that means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// The text has the form of a move but names a square outside the board.
    OffTheBoard,
    /// The text does not have the form of a move.
    NotAMove,
    NoPieceThere,
    WrongSide,
    NotInHand,
    OccupiedDrop,
    OwnPieceOnTarget,
    NotAlongVector,
    LeapsOver,
    DeadPiece,
    TwoPawns,
    CannotPromote,
    MustPromote,
    LeavesKingInCheck,
    PawnDropMate,
}

impl Reason {
    /// The rules that a readable move can break, in order of precedence.
    pub(crate) const PRECEDENCE: [Reason; 13] = [
        Reason::NoPieceThere,
        Reason::WrongSide,
        Reason::NotInHand,
        Reason::OccupiedDrop,
        Reason::OwnPieceOnTarget,
        Reason::NotAlongVector,
        Reason::LeapsOver,
        Reason::DeadPiece,
        Reason::TwoPawns,
        Reason::CannotPromote,
        Reason::MustPromote,
        Reason::LeavesKingInCheck,
        Reason::PawnDropMate,
    ];
}

/// Board, hands, side to move and move number. Copies are independent of each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    cells: [[Option<(Color, Kind)>; 9]; 9],
    hands: [[u8; 7]; 2],
    side_to_move: Color,
    move_number: u32,
}

impl Position {
    /// A board without pieces, hands empty, at move number 1.
    pub(crate) fn empty(side_to_move: Color) -> Position {
        Position { cells: [[None; 9]; 9], hands: [[0; 7]; 2], side_to_move, move_number: 1 }
    }

    /// Puts a piece on the board while a position is being set up.
    pub(crate) fn place(&mut self, square: Square, color: Color, kind: Kind) {
        self.set(square, Some((color, kind)));
    }

    /// Puts a piece into a hand while a position is being set up.
    pub(crate) fn give(&mut self, color: Color, kind: Kind) {
        let index = kind.hand_index().expect("only the kinds of a hand are given");
        self.hands[color as usize][index] += 1;
    }

    /// The position with one piece of a kind less in hand.
    pub(crate) fn without_held(&self, color: Color, kind: Kind) -> Position {
        let mut next = self.clone();
        let index = kind.hand_index().expect("only the kinds of a hand are held");
        next.hands[color as usize][index] -= 1;
        next
    }

    /// The position with nothing on the square.
    pub(crate) fn without(&self, square: Square) -> Position {
        let mut next = self.clone();
        next.set(square, None);
        next
    }

    pub(crate) fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    pub(crate) fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        self.cells[(square.rank - 1) as usize][(square.file - 1) as usize]
    }

    fn set(&mut self, square: Square, piece: Option<(Color, Kind)>) {
        self.cells[(square.rank - 1) as usize][(square.file - 1) as usize] = piece;
    }

    pub(crate) fn in_hand(&self, color: Color, kind: Kind) -> u8 {
        kind.hand_index().map_or(0, |index| self.hands[color as usize][index])
    }

    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        Square::all().find(|&square| self.piece_at(square) == Some((color, Kind::King)))
    }

    /// Walks along every vector of a piece that stands on `from`; `blocked` says where a walk ends.
    fn walk_finds(
        from: Square,
        color: Color,
        kind: Kind,
        to: Square,
        blocked: impl Fn(Square) -> bool,
    ) -> bool {
        let forward = if color == Color::Black { 1 } else { -1 };
        for &(files, ranks, slides) in kind.vectors() {
            let mut here = from;
            while let Some(next) = here.shifted(files * forward, ranks * forward) {
                if next == to {
                    return true;
                }
                if !slides || blocked(next) {
                    break;
                }
                here = next;
            }
        }
        false
    }

    /// Whether the piece on `from` attacks `to`, whoever stands there.
    fn attacks(&self, from: Square, to: Square) -> bool {
        self.piece_at(from).is_some_and(|(color, kind)| {
            Self::walk_finds(from, color, kind, to, |square| self.piece_at(square).is_some())
        })
    }

    /// The squares from which pieces of `color` attack `square`.
    pub(crate) fn attackers(&self, square: Square, color: Color) -> BTreeSet<Square> {
        Square::all()
            .filter(|&from| self.piece_at(from).is_some_and(|(owner, _)| owner == color))
            .filter(|&from| self.attacks(from, square))
            .collect()
    }

    /// How many pieces of `color` attack `square`.
    pub(crate) fn attack_count(&self, square: Square, color: Color) -> usize {
        self.attackers(square, color).len()
    }

    /// The squares next to the king of `color` that hold no piece of its own and are not attacked.
    pub(crate) fn flights(&self, color: Color) -> BTreeSet<Square> {
        let Some(king) = self.king(color) else { return BTreeSet::new() };
        let around = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
        around
            .filter_map(|(files, ranks)| king.shifted(files, ranks))
            .filter(|&square| self.piece_at(square).is_none_or(|(owner, _)| owner != color))
            .filter(|&square| self.attackers(square, color.opponent()).is_empty())
            .collect()
    }

    /// The squares of the pieces that give check to the king of `color`.
    pub(crate) fn checkers_of(&self, color: Color) -> BTreeSet<Square> {
        self.king(color).map_or_else(BTreeSet::new, |king| self.attackers(king, color.opponent()))
    }

    /// The squares of the pieces that give check to the side to move.
    pub(crate) fn checkers(&self) -> BTreeSet<Square> {
        self.checkers_of(self.side_to_move)
    }

    pub(crate) fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The squares of the pieces of `color` without which one more enemy piece would attack their king.
    pub(crate) fn pinned(&self, color: Color) -> BTreeSet<Square> {
        let before = self.checkers_of(color);
        Square::all()
            .filter(|&square| {
                self.piece_at(square)
                    .is_some_and(|(owner, kind)| owner == color && kind != Kind::King)
            })
            .filter(|&square| !self.without(square).checkers_of(color).is_subset(&before))
            .collect()
    }

    /// Makes the move on a copy and passes the turn, legal or not. A captured king vanishes. A drop
    /// takes from the hand only what is there.
    fn carried_out(&self, mv: Move) -> Position {
        let us = self.side_to_move;
        let mut next = self.clone();
        match mv {
            Move::Board { from, to, promote } => {
                let (owner, kind) = self.piece_at(from).expect("a board move starts on a piece");
                if let Some((_, captured)) = self.piece_at(to)
                    && let Some(index) = captured.unpromoted().hand_index()
                {
                    next.hands[us as usize][index] += 1;
                }
                let kind = if promote { kind.promoted().unwrap_or(kind) } else { kind };
                next.set(from, None);
                next.set(to, Some((owner, kind)));
            }
            Move::Drop { kind, to } => {
                if let Some(index) = kind.hand_index() {
                    let count = &mut next.hands[us as usize][index];
                    *count = count.saturating_sub(1);
                }
                next.set(to, Some((us, kind)));
            }
        }
        next.side_to_move = us.opponent();
        next.move_number += 1;
        next
    }

    /// The position after a legal move.
    pub(crate) fn do_move(&self, mv: Move) -> Position {
        assert_eq!(self.illegality_of(mv), None, "{mv} in {}", self.to_sfen());
        self.carried_out(mv)
    }

    /// Whether `color` has an unpromoted pawn on the file.
    pub(crate) fn has_pawn_on(&self, color: Color, file: i32) -> bool {
        (1..=9).any(|rank| self.piece_at(Square { file, rank }) == Some((color, Kind::Pawn)))
    }

    /// Whether a piece of `kind` on `square` could not move even if the board were empty.
    pub(crate) fn is_dead(color: Color, kind: Kind, square: Square) -> bool {
        !Square::all().any(|to| Self::walk_finds(square, color, kind, to, |_| false))
    }

    /// Whether the move breaks the one rule that `reason` stands for, whatever else it breaks.
    fn breaks(&self, mv: Move, reason: Reason) -> bool {
        match mv {
            Move::Board { from, to, promote } => self.board_move_breaks(from, to, promote, reason),
            Move::Drop { kind, to } => self.drop_breaks(kind, to, reason),
        }
    }

    fn board_move_breaks(&self, from: Square, to: Square, promote: bool, reason: Reason) -> bool {
        let us = self.side_to_move;
        let Some((owner, kind)) = self.piece_at(from) else {
            // Without a piece on the origin, only the rules about the target make sense.
            return match reason {
                Reason::NoPieceThere => true,
                Reason::OwnPieceOnTarget => self.piece_at(to).is_some_and(|(color, _)| color == us),
                _ => false,
            };
        };
        let own_target = self.piece_at(to).is_some_and(|(color, _)| color == us);
        // A walk takes long, and most rules do not ask for it.
        let on_a_vector = || Self::walk_finds(from, owner, kind, to, |_| false);
        match reason {
            Reason::WrongSide => owner != us,
            Reason::OwnPieceOnTarget => own_target,
            Reason::NotAlongVector => !on_a_vector(),
            // The piece would get there on an empty board, but not on this one.
            Reason::LeapsOver => on_a_vector() && !self.attacks(from, to),
            Reason::MustPromote => !promote && Self::is_dead(owner, kind, to),
            Reason::CannotPromote => {
                let touches = from.in_promotion_zone(owner) || to.in_promotion_zone(owner);
                promote && (kind.promoted().is_none() || !touches)
            }
            // Judged only where the mover's own piece can be put on the target, which leaves out
            // the mover's own king as a target.
            Reason::LeavesKingInCheck => {
                owner == us && !own_target && {
                    let next = self.carried_out(Move::Board { from, to, promote });
                    !next.checkers_of(us).is_empty()
                }
            }
            _ => false,
        }
    }

    fn drop_breaks(&self, kind: Kind, to: Square, reason: Reason) -> bool {
        let us = self.side_to_move;
        let occupied = self.piece_at(to).is_some();
        match reason {
            Reason::NotInHand => self.in_hand(us, kind) == 0,
            Reason::OccupiedDrop => occupied,
            Reason::TwoPawns => kind == Kind::Pawn && self.has_pawn_on(us, to.file),
            Reason::DeadPiece => Self::is_dead(us, kind, to),
            // Both king rules are judged only where the piece can be put down.
            Reason::LeavesKingInCheck => {
                !occupied && {
                    let next = self.carried_out(Move::Drop { kind, to });
                    !next.checkers_of(us).is_empty()
                }
            }
            Reason::PawnDropMate => {
                kind == Kind::Pawn && !occupied && {
                    let next = self.carried_out(Move::Drop { kind, to });
                    next.checkers().contains(&to) && !next.has_legal_move()
                }
            }
            _ => false,
        }
    }

    /// Every rule the move breaks, in order of precedence.
    pub(crate) fn violations(&self, mv: Move) -> Vec<Reason> {
        Reason::PRECEDENCE.into_iter().filter(|&reason| self.breaks(mv, reason)).collect()
    }

    /// The rule named for the move, or `None` if the move is legal.
    pub(crate) fn illegality_of(&self, mv: Move) -> Option<Reason> {
        Reason::PRECEDENCE.into_iter().find(|&reason| self.breaks(mv, reason))
    }

    /// The same for a move in text form.
    pub(crate) fn illegality(&self, text: &str) -> Option<Reason> {
        match Move::from_text(text) {
            Ok(mv) => self.illegality_of(mv),
            Err(reason) => Some(reason),
        }
    }

    fn every_legal(&self) -> impl Iterator<Item = Move> {
        Move::every_encodable().filter(|&mv| self.illegality_of(mv).is_none())
    }

    /// All legal moves.
    pub(crate) fn legal_move_list(&self) -> Vec<Move> {
        self.every_legal().collect()
    }

    /// All legal moves as text, sorted.
    pub(crate) fn legal_moves(&self) -> BTreeSet<String> {
        self.every_legal().map(|mv| mv.to_string()).collect()
    }

    pub(crate) fn has_legal_move(&self) -> bool {
        self.every_legal().next().is_some()
    }

    /// Whether the legal move `mv` leaves the opponent in check.
    pub(crate) fn gives_check(&self, mv: Move) -> bool {
        self.carried_out(mv).in_check()
    }

    /// The legal moves that leave the opponent in check and without a legal reply.
    pub(crate) fn mates_in_one(&self) -> BTreeSet<String> {
        self.every_legal()
            .filter(|&mv| {
                let next = self.carried_out(mv);
                next.in_check() && !next.has_legal_move()
            })
            .map(|mv| mv.to_string())
            .collect()
    }

    /// How many sequences of `depth` legal moves there are.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.every_legal().count() as u64,
            _ => self.every_legal().map(|mv| self.carried_out(mv).perft(depth - 1)).sum(),
        }
    }
}
