//! The position: board, hands, owners, promotions, and the possible kinds of every piece.
//!
//! A position is small, and a move may change half of it (every set of both sides). So a move is
//! taken back by restoring a copy made before it.

use tsumero_core::{ByColor, Color, GOLDEN_GAMMA, Square, mix};

use crate::army::{Army, Captured};
use crate::kind_set::KindSet;
use crate::moves::Move;
use crate::piece::PieceId;
use crate::piece_set::PieceSet;

/// A position of quantum shogi with the moves that led to it.
///
/// ```
/// use tsumero_quantum::Position;
///
/// let mut position = Position::startpos();
/// for text in ["7g7f", "3c3d", "8h4d"] {
///     position.play(position.parse_move(text)?)?;
/// }
/// // Piece J has moved four squares diagonally. It is the bishop.
/// let piece = position.piece_at("4d".parse()?).unwrap();
/// assert_eq!((piece.to_string(), position.kinds(piece).to_string()), ("J".into(), "B".into()));
/// // The text form reads back as the same position. The history is not part of it.
/// let read: Position = position.to_string().parse()?;
/// assert!(read.is_same_as(&position) && read.moves().len() == 0);
/// assert_eq!(position.undo(), Some("8h4d".parse()?));
/// assert_eq!(position.kinds(piece).to_string(), "PLNSGBRK");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    state: State,
    /// What was before each move made here.
    past: Vec<Past>,
}

/// A state that was left by a move.
#[derive(Clone, Copy, Debug)]
struct Past {
    state: State,
    /// The move that was played; `None` for a null move.
    played: Option<Move>,
}

/// Everything a move changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// By `Square::dense_index`.
    cells: [Option<PieceId>; 81],
    /// Where each piece stands, by `Square::dense_index`; `IN_HAND` for none.
    places: [u8; PieceId::COUNT],
    hands: ByColor<Hand>,
    armies: ByColor<Army>,
    /// The pieces that each color owns.
    owned: ByColor<PieceSet>,
    promoted: PieceSet,
    /// The part of the key for the places of the pieces. The sets are added on request.
    placement_key: u64,
    ply: u32,
    side_to_move: Color,
    winner: Option<Color>,
}

/// The value in `places` of a piece that is not on the board.
const IN_HAND: u8 = u8::MAX;

/// The pieces in a hand in the order in which they were captured.
#[derive(Clone, Copy, Debug)]
struct Hand {
    pieces: [Option<PieceId>; PieceId::COUNT],
    len: u8,
}

impl Hand {
    const EMPTY: Hand = Hand { pieces: [None; PieceId::COUNT], len: 0 };

    fn iter(&self) -> impl ExactSizeIterator<Item = &PieceId> {
        // Invariant: the first `len` entries are pieces.
        self.pieces[..usize::from(self.len)].iter().map(|piece| match piece {
            Some(piece) => piece,
            None => unreachable!("the hand is filled from its start"),
        })
    }

    fn push(&mut self, piece: PieceId) {
        self.pieces[usize::from(self.len)] = Some(piece);
        self.len += 1;
    }

    fn remove(&mut self, piece: PieceId) {
        let end = usize::from(self.len);
        if let Some(place) = self.pieces[..end].iter().position(|&held| held == Some(piece)) {
            self.pieces.copy_within(place + 1..end, place);
            self.pieces[end - 1] = None;
            self.len -= 1;
        }
    }
}

/// The part of the key that says that White is to move.
const SIDE_KEY: u64 = mix(0x5eed);

/// The part of the key for a piece at a place, for each owner and promotion.
#[inline]
fn piece_key(piece: PieceId, place: u8, owner: Color, promoted: bool) -> u64 {
    let facts = piece.number() | usize::from(place) << 8 | owner.index() << 16;
    mix((facts as u64 | u64::from(promoted) << 17).wrapping_add(GOLDEN_GAMMA))
}

impl State {
    /// A state without pieces. Each piece must then be placed once.
    pub(crate) fn empty(armies: ByColor<Army>, side_to_move: Color, ply: u32) -> State {
        State {
            cells: [None; 81],
            places: [IN_HAND; PieceId::COUNT],
            hands: ByColor([Hand::EMPTY; 2]),
            armies,
            owned: ByColor([PieceSet::EMPTY; 2]),
            promoted: PieceSet::EMPTY,
            placement_key: 0,
            ply,
            side_to_move,
            winner: None,
        }
    }

    /// The only function that puts a piece on a square.
    pub(crate) fn put_on_board(
        &mut self,
        piece: PieceId,
        square: Square,
        owner: Color,
        promoted: bool,
    ) {
        let place = square.dense_index();
        self.cells[place] = Some(piece);
        self.places[piece.number()] = place as u8;
        self.owned[owner].insert(piece);
        if promoted {
            self.promoted.insert(piece);
        }
        self.placement_key ^= piece_key(piece, place as u8, owner, promoted);
    }

    /// The only function that removes a piece from its square.
    fn take_from_board(&mut self, piece: PieceId) {
        let place = self.places[piece.number()];
        let owner = self.owner(piece);
        let promoted = self.promoted.contains(piece);
        self.placement_key ^= piece_key(piece, place, owner, promoted);
        self.cells[usize::from(place)] = None;
        self.places[piece.number()] = IN_HAND;
        self.owned[owner].remove(piece);
        self.promoted.remove(piece);
    }

    /// The only function that puts a piece into a hand.
    pub(crate) fn put_in_hand(&mut self, piece: PieceId, owner: Color) {
        self.hands[owner].push(piece);
        self.owned[owner].insert(piece);
        self.placement_key ^= piece_key(piece, IN_HAND, owner, false);
    }

    /// The only function that removes a piece from a hand.
    fn take_from_hand(&mut self, piece: PieceId, owner: Color) {
        self.hands[owner].remove(piece);
        self.owned[owner].remove(piece);
        self.placement_key ^= piece_key(piece, IN_HAND, owner, false);
    }

    fn owner(&self, piece: PieceId) -> Color {
        if self.owned[Color::Black].contains(piece) { Color::Black } else { Color::White }
    }

    fn kinds(&self, piece: PieceId) -> KindSet {
        self.armies[piece.side()].sets()[piece.index()]
    }

    pub(crate) fn set_winner(&mut self, winner: Color) {
        self.winner = Some(winner);
    }

    /// See [`Position::key`].
    fn key(&self) -> u64 {
        let mut key = self.placement_key;
        for army in &self.armies.0 {
            let sets = army.sets();
            let mut words = [0u64; 3];
            for (index, set) in sets.iter().enumerate() {
                words[index / 8] |= u64::from(set.bits()) << (index % 8 * 8);
            }
            for word in words {
                key = mix(key ^ word).wrapping_add(GOLDEN_GAMMA);
            }
        }
        match self.side_to_move {
            Color::Black => key,
            Color::White => key ^ SIDE_KEY,
        }
    }

    fn narrow(&mut self, piece: PieceId, allowed: KindSet) {
        self.armies[piece.side()]
            .narrow(piece.index(), allowed)
            .expect("a legal move leaves its piece a kind");
    }

    fn play(&mut self, mv: Move, left: KindSet) {
        let us = self.side_to_move;
        match mv {
            Move::Board { from, to, promotes } => {
                let mover = self.cells[from.dense_index()].expect("a legal move moves a piece");
                let promoted = self.promoted.contains(mover);
                let captured = self.cells[to.dense_index()];
                // The order matters: the mover's side converges first. Only then is it tested
                // whether the captured piece can be anything but the king.
                self.narrow(mover, left);
                if let Some(captured) = captured {
                    let army = &mut self.armies[captured.side()];
                    if army.capture(captured.index()) == Captured::King {
                        self.winner = Some(us);
                    }
                    self.take_from_board(captured);
                    self.put_in_hand(captured, us);
                }
                self.take_from_board(mover);
                self.put_on_board(mover, to, us, promoted || promotes);
            }
            Move::Drop { piece, to } => {
                self.narrow(piece, left);
                self.take_from_hand(piece, us);
                self.put_on_board(piece, to, us, false);
            }
        }
        self.side_to_move = !us;
        self.ply = self.ply.saturating_add(1);
    }
}

impl Default for Position {
    /// The starting position.
    fn default() -> Position {
        Position::startpos()
    }
}

impl Position {
    /// The starting position.
    pub fn startpos() -> Position {
        let mut state = State::empty(ByColor([Army::new(); 2]), Color::Black, 1);
        for piece in PieceId::all() {
            // As each side sees it: the last rank from the left, the squares of bishop and rook,
            // and the pawns' rank from the left.
            let index = piece.index();
            let (file, rank) = match index {
                0..=8 => (8 - index, 8),
                9 => (7, 7),
                10 => (1, 7),
                _ => (8 - (index - 11), 6),
            };
            let square = Square::from_dense_index(file * 9 + rank)
                .expect("files and ranks are below 9")
                .relative_to(piece.side());
            state.put_on_board(piece, square, piece.side(), false);
        }
        Position::from_state(state)
    }

    pub(crate) fn from_state(state: State) -> Position {
        Position { state, past: Vec::new() }
    }

    /// The player who moves next, or would if the game were not over.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    /// The number of the next move of the game, from 1.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.state.ply
    }

    /// Who captured the king, if a king was captured.
    #[inline]
    pub fn winner(&self) -> Option<Color> {
        self.state.winner
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<PieceId> {
        self.state.cells[square.dense_index()]
    }

    #[inline]
    pub(crate) fn cells(&self) -> &[Option<PieceId>; 81] {
        &self.state.cells
    }

    /// Where a piece stands; `None` for a piece in hand.
    #[inline]
    pub fn square_of(&self, piece: PieceId) -> Option<Square> {
        Square::from_dense_index(usize::from(self.state.places[piece.number()]))
    }

    /// The owner of a piece, who may move or drop it.
    #[inline]
    pub fn owner(&self, piece: PieceId) -> Color {
        self.state.owner(piece)
    }

    /// The pieces that a color owns.
    #[inline]
    pub(crate) fn owned_by(&self, color: Color) -> PieceSet {
        self.state.owned[color]
    }

    /// Whether a piece is promoted.
    #[inline]
    pub fn is_promoted(&self, piece: PieceId) -> bool {
        self.state.promoted.contains(piece)
    }

    /// The kinds that a piece can be.
    #[inline]
    pub fn kinds(&self, piece: PieceId) -> KindSet {
        self.state.kinds(piece)
    }

    /// The pieces that started on a color's side.
    #[inline]
    pub fn army(&self, color: Color) -> &Army {
        &self.state.armies[color]
    }

    /// The pieces in a color's hand, in the order in which they were captured.
    pub fn hand(&self, color: Color) -> Vec<PieceId> {
        self.hand_iter(color).copied().collect()
    }

    #[inline]
    pub(crate) fn hand_iter(&self, color: Color) -> impl ExactSizeIterator<Item = &PieceId> {
        self.state.hands[color].iter()
    }

    /// A hash key: equal for equal positions, and almost certainly different for others. It covers
    /// the place, owner, promotion and kinds of every piece, and the side to move. The move number
    /// and the order of the hands do not count.
    pub fn key(&self) -> u64 {
        self.state.key()
    }

    /// Whether the other position is the same: the same pieces at the same places with the same
    /// owners, promotions and kinds, and the same side to move. Move number, order of the hands and
    /// history do not count.
    pub fn is_same_as(&self, other: &Position) -> bool {
        same(&self.state, &other.state)
    }

    /// How often this position has occurred since the first known position, the current occurrence
    /// included.
    pub fn occurrences(&self) -> usize {
        1 + self.past.iter().rev().filter(|past| same(&past.state, &self.state)).count()
    }

    /// The moves made here, first to last. They can be taken back.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.past.iter().map(|past| past.played.expect("only a search passes the turn"))
    }

    /// The last move made here; `None` if there was none.
    pub fn last_move(&self) -> Option<Move> {
        self.past.last()?.played
    }

    /// The position without its history.
    pub fn without_past(&self) -> Position {
        Position::from_state(self.state)
    }

    /// Changes the position by a legal move that leaves its piece the given kinds.
    #[inline]
    pub(crate) fn advance(&mut self, mv: Move, left: KindSet) {
        self.past.push(Past { state: self.state, played: Some(mv) });
        self.state.play(mv, left);
    }

    /// Makes a null move: the side to move passes. No rule allows it, but the search uses it.
    pub(crate) fn do_null_move(&mut self) {
        self.past.push(Past { state: self.state, played: None });
        self.state.side_to_move = !self.state.side_to_move;
    }

    /// The key of the same position with the other side to move.
    pub(crate) fn key_of_other_side(key: u64) -> u64 {
        key ^ SIDE_KEY
    }

    /// The keys of the positions before this one, oldest first.
    pub(crate) fn past_keys(&self) -> Vec<u64> {
        self.past.iter().map(|past| past.state.key()).collect()
    }

    /// Takes back the last move and returns it. If no move was made here, there is none.
    #[inline]
    pub fn undo(&mut self) -> Option<Move> {
        let past = self.past.pop()?;
        self.state = past.state;
        past.played
    }
}

/// See [`Position::is_same_as`].
fn same(a: &State, b: &State) -> bool {
    a.placement_key == b.placement_key
        && a.side_to_move == b.side_to_move
        && a.cells == b.cells
        && a.owned == b.owned
        && a.promoted == b.promoted
        && a.armies == b.armies
}
