//! Attack maps: for every square, which directions it is attacked from.
//!
//! A map keeps, for each color and direction, the set of squares attacked in that direction, as one
//! word of 128 bits. Steps and slides have separate sets. The two jumps of a knight have sets of
//! their own. Every move updates all of them.
//!
//! ```text
//!                 lane    0    1    2    3    4    5    6    7
//!            direction    N    NE   E    SE   S    SW   W    NW
//!   steps[color][word]  [ .    .    .    .    .    .    .    .  ]   word 0: files 1 to 5 and 6a, 6b
//!  slides[color][word]  [ .    .    .    .    .    .    .    .  ]   word 1: the other squares
//!   jumps[color]        two sets of squares: right, left
//! ```
//!
//! So a square is one bit of eight words, its *column*. The bits of the column tell from where the
//! square is attacked, so one test of eight lanes answers that. A direction is one lane, so one
//! operation on all lanes works in all eight directions around a square.
//!
//! The first occupied square on a slide counts as attacked, whatever stands there: an own piece is
//! defended, an enemy piece attacked. A color never has a step and a slide in the same direction
//! onto the same square, because the neighbor against that direction holds a stepping piece, a
//! sliding piece, or nothing. Hence the number of attackers is the number of bits.
//!
//! When a piece arrives or leaves, its steps are toggled by a mask of lanes. So are the squares
//! that it sees, up to the first occupied one: [`Rays::seen`]. When a square becomes occupied or
//! empty, the slides through it are cut or lengthened by exactly the squares seen from it, in the
//! lanes of its column. Both take one look around, without a loop and without a branch. Toggling
//! undoes itself, so adding and removing a piece are the same code.

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

/// The attack map (利き) of both colors: from which directions each square is attacked.
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
    /// The squares that knights attack by jumps to their right, and to their left.
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
            steps: ByColor([Sets::EMPTY; 2]),
            slides: ByColor([Sets::EMPTY; 2]),
            jumps: ByColor([[SquareSet::EMPTY; 2]; 2]),
        }
    }

    /// The map of a board, computed by walking from every piece. It is the slow twin of the
    /// incremental updates.
    pub(crate) fn compute(board: &Board) -> AttackMap {
        let mut map = AttackMap::empty();
        for color in Color::ALL {
            for from in board.pieces(color) {
                let Some(piece) = board.piece_at(from) else { continue };
                for direction in movement::steps(piece) {
                    let Some(to) = from.neighbor(direction) else { continue };
                    match direction.compass() {
                        Some(compass) => map.steps[color].insert(compass, to),
                        None => map.jumps[color][side_of(direction)].insert(to),
                    }
                }
                for direction in movement::slides(piece).compass() {
                    board.walk_squares(from, direction, |to| {
                        map.slides[color].insert(direction, to);
                    });
                }
            }
        }
        map
    }

    /// The directions whose sets contain a square.
    #[inline(always)]
    fn column(sets: &Sets, square: Square) -> u8 {
        let index = square.index();
        Chosen::load(&sets.words()[index / 64]).column(index as u32 % 64)
    }

    /// The directions in which pieces of the color step or jump onto the square.
    #[inline]
    pub fn steps(&self, color: Color, square: Square) -> DirectionSet {
        let jumps = jump_bits(&self.jumps[color], color, square);
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
            [&self.steps, &self.slides].map(|sets| Chosen::load(&sets[color].words()[index / 64]));
        let compass = steps.or(slides).column(index as u32 % 64);
        let jumps = jump_bits(&self.jumps[color], color, square);
        DirectionSet::from_bits(u16::from(compass) | jumps)
    }

    /// Whether the color attacks the square.
    #[inline]
    pub fn attacked(&self, color: Color, square: Square) -> bool {
        let index = square.index();
        let [steps, slides] =
            [&self.steps, &self.slides].map(|sets| Chosen::load(&sets[color].words()[index / 64]));
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

    /// The squares that the color's pieces attack, without its king, which stands on the given
    /// square.
    #[inline]
    pub(crate) fn attacked_without_king(&self, color: Color, king: Square) -> SquareSet {
        // No other piece steps to the king's targets in the same direction, so toggling removes
        // exactly the king's steps.
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

    /// The squares where the other color's king, on the given square, may not go: those that the
    /// color attacks, and those behind the king on the line of a checking slide (x-ray).
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

    /// The squares that the moving color attacks after a change on the board of this map. The
    /// squares behind the other color's king on checking slides (x-ray) are included.
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

    /// The maps of the given colors after a change on the board of this map. The first color is the
    /// moving one.
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
        let mut left = occupied;
        if let Some((from, piece)) = leaves {
            toggle_origin(&mut sides, from, piece, occupied);
            left = occupied.difference(SquareSet::single(from));
        }
        toggle_target(&mut sides, to, arrives, captured, left);
        sides
    }

    /// Changes the map by a change on its board, whose occupied squares before it are given.
    pub(super) fn make(&mut self, change: &Change, occupied: SquareSet) {
        let us = change.arrives.color();
        let sides = self.sides_after::<Chosen, 2>([us, !us], change, occupied);
        self.store([us, !us], sides);
    }

    /// Takes back a change on the board of this map, whose occupied squares after it are given.
    pub(super) fn unmake(&mut self, change: &Change, occupied: SquareSet) {
        let Change { leaves, to, arrives, captured } = *change;
        let us = arrives.color();
        let mut sides = [us, !us].map(|color| self.side::<Chosen>(color));
        // Toggling undoes itself: the same steps backwards.
        toggle_target(&mut sides, to, arrives, captured, occupied);
        if let Some((from, piece)) = leaves {
            let vacated = if captured.is_none() { SquareSet::single(to) } else { SquareSet::EMPTY };
            toggle_origin(&mut sides, from, piece, occupied.difference(vacated));
        }
        self.store([us, !us], sides);
    }

    fn store(&mut self, colors: [Color; 2], sides: [Side<Chosen>; 2]) {
        for (side, color) in sides.into_iter().zip(colors) {
            self.steps[color] = side.steps.sets();
            self.slides[color] = side.slides.sets();
            self.jumps[color] = side.jumps;
        }
    }

    /// Writes the map after a change on the board of this map.
    ///
    /// # Safety
    ///
    /// `after` must be valid for writing, and aligned. All of the map is written.
    #[inline(always)]
    pub(crate) unsafe fn write_after(
        &self,
        change: &Change,
        occupied: SquareSet,
        after: *mut AttackMap,
    ) {
        let us = change.arrives.color();
        // Both maps are read once and written once. So nothing that one half of the change has
        // written must come back from memory for the other half.
        let colors = [us, !us];
        let sides = self.sides_after::<Chosen, 2>(colors, change, occupied);
        for (side, color) in sides.into_iter().zip(colors) {
            // SAFETY: the caller's promise: these are the parts of one color. The loop writes those of both,
            // and a map has no others and no padding, as its size shows.
            unsafe {
                side.steps.store_to(&raw mut (*after).steps.0[color.index()]);
                side.slides.store_to(&raw mut (*after).slides.0[color.index()]);
                (&raw mut (*after).jumps.0[color.index()]).write(side.jumps);
            }
        }
    }
}

/// The directions in which knights of the color, whose jumps these are, reach the square: bits of a
/// [`DirectionSet`].
#[inline(always)]
fn jump_bits(jumps: &[SquareSet; 2], color: Color, square: Square) -> u16 {
    let [right, left] = jumps.map(|targets| u16::from(targets.contains(square)));
    (right | left << 1) << (FIRST_JUMP + 2 * color.index())
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

    /// The squares attacked, and those behind a king on checking slides (x-ray), as if it had left
    /// its square.
    #[inline(always)]
    fn attacked_around(&self, king: Square) -> SquareSet {
        let checks = self.slides.within(SquareSet::single(king)).lanes();
        let behind = Rays::neighbors(king).keep_lanes(checks);
        self.compass().or(behind).squares().union(self.jump_targets())
    }

    /// The two jumps of this side's knights: the squares they lead to, and their directions.
    #[inline(always)]
    pub(crate) fn jumps_by_direction(&self, color: Color) -> [(SquareSet, Direction); 2] {
        let first = FIRST_JUMP + 2 * color.index();
        let [right, left] = self.jumps;
        [(right, Direction::ALL[first]), (left, Direction::ALL[first + 1])]
    }

    /// The steps onto the squares of `on` and the jumps onto those of `jumps_on`. This side has the
    /// given color.
    #[inline(always)]
    pub(crate) fn step_sets(&self, color: Color, on: SquareSet, jumps_on: SquareSet) -> StepSets {
        let jumps = self.jumps_by_direction(color);
        StepSets {
            compass: *self.steps.within(on).sets().words(),
            jumps: jumps.map(|(onto, _)| onto.intersection(jumps_on)),
            jump_offsets: jumps.map(|(_, jump)| jump.offset()),
        }
    }

    /// Removes the steps and jumps of a piece of this side, or restores them. The generator relies on
    /// its color for memory safety.
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
        let jumps = jump_bits(&self.jumps, color, square);
        DirectionSet::from_bits(u16::from(self.compass().column(square)) | jumps)
    }

    /// The number of steps and slides onto the squares of a set, plus the number of slides onto
    /// those of a second set.
    #[inline(always)]
    pub(crate) fn tally(&self, on: SquareSet, again: SquareSet) -> L::Tally {
        // No square has a step and a slide in the same direction.
        let once = self.compass().within(on).vectors();
        let twice = self.slides.within(again).vectors();
        L::tally([once[0], once[1], twice[0], twice[1]])
    }

    /// The number of jumps onto the squares of a set, plus the number onto those of a second set.
    #[inline(always)]
    pub(crate) fn jumps(&self, on: SquareSet, again: SquareSet) -> u32 {
        let number =
            |targets: SquareSet| targets.intersection(on).len() + targets.intersection(again).len();
        number(self.jumps[0]) + number(self.jumps[1])
    }

    /// Toggles the steps of a piece onto the squares around it, each in the set of its direction.
    /// So each square in the set of a direction has a square one step back.
    #[inline(always)]
    fn toggle_steps(&mut self, neighbors: Rays<L>, moves: &Moves) {
        self.steps = self.steps.xor(neighbors.keep_set(&moves.steps));
    }

    /// Toggles the jumps of a piece if it is a knight, each in the set of its jump. So each square
    /// in the set of a jump has a square one jump back.
    #[inline(always)]
    fn toggle_jumps(&mut self, square: Square, piece: Piece) {
        if piece.kind() == PieceKind::Knight {
            let [right, left] = JUMPS[piece.color().index()][square.index()];
            self.jumps[0] = self.jumps[0].symmetric_difference(right);
            self.jumps[1] = self.jumps[1].symmetric_difference(left);
        }
    }
}

/// Toggles what a piece of the first color changes by leaving a square. The occupied squares are
/// those before it leaves; the square itself does not matter.
#[inline(always)]
fn toggle_origin<L: Lanes, const N: usize>(
    sides: &mut [Side<L>; N],
    from: Square,
    piece: Piece,
    occupied: SquareSet,
) {
    let mut own = [moves_of(None); N];
    own[0] = moves_of(Some(piece));
    sides[0].toggle_steps(Rays::neighbors(from), own[0]);
    sides[0].toggle_jumps(from, piece);
    toggle_slides(sides, from, occupied, own, true);
}

/// Toggles what a piece of the first color changes by arriving on a square, where it may capture a
/// piece of the second color. Whether the occupied squares contain the square does not matter.
#[inline(always)]
fn toggle_target<L: Lanes, const N: usize>(
    sides: &mut [Side<L>; N],
    to: Square,
    arrives: Piece,
    captured: Option<Piece>,
    occupied: SquareSet,
) {
    let mut own = [moves_of(None); N];
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
    // After a capture the square stays occupied, so no slide that reaches it changes.
    toggle_slides(sides, to, occupied, own, captured.is_none());
}

/// Toggles slides seen from a square where a piece arrives or leaves, for one color or for both
/// (ours, theirs). `own` are the slides of the piece itself. If `passed` is set, the slides that
/// reach the square are toggled too: they end on it now, or continue beyond it.
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
    use rand::prelude::*;

    use super::*;
    use crate::Position;
    use crate::lanes::TallyOf;

    #[test]
    fn sets_and_columns_say_the_same() {
        let mut position = Position::startpos();
        let mut rng = StdRng::seed_from_u64(21);
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
                let tally = TallyOf::<Chosen>::total(side.tally(SquareSet::ALL, none));
                assert_eq!(tally + side.jumps(SquareSet::ALL, none), sum);
            }
            match position.legal_moves().choose(&mut rng) {
                Some(&mv) => position.play_unchecked(mv),
                None => position = Position::startpos(),
            }
        }
    }
}
