//! The inputs of K-P for each side, how they change when the board is turned or mirrored, and the
//! rows that they choose in networks of other kinds.
//!
//! The numbers are those of the file format, as the network crate defines them.

use tsumero_core::{Color, Position};
use tsumero_network::{KP_MIRRORED, KP_TURNED, Kind};

/// Number of inputs.
pub(crate) const INPUTS: usize = Kind::Kp.inputs();
/// The first input of the viewer's own king, and of kings at all.
pub(crate) const OWN_KING: u16 = INPUTS as u16 - 2 * 81;
/// The first input of the other king.
const OTHER_KING: u16 = INPUTS as u16 - 81;
/// The number of active inputs of a position: 38 pieces, where missing ones count as input 0, and
/// two kings.
pub(crate) const ACTIVE: usize = Kind::Kp.active();

/// The active inputs of a position in one view.
pub(crate) type Active = [u16; ACTIVE];

/// The active inputs of a position in a color's view.
pub(crate) fn active(view: Color, position: &Position) -> Active {
    let mut inputs = Vec::with_capacity(ACTIVE);
    Kind::Kp.active_inputs(view, position, &mut inputs);
    assert_eq!(inputs.len(), ACTIVE, "K-P always has as many active inputs");
    std::array::from_fn(|number| inputs[number] as u16)
}

/// The same position as the other side sees it.
#[inline]
pub(crate) fn turned(active: &Active) -> Active {
    active.map(|input| KP_TURNED[usize::from(input)])
}

/// The position with left and right exchanged.
#[inline]
pub(crate) fn mirrored(active: &Active) -> Active {
    active.map(|input| KP_MIRRORED[usize::from(input)])
}

/// The numbers of a network's rows, one for each active input.
pub(super) type Rows = [u32; ACTIVE];

/// The first row of the part of a network that each square of the own king chooses.
#[derive(Clone, Debug)]
pub(super) struct Parts([u32; 81]);

impl Parts {
    pub(super) fn new(kind: Kind) -> Parts {
        Parts(std::array::from_fn(|square| (kind.part(square) * INPUTS) as u32))
    }

    /// The rows of active inputs.
    #[inline]
    pub(super) fn rows(&self, active: &Active) -> Rows {
        // The kings come last, in either order.
        let [.., one, other] = *active;
        let own = if one < OTHER_KING { one } else { other };
        let first = self.0[usize::from(own - OWN_KING)];
        active.map(|input| first + u32::from(input))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    fn sorted(active: Active) -> Active {
        let mut active = active;
        active.sort_unstable();
        active
    }

    /// Positions of random games.
    pub(crate) fn random_positions(count: usize, seed: u64) -> Vec<Position> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut positions = Vec::new();
        let mut position = Position::startpos();
        while positions.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || rng.random_bool(0.005) {
                position = Position::startpos();
                continue;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            positions.push(position.clone());
        }
        positions
    }

    /// The position with left and right exchanged, made from the text.
    fn mirrored_text(position: &Position) -> Position {
        let sfen = position.to_sfen();
        let (board, rest) = sfen.split_once(' ').unwrap();
        let ranks: Vec<String> = board.split('/').map(reversed).collect();
        Position::from_sfen(&format!("{} {rest}", ranks.join("/"))).unwrap()
    }

    /// The position with the board turned around and the colors exchanged, made from the text.
    pub(crate) fn turned_text(position: &Position) -> Position {
        let swap_case = |text: &str| -> String {
            let swap = |letter: char| match letter.is_ascii_uppercase() {
                true => letter.to_ascii_lowercase(),
                false => letter.to_ascii_uppercase(),
            };
            text.chars().map(swap).collect()
        };
        let sfen = position.to_sfen();
        let fields: Vec<&str> = sfen.split(' ').collect();
        let board = reversed(&swap_case(fields[0]));
        let side = if fields[1] == "b" { "w" } else { "b" };
        let sfen = format!("{board} {side} {} {}", swap_case(fields[2]), fields[3]);
        Position::from_sfen(&sfen).unwrap()
    }

    /// Ranks of an SFEN from their other end; a plus stays before its letter.
    fn reversed(ranks: &str) -> String {
        let mut cells: Vec<String> = Vec::new();
        for letter in ranks.chars() {
            match cells.last_mut() {
                Some(cell) if cell == "+" => cell.push(letter),
                _ => cells.push(letter.to_string()),
            }
        }
        cells.into_iter().rev().collect()
    }

    #[test]
    fn the_other_view_follows_from_one() {
        let mut positions = random_positions(3000, 1);
        // Pieces are missing, and hands are full.
        for sfen in [
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
            "4k4/9/9/9/9/9/9/9/K8 w RB2G3S4NL9Prb2gs3l9p 1",
        ] {
            positions.push(Position::from_sfen(sfen).unwrap());
        }
        for position in &positions {
            let [black, white] = Color::ALL.map(|view| active(view, position));
            assert_eq!(sorted(turned(&black)), sorted(white), "{position}");
            assert_eq!(sorted(turned(&white)), sorted(black), "{position}");
        }
    }

    #[test]
    fn rows_are_those_of_the_network() {
        let parts = Parts::new(Kind::ZoneKa1);
        let mut zones = std::collections::HashSet::new();
        for position in random_positions(3000, 3) {
            for color in Color::ALL {
                let mut expected = Vec::new();
                Kind::ZoneKa1.active_inputs(color, &position, &mut expected);
                expected.sort_unstable();
                zones.insert(expected[0] / INPUTS);
                let (own, other) = (active(color, &position), active(!color, &position));
                for active in [own, turned(&other)] {
                    let mut rows = parts.rows(&active).map(|row| row as usize);
                    rows.sort_unstable();
                    assert_eq!(rows[..], expected, "{position}");
                }
                let plain = Parts::new(Kind::Kp).rows(&own);
                assert!(plain.iter().zip(own).all(|(&row, input)| row == u32::from(input)));
            }
        }
        assert_eq!(zones.len(), 9, "every zone was seen");
    }

    #[test]
    fn mirrored_inputs_are_those_of_the_mirrored_board() {
        for position in random_positions(2000, 2) {
            let mirrored_board = mirrored_text(&position);
            for view in Color::ALL {
                assert_eq!(
                    sorted(mirrored(&active(view, &position))),
                    sorted(active(view, &mirrored_board)),
                    "{position}"
                );
            }
        }
    }
}
