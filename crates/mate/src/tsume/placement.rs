//! Random placements of pieces, and small changes of them.

use tsumero_core::{Color, File, Piece, PieceKind, Rank, Square};

use super::layout::Layout;
use super::random::Random;
use super::style::{Kinds, Style};

/// Kinds of attackers on the board. A kind is as frequent as its entries.
const ATTACKERS: [PieceKind; 22] = [
    PieceKind::Rook,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Bishop,
    PieceKind::Dragon,
    PieceKind::Horse,
    PieceKind::Gold,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Lance,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Tokin,
    PieceKind::PromotedSilver,
    PieceKind::PromotedLance,
];
/// Kinds of defenders on the board.
const DEFENDERS: [PieceKind; 14] = [
    PieceKind::Gold,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Lance,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
];
/// Kinds of pieces in the attacker's hand.
const HELD: [PieceKind; 10] = [
    PieceKind::Gold,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// Places and changes pieces at random, in a style.
pub(super) struct Placer {
    style: Style,
    attackers: Vec<PieceKind>,
    defenders: Vec<PieceKind>,
    held: Vec<PieceKind>,
}

const WHITE_KING: Piece = Piece::new(Color::White, PieceKind::King);

impl Placer {
    pub(super) fn new(style: Style) -> Placer {
        // Kinds that are not placed otherwise are, if they are the only ones allowed.
        let allowed = |usual: &[PieceKind], kinds: Kinds| -> Vec<PieceKind> {
            let usual: Vec<PieceKind> =
                usual.iter().copied().filter(|&kind| kinds.contains(kind)).collect();
            if usual.is_empty() { kinds.iter().collect() } else { usual }
        };
        let mut held = allowed(&HELD, style.hand);
        held.retain(|kind| PieceKind::HAND.contains(kind));
        Placer {
            style,
            attackers: allowed(&ATTACKERS, style.board),
            defenders: allowed(&DEFENDERS, style.board),
            held,
        }
    }

    /// A random placement: a king in the upper part of the board, with pieces around it.
    pub(super) fn scatter(&self, random: &mut Random) -> Layout {
        let mut layout = Layout::empty(Color::Black);
        let king = self.square(random.below(9), [0, 0, 0, 1, 1, 2, 2, 3][random.below(8)]);
        layout.put(king, WHITE_KING);
        if self.style.both_kings {
            let black = Piece::new(Color::Black, PieceKind::King);
            // A small area may have no square left.
            let _ = (0..100).any(|_| layout.put(self.near(king, 4, random), black));
        }
        for _ in 0..random.between(1, 4) {
            self.add_attacker(&mut layout, king, random);
        }
        for _ in 0..random.between(0, 4) {
            self.add_defender(&mut layout, king, random);
        }
        for _ in 0..random.between(1, 3) {
            self.give(&mut layout, random);
        }
        self.keep_count(&mut layout, king, random);
        layout
    }

    /// Adds and removes pieces until there are as many as the style wants, as far as it can be done.
    fn keep_count(&self, layout: &mut Layout, king: Square, random: &mut Random) {
        let counts = self.style.counts();
        for tries in 0..100 {
            let count = layout.pieces().count();
            if count < *counts.start() {
                match tries % 2 {
                    0 => self.add_attacker(layout, king, random),
                    _ => self.add_defender(layout, king, random),
                }
            } else if count > *counts.end() {
                let removable = removable(layout);
                if removable.is_empty() {
                    return;
                }
                layout.take(random.pick(&removable).0);
            } else {
                return;
            }
        }
    }

    /// The square of the area that is nearest to a file and a rank.
    fn square(&self, file: usize, rank: usize) -> Square {
        let (file, rank) = self.style.area.nearest(file, rank);
        let number = |index: usize| index as u8 + 1;
        let file = File::new(number(file)).expect("a file index is below nine");
        let rank = Rank::new(number(rank)).expect("a rank index is below nine");
        Square::new(file, rank)
    }

    /// A random square at most `reach` files and ranks away.
    fn near(&self, center: Square, reach: usize, random: &mut Random) -> Square {
        let around = |index: usize, random: &mut Random| {
            random.between(index.saturating_sub(reach), (index + reach).min(8))
        };
        let file = around(center.file().index(), random);
        self.square(file, around(center.rank().index(), random))
    }

    fn add_attacker(&self, layout: &mut Layout, king: Square, random: &mut Random) {
        let kind = random.pick(&self.attackers);
        let reach = match kind {
            PieceKind::Rook | PieceKind::Bishop | PieceKind::Lance => 5,
            PieceKind::Dragon | PieceKind::Horse => 4,
            _ => 2,
        };
        layout.put(self.near(king, reach, random), Piece::new(Color::Black, kind));
    }

    fn add_defender(&self, layout: &mut Layout, king: Square, random: &mut Random) {
        let kind = random.pick(&self.defenders);
        layout.put(self.near(king, 2, random), Piece::new(Color::White, kind));
    }

    fn give(&self, layout: &mut Layout, random: &mut Random) {
        if !self.held.is_empty() {
            layout.give(random.pick(&self.held));
        }
    }

    /// Takes back a random check and a random reply that may have led to a layout, and returns whether
    /// it found any. Nothing says that the check was a good one, nor that it was a check: this is for the
    /// caller to find out.
    pub(super) fn step_back(&self, layout: &mut Layout, random: &mut Random) -> bool {
        let Some((king, _)) = layout.pieces().find(|&(_, piece)| piece == WHITE_KING) else {
            return false;
        };
        let black = |kind| Piece::new(Color::Black, kind);
        // Where the checking piece stood after the check, and what it is. A piece that was captured
        // belongs to the defender now.
        let reply = random.below(5);
        let (square, checker) = if reply < 4 {
            // The king captured it, or went away from it.
            let from = self.near(king, 1, random);
            layout.take(king);
            if !layout.put(from, WHITE_KING) {
                return false;
            }
            match reply {
                3 => match take_any(layout, Color::Black, random) {
                    Some((square, piece)) => (square, Some(piece)),
                    None => return false,
                },
                _ => (king, None),
            }
        } else {
            // Another defender captured it.
            let Some((square, piece)) = take_any(layout, Color::White, random) else {
                return false;
            };
            let reach = if random.below(4) == 0 { 4 } else { 1 };
            if !layout.put(self.near(square, reach, random), piece) {
                return false;
            }
            (square, None)
        };
        let checker = checker.unwrap_or_else(|| black(random.pick(&self.attackers)));
        // It was dropped, or it moved there, perhaps with promotion.
        if random.below(2) == 0 {
            return checker.kind() == checker.kind().unpromoted() && layout.give(checker.kind());
        }
        let kind = if random.below(3) == 0 { checker.kind().unpromoted() } else { checker.kind() };
        layout.put(self.near(square, 2, random), black(kind))
    }

    /// Makes one small random change. It may fail and change nothing.
    pub(super) fn change(&self, layout: &mut Layout, random: &mut Random) {
        let Some((king, _)) = layout.pieces().find(|&(_, piece)| piece == WHITE_KING) else {
            return;
        };
        let removable = removable(layout);
        let held: Vec<PieceKind> = layout.hand(Color::Black).iter().map(|(kind, _)| kind).collect();
        match random.below(10) {
            0 | 1 => self.add_attacker(layout, king, random),
            2 | 3 => self.add_defender(layout, king, random),
            4 if !removable.is_empty() => {
                let (square, _) = random.pick(&removable);
                layout.take(square);
            }
            5 | 6 if !removable.is_empty() => {
                // A piece moves, by a step or to anywhere near the king.
                let (square, piece) = random.pick(&movable(layout));
                let center = if random.below(2) == 0 { square } else { king };
                let reach = if center == king { 3 } else { 1 };
                let to = self.near(center, reach, random);
                layout.take(square);
                if !layout.put(to, piece) {
                    layout.put(square, piece);
                }
            }
            7 if !removable.is_empty() => {
                // A piece changes its kind.
                let (square, piece) = random.pick(&removable);
                let is_black = piece.color() == Color::Black;
                let kinds = if is_black { &self.attackers } else { &self.defenders };
                let kind = random.pick(kinds);
                layout.take(square);
                if !layout.put(square, Piece::new(piece.color(), kind)) {
                    layout.put(square, piece);
                }
            }
            8 => self.give(layout, random),
            9 if !held.is_empty() => {
                layout.take_back(random.pick(&held));
            }
            _ => {}
        }
    }
}

/// Removes a random piece of a color, no king, and returns it with its square.
fn take_any(layout: &mut Layout, color: Color, random: &mut Random) -> Option<(Square, Piece)> {
    let mut removable = removable(layout);
    removable.retain(|(_, piece)| piece.color() == color);
    if removable.is_empty() {
        return None;
    }
    let (square, piece) = random.pick(&removable);
    layout.take(square);
    Some((square, piece))
}

/// The pieces that may move: all but the king to be mated.
fn movable(layout: &Layout) -> Vec<(Square, Piece)> {
    layout.pieces().filter(|&(_, piece)| piece != WHITE_KING).collect()
}

/// The pieces that may come and go: all but kings.
fn removable(layout: &Layout) -> Vec<(Square, Piece)> {
    layout.pieces().filter(|(_, piece)| piece.kind() != PieceKind::King).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_keep_the_rules_and_all_pieces() {
        let (placer, mut random) = (Placer::new(Style::ANY), Random::new(3, 0));
        for _ in 0..300 {
            let mut layout = placer.scatter(&mut random);
            for _ in 0..10 {
                placer.change(&mut layout, &mut random);
            }
            let king = Piece::new(Color::White, PieceKind::King);
            let king = layout.pieces().find(|&(_, piece)| piece == king).map(|(square, _)| square);
            let position = layout.to_position();
            // The one rule that a placement may break is tested before anything else.
            assert_eq!(position.is_err(), layout.is_attacked(king.unwrap()), "{position:?}");
            let held = |color| layout.hand(color).iter().map(|(_, count)| count).sum::<u32>();
            let pieces = held(Color::Black) + held(Color::White) + layout.pieces().count() as u32;
            assert_eq!(pieces, 39);
        }
    }

    #[test]
    fn placements_have_the_style_as_far_as_it_can_be_done() {
        let style = Style {
            board: "GS+R".parse().unwrap(),
            hand: "NP".parse().unwrap(),
            area: "6-9,2-6".parse().unwrap(),
            pieces: (4, 6),
            both_kings: true,
        };
        let (placer, mut random) = (Placer::new(style), Random::new(5, 0));
        let (mut admitted, mut changed) = (0, 0);
        for _ in 0..300 {
            let mut layout = placer.scatter(&mut random);
            admitted += u32::from(style.admits(&layout));
            for _ in 0..5 {
                placer.change(&mut layout, &mut random);
                let kings = layout.pieces().filter(|(_, piece)| piece.kind() == PieceKind::King);
                assert_eq!(kings.count(), 2);
                assert!(layout.pieces().all(|(square, _)| style.area.contains(square)));
                changed += u32::from(style.admits(&layout));
            }
        }
        assert!(admitted > 280 && changed > 700, "{admitted} {changed}");
    }
}
