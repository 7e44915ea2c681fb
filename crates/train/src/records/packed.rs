//! Positions in 256 bits and moves in 16 bits, as in the records of other programs.
//!
//! Two layouts are in use: packed SFEN (YaneuraOu's PSV) and the Huffman-coded position (Apery's
//! HCP, which dlshogi took over). Both begin with the side to move and the squares of the kings,
//! then come the squares from 1a, file by file, without the kings', then Black's hand, then
//! White's. Bits fill the bytes from the lowest. They differ in some codes and in the order of
//! the bits for color and promotion.

use tsumero_core::{Color, Hand, Piece, PieceKind, Position, Square, UsiMove};

/// Which of the two layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// Packed SFEN.
    Psv,
    /// Huffman-coded position.
    Hcp,
}

/// Why a position cannot be packed or unpacked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PackError {
    /// The layout cannot express a side without a king.
    #[error("a king is missing")]
    NoKing,
    /// Only packed SFEN can express missing pieces.
    #[error("pieces are missing, which this layout cannot express")]
    MissingPieces,
    /// The bits are not a position.
    #[error("not a packed position: {0}")]
    NotAPosition(String),
}

/// A code: its bits, the first one lowest, and their number.
type Code = (u8, u32);

/// Number of pieces of each kind in a full set, in the order of `PieceKind::HAND`.
const FULL_SET: [usize; 7] = [18, 4, 4, 4, 4, 2, 2];

impl Layout {
    /// Codes on the board, in the order of `PieceKind::HAND`. An empty square is one bit 0.
    const fn board_codes(self) -> [Code; 7] {
        match self {
            Layout::Psv => [(1, 2), (3, 4), (11, 4), (7, 4), (15, 5), (31, 6), (63, 6)],
            Layout::Hcp => [(1, 2), (3, 4), (7, 4), (11, 4), (15, 5), (31, 6), (63, 6)],
        }
    }

    /// Codes in hand. In packed SFEN a bit for promotion follows, except for a gold.
    const fn hand_codes(self) -> [Code; 7] {
        match self {
            Layout::Psv => [(0, 1), (1, 3), (5, 3), (3, 3), (7, 4), (15, 5), (31, 5)],
            Layout::Hcp => [(0, 2), (1, 4), (3, 4), (5, 4), (7, 4), (31, 6), (63, 6)],
        }
    }
}

/// In packed SFEN, codes of missing pieces. A bit 0 follows, except for a gold.
const MISSING_CODES: [Code; 7] = [(2, 2), (9, 4), (13, 4), (11, 4), (27, 5), (47, 6), (63, 6)];

/// Bits written one after the other.
#[derive(Default)]
struct BitWriter {
    bytes: [u8; 32],
    length: usize,
}

impl BitWriter {
    fn push(&mut self, value: u8, bits: u32) {
        for bit in 0..bits {
            // A full set takes exactly all bits. A position with more pieces is refused.
            if let Some(byte) = self.bytes.get_mut(self.length / 8) {
                *byte |= (value >> bit & 1) << (self.length % 8);
            }
            self.length += 1;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8; 32],
    next: usize,
}

impl BitReader<'_> {
    fn bit(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.next / 8)?;
        let bit = byte >> (self.next % 8) & 1;
        self.next += 1;
        Some(bit)
    }

    fn number(&mut self, bits: u32) -> Option<usize> {
        let mut value = 0;
        for place in 0..bits {
            value |= usize::from(self.bit()?) << place;
        }
        Some(value)
    }

    /// Reads the next code and returns its index, if it is one of them.
    fn code(&mut self, codes: &[Code; 7], mut value: u8, mut length: u32) -> Option<usize> {
        loop {
            if let Some(found) = codes.iter().position(|code| *code == (value, length)) {
                return Some(found);
            }
            if length == 6 {
                return None;
            }
            value |= self.bit()? << length;
            length += 1;
        }
    }
}

/// Packs a position.
///
/// # Errors
/// [`PackError`]: a side without a king, or pieces that the layout cannot express.
pub(crate) fn pack(position: &Position, layout: Layout) -> Result<[u8; 32], PackError> {
    let mut bits = BitWriter::default();
    bits.push(position.side_to_move().index() as u8, 1);
    for color in Color::ALL {
        let king = position.king(color).ok_or(PackError::NoKing)?;
        bits.push(king.dense_index() as u8, 7);
    }
    let mut left = FULL_SET;
    let count = |left: &mut [usize; 7], kind: PieceKind| {
        let place = PieceKind::HAND.iter().position(|&known| known == kind.unpromoted())?;
        left[place] = left[place].checked_sub(1)?;
        Some(place)
    };
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else {
            bits.push(0, 1);
            continue;
        };
        let kind = piece.kind();
        if kind == PieceKind::King {
            continue;
        }
        let place = count(&mut left, kind).ok_or(PackError::MissingPieces)?;
        let (code, length) = layout.board_codes()[place];
        bits.push(code, length);
        let color = piece.color().index() as u8;
        let promoted = u8::from(kind.is_promoted());
        match (kind, layout) {
            (PieceKind::Gold, _) => bits.push(color, 1),
            (_, Layout::Psv) => bits.push(promoted | color << 1, 2),
            (_, Layout::Hcp) => bits.push(color | promoted << 1, 2),
        }
    }
    for color in Color::ALL {
        for kind in PieceKind::HAND {
            for _ in 0..position.hand(color).count(kind) {
                let place = count(&mut left, kind).ok_or(PackError::MissingPieces)?;
                let (code, length) = layout.hand_codes()[place];
                bits.push(code, length);
                if layout == Layout::Psv && kind != PieceKind::Gold {
                    bits.push(0, 1);
                }
                bits.push(color.index() as u8, 1);
            }
        }
    }
    for (place, missing) in left.into_iter().enumerate() {
        if missing > 0 && layout == Layout::Hcp {
            return Err(PackError::MissingPieces);
        }
        for _ in 0..missing {
            let (code, length) = MISSING_CODES[place];
            bits.push(code, length);
            if PieceKind::HAND[place] != PieceKind::Gold {
                bits.push(0, 1);
            }
        }
    }
    debug_assert_eq!(bits.length, 256);
    Ok(bits.bytes)
}

/// Unpacks a position. The formats store the ply in different places, so it is passed separately.
///
/// # Errors
/// [`PackError::NotAPosition`].
pub(crate) fn unpack(bytes: &[u8; 32], layout: Layout, ply: u32) -> Result<Position, PackError> {
    let mut bits = BitReader { bytes, next: 0 };
    let unpacked = read_parts(&mut bits, layout)
        .ok_or_else(|| PackError::NotAPosition(format!("bit {} fits nothing", bits.next)))?;
    let sfen = unpacked.sfen(ply);
    Position::from_sfen(&sfen).map_err(|error| PackError::NotAPosition(error.to_string()))
}

/// The contents of the bits.
struct Parts {
    side_to_move: Color,
    board: [Option<Piece>; 81],
    hands: [Hand; 2],
}

fn read_parts(bits: &mut BitReader<'_>, layout: Layout) -> Option<Parts> {
    let side_to_move = Color::ALL[bits.number(1)?];
    let mut board = [None; 81];
    for color in Color::ALL {
        let king = bits.number(7)?;
        let cell = board.get_mut(king).filter(|cell| cell.is_none())?;
        *cell = Some(Piece::new(color, PieceKind::King));
    }
    for cell in &mut board {
        if cell.is_some() {
            continue;
        }
        let first = bits.bit()?;
        if first == 0 {
            continue;
        }
        let place = bits.code(&layout.board_codes(), first, 1)?;
        let kind = PieceKind::HAND[place];
        let (color, promoted) = match (kind, layout) {
            (PieceKind::Gold, _) => (bits.number(1)?, 0),
            (_, Layout::Psv) => {
                let promoted = bits.number(1)?;
                (bits.number(1)?, promoted)
            }
            (_, Layout::Hcp) => (bits.number(1)?, bits.number(1)?),
        };
        let kind = if promoted == 1 { kind.promoted()? } else { kind };
        *cell = Some(Piece::new(Color::ALL[color], kind));
    }
    let mut hands = [Hand::EMPTY; 2];
    while bits.next < 256 {
        let place = bits.code(&layout.hand_codes(), 0, 0)?;
        let kind = PieceKind::HAND[place];
        let has_promotion_bit = layout == Layout::Psv && kind != PieceKind::Gold;
        // "In hand and promoted" is how packed SFEN says that a piece is missing; for a gold it
        // takes a silver.
        let missing = has_promotion_bit && bits.bit()? == 1;
        let color = bits.number(1)?;
        if !missing {
            let hand = &mut hands[color];
            if hand.count(kind) >= Hand::limit(kind) {
                return None;
            }
            *hand = hand.with(kind);
        }
    }
    Some(Parts { side_to_move, board, hands })
}

impl Parts {
    fn sfen(&self, ply: u32) -> String {
        let letter = |piece: Piece| {
            let letter = piece.kind().unpromoted().letter();
            let plus = if piece.kind().is_promoted() { "+" } else { "" };
            match piece.color() {
                Color::Black => format!("{plus}{}", letter.to_ascii_uppercase()),
                Color::White => format!("{plus}{}", letter.to_ascii_lowercase()),
            }
        };
        let mut ranks = Vec::new();
        for rank in 0..9 {
            let mut text = String::new();
            let mut empty = 0;
            for file in (0..9).rev() {
                match self.board[file * 9 + rank] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push_str(&letter(piece));
                    }
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            ranks.push(text);
        }
        let mut hands = String::new();
        for color in Color::ALL {
            for kind in PieceKind::HAND.into_iter().rev() {
                let count = self.hands[color.index()].count(kind);
                if count > 1 {
                    hands.push_str(&count.to_string());
                }
                if count > 0 {
                    hands.push_str(&letter(Piece::new(color, kind)));
                }
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let side = if self.side_to_move == Color::Black { 'b' } else { 'w' };
        format!("{} {side} {hands} {}", ranks.join("/"), ply.max(1))
    }
}

/// The kinds in the order in which both layouts number drops.
const DROP_ORDER: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
];

/// A move in 16 bits: the target in bits 0 to 6, the origin in bits 7 to 13. A drop is, in PSV,
/// the kind from 1 and bit 14, in Apery's form 81 + the kind from 0. Bit 15 (PSV) or 14 (Apery)
/// is promotion.
pub(crate) fn pack_move(mv: UsiMove, layout: Layout) -> u16 {
    match mv {
        UsiMove::Board { from, to, promotes } => {
            let promotion = match layout {
                Layout::Psv => 1 << 15,
                Layout::Hcp => 1 << 14,
            };
            let squares = (from.dense_index() << 7 | to.dense_index()) as u16;
            squares | if promotes { promotion } else { 0 }
        }
        UsiMove::Drop { kind, to } => {
            let number = DROP_ORDER.iter().position(|&known| known == kind).unwrap_or(0) as u16;
            let to = to.dense_index() as u16;
            match layout {
                Layout::Psv => 1 << 14 | (number + 1) << 7 | to,
                Layout::Hcp => (number + 81) << 7 | to,
            }
        }
    }
}

/// The move of a value from [`pack_move`]; `None` for any other value.
pub(crate) fn unpack_move(packed: u16, layout: Layout) -> Option<UsiMove> {
    let to = Square::from_dense_index(usize::from(packed & 0x7f))?;
    let origin = usize::from(packed >> 7 & 0x7f);
    let (bit14, bit15) = (packed >> 14 & 1 == 1, packed >> 15 == 1);
    let (drop, promotes) = match layout {
        Layout::Psv => (bit14.then(|| origin.wrapping_sub(1)), bit15),
        Layout::Hcp if bit15 => return None,
        Layout::Hcp => ((origin >= 81).then(|| origin - 81), bit14),
    };
    match drop {
        Some(_) if promotes => None,
        Some(number) => Some(UsiMove::Drop { kind: *DROP_ORDER.get(number)?, to }),
        None => Some(UsiMove::Board { from: Square::from_dense_index(origin)?, to, promotes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    const HANDICAPS: [&str; 3] = [
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2G2g 1",
    ];

    /// Positions along random games, which end up with many pieces in hand.
    fn positions(show: &mut dyn FnMut(&Position)) {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for start in [&Position::startpos().to_sfen(), HANDICAPS[0], HANDICAPS[1], HANDICAPS[2]] {
            for _ in 0..5 {
                let mut position = Position::from_sfen(start).unwrap();
                for _ in 0..250 {
                    show(&position);
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
    }

    #[test]
    fn positions_come_back() {
        let (mut psv, mut hcp) = (0, 0);
        positions(&mut |position| {
            for layout in [Layout::Psv, Layout::Hcp] {
                match pack(position, layout) {
                    Ok(bytes) => {
                        let again = unpack(&bytes, layout, position.ply()).unwrap();
                        assert_eq!(again.to_sfen(), position.to_sfen());
                        *if layout == Layout::Psv { &mut psv } else { &mut hcp } += 1;
                    }
                    Err(error) => {
                        assert_eq!((layout, error), (Layout::Hcp, PackError::MissingPieces));
                    }
                }
            }
        });
        assert!(psv > 3000 && hcp > 800 && psv > hcp, "{psv} {hcp}");
    }

    #[test]
    fn moves_come_back_and_no_two_are_alike() {
        let mut seen = std::collections::HashMap::new();
        positions(&mut |position| {
            for mv in position.legal_moves() {
                let mv = mv.to_usi();
                for layout in [Layout::Psv, Layout::Hcp] {
                    let packed = pack_move(mv, layout);
                    assert_eq!(unpack_move(packed, layout), Some(mv));
                    let known = seen.entry((packed, layout == Layout::Psv)).or_insert(mv);
                    assert_eq!(*known, mv);
                }
            }
        });
        assert!(seen.len() > 5000);
        for packed in 0..=u16::MAX {
            for layout in [Layout::Psv, Layout::Hcp] {
                if let Some(mv) = unpack_move(packed, layout) {
                    assert_eq!(pack_move(mv, layout), packed);
                }
            }
        }
    }

    /// Made with cshogi 1.1.0: `Board.to_psfen`, `Board.to_hcp`, `move16_to_psv`.
    #[test]
    fn known_positions_have_the_bytes_that_cshogi_writes() {
        let hex = |bytes: [u8; 32]| bytes.map(|byte| format!("{byte:02x}")).concat();
        for (sfen, psv, hcp) in VECTORS {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(hex(pack(&position, Layout::Psv).unwrap()), psv, "{sfen}");
            if !hcp.is_empty() {
                assert_eq!(hex(pack(&position, Layout::Hcp).unwrap()), hcp, "{sfen}");
            }
        }
        for (text, psv, apery) in MOVES {
            let mv: UsiMove = text.parse().unwrap();
            assert_eq!(pack_move(mv, Layout::Psv), psv, "{text}");
            assert_eq!(pack_move(mv, Layout::Hcp), apery, "{text}");
        }
    }

    #[test]
    fn bits_that_are_no_position_are_refused() {
        let start = pack(&Position::startpos(), Layout::Psv).unwrap();
        let mut refused = 0;
        for bit in 0..256 {
            let mut bytes = start;
            bytes[bit / 8] ^= 1 << (bit % 8);
            match unpack(&bytes, Layout::Psv, 1) {
                Ok(position) => assert_ne!(position.to_sfen(), Position::startpos().to_sfen()),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 100, "{refused}");
        assert!(unpack(&[0xff; 32], Layout::Hcp, 1).is_err());
        assert!(unpack(&[0; 32], Layout::Psv, 1).is_err());
    }

    include!("packed_vectors.rs");
}
