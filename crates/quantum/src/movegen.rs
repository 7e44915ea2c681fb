//! Legal move generation and counting.

use tsumero_core::{Color, Square};

use crate::kind_set::KindSet;
use crate::legality::dead_kinds;
use crate::movement::{DIRECTIONS, JUMP, JUMPS, RAYS, REACH, as_black};
use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;

/// A legal move with the kinds that it leaves its piece, so that making it need not compute them
/// again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) left: KindSet,
}

/// The dead kinds of a target square, and whether it is on one of the three far ranks.
#[derive(Clone, Copy)]
struct Landing {
    dead: KindSet,
    is_far: bool,
}

/// By color and square.
static LANDINGS: [[Landing; 81]; 2] = {
    let mut landings = [[Landing { dead: KindSet::EMPTY, is_far: false }; 81]; 2];
    let colors = [Color::Black, Color::White];
    let mut number = 0;
    while number < 2 * 81 {
        let (color, index) = (number / 81, number % 81);
        if let Some(square) = Square::from_dense_index(index) {
            landings[color][index] = Landing {
                dead: dead_kinds(square, colors[color]),
                is_far: square.in_promotion_zone(colors[color]),
            };
        }
        number += 1;
    }
    landings
};

impl Position {
    /// All legal moves: pieces on the board in the order of their numbers, then drops. Empty
    /// once a king was captured.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_legal(|candidate| moves.push(candidate.mv));
        moves
    }

    /// Number of legal moves, without making a list.
    pub fn count_legal_moves(&self) -> u64 {
        if self.winner().is_some() {
            return 0;
        }
        let us = self.side_to_move();
        let mut count = 0;
        self.for_each_path::<false>(us, |_, _, to, movers, path| {
            let landing = LANDINGS[us.index()][usize::from(to)];
            count += u64::from(!path.stay(movers, landing).is_empty());
            count += u64::from(!path.promote(movers, landing).is_empty());
        });
        count + self.count_drops()
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    pub(crate) fn for_each_legal(&self, mut f: impl FnMut(Candidate)) {
        if self.winner().is_some() {
            return;
        }
        self.for_each_board_move(|_| true, &mut f);
        for &piece in self.hand_iter(self.side_to_move()) {
            self.for_each_drop_of(piece, &mut f);
        }
    }

    /// Calls back with the moves of pieces on the board to wanted squares. `wanted` is called with
    /// the piece on the square.
    pub(crate) fn for_each_board_move(
        &self,
        wanted: impl Fn(Option<PieceId>) -> bool,
        mut f: impl FnMut(Candidate),
    ) {
        let us = self.side_to_move();
        self.for_each_path::<false>(us, |_, from, to, movers, path| {
            if !wanted(self.cells()[usize::from(to)]) {
                return;
            }
            let landing = LANDINGS[us.index()][usize::from(to)];
            let (from, to) = (square(from), square(to));
            let left = path.promote(movers, landing);
            if !left.is_empty() {
                f(Candidate { mv: Move::Board { from, to, promotes: true }, left });
            }
            let left = path.stay(movers, landing);
            if !left.is_empty() {
                f(Candidate { mv: Move::Board { from, to, promotes: false }, left });
            }
        });
    }

    /// Calls back with the drops of a piece that the side to move holds.
    pub(crate) fn for_each_drop_of(&self, piece: PieceId, mut f: impl FnMut(Candidate)) {
        let us = self.side_to_move();
        let kinds = self.kinds(piece);
        for (index, cell) in self.cells().iter().enumerate() {
            let left = kinds.without(LANDINGS[us.index()][index].dead);
            if cell.is_none() && !left.is_empty() {
                f(Candidate { mv: Move::Drop { piece, to: square(index as u8) }, left });
            }
        }
    }

    fn count_drops(&self) -> u64 {
        let us = self.side_to_move();
        if self.hand_iter(us).len() == 0 {
            return 0;
        }
        // The empty squares on the last rank, on the second-last rank, and on the others.
        let mut empty = [0u64; 3];
        for (index, cell) in self.cells().iter().enumerate() {
            if cell.is_none() {
                let rank = match us {
                    Color::Black => index % 9,
                    Color::White => 8 - index % 9,
                };
                empty[rank.min(2)] += 1;
            }
        }
        self.hand_iter(us)
            .map(|&piece| {
                let kinds = self.kinds(piece);
                let lives = |dead: KindSet, squares| {
                    if kinds.is_subset_of(dead) { 0 } else { squares }
                };
                lives(KindSet::DEAD_ON_LAST_RANK, empty[0])
                    + lives(KindSet::DEAD_ON_SECOND_LAST_RANK, empty[1])
                    + empty[2]
            })
            .sum()
    }

    /// Calls `f` once for every square that a piece of a color can go to, with the piece that
    /// stands there.
    pub(crate) fn for_each_reached(&self, color: Color, mut f: impl FnMut(Option<PieceId>)) {
        self.for_each_path::<false>(color, |_, _, to, _, _| f(self.cells()[usize::from(to)]));
    }

    /// Calls `f` once for every square that a piece of a color can go to or guards, with the number
    /// of the square and the piece that stands there.
    pub(crate) fn for_each_watched(&self, color: Color, mut f: impl FnMut(u8, Option<PieceId>)) {
        self.for_each_path::<true>(color, |_, _, to, _, _| f(to, self.cells()[usize::from(to)]));
    }

    /// Calls `f` for every square that each piece of a color can go to: with the piece, its square,
    /// the target, the kinds that can go there, and what else the move depends on. With `OWN`, the
    /// squares of the color's own pieces that each piece guards count, too.
    #[inline]
    fn for_each_path<const OWN: bool>(
        &self,
        us: Color,
        mut f: impl FnMut(PieceId, u8, u8, KindSet, Path),
    ) {
        let ours = self.owned_by(us);
        for piece in ours.iter() {
            let Some(from) = self.square_of(piece) else { continue };
            let from = from.dense_index();
            let kinds = self.kinds(piece);
            let promoted = self.is_promoted(piece);
            let row = usize::from(promoted);
            let path = Path { promoted, from_far: LANDINGS[us.index()][from].is_far };
            for direction in 0..DIRECTIONS {
                let reach = REACH[row][direction];
                let mut movers = kinds & reach.step;
                let slides = kinds & reach.slide;
                if movers.is_empty() {
                    continue;
                }
                for &to in RAYS[from][as_black(direction, us)].squares() {
                    let target = self.cells()[usize::from(to)];
                    if !OWN && target.is_some_and(|target| ours.contains(target)) {
                        break;
                    }
                    f(piece, from as u8, to, movers, path);
                    movers = slides;
                    if target.is_some() || movers.is_empty() {
                        break;
                    }
                }
            }
            let movers = kinds & JUMP[row];
            if !movers.is_empty() {
                for to in JUMPS[us.index()][from].into_iter().flatten() {
                    let target = self.cells()[usize::from(to)];
                    if OWN || target.is_none_or(|target| !ours.contains(target)) {
                        f(piece, from as u8, to, movers, path);
                    }
                }
            }
        }
    }
}

/// What the legality of a move depends on, beside its target.
#[derive(Clone, Copy)]
struct Path {
    promoted: bool,
    from_far: bool,
}

impl Path {
    /// The kinds that are left if the piece does not promote.
    #[inline]
    fn stay(self, movers: KindSet, landing: Landing) -> KindSet {
        if self.promoted { movers } else { movers.without(landing.dead) }
    }

    /// The kinds that are left if the piece promotes; none where it may not.
    #[inline]
    fn promote(self, movers: KindSet, landing: Landing) -> KindSet {
        if self.promoted || !(self.from_far || landing.is_far) {
            KindSet::EMPTY
        } else {
            movers & KindSet::PROMOTABLE
        }
    }
}

#[inline]
fn square(index: u8) -> Square {
    Square::from_dense_index(usize::from(index)).expect("tables hold squares only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind_set::Kind;

    #[test]
    fn landings_agree_with_ordinary_shogi() {
        for color in Color::ALL {
            for square in Square::all() {
                let landing = LANDINGS[color.index()][square.dense_index()];
                let ranks_before = square.rank().relative_to(color).index();
                for kind in Kind::ALL {
                    let dead_ranks = kind.piece_kind(false).map_or(0, |kind| kind.dead_ranks());
                    let is_dead = ranks_before < dead_ranks;
                    assert_eq!(landing.dead.contains(kind), is_dead, "{kind:?} on {square}");
                }
                assert_eq!(landing.is_far, ranks_before < 3, "{square}");
            }
        }
    }
}
