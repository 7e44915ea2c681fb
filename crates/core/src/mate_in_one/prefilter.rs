//! The prefilter: cheap conditions that every mate in one meets, checked before anything else.

use crate::color::Color;
use crate::hand::Hand;
use crate::lanes::Chosen;
use crate::mating_patterns;
use crate::neighbors;
use crate::placement::Placement;
use crate::rays::Rays;
use crate::square::Square;

/// What the prefilter finds out about the king to be mated.
pub(super) struct Prefilter {
    pub(super) king: Square,
    /// What stands on the king's neighbors.
    pub(super) around: Around,
    /// The king's neighbors that we attack.
    pub(super) guarded: u8,
    /// The king's flight squares as the board is now: neighbors without a piece of its own that we
    /// do not attack. Squares hidden behind the king from one of our sliders (x-rays) still count.
    pub(super) flights: u8,
    /// Neighbors of the king that we attack and do not occupy, from which some piece could cover
    /// all flights: where a contact check may mate.
    pub(super) contact: u8,
    /// The compass directions from which a slider could check at a distance and cover all flights.
    /// It is 0 if the defender can answer every distant check.
    pub(super) far: u8,
    /// The directions of our slides that end on our own pieces, with the king or one of its
    /// neighbors further ahead.
    pub(super) opening: u8,
}

impl Prefilter {
    /// `None` if no family can contain a mate: no contact check, no distant check, no line to open,
    /// and a flight square that rules out a knight's mate. This is one branch for many positions.
    #[inline(always)]
    pub(super) fn new(placement: &Placement, us: Color, their_hand: Hand) -> Option<Prefilter> {
        let (board, attacks) = (placement.board(), placement.attacks());
        let king = board.king(!us)?;
        let byte = |set| neighbors::byte(set, king);
        let around = Around { empty: byte(board.empties()), ours: byte(board.pieces(us)) };
        let guarded = byte(attacks.attacked_squares(us));
        let flights = (around.empty | around.ours) & !guarded;
        // A defender who can drop a piece on any square can answer every distant check by an
        // interposition (合駒).
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

/// Our pieces on which our slides end, with the king or one of its neighbors further ahead.
#[inline(always)]
pub(super) fn ends(placement: &Placement, us: Color, king: Square) -> Rays<Chosen> {
    let slides = placement.attacks().slides_of(us);
    slides.within(placement.board().pieces(us)).and(Rays::towards(king))
}

/// What stands on the king's neighbors.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub(super) empty: u8,
    pub(super) ours: u8,
}
