//! Attacks around both kings, hands, the kings' squares and the turn.
//!
//! The order of the features, which is that of the weights written at the end of a fit:
//!
//! ```text
//!      0  + 288 · place + state   a square seen from a king's owner: place 17 · file distance +
//!                                 (ranks behind the king + 8), state 9 · piece + 3 · own attackers
//!                                 + enemy attackers (both up to 2), piece as `Piece::index` with
//!                                 the owner as Black, 0 for an empty square
//! 44,064  + kind in hand (7)      number held, from the pawn to the rook
//! 44,071  + king's square (45)    5 · rank as its owner sees it + distance from the middle file
//! 44,116                          being to move
//! ```

use tsumero_core::{Color, Piece, PieceKind, Position, Square};

use super::extractor::Extractor;

const COUNTS: usize = 9;
const STATES: usize = Piece::COUNT * COUNTS;
const PLACES: usize = 9 * 17;
const HANDS: usize = PLACES * STATES;
const KINGS: usize = HANDS + PieceKind::HAND.len();
const TURN: usize = KINGS + 9 * 5;

pub(super) struct InfluenceExtractor;

impl Extractor for InfluenceExtractor {
    fn count(&self) -> usize {
        TURN + 1
    }

    fn factor_count(&self) -> usize {
        STATE_FACTORS + Piece::COUNT
    }

    fn factors(&self) -> Vec<Vec<u32>> {
        let of = |index| if index < HANDS { table_factors(index) } else { Vec::new() };
        (0..self.count()).map(of).collect()
    }

    fn extract(&self, position: &Position, features: &mut Vec<(u32, i16)>) {
        let attacks = position.attacks();
        let once = Color::ALL.map(|color| attacks.attacked_squares(color));
        let twice = Color::ALL.map(|color| attacks.doubly_attacked_squares(color));
        let attackers = |color: Color, square: Square| {
            let number = color.index();
            usize::from(once[number].contains(square)) + usize::from(twice[number].contains(square))
        };
        let kings = Color::ALL.map(|color| position.king(color));
        for square in Square::all() {
            let piece = position.piece_at(square);
            for (owner, king) in Color::ALL.into_iter().zip(kings) {
                let Some(king) = king else { continue };
                let piece = piece.map_or(0, |piece| {
                    // The owner's pieces count as Black's.
                    let color = if piece.color() == owner { Color::Black } else { Color::White };
                    Piece::new(color, piece.kind()).index()
                });
                let (from, to) = (king.relative_to(owner), square.relative_to(owner));
                let across = from.file().index().abs_diff(to.file().index());
                let behind = to.rank().index() + 8 - from.rank().index();
                let state =
                    piece * COUNTS + attackers(owner, square) * 3 + attackers(!owner, square);
                let index = (across * 17 + behind) * STATES + state;
                features.push((index as u32, sign(owner)));
            }
        }
        for (owner, king) in Color::ALL.into_iter().zip(kings) {
            for (kind, number) in PieceKind::HAND.into_iter().zip(0..) {
                let count = position.hand(owner).count(kind) as i16;
                if count > 0 {
                    features.push((HANDS as u32 + number, sign(owner) * count));
                }
            }
            if let Some(king) = king.map(|king| king.relative_to(owner)) {
                let place = king.rank().index() * 5 + king.file().index().abs_diff(4);
                features.push(((KINGS + place) as u32, sign(owner)));
            }
        }
        features.push((TURN as u32, sign(position.side_to_move())));
    }
}

/// Distances from a king, 0 to 8.
const RINGS: usize = 9;
/// Numbers of factors: a state at a distance, a state anywhere, a piece anywhere.
const RING_FACTORS: usize = RINGS * STATES;
const STATE_FACTORS: usize = RING_FACTORS + STATES;

/// The factors of a feature of the table.
fn table_factors(index: usize) -> Vec<u32> {
    let (place, state) = (index / STATES, index % STATES);
    let (across, behind) = (place / 17, place % 17);
    let ring = across.max(behind.abs_diff(8));
    let factors = [ring * STATES + state, RING_FACTORS + state, STATE_FACTORS + state / COUNTS];
    factors.map(|factor| factor as u32).to_vec()
}

fn sign(owner: Color) -> i16 {
    if owner == Color::Black { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeMap;

    fn sums(position: &Position) -> BTreeMap<u32, i32> {
        let mut features = Vec::new();
        InfluenceExtractor.extract(position, &mut features);
        let mut sums = BTreeMap::new();
        for (index, coefficient) in features {
            assert!((index as usize) < InfluenceExtractor.count());
            *sums.entry(index).or_default() += i32::from(coefficient);
        }
        sums.retain(|_, sum| *sum != 0);
        sums
    }

    /// The same position with colors exchanged and the board turned, made from the text.
    fn turned(position: &Position) -> Position {
        let sfen = position.to_sfen();
        let parts: Vec<&str> = sfen.split(' ').collect();
        let swap = |letter: char| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        };
        // Reversed, a plus stands behind its letter.
        let mut board = String::new();
        let letters: Vec<char> = parts[0].chars().collect();
        let mut cells: Vec<String> = Vec::new();
        for letter in letters {
            match cells.last_mut() {
                Some(cell) if cell == "+" => cell.push(swap(letter)),
                _ => cells.push(swap(letter).to_string()),
            }
        }
        cells.iter().rev().for_each(|cell| board.push_str(cell));
        let side = if parts[1] == "b" { "w" } else { "b" };
        let hands: String = parts[2].chars().map(swap).collect();
        // Black's hand comes first.
        let split = hands.find(|letter: char| letter.is_ascii_uppercase()).map_or(0, |place| {
            let digits = hands[..place].chars().rev().take_while(char::is_ascii_digit).count();
            place - digits
        });
        let hands = format!("{}{}", &hands[split..], &hands[..split]);
        Position::from_sfen(&format!("{board} {side} {hands} 1")).unwrap()
    }

    /// Positions with the same features have the same value, and features of a turned position
    /// are the same with the opposite sign.
    #[test]
    fn a_turned_position_has_the_opposite_features() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen = 0;
        for _ in 0..20 {
            let mut position = Position::startpos();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.random_range(0..moves.len())]);
                let opposite: BTreeMap<u32, i32> =
                    sums(&turned(&position)).into_iter().map(|(k, v)| (k, -v)).collect();
                assert_eq!(sums(&position), opposite, "{position}");
                seen += 1;
            }
        }
        assert!(seen > 1500);
    }

    #[test]
    fn factors_are_shared_by_a_kind_of_features() {
        let factors = InfluenceExtractor.factors();
        assert_eq!(factors.len(), InfluenceExtractor.count());
        assert!(
            factors.iter().flatten().all(|&f| (f as usize) < InfluenceExtractor.factor_count())
        );
        // The same state one square ahead of the king and beside it; behind at two squares.
        let at = |across: usize, behind: usize| &factors[(across * 17 + behind) * STATES + 31];
        assert_eq!(at(0, 7), at(1, 8));
        assert_ne!(at(0, 7)[0], at(0, 10)[0]);
        assert_eq!(at(0, 7)[1..], at(0, 10)[1..]);
        assert!(factors[HANDS..].iter().all(Vec::is_empty));
    }

    /// What one move changes, counted by hand.
    #[test]
    fn features_are_what_they_say() {
        let before = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2P 1").unwrap();
        let sums = sums(&before);
        assert_eq!(sums[&(HANDS as u32)], 2);
        assert_eq!(sums[&(TURN as u32)], 1);
        // Kings face each other: the kings' own squares cancel out.
        assert_eq!(sums.len(), 2);
        let mut features = Vec::new();
        InfluenceExtractor.extract(&before, &mut features);
        // The square ahead of Black's king: empty, attacked once by its owner.
        let ahead = ((7 * STATES) + 3) as u32;
        assert!(features.contains(&(ahead, 1)) && features.contains(&(ahead, -1)));
        assert_eq!(features.len(), 2 * 81 + 1 + 2 + 1);
    }
}
