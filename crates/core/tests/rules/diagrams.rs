//! Tests positions in which pieces stand where no game puts them: two pawns of a color on a file,
//! and pieces that could never move. Such positions come from diagrams. All rules on moves hold in
//! them, and the oracle, which knows nothing of how a position arose, says the same.

use crate::agreement::{
    attacks_agree, doing_and_undoing_agree, mates_agree, moves_agree, verdicts_agree,
};
use crate::core_side::{from_sfen, position_of, reason_of};
use crate::games::{self, assert_at_least, scaled};
use crate::mate_in_one::{agrees_with_trying_every_check, agrees_without_the_position_before};
use crate::oracle::Reason;
use tsumero_core::{Line, MateProblem, Position, SetupError, SfenError};

#[test]
fn moves_agree_in_diagrams_and_games_from_them() {
    let mut rng = games::seeded(31);
    for _ in 0..scaled(1_500) {
        let position = games::diagram(&mut rng);
        games::play(&position, 6, &mut rng, moves_agree);
    }
}

#[test]
fn attacks_and_verdicts_agree_in_diagrams() {
    let mut rng = games::seeded(32);
    for _ in 0..scaled(1_000) {
        attacks_agree(&games::diagram(&mut rng));
    }
    for _ in 0..scaled(300) {
        verdicts_agree(&games::diagram(&mut rng));
    }
}

#[test]
fn doing_and_undoing_agrees_in_diagrams() {
    let mut rng = games::seeded(33);
    for _ in 0..scaled(300) {
        let position = games::diagram(&mut rng);
        doing_and_undoing_agree(&position, &position.legal_move_list());
    }
}

/// In games from diagrams, pawns of a crowded file are captured, promoted and dropped again.
#[test]
fn counts_and_mates_agree_in_games_from_diagrams() {
    let mut rng = games::seeded(34);
    let (mut mates, mut counted) = (0, 0);
    for _ in 0..scaled(2_000) {
        let start = position_of(&games::diagram(&mut rng));
        games::play_core(start, 40, &mut rng, |position| {
            position.consistency().unwrap_or_else(|error| panic!("{error}"));
            mates += usize::from(agrees_with_trying_every_check(position));
            assert_eq!(position.count_legal_moves(), position.legal_moves().len() as u64);
            let mut line = Line::from(position);
            for mv in position.legal_moves() {
                let replies = position.count_replies(mv);
                line.do_move(mv);
                assert_eq!(replies, line.legal_moves().len() as u64, "{mv} to {line}");
                line.undo_move();
                counted += 1;
            }
        });
    }
    assert_at_least(mates, 500);
    assert_at_least(counted, 500_000);
}

#[test]
fn mates_agree_with_the_oracle_in_diagrams() {
    let mut rng = games::seeded(35);
    let mut mates = 0;
    for _ in 0..scaled(2_000) {
        mates += usize::from(mates_agree(&games::diagram(&mut rng)));
    }
    assert_at_least(mates, 50);
    for _ in 0..scaled(300) {
        agrees_without_the_position_before(&position_of(&games::diagram(&mut rng)));
    }
}

/// What the two readers say of random set-ups, and the rules that they name.
#[test]
fn a_diagram_is_read_exactly_if_only_its_pieces_stand_wrongly() {
    let mut rng = games::seeded(36);
    for number in 0..scaled(2_000) {
        let oracle =
            if number % 2 == 0 { games::diagram(&mut rng) } else { games::setup(&mut rng) };
        let sfen = oracle.to_sfen();
        let broken = from_sfen(&sfen).broken_rules();
        assert_eq!(broken.is_empty(), games::stands_lawfully(&oracle), "{sfen}");
        match Position::from_sfen(&sfen) {
            Ok(position) => assert_eq!((broken, position.to_sfen()), (Vec::new(), sfen)),
            Err(SfenError::Setup(rule)) => assert!(broken.contains(&rule), "{rule} in {sfen}"),
            Err(error) => panic!("{error} in {sfen}"),
        }
    }
    // Faults that no diagram may have.
    for sfen in [
        "kk7/9/9/9/9/9/9/9/9 b - 1",
        "4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1",
        "4k4/9/4P4/4P4/9/9/9/9/4K4 b 9P9p 1",
        "PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/9/9/9/9/9/9 b - 1",
    ] {
        let error = Position::from_diagram(sfen).unwrap_err();
        let SfenError::Setup(rule) = error else { panic!("{error} in {sfen}") };
        assert!(!matches!(rule, SetupError::TwoPawns(..) | SetupError::DeadPiece(_)), "{sfen}");
        assert!(Position::from_sfen(sfen).is_err(), "{sfen}");
    }
}

#[test]
fn a_third_pawn_stays_forbidden_until_the_file_is_free() {
    // Black's two pawns stand on file 5; White takes one after the other.
    let sfen = "4k4/9/9/9/4r4/4P4/4P4/9/4K4 w Pp 1";
    let mut position = from_sfen(sfen);
    let refused = |position: &Position, text| position.parse_move(text).err().map(reason_of);
    for (moves, expected) in [(["5e5f", "5i4i"], Some(Reason::TwoPawns)), (["5f5g", "4i3i"], None)]
    {
        for text in moves {
            let mv = position.parse_move(text).unwrap();
            let mut after = position.clone();
            after.play_unchecked(mv);
            assert_eq!(position.count_replies(mv), after.legal_moves().len() as u64, "{text}");
            position.play_unchecked(mv);
        }
        let mut blacks = position.clone();
        blacks.play_unchecked(blacks.parse_move("5a4a").unwrap());
        assert_eq!(refused(&blacks, "P*5b"), expected);
    }
    let problem = MateProblem::from_sfen("4k4/9/4P4/4P4/9/9/9/9/9 b G 1").unwrap();
    assert_eq!(problem.position().unwrap().broken_rules().len(), 1);
}
