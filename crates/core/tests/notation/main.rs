//! Japanese notation against an independent implementation, the crate `shogi_official_kifu`.

use rand::prelude::*;
use shogi_core::{PartialPosition, ToUsi};
use shogi_official_kifu::display_single_move_kansuji;
use tsumero_core::{Game, notation::japanese};

/// Our text in the other crate's spelling: it separates 同 from names of one character.
fn respell(text: &str) -> String {
    text.replace('　', "").replace('龍', "竜").replace('王', "玉")
}

fn other_text(position: &PartialPosition, usi: &str) -> Option<String> {
    let mv = read_usi(position, usi)?;
    display_single_move_kansuji(position, mv).map(|text| respell(&text))
}

/// Reads a USI move for the other crate.
fn read_usi(position: &PartialPosition, usi: &str) -> Option<shogi_core::Move> {
    use shogi_core::{Move, Piece, PieceKind, Square};
    let square = |text: &[u8]| Square::new(text[0] - b'0', text[1] - b'a' + 1);
    let bytes = usi.as_bytes();
    let to = square(&bytes[2..4])?;
    if bytes[1] == b'*' {
        let kind = match bytes[0] {
            b'P' => PieceKind::Pawn,
            b'L' => PieceKind::Lance,
            b'N' => PieceKind::Knight,
            b'S' => PieceKind::Silver,
            b'G' => PieceKind::Gold,
            b'B' => PieceKind::Bishop,
            _ => PieceKind::Rook,
        };
        let piece = Piece::new(kind, position.side_to_move());
        return Some(Move::Drop { piece, to });
    }
    Some(Move::Normal { from: square(&bytes[..2])?, to, promote: bytes.len() == 5 })
}

#[test]
fn random_games_are_written_alike() {
    let mut rng = StdRng::seed_from_u64(20);
    let mut compared = 0;
    for _ in 0..4 {
        let mut ours = Game::default();
        let mut other = PartialPosition::startpos();
        for _ in 0..200 {
            let moves = ours.legal_moves();
            let Some(&played) = moves.choose(&mut rng) else { break };
            for mv in &moves {
                let Some(text) = other_text(&other, &mv.to_string()) else {
                    panic!("{} is not written by the other crate in {ours}", mv)
                };
                assert_eq!(
                    respell(&japanese(&ours, *mv, ours.last_move())),
                    text,
                    "{mv} in {ours}"
                );
                compared += 1;
            }
            let theirs = read_usi(&other, &played.to_string()).expect("a move");
            other.make_move(theirs).unwrap_or_else(|| panic!("{} fails", theirs.to_usi_owned()));
            ours.play_unchecked(played);
        }
    }
    assert!(compared > 10_000, "{compared}");
}
