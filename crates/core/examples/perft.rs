//! Counts the sequences of legal moves: `cargo run --release --example perft -- 4 [SFEN]`.

use std::process::ExitCode;
use std::time::Instant;

use tsumero_core::{Position, divide};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(4), |text| text.parse::<u32>());
    let words: Vec<String> = arguments.collect();
    let position =
        if words.is_empty() { Ok(Position::startpos()) } else { words.join(" ").parse() };
    let (position, depth) = match (position, depth) {
        (Ok(position), Ok(depth)) => (position, depth),
        (Err(error), _) => return wrong(&error.to_string()),
        (_, Err(error)) => return wrong(&format!("depth: {error}")),
    };
    let start = Instant::now();
    let mut total = 0;
    for (mv, count) in divide(&position, depth, true) {
        println!("{mv}: {count}");
        total += count;
    }
    println!("{}", if depth == 0 { 1 } else { total });
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{seconds:.3} s, {:.0} a second", total as f64 / seconds.max(1e-9));
    ExitCode::SUCCESS
}

fn wrong(what: &str) -> ExitCode {
    eprintln!("{what}");
    ExitCode::from(2)
}
