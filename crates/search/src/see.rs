//! Static exchange evaluation: who wins the exchange of pieces on the target of a move.
//!
//! The rules of the exchange: after the move the sides take turns capturing on the target
//! square, each with its least valuable attacker, and either may stop at any time. A slider that
//! stood behind a piece takes part once that piece has moved. The king captures only when nobody
//! could take it. Pins and promotions during the exchange are not looked at.

use tsumero_core::{Color, Direction, File, Move, PieceKind, Position, Rank, Square};

use crate::evaluate::{board_value, exchange_value};

/// The square one step (or knight jump) in each direction from each square.
static NEIGHBOURS: [[Option<Square>; 12]; 81] = {
    let mut table = [[None; 12]; 81];
    let mut number = 0;
    while number < 81 {
        let (file, rank) = (number / 9, number % 9);
        let mut index = 0;
        while index < 12 {
            let (dx, dy) = Direction::from_index(index).vector();
            // Files and ranks outside 1 to 9 have no `File` or `Rank`; 255 stands for -1.
            let to_file = File::new((file as i8 + dx + 1) as u8);
            let to_rank = Rank::new((rank as i8 + dy + 1) as u8);
            if let (Some(to_file), Some(to_rank)) = (to_file, to_rank) {
                table[number][index] = Some(Square::new(to_file, to_rank));
            }
            index += 1;
        }
        number += 1;
    }
    table
};

#[inline]
fn neighbour(square: Square, direction: Direction) -> Option<Square> {
    NEIGHBOURS[square.dense_index()][direction.index()]
}

/// A piece that can capture on the target now.
#[derive(Clone, Copy)]
struct Attacker {
    color: Color,
    kind: PieceKind,
    square: Square,
}

/// The pieces that see the target, at most one in each direction; the direction leads from the
/// target to the piece.
struct Attackers<'a> {
    position: &'a Position,
    nearest: [Option<Attacker>; 12],
}

impl<'a> Attackers<'a> {
    /// All pieces that attack the target, read off the attack maps.
    fn new(position: &'a Position, target: Square) -> Attackers<'a> {
        let mut attackers = Attackers { position, nearest: [None; 12] };
        let map = position.attacks();
        for color in Color::ALL {
            for direction in map.steps(color, target) {
                let outward = direction.opposite();
                if let Some(square) = neighbour(target, outward) {
                    attackers.put(outward, square);
                }
            }
            for direction in map.slides(color, target) {
                let outward = direction.opposite();
                if let Some(square) = attackers.first_piece(target, outward) {
                    attackers.put(outward, square);
                }
            }
        }
        attackers
    }

    fn put(&mut self, outward: Direction, square: Square) {
        self.nearest[outward.index()] = self.position.piece_at(square).map(|piece| Attacker {
            color: piece.color(),
            kind: piece.kind(),
            square,
        });
    }

    /// The first occupied square in a direction.
    fn first_piece(&self, from: Square, outward: Direction) -> Option<Square> {
        let mut square = neighbour(from, outward)?;
        while self.position.piece_at(square).is_none() {
            square = neighbour(square, outward)?;
        }
        Some(square)
    }

    /// Takes away the piece nearest in a direction; a slider behind it takes its place.
    fn remove(&mut self, outward: Direction) {
        let Some(gone) = self.nearest[outward.index()].take() else { return };
        if outward.is_jump() {
            return;
        }
        if let Some(square) = self.first_piece(gone.square, outward)
            && let Some(piece) = self.position.piece_at(square)
            && tsumero_core::slides(piece).contains(outward.opposite())
        {
            self.put(outward, square);
        }
    }

    /// Takes away the piece that makes the first move.
    fn remove_mover(&mut self, from: Square) {
        let found = Direction::ALL.into_iter().find(|direction| {
            self.nearest[direction.index()].is_some_and(|attacker| attacker.square == from)
        });
        if let Some(outward) = found {
            self.remove(outward);
        }
    }

    /// The least valuable attacker of a color, with its direction.
    fn least_valuable(&self, color: Color) -> Option<(Direction, PieceKind)> {
        let mut best: Option<(Direction, PieceKind)> = None;
        for (index, attacker) in self.nearest.iter().enumerate() {
            if let Some(attacker) = attacker
                && attacker.color == color
                && best.is_none_or(|(_, kind)| order(attacker.kind) < order(kind))
            {
                best = Some((Direction::from_index(index), attacker.kind));
            }
        }
        best
    }

    fn any(&self, color: Color) -> bool {
        self.nearest.iter().flatten().any(|attacker| attacker.color == color)
    }
}

/// What a kind counts when the least valuable attacker is chosen: the king comes last.
#[inline]
fn order(kind: PieceKind) -> i32 {
    if kind == PieceKind::King { i32::MAX } else { exchange_value(kind) }
}

/// Whether the exchange begun by a legal move wins at least `threshold` for the mover, in units
/// of the evaluation. A piece that changes hands counts twice: lost here, gained there.
pub(crate) fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let mut victim = mv.piece_after().kind();
    // By how much `winner` has reached what it wants if the exchange ends now. The mover wants
    // `threshold` or more, the opponent wants it to be less: hence the 1 in `after_capture`.
    let mut surplus = mv.captured().map_or(0, exchange_value) - threshold;
    if mv.promotes() {
        surplus += board_value(victim) - board_value(mv.kind());
    }
    if surplus < 0 {
        return false;
    }
    let after_capture = |victim, surplus: i32| exchange_value(victim) - surplus - 1;
    // A king that has moved is never captured: the move is legal.
    if victim == PieceKind::King || after_capture(victim, surplus) < 0 {
        return true;
    }

    let mut attackers = Attackers::new(position, mv.to());
    if let Some(from) = mv.from() {
        attackers.remove_mover(from);
    }
    let mut winner = mv.color();
    while let Some((outward, kind)) = attackers.least_valuable(!winner) {
        let gained = after_capture(victim, surplus);
        if gained < 0 || kind == PieceKind::King && attackers.any(winner) {
            break;
        }
        attackers.remove(outward);
        (winner, surplus, victim) = (!winner, gained, kind);
        if kind == PieceKind::King {
            break;
        }
    }
    winner == mv.color()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;
    use std::collections::HashMap;
    use tsumero_core::{Piece, vectors};

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

    /// What the side to capture gains on the target by the best of stopping and capturing.
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
