//! A terminal: what is on its screen when a program has ended.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::harness::engine;

/// Runs the program in a terminal. Returns all that it wrote, and the lines on the screen at the end.
pub(crate) fn run(arguments: &[&str]) -> (String, Vec<String>) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let side = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = Command::new(engine());
    command.args(arguments).env("TERM", "xterm");
    command.stdin(side.try_clone().unwrap()).stdout(side.try_clone().unwrap()).stderr(side);
    let mut child = command.spawn().unwrap();
    // It holds the program's side of the terminal, and reading ends when nobody does.
    drop(command);
    let mut written = Vec::new();
    // On Linux, the end is an error.
    let _ = File::from(terminal).read_to_end(&mut written);
    child.wait().unwrap();
    let written = String::from_utf8(written).unwrap();
    let shown = shown(&written);
    (written, shown)
}

/// The columns of a terminal that does not tell how many it has.
pub(crate) const WIDTH: usize = 80;

/// The lines that a terminal of any height shows.
fn shown(written: &str) -> Vec<String> {
    let mut lines = vec![Vec::new()];
    let (mut row, mut column) = (0_usize, 0_usize);
    let mut letters = written.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                let rest = letters.as_str();
                let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).unwrap();
                let count = || rest[1..end].parse::<usize>().unwrap();
                match &rest[end..=end] {
                    "A" => row = row.saturating_sub(count()),
                    "B" => row += count(),
                    "K" if &rest[..end] == "[2" => lines[row].clear(),
                    _ => panic!("an unknown command: {:?}", &rest[..=end]),
                }
                letters = rest[end + 1..].chars();
            }
            _ => {
                // The end of a full row is that of the row until another letter comes.
                if column == WIDTH {
                    (row, column) = (row + 1, 0);
                    lines.resize(lines.len().max(row + 1), Vec::new());
                }
                let line: &mut Vec<char> = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = letter;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_owned();
    let mut lines: Vec<String> = lines.into_iter().map(text).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
