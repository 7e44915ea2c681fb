//! Questions of the page about the rules of shogi.

use serde::Serialize;
use tsumero_core::{
    Color, EnteringKingRule, Game, Handicap, IllegalMove, Move, Position, Repetition, notation,
};

/// The word between a position and its moves, as in USI.
const MOVES: &str = "moves";

/// Splits `POSITION moves MOVE...`; the second part may be missing.
pub fn split(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let (root, moves) = match text.find(MOVES) {
        Some(at) => (&text[..at], &text[at + MOVES.len()..]),
        None => (text, ""),
    };
    (root.trim(), moves.split_ascii_whitespace())
}

/// The game that a USI text describes: `startpos`, `sfen ...`, each with `moves ...` behind.
pub fn game(text: &str) -> Result<Game, String> {
    let (root, moves) = split(text);
    let start = match root {
        "startpos" => Position::startpos(),
        // Diagrams of game files break rules that no game does, and are shown all the same.
        root => Position::from_diagram(root.strip_prefix("sfen ").unwrap_or(root))
            .map_err(|error| error.to_string())?,
    };
    let mut game = Game::from(start);
    for (number, word) in (1..).zip(moves) {
        play(&mut game, word).map_err(|error| format!("{number}: {word}: {error}"))?;
    }
    Ok(game)
}

/// Makes a move.
fn play(game: &mut Game, word: &str) -> Result<Move, IllegalMove> {
    let mv = game.parse_move(word)?;
    game.play(mv)
}

/// `b` or `w`.
pub fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// How a game has ended.
#[derive(Serialize)]
pub struct End {
    /// `checkmate`, `repetition`, `perpetual check`, `king captured`, `no legal move`.
    pub why: &'static str,
    /// `b`, `w`, or nobody.
    pub winner: Option<char>,
}

#[derive(Serialize)]
struct Look {
    sfen: String,
    turn: char,
    in_check: bool,
    moves: Vec<String>,
    end: Option<End>,
    /// Whether the side to move wins by declaration.
    may_declare: bool,
}

/// What the page has to know about a position.
pub fn look(text: &str) -> Result<String, String> {
    let game = game(text)?;
    let position = &game;
    let us = position.side_to_move();
    let moves: Vec<String> =
        position.legal_moves().iter().map(|mv: &Move| mv.to_string()).collect();
    let end = if moves.is_empty() {
        Some(End { why: "checkmate", winner: Some(letter(!us)) })
    } else {
        match game.repetition() {
            Some(Repetition::PerpetualCheck { by }) => {
                Some(End { why: "perpetual check", winner: Some(letter(!by)) })
            }
            Some(_) => Some(End { why: "repetition", winner: None }),
            None => None,
        }
    };
    Ok(json(&Look {
        sfen: position.to_sfen(),
        turn: letter(us),
        in_check: position.in_check(),
        moves,
        // Where the game has ended, nothing can be declared.
        may_declare: end.is_none() && position.declaration_wins(EnteringKingRule::CsaRule27),
        end,
    }))
}

/// The rule that a move breaks, by its name in [`IllegalMove`]; empty if it is legal.
pub fn judge(text: &str, mv: &str) -> Result<String, String> {
    Ok(match game(text)?.parse_move(mv) {
        Ok(_) => String::new(),
        Err(rule) => rule_name(rule),
    })
}

fn rule_name(rule: IllegalMove) -> String {
    format!("{rule:?}")
}

/// Moves in Japanese, one after another from a position on. It ends before the first move that is
/// not legal.
pub fn japanese(text: &str, moves: &str) -> Result<String, String> {
    let mut game = game(text)?;
    let mut words = Vec::new();
    for word in moves.split_ascii_whitespace() {
        let Ok(mv) = game.parse_move(word) else { break };
        words.push(notation::japanese(&game, mv, game.last_move()));
        if game.play(mv).is_err() {
            break;
        }
    }
    Ok(json(&words))
}

/// The names and first positions of the customary handicaps.
pub fn handicaps() -> String {
    let pairs = Handicap::ALL.map(|handicap| (handicap.name(), handicap.position().to_sfen()));
    json(&pairs)
}

/// The text of a value that is made of texts and numbers.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn seen(text: &str) -> Value {
        serde_json::from_str(&look(text).unwrap()).unwrap()
    }

    #[test]
    fn a_position_is_seen_with_its_moves_and_its_end() {
        let start = seen("startpos moves 7g7f");
        assert_eq!((start["moves"].as_array().unwrap().len(), &start["turn"]), (30, &"w".into()));
        assert!(start["end"].is_null());
        let mated = seen("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
        assert_eq!(
            (&mated["end"]["why"], &mated["end"]["winner"]),
            (&"checkmate".into(), &"b".into())
        );
        assert_eq!(mated["in_check"], true);
        let again = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
        assert_eq!(seen(&format!("startpos moves {again}"))["end"]["why"], "repetition");
        // Who could declare may do so until the game has ended.
        let entered = "sfen K+R+BGGSS+N+N/+L+L7/9/9/9/9/9/9/4k4 b RB 1 moves";
        let turns = |times| "8b8c 5i4i 8c8b 4i5i ".repeat(times);
        for (times, may_declare) in [(2, true), (3, false)] {
            let seen = seen(&format!("{entered} {}", turns(times)));
            assert_eq!(
                (&seen["may_declare"], seen["end"].is_null()),
                (&may_declare.into(), may_declare)
            );
        }
        assert!(look("startpos moves 7g7f 7g7f").unwrap_err().starts_with("2: 7g7f: "));
        assert!(look("sfen nonsense").is_err());
    }

    #[test]
    fn rules_are_named() {
        let two_pawns = "sfen 4k4/9/9/9/9/9/4P4/9/4K4 b P 1";
        assert_eq!(judge(two_pawns, "P*5e").unwrap(), "TwoPawns");
        assert_eq!(judge(two_pawns, "P*4e").unwrap(), "");
        let last_pawn = "sfen 8k/9/6N1G/9/9/9/9/9/4K4 b P 1";
        assert_eq!(judge(last_pawn, "P*1b").unwrap(), "PawnDropMate");
    }

    #[test]
    fn moves_are_worded_until_one_is_impossible() {
        assert_eq!(
            japanese("startpos", "7g7f 3c3d 8h2b+ 1a1i").unwrap(),
            r#"["▲７六歩","△３四歩","▲２二角成"]"#
        );
        assert!(handicaps().contains("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w"));
    }
}
