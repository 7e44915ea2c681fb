//! The endings of games, and their words in every format.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use tsumero_core::{Color, UsiMove};

/// How a game (or a branch) ended, as the player to move sees it.
///
/// ```
/// use tsumero_core::Color;
/// use tsumero_record::{Ending, read};
/// let game = read(b"position startpos moves 7g7f resign\n").into_games()?.remove(0);
/// // Black made the only move, so White is to move.
/// let winner = match game.ending() {
///     Some(Ending::Resign | Ending::Mate | Ending::Timeout) => Some(Color::Black),
///     Some(Ending::Declaration | Ending::FoulWin) => Some(Color::White),
///     _ => None,
/// };
/// assert_eq!(winner, Some(Color::Black));
/// assert_eq!(Ending::Resign.kif_word(), Some("投了"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move resigned.
    Resign,
    /// The game was interrupted, or adjourned with a sealed move.
    Interrupted,
    /// Repetition.
    Repetition,
    /// The side to move is mated.
    Mate,
    /// There is no mate, in a mate problem.
    NoMate,
    /// Impasse by agreement.
    Impasse,
    /// A draw for another reason.
    Draw,
    /// The side to move declared a win by entering king.
    Declaration,
    /// The side to move lost on time.
    Timeout,
    /// The side to move lost by a foul.
    FoulLoss,
    /// The other side lost by a foul.
    FoulWin,
    /// The game reached the largest number of moves.
    MaxMoves,
    /// The side to move won without a game.
    DefaultWin,
    /// The side to move lost without a game.
    DefaultLoss,
    /// A move was taken back.
    Matta,
    /// Something went wrong.
    Error,
}

use Ending::*;

/// The words for an ending.
struct Words {
    ending: Ending,
    /// In English, as `tsumero record` prints it.
    english: &'static str,
    kif: Option<&'static str>,
    /// In CSA, without the `%`. That of [`FoulWin`] depends on the side to move.
    csa: Option<&'static str>,
    /// In USI lines, as ShogiHome writes it.
    usi: Option<&'static str>,
}

const fn words(
    ending: Ending,
    english: &'static str,
    kif: Option<&'static str>,
    csa: Option<&'static str>,
    usi: Option<&'static str>,
) -> Words {
    Words { ending, english, kif, csa, usi }
}

/// The words for all endings, in the order of the variants.
#[rustfmt::skip]
static WORDS: [Words; 16] = [
    words(Resign, "resign", Some("投了"), Some("TORYO"), Some("resign")),
    words(Interrupted, "interrupted", Some("中断"), Some("CHUDAN"), Some("break")),
    words(Repetition, "repetition", Some("千日手"), Some("SENNICHITE"), Some("rep_draw")),
    words(Mate, "mate", Some("詰み"), Some("TSUMI"), None),
    words(NoMate, "no_mate", Some("不詰"), Some("FUZUMI"), None),
    words(Impasse, "impasse", Some("持将棋"), Some("JISHOGI"), None),
    words(Draw, "draw", Some("引き分け"), Some("HIKIWAKE"), Some("draw")),
    words(Declaration, "declaration", Some("入玉勝ち"), Some("KACHI"), Some("win")),
    words(Timeout, "timeout", Some("切れ負け"), Some("TIME_UP"), Some("timeout")),
    words(FoulLoss, "foul_loss", Some("反則負け"), Some("ILLEGAL_MOVE"), None),
    words(FoulWin, "foul_win", Some("反則勝ち"), None, None),
    words(MaxMoves, "max_moves", Some("最大手数"), Some("MAX_MOVES"), None),
    words(DefaultWin, "default_win", Some("不戦勝"), None, None),
    words(DefaultLoss, "default_loss", Some("不戦敗"), None, None),
    words(Matta, "matta", None, Some("MATTA"), None),
    words(Error, "error", None, Some("ERROR"), None),
];

/// Other words at the end of a KIF.
const OTHER_WORDS: [(&str, Outcome); 12] = [
    ("詰", exactly(Mate)),
    ("封じ手", exactly(Interrupted)),
    ("引分", exactly(Draw)),
    ("引分け", exactly(Draw)),
    ("入玉宣言", exactly(Declaration)),
    ("入玉宣言勝ち", exactly(Declaration)),
    ("宣言勝ち", exactly(Declaration)),
    ("時間切れ", exactly(Timeout)),
    ("Time-up", exactly(Timeout)),
    // The side to move lost its connection.
    ("接続切れ", Outcome { ending: Some(Timeout), comment: Some("接続切れ") }),
    ("切断", Outcome { ending: Some(Timeout), comment: Some("切断") }),
    // The king of the side not to move has reached the first square of the other king. That side has
    // won, and no ending says so.
    ("トライ", Outcome { ending: None, comment: Some("トライ") }),
];

/// What a word at the end of a KIF says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) ending: Option<Ending>,
    /// The word, if it says more than the ending. It becomes a comment.
    pub(crate) comment: Option<&'static str>,
}

/// What a word says that has an ending of its own.
pub(crate) const fn exactly(ending: Ending) -> Outcome {
    Outcome { ending: Some(ending), comment: None }
}

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 16] = {
        let mut all = [Resign; 16];
        let mut number = 0;
        while number < all.len() {
            all[number] = WORDS[number].ending;
            assert!(all[number] as usize == number, "the rows have the order of the variants");
            number += 1;
        }
        all
    };

    const fn words(self) -> &'static Words {
        &WORDS[self as usize]
    }

    /// The English word, as `tsumero record` prints it.
    pub const fn word(self) -> &'static str {
        self.words().english
    }

    /// The word at the end of a KIF; `None` if KIF has no word for the ending.
    pub const fn kif_word(self) -> Option<&'static str> {
        self.words().kif
    }

    /// What a word at the end of a KIF says, in any of the spellings in use.
    pub(crate) fn from_kif_word(word: &str) -> Option<Outcome> {
        let own = Ending::ALL.into_iter().find(|ending| ending.kif_word() == Some(word));
        let other = || OTHER_WORDS.iter().find(|(other, _)| *other == word);
        own.map(exactly).or_else(|| Some(other()?.1))
    }

    /// The CSA statement without its `%`; `None` if CSA has no word for the ending.
    pub const fn csa_word(self, side_to_move: Color) -> Option<&'static str> {
        match (self, side_to_move) {
            (FoulWin, Color::Black) => Some("-ILLEGAL_ACTION"),
            (FoulWin, Color::White) => Some("+ILLEGAL_ACTION"),
            _ => self.words().csa,
        }
    }

    /// The ending that a CSA statement (without its `%`) means for the side to move.
    pub(crate) fn from_csa_word(word: &str, side_to_move: Color) -> Option<Ending> {
        let by_a_foul_of = |culprit| if culprit == side_to_move { FoulLoss } else { FoulWin };
        match word {
            "+ILLEGAL_ACTION" => Some(by_a_foul_of(Color::Black)),
            "-ILLEGAL_ACTION" => Some(by_a_foul_of(Color::White)),
            _ => {
                let means = |ending: &Ending| ending.csa_word(side_to_move) == Some(word);
                Ending::ALL.into_iter().find(means)
            }
        }
    }

    /// Who won a game that ended like this with `side_to_move` to move: `Some(None)` for a draw, `None` if
    /// the ending does not say.
    ///
    /// ```
    /// use tsumero_core::Color;
    /// use tsumero_record::Ending;
    /// assert_eq!(Ending::Resign.winner(Color::Black), Some(Some(Color::White)));
    /// assert_eq!(Ending::Declaration.winner(Color::Black), Some(Some(Color::Black)));
    /// assert_eq!(Ending::Repetition.winner(Color::Black), Some(None));
    /// assert_eq!(Ending::Interrupted.winner(Color::Black), None);
    /// ```
    pub const fn winner(self, side_to_move: Color) -> Option<Option<Color>> {
        match self {
            Resign | Mate | Timeout | FoulLoss | DefaultLoss => Some(Some(side_to_move.opponent())),
            Declaration | FoulWin | DefaultWin => Some(Some(side_to_move)),
            Repetition | Impasse | Draw | MaxMoves => Some(None),
            Interrupted | NoMate | Matta | Error => None,
        }
    }

    /// The word after the moves of a USI line, as ShogiHome writes it; `None` if it writes none.
    pub const fn usi_word(self) -> Option<&'static str> {
        self.words().usi
    }

    pub(crate) fn from_usi_word(word: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.usi_word() == Some(word))
    }

    /// The player who won by the words of a `まで…` line: the one whose 勝ち it is, or the opponent of the
    /// one whose 負け, 時間切れ or 投了 it is.
    pub(crate) fn named_winner(text: &str) -> Option<Color> {
        const PLAYERS: [(&str, Color); 4] = [
            ("先手", Color::Black),
            ("後手", Color::White),
            ("下手", Color::Black),
            ("上手", Color::White),
        ];
        let won = text.find('勝');
        let lost =
            || ["負", "敗", "切れ", "投了", "反則"].iter().filter_map(|word| text.find(word)).min();
        let end = won.or_else(lost)?;
        let places =
            PLAYERS.into_iter().filter_map(|(name, color)| Some((text[..end].rfind(name)?, color)));
        let (_, player) = places.max_by_key(|&(place, _)| place)?;
        Some(if won.is_some() { player } else { player.opponent() })
    }

    /// What the `まで…` line of KI2 says, from the text after the number of moves: `で先手の勝ち`, `手詰`.
    pub(crate) fn from_made_line(text: &str, side_to_move: Color) -> Option<Outcome> {
        let has = |word| text.contains(word);
        let says_more = |outcome: &Outcome| outcome.comment.is_some_and(has);
        if let Some(outcome) = OTHER_WORDS.map(|(_, outcome)| outcome).into_iter().find(says_more) {
            return Some(outcome);
        }
        let winner = Ending::named_winner(text);
        // What a line without a name says, it says of the side to move.
        let for_winner = |win, loss, has_won: bool| {
            if winner.map_or(has_won, |winner| winner == side_to_move) { win } else { loss }
        };
        let says = |ending: Ending| {
            let mut others = OTHER_WORDS.iter().filter(|(_, other)| other.ending == Some(ending));
            ending.kif_word().is_some_and(has) || others.any(|(word, _)| has(word))
        };
        Some(exactly(if has("反則") {
            if winner.is_none() && !has("反則勝") && !has("反則負") {
                return None;
            }
            for_winner(FoulWin, FoulLoss, has("反則勝"))
        } else if says(Timeout) {
            Timeout
        } else if says(Repetition) {
            // Only perpetual check has a winner, and it is a foul.
            if winner.is_some() { for_winner(FoulWin, FoulLoss, false) } else { Repetition }
        } else if says(Impasse) {
            if winner.is_some() { Declaration } else { Impasse }
        } else if says(Draw) {
            Draw
        } else if has("入玉") || has("宣言") {
            Declaration
        } else if says(MaxMoves) {
            MaxMoves
        } else if says(DefaultWin) || says(DefaultLoss) {
            for_winner(DefaultWin, DefaultLoss, says(DefaultWin))
        } else if says(NoMate) {
            NoMate
        } else if says(Mate) {
            Mate
        } else if says(Interrupted) {
            Interrupted
        } else if winner.is_some() || says(Resign) {
            Resign
        } else {
            return None;
        }))
    }

    /// The text after `まで…手` in KI2 and KIF. In a handicap game, White moves first, so the players have
    /// other names there.
    pub(crate) fn made_line(self, side_to_move: Color, is_handicap: bool) -> String {
        let name = |color| match (color, is_handicap) {
            (Color::Black, false) => "先手",
            (Color::White, false) => "後手",
            (Color::Black, true) => "下手",
            (Color::White, true) => "上手",
        };
        let (us, them) = (name(side_to_move), name(side_to_move.opponent()));
        match self {
            Resign => format!("で{them}の勝ち"),
            Timeout => format!("で時間切れにより{them}の勝ち"),
            FoulLoss => format!("で{us}の反則負け"),
            FoulWin => format!("で{us}の反則勝ち"),
            Mate => "で詰".to_owned(),
            other => format!("で{}", other.kif_word().unwrap_or("中断")),
        }
    }
}

/// The English word.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The text is not the English word of an ending.
///
/// ```
/// use tsumero_record::{Ending, ParseEndingError};
/// assert_eq!("foul_loss".parse(), Ok(Ending::FoulLoss));
/// assert_eq!("投了".parse::<Ending>(), Err(ParseEndingError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not the word of an ending")]
pub struct ParseEndingError;

/// Reads the [English word](Ending::word).
impl FromStr for Ending {
    type Err = ParseEndingError;

    fn from_str(text: &str) -> Result<Ending, ParseEndingError> {
        let named = |ending: &Ending| ending.word() == text;
        Ending::ALL.into_iter().find(named).ok_or(ParseEndingError)
    }
}

/// The comment on the ending by an illegal move: the move in the words of the record, and in USI.
pub(crate) fn foul_comment(text: &str, mv: UsiMove) -> String {
    format!("反則手：{text} {mv}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ending of a `まで…` line that says no more.
    fn made(text: &str, side: Color) -> Option<Ending> {
        let outcome = Ending::from_made_line(text, side)?;
        assert_eq!(outcome.comment, None, "{text}");
        outcome.ending
    }

    #[test]
    fn every_word_is_read_back() {
        for ending in Ending::ALL {
            assert_eq!(ending.to_string().parse(), Ok(ending));
            if let Some(word) = ending.kif_word() {
                assert_eq!(Ending::from_kif_word(word), Some(exactly(ending)));
                for (side, is_handicap) in
                    Color::ALL.into_iter().flat_map(|side| [(side, false), (side, true)])
                {
                    let line = ending.made_line(side, is_handicap);
                    assert_eq!(made(&line, side), Some(ending), "{line}");
                }
            }
            for side in Color::ALL {
                if let Some(word) = ending.csa_word(side) {
                    assert_eq!(Ending::from_csa_word(word, side), Some(ending), "{word}");
                }
            }
            if let Some(word) = ending.usi_word() {
                assert_eq!(Ending::from_usi_word(word), Some(ending));
            }
        }
    }

    #[test]
    fn a_foul_is_seen_from_the_side_to_move() {
        for (text, side, ending) in [
            ("で先手の反則負け", Color::Black, FoulLoss),
            ("で後手の反則勝ち", Color::White, FoulWin),
            ("で後手の反則負け", Color::Black, FoulWin),
            ("で反則により先手の勝ち", Color::White, FoulLoss),
            ("で先手の反則により後手の勝ち", Color::White, FoulWin),
            // Without a name, as the word of a KIF.
            ("で反則勝ち", Color::White, FoulWin),
            ("で反則負け", Color::White, FoulLoss),
            // Perpetual check.
            ("で連続王手の千日手により後手の勝ち", Color::White, FoulWin),
            ("で連続王手の千日手により後手の勝ち", Color::Black, FoulLoss),
        ] {
            assert_eq!(made(text, side), Some(ending), "{text}");
        }
        for text in ["で", "で反則", "で先手の手番"] {
            assert_eq!(made(text, Color::Black), None, "{text}");
        }
    }

    /// Kings that have entered win by a declaration, or make an impasse.
    #[test]
    fn entered_kings_do_not_always_win() {
        for (text, ending) in [
            ("で入玉勝ち", Declaration),
            ("で入玉宣言により先手の勝ち", Declaration),
            ("で入玉により持将棋", Impasse),
            ("で相入玉引き分け", Draw),
        ] {
            assert_eq!(made(text, Color::Black), Some(ending), "{text}");
        }
    }
}
