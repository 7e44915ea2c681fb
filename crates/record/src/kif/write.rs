//! Writing KIF and KI2.

use std::fmt::Write as _;
use std::time::Duration;

use tsumero_core::{
    ByColor, Color, File, Handicap, Move, PieceKind, Position, Rank, Square, notation,
};

use super::moves::{self, move_with_origin};
use super::start;
use crate::{Cursor, Ending, Game, NodeId, NodeKind, csa, handicap, names, usi};

/// Writes the game as Kifu for Windows does.
pub(crate) fn write_kif(game: &Game) -> String {
    let mut text = String::new();
    write_headers(game, &mut text);
    text += "手数----指手---------消費時間--\n";
    write_remarks(game, NodeId::ROOT, &mut text);
    let mut clock = Clock::default();
    let mut last = None;
    game.visit_lines(|id, is_branch| {
        if is_branch {
            end_kif_line(game, last, &mut text);
            let _ = writeln!(text, "\n変化：{}手", game.node(id).number());
        }
        last = Some(id);
        let node = game.node(id);
        let (what, width) = match node.kind() {
            NodeKind::Move(mv) => {
                let before = node.parent().and_then(|parent| game.node(parent).mv());
                let what = move_with_origin(mv, before);
                let width = what.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
                (what, width)
            }
            NodeKind::Ending(ending) => {
                let word = ending.kif_word().unwrap_or("中断").to_owned();
                let width = 2 * word.chars().count();
                (word, width)
            }
            NodeKind::Start => return,
        };
        let _ = write!(text, "{:>4} {what}", node.number());
        let total = clock.total(game, id);
        let time = node.time().map_or(String::new(), |time| clock_text(time, total));
        let branches = if has_later_sibling(game, id) { "+" } else { "" };
        if !time.is_empty() || !branches.is_empty() {
            let blanks = 13usize.saturating_sub(width).max(1);
            let _ = write!(text, "{:blanks$}{time}{branches}", "");
        }
        text.push('\n');
        write_remarks(game, id, &mut text);
    });
    end_kif_line(game, last, &mut text);
    text
}

/// Writes the game in the notation of books.
pub(crate) fn write_ki2(game: &Game) -> String {
    const MOVES_IN_A_LINE: usize = 6;
    let mut text = String::new();
    write_headers(game, &mut text);
    text.push('\n');
    write_remarks(game, NodeId::ROOT, &mut text);
    let mut cursor = Cursor::new(game);
    let mut in_line = 0;
    game.visit_lines(|id, is_branch| {
        if is_branch {
            break_line(&mut text, &mut in_line);
            let _ = writeln!(text, "\n変化：{}手", game.node(id).number());
        }
        let node = game.node(id);
        if let (Some(mv), Some(parent)) = (node.mv(), node.parent()) {
            cursor.go_to(game, parent);
            let what = ki2_move(cursor.position(), mv, cursor.history().last_move());
            if in_line > 0 {
                text += "  ";
            }
            text += &what;
            in_line += 1;
        }
        if in_line == MOVES_IN_A_LINE || !node.comments().is_empty() || !node.bookmarks().is_empty()
        {
            break_line(&mut text, &mut in_line);
        }
        if node.mv().is_none() {
            break_line(&mut text, &mut in_line);
            end_line(game, Some(id), &mut text);
        }
        write_remarks(game, id, &mut text);
    });
    break_line(&mut text, &mut in_line);
    text
}

fn break_line(text: &mut String, in_line: &mut usize) {
    if std::mem::take(in_line) > 0 {
        text.push('\n');
    }
}

/// A legal move as KI2 writes it: ▲７六歩, △同　銀右. `last` is the move before it.
pub fn ki2_move(position: &Position, mv: Move, last: Option<Move>) -> String {
    notation::japanese(position, mv, last).replacen('同', "同　", 1).replace('竜', "龍")
}

/// The total times of the players.
#[derive(Default)]
struct Clock {
    /// For each node, the total times of both players up to and including it.
    totals: Vec<(NodeId, ByColor<Duration>)>,
}

impl Clock {
    /// The total time of the player of a node. Nodes come line by line, so going back to the start
    /// of a branch never takes longer than writing did.
    fn total(&mut self, game: &Game, id: NodeId) -> Duration {
        let node = game.node(id);
        let parent = node.parent().unwrap_or(NodeId::ROOT);
        while self.totals.last().is_some_and(|(last, _)| *last != parent) {
            self.totals.pop();
        }
        let mut totals = self.totals.last().map(|(_, totals)| *totals).unwrap_or_default();
        let player = game.side_before(id);
        totals[player] = totals[player].saturating_add(node.whole_seconds());
        self.totals.push((id, totals));
        totals[player]
    }
}

/// `( 0:02/00:00:02)`.
fn clock_text(time: Duration, total: Duration) -> String {
    let (time, total) = (time.as_secs(), total.as_secs());
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    format!("({:>2}:{:02}/{hours:02}:{minutes:02}:{seconds:02})", time / 60, time % 60)
}

fn has_later_sibling(game: &Game, id: NodeId) -> bool {
    let parent = game.node(id).parent().unwrap_or(NodeId::ROOT);
    game.node(parent).children().last() != Some(&id)
}

/// Writes `まで3手で先手の勝ち` in a KIF, where the word for the ending already stands among the moves. Kifu
/// for JS refuses a file in which such a line has a word that Kifu for Windows does not write there.
fn end_kif_line(game: &Game, last: Option<NodeId>, text: &mut String) {
    use Ending::{Declaration, DefaultLoss, DefaultWin, Draw, MaxMoves};
    let ending = last.map(|id| game.node(id).kind());
    let is_refused = matches!(
        ending,
        Some(NodeKind::Ending(Declaration | Draw | MaxMoves | DefaultWin | DefaultLoss))
    );
    if !is_refused {
        end_line(game, last, text);
    }
}

/// Writes `まで3手で先手の勝ち` if the line has an ending.
fn end_line(game: &Game, last: Option<NodeId>, text: &mut String) {
    let Some(node) = last.map(|id| game.node(id)) else { return };
    let NodeKind::Ending(ending) = node.kind() else { return };
    let moves = node.number() - 1;
    let first = game.start().side_to_move();
    let side = if moves.is_multiple_of(2) { first } else { first.opponent() };
    let is_handicap = handicap::of(game.start()).is_some_and(|found| found != Handicap::Even);
    let _ = writeln!(text, "まで{moves}手{}", ending.made_line(side, is_handicap));
}

fn write_remarks(game: &Game, id: NodeId, text: &mut String) {
    let node = game.node(id);
    for comment in node.comments() {
        let _ = writeln!(text, "*{comment}");
    }
    for name in node.bookmarks() {
        let _ = writeln!(text, "&{name}");
    }
}

/// Whether the line of a header would be read as a header again, in a file that is still taken for a
/// KIF.
fn can_be_written(name: &str, line: &str) -> bool {
    // A page or JSON begins like this.
    let foreign = ['<', '{', '['];
    let special = ['*', '#', '&'];
    // Other programs refuse a header without a name.
    !name.is_empty()
        && !start::is_start(name)
        && !start::is_diagram(line)
        && !line.starts_with(special)
        && !line.starts_with(foreign)
        && !line.starts_with(moves::MARKS)
        && !line.starts_with(moves::BRANCH)
        && !moves::is_title(line)
        && moves::made_line(line).is_none()
        && moves::numbered(line).is_none()
        && !moves::begins_like_move(name)
        && !usi::looks_like(line)
        && !csa::looks_like(line)
}

fn write_headers(game: &Game, text: &mut String) {
    let players = ["先手", "後手", "下手", "上手"];
    let at = game.headers().iter().position(|(name, _)| players.contains(&name.as_str()));
    let (before, after) = game.headers().split_at(at.unwrap_or(game.headers().len()));
    let write = |headers: &[(String, String)], text: &mut String| {
        for (name, value) in headers {
            let line = format!("{name}：{value}");
            if can_be_written(name, &line) {
                *text += &line;
                text.push('\n');
            }
        }
    };
    write(before, text);
    match handicap::widely_known(game.start()) {
        Some(handicap) => {
            let _ = writeln!(text, "手合割：{handicap}");
        }
        None => write_diagram(game.start(), text),
    }
    write(after, text);
}

fn write_diagram(position: &Position, text: &mut String) {
    let hand = |color: Color| {
        let held = PieceKind::HAND.into_iter().rev().filter_map(|kind| {
            let count = position.hand(color).count(kind);
            (count > 0).then(|| format!("{}{}　", names::kif_name(kind), names::count_name(count)))
        });
        let text: String = held.collect();
        if text.is_empty() { "なし".to_owned() } else { text }
    };
    let border = "+---------------------------+\n";
    let _ = write!(text, "手合割：その他\n後手の持駒：{}\n", hand(Color::White));
    *text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n";
    *text += border;
    for rank in Rank::all() {
        text.push('|');
        for file in File::all().rev() {
            *text += &match position.piece_at(Square::new(file, rank)) {
                None => " ・".to_owned(),
                Some(piece) => {
                    let mark = if piece.color() == Color::White { 'v' } else { ' ' };
                    format!("{mark}{}", names::diagram_name(piece.kind()))
                }
            };
        }
        let _ = writeln!(text, "|{}", names::rank_name(rank));
    }
    *text += border;
    let side = match position.side_to_move() {
        Color::Black => "先手番",
        Color::White => "後手番",
    };
    let _ = write!(text, "先手の持駒：{}\n{side}\n", hand(Color::Black));
}
