//! Hand-made positions, one for each known mistake in rules code.
//!
//! Every row names the trap and the right result. The results were worked out by hand, and then
//! confirmed by the oracle and by two independent programs. The tests compare the oracle and the
//! crate with the rows separately, so a mistake that both share would still show.

mod rows;

use crate::agreement::{attacks_agree, doing_and_undoing_agree, moves_agree, verdicts_agree};
use crate::core_side::{from_sfen, move_texts, reason_of, square_texts};
use crate::oracle::{Position, Reason, Square};
pub(crate) use rows::SLIPS;
use std::collections::BTreeSet;

/// One trap, and the facts about its position.
pub(crate) struct Slip {
    /// What the position is a trap for.
    pub(crate) why: &'static str,
    pub(crate) sfen: &'static str,
    /// The number of legal moves.
    pub(crate) count: usize,
    /// Some moves that are legal.
    pub(crate) legal: &'static str,
    /// Some moves that are not, by the rule they break.
    pub(crate) illegal: &'static [(Reason, &'static str)],
    /// All moves that mate at once.
    pub(crate) mates: &'static str,
    /// The squares of all pieces that give check to the side to move.
    pub(crate) checkers: &'static str,
    /// The squares of all pinned pieces of the side to move.
    pub(crate) pinned: &'static str,
}

impl Slip {
    /// The defaults of a row: no moves named, no check, no mate, no pins.
    pub(crate) const QUIET: Slip = Slip {
        why: "",
        sfen: "",
        count: 0,
        legal: "",
        illegal: &[],
        mates: "",
        checkers: "",
        pinned: "",
    };
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn texts(squares: BTreeSet<Square>) -> BTreeSet<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

#[test]
fn oracle_agrees_with_every_slip() {
    for slip in SLIPS {
        let context = format!("{}: {}", slip.sfen, slip.why);
        let position = Position::from_sfen(slip.sfen).expect(slip.sfen);
        let legal = position.legal_moves();
        assert_eq!(legal.len(), slip.count, "{context}");
        assert!(words(slip.legal).is_subset(&legal), "{context}");
        for &(reason, moves) in slip.illegal {
            for mv in words(moves) {
                assert_eq!(position.illegality(&mv), Some(reason), "{mv} in {context}");
            }
        }
        assert_eq!(position.mates_in_one(), words(slip.mates), "{context}");
        assert_eq!(texts(position.checkers()), words(slip.checkers), "{context}");
        assert_eq!(
            texts(position.pinned(position.side_to_move())),
            words(slip.pinned),
            "{context}"
        );
    }
}

#[test]
fn crate_agrees_with_every_slip() {
    for slip in SLIPS {
        let context = format!("{}: {}", slip.sfen, slip.why);
        let position = from_sfen(slip.sfen);
        let legal = move_texts(position.legal_moves());
        assert_eq!(legal.len(), slip.count, "{context}");
        assert_eq!(position.count_legal_moves(), slip.count as u64, "{context}");
        for mv in words(slip.legal) {
            assert!(legal.contains(&mv), "{mv} in {context}");
            assert!(position.parse_move(&mv).is_ok(), "{mv} in {context}");
        }
        for &(reason, moves) in slip.illegal {
            for mv in words(moves) {
                assert!(!legal.contains(&mv), "{mv} in {context}");
                let named = position.parse_move(&mv).err().map(reason_of);
                assert_eq!(named, Some(reason), "{mv} in {context}");
            }
        }
        let mates = words(slip.mates);
        match position.mate_in_one() {
            Some(mv) => assert!(mates.contains(&mv.to_string()), "{mv} in {context}"),
            None => assert!(mates.is_empty(), "{mates:?} in {context}"),
        }
        assert_eq!(square_texts(position.checkers()), words(slip.checkers), "{context}");
        let pinned = position.pinned(position.side_to_move());
        assert_eq!(square_texts(pinned), words(slip.pinned), "{context}");
    }
}

#[test]
fn crate_and_oracle_agree_on_everything_else_about_the_slips() {
    for slip in SLIPS {
        let oracle = Position::from_sfen(slip.sfen).expect(slip.sfen);
        let legal = oracle.legal_move_list();
        moves_agree(&oracle, &legal);
        attacks_agree(&oracle);
        verdicts_agree(&oracle);
        doing_and_undoing_agree(&oracle, &legal);
    }
}
