//! Tsumero's rules measured side by side with the crates `haitaka` and `rsshogi`.
//!
//! All libraries do the same work on the same positions, in turns within one run, so that a busy
//! machine slows them alike. The table gives the median of each over the rounds and the ratio of
//! the peer's time to ours: above 1, we are faster. With `--best` it gives the least time of each
//! instead, which is what they need when the machine does nothing else.
//!
//! ```text
//! cargo run --release --manifest-path benches/Cargo.toml -- [--rounds N] [--best] [--only PART] [--positions FILE]
//! ```
//!
//! With `work PEER PART POSITION REPEAT` one library does one piece of work REPEAT times and nothing
//! else, so that `scripts/icount.sh` can count its instructions. It prints how many units that was.

mod peers;
mod positions;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use peers::{Haitaka, Peer, Rsshogi, Tsumero};
use positions::{Named, POSITIONS};

/// What one library needed for one piece of work.
struct Timing {
    peer: &'static str,
    seconds: Vec<f64>,
    /// What it counted; all libraries must agree where they count the same thing.
    count: u64,
}

impl Timing {
    /// The median of the times, or the least of them.
    fn typical(&self, best: bool) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[if best { 0 } else { sorted.len() / 2 }]
    }
}

/// A library's name and a piece of work it does, ready to be timed.
type Boxed = (&'static str, Box<dyn FnMut() -> u64>);

/// Runs each piece of work once a round, in turns, and keeps the times of all rounds.
fn interleave(rounds: usize, mut works: Vec<Boxed>) -> Vec<Timing> {
    let mut timings: Vec<Timing> = works
        .iter_mut()
        // The first run of each is not timed: it warms caches and branch predictors.
        .map(|(peer, work)| Timing { peer, seconds: Vec::new(), count: work() })
        .collect();
    for _ in 0..rounds {
        for ((_, work), timing) in works.iter_mut().zip(&mut timings) {
            let start = Instant::now();
            black_box(work());
            timing.seconds.push(start.elapsed().as_secs_f64());
        }
    }
    timings
}

/// One way to use a library on a position, so many times over, to be long enough to time.
type Work<P> = fn(&mut <P as Peer>::Position, u32, u32) -> u64;

/// Does the same work so many times and returns the last result.
fn repeated<P>(position: &mut P, rounds: u32, mut work: impl FnMut(&mut P) -> u64) -> u64 {
    (0..rounds).fold(0, |_, _| work(black_box(position)))
}

fn boxed<P: Peer + 'static>(sfen: &str, depth: u32, repeat: u32, work: Work<P>) -> Boxed {
    let mut position = P::read(sfen);
    let run = move || work(black_box(&mut position), depth, repeat);
    (P::NAME, Box::new(run))
}

/// A measured operation: how each library does it, how often in one timing, and what one unit of
/// its result is.
struct Part {
    name: &'static str,
    repeat: u32,
    tsumero: Work<Tsumero>,
    haitaka: Option<Work<Haitaka>>,
    rsshogi: Option<Work<Rsshogi>>,
    /// Whether the results are counts that must agree.
    counts: bool,
}

const PARTS: [Part; 6] = [
    Part {
        name: "perft-bulk",
        repeat: 1,
        tsumero: |position, depth, rounds| {
            repeated(position, rounds, |own| Tsumero::perft_bulk(own, depth))
        },
        haitaka: Some(|position, depth, rounds| {
            repeated(position, rounds, |own| Haitaka::perft_bulk(own, depth))
        }),
        rsshogi: Some(|position, depth, rounds| {
            repeated(position, rounds, |own| Rsshogi::perft_bulk(own, depth))
        }),
        counts: true,
    },
    Part {
        name: "perft-made",
        repeat: 1,
        tsumero: |position, depth, rounds| {
            repeated(position, rounds, |own| Tsumero::perft_made(own, depth.min(3)))
        },
        haitaka: Some(|position, depth, rounds| {
            repeated(position, rounds, |own| Haitaka::perft_made(own, depth.min(3)))
        }),
        rsshogi: Some(|position, depth, rounds| {
            repeated(position, rounds, |own| Rsshogi::perft_made(own, depth.min(3)))
        }),
        counts: true,
    },
    Part {
        name: "list",
        repeat: 2000,
        tsumero: |position, _, rounds| repeated(position, rounds, |own| Tsumero::list(own)),
        haitaka: Some(|position, _, rounds| repeated(position, rounds, |own| Haitaka::list(own))),
        rsshogi: Some(|position, _, rounds| repeated(position, rounds, |own| Rsshogi::list(own))),
        counts: true,
    },
    Part {
        name: "make-unmake",
        repeat: 200,
        tsumero: |position, _, rounds| Tsumero::make_all(position, rounds),
        haitaka: Some(|position, _, rounds| Haitaka::make_all(position, rounds)),
        rsshogi: Some(|position, _, rounds| Rsshogi::make_all(position, rounds)),
        counts: false,
    },
    Part {
        name: "node",
        repeat: 50,
        tsumero: |position, _, rounds| Tsumero::nodes(position, rounds).unwrap_or(0),
        haitaka: None,
        rsshogi: Some(|position, _, rounds| Rsshogi::nodes(position, rounds).unwrap_or(0)),
        counts: true,
    },
    Part {
        name: "replies",
        repeat: 8,
        tsumero: |position, _, rounds| Tsumero::replies(position, rounds).unwrap_or(0),
        haitaka: None,
        rsshogi: Some(|position, _, rounds| Rsshogi::replies(position, rounds).unwrap_or(0)),
        counts: true,
    },
];

/// How many units of a part one repetition on a position is: moves counted or made, or lists.
fn units(part: &Part, position: &Named) -> u64 {
    let mut own = Tsumero::read(position.sfen);
    match part.name {
        "perft-bulk" | "perft-made" => (part.tsumero)(&mut own, position.depth, 1),
        "list" => 1,
        "replies" => Tsumero::perft_bulk(&mut own, 2),
        _ => Tsumero::list(&own),
    }
}

/// Does one piece of work as the arguments say. Returns the number of units, or `None` if there
/// is no such work.
fn work(peer: &str, part: &str, position: &str, repeat: u32) -> Option<u64> {
    let part = PARTS.iter().find(|known| known.name == part)?;
    let position = POSITIONS.iter().find(|known| known.name == position)?;
    let (sfen, depth) = (position.sfen, position.depth);
    let (_, mut run) = match peer {
        Tsumero::NAME => boxed::<Tsumero>(sfen, depth, repeat, part.tsumero),
        Haitaka::NAME => boxed::<Haitaka>(sfen, depth, repeat, part.haitaka?),
        Rsshogi::NAME => boxed::<Rsshogi>(sfen, depth, repeat, part.rsshogi?),
        _ => return None,
    };
    black_box(run());
    Some(u64::from(repeat) * units(part, position))
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Measures one operation over all positions. Returns whether all libraries agreed.
fn measure(part: &Part, rounds: usize, best: bool) -> bool {
    println!("\n{}: nanoseconds for one, and peer / tsumero", part.name);
    println!("{:16}{:>12}{:>12}{:>8}{:>12}{:>8}", "", "tsumero", "haitaka", "", "rsshogi", "");
    let mut agree = true;
    let mut ratios: [Vec<f64>; 2] = Default::default();
    for position in &POSITIONS {
        let mut works =
            vec![boxed::<Tsumero>(position.sfen, position.depth, part.repeat, part.tsumero)];
        if let Some(work) = part.haitaka {
            works.push(boxed::<Haitaka>(position.sfen, position.depth, part.repeat, work));
        }
        if let Some(work) = part.rsshogi {
            works.push(boxed::<Rsshogi>(position.sfen, position.depth, part.repeat, work));
        }
        let timings = interleave(rounds, works);
        let units = f64::from(part.repeat) * units(part, position) as f64;
        print!("{:16}{:>12.2}", position.name, timings[0].typical(best) / units * 1e9);
        for (column, peer) in ["haitaka", "rsshogi"].into_iter().enumerate() {
            match timings.iter().find(|timing| timing.peer == peer) {
                None => print!("{:>12}{:>8}", "-", ""),
                Some(timing) => {
                    let ratio = timing.typical(best) / timings[0].typical(best);
                    ratios[column].push(ratio);
                    print!("{:>12.2}{:>7.2}x", timing.typical(best) / units * 1e9, ratio);
                    if part.counts && timing.count != timings[0].count {
                        // haitaka counts a few pawn drops that mate; our counts agree with the
                        // reference in the tests of the core.
                        agree &= peer == Haitaka::NAME;
                        print!(" counts {} instead of {}", timing.count, timings[0].count);
                    }
                }
            }
        }
        println!();
    }
    print!("{:28}", "geometric mean");
    for ratios in &ratios {
        match ratios.is_empty() {
            true => print!("{:20}", ""),
            false => print!("{:>19.2}x", geometric_mean(ratios)),
        }
    }
    println!();
    agree
}

/// The name of the part that has positions of its own.
const MATE_IN_ONE: &str = "mate-in-one";
/// Positions that are asked in turns, many times each: few enough to stay in the cache, as the
/// position of a search does.
const BATCH: usize = 32;
/// How often each position is asked in one timing.
const CALLS: usize = 20;

/// Mate in one over a file of positions, one SFEN (first column) a line.
fn measure_mate_in_one(file: &str, rounds: usize, best: bool) -> Result<bool, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let sfens: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(',').next())
        .filter(|sfen| tsumero_core::Position::from_sfen(sfen).is_ok())
        .filter(|sfen| rsshogi::board::position_from_sfen(sfen).is_ok())
        .collect();
    fn run<P: Peer + 'static>(sfens: &[&str]) -> Boxed {
        let positions: Vec<P::Position> = sfens.iter().map(|sfen| P::read(sfen)).collect();
        let run = move || {
            let mut mates = 0;
            for batch in positions.chunks(BATCH) {
                for _ in 0..CALLS {
                    for position in batch {
                        mates += u64::from(P::mate_in_one(black_box(position)) == Some(true));
                    }
                }
            }
            mates / CALLS as u64
        };
        (P::NAME, Box::new(run))
    }
    let timings = interleave(rounds, vec![run::<Tsumero>(&sfens), run::<Rsshogi>(&sfens)]);
    println!("\nmate-in-one: nanoseconds a call over {} positions of {file}", sfens.len());
    let per_call = |timing: &Timing| timing.typical(best) / (CALLS * sfens.len()) as f64 * 1e9;
    println!(
        "tsumero {:.1} ({} mates), rsshogi {:.1} ({} mates), ratio {:.2}x",
        per_call(&timings[0]),
        timings[0].count,
        per_call(&timings[1]),
        timings[1].count,
        timings[1].typical(best) / timings[0].typical(best)
    );
    Ok(timings[0].count == timings[1].count)
}

fn main() -> ExitCode {
    let all: Vec<String> = std::env::args().skip(1).collect();
    if let [command, peer, part, position, repeat] = &all[..]
        && command == "work"
    {
        return match repeat.parse().ok().and_then(|repeat| work(peer, part, position, repeat)) {
            Some(units) => {
                println!("{units}");
                ExitCode::SUCCESS
            }
            None => ExitCode::from(2),
        };
    }
    let mut rounds = 15;
    let mut only = None;
    let mut file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/positions.sfen").to_string();
    let best = all.iter().any(|argument| argument == "--best");
    let mut arguments = all.into_iter().filter(|argument| argument != "--best");
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--rounds", Some(value)) if value.parse().is_ok_and(|n: usize| n > 0) => {
                rounds = value.parse().unwrap_or(rounds);
            }
            ("--only", Some(value)) => only = Some(value),
            ("--positions", Some(value)) => file = value,
            _ => {
                eprintln!(
                    "usage: tsumero-benches [--rounds N] [--best] [--only PART] [--positions FILE]"
                );
                return ExitCode::from(2);
            }
        }
    }
    if let Some(only) = &only
        && PARTS.iter().all(|part| part.name != only.as_str())
        && only != MATE_IN_ONE
    {
        eprintln!("there is no part {only:?}");
        return ExitCode::from(2);
    }
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let mut agree = true;
    for part in PARTS.iter().filter(|part| wanted(part.name)) {
        agree &= measure(part, rounds, best);
    }
    if wanted(MATE_IN_ONE) {
        match measure_mate_in_one(&file, rounds, best) {
            Ok(same) => agree &= same,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        }
    }
    if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
