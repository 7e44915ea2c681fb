//! Moves that give check (王手): generated, counted, and tested one by one.
//!
//! There are two ways to check. A piece arrives where it attacks the king: such squares lie on the
//! king's eight lines, up to the first piece on each, and a knight's jump away. Or it is a
//! discovered check (開き王手): a piece leaves the line of a slider of its own side to the king. Both
//! are generated from the king's side, so moves that do not check are never looked at.

use super::pieces::{Target, for_each_target};
use super::{Counter, MoveSink, Parts};
use crate::between::between;
use crate::direction::{Direction, DirectionSet};
use crate::lanes::Chosen;
use crate::move_list::MoveList;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::pins::stays_on_line;
use crate::placement::board::Class;
use crate::position::Position;
use crate::promotion::drop_ranks;
use crate::rays::{Rays, neighbors, targets_seen};
use crate::square::Square;
use crate::square_set::SquareSet;

/// The generator of the checks of one position.
struct Checks<'a, S> {
    parts: &'a Parts<'a>,
    /// The king to be checked.
    king: Square,
    /// What is seen from the king to be checked.
    seen: Rays<Chosen>,
    /// Our pieces that stand alone between one of our sliders and that king. They give a discovered
    /// check when they leave the line.
    discoverers: SquareSet,
    sink: &'a mut S,
}

/// A filter for direct checks: passes on the moves after which the piece attacks the king from its
/// target. These are the moves whose direction to the king is one that the arrived piece moves in.
struct Direct<'a, S> {
    /// The direction from the target to the king.
    direction: Direction,
    /// Whether the target is next to the king or a knight's jump away.
    near: bool,
    king: Square,
    discoverers: SquareSet,
    sink: &'a mut S,
}

impl<S: MoveSink> MoveSink for Direct<'_, S> {
    #[inline]
    fn board_move(&mut self, mv: Move) {
        let piece = mv.piece_after();
        let attacks = movement::slides(piece).contains(self.direction)
            || self.near && movement::steps(piece).contains(self.direction);
        // A piece that leaves its line gives a discovered check; `discovered` generates these.
        let discovers =
            |from| self.discoverers.contains(from) && !stays_on_line(self.king, from, mv.to());
        if attacks && !mv.from().is_some_and(discovers) {
            self.sink.board_move(mv);
        }
    }

    fn drops(&mut self, piece: Piece, targets: SquareSet) {
        self.sink.drops(piece, targets);
    }
}

impl<S: MoveSink> Checks<'_, S> {
    /// Moves of pieces that attack the king from where they go.
    fn direct(&mut self) {
        let Parts { board, attacks, us, targets, .. } = *self.parts;
        // The evasion targets, in case we are in check ourselves, without our own pieces' squares.
        let targets = targets.difference(board.pieces(us));
        let (near, sliders) = (neighbors(self.king), board.of_class(us, Class::PromotedSlider));
        // At a distance only sliders check. They arrive by a slide, or by a step if they are
        // promoted.
        let far = sliders
            .iter()
            .fold(attacks.slides_of(us).squares(), |far, from| far.union(neighbors(from)));
        let arrivals = near.intersection(attacks.attacked_squares(us)).union(far.difference(near));
        self.seen.squares().intersection(targets).intersection(arrivals).visit(|to| {
            if let Some(direction) = movement::line_direction(to, self.king) {
                self.arrivals(to, direction, near.contains(to));
            }
        });
        let jumps = attacks.jump_targets(us).intersection(targets);
        if jumps.is_empty() {
            return;
        }
        for to in self.attackers(Piece::new(us, PieceKind::Knight)).intersection(jumps) {
            if let Some(displacement) = movement::displacement(to, self.king) {
                self.arrivals(to, displacement.direction, true);
            }
        }
    }

    /// Generates moves to one square from which the king lies in the given direction.
    #[inline]
    fn arrivals(&mut self, to: Square, direction: Direction, near: bool) {
        let Parts { board, attacks, us, .. } = *self.parts;
        let (mut steps, slides) = (attacks.steps(us, to), attacks.slides(us, to));
        if direction.is_jump() {
            // Only knights check by a jump, and they also arrive only by a jump.
            steps = steps.difference(DirectionSet::COMPASS);
        }
        let target = Target::new(self.parts, to);
        let mut sink = Direct {
            direction,
            near,
            king: self.king,
            discoverers: self.discoverers,
            sink: self.sink,
        };
        for step in steps {
            // SAFETY: a square is only ever put into a direction's set, or taken out of it, by a
            // piece on the square one step back: see `Side::toggle_steps` and `toggle_jumps`.
            let from = unsafe { to.offset_unchecked(-step.offset()) };
            target.push_move_from(from, &mut sink);
        }
        if direction.is_jump() {
            return;
        }
        for slide in slides.compass() {
            if let Some(from) = board.first_piece(to, slide.opposite()) {
                target.push_move_from(from, &mut sink);
            }
        }
    }

    /// Generates discovered checks: moves of pieces that leave the line between a slider of ours
    /// and the king. Our own king may be such a piece.
    fn discovered(&mut self) {
        let Parts { position, board, us, targets, king: own_king, .. } = *self.parts;
        for from in self.discoverers {
            let Some(piece) = board.piece_at(from) else { continue };
            for_each_target(board, from, piece, |to| {
                if board.pieces(us).contains(to) || stays_on_line(self.king, from, to) {
                    return;
                }
                if Some(from) == own_king {
                    if !position.king_is_unsafe_on(from, to) {
                        let captured = board.piece_at(to).map(Piece::kind);
                        self.sink.board_move(Move::board(from, to, piece, captured, false));
                    }
                } else if targets.contains(to) {
                    Target::new(self.parts, to).push_move_from(from, self.sink);
                }
            });
        }
    }

    /// Generates drops that give check.
    fn drops(&mut self) {
        let Parts { position, board, us, targets, .. } = *self.parts;
        let hand = position.hand(us);
        let empties = targets.intersection(board.empties());
        if hand.is_empty() || empties.is_empty() {
            return;
        }
        for (kind, _) in hand.iter() {
            let piece = Piece::new(us, kind);
            let mut squares =
                self.attackers(piece).intersection(drop_ranks(us, kind)).intersection(empties);
            if kind == PieceKind::Pawn {
                squares = position.without_illegal_pawn_drops(squares);
            }
            self.sink.drops(piece, squares);
        }
    }

    /// The squares from which a piece attacks the king, as the board is now.
    fn attackers(&self, piece: Piece) -> SquareSet {
        // A piece attacks the king from the squares that the same piece of the other color would
        // attack from the king's square.
        targets_seen(Piece::new(!piece.color(), piece.kind()), self.king, self.seen)
    }
}

fn checks_into<S: MoveSink>(position: &Position, sink: &mut S) {
    let us = position.side_to_move();
    let Some(king) = position.king(!us) else { return };
    let parts = Parts::new(position);
    let seen = Rays::seen(king, parts.board.occupied());
    let discoverers = position.placement().line_guards(king, us, us);
    let mut checks = Checks { parts: &parts, king, seen, discoverers, sink };
    checks.direct();
    checks.discovered();
    checks.drops();
}

impl Position {
    /// Appends all legal moves that give check, idle non-promotions included.
    ///
    /// # Panics
    ///
    /// When the list does not hold them all: see [`Position::generate`].
    pub fn generate_checks(&self, moves: &mut MoveList) {
        checks_into(self, moves);
    }

    /// The number of legal moves that give check. It counts the moves of
    /// [`Position::generate_checks`] without making a list.
    pub fn count_checks(&self) -> u32 {
        let mut counter = Counter::default();
        checks_into(self, &mut counter);
        counter.0 as u32
    }

    /// Whether a legal move of this position gives check, directly or by discovery.
    ///
    /// One look at the direction and distance from target and origin to the king rejects most
    /// moves. Only a move that could check walks over the squares between.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = mv.color();
        let Some(king) = self.king(!us) else { return false };
        let (from, to, piece) = (mv.from(), mv.to(), mv.piece_after());
        if let Some(displacement) = movement::displacement(to, king) {
            if displacement.distance == 1 && movement::steps(piece).contains(displacement.direction)
            {
                return true;
            }
            if movement::slides(piece).contains(displacement.direction) {
                // The origin is never one of these squares: the slider would already give check
                // from there.
                let between = between(to, king);
                if between.difference(self.board().empties()).is_empty() {
                    return true;
                }
            }
        }
        from.is_some_and(|from| self.discovers_check(king, from, to))
    }

    /// For each kind, by [`PieceKind::index`], the squares on which a piece of the side to move
    /// directly attacks the enemy king, as the board is now. All sets are empty without that king.
    /// Use it to ask about many moves whether they give check, where discovered checks may be
    /// overlooked.
    pub fn check_squares(&self) -> [SquareSet; 16] {
        let mut squares = [SquareSet::EMPTY; 16];
        let them = !self.side_to_move();
        if let Some(king) = self.king(them) {
            // A piece attacks the king from the squares that the same piece of the other color
            // would attack from the king's square.
            let seen = Rays::seen(king, self.board().occupied());
            for kind in PieceKind::HAND {
                squares[kind.index()] = targets_seen(Piece::new(them, kind), king, seen);
            }
            // The others move like these.
            let near = neighbors(king);
            squares[PieceKind::King.index()] = near;
            squares[PieceKind::Horse.index()] = squares[PieceKind::Bishop.index()].union(near);
            squares[PieceKind::Dragon.index()] = squares[PieceKind::Rook.index()].union(near);
            let like_gold = [
                PieceKind::Tokin,
                PieceKind::PromotedLance,
                PieceKind::PromotedKnight,
                PieceKind::PromotedSilver,
            ];
            for kind in like_gold {
                squares[kind.index()] = squares[PieceKind::Gold.index()];
            }
        }
        squares
    }

    /// Whether moving from `from` to `to` opens the line of one of our sliders to the enemy king.
    fn discovers_check(&self, king: Square, from: Square, to: Square) -> bool {
        let us = self.side_to_move();
        let Some(direction) = movement::line_direction(from, king) else { return false };
        self.attacks().slides(us, from).contains(direction)
            && !stays_on_line(king, from, to)
            && between(from, king).difference(self.board().empties()).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use rand::prelude::*;

    use super::*;

    #[test]
    fn a_knight_checks_from_where_it_may_stand() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2N 1").unwrap();
        let mut checks = MoveList::new();
        position.generate_checks(&mut checks);
        let mut texts: Vec<String> = checks.iter().map(ToString::to_string).collect();
        texts.sort();
        assert_eq!(texts, ["N*4c", "N*6c"]);
    }

    /// Generation from the king's side finds the same moves as a test of every legal move, each
    /// once.
    #[test]
    fn checks_are_the_legal_moves_that_give_check() {
        let starts = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
            "2+R4K1/3+P2G+B1/4+N+P1+L1/2p5p/1p7/p7P/+p+p+p6/2+p5L/k+p1+r5 w G2S3N3Pb2g2s2l3p 1",
            "1S2G1S2/1RB3P2/2S1N4/4L4/9/9/9/k8/8K b RGbg2p 1",
            // A king that opens the line of its own rook.
            "4k4/9/9/4K4/4R4/9/2b3b2/9/4r4 b GNLP2p 1",
        ];
        let (mut checks, mut in_check) = (0, 0);
        let mut rng = StdRng::seed_from_u64(5);
        for game in 0..600 {
            let mut position = Position::from_sfen(starts[game % starts.len()]).unwrap();
            for _ in 0..60 {
                let legal = position.legal_moves();
                let mut expected: Vec<String> = legal
                    .iter()
                    .filter(|&&mv| position.gives_check(mv))
                    .map(ToString::to_string)
                    .collect();
                let mut generated = MoveList::new();
                position.generate_checks(&mut generated);
                assert_eq!(position.count_checks() as usize, generated.len(), "{position}");
                let squares = position.check_squares();
                for &mv in legal.iter().filter(|mv| mv.from().is_none()) {
                    let checks = squares[mv.kind().index()].contains(mv.to());
                    assert_eq!(checks, position.gives_check(mv), "{mv} {position}");
                }
                let mut texts: Vec<String> = generated.iter().map(ToString::to_string).collect();
                expected.sort();
                texts.sort();
                assert_eq!(texts, expected, "{position}");
                checks += texts.len();
                in_check += usize::from(position.in_check() && !texts.is_empty());
                // Games that prefer checks bring the kings out, which leads to more checks.
                let prefers_checks = rng.random_ratio(1, 4) && !generated.is_empty();
                let among = if prefers_checks { &generated } else { &legal };
                let Some(&mv) = among.choose(&mut rng) else { break };
                position.play_unchecked(mv);
            }
        }
        assert!(
            checks > 10_000 && in_check > 100,
            "{checks} checks, {in_check} positions in check"
        );
    }
}
