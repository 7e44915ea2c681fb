//! Writing CSA.

use std::fmt::Write as _;

use tsumero_core::{Color, File, Move, PieceKind, Position, Rank, Square};

use super::{HEADERS, sign, square_digits};
use crate::{Game, NodeId, NodeKind, names};

/// The headers that name the players, with the corresponding statements.
const PLAYERS: [([&str; 2], &str); 2] = [(["先手", "下手"], "N+"), (["後手", "上手"], "N-")];

/// Writes the main lines of games, separated by `/`: in version 3 if a time has decimals, otherwise
/// in version 2.2, which more programs read. They know `%MAX_MOVES` there, too, although it is a word
/// of version 3.
pub(crate) fn write(games: &[Game]) -> String {
    let is_fine = |game: &Game| {
        let mut times = game.main_line().filter_map(|id| game.node(id).time());
        times.any(|time| time.subsec_millis() > 0)
    };
    let mut text = if games.iter().any(is_fine) {
        "'CSA encoding=UTF-8\nV3.0\n".to_owned()
    } else {
        "V2.2\n".to_owned()
    };
    for (index, game) in games.iter().enumerate() {
        if index > 0 {
            text += "/\n";
        }
        write_game(game, &mut text);
    }
    text
}

fn write_game(game: &Game, text: &mut String) {
    // The players' names come first.
    for (kif_names, csa) in PLAYERS {
        for (_, value) in game.headers().iter().filter(|(name, _)| kif_names.contains(&&**name)) {
            let _ = writeln!(text, "{csa}{value}");
        }
    }
    for (name, value) in game.headers() {
        if name.is_empty() || PLAYERS.iter().any(|(kif_names, _)| kif_names.contains(&&**name)) {
            continue;
        }
        let _ = match HEADERS.iter().find(|(_, kif)| kif == name) {
            Some((csa, _)) => writeln!(text, "{csa}:{value}"),
            None if name.starts_with('$') => writeln!(text, "{name}:{value}"),
            None => writeln!(text, "${name}:{value}"),
        };
    }
    write_position(game.start(), text);
    for id in game.main_line() {
        let node = game.node(id);
        let mut takes_time = id != NodeId::ROOT;
        match node.kind() {
            NodeKind::Start => {}
            NodeKind::Move(mv) => {
                let _ = writeln!(text, "{}", csa_move(mv));
            }
            NodeKind::Ending(ending) => {
                match (ending.csa_word(game.side_before(id)), ending.kif_word()) {
                    (Some(word), _) => {
                        let _ = writeln!(text, "%{word}");
                    }
                    (None, word) => {
                        let _ = writeln!(text, "'*{}", word.unwrap_or(ending.word()));
                        takes_time = false;
                    }
                }
            }
        }
        if takes_time && let Some(time) = node.time() {
            let _ = match time.subsec_millis() {
                0 => writeln!(text, "T{}", time.as_secs()),
                fraction => writeln!(text, "T{}.{fraction:03}", time.as_secs()),
            };
        }
        for comment in node.comments() {
            let _ = writeln!(text, "'*{comment}");
        }
    }
}

/// A legal move: `+7776FU`.
pub fn csa_move(mv: Move) -> String {
    let from = mv.from().map_or("00".to_owned(), square_digits);
    let name = names::csa_name(mv.piece_after().kind());
    format!("{}{from}{}{name}", sign(mv.color()), square_digits(mv.to()))
}

fn write_position(position: &Position, text: &mut String) {
    for rank in Rank::all() {
        let _ = write!(text, "P{}", rank.number());
        for file in File::all().rev() {
            match position.piece_at(Square::new(file, rank)) {
                None => *text += " * ",
                Some(piece) => {
                    text.push(sign(piece.color()));
                    *text += names::csa_name(piece.kind());
                }
            }
        }
        text.push('\n');
    }
    for color in Color::ALL {
        let hand = position.hand(color);
        if !hand.is_empty() {
            let _ = write!(text, "P{}", sign(color));
            for kind in PieceKind::HAND.into_iter().rev() {
                for _ in 0..hand.count(kind) {
                    let _ = write!(text, "00{}", names::csa_name(kind));
                }
            }
            text.push('\n');
        }
    }
    let _ = writeln!(text, "{}", sign(position.side_to_move()));
}
