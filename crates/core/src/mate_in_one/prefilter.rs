//! The prefilter: cheap conditions that every mate in one meets, asked before anything else.

use crate::color::Color;
use crate::hand::Hand;
use crate::lanes::Chosen;
use crate::mating_patterns;
use crate::neighbors;
use crate::placement::Placement;
use crate::rays::Rays;
use crate::square::Square;

/// What the gate finds out about a king to be mated.
pub(super) struct Prefilter {
    pub(super) king: Square,
    /// What stands on the king's neighbours.
    pub(super) around: Around,
    /// The king's neighbours that we attack.
    pub(super) guarded: u8,
    /// The king's neighbours it may step to now: not held by its own men, not attacked by us.
    pub(super) flights: u8,
    /// The king's neighbours that we attack and do not hold, from which some piece could cover all
    /// flights.
    pub(super) contact: u8,
    /// The compass directions in which a slider could check from afar and cover all flights; none
    /// if every distant check can be answered.
    pub(super) far: u8,
    /// The directions of slides of ours that end on our own pieces with the king or a neighbour
    /// ahead.
    pub(super) opening: u8,
}

impl Prefilter {
    /// `None` if no family can hold a mate: nothing may go next to the king, check it from afar or
    /// open a line, and a knight would leave a flight. One branch for many positions.
    #[inline(always)]
    pub(super) fn new(placement: &Placement, us: Color, their_hand: Hand) -> Option<Prefilter> {
        let (board, attacks) = (placement.board(), placement.attacks());
        let king = board.king(!us)?;
        let byte = |set| neighbors::byte(set, king);
        let around = Around { empty: byte(board.empties()), ours: byte(board.pieces(us)) };
        let guarded = byte(attacks.attacked_squares(us));
        let flights = (around.empty | around.ours) & !guarded;
        // A piece that may be dropped on any square answers every distant check.
        let unanswered = u8::from(their_hand.contains_unrestricted()).wrapping_sub(1);
        let far = mating_patterns::far_directions(flights)
            & mating_patterns::compass(around.empty)
            & unanswered;
        let contact = guarded & !around.ours & mating_patterns::coverable(flights);
        let opening = ends(placement, us, king).directions();
        let knight = u8::from(flights == 0);
        let prefilter = Prefilter { king, around, guarded, flights, contact, far, opening };
        if contact | far | opening | knight == 0 { None } else { Some(prefilter) }
    }
}

/// Our pieces on which slides of ours end, with the king or a neighbour ahead.
#[inline(always)]
pub(super) fn ends(placement: &Placement, us: Color, king: Square) -> Rays<Chosen> {
    let slides = placement.attacks().slides_of(us);
    slides.within(placement.board().pieces(us)).and(Rays::towards(king))
}

/// What stands on the king's neighbours.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub(super) empty: u8,
    pub(super) ours: u8,
}
