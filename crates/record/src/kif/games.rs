//! Where the games of a file begin that has several.
//!
//! Neither KIF nor KI2 has a separator. A 手合割 behind moves, or behind another 手合割, belongs to the
//! next game, and so do the headers before it. What cannot be read so, because it has several diagrams,
//! is taken apart at these.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::{moves, start};

/// The lines (from 0) with which the games begin: the first line of the file, and others.
pub(super) fn starts(lines: &[Cow<'_, str>]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut has_handicap = false;
    let mut has_moves = false;
    // The first of the headers that may belong to the next game.
    let mut header = None;
    for (index, line) in lines.iter().enumerate() {
        match What::is(line.trim()) {
            What::Handicap => {
                if has_moves || has_handicap {
                    starts.push(header.unwrap_or(index));
                }
                (has_handicap, has_moves, header) = (true, false, None);
            }
            What::Move => (has_moves, header) = (true, None),
            What::Start => header = None,
            // Without moves, a blank line alone separates the headers of two games.
            What::Blank if !has_moves => header = None,
            // A comment belongs to the line before it, and behind a blank line to the next game.
            What::Remark if has_moves && lines[index - 1].trim().is_empty() => {
                header = header.or(Some(index));
            }
            What::Blank | What::Remark => {}
            What::Header => header = header.or(Some(index)),
        }
    }
    starts
}

/// The lines with which the games begin in a part of the file that is refused as one game, if each of its
/// diagrams is a game. `None` if a line may belong to either of two.
///
/// Behind moves, what is no comment belongs to the next diagram. Without moves, the lines of other
/// diagrams tell it. If such a line is above the first diagram or behind moves, it is above each. If one is
/// below the last diagram or before moves, it is below each.
pub(super) fn diagrams(lines: &[Cow<'_, str>], part: Range<usize>) -> Option<Vec<usize>> {
    let ranks: Vec<usize> = part.clone().filter(|&at| is_rank(&lines[at])).collect();
    let (diagrams, []) = ranks.as_chunks::<9>() else { return None };
    let names = |range: Range<usize>| range.filter_map(|at| name(lines[at].trim()));
    let is_move = |at: &usize| matches!(What::is(lines[*at].trim()), What::Move);

    let mut starts = vec![part.start];
    let (mut above, mut below) = (HashSet::new(), HashSet::new());
    let mut unclear = Vec::new();
    let mut end = part.start;
    for &[first, .., last] in diagrams {
        if names(first..last).next().is_some() {
            return None;
        }
        let mut between = end..first;
        let is_first = end == part.start;
        if let Some(first_move) = between.find(is_move) {
            let last_move = between.rfind(is_move).unwrap_or(first_move);
            let begin = behind_moves(lines, last_move + 1..first)?;
            below.extend(names(end..first_move).filter(|_| !is_first));
            above.extend(names(begin..first));
            starts.push(begin);
        } else if is_first {
            above.extend(names(end..first));
        } else {
            unclear.push((starts.len(), end..first));
            starts.push(first);
        }
        end = last + 1;
    }
    let first_move = (end..part.end).find(is_move).unwrap_or(part.end);
    below.extend(names(end..first_move));
    // It may begin another game.
    if below.contains(start::HANDICAP) {
        return None;
    }

    for (game, between) in unclear {
        let mut seen = HashSet::new();
        let mut begin = None;
        for at in between {
            let Some(name) = name(lines[at].trim()) else { continue };
            let is_above = above.contains(name);
            let is_clear = is_above != below.contains(name) && (is_above || begin.is_none());
            // The second one may be that of the other diagram.
            if !is_clear || !(seen.insert(name) || is_remark(name)) {
                return None;
            }
            begin = begin.or(is_above.then_some(at));
        }
        starts[game] = begin.unwrap_or(starts[game]);
    }
    Some(starts)
}

/// Where the next game begins behind the moves of one. `None` if a comment may belong to either.
fn behind_moves(lines: &[Cow<'_, str>], rest: Range<usize>) -> Option<usize> {
    let is_between = |line: &str| line.is_empty() || is_remark(line);
    let begin = rest.clone().find(|&at| !is_between(lines[at].trim())).unwrap_or(rest.end);
    let is_unclear = |at: usize| is_remark(lines[at].trim()) && lines[at - 1].trim().is_empty();
    (!(rest.start..begin).any(is_unclear)).then_some(begin)
}

fn is_rank(line: &str) -> bool {
    line.trim().starts_with('|')
}

fn is_remark(line: &str) -> bool {
    line.starts_with(['*', '&'])
}

/// What a trimmed line is called among those of a diagram. A line that says nothing has no name, and
/// neither has the drawing.
fn name(line: &str) -> Option<&str> {
    if line.is_empty() || line.starts_with('#') || start::is_diagram(line) {
        None
    } else if is_remark(line) {
        Some(&line[..1])
    } else if start::side(line).is_some() {
        Some(start::SIDE)
    } else {
        Some(line.split_once(['：', ':']).map_or(line, |(name, _)| name.trim()))
    }
}

/// What a line says about the game that it belongs to.
enum What {
    Blank,
    /// 手合割.
    Handicap,
    /// Another line of the first position, or the title of the moves.
    Start,
    /// A comment or bookmark.
    Remark,
    /// A move or an ending.
    Move,
    /// A header, a program's own line, or the beginning of a branch, which ShogiHome has written among
    /// the headers.
    Header,
}

impl What {
    /// The kind of a trimmed line.
    fn is(line: &str) -> What {
        let name = line.split_once(['：', ':']).map_or("", |(name, _)| name.trim());
        if line.is_empty() {
            What::Blank
        } else if is_remark(line) {
            What::Remark
        } else if line.starts_with('#') {
            What::Header
        } else if name == start::HANDICAP {
            What::Handicap
        } else if line.starts_with(moves::MARKS)
            || moves::made_line(line).is_some()
            || moves::numbered(line).is_some()
        {
            What::Move
        } else if moves::is_title(line)
            || start::is_diagram(line)
            || start::side(line).is_some()
            || start::is_start(name)
        {
            What::Start
        } else {
            What::Header
        }
    }
}
