//! The pieces whose rows a sum holds, and the rows by which another position differs.
//!
//! A cache of sums compares whole boards: most of their cells are equal, and eight cells are
//! compared at once. That is faster than listing the inputs of the position.

use tsumero_core::{ByColor, Color, File, Hand, Piece, PieceKind, Position, Rank, Square};

use crate::features::{View, king_inputs};
use crate::kind::{Kind, Kings, PIECES};

/// The pieces of a position, as far as they are inputs of one view.
#[derive(Clone)]
pub(crate) struct Placed {
    /// As in [`Position::cells`].
    cells: [u8; Square::CELLS],
    hands: ByColor<Hand>,
    /// The inputs of the viewer's king and of the other one, if kings are inputs.
    kings: Option<[u16; 2]>,
    /// How often input 0 counts: once for each missing piece.
    missing: u32,
}

impl Placed {
    /// Nothing at all.
    pub(crate) const NONE: Placed = Placed {
        cells: [0; Square::CELLS],
        hands: ByColor([Hand::EMPTY; 2]),
        kings: None,
        missing: 0,
    };

    /// The pieces of a position.
    pub(crate) fn of(kind: Kind, view: View, position: &Position) -> Placed {
        let hands = ByColor(Color::ALL.map(|owner| position.hand(owner)));
        let kings = ByColor(Color::ALL.map(|owner| position.king(owner)));
        let number_of = |owner| {
            let held: u32 = PieceKind::HAND.map(|kind| hands[owner].count(kind)).iter().sum();
            position.squares_of(owner).len() - u32::from(kings[owner].is_some()) + held
        };
        let present: u32 = Color::ALL.map(number_of).iter().sum();
        Placed {
            cells: *position.cells(),
            hands,
            kings: (kind.kings() != Kings::None).then(|| king_inputs(view, kings)),
            missing: (PIECES as u32).saturating_sub(present),
        }
    }

    /// Calls back with the inputs that are active here but not in `later`, and with those that are
    /// active there only. Each comes as often as it counts.
    pub(crate) fn exchange(
        &self,
        later: &Placed,
        view: View,
        mut removed: impl FnMut(u16),
        mut added: impl FnMut(u16),
    ) {
        let (before, rest) = self.cells.as_chunks::<8>();
        let (after, later_rest) = later.cells.as_chunks::<8>();
        debug_assert!(rest.iter().chain(later_rest).all(|&cell| Piece::from_cell(cell).is_none()));
        for (number, (before, after)) in before.iter().zip(after).enumerate() {
            let mut differing = u64::from_le_bytes(*before) ^ u64::from_le_bytes(*after);
            while differing != 0 {
                let place = differing.trailing_zeros() as usize / 8;
                differing &= !(0xff << (8 * place));
                let Some(square) = SQUARE_OF_CELL[8 * number + place] else { continue };
                let input = |cell: u8| {
                    let piece = Piece::from_cell(cell)?;
                    (piece.kind() != PieceKind::King).then(|| view.on_board(piece, square))
                };
                input(before[place]).into_iter().for_each(&mut removed);
                input(after[place]).into_iter().for_each(&mut added);
            }
        }
        for owner in Color::ALL {
            let (before, after) = (self.hands[owner], later.hands[owner]);
            if before == after {
                continue;
            }
            for kind in PieceKind::HAND {
                let (before, after) = (before.count(kind) as u16, after.count(kind) as u16);
                (after + 1..=before).for_each(|count| removed(view.in_hand(owner, kind, count)));
                (before + 1..=after).for_each(|count| added(view.in_hand(owner, kind, count)));
            }
        }
        if self.kings != later.kings {
            self.kings.into_iter().flatten().for_each(&mut removed);
            later.kings.into_iter().flatten().for_each(&mut added);
        }
        (later.missing..self.missing).for_each(|_| removed(0));
        (self.missing..later.missing).for_each(|_| added(0));
    }
}

/// The square of each cell; `None` in the margin.
const SQUARE_OF_CELL: [Option<Square>; Square::CELLS] = {
    let mut table = [None; Square::CELLS];
    let mut number = 0;
    while number < 81 {
        let (file, rank) = (File::new(number / 9 + 1), Rank::new(number % 9 + 1));
        if let (Some(file), Some(rank)) = (file, rank) {
            let square = Square::new(file, rank);
            table[square.index()] = Some(square);
        }
        number += 1;
    }
    table
};
