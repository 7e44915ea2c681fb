//! Reading JKF.

use std::time::Duration;

use tsumero_core::{Color, Handicap, Move, Piece, PieceKind, Position, Setup, Square, UsiMove};

use super::meant_ending;
use super::tree::{self, Initial, Item, JsonMove, Point};
use crate::ending::{exactly, foul_comment};
use crate::text::Text;
use crate::{BadGame, Cursor, Ending, Fault, Game, NodeId, handicap, names, setup};

/// Reads the game of a JKF, or the games of a file with one JKF per line, as [`super::write()`]
/// writes several games.
pub(crate) fn read(text: &Text) -> Vec<Result<Game, BadGame>> {
    let lines = text.numbered().map(|(number, line)| (number, line.trim()));
    let lines: Vec<_> = lines.filter(|(_, line)| !line.is_empty()).collect();
    if let Some((number, instead)) =
        lines.first().and_then(|&(number, line)| Some((number, tree::no_game(line)?)))
    {
        return vec![Err(BadGame::new(number, instead))];
    }
    let is_whole = |line: &str| line.starts_with('{') && line.ends_with('}');
    if lines.len() < 2 || !lines.iter().all(|(_, line)| is_whole(line)) {
        return vec![read_game(&text.lines().join("\n"))];
    }
    let read = |(number, line)| read_game(line).map_err(|bad| BadGame { line: number, ..bad });
    lines.into_iter().map(read).collect()
}

fn read_game(json: &str) -> Result<Game, BadGame> {
    let tree = tree::read(json)?;
    if tree.lines.is_empty() {
        return Err(BadGame::new(1, "no JKF: it has no \"moves\""));
    }
    let initial = match &tree.initial {
        None => Position::startpos(),
        Some(initial) => {
            first_position(initial).map_err(|fault| BadGame::new(initial.line, fault))?
        }
    };
    let mut game = Game::new(initial);
    for (name, value) in &tree.headers {
        game.add_header(name, value);
    }
    let mut cursor = Cursor::new(&game);
    // For each line, the node before each of its entries. Forks begin at these nodes.
    let mut before: Vec<Vec<NodeId>> = Vec::with_capacity(tree.lines.len());
    for line in &tree.lines {
        let start = match line.beside {
            None => NodeId::ROOT,
            Some((line, index)) => before[line][index],
        };
        cursor.go_to(&game, start);
        let mut reader = LineReader {
            game: &mut game,
            cursor: &mut cursor,
            last: start,
            ended: false,
            foul: false,
        };
        let mut nodes = Vec::with_capacity(line.entries.len());
        for (index, item) in line.entries.iter().enumerate() {
            nodes.push(reader.last);
            let next = line.entries.get(index + 1);
            reader.read(item, next).map_err(|reason| BadGame::new(item.line, reason))?;
        }
        before.push(nodes);
    }
    Ok(game)
}

struct LineReader<'a> {
    game: &'a mut Game,
    cursor: &'a mut Cursor,
    last: NodeId,
    /// Whether the line has ended by a word for which there is no node.
    ended: bool,
    /// Whether the line has ended before an illegal move. The object that calls it a foul follows.
    foul: bool,
}

impl LineReader<'_> {
    /// Reads one object; `next` is the one after it in the line. The first one of the main line is
    /// the start, but some programs omit it and begin with a move. If a move is illegal and the next
    /// object calls it a foul, the line ends before it, and a comment contains it.
    fn read(&mut self, item: &Item, next: Option<&Item>) -> Result<(), String> {
        let number = self.game.node(self.last).number() + 1;
        let has_ended = self.ended || self.last != self.cursor.node();
        let mut comments = &item.comments[..];
        let mut has_node = true;
        match (&item.mv, &item.special) {
            (None, Some(_)) if std::mem::take(&mut self.foul) => {}
            (Some(_), _) | (_, Some(_)) if has_ended => {
                return Err(format!("entry {number} stands behind the end of the game"));
            }
            (Some(json), _) => {
                let mv = read_move(json, self.cursor.history())
                    .map_err(|reason| format!("move {number}: {reason}"))?;
                let mover = self.cursor.position().side_to_move();
                match self.cursor.play(self.game, mv) {
                    Ok(node) => self.last = node,
                    Err(_) if next.is_some_and(|next| is_foul_of(next, mover)) => {
                        self.leave_out_foul(json, mv);
                    }
                    Err(illegal) => return Err(format!("move {number} {mv}: {illegal}")),
                }
            }
            (None, Some(word)) => {
                let side = self.cursor.position().side_to_move();
                let outcome = ending_of(word, side).map(exactly);
                let outcome = outcome.or_else(|| Ending::from_kif_word(word));
                let outcome = outcome.ok_or_else(|| format!("{word:?} is no ending"))?;
                if let Some(ending) = outcome.ending {
                    let meant = meant_ending(ending, comments);
                    comments = &comments[usize::from(meant.is_some())..];
                    self.last = self.game.add_ending(self.last, meant.unwrap_or(ending));
                }
                has_node = outcome.ending.is_some();
                self.ended = true;
                if let Some(word) = outcome.comment {
                    self.game.add_comment(self.last, word);
                }
            }
            // The object of the start. Anywhere else, it belongs to the move before it.
            (None, None) => {}
        }
        for comment in comments {
            self.game.add_comment(self.last, comment);
        }
        // The time of a word that is only a comment is not that of the opponent's move before it.
        if !has_node {
            return Ok(());
        }
        // A move that several lines share keeps its first time.
        let time = self.game.node(self.last).time();
        self.game.set_time(self.last, time.or(item.time.map(Duration::from_millis)));
        Ok(())
    }

    /// Ends the line before a move that the record calls a foul.
    fn leave_out_foul(&mut self, json: &JsonMove, mv: UsiMove) {
        self.last = self.game.add_ending(self.last, Ending::FoulLoss);
        self.foul = true;
        let piece = json.piece.as_deref().unwrap_or_default();
        self.game.add_comment(self.last, &foul_comment(piece, mv));
    }
}

/// The ending that a word of CSA means for the side to move, with or without its `%`.
fn ending_of(word: &str, side_to_move: Color) -> Option<Ending> {
    match word.trim_start_matches('%') {
        // Whose foul it was has been left out. The side to move does not play on.
        "ILLEGAL_ACTION" => Some(Ending::FoulWin),
        csa => Ending::from_csa_word(csa, side_to_move),
    }
}

/// Whether an object says that the move before it was a foul of the player who made it.
fn is_foul_of(item: &Item, mover: Color) -> bool {
    // In CSA, a player who loses by an illegal move is still the side to move.
    item.special.as_deref().is_some_and(|word| {
        Ending::from_csa_word(word.trim_start_matches('%'), mover) == Some(Ending::FoulLoss)
            || ending_of(word, !mover) == Some(Ending::FoulWin)
    })
}

fn point(point: Point) -> Result<tsumero_core::Square, String> {
    names::square(point.x, point.y).ok_or_else(|| "a square off the board".to_owned())
}

fn read_move(mv: &JsonMove, position: &tsumero_core::Game) -> Result<UsiMove, String> {
    let us = position.side_to_move();
    if mv.color.is_some_and(|color| color_of(color) != Some(us)) {
        return Err("it is the other side's turn".to_owned());
    }
    let name = mv.piece.as_deref().unwrap_or_default();
    let kind = names::csa_kind(name).ok_or_else(|| format!("no piece is called {name:?}"))?;
    let to = match (mv.to, position.last_move().map(Move::to)) {
        (Some(to), _) => point(to)?,
        (None, Some(to)) if mv.same => to,
        _ => return Err("it goes nowhere".to_owned()),
    };
    let Some(from) = mv.from else {
        return if PieceKind::HAND.contains(&kind) {
            Ok(UsiMove::Drop { kind, to })
        } else {
            Err(format!("{name} is never in hand"))
        };
    };
    let from = point(from)?;
    match position.piece_at(from).filter(|piece| piece.color() == us) {
        Some(piece) if piece.kind() != kind => {
            Err(format!("{name} is named, but {} stands there", names::csa_name(piece.kind())))
        }
        _ => Ok(UsiMove::Board { from, to, promotes: mv.promote }),
    }
}

fn color_of(number: u32) -> Option<Color> {
    match number {
        0 => Some(Color::Black),
        1 => Some(Color::White),
        _ => None,
    }
}

fn first_position(initial: &Initial) -> Result<Position, Fault> {
    let has_board =
        initial.preset == "OTHER" || (initial.preset.is_empty() && !initial.board.is_empty());
    if !has_board {
        let handicap = handicap::with_preset(&initial.preset);
        let unknown = || format!("the preset {:?} is not known", initial.preset);
        return Ok(handicap.map(Handicap::position).ok_or_else(unknown)?);
    }
    if initial.board.len() != 81 {
        return Err(format!("the board has {} squares instead of 81", initial.board.len()).into());
    }
    let mut setup = Setup::empty();
    for (square, (color, kind)) in Square::all().zip(&initial.board) {
        if let Some(name) = kind {
            let kind = names::csa_kind(name);
            let kind = kind.ok_or_else(|| format!("no piece is called {name:?}"))?;
            let color = color.and_then(color_of).ok_or("a piece without a color")?;
            setup.put(square, Piece::new(color, kind));
        }
    }
    setup
        .set_side_to_move(initial.color.and_then(color_of).ok_or("the side to move is not given")?);
    for (player, name, count) in &initial.hands {
        let kind = names::csa_kind(name).filter(|kind| PieceKind::HAND.contains(kind));
        let kind = kind.ok_or_else(|| format!("{name:?} is never in hand"))?;
        let hands = Color::ALL.into_iter().filter(|color| color.index() == *player);
        for color in hands {
            setup::add(&mut setup, color, kind, *count).map_err(|error| error.to_string())?;
        }
    }
    setup::position(setup)
}
