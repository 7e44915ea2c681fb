//! Where the games of a file begin that has several.
//!
//! Neither KIF nor KI2 has a separator. A 手合割 behind moves, or behind another 手合割, belongs to the
//! next game, and so do the headers before it.

use std::borrow::Cow;

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
        } else if line.starts_with(['*', '&']) {
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
