//! Tests of whole networks: reference values, lines of play, files.

mod files;
mod formula;
mod lines;
mod stacks;

use tsumero_core::{ByColor, Color, File, Hand, Piece, PieceKind, Position, Rank, Square};

use crate::features::{InputSet, Pieces, View};
use crate::lanes::{Chosen, Lanes};
use crate::layers::Scratch;
use crate::stacks::Situation;
use crate::{DEFAULT_FV_SCALE, Network, Shape, value_of_raw};
use formula::{DIGESTS, VECTORS, WIDTHS};

/// The rows of a file of test data: a position, and the value in each named column.
fn rows(text: &str) -> Vec<(String, std::collections::HashMap<String, i32>)> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.unwrap();
        let values = names.iter().zip(&record).skip(1);
        let values = values.map(|(name, value)| (name.clone(), value.parse().unwrap()));
        (record[0].to_owned(), values.collect())
    };
    reader.records().map(row).collect()
}

/// Reads pieces, hands and side to move from an SFEN, even if the rules do not allow the position.
fn plain_sfen(sfen: &str) -> (Vec<(Square, Piece)>, ByColor<Hand>, Color) {
    let mut fields = sfen.split(' ');
    let piece = |letter: char, promoted: bool| {
        let kind = PieceKind::from_letter(letter.to_ascii_uppercase()).unwrap();
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        Piece::new(color, if promoted { kind.promoted().unwrap() } else { kind })
    };
    let mut pieces = Vec::new();
    for (row, rank) in fields.next().unwrap().split('/').zip(Rank::all()) {
        let (mut file, mut promoted) = (9, false);
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file -= empty as u8,
                None if letter == '+' => promoted = true,
                None => {
                    let square = Square::new(File::new(file).unwrap(), rank);
                    pieces.push((square, piece(letter, std::mem::take(&mut promoted))));
                    file -= 1;
                }
            }
        }
    }
    let side = if fields.next() == Some("b") { Color::Black } else { Color::White };
    let (mut hands, mut count) = (ByColor([Hand::EMPTY; 2]), 0);
    for letter in fields.next().unwrap().chars().filter(|&letter| letter != '-') {
        match letter.to_digit(10) {
            Some(digit) => count = 10 * count + digit,
            None => {
                let held = piece(letter, false);
                let hand = &mut hands[held.color()];
                *hand = hand.with_count(held.kind(), std::mem::take(&mut count).max(1));
            }
        }
    }
    (pieces, hands, side)
}

/// The square of a side's king.
fn king(pieces: &[(Square, Piece)], color: Color) -> Option<Square> {
    let king = pieces.iter().find(|(_, piece)| *piece == Piece::new(color, PieceKind::King));
    king.map(|(square, _)| *square)
}

/// The last integer for an SFEN.
fn raw<L: Lanes>(network: &Network, sfen: &str) -> i32 {
    let (pieces, hands, us) = plain_sfen(sfen);
    let set =
        |kind, view| InputSet::new(kind, view, Pieces { on_board: pieces.iter().copied(), hands });
    let [own, other] = [us, !us].map(|color| {
        let view = View::new(network.kind(), color, || king(&pieces, color));
        network.accumulator_of::<L>(view, &set(network.kind(), view))
    });
    network.evaluate_accumulators::<L>(stack(network, sfen), &own, &other, &mut Scratch::new())
}

/// The number of the stack for an SFEN.
fn stack(network: &Network, sfen: &str) -> usize {
    let (pieces, hands, side) = plain_sfen(sfen);
    let kings = ByColor(Color::ALL.map(|color| king(&pieces, color)));
    let situation = Situation { side, kings, hands };
    network.stack_of(&situation, |view| {
        let pieces = Pieces { on_board: pieces.iter().copied(), hands };
        InputSet::new(crate::stacks::PROGRESS_KIND, view, pieces)
    })
}

/// Compares the last integers of all positions with a column of a table. `refused` is the number of
/// positions in which the side to move could capture the king.
fn agrees(column: &str, network: &Network, text: &str, refused: usize) {
    let rows = rows(text);
    let (count, mut legal) = (rows.len(), 0);
    for (sfen, values) in rows {
        let expected = values[column];
        assert_eq!(raw::<Chosen>(network, &sfen), expected, "{column} {sfen}");
        for_each_form(|form, raw_of| {
            assert_eq!(raw_of(network, &sfen), expected, "{column} {form} {sfen}");
        });
        if let Ok(position) = Position::from_sfen(&sfen) {
            assert_eq!(network.evaluate_from_scratch(&position), expected);
            legal += 1;
        }
    }
    assert_eq!(legal, count - refused);
}

/// The SHA-256 of bytes.
fn digest(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Calls back with each form of the vector instructions that the target has.
fn for_each_form(call: impl Fn(&str, fn(&Network, &str) -> i32)) {
    use crate::lanes::*;
    call("plain", raw::<plain::Plain>);
    #[cfg(target_arch = "x86_64")]
    call("SSE2", raw::<sse2::Sse2>);
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    call("AVX2", raw::<avx2::Avx2>);
}

#[test]
fn reference_values_agree() {
    for (formula, expected) in VECTORS.iter().zip(DIGESTS) {
        let file = formula.file();
        assert_eq!(digest(&file), expected, "{}", formula.name);
        let network = Network::from_bytes(&file).unwrap();
        assert_eq!(network.shape(), Shape::Dense(formula.architecture()));
        assert!(network.hashes_agree());
        assert_eq!(network.description(), formula.architecture().description().as_bytes());
        agrees(formula.name, &network, include_str!("../../tests/data/vectors.csv"), 4);
    }
    for (_, values) in rows(include_str!("../../tests/data/vectors.csv")) {
        for name in ["a", "b", "k", "p"] {
            let value = value_of_raw(values[&format!("raw_{name}")], DEFAULT_FV_SCALE);
            assert_eq!(value, values[&format!("eval_{name}")]);
        }
    }
}

#[test]
fn other_widths_agree() {
    for formula in &WIDTHS {
        let network = Network::from_parameters(&formula.parameters()).unwrap();
        assert_eq!(network.shape(), Shape::Dense(formula.architecture()));
        agrees(formula.name, &network, include_str!("../../tests/data/widths.csv"), 4);
    }
}

#[test]
fn a_position_without_kings_is_evaluated() {
    let network = Network::from_parameters(&VECTORS[2].parameters()).unwrap();
    let with = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RG 1").unwrap();
    for sfen in
        ["4k4/9/9/9/9/9/9/9/9 b RG 1", "9/9/9/9/9/9/9/9/4K4 b RG 1", "9/9/9/9/9/9/9/9/9 b RG 1"]
    {
        let without = Position::from_sfen(sfen).unwrap();
        for view in Color::ALL {
            assert!(
                network.accumulator::<Chosen>(view, &with)
                    == network.accumulator::<Chosen>(view, &without)
            );
        }
    }
}

#[test]
fn threads_share_a_network() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Network>();
    sent::<crate::Accumulators>();
}
