//! Questions of the page about quantum shogi.

use serde::Serialize;
use serde_json::json as value;
use tsumero_core::Color;
use tsumero_quantum::{Kind, Outcome, PieceId, Position, longest_reply, winning_moves};

use crate::shogi::{End, json, letter, split};

/// The position that a USI text describes: `startpos` or a position of quantum shogi, each with
/// `moves ...` behind.
fn position(text: &str) -> Result<Position, String> {
    let (root, moves) = split(text);
    let mut position = match root {
        "startpos" => Position::startpos(),
        root => root.parse().map_err(|error| format!("{error}"))?,
    };
    for (number, word) in (1..).zip(moves) {
        let told = |reason: String| format!("{number}: {word}: {reason}");
        let mv = position.parse_move(word).map_err(|error| told(error.to_string()))?;
        position.play(mv).map_err(|error| told(error.to_string()))?;
    }
    Ok(position)
}

#[derive(Serialize)]
struct Piece {
    name: String,
    /// `None` in hand.
    square: Option<String>,
    owner: char,
    promoted: bool,
    /// One bit for each kind, pawn first.
    kinds: u8,
    /// The share of each kind among all assignments, 0 to 1, pawn first.
    odds: [f64; 8],
}

#[derive(Serialize)]
struct Look {
    turn: char,
    ply: u32,
    position: String,
    pieces: Vec<Piece>,
    /// The names of the pieces in the two hands, in the order of capture.
    hands: [Vec<String>; 2],
    moves: Vec<String>,
    end: Option<End>,
}

/// What the page has to know about a position.
pub fn look(text: &str) -> Result<String, String> {
    let position = position(text)?;
    let odds = Color::ALL.map(|color| position.army(color).odds());
    let pieces = PieceId::all()
        .map(|piece| Piece {
            name: piece.to_string(),
            square: position.square_of(piece).map(|square| square.to_string()),
            owner: letter(position.owner(piece)),
            promoted: position.is_promoted(piece),
            kinds: position.kinds(piece).bits(),
            odds: Kind::ALL.map(|kind| odds[piece.side().index()].probability(piece.index(), kind)),
        })
        .collect();
    let end = position.outcome(None).map(|outcome| End {
        why: match outcome {
            Outcome::KingCaptured { .. } => "king captured",
            Outcome::NoLegalMove { .. } => "no legal move",
            Outcome::Repetition | Outcome::MoveLimit => "repetition",
        },
        winner: outcome.winner().map(letter),
    });
    let hands =
        Color::ALL.map(|color| position.hand(color).iter().map(ToString::to_string).collect());
    let moves = match end {
        Some(_) => Vec::new(),
        None => position.legal_moves().iter().map(ToString::to_string).collect(),
    };
    Ok(json(&Look {
        turn: letter(position.side_to_move()),
        ply: position.ply(),
        position: position.to_string(),
        pieces,
        hands,
        moves,
        end,
    }))
}

/// The rule that a move breaks, by the name of its variant; empty if it is legal.
pub fn judge(text: &str, mv: &str) -> Result<String, String> {
    Ok(match position(text)?.parse_move(mv) {
        Ok(_) => String::new(),
        Err(rule) => {
            let text = format!("{rule:?}");
            text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("").to_owned()
        }
    })
}

/// Problems are not longer. A search for more plies would take minutes.
const LONGEST: u32 = 5;

/// The answer to the last move of a text, which has to take the king by force within so many plies,
/// itself included: `{"kind": "mate"}`, `{"kind": "reply", "move", "left"}` or
/// `{"kind": "wrong", "reply"}`.
pub fn answer(text: &str, plies: u32) -> Result<String, String> {
    let position = position(text)?;
    let left = plies.min(LONGEST).saturating_sub(2);
    let reply = match position.winner() {
        Some(_) => None,
        None => longest_reply(&position, left),
    };
    Ok(json(&match reply {
        None => value!({ "kind": "mate" }),
        Some((reply, Some(left))) => {
            value!({ "kind": "reply", "move": reply.to_string(), "left": left })
        }
        Some((reply, None)) => value!({ "kind": "wrong", "reply": reply.to_string() }),
    }))
}

/// A move that takes the king by force within so many plies; empty without one.
pub fn best(text: &str, plies: u32) -> Result<String, String> {
    let moves = winning_moves(&position(text)?, plies.min(LONGEST));
    Ok(json(&moves.first().map(ToString::to_string).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_piece_shows_what_it_may_still_be() {
        let seen: Value =
            serde_json::from_str(&look("startpos moves 7g7f 3c3d 8h6h").unwrap()).unwrap();
        let piece = seen["pieces"].as_array().unwrap().iter().find(|one| one["square"] == "6h");
        let piece = piece.unwrap();
        assert_eq!((&piece["kinds"], &piece["odds"][6]), (&0x40.into(), &1.0.into()));
        // Nobody else on that side can be the rook; on the other side all can, equally.
        let rooks = |owner: &str| -> f64 {
            let pieces = seen["pieces"].as_array().unwrap().iter();
            pieces
                .filter(|one| one["owner"] == owner)
                .map(|one| one["odds"][6].as_f64().unwrap())
                .sum()
        };
        assert!((rooks("b") - 1.0).abs() < 1e-9 && (rooks("w") - 1.0).abs() < 1e-9);
        assert!(seen["end"].is_null() && !seen["moves"].as_array().unwrap().is_empty());
    }

    #[test]
    fn rules_are_named() {
        assert_eq!(judge("startpos", "9i9d").unwrap(), "Leap");
        assert_eq!(judge("startpos", "7g7f+").unwrap(), "OutsideZone");
        assert_eq!(judge("startpos", "7g7f").unwrap(), "");
        assert!(look("startpos moves 7g5d").is_err());
    }

    #[test]
    fn a_problem_is_answered_until_the_king_is_taken() {
        let text = include_str!("../../../web/quantum-problems.json");
        let problems: Value = serde_json::from_str(text).unwrap();
        for plies in [1, 3, 5] {
            let problem = &problems[plies.to_string()][0];
            let (mut text, mut left) = (format!("{} moves", problem[0].as_str().unwrap()), plies);
            loop {
                let first: String = serde_json::from_str(&best(&text, left).unwrap()).unwrap();
                text += &format!(" {first}");
                let said: Value = serde_json::from_str(&answer(&text, left).unwrap()).unwrap();
                if said["kind"] == "mate" {
                    break;
                }
                assert_eq!((&said["kind"], &said["left"]), (&"reply".into(), &(left - 2).into()));
                text += &format!(" {}", said["move"].as_str().unwrap());
                left -= 2;
            }
            assert_eq!(left, 1, "{text}");
        }
        let said: Value = serde_json::from_str(&answer("startpos moves 7g7f", 3).unwrap()).unwrap();
        assert_eq!(said["kind"], "wrong");
        assert_eq!(best("startpos", 1).unwrap(), "\"\"");
    }
}
