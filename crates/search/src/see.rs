//! Static exchange evaluation: which side wins the exchange of pieces on the target of a move.
//!
//! The rules of the exchange: after the move the sides take turns capturing on the target square,
//! each with its least valuable attacker, and either may stop at any time. A slider that stood
//! behind a piece takes part once that piece has moved. The king captures only if it cannot be
//! captured there. Pins and promotions during the exchange are ignored.

use tsumero_core::{Color, Direction, DirectionSet, Move, Piece, PieceKind, Position, Square};

use crate::evaluate::{capture_gain, exchange_value};

/// The kind of a piece that can capture on the target, and the padded index of its square. It is small,
/// because there is a place for one in each direction.
#[derive(Clone, Copy)]
struct Attacker {
    kind: PieceKind,
    index: u8,
}

const _: () = assert!(Square::CELLS <= 1 + u8::MAX as usize);

/// The pieces that see the target, at most one in each direction; directions lead from the
/// target to the piece.
struct Attackers<'a> {
    position: &'a Position,
    cells: &'a [u8; Square::CELLS],
    target: Square,
    /// The origin of the first move of the exchange, which is empty now.
    from: Option<Square>,
    /// The nearest attacker in each direction of `sets`.
    nearest: [Attacker; 12],
    /// The directions in which pieces of each color see the target.
    sets: [DirectionSet; 2],
}

impl<'a> Attackers<'a> {
    /// No attackers, until [`Attackers::load`] is called.
    #[inline]
    fn new(position: &'a Position, mv: Move) -> Attackers<'a> {
        Attackers {
            position,
            cells: position.cells(),
            target: mv.to(),
            from: mv.from(),
            nearest: [Attacker { kind: PieceKind::King, index: 0 }; 12],
            sets: [DirectionSet::EMPTY; 2],
        }
    }

    /// Reads a color's attackers from the attack maps of the position before the first move.
    #[inline(always)]
    fn load(&mut self, color: Color) {
        let map = self.position.attacks();
        let target = self.target.index();
        for direction in map.steps(color, self.target) {
            let outward = direction.opposite();
            self.put(color, outward, target.wrapping_add_signed(outward.offset().into()));
        }
        for direction in map.slides(color, self.target) {
            let outward = direction.opposite();
            self.put(color, outward, self.first_piece(target, outward));
        }
        let Some(from) = self.from else { return };
        // A slider behind the first mover, on the same line, now sees the target.
        let slides = map.slides(color, from);
        if !slides.is_empty()
            && let Some(line) = tsumero_core::line_direction(from, self.target)
            && slides.contains(line)
        {
            let outward = line.opposite();
            self.put(color, outward, self.first_piece(from.index(), outward));
        }
    }

    /// Adds the piece on a square, unless it is the one that has left.
    #[inline]
    fn put(&mut self, color: Color, outward: Direction, index: usize) {
        if self.from.is_some_and(|from| from.index() == index) {
            return;
        }
        if let Some(piece) = Piece::from_cell(self.cells[index]) {
            self.nearest[outward.index()] = Attacker { kind: piece.kind(), index: index as u8 };
            let set = &mut self.sets[color.index()];
            *set = set.with(outward);
        }
    }

    /// The padded index of the first cell in a direction that is not empty: a piece or margin.
    #[inline]
    fn first_piece(&self, from: usize, outward: Direction) -> usize {
        let step = isize::from(outward.offset());
        let mut index = from.wrapping_add_signed(step);
        while self.cells[index] == 0 {
            index = index.wrapping_add_signed(step);
        }
        index
    }

    /// Removes the nearest piece in a direction. A slider behind it takes its place.
    #[inline]
    fn remove(&mut self, color: Color, outward: Direction) {
        let set = &mut self.sets[color.index()];
        *set = set.without(outward);
        if outward.is_jump() {
            return;
        }
        let behind = self.first_piece(self.nearest[outward.index()].index.into(), outward);
        if let Some(piece) = Piece::from_cell(self.cells[behind])
            && tsumero_core::slides(piece).contains(outward.opposite())
        {
            self.put(piece.color(), outward, behind);
        }
    }

    /// The least valuable attacker of a color, with its direction.
    #[inline]
    fn least_valuable(&self, color: Color) -> Option<(Direction, PieceKind)> {
        self.sets[color.index()]
            .into_iter()
            .map(|outward| (outward, self.nearest[outward.index()].kind))
            .min_by_key(|&(_, kind)| order(kind))
    }

    fn any(&self, color: Color) -> bool {
        !self.sets[color.index()].is_empty()
    }
}

/// The order of kinds for the choice of the least valuable attacker. The king comes last.
#[inline]
fn order(kind: PieceKind) -> i32 {
    if kind == PieceKind::King { i32::MAX } else { exchange_value(kind) }
}

/// Whether the exchange that a legal move begins wins at least `threshold` for the mover, in units
/// of the evaluation. A captured piece counts twice: one side loses it, the other gains it.
pub(crate) fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    #[cfg(test)]
    asked::note(position, mv, threshold);
    let mut victim = mv.piece_after().kind();
    // How far `winner` is above its goal if the exchange ends now. The mover's goal is `threshold`
    // or more, the opponent's is less than that: hence the 1 in `after_capture`.
    let mut surplus = capture_gain(mv) - threshold;
    if surplus < 0 {
        return false;
    }
    let after_capture = |victim, surplus: i32| exchange_value(victim) - surplus - 1;
    // A king that has just moved cannot be captured, because the move is legal.
    if victim == PieceKind::King || after_capture(victim, surplus) < 0 {
        return true;
    }

    let (us, them) = (mv.color(), !mv.color());
    let mut attackers = Attackers::new(position, mv);
    attackers.load(them);
    if !attackers.any(them) {
        return true;
    }
    // Often the cheapest capture decides, and the next attackers are not needed.
    if let Some((_, kind)) = attackers.least_valuable(them)
        && kind != PieceKind::King
        && after_capture(kind, after_capture(victim, surplus)) < 0
    {
        return false;
    }
    attackers.load(us);
    let mut winner = us;
    while let Some((outward, kind)) = attackers.least_valuable(!winner) {
        let gained = after_capture(victim, surplus);
        if gained < 0 || kind == PieceKind::King && attackers.any(winner) {
            break;
        }
        attackers.remove(!winner, outward);
        (winner, surplus, victim) = (!winner, gained, kind);
        if kind == PieceKind::King {
            break;
        }
    }
    winner == us
}

/// The exchanges asked for in this thread, so that a test can see that none is computed twice.
#[cfg(test)]
pub(crate) mod asked {
    use super::*;
    use std::cell::RefCell;

    /// The key of the position, the move and the threshold.
    type Question = (u64, Move, i32);

    thread_local! {
        static ASKED: RefCell<Vec<Question>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn note(position: &Position, mv: Move, threshold: i32) {
        ASKED.with_borrow_mut(|asked| asked.push((position.key(), mv, threshold)));
    }

    /// The questions since the last call, in their order.
    pub(crate) fn take() -> Vec<Question> {
        ASKED.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::board_value;
    use crate::testing::random_games;
    use std::collections::HashMap;
    use tsumero_core::vectors;

    /// A board as a plain map: the oracle shares no code with the attack maps.
    type Board = HashMap<(i8, i8), Piece>;

    fn coordinates(square: Square) -> (i8, i8) {
        (square.file().index() as i8, square.rank().index() as i8)
    }

    /// All squares from which a piece of the color attacks the target.
    fn attackers(board: &Board, color: Color, target: (i8, i8)) -> Vec<(i8, i8)> {
        let mut found = Vec::new();
        for (&from, &piece) in board {
            if piece.color() != color {
                continue;
            }
            let turn = if color == Color::Black { 1 } else { -1 };
            for vector in vectors(piece.kind()) {
                let (mut x, mut y) = from;
                loop {
                    (x, y) = (x + turn * vector.dx, y + turn * vector.dy);
                    let inside = (0..9).contains(&x) && (0..9).contains(&y);
                    if inside && (x, y) == target {
                        found.push(from);
                    }
                    if !inside || !vector.slides || board.contains_key(&(x, y)) {
                        break;
                    }
                }
            }
        }
        found
    }

    /// The gain of the side that may capture next, with the better choice of stopping and
    /// capturing.
    fn best_exchange(board: &Board, target: (i8, i8), side: Color) -> i32 {
        let own = attackers(board, side, target);
        let Some(&from) = own.iter().min_by_key(|&square| order(board[square].kind())) else {
            return 0;
        };
        let piece = board[&from];
        if piece.kind() == PieceKind::King && !attackers(board, !side, target).is_empty() {
            return 0;
        }
        let mut after = board.clone();
        let captured = after.insert(target, piece).expect("a piece stands on the target");
        after.remove(&from);
        (exchange_value(captured.kind()) - best_exchange(&after, target, !side)).max(0)
    }

    /// The exchange value of a move, by making it and every capture after it.
    fn exchange(position: &Position, mv: Move) -> i32 {
        let mut board: Board =
            position.pieces().map(|(square, piece)| (coordinates(square), piece)).collect();
        let target = coordinates(mv.to());
        if let Some(from) = mv.from() {
            board.remove(&coordinates(from));
        }
        board.insert(target, mv.piece_after());
        let promotion = board_value(mv.piece_after().kind()) - board_value(mv.kind());
        let reply = if mv.kind() == PieceKind::King {
            0
        } else {
            best_exchange(&board, target, !mv.color())
        };
        mv.captured().map_or(0, exchange_value) + promotion - reply
    }

    #[test]
    fn thresholds_agree_with_the_exchange_played_out() {
        let mut compared = 0;
        random_games(11, 12, 150, |position| {
            for mv in position.legal_moves() {
                // All captures, and some of the many quiet moves.
                if !mv.is_capture() && (mv.to().dense_index() + compared) % 7 != 0 {
                    continue;
                }
                let value = exchange(position, mv);
                for threshold in [value - 100, value, value + 1, 0, 500] {
                    assert_eq!(
                        see_at_least(position, mv, threshold),
                        value >= threshold,
                        "{mv} wins {value}, asked {threshold}, in {position}"
                    );
                }
                compared += 1;
            }
        });
        assert!(compared > 10_000, "{compared}");
    }
}
