//! One move of KIF or KI2.

use std::time::Duration;

use tsumero_core::{Color, Game, Move, PieceKind, Position, Square, UsiMove};

use crate::ending::Outcome;
use crate::{Ending, names};

/// The marks before a move of KI2: the first three are Black's.
pub(super) const MARKS: [char; 6] = ['▲', '▼', '☗', '△', '▽', '☖'];

fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
}

/// Splits a KIF line into its number and the rest; `None` if it does not begin with a number. A
/// header may begin with a digit, too, but then no blank follows.
pub(super) fn numbered(line: &str) -> Option<(&str, &str)> {
    let is_digit = |letter: char| matches!(letter, '0'..='9' | '０'..='９');
    let (number, rest) = line.split_at(line.find(|letter| !is_digit(letter))?);
    let rest = rest.strip_prefix("手目").unwrap_or(rest);
    let is_header = !rest.starts_with(is_blank) && rest.contains(['：', ':', '/']);
    if number.is_empty() || is_header || is_file_numbers(line) {
        return None;
    }
    Some((number, rest.trim()))
}

/// Whether the line is the title above the moves of a KIF.
pub(super) fn is_title(line: &str) -> bool {
    line.starts_with("手数-") || line.starts_with("手数＝")
}

/// How the line above the moves of a branch begins.
pub(super) const BRANCH: &str = "変化";

/// The number in `まで…手` and the text after it, if the line begins with that.
pub(super) fn made_line(line: &str) -> Option<(u64, &str)> {
    let rest = line.strip_prefix("まで")?.trim_start_matches('、').trim_start();
    let (_, text) = rest.split_once('手')?;
    rest.starts_with(|c: char| names::digit(c).is_some())
        .then(|| (number_of(rest).unwrap_or(u64::MAX), text))
}

/// Whether the line has the numbers of the files above a diagram.
pub(super) fn is_file_numbers(line: &str) -> bool {
    let numbers = line.chars().filter(|&letter| !is_blank(letter)).map(names::digit);
    numbers.eq((1..=9).rev().map(Some))
}

/// Whether a text is the beginning of a line with a move and its time, up to the first colon.
pub(super) fn begins_like_move(text: &str) -> bool {
    text.starts_with(|letter| names::digit(letter).is_some()) && text.contains(['(', '（'])
}

/// The number that digits of either width mean; `None` if it is too large.
pub(super) fn number_of(digits: &str) -> Option<u64> {
    let mut digits = digits.chars().map_while(names::digit);
    digits.try_fold(0u64, |number, digit| number.checked_mul(10)?.checked_add(digit.into()))
}

/// The contents of a numbered line of KIF.
pub(super) enum KifEntry {
    Move(KifMove),
    End(Outcome),
}

/// A move as KIF writes it.
pub(super) struct KifMove {
    to: Square,
    /// The kind before promotion, as the text names it.
    kind: PieceKind,
    /// `None` for a drop.
    from: Option<Square>,
    promotes: bool,
}

/// Reads the text after the number of a KIF line: a move or an ending, and its time. Either may have
/// the mark of KI2. `history` is the game before it.
pub(super) fn read_kif_entry(
    history: &Game,
    text: &str,
) -> Result<(KifEntry, Option<Duration>), String> {
    let unmarked = text.strip_prefix(MARKS).unwrap_or(text).trim_start();
    let word = unmarked.split(['(', '（', '+']).next().unwrap_or_default().trim_end();
    if let Some(outcome) = Ending::from_kif_word(word) {
        return Ok((KifEntry::End(outcome), read_time(&unmarked[word.len()..])?));
    }
    let text = take_mark(text, history.side_to_move())?;
    let unreadable = || format!("{:?} is neither a move nor an ending", shorten(word));
    let last = history.last_move().map(Move::to);
    let (to, rest) = take_target(text, last)?.ok_or_else(unreadable)?;
    let (kind, rest) = names::take_piece(rest.trim_start()).ok_or_else(unreadable)?;
    let (modifiers, rest) = Modifiers::take(rest);
    let (origin, rest) = take_origin(rest.trim_start());
    let from = match origin {
        Some(Origin::Square(_)) if modifiers.drop => {
            return Err("a drop with an origin square".to_owned());
        }
        Some(Origin::Square(from)) => Some(from),
        Some(Origin::Hand) => None,
        None if modifiers.drop => None,
        None => return Err("the move has no origin square".to_owned()),
    };
    let mv = KifMove { to, kind, from, promotes: modifiers.promotes == Some(true) };
    Ok((KifEntry::Move(mv), read_time(rest)?))
}

impl KifMove {
    /// The move in USI form, if the named piece stands where the text says.
    pub(super) fn in_position(&self, position: &Position) -> Result<UsiMove, String> {
        let KifMove { to, kind, from, promotes } = *self;
        let Some(from) = from else {
            if !PieceKind::HAND.contains(&kind) || promotes {
                return Err("what is dropped is never promoted".to_owned());
            }
            return Ok(UsiMove::Drop { kind, to });
        };
        let stands = position.piece_at(from);
        match stands.filter(|piece| piece.color() == position.side_to_move()) {
            Some(piece) if piece.kind() != kind => Err(format!(
                "{} is named, but {} stands on {from}",
                names::kif_name(kind),
                names::kif_name(piece.kind())
            )),
            // Any other fault is a broken rule.
            _ => Ok(UsiMove::Board { from, to, promotes }),
        }
    }
}

/// Takes the mark from the start of a move, if there is one. It must be that of the side to move.
fn take_mark(text: &str, side_to_move: Color) -> Result<&str, String> {
    let Some(place) = MARKS.iter().position(|&mark| text.starts_with(mark)) else {
        return Ok(text);
    };
    let color = if place < 3 { Color::Black } else { Color::White };
    if color != side_to_move {
        return Err(format!("{} has the mark of the other side", shorten(text)));
    }
    Ok(text[MARKS[place].len_utf8()..].trim_start())
}

/// Reads the target at the start of a move. 同 is the target of the previous move.
fn take_target(text: &str, last: Option<Square>) -> Result<Option<(Square, &str)>, String> {
    match text.strip_prefix('同') {
        None => Ok(names::take_square(text)),
        Some(rest) => match last {
            Some(to) => Ok(Some((to, rest))),
            None => Err("同 without a move before it".to_owned()),
        },
    }
}

enum Origin {
    Square(Square),
    Hand,
}

/// Reads the origin after a move: `(77)`, or `(00)` for a drop.
fn take_origin(text: &str) -> (Option<Origin>, &str) {
    let mut letters = text.chars();
    let mut next = || letters.next();
    let parts = (next(), next().and_then(names::digit), next().and_then(names::digit), next());
    let (Some('(' | '（'), Some(file), Some(rank), Some(')' | '）')) = parts else {
        return (None, text);
    };
    let origin = match (file, rank) {
        (0, 0) => Some(Origin::Hand),
        _ => names::square(file, rank).map(Origin::Square),
    };
    let rest = if origin.is_some() { letters.as_str() } else { text };
    (origin, rest)
}

/// Reads the time after a move, `( 0:02/00:00:02)` with or without the total, and the `+` that
/// marks a branch. `None` if there is no time.
fn read_time(text: &str) -> Result<Option<Duration>, String> {
    let text = text.trim();
    let text = text.strip_suffix('+').unwrap_or(text).trim_end();
    let text = text.strip_prefix('+').unwrap_or(text).trim_start();
    if text.is_empty() {
        return Ok(None);
    }
    let unreadable = || format!("{:?} behind the move is no time", shorten(text));
    let inner = text.strip_prefix(['(', '（']).and_then(|text| text.strip_suffix([')', '）']));
    let inner = inner.ok_or_else(unreadable)?;
    let is_time = |c: char| c.is_ascii_digit() || matches!(c, ':' | '/' | '.') || is_blank(c);
    if !inner.chars().all(is_time) {
        return Err(unreadable());
    }
    let spent = inner.split('/').next().unwrap_or_default();
    let mut milliseconds = 0u64;
    let fields: Vec<_> = spent.split(':').map(str::trim).collect();
    if fields.iter().all(|field| field.is_empty()) {
        return Ok(None);
    }
    for (index, field) in fields.iter().rev().enumerate() {
        let unit = 60u64.checked_pow(index as u32).ok_or_else(unreadable)?;
        let value = match index {
            0 => milliseconds_of(field).ok_or_else(unreadable)?,
            _ => field.parse::<u64>().map_err(|_| unreadable())?.saturating_mul(1000),
        };
        milliseconds = milliseconds.saturating_add(value.saturating_mul(unit));
    }
    Ok(Some(Duration::from_millis(milliseconds)))
}

/// Reads seconds with up to three decimals.
pub(crate) fn milliseconds_of(seconds: &str) -> Option<u64> {
    let (whole, decimals) = seconds.split_once('.').unwrap_or((seconds, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)
}

/// The characters after the name of a piece.
#[derive(Default)]
struct Modifiers {
    /// 打.
    drop: bool,
    /// 成, or 不成 and 生.
    promotes: Option<bool>,
    /// 右 or 左.
    side: Option<char>,
    /// 直, 上 (行, 入), 寄 or 引.
    motion: Option<char>,
}

impl Modifiers {
    fn take(text: &str) -> (Modifiers, &str) {
        let mut modifiers = Modifiers::default();
        let mut rest = text;
        loop {
            if let Some(tail) = rest.strip_prefix("不成") {
                modifiers.promotes = Some(false);
                rest = tail;
                continue;
            }
            match rest.chars().next() {
                Some('打') => modifiers.drop = true,
                Some('成') => modifiers.promotes = Some(true),
                Some('生') => modifiers.promotes = Some(false),
                Some(side @ ('右' | '左')) => modifiers.side = Some(side),
                Some('行' | '入') => modifiers.motion = Some('上'),
                Some(motion @ ('直' | '上' | '寄' | '引')) => modifiers.motion = Some(motion),
                _ => return (modifiers, rest),
            }
            let length = rest.chars().next().map_or(0, char::len_utf8);
            rest = &rest[length..];
        }
    }
}

/// Reads one move of KI2 with its mark, or the word for an ending in its place (▲投了).
pub(super) fn read_ki2_entry(history: &Game, text: &str) -> Result<Result<Move, Outcome>, String> {
    let word = text.trim_start_matches(MARKS).trim();
    match Ending::from_kif_word(word) {
        Some(outcome) => Ok(Err(outcome)),
        None => read_ki2_move(history, text, history.last_move()).map(Ok),
    }
}

/// Reads one move in the notation of books or of a KIF: `▲７六歩`, `△同 銀右`, `７六歩(77)`. The mark may
/// be missing. `last` is the move before it.
///
/// # Errors
///
/// Why the text means no legal move, or more than one.
pub fn read_ki2_move(position: &Position, text: &str, last: Option<Move>) -> Result<Move, String> {
    let shown = shorten(text.trim());
    let body = take_mark(text.trim(), position.side_to_move())?;
    let body: String = body.chars().filter(|&letter| !is_blank(letter)).collect();
    let parsed = take_target(&body, last.map(Move::to))?
        .and_then(|(to, rest)| names::take_piece(rest).map(|(kind, rest)| (to, kind, rest)));
    let Some((to, kind, rest)) = parsed else { return Err(format!("{shown:?} is no move")) };
    let (modifiers, rest) = Modifiers::take(rest);
    let (origin, rest) = take_origin(rest);
    if !rest.is_empty() {
        return Err(format!("{shown:?} is no move"));
    }
    let found = match origin {
        None => find_move(position, to, kind, &modifiers),
        Some(_) if modifiers.drop => Err("a drop with an origin square".to_owned()),
        Some(origin) => {
            let from = match origin {
                Origin::Square(from) => Some(from),
                Origin::Hand => None,
            };
            let mv = KifMove { to, kind, from, promotes: modifiers.promotes == Some(true) };
            let mv = mv.in_position(position);
            mv.and_then(|mv| position.validate(mv).map_err(|illegal| illegal.to_string()))
        }
    };
    found.map_err(|reason| format!("{shown}: {reason}"))
}

/// Finds the one legal move that a move of KI2 means.
fn find_move(
    position: &Position,
    to: Square,
    kind: PieceKind,
    modifiers: &Modifiers,
) -> Result<Move, String> {
    let drop = UsiMove::Drop { kind, to };
    if modifiers.drop {
        return position.validate(drop).map_err(|illegal| illegal.to_string());
    }
    let us = position.side_to_move();
    let reach: Vec<Square> = position
        .attackers(us, to)
        .iter()
        .filter(|&from| position.piece_at(from).is_some_and(|piece| piece.kind() == kind))
        .collect();
    let can_drop = modifiers.side.is_none() && modifiers.motion.is_none();
    // 打 is omitted if no piece on the board can go there, and by some programs if none may.
    let as_drop = || {
        let may_drop = can_drop && modifiers.promotes.is_none();
        position.validate(drop).ok().filter(|_| may_drop)
    };
    if reach.is_empty() {
        return as_drop().ok_or_else(|| match position.validate(drop) {
            Err(illegal) if can_drop && position.hand(us).contains(kind) => illegal.to_string(),
            _ => format!("no {} can go to {to}", names::kif_name(kind)),
        });
    }
    let promotes = modifiers.promotes == Some(true);
    let (mut legal, mut illegal) = (None, None);
    for &from in reach.iter().filter(|&&from| fits(us, kind, from, to, &reach, modifiers)) {
        match position.validate(UsiMove::Board { from, to, promotes }) {
            Ok(_) if legal.is_some() => return Err("more than one piece can go there".to_owned()),
            Ok(mv) => legal = Some(mv),
            Err(why) => illegal = illegal.or(Some(why)),
        }
    }
    match (legal, illegal) {
        (Some(mv), _) => Ok(mv),
        (None, Some(why)) => as_drop().ok_or_else(|| why.to_string()),
        (None, None) => Err(format!("no {} moves there like that", names::kif_name(kind))),
    }
}

/// Whether a piece matches 右, 左, 直, 上, 寄 and 引. `reach` are all pieces of its kind that reach the
/// target.
fn fits(
    us: Color,
    kind: PieceKind,
    from: Square,
    to: Square,
    reach: &[Square],
    modifiers: &Modifiers,
) -> bool {
    let seen = |square: Square| square.relative_to(us);
    let (from_rank, to_rank) = (seen(from).rank(), seen(to).rank());
    let (from_file, to_file) = (seen(from).file(), seen(to).file());
    let moves_right = match modifiers.motion {
        None => true,
        Some('直') => from_file == to_file && from_rank > to_rank,
        Some('上') => from_rank > to_rank,
        Some('寄') => from_rank == to_rank,
        Some(_) => from_rank < to_rank,
    };
    // Two pieces that slide are right and left of each other. Any other piece comes from the right
    // or left of the target. File numbers grow to the left.
    let slides =
        matches!(kind, PieceKind::Rook | PieceKind::Bishop | PieceKind::Dragon | PieceKind::Horse);
    let side_fits = match modifiers.side {
        None => true,
        Some(side) if slides => reach.iter().all(|&other| {
            let other = seen(other).file();
            other == from_file || (other > from_file) == (side == '右')
        }),
        Some('右') => from_file < to_file,
        Some(_) => from_file > to_file,
    };
    moves_right && side_fits
}

/// A legal move as KIF writes it: `７六歩(77)`, `同　銀(31)`, `４五角打`. `last` is the move before it.
pub fn move_with_origin(mv: Move, last: Option<Move>) -> String {
    let mut text = match last {
        Some(last) if last.to() == mv.to() => "同　".to_owned(),
        _ => names::square_name(mv.to()),
    };
    text += names::kif_name(mv.kind());
    if mv.promotes() {
        text.push('成');
    }
    match mv.from() {
        None => text.push('打'),
        Some(from) => {
            text += &format!("({}{})", from.file().number(), from.rank().number());
        }
    }
    text
}

/// The beginning of a text.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_spelling() {
        let seconds = |text: &str| read_time(text).map(|time| time.map(|time| time.as_millis()));
        for text in [
            "( 0:16/00:00:16)",
            "(0:16/0:0:16)+",
            "( 0:16/)",
            "(00:16 / 00:00:16) +",
            "+ (00:00:16/)",
        ] {
            assert_eq!(seconds(text), Ok(Some(16_000)), "{text}");
        }
        assert_eq!(seconds("(1:2:3.5/)"), Ok(Some(3_723_500)));
        for text in ["", " +", "(/)", "( )"] {
            assert_eq!(seconds(text), Ok(None), "{text}");
        }
        for text in ["( 0:16", "0:16", "(a)", "(1:2:3:4:5:6:7:8:9:10:11:12:13)", "( 1:)"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    fn assert_read(position: &Position, text: &str, expected: Result<&str, &str>) {
        let read = read_ki2_move(position, text, None).map(|mv| mv.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{text}");
    }

    /// As `cshogi` writes it. The piece on the board is pinned.
    #[test]
    fn a_drop_is_meant_where_no_piece_may_go() {
        let pinned = Position::from_sfen("4k4/4g4/9/9/9/9/4R4/9/4K4 w g 1").unwrap();
        for (text, expected) in [
            ("△４二金", Ok("G*4b")),
            ("△４二金打", Ok("G*4b")),
            ("△５三金", Ok("5b5c")),
            ("△４二金右", Err("△４二金右: the king is left in check")),
            ("△４二金左", Err("△４二金左: no 金 moves there like that")),
        ] {
            assert_read(&pinned, text, expected);
        }
        let empty = Position::from_sfen("4k4/4g4/9/9/9/9/4R4/9/4K4 w - 1").unwrap();
        let read = read_ki2_move(&empty, "△４二金", None);
        assert_eq!(read.unwrap_err(), "△４二金: the king is left in check");
    }

    #[test]
    fn a_move_of_ki2_must_be_the_only_one() {
        let golds = Position::from_sfen("4k4/9/9/9/9/9/9/3G1G3/4K4 b 2G 1").unwrap();
        for (text, expected) in [
            ("▲５七金右", Ok("4h5g")),
            ("▲５七金左", Ok("6h5g")),
            ("▲５八金左", Ok("6h5h")),
            ("▲５八金打", Ok("G*5h")),
            ("☗５五金", Ok("G*5e")),
            ("▲５七金", Err("▲５七金: more than one piece can go there")),
            ("▲５七金直", Err("▲５七金直: no 金 moves there like that")),
            ("△５七金右", Err("△５七金右 has the mark of the other side")),
            ("▲５五銀", Err("▲５五銀: no 銀 can go to 5e")),
            ("▲６八金打", Err("▲６八金打: the drop square is occupied")),
            ("▲同金", Err("同 without a move before it")),
            // Without a mark, or as in a KIF.
            ("５七金左", Ok("6h5g")),
            ("５七金(48)", Ok("4h5g")),
            ("▲５八金打", Ok("G*5h")),
            ("５七金(68)", Ok("6h5g")),
            ("５七銀(68)", Err("５七銀(68): 銀 is named, but 金 stands on 6h")),
            ("５七金打(68)", Err("５七金打(68): a drop with an origin square")),
            ("５七金(68)右", Err("\"５七金(68)右\" is no move")),
            ("", Err("\"\" is no move")),
            ("▲", Err("\"▲\" is no move")),
        ] {
            assert_read(&golds, text, expected);
        }
    }
}
