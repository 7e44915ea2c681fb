//! Attack maps: for every square, which directions it is attacked from.
//!
//! A map keeps, for each color and direction, the set of squares attacked in that direction, as
//! one word of 128 bits. The sets of steps and of slides are kept apart; the two jumps of a
//! knight have sets of their own. All are updated by every move.
//!
//! ```text
//!                 lane    0    1    2    3    4    5    6    7
//!            direction    N    NE   E    SE   S    SW   W    NW
//!   steps[color][word]  [ .    .    .    .    .    .    .    .  ]   word 0: files 1 to 5 and 6a, 6b
//!  slides[color][word]  [ .    .    .    .    .    .    .    .  ]   word 1: the other squares
//!   jumps[color]        two sets of squares: right, left
//! ```
//!
//! So a square is one bit of eight words, its *column*, and the bits of the column tell from
//! where it is attacked: one test of eight lanes answers that. A direction is eight words' lane,
//! and what happens in all eight directions around a square happens in all lanes at once. A
//! square next seen by a slide is attacked whatever stands on it: own pieces are guarded, enemy
//! pieces attacked. A direction never has a step and a slide of one color at once, because the
//! neighbour against that direction either steps, slides or is empty; hence the number of
//! attackers is the number of bits.
//!
//! When a piece comes or goes, its own steps are toggled by a mask of lanes, and so are the
//! squares it sees, up to the first that is occupied: [`Rays::seen`]. When a square becomes
//! occupied or empty, the slides that reach it are cut or lengthened behind it, by exactly the
//! squares seen from it; the lanes are those of its column. Both take one look around, without a
//! loop and without a branch. Toggling undoes itself, so adding and removing are the same code.

use super::board::Board;
use super::change::Change;
use crate::color::{ByColor, Color};
use crate::direction::{Direction, DirectionSet};
use crate::lanes::{Chosen, Lanes};
use crate::move_list::StepSets;
use crate::movement;
use crate::piece::{Piece, PieceKind};
use crate::rays::{FIRST_JUMP, JUMPS, Moves, Rays, Sets, moves_of, side_of};
use crate::square::Square;
use crate::square_set::SquareSet;

/// Which directions attack each square.
///
/// ```
/// use tsumero_core::{Color, Direction, Position};
/// let position = Position::startpos();
/// let square = "7g".parse().unwrap();
/// // The bishop on 8h slides there, the knight on 8i jumps.
/// let attacks = position.attacks();
/// assert_eq!(attacks.count(Color::Black, square), 2);
/// assert!(attacks.slides(Color::Black, square).contains(Direction::NorthEast));
/// assert!(attacks.steps(Color::Black, square).contains(Direction::NorthNorthEast));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct AttackMap {
    steps: ByColor<Sets>,
    slides: ByColor<Sets>,
    /// Knights jump to their right and to their left.
    jumps: ByColor<[SquareSet; 2]>,
}

/// The map of one color, in registers.
#[derive(Clone, Copy)]
pub(crate) struct Side<L: Lanes> {
    steps: Rays<L>,
    slides: Rays<L>,
    jumps: [SquareSet; 2],
}

const _: () = assert!(size_of::<AttackMap>() == 9 * 64, "no byte is padding");

impl AttackMap {
    /// The map of a board without pieces.
    pub(crate) fn empty() -> AttackMap {
        AttackMap {
            steps: ByColor([[[0; 8]; 2]; 2]),
            slides: ByColor([[[0; 8]; 2]; 2]),
            jumps: ByColor([[SquareSet::EMPTY; 2]; 2]),
        }
    }

    /// The map of a board, computed by walking from every piece: the slow twin of the incremental
    /// updates.
    pub(crate) fn compute(board: &Board) -> AttackMap {
        let mut map = AttackMap::empty();
        for color in Color::ALL {
            for from in board.pieces(color) {
                let Some(piece) = board.piece_at(from) else { continue };
                for direction in movement::steps(piece) {
                    let Some(to) = from.neighbor(direction) else { continue };
                    if direction.is_jump() {
                        map.jumps[color][side_of(direction)].insert(to);
                    } else {
                        let (word, bit) = (to.index() / 64, 1 << (to.index() % 64));
                        map.steps[color][word][direction.index()] |= bit;
                    }
                }
                for direction in movement::slides(piece).compass() {
                    board.walk_squares(from, direction, |to| {
                        let (word, bit) = (to.index() / 64, 1 << (to.index() % 64));
                        map.slides[color][word][direction.index()] |= bit;
                    });
                }
            }
        }
        map
    }

    /// The directions in whose sets a square is.
    #[inline(always)]
    fn column(sets: &Sets, square: Square) -> u8 {
        let index = square.index();
        Chosen::load(&sets[index / 64]).column(index as u32 % 64)
    }

    /// Bit 0: the square is reached by a jump to the right; bit 1: by one to the left.
    #[inline]
    fn jumps_onto(&self, color: Color, square: Square) -> u16 {
        let [right, left] = self.jumps[color].map(|targets| u16::from(targets.contains(square)));
        right | left << 1
    }

    /// The directions in which pieces of the color step or jump onto the square.
    #[inline]
    pub fn steps(&self, color: Color, square: Square) -> DirectionSet {
        let jumps = self.jumps_onto(color, square) << (FIRST_JUMP + 2 * color.index());
        DirectionSet::from_bits(u16::from(Self::column(&self.steps[color], square)) | jumps)
    }

    /// The directions in which slides of the color reach the square.
    #[inline]
    pub fn slides(&self, color: Color, square: Square) -> DirectionSet {
        DirectionSet::from_bits(u16::from(Self::column(&self.slides[color], square)))
    }

    /// All directions in which the color attacks the square.
    #[inline]
    pub fn directions(&self, color: Color, square: Square) -> DirectionSet {
        let index = square.index();
        let [steps, slides] =
            [&self.steps, &self.slides].map(|sets| Chosen::load(&sets[color][index / 64]));
        let compass = steps.or(slides).column(index as u32 % 64);
        let jumps = self.jumps_onto(color, square) << (FIRST_JUMP + 2 * color.index());
        DirectionSet::from_bits(u16::from(compass) | jumps)
    }

    /// Whether the color attacks the square.
    #[inline]
    pub fn attacked(&self, color: Color, square: Square) -> bool {
        let index = square.index();
        let [steps, slides] =
            [&self.steps, &self.slides].map(|sets| Chosen::load(&sets[color][index / 64]));
        steps.or(slides).column(index as u32 % 64) != 0 || self.jump_targets(color).contains(square)
    }

    /// Number of the color's pieces that attack the square.
    #[inline]
    pub fn count(&self, color: Color, square: Square) -> u32 {
        self.directions(color, square).len()
    }

    /// The squares that the color attacks.
    #[inline]
    pub fn attacked_squares(&self, color: Color) -> SquareSet {
        self.side::<Chosen>(color).squares()
    }

    /// The squares that the color's pieces attack, its king on the given square left out.
    #[inline]
    pub(crate) fn attacked_without_king(&self, color: Color, king: Square) -> SquareSet {
        // Where the king steps no other piece steps in the same direction.
        let steps = self.steps_of(color).xor(Rays::neighbors(king));
        steps.or(self.slides_of(color)).squares().union(self.jump_targets(color))
    }

    /// The squares that two or more of the color's pieces attack.
    #[inline]
    pub fn doubly_attacked_squares(&self, color: Color) -> SquareSet {
        let compass = self.compass_of(color);
        let (once, twice) = (compass.squares().words(), compass.squares_twice().words());
        let [right, left] = self.jumps[color].map(SquareSet::words);
        SquareSet::from_words(std::array::from_fn(|word| {
            let (either, both) = (right[word] | left[word], right[word] & left[word]);
            twice[word] | once[word] & either | both
        }))
    }

    /// The color's slides, direction by direction.
    #[inline(always)]
    pub(crate) fn slides_of(&self, color: Color) -> Rays<Chosen> {
        Rays::of(&self.slides[color])
    }

    /// The color's steps, direction by direction.
    #[inline(always)]
    pub(crate) fn steps_of(&self, color: Color) -> Rays<Chosen> {
        Rays::of(&self.steps[color])
    }

    /// The color's steps and slides, direction by direction.
    #[inline(always)]
    pub(crate) fn compass_of(&self, color: Color) -> Rays<Chosen> {
        self.steps_of(color).or(self.slides_of(color))
    }

    /// The squares the color's knights jump to.
    #[inline]
    pub(crate) fn jump_targets(&self, color: Color) -> SquareSet {
        let [right, left] = self.jumps[color];
        right.union(left)
    }

    /// The squares that the color attacks, and those on which the other color's king on the given
    /// square could be captured although they are behind it: where it may not go.
    #[inline(always)]
    pub(crate) fn attacked_around(&self, color: Color, king: Square) -> SquareSet {
        self.side::<Chosen>(color).attacked_around(king)
    }

    /// The map of one color.
    #[inline(always)]
    pub(crate) fn side<L: Lanes>(&self, color: Color) -> Side<L> {
        Side {
            steps: Rays::of(&self.steps[color]),
            slides: Rays::of(&self.slides[color]),
            jumps: self.jumps[color],
        }
    }

    /// The squares that the moving color attacks after a change on a board of which this is the
    /// map, and those behind the other color's king, as if it had left its square.
    #[inline]
    pub(crate) fn attacked_after(
        &self,
        change: &Change,
        occupied: SquareSet,
        king: Square,
    ) -> SquareSet {
        let [us] = self.sides_after::<Chosen, 1>([change.arrives.color()], change, occupied);
        us.attacked_around(king)
    }

    /// The maps of the given colors, of which the first is the moving one, after a change on a
    /// board of which this is the map.
    #[inline(always)]
    pub(crate) fn sides_after<L: Lanes, const N: usize>(
        &self,
        colors: [Color; N],
        change: &Change,
        occupied: SquareSet,
    ) -> [Side<L>; N] {
        let Change { leaves, to, arrives, captured } = *change;
        debug_assert_eq!(colors[0], arrives.color());
        let mut sides = colors.map(|color| self.side::<L>(color));
        let mut own = [moves_of(None); N];
        let mut left = occupied;
        if let Some((from, piece)) = leaves {
            own[0] = moves_of(Some(piece));
            sides[0].toggle_steps(Rays::neighbors(from), own[0]);
            sides[0].toggle_jumps(from, piece);
            toggle_slides(&mut sides, from, occupied, own, true);
            left = occupied.difference(SquareSet::single(from));
        }
        own[0] = moves_of(Some(arrives));
        let neighbors = Rays::neighbors(to);
        sides[0].toggle_steps(neighbors, own[0]);
        sides[0].toggle_jumps(to, arrives);
        if N > 1 {
            own[1] = moves_of(captured);
            sides[1].toggle_steps(neighbors, own[1]);
            if let Some(captured) = captured {
                sides[1].toggle_jumps(to, captured);
            }
        }
        // After a capture the square stays occupied, and no slide that reaches it changes.
        toggle_slides(&mut sides, to, left, own, captured.is_none());
        sides
    }

    /// Writes the map after a change on a board of which this is the map.
    ///
    /// # Safety
    ///
    /// `after` must be valid for writing. All of the map is written.
    #[inline(always)]
    pub(crate) unsafe fn write_after(
        &self,
        change: &Change,
        occupied: SquareSet,
        after: *mut AttackMap,
    ) {
        let us = change.arrives.color();
        // Our maps and theirs, read once and written once: what one half of the change has
        // written need not come back from memory for the other.
        let colors = [us, !us];
        let sides = self.sides_after::<Chosen, 2>(colors, change, occupied);
        for (side, color) in sides.into_iter().zip(colors) {
            // SAFETY: the caller's promise.
            unsafe {
                side.steps.store_to(&raw mut (*after).steps.0[color.index()]);
                side.slides.store_to(&raw mut (*after).slides.0[color.index()]);
                (&raw mut (*after).jumps.0[color.index()]).write(side.jumps);
            }
        }
    }
}

impl<L: Lanes> Side<L> {
    /// Steps and slides, direction by direction.
    #[inline(always)]
    pub(crate) fn compass(&self) -> Rays<L> {
        self.steps.or(self.slides)
    }

    /// The squares that knights jump to.
    #[inline(always)]
    pub(crate) fn jump_targets(&self) -> SquareSet {
        let [right, left] = self.jumps;
        right.union(left)
    }

    /// Slides, direction by direction.
    #[inline(always)]
    pub(crate) fn slides(&self) -> Rays<L> {
        self.slides
    }

    /// The squares attacked.
    #[inline(always)]
    pub(crate) fn squares(&self) -> SquareSet {
        self.compass().squares().union(self.jump_targets())
    }

    /// The squares attacked, and those behind a king as if it had left its square: slides that
    /// check it reach one square further then.
    #[inline(always)]
    fn attacked_around(&self, king: Square) -> SquareSet {
        let checks = self.slides.within(SquareSet::single(king)).lanes();
        let behind = Rays::neighbors(king).keep_lanes(checks);
        self.compass().or(behind).squares().union(self.jump_targets())
    }

    /// For each of the two jumps of this side's knights, the squares they lead to and the direction.
    #[inline(always)]
    pub(crate) fn jumps_by_direction(&self, color: Color) -> [(SquareSet, Direction); 2] {
        let first = FIRST_JUMP + 2 * color.index();
        let [right, left] = self.jumps;
        [(right, Direction::ALL[first]), (left, Direction::ALL[first + 1])]
    }

    /// Steps onto some squares and jumps onto some, of this side, which is of the given color.
    #[inline(always)]
    pub(crate) fn step_sets(&self, color: Color, on: SquareSet, jumps_on: SquareSet) -> StepSets {
        let jumps = self.jumps_by_direction(color);
        StepSets {
            compass: self.steps.within(on).sets(),
            jumps: jumps.map(|(onto, _)| onto.intersection(jumps_on)),
            jump_offsets: jumps.map(|(_, jump)| jump.offset()),
        }
    }

    /// Takes away the steps and jumps of a piece of this side, or brings them back.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, square: Square, piece: Piece) {
        self.toggle_steps(Rays::neighbors(square), moves_of(Some(piece)));
        self.toggle_jumps(square, piece);
    }

    /// Whether a square is attacked.
    #[inline(always)]
    pub(crate) fn attacks(&self, square: Square) -> bool {
        self.compass().column(square) != 0 || self.jump_targets().contains(square)
    }

    /// All directions in which this side, of the given color, attacks a square.
    #[inline(always)]
    pub(crate) fn directions(&self, color: Color, square: Square) -> DirectionSet {
        let [right, left] = self.jumps.map(|targets| u16::from(targets.contains(square)));
        let jumps = (right | left << 1) << (FIRST_JUMP + 2 * color.index());
        DirectionSet::from_bits(u16::from(self.compass().column(square)) | jumps)
    }

    /// Number of steps and slides onto the squares of a set, and once more of slides onto those of
    /// a second set.
    #[inline(always)]
    pub(crate) fn tally(&self, on: SquareSet, again: SquareSet) -> L::Tally {
        // No square has a step and a slide in the same direction.
        let once = self.compass().within(on).vectors();
        let twice = self.slides.within(again).vectors();
        L::tally([once[0], once[1], twice[0], twice[1]])
    }

    /// Number of jumps onto the squares of a set, and once more onto those of a second set.
    #[inline(always)]
    pub(crate) fn jumps(&self, on: SquareSet, again: SquareSet) -> u32 {
        let number =
            |targets: SquareSet| targets.intersection(on).len() + targets.intersection(again).len();
        number(self.jumps[0]) + number(self.jumps[1])
    }

    /// Toggles the steps of a piece onto the squares around it: each in the set of its direction, so
    /// that whatever is in the set of a direction has a square one step back.
    #[inline(always)]
    fn toggle_steps(&mut self, neighbors: Rays<L>, moves: &Moves) {
        self.steps = self.steps.xor(neighbors.keep_set(&moves.steps));
    }

    /// Toggles the jumps of a piece if it is a knight: each in the set of its jump, so that whatever
    /// is in the set of a jump has a square one jump back.
    #[inline(always)]
    fn toggle_jumps(&mut self, square: Square, piece: Piece) {
        if piece.kind() == PieceKind::Knight {
            let [right, left] = JUMPS[piece.color().index()][square.index()];
            self.jumps[0] = self.jumps[0].symmetric_difference(right);
            self.jumps[1] = self.jumps[1].symmetric_difference(left);
        }
    }
}

/// Toggles what is seen from a square: for one color or for both (ours, theirs) the slides of a
/// piece of its that comes or goes, and those that reach the square if they may pass from now on,
/// or may no longer.
#[inline(always)]
fn toggle_slides<L: Lanes, const N: usize>(
    sides: &mut [Side<L>; N],
    square: Square,
    occupied: SquareSet,
    own: [&Moves; N],
    passed: bool,
) {
    let mut lanes = own.map(|moves| moves.slides);
    for number in 0..N {
        lanes[number] ^= if passed { sides[number].slides.column(square) } else { 0 };
    }
    if L::ASKS_FIRST && lanes == [0; N] {
        return;
    }
    let seen = Rays::<L>::seen(square, occupied);
    for number in 0..N {
        sides[number].slides = sides[number].slides.xor(seen.keep(lanes[number]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn sets_and_columns_say_the_same() {
        let mut position = Position::startpos();
        let mut seed = 21u64;
        for _ in 0..1500 {
            let attacks = position.attacks();
            for color in Color::ALL {
                let (mut once, mut twice) = (SquareSet::EMPTY, SquareSet::EMPTY);
                let mut sum = 0;
                for square in Square::all() {
                    let steps = attacks.steps(color, square);
                    let slides = attacks.slides(color, square);
                    assert!(steps.intersection(slides).is_empty());
                    assert_eq!(attacks.directions(color, square), steps.union(slides));
                    let count = attacks.count(color, square);
                    assert_eq!(count, position.attackers(color, square).len());
                    sum += count;
                    if count >= 1 {
                        once.insert(square);
                    }
                    if count >= 2 {
                        twice.insert(square);
                    }
                }
                assert_eq!(attacks.attacked_squares(color), once);
                assert_eq!(attacks.doubly_attacked_squares(color), twice);
                let none = SquareSet::EMPTY;
                let side = attacks.side::<Chosen>(color);
                let tally = Chosen::total(side.tally(SquareSet::ALL, none));
                assert_eq!(tally + side.jumps(SquareSet::ALL, none), sum);
            }
            let moves = position.legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            match moves.get((seed >> 33) as usize % moves.len().max(1)) {
                Some(&mv) => position.play(mv),
                None => position = Position::startpos(),
            }
        }
    }
}
