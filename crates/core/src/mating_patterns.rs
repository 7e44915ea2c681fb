//! Mating patterns around a king: which squares next to it each piece checks from, and which flight
//! squares it covers from there.
//!
//! Sets of the king's neighbors are bytes; see [`neighbors`](crate::neighbors). The tables are
//! made from the movements at compile time.

use crate::color::Color;
use crate::direction::{Direction, DirectionSet};
use crate::hand::Hand;
use crate::movement;
use crate::neighbors::DIRECTIONS;
use crate::piece::{Piece, PieceKind};

/// For each piece, the neighbors from which it attacks the king.
const CHECKS: [u8; Piece::COUNT] = {
    let mut table = [0; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        if let Some(piece) = Piece::from_cell(index as u8) {
            let mut bit = 0;
            while bit < 8 {
                let back = DIRECTIONS[bit].opposite().direction();
                if movement::steps(piece).union(movement::slides(piece)).contains(back) {
                    table[index] |= 1 << bit;
                }
                bit += 1;
            }
        }
        index += 1;
    }
    table
};

/// For each piece, one byte for each neighbor that it may stand on. The byte holds the neighbors
/// that the piece covers from there: its own square, and those that it could attack on an empty
/// board. Not even the king stands in its way.
const COVERS: [u64; Piece::COUNT] = {
    let mut table = [0; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        if let Some(piece) = Piece::from_cell(index as u8) {
            let mut bit = 0;
            while bit < 8 {
                table[index] |= (cover(piece, bit) as u64) << (8 * bit);
                bit += 1;
            }
        }
        index += 1;
    }
    table
};

/// For each piece and each set of flights, the neighbors from which it attacks the king and covers
/// all flights.
static MATES: [[u8; 256]; Piece::COUNT] = {
    let mut table = [[0; 256]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let mut flights = 0;
        while flights < 256 {
            let left = (flights as u64 * ONES) & !COVERS[index];
            table[index][flights] = CHECKS[index] & zero_bytes(left);
            flights += 1;
        }
        index += 1;
    }
    table
};

/// For each color, each set of [`Hand::CONTACT_DROP_KINDS`] and each set of flights: the neighbors
/// on which a piece of one of the kinds attacks the king and covers all flights.
static MATING_DROPS: [[[u8; 256]; 1 << Hand::CONTACT_DROP_KINDS.len()]; 2] = {
    let mut table = [[[0; 256]; 1 << Hand::CONTACT_DROP_KINDS.len()]; 2];
    let mut index = 0;
    while index < 512 {
        let (color, flights) = ([Color::Black, Color::White][index / 256], index % 256);
        let mut kinds = 1usize;
        while kinds < 1 << Hand::CONTACT_DROP_KINDS.len() {
            // The set without its lowest kind is done already; this adds that kind.
            let kind = Hand::CONTACT_DROP_KINDS[kinds.trailing_zeros() as usize];
            let mates = MATES[Piece::new(color, kind).index()][flights];
            table[index / 256][kinds][flights] =
                table[index / 256][kinds & (kinds - 1)][flights] | mates;
            kinds += 1;
        }
        index += 1;
    }
    table
};

/// The neighbors on which a dropped piece of one of the kinds attacks the king and covers all
/// flights.
#[inline]
pub(crate) fn mating_drops(us: Color, contact_drop_kinds: u8, flights: u8) -> u8 {
    MATING_DROPS[us.index()][usize::from(contact_drop_kinds) % MATING_DROPS[0].len()]
        [usize::from(flights)]
}

/// What pieces other than the king could attack from each neighbor: the union of their covers.
const COVERS_OF_ANY: u64 = {
    let mut union = 0;
    let mut index = 0;
    while index < Piece::COUNT {
        if let Some(piece) = Piece::from_cell(index as u8)
            && !matches!(piece.kind(), PieceKind::King)
        {
            union |= COVERS[index];
        }
        index += 1;
    }
    union
};

const fn cover(piece: Piece, stands: usize) -> u8 {
    let (x, y) = DIRECTIONS[stands].direction().vector();
    let mut byte = 1 << stands;
    let mut bit = 0;
    while bit < 8 {
        let (to_x, to_y) = DIRECTIONS[bit].direction().vector();
        let (dx, dy) = (to_x - x, to_y - y);
        let mut steps = movement::steps(piece);
        let direction = match Direction::from_vector(dx, dy) {
            None if dx % 2 == 0 && dy % 2 == 0 => {
                steps = DirectionSet::EMPTY;
                Direction::from_vector(dx / 2, dy / 2)
            }
            direction => direction,
        };
        if let Some(direction) = direction
            && steps.union(movement::slides(piece)).contains(direction)
        {
            byte |= 1 << bit;
        }
        bit += 1;
    }
    byte
}

/// The neighbors from which a piece attacks the king and covers all flights.
#[inline]
pub(crate) fn mates(piece: Piece, flights: u8) -> u8 {
    MATES[piece.index()][usize::from(flights)]
}

/// For each set of flights, the neighbors from which some piece could cover all of them.
static COVERABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut flights = 0;
    while flights < 256 {
        table[flights] = zero_bytes((flights as u64 * ONES) & !COVERS_OF_ANY);
        flights += 1;
    }
    table
};

/// The neighbors from which some piece could cover all flights.
#[inline]
pub(crate) fn coverable(flights: u8) -> u8 {
    COVERABLE[usize::from(flights)]
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// One bit for each byte, set where the byte is 0.
#[inline]
const fn zero_bytes(word: u64) -> u8 {
    let low_bits = 0x7f * ONES;
    let zero = !(((word & low_bits) + low_bits) | word | low_bits);
    // The product gathers the bits 7, 15, … 63, which the shift has moved to 0, 8, … 56, in its
    // highest byte.
    ((zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// For each direction in which a distant checker may stand, the neighbors on its line: the one
/// before the king and the one behind it.
const LINE_COVERS: [u8; 8] = {
    let mut table = [0; 8];
    let mut stands = 0;
    while stands < 8 {
        let mut bit = 0;
        while bit < 8 {
            let direction = DIRECTIONS[bit].index();
            if direction == DIRECTIONS[stands].index()
                || direction == DIRECTIONS[stands].opposite().index()
            {
                table[stands] |= 1 << bit;
            }
            bit += 1;
        }
        stands += 1;
    }
    table
};

/// For each direction in which a distant checker may stand, the neighbors that some slider could
/// cover from there: those on the line, and for a dragon or a horse two squares away the neighbors
/// beside the line.
const FAR_COVERS: [u8; 8] = {
    let mut table = LINE_COVERS;
    let mut stands = 0;
    while stands < 8 {
        let (x, y) = DIRECTIONS[stands].direction().vector();
        let mut bit = 0;
        while bit < 8 {
            let (to_x, to_y) = DIRECTIONS[bit].direction().vector();
            let dragon = Piece::new(Color::Black, PieceKind::Dragon);
            let horse = Piece::new(Color::Black, PieceKind::Horse);
            let steps = movement::steps(dragon).union(movement::steps(horse));
            if let Some(direction) = Direction::from_vector(to_x - 2 * x, to_y - 2 * y)
                && steps.contains(direction)
            {
                table[stands] |= 1 << bit;
            }
            bit += 1;
        }
        stands += 1;
    }
    table
};

/// For each set of flights, the compass directions whose cover contains all of them, one bit each.
const fn directions_covering(covers: [u8; 8]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut flights = 0;
    while flights < 256 {
        let mut stands = 0;
        while stands < 8 {
            if flights as u8 & !covers[stands] == 0 {
                table[flights] |= 1 << DIRECTIONS[stands].index();
            }
            stands += 1;
        }
        flights += 1;
    }
    table
}

/// For each set of flights, the compass directions from which some distant slider could cover all
/// of them.
static FAR_DIRECTIONS: [u8; 256] = directions_covering(FAR_COVERS);

/// For each set of flights, the compass directions from which a slider could cover all of them by
/// its line alone.
static LINE_DIRECTIONS: [u8; 256] = directions_covering(LINE_COVERS);

/// For each set of neighbors, the compass directions to them, one bit each.
static COMPASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut neighbors = 0;
    while neighbors < 256 {
        let mut bit = 0;
        while bit < 8 {
            if neighbors >> bit & 1 != 0 {
                table[neighbors] |= 1 << DIRECTIONS[bit].index();
            }
            bit += 1;
        }
        neighbors += 1;
    }
    table
};

/// The compass directions to some neighbors.
#[inline]
pub(crate) fn compass(neighbors: u8) -> u8 {
    COMPASS[usize::from(neighbors)]
}

/// The compass directions from which a slider could check at a distance and cover all flights.
#[inline]
pub(crate) fn far_directions(flights: u8) -> u8 {
    FAR_DIRECTIONS[usize::from(flights)]
}

/// The compass directions from which a dropped slider of a color's hand could check at a distance
/// and cover all flights.
#[inline]
pub(crate) fn far_drops(us: Color, hand: Hand, flights: u8) -> u8 {
    /// By color and kinds held. A slider checks from the side opposite to its slide.
    static DIRECTIONS: [[u8; 1 << Hand::CONTACT_DROP_KINDS.len()]; 2] = {
        let mut table = [[0; 1 << Hand::CONTACT_DROP_KINDS.len()]; 2];
        let mut kinds = 1usize;
        while kinds < 1 << Hand::CONTACT_DROP_KINDS.len() {
            let kind = Hand::CONTACT_DROP_KINDS[kinds.trailing_zeros() as usize];
            let mut color = 0;
            while color < 2 {
                let piece = Piece::new([Color::Black, Color::White][color], kind);
                let directions = movement::slides(piece).opposite().bits() as u8;
                table[color][kinds] = table[color][kinds & (kinds - 1)] | directions;
                color += 1;
            }
            kinds += 1;
        }
        table
    };
    let kinds = usize::from(hand.contact_drop_kinds()) % DIRECTIONS[0].len();
    DIRECTIONS[us.index()][kinds] & LINE_DIRECTIONS[usize::from(flights)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direction::Compass;

    /// The worked example of the paper's table 1, a gold to the king's lower right.
    #[test]
    fn covers_are_those_of_the_paper() {
        let gold = Piece::new(Color::Black, PieceKind::Gold);
        let stands = 2;
        // From the south-east square a black gold attacks the king's east and south neighbors,
        // and the king by its step to the north-west.
        assert_eq!(mates(gold, 0) >> stands & 1, 1);
        assert_eq!(cover(gold, stands), 1 << 2 | 1 << 1 | 1 << 4);
        let dragon = Piece::new(Color::White, PieceKind::Dragon);
        assert_eq!(cover(dragon, 3), 1 << 3 | 1 << 0 | 1 << 5 | 1 << 1 | 1 << 6 | 1 << 4);
        assert_eq!(mates(gold, 1 << 1 | 1 << 4) >> stands & 1, 1);
        assert_eq!(mates(gold, 1 << 7) >> stands & 1, 0);
    }

    #[test]
    fn a_distant_slider_covers_its_line_and_a_dragon_more() {
        let of = |direction: Compass| 1u8 << direction.index();
        assert_eq!(far_directions(0), 0xff);
        // North and south of the king lie on the line of a slider from either, and a dragon to
        // the north-east or north-west reaches the northern square. Bits as in `neighbors`.
        let (north, south) = (1 << 3, 1 << 4);
        assert_eq!(far_directions(north | south), of(Compass::North) | of(Compass::South));
        let hand = Hand::EMPTY.with(PieceKind::Rook).with(PieceKind::Bishop);
        let lance = Hand::EMPTY.with(PieceKind::Lance);
        assert_eq!(far_drops(Color::Black, hand, 0), 0xff);
        assert_eq!(far_drops(Color::Black, lance, 0), of(Compass::South));
        let along = of(Compass::North) | of(Compass::South);
        assert_eq!(far_drops(Color::White, hand, north | south), along);
        assert_eq!(far_drops(Color::White, lance, north | south), of(Compass::North));
        assert_eq!(far_drops(Color::White, hand, north | 1 << 0), 0);
        for flights in 0..=255u8 {
            for (bit, direction) in DIRECTIONS.into_iter().enumerate() {
                let covers = flights & !FAR_COVERS[bit] == 0;
                assert_eq!(far_directions(flights) & of(direction) != 0, covers);
                assert_eq!(compass(flights) & of(direction) != 0, flights >> bit & 1 != 0);
            }
        }
    }

    #[test]
    fn zero_bytes_are_found() {
        for word in [0, u64::MAX, 0x0100_0001_8000_ff00, 0x8080_8080_8080_8080, 0x0001] {
            let expected =
                (0..8).filter(|n| word >> (8 * n) & 0xff == 0).map(|n| 1 << n).sum::<u8>();
            assert_eq!(zero_bytes(word), expected, "{word:x}");
        }
    }
}
