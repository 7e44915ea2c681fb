//! Mate in one without lookahead: which move mates at once, told from the board as it stands.
//!
//! After Yamazaki, Seno, Iida and Kotani, "A method of computing mate in one without lookahead in
//! shogi" (1990s): the free squares around the king form one byte, and a checking move mates if
//! it leaves no bit of it, cannot be captured, and cannot be answered by interposing. The moves
//! that can mate fall into four families, one file each. Each family first turns away what
//! cannot mate by cheap necessary conditions, whole bytes at a time; what is left is decided
//! exactly by [`after`], which reads the attack map and walks only the lines that the move
//! changes. No move is made.
//!
//! Contract: a move that is returned mates, and `None` means that no legal move mates. Pawn drops
//! are never considered, because a pawn drop that mates is illegal.

mod adjacent;
mod after;
mod discovered;
mod knight;
mod slider;

use std::cell::OnceCell;

use after::After;

use crate::color::Color;
use crate::hand::Hand;
use crate::king_danger::KingDanger;
use crate::lanes::Chosen;
use crate::mating_patterns;
use crate::movement;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::placement::Placement;
use crate::placement::attacks::AttackMap;
use crate::placement::board::Board;
use crate::position::Position;
use crate::promotion::promotion;
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// A move that mates at once, or `None` if no legal move does.
    ///
    /// Works in check, too, and for a side without a king.
    pub fn mate_in_one(&self) -> Option<Move> {
        if self.allows_no_mate() { None } else { self.hunt() }
    }
}

impl Position {
    /// Whether the last move is known to allow no mate without a look at the board after it.
    #[inline]
    fn allows_no_mate(&self) -> bool {
        self.last_change().is_some_and(|(before, mv, notes)| {
            let them = mv.color();
            let danger = notes.king_dangers[them]
                .get_or_init(|| KingDanger::new(before.board(), before.attacks(), them));
            danger.as_ref().is_none_or(|danger| danger.allows_no_mate(mv, before, self.hands()))
        })
    }

    /// Looks for a mate on the board as it stands. The gate, which turns away half of all
    /// positions, is a function of its own, for which few registers suffice.
    #[inline(never)]
    fn hunt(&self) -> Option<Move> {
        let us = self.side_to_move();
        let placement = self.placement();
        let approach = Approach::new(placement, us, self.hand(!us))?;
        Hunt::follow(self, placement, &approach)
    }
}

/// What the gate finds out about a king to be mated.
struct Approach {
    king: Square,
    /// What stands on the king's neighbours.
    around: Around,
    /// The king's neighbours that we attack.
    guarded: u8,
    /// The king's neighbours it may step to now: not held by its own men, not attacked by us.
    flights: u8,
    /// The king's neighbours that we attack and do not hold, from which some piece could cover all
    /// flights.
    contact: u8,
    /// The compass directions in which a slider could check from afar and cover all flights; none
    /// if every distant check can be answered.
    far: u8,
    /// The directions of slides of ours that end on our own pieces with the king or a neighbour
    /// ahead.
    opening: u8,
}

impl Approach {
    /// `None` if no family can hold a mate: nothing may go next to the king, check it from afar or
    /// open a line, and a knight would leave a flight. One branch for many positions.
    #[inline(always)]
    fn new(placement: &Placement, us: Color, their_hand: Hand) -> Option<Approach> {
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
        let approach = Approach { king, around, guarded, flights, contact, far, opening };
        if contact | far | opening | knight == 0 { None } else { Some(approach) }
    }
}

/// Our pieces on which slides of ours end, with the king or a neighbour ahead.
#[inline(always)]
fn ends(placement: &Placement, us: Color, king: Square) -> Rays<Chosen> {
    let slides = placement.attacks().slides_of(us);
    slides.within(placement.board().pieces(us)).and(Rays::towards(king))
}

/// What the families need to know about the position.
struct Hunt<'a> {
    position: &'a Position,
    board: &'a Board,
    attacks: &'a AttackMap,
    us: Color,
    them: Color,
    /// The king to be mated.
    king: Square,
    /// What stands on the king's neighbours.
    around: Around,
    /// The king's neighbours that we attack.
    guarded: u8,
    /// The king's neighbours it may step to now: not held by its own men, not attacked by us.
    flights: u8,
    /// See [`Approach::contact`].
    contact: u8,
    /// The compass directions in which a slider could check from afar and cover all flights; none
    /// if every distant check can be answered.
    far: u8,
    /// See [`Approach::opening`].
    opening: u8,
    /// Our pieces that stop one of our slides before a flight or before the king, and may give
    /// check: when they leave, it may guard the flight, pin a defender or give check. By any other
    /// move no line does that it did not before.
    openers: SquareSet,
    /// Our pieces that stand alone between one of our sliders and the king. All are openers.
    discoverers: SquareSet,
    /// See [`Hunt::constraints`].
    constraints: OnceCell<Constraints>,
}

/// What stands on the king's neighbours.
#[derive(Clone, Copy)]
struct Around {
    empty: u8,
    ours: u8,
}

/// What our own king asks of our moves.
struct Constraints {
    /// Where our pieces other than the king may go (a checker to be captured, lines to be cut).
    targets: SquareSet,
    /// Our pieces that must stay on the line to our own king.
    pinned: SquareSet,
}

impl<'a> Hunt<'a> {
    /// Looks for a mate behind the gate, family by family.
    #[inline(always)]
    fn follow(
        position: &'a Position,
        placement: &'a Placement,
        approach: &Approach,
    ) -> Option<Move> {
        let us = position.side_to_move();
        let Approach { king, around, guarded, flights, contact, far, opening } = *approach;
        let mut hunt = Hunt {
            position,
            board: placement.board(),
            attacks: placement.attacks(),
            us,
            them: !us,
            king,
            around,
            guarded,
            flights,
            contact,
            far,
            opening,
            openers: SquareSet::EMPTY,
            discoverers: SquareSet::EMPTY,
            constraints: OnceCell::new(),
        };
        if opening != 0 {
            hunt.find_openers(ends(placement, us, king));
        }
        hunt.adjacent()
            .or_else(|| hunt.knight())
            .or_else(|| hunt.slider())
            .or_else(|| hunt.discovered())
    }

    /// Finds the openers that may give check among the pieces on which slides of ours end.
    #[inline(always)]
    fn find_openers(&mut self, ends: Rays<Chosen>) {
        let seen = Rays::<Chosen>::seen(self.king, self.board.occupied());
        self.discoverers = seen.and(ends.opposite()).squares();
        let next_to_king = rays::neighbors(self.king);
        let far = seen.squares().difference(next_to_king);
        let jumps = rays::knight_checks(self.us, self.king);
        ends.squares().visit(|from| {
            let Some(piece) = self.board.piece_at(from) else { return };
            let checking = match piece.kind() {
                PieceKind::Knight => next_to_king.union(jumps),
                _ if movement::slides(piece).is_empty() => next_to_king,
                _ => next_to_king.union(far),
            };
            let reached = rays::targets(piece, from, self.board.occupied());
            let checks = reached.intersection(checking).difference(self.board.pieces(self.us));
            if !checks.is_empty() || self.discoverers.contains(from) {
                self.openers.insert(from);
            }
        });
    }

    /// The squares that pieces of theirs, the king left out, might capture on. It is no less than
    /// that after a move of a piece that is no opener: then only present pins keep pieces from
    /// capturing, and with any pin the answer is none.
    fn defended(&self) -> SquareSet {
        match self.position.placement().line_guards(self.king, self.them, self.us).is_empty() {
            true => self.attacks.attacked_without_king(self.them, self.king),
            false => SquareSet::EMPTY,
        }
    }

    /// The neighbour of the king with the given bit.
    fn neighbor(&self, bit: usize) -> Option<Square> {
        self.king.neighbor(neighbors::DIRECTIONS[bit])
    }

    /// Most positions are decided before anyone asks this.
    fn constraints(&self) -> &Constraints {
        self.constraints.get_or_init(|| Constraints {
            targets: self.position.evasion_targets(),
            pinned: self.position.pinned(self.us),
        })
    }

    /// Whether a piece of ours other than the king may move like this.
    fn may_move(&self, from: Square, to: Square) -> bool {
        let Constraints { targets, pinned } = self.constraints();
        targets.contains(to)
            && (!pinned.contains(from)
                || self
                    .board
                    .king(self.us)
                    .is_some_and(|king| Position::stays_on_line(king, from, to)))
    }

    /// Whether leaving `from` for `to` opens a line of ours to the king: the move then belongs to
    /// the third family.
    fn discovers(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !Position::stays_on_line(self.king, from, to)
    }

    /// The first move that the test accepts among those of our pieces that attack a square.
    fn find_attacker(
        &self,
        to: Square,
        mut test: impl FnMut(Square) -> Option<Move>,
    ) -> Option<Move> {
        let steps = self.attacks.steps(self.us, to);
        let slides = self.attacks.slides(self.us, to);
        steps
            .filter_map(|direction| to.neighbor(direction.opposite()))
            .chain(slides.compass().filter_map(|d| self.board.first_piece(to, d.opposite())))
            .find_map(&mut test)
    }

    /// The forms in which a piece may arrive on a square: promoted, and as it is.
    fn arrivals(
        &self,
        from: Square,
        to: Square,
        piece: Piece,
    ) -> impl Iterator<Item = Piece> + use<> {
        let (may, must) = promotion(self.us, piece.kind(), from, to);
        let promoted = if may { piece.kind().promoted() } else { None };
        let color = self.us;
        let as_it_is = if must { None } else { Some(piece) };
        promoted.map(|kind| Piece::new(color, kind)).into_iter().chain(as_it_is)
    }

    /// The necessary condition shared by all families: every present flight, but for the square
    /// the piece itself goes to and the neighbours in `opened`, is one the arriving piece could
    /// attack on an empty board. It holds only for pieces that are not openers.
    fn could_cover(&self, piece: Piece, to: Square, opened: u8) -> bool {
        neighbors::bits(self.flights & !opened).all(|bit| {
            let Some(flight) = self.neighbor(bit) else {
                return true;
            };
            flight == to || attacks_on_empty_board(piece, to, flight)
        })
    }

    /// Tries the ways in which the piece on `from` may arrive on `to` and give check there.
    fn try_arrivals(&self, from: Square, to: Square) -> Option<Move> {
        let piece = self.board.piece_at(from)?;
        if piece.kind() == PieceKind::King {
            return None;
        }
        let opens_line = self.openers.contains(from);
        self.arrivals(from, to, piece)
            .find(|&arrived| {
                attacks_on_empty_board(arrived, to, self.king)
                    && (opens_line || self.could_cover(arrived, to, 0))
                    && self.may_move(from, to)
                    && !self.discovers(from, to)
                    && After::of_move(self, from, to, arrived).is_mate()
            })
            .map(|arrived| self.board_move(from, to, piece, arrived))
    }

    /// Tries a drop that is known to check and could cover all flights.
    fn try_drop(&self, piece: Piece, to: Square) -> Option<Move> {
        let mates =
            self.constraints().targets.contains(to) && After::of_drop(self, piece, to).is_mate();
        mates.then(|| Move::drop(piece, to))
    }

    fn board_move(&self, from: Square, to: Square, piece: Piece, arrived: Piece) -> Move {
        let captured = self.board.piece_at(to).map(Piece::kind);
        Move::board(from, to, piece, captured, arrived != piece)
    }
}

/// Whether a piece would attack one square from another if nothing stood between.
#[inline]
fn attacks_on_empty_board(piece: Piece, from: Square, to: Square) -> bool {
    movement::displacement(from, to).is_some_and(|displacement| {
        movement::slides(piece).contains(displacement.direction)
            || displacement.distance == 1 && movement::steps(piece).contains(displacement.direction)
    })
}
