//! The evaluation by attack maps along a line of moves. Sums are carried from position to position,
//! so only the squares whose state has changed are looked up again.

use tsumero_core::{ByColor, Color, Hand, Move, Position, Square};

use super::board_state::BoardState;
use super::evaluator::Evaluator;
use super::influence::{Influence, View};
use super::weights::{Weights, danger_of};
use tsumero_control::Score;

/// The state of one position and the sums computed from it.
#[derive(Clone)]
struct Sums {
    board: BoardState,
    kings: ByColor<Option<Square>>,
    hands: ByColor<Hand>,
    /// How much the other side's hand endangers each king.
    dangers: [usize; 2],
    /// The value of the board for each color.
    on_board: [i32; 2],
    /// The value of each hand.
    in_hand: [i32; 2],
}

/// One position of the line.
#[derive(Clone)]
struct Ply {
    /// The move that led here; `None` at the root and after a null move.
    played: Option<Move>,
    sums: Sums,
    /// Whether the sums have been computed. Most positions of a search are never evaluated.
    is_known: bool,
}

/// Evaluates the last position of a line of moves.
pub(crate) struct AttackEvaluator {
    influence: &'static Influence,
    weights: &'static Weights,
    /// The positions from the root to the current one, followed by entries of earlier lines.
    line: Vec<Ply>,
    /// Index of the current position in `line`.
    top: usize,
}

impl Evaluator<'_> for AttackEvaluator {
    type Source = ();

    fn new((): (), root: &Position) -> AttackEvaluator {
        let influence = Influence::get();
        let board = BoardState::of(root);
        let hands = Color::ALL.map(|color| root.hand(color));
        let sums = Sums {
            on_board: influence.of(root, &board),
            in_hand: hands.map(|hand| Weights::get().hand(hand)),
            dangers: [danger_of(hands[1]), danger_of(hands[0])],
            board,
            kings: ByColor(Color::ALL.map(|color| root.king(color))),
            hands: ByColor(hands),
        };
        AttackEvaluator {
            influence,
            weights: Weights::get(),
            line: vec![Ply { played: None, sums, is_known: true }],
            top: 0,
        }
    }

    #[inline]
    fn push(&mut self, _: &Position, mv: Move) {
        self.push_entry(Some(mv));
    }

    #[inline]
    fn push_null(&mut self) {
        self.push_entry(None);
    }

    #[inline]
    fn pop(&mut self) {
        self.top -= 1;
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        if !self.line[self.top].is_known {
            self.update(position);
        }
        let sums = &self.line[self.top].sums;
        let [black, white] = std::array::from_fn(|side| sums.on_board[side] + sums.in_hand[side]);
        let value =
            if position.side_to_move() == Color::Black { black - white } else { white - black };
        let score = Score::ordinary(self.weights.tempo() + value);
        debug_assert_eq!(score, super::static_score(position), "{position}");
        score
    }
}

impl AttackEvaluator {
    /// Adds the next position.
    #[inline]
    fn push_entry(&mut self, played: Option<Move>) {
        self.top += 1;
        match self.line.get_mut(self.top) {
            Some(entry) => (entry.played, entry.is_known) = (played, false),
            None => self.line.push(Ply { played, is_known: false, ..self.line[0].clone() }),
        }
    }

    /// Computes the sums of the current position from those of the nearest earlier position that
    /// has them.
    fn update(&mut self, position: &Position) {
        let (influence, weights) = (self.influence, self.weights);
        let (before, rest) = self.line.split_at_mut(self.top);
        let Some(nearest) = before.iter().rposition(|entry| entry.is_known) else {
            unreachable!("the sums of the root are always known")
        };
        let (known, entry) = (&before[nearest].sums, &mut rest[0]);
        let moves =
            before[nearest + 1..].iter().filter_map(|entry| entry.played).chain(entry.played);
        let now = &mut entry.sums;
        entry.is_known = true;
        let changed = now.board.follow(&known.board, moves, position);
        for color in Color::ALL {
            let side = color.index();
            now.kings[color] = position.king(color);
            now.hands[color] = position.hand(color);
            (now.in_hand[side], now.dangers[1 - side]) = if now.hands[color] == known.hands[color] {
                (known.in_hand[side], known.dangers[1 - side])
            } else {
                (weights.hand(now.hands[color]), danger_of(now.hands[color]))
            };
        }
        if now.kings == known.kings
            && now.dangers == known.dangers
            && let ByColor([Some(black), Some(white)]) = now.kings
        {
            let black = View::new(influence, black, Color::Black, now.dangers[0]);
            let white = View::new(influence, white, Color::White, now.dangers[1]);
            now.on_board = known.on_board;
            for square in changed {
                let (from, to) = (known.board.at(square), now.board.at(square));
                now.on_board[0] += black.change(square, from, to);
                now.on_board[1] += white.change(square, from, to);
            }
            return;
        }
        for color in Color::ALL {
            now.on_board[color.index()] = match now.kings[color] {
                Some(king)
                    if now.kings[color] == known.kings[color]
                        && now.dangers[color.index()] == known.dangers[color.index()] =>
                {
                    let view = View::new(influence, king, color, now.dangers[color.index()]);
                    let change =
                        |square| view.change(square, known.board.at(square), now.board.at(square));
                    known.on_board[color.index()] + changed.iter().map(change).sum::<i32>()
                }
                _ => influence.of_side(position, &now.board, color),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::static_score;
    use rand::prelude::*;
    use tsumero_core::Line;

    /// Plays random moves and null moves, takes some back, and evaluates now and then.
    #[test]
    fn carried_sums_are_those_computed_from_nothing() {
        let mut random = StdRng::seed_from_u64(41);
        let mut compared = 0;
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/9/9/9/9/9/9/9 b RG 1",
        ] {
            let mut position = Line::from(Position::from_sfen(sfen).unwrap());
            let mut evaluator = AttackEvaluator::new((), &position);
            let mut line: Vec<bool> = Vec::new();
            for _ in 0..20_000 {
                let moves = position.legal_moves();
                let back = line.len() > 100 || moves.is_empty() || random.random_bool(0.45);
                if back {
                    match line.pop() {
                        Some(true) => position.undo_null_move(),
                        Some(false) => position.undo_move(),
                        None => continue,
                    }
                    evaluator.pop();
                } else {
                    let null = !position.in_check() && random.random_bool(0.05);
                    if null {
                        evaluator.push_null();
                        position.do_null_move();
                    } else {
                        let mv = *moves.choose(&mut random).unwrap();
                        evaluator.push(&position, mv);
                        position.do_move(mv);
                    }
                    line.push(null);
                }
                if random.random_bool(0.6) {
                    assert_eq!(
                        evaluator.evaluate(&position),
                        static_score(&position),
                        "{position}"
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 20_000, "{compared}");
    }
}
