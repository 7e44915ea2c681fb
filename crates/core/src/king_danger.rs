//! The danger around a king: which moves certainly allow no mate in one, known before they are
//! made.
//!
//! Most moves leave the king of their side as safe as it was. So the squares that matter are read
//! once from the placement *before* the move, for all moves of that side. Each move is then judged
//! by the two squares that it changes. The judgment uses bounds: the most that the opponent may
//! attack, and the least that the king may flee to. If even the bounds leave no mate, the move
//! allows none, and its placement need not be written. Every other move is examined by the full
//! test.
//!
//! ```text
//!   the move leaves `from`:  a slide of the attacker may now reach beyond `from`; none starts there
//!   it arrives on `to`:      a slide of either side may now end on `to`; none gets longer
//! ```
//!
//! The names take the attacker's side: `us` is the side that may mate next. `them` is the side that
//! moves now, whose king does not move. Moves of the king itself are not judged here.

use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::lanes::Chosen;
use crate::mating_patterns;
use crate::movement;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::PieceKind;
use crate::placement::Placement;
use crate::placement::attacks::AttackMap;
use crate::placement::board::{Board, Class};
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

/// What the attacker has around a king while the king's side is to move. The bytes hold neighbors
/// of the king; see [`neighbors`].
pub(crate) struct KingDanger {
    king: Square,
    us: Color,
    /// The king's neighbors on the board.
    around: u8,
    /// The neighbors that the king's own pieces occupy.
    theirs: u8,
    /// The neighbors that our pieces occupy.
    ours: u8,
    /// The neighbors that we attack.
    guarded: u8,
    /// The neighbors that stay supported after one of our pieces moves there.
    movable: u8,
    /// The compass directions from which one of our pieces could move to a distant check.
    far_moves: u8,
    /// The compass directions from which a dropped slider could give a distant check.
    far_drops: u8,
    /// Whether an opener, a piece that opens one of our lines by moving, could give check.
    opens: bool,
    /// The squares that we attack.
    attacked: SquareSet,
    /// The squares that our sliders may go to.
    sliding: SquareSet,
    /// The squares that the king sees, up to the first piece in each direction, that one included.
    seen: SquareSet,
    /// The squares whose vacating matters: the king's own, those that it sees (its neighbors among
    /// them) and those that our slides reach.
    sensitive: SquareSet,
    /// The squares that our slides towards the king reach.
    facing: SquareSet,
    /// The squares that our openers attack.
    reach: SquareSet,
    /// The squares that openers attack by sliding pieces, which may check at a distance.
    far_reach: SquareSet,
    /// The squares that openers attack by a knight's jump.
    jump_reach: SquareSet,
    /// The squares that their pieces attack, without the king.
    defended: SquareSet,
    /// The neighbors that their pieces defend. None if one of their pieces is pinned, because it
    /// may defend nothing.
    defended_around: u8,
    /// The squares on which we may give check by a recapture.
    recapture_checks: SquareSet,
}

/// The king's neighbors after a move.
struct Neighborhood {
    /// Flight squares that the king certainly has.
    flights: u8,
    /// Where a contact check could cover all flights.
    adjacent: u8,
    /// Neighbors that are empty.
    empty: u8,
}

impl KingDanger {
    /// Reads the danger around the king of `them`; `None` if there is no king.
    pub(crate) fn new(board: &Board, map: &AttackMap, them: Color) -> Option<KingDanger> {
        let us = !them;
        let king = board.king(them)?;
        let byte = |set| neighbors::byte(set, king);
        let next_to_king = rays::neighbors(king);
        let attacked = map.attacked_squares(us);
        let slides = map.slides_of(us);
        let view = Rays::<Chosen>::seen(king, board.occupied());
        let distant = view.within(SquareSet::ALL.difference(next_to_king.union(board.pieces(us))));
        let facing = slides.and(Rays::full(king).opposite()).squares();
        let seen = view.squares();
        let ends = slides.within(board.pieces(us));
        let hidden = map.compass_of(us).keep(ends.directions()).squares();
        let twice = map.doubly_attacked_squares(us);
        let sliding = sliders_reach(us, board, map, attacked);
        let defended = map.attacked_without_king(them, king);
        let pinned = !facing.intersection(seen).intersection(board.pieces(them)).is_empty();
        let mut danger = KingDanger {
            king,
            us,
            around: byte(SquareSet::ALL),
            theirs: byte(board.pieces(them)),
            ours: byte(board.pieces(us)),
            guarded: byte(attacked),
            far_moves: distant.within(sliding).directions(),
            far_drops: distant.within(board.empties()).directions(),
            opens: false,
            movable: byte(twice.union(hidden)),
            attacked,
            sliding,
            seen,
            sensitive: seen.union(slides.squares()).with(king),
            facing,
            reach: SquareSet::EMPTY,
            far_reach: SquareSet::EMPTY,
            jump_reach: SquareSet::EMPTY,
            recapture_checks: seen,
            defended,
            defended_around: if pinned { 0 } else { byte(defended) },
        };
        let openers = ends.and(Rays::towards(king)).squares();
        if !openers.is_empty() {
            openers.visit(|from| {
                let Some(piece) = board.piece_at(from) else { return };
                let reached = rays::targets(piece, from, board.occupied());
                danger.reach = danger.reach.union(reached);
                if !movement::slides(piece).is_empty() {
                    danger.far_reach = danger.far_reach.union(reached);
                } else if piece.kind() == PieceKind::Knight {
                    danger.jump_reach = danger.jump_reach.union(reached);
                }
            });
            danger.recapture_checks = seen.union(danger.reach);
            danger.opens = danger.openers_check(SquareSet::EMPTY, seen, board.pieces(us));
        }
        Some(danger)
    }

    /// Whether an opener could give check. The arguments are the squares that our slides reach
    /// beside those in `self`, the squares that the king sees, and the squares of our pieces.
    fn openers_check(&self, more: SquareSet, seen: SquareSet, held: SquareSet) -> bool {
        let next_to_king = rays::neighbors(self.king);
        let supported = next_to_king.intersection(self.attacked.union(more));
        let near = self.reach.union(more).intersection(supported);
        let far = self.far_reach.union(more).intersection(seen).difference(next_to_king);
        let jumps = rays::knight_checks(self.us, self.king);
        let jumps = self.jump_reach.intersection(jumps);
        let discovered = self.facing.intersection(held).intersection(seen);
        let directly = near.union(far).union(jumps).difference(held);
        !directly.union(discovered).is_empty()
    }

    /// Whether a move of the defender certainly allows no mate in one. A `false` proves nothing.
    ///
    /// `before` is the placement from which `self` was read. `hands` are the hands after the move.
    #[inline]
    pub(crate) fn allows_no_mate(
        &self,
        mv: Move,
        before: &Placement,
        hands: &ByColor<Hand>,
    ) -> bool {
        // The quick case, which holds for most moves: the king does not move, no slide continues
        // and the king sees nothing new where the piece leaves, and no recapture gives check.
        let (us, them, to) = (self.us, !self.us, mv.to());
        let sensitive = mv.from().is_some_and(|from| self.sensitive.contains_in_place(from));
        if sensitive || self.opens || mv.is_capture() && self.recapture_checks.contains_in_place(to)
        {
            return self.allows_no_mate_in_detail(mv, before, hands);
        }
        let Neighborhood { flights, adjacent, empty } =
            self.neighborhood_after(to, 0, self.guarded);
        let far = if hands[them].contains_unrestricted() {
            0
        } else {
            let drops = self.far_drops & mating_patterns::far_drops(us, hands[us], flights);
            mating_patterns::far_directions(flights)
                & mating_patterns::compass(empty)
                & (self.far_moves | drops)
        };
        // Checks from afar and by knights, which defended neighbors do not prevent.
        let distant = far | u8::from(flights == 0);
        adjacent | distant == 0
            || if adjacent & !self.defended_around | distant == 0 {
                self.drop_allows_no_mate(mv, before, hands)
            } else {
                self.allows_no_mate_in_detail(mv, before, hands)
            }
    }

    /// The part of [`KingDanger::allows_no_mate`] for moves after which only contact checks on
    /// neighbors in `defended_around` could mate. A drop takes no defender away, unless it blocks a
    /// line of its own side. Other moves are judged in detail.
    #[inline(never)]
    fn drop_allows_no_mate(&self, mv: Move, before: &Placement, hands: &ByColor<Hand>) -> bool {
        mv.from().is_none()
            && !self.facing.intersection(self.seen).contains(mv.to())
            && before.attacks().slides(!self.us, mv.to()).is_empty()
            || self.allows_no_mate_in_detail(mv, before, hands)
    }

    /// The king's neighbors after a move. `leaves` is the neighbor that the piece leaves, if any;
    /// `guarded` are the most neighbors that we may attack then.
    #[inline]
    fn neighborhood_after(&self, to: Square, leaves: u8, guarded: u8) -> Neighborhood {
        let arrives = neighbors::bit(self.king, to);
        let theirs = self.theirs & !leaves | arrives;
        let ours = self.ours & !arrives;
        let flights = self.around & !theirs & !guarded;
        Neighborhood {
            flights,
            adjacent: guarded & !ours & mating_patterns::coverable(flights),
            empty: self.around & !theirs & !ours,
        }
    }

    /// The part of [`KingDanger::allows_no_mate`] for moves and positions outside the quick case.
    #[inline(never)]
    fn allows_no_mate_in_detail(
        &self,
        mv: Move,
        before: &Placement,
        hands: &ByColor<Hand>,
    ) -> bool {
        if mv.kind() == PieceKind::King {
            return false;
        }
        let (board, map) = (before.board(), before.attacks());
        let (king, us, them) = (self.king, self.us, !self.us);
        let (from, to) = (mv.from(), mv.to());
        // What the vacated square lets through: `more` squares for our slides, and more that the
        // king sees.
        let (mut more, mut seen) = (SquareSet::EMPTY, self.seen);
        let sensitive = from.filter(|&from| self.sensitive.contains(from));
        if let Some(from) = sensitive {
            let view = Rays::<Chosen>::seen(from, board.occupied());
            let lengthened = view.keep(map.slides(us, from).bits() as u8);
            let ends = lengthened.within(board.pieces(us));
            if ends.and(Rays::towards(king)).directions() != 0 {
                return false;
            }
            more = lengthened.squares();
            if self.seen.contains(from) {
                seen = seen.union(view.and(Rays::full(king)).squares());
            }
        }
        let held = board.pieces(us).difference(SquareSet::single(to));
        if !self.reach.is_empty() && self.openers_check(more, seen, held) {
            return false;
        }
        let guarded = self.guarded | neighbors::byte(more, king);
        let leaves = from.map_or(0, |from| neighbors::bit(king, from));
        let Neighborhood { flights, adjacent, empty } =
            self.neighborhood_after(to, leaves, guarded);
        let far = if hands[them].contains_unrestricted() {
            0
        } else {
            mating_patterns::far_directions(flights) & mating_patterns::compass(empty)
        };
        if adjacent | far | u8::from(flights == 0) == 0 {
            return true;
        }
        let defended = self.defended_after(mv, before, more, seen);
        let adjacent = adjacent & !neighbors::byte(defended, king);
        if adjacent != 0 {
            let movable = if sensitive.is_some() { u8::MAX } else { self.movable };
            if adjacent & movable != 0 {
                return false;
            }
            let droppable =
                empty & mating_patterns::mating_drops(us, hands[us].contact_drop_kinds(), flights);
            if adjacent & droppable != 0 {
                return false;
            }
        }
        let empties = from.map_or(board.empties(), |from| board.empties().with(from));
        if far != 0 {
            let drops = far & mating_patterns::far_drops(us, hands[us], flights);
            let beside = held.union(rays::neighbors(king)).union(defended);
            let checks = Rays::<Chosen>::full(king).within(seen.difference(beside));
            let moves = checks.within(self.sliding.union(more)).directions() & far;
            if moves | checks.within(empties).directions() & drops != 0 {
                return false;
            }
        }
        if flights == 0 {
            let checks = rays::knight_checks(us, king).difference(held).difference(defended);
            let drops = hands[us].contains(PieceKind::Knight);
            let droppable = if drops { empties } else { SquareSet::EMPTY };
            if !checks.intersection(map.jump_targets(us).union(droppable)).is_empty() {
                return false;
            }
        }
        true
    }

    /// Squares that their pieces other than the king certainly defend after a move.
    fn defended_after(
        &self,
        mv: Move,
        before: &Placement,
        more: SquareSet,
        seen: SquareSet,
    ) -> SquareSet {
        let (board, map) = (before.board(), before.attacks());
        let (them, to) = (!self.us, mv.to());
        // With any pinned piece, nothing is certain.
        let mut pieces = board.pieces(them).with(to);
        if let Some(from) = mv.from() {
            pieces.remove(from);
        }
        if !self.facing.union(more).intersection(seen).intersection(pieces).is_empty() {
            return SquareSet::EMPTY;
        }
        let mut defended = self.defended;
        if let Some(from) = mv.from() {
            defended = defended.difference(rays::targets(mv.piece(), from, board.occupied()));
        }
        if !mv.is_capture() {
            let blocked = map.slides(them, to);
            if !blocked.is_empty() {
                let behind = Rays::<Chosen>::seen(to, board.occupied()).keep(blocked.bits() as u8);
                defended = defended.difference(behind.squares());
            }
        }
        defended
    }
}

/// A set that contains all squares that the sliders of a color may move to. Without a promoted
/// slider these are its slides; otherwise all that the color attacks.
#[inline]
pub(crate) fn sliders_reach(
    us: Color,
    board: &Board,
    map: &AttackMap,
    attacked: SquareSet,
) -> SquareSet {
    if board.of_class(us, Class::PromotedSlider).is_empty() {
        map.slides_of(us).squares()
    } else {
        attacked
    }
}
