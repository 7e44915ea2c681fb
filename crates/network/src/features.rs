//! The inputs: which of them are active in a position, and which a move changes.
//!
//! A position is described from two views, one for each color. The inputs of a view are numbered as
//! in K-P: 1548 inputs for pieces, then 81 for the viewer's own king and 81 for the other king. Some
//! kinds have these inputs once for each square of the viewer's own king, or number the kings in
//! another way. Only the number of an input's row depends on that: [`View::row`].

use tsumero_core::{ByColor, Color, Hand, Move, Piece, PieceKind, Position, Square};

use crate::kind::{
    FIRST_ON_BOARD, Kind, Kings, OTHER_KING, OWN_KING, OwnKing, PIECES, SQUARES, ZONE, ZONES,
    mirrored_square,
};

/// Number of inputs in the numbering of K-P.
const KP_INPUTS: usize = Kind::Kp.inputs();
/// The square on which a missing king of a mate problem is assumed to stand, as its owner sees it:
/// 5i.
const HOME: usize = 44;

/// The first input of each piece on the board, by view and piece.
const ON_BOARD: [[u16; Piece::COUNT]; 2] = {
    let mut table = [[0; Piece::COUNT]; 2];
    let mut view = 0;
    while view < 2 {
        let mut number = 0;
        while number < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[number];
            // Each kind has a block for either side.
            let block = match kind {
                PieceKind::Pawn => 0,
                PieceKind::Lance => 1,
                PieceKind::Knight => 2,
                PieceKind::Silver => 3,
                PieceKind::Gold
                | PieceKind::Tokin
                | PieceKind::PromotedLance
                | PieceKind::PromotedKnight
                | PieceKind::PromotedSilver => 4,
                PieceKind::Bishop => 5,
                PieceKind::Horse => 6,
                PieceKind::Rook => 7,
                PieceKind::Dragon => 8,
                PieceKind::King => 9,
            };
            let friend = FIRST_ON_BOARD + block * 2 * SQUARES as u16;
            let (viewer, other) = (Color::ALL[view], Color::ALL[1 - view]);
            table[view][Piece::new(viewer, kind).index()] = friend;
            table[view][Piece::new(other, kind).index()] = friend + SQUARES as u16;
            number += 1;
        }
        view += 1;
    }
    table
};
const _: () = assert!(ON_BOARD[0][Piece::new(Color::White, PieceKind::King).index()] == OTHER_KING);

/// The first input of each kind in hand: the viewer's, and the other's.
const IN_HAND: [[u16; 8]; 2] = [[0, 1, 39, 49, 59, 69, 79, 85], [0, 20, 44, 54, 64, 74, 82, 88]];

const fn in_place() -> [u16; KP_INPUTS] {
    let mut table = [0; KP_INPUTS];
    let mut input = 0;
    while input < KP_INPUTS {
        table[input] = input as u16;
        input += 1;
    }
    table
}

/// For every input of K-P, its equivalent in the other side's view of the same position.
///
/// ```
/// use tsumero_network::KP_TURNED;
/// // A pawn of one's own on 7g (square 60), and the other side's on the square that it sees as 7g.
/// assert_eq!(KP_TURNED[90 + 60], 171 + 80 - 60);
/// ```
pub static KP_TURNED: [u16; KP_INPUTS] = {
    let mut table = in_place();
    let mut kind = PieceKind::Pawn.index();
    while kind <= PieceKind::Rook.index() {
        let mut count = 0;
        while count < Hand::limit(PieceKind::ALL[kind - 1]) as u16 {
            let [own, other] = [IN_HAND[0][kind] + count, IN_HAND[1][kind] + count];
            (table[own as usize], table[other as usize]) = (other, own);
            count += 1;
        }
        kind += 1;
    }
    let mut input = FIRST_ON_BOARD as usize;
    while input < KP_INPUTS {
        let on_board = input - FIRST_ON_BOARD as usize;
        let (block, square) = (on_board / SQUARES, on_board % SQUARES);
        table[input] = FIRST_ON_BOARD + (SQUARES * (block ^ 1) + SQUARES - 1 - square) as u16;
        input += 1;
    }
    table
};

/// For every input of K-P, its equivalent on the board with left and right exchanged.
///
/// ```
/// use tsumero_network::KP_MIRRORED;
/// // A pawn on 7g (square 60) and on 3g (square 24).
/// assert_eq!(KP_MIRRORED[90 + 60], 90 + 24);
/// ```
pub static KP_MIRRORED: [u16; KP_INPUTS] = {
    let mut table = in_place();
    let mut input = FIRST_ON_BOARD as usize;
    while input < KP_INPUTS {
        let on_board = input - FIRST_ON_BOARD as usize;
        let (block, square) = (on_board / SQUARES, on_board % SQUARES);
        table[input] = FIRST_ON_BOARD + (SQUARES * block + mirrored_square(square)) as u16;
        input += 1;
    }
    table
};

/// The number of each square, by [`Square::index`], as each color sees it.
static SEEN: [[u8; Square::CELLS]; 2] = {
    let mut table = [[0; Square::CELLS]; 2];
    let mut number = 0;
    while let Some(square) = Square::from_dense_index(number) {
        table[Color::Black.index()][square.index()] = number as u8;
        table[Color::White.index()][square.index()] = (SQUARES - 1 - number) as u8;
        number += 1;
    }
    table
};

/// The number of a square as a color sees it.
#[inline]
fn seen(color: Color, square: Square) -> usize {
    SEEN[color.index()][square.index()].into()
}

/// The king's square as its owner sees it; the home square if there is no king.
#[inline]
pub(crate) fn king_seen(owner: Color, king: Option<Square>) -> usize {
    king.map_or(HOME, |square| seen(owner, square))
}

/// A color's view of the board, for one kind of inputs and one square of the own king.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    color: Color,
    /// Whether left and right are exchanged.
    mirrored: bool,
    /// The row of input 0.
    first_row: usize,
    /// What is taken away from the inputs of the other king to have their rows: 81 where both kings
    /// share a block.
    merged: u16,
    /// What of the own king makes a view another one: its square as it is seen, without the mirror,
    /// or its zone; 0 where it does not matter.
    place: usize,
}

/// Number of values of [`View::place`].
pub(crate) const fn places(kind: Kind) -> usize {
    match kind.own_king() {
        OwnKing::Ignored => 1,
        OwnKing::Square | OwnKing::Mirrored => SQUARES,
        OwnKing::Zone => ZONES,
    }
}

/// The [`View::place`] of a square of the own king, as its owner sees it.
#[inline]
fn place(kind: Kind, square: usize) -> usize {
    match kind.own_king() {
        OwnKing::Ignored => 0,
        OwnKing::Square | OwnKing::Mirrored => square,
        OwnKing::Zone => usize::from(ZONE[square]),
    }
}

impl View {
    /// The king is read only if it matters, because reading it makes the position compute its board.
    #[inline]
    pub(crate) fn new(kind: Kind, color: Color, king: impl FnOnce() -> Option<Square>) -> View {
        if kind.own_king() == OwnKing::Ignored {
            return View { color, mirrored: false, first_row: 0, merged: 0, place: 0 };
        }
        let square = king_seen(color, king());
        let (place, part) = (place(kind, square), kind.part(square));
        let mirrored = part != square && kind.own_king() == OwnKing::Mirrored;
        let merged = if kind.kings() == Kings::Merged { SQUARES as u16 } else { 0 };
        View { color, mirrored, first_row: part * kind.inputs_of_part(), merged, place }
    }

    /// Where a cache of sums keeps those of this view.
    #[inline]
    pub(crate) fn place(self) -> usize {
        self.place
    }

    /// The index of the network's row for an input.
    #[inline]
    pub(crate) fn row(self, input: u16) -> usize {
        let merged = if input >= OTHER_KING { self.merged } else { 0 };
        self.first_row + usize::from(input - merged)
    }

    /// The number of a square, mirrored if the view is.
    #[inline]
    fn square(self, square: Square) -> u16 {
        let square = seen(self.color, square);
        (if self.mirrored { mirrored_square(square) } else { square }) as u16
    }

    /// The input of a piece on the board.
    #[inline]
    pub(crate) fn on_board(self, piece: Piece, square: Square) -> u16 {
        ON_BOARD[self.color.index()][piece.index()] + self.square(square)
    }

    /// The input of the `count`th piece of a kind in a hand; `count` is at least 1.
    #[inline]
    pub(crate) fn in_hand(self, owner: Color, kind: PieceKind, count: u16) -> u16 {
        debug_assert!(count > 0);
        IN_HAND[usize::from(self.color != owner)][kind.index() & 7] + count - 1
    }
}

/// The inputs of the viewer's king and of the other one.
pub(crate) fn king_inputs(view: View, kings: ByColor<Option<Square>>) -> [u16; 2] {
    let own = king_seen(view.color, kings[view.color]);
    let other = SQUARES - 1 - king_seen(!view.color, kings[!view.color]);
    let [own, other] =
        [own, other].map(|s| if view.mirrored { mirrored_square(s) } else { s } as u16);
    [OWN_KING + own, OTHER_KING + other]
}

/// The active inputs of a position in one view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InputSet {
    bits: [u64; KP_INPUTS.div_ceil(64)],
    /// How often input 0 counts: once for each missing piece.
    missing: u32,
}

/// The pieces of a position, even of one that the rules do not allow.
#[derive(Clone)]
pub(crate) struct Pieces<I> {
    pub(crate) on_board: I,
    pub(crate) hands: ByColor<Hand>,
}

impl InputSet {
    /// No inputs.
    pub(crate) const EMPTY: InputSet = InputSet { bits: [0; KP_INPUTS.div_ceil(64)], missing: 0 };

    /// The active inputs of a position. Kings are inputs of some kinds only.
    pub(crate) fn of(kind: Kind, view: View, position: &Position) -> InputSet {
        let hands = ByColor(Color::ALL.map(|owner| position.hand(owner)));
        InputSet::new(kind, view, Pieces { on_board: position.pieces(), hands })
    }

    /// The active inputs of pieces on the board and in hand.
    pub(crate) fn new(
        kind: Kind,
        view: View,
        pieces: Pieces<impl Iterator<Item = (Square, Piece)>>,
    ) -> InputSet {
        let mut set = InputSet::EMPTY;
        let mut kings = ByColor([None; 2]);
        let mut count = 0;
        for (square, piece) in pieces.on_board {
            if piece.kind() == PieceKind::King {
                kings[piece.color()] = Some(square);
            } else {
                set.insert(view.on_board(piece, square));
                count += 1;
            }
        }
        for owner in Color::ALL {
            for (kind, held) in pieces.hands[owner].iter() {
                for number in 1..=held {
                    set.insert(view.in_hand(owner, kind, number as u16));
                }
                count += held;
            }
        }
        set.missing = (PIECES as u32).saturating_sub(count);
        if kind.kings() != Kings::None {
            king_inputs(view, kings).into_iter().for_each(|input| set.insert(input));
        }
        set
    }

    #[inline]
    fn insert(&mut self, input: u16) {
        self.bits[usize::from(input / 64)] |= 1 << (input % 64);
    }

    /// Calls back with each input, as often as it counts.
    #[inline]
    pub(crate) fn for_each(&self, mut call: impl FnMut(u16)) {
        for _ in 0..self.missing {
            call(0);
        }
        for (number, &bits) in self.bits.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                call(number as u16 * 64 + bits.trailing_zeros() as u16);
                bits &= bits - 1;
            }
        }
    }
}

impl Kind {
    /// Appends the active inputs of a position in a color's view, each as often as it counts:
    /// [`Kind::active`] of them, the kings last.
    ///
    /// ```
    /// use tsumero_core::{Color, Position};
    /// let mut inputs = Vec::new();
    /// tsumero_network::Kind::Kp.active_inputs(Color::White, &Position::startpos(), &mut inputs);
    /// assert_eq!((inputs.len(), inputs.iter().sum()), (40, 20_104));
    /// ```
    pub fn active_inputs(self, color: Color, position: &Position, inputs: &mut Vec<usize>) {
        let view = View::new(self, color, || position.king(color));
        InputSet::of(self, view, position).for_each(|input| match self.kings() {
            Kings::Twice if input >= OWN_KING => inputs.extend(twice(usize::from(input))),
            _ => inputs.push(view.row(input)),
        });
    }
}

/// The two inputs that K+A2 has for an input of a king in K-P: the one of the shared block, and the
/// one of the king's own block.
pub(crate) const fn twice(input: usize) -> [usize; 2] {
    let (own, other) = (OWN_KING as usize, OTHER_KING as usize);
    let shared = if input < other { input } else { input - other + own };
    [shared, input + SQUARES]
}

/// A move or a null move, with everything that determines the change of inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply {
    mv: Option<Move>,
    /// The number of pieces in the mover's hand before the move, of the kind that the move adds or
    /// removes.
    held: u16,
}

/// The change of inputs in one view. As many inputs are removed as added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// Number of removed inputs, and of added ones; at most two.
    pub(crate) count: usize,
    /// The removed inputs.
    pub(crate) removed: [u16; 2],
    /// The added inputs.
    pub(crate) added: [u16; 2],
}

impl Change {
    #[inline]
    fn push(&mut self, removed: u16, added: u16) {
        self.removed[self.count & 1] = removed;
        self.added[self.count & 1] = added;
        self.count += 1;
    }
}

impl Ply {
    /// A null move.
    pub(crate) const NULL: Ply = Ply { mv: None, held: 0 };

    /// A move that is about to be made in a position.
    #[inline]
    pub(crate) fn new(position: &Position, mv: Move) -> Ply {
        let kind = match mv.captured() {
            Some(captured) => captured.unpromoted(),
            None => mv.kind(),
        };
        Ply { mv: Some(mv), held: position.hand(mv.color()).count(kind) as u16 }
    }

    /// Whether the ply changes the [`View`] of a color, so that all inputs must be looked at.
    #[inline]
    pub(crate) fn changes_view(self, kind: Kind, color: Color) -> bool {
        kind.own_king() != OwnKing::Ignored
            && self.mv.is_some_and(|mv| {
                let place_of = |square| place(kind, seen(color, square));
                mv.piece() == Piece::new(color, PieceKind::King)
                    && mv.from().map(place_of) != Some(place_of(mv.to()))
            })
    }

    /// The change of inputs in a view that stays the same.
    #[inline]
    pub(crate) fn change(self, kind: Kind, view: View) -> Change {
        let mut change = Change { count: 0, removed: [0; 2], added: [0; 2] };
        let Some(mv) = self.mv else { return change };
        let (us, to) = (mv.color(), mv.to());
        match mv.from() {
            None => {
                let held = view.in_hand(us, mv.kind(), self.held);
                change.push(held, view.on_board(mv.piece(), to));
            }
            Some(from) => {
                if mv.kind() != PieceKind::King || kind.kings() != Kings::None {
                    let arrives = view.on_board(mv.piece_after(), to);
                    change.push(view.on_board(mv.piece(), from), arrives);
                }
                if let Some(captured) = mv.captured() {
                    let held = view.in_hand(us, captured.unpromoted(), self.held + 1);
                    change.push(view.on_board(Piece::new(!us, captured), to), held);
                }
            }
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares sums of all input numbers with the published ones.
    #[test]
    fn the_numbers_are_those_of_the_format() {
        let sum = |kind: Kind, view, position: &Position| {
            let mut inputs = Vec::new();
            kind.active_inputs(view, position, &mut inputs);
            inputs.iter().sum::<usize>()
        };
        let start = Position::startpos();
        for view in Color::ALL {
            assert_eq!(sum(Kind::HalfKp, view, &start), 2_605_103);
            assert_eq!(sum(Kind::Kp, view, &start), 20_104);
        }
        let sfen =
            "l2G+Np3/3r5/8l/pk1PL1gp1/1NP1NP1P1/Pn1S2P1G/B1Bgp2+r+s/L1pSS1+p2/4K3+p b 2P3p 203";
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(sum(Kind::HalfKp, Color::Black, &position), 2_606_194);
        assert_eq!(sum(Kind::HalfKp, Color::White, &position), 841_588);
        assert_eq!(sum(Kind::Kp, Color::Black, &position), 21_225);
        assert_eq!(sum(Kind::Kp, Color::White, &position), 21_279);
    }

    #[test]
    fn no_two_pieces_share_an_input_and_none_is_out_of_range() {
        for color in Color::ALL {
            let view = View::new(Kind::Kp, color, || None);
            let mut seen_inputs = std::collections::HashSet::new();
            for kind in PieceKind::ALL {
                // Promoted pieces that move like a gold share its inputs.
                if kind.unpromoted() != kind
                    && !matches!(kind, PieceKind::Horse | PieceKind::Dragon)
                {
                    continue;
                }
                for owner in Color::ALL {
                    for square in Square::all() {
                        let piece = Piece::new(owner, kind);
                        assert!(seen_inputs.insert(view.on_board(piece, square)));
                    }
                    for count in 1..=tsumero_core::Hand::limit(kind) as u16 {
                        assert!(seen_inputs.insert(view.in_hand(owner, kind, count)));
                    }
                }
            }
            assert!(!seen_inputs.contains(&0));
            assert!(seen_inputs.iter().all(|&input| usize::from(input) < KP_INPUTS));
            assert_eq!(seen_inputs.len(), 2 * 81 * 10 + 2 * 38);
        }
    }
}
