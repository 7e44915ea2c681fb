//! The experiment of Yamazaki, Seno, Iida and Kotani, "A method of computing mate in one without
//! lookahead in shogi" (1990s): a full-width mate search whose last ply is answered by making the
//! moves, against the same search whose last ply is answered by the static test.
//!
//! Both searches share their code and the order of moves; only the leaf differs. They run to a
//! fixed depth and with iterative deepening (1, 3, 5), each with and without a transposition table.
//! The problems are first as many as in the paper (23 of three plies, 25 of five), chosen by a
//! hash, and then all of them.
//!
//! ```text
//! cargo run --release --manifest-path benches/Cargo.toml --bin mate_experiment -- [--rounds N] [--most N]
//! ```
//!
//! `--most` limits the number of problems of each length, for a quick look. Before the
//! problems of a length are timed, both tests are compared at every leaf of every search. The run fails if the static test
//! errs at a leaf, or names a move that does not mate.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tsumero_core::{Line, Move, MoveList, Position};

/// Rows with a header; the SFEN is the first column. See `tests/data/tsume`.
const THREE_PLIES: &str = include_str!("../../../tests/data/tsume/mate3.csv");
const FIVE_PLIES: &str = include_str!("../../../tests/data/tsume/mate5.csv");

/// How the last ply is answered.
trait Leaf {
    /// Whether the side to move mates at once.
    fn mates(&mut self, position: &mut Line, made: &mut u64) -> bool;
}

/// By making each check and looking for a legal reply.
struct ByMoving;

impl Leaf for ByMoving {
    fn mates(&mut self, position: &mut Line, made: &mut u64) -> bool {
        let mut checks = MoveList::new();
        position.generate_checks(&mut checks);
        checks.into_iter().any(|mv| mates_by(position, mv, made))
    }
}

/// Whether a check mates, by making it.
fn mates_by(position: &mut Line, mv: Move, made: &mut u64) -> bool {
    *made += 1;
    position.do_move(mv);
    let mated = !position.has_legal_move();
    position.undo_move();
    mated
}

/// By the static test.
struct Static;

impl Leaf for Static {
    fn mates(&mut self, position: &mut Line, _: &mut u64) -> bool {
        position.mate_in_one().is_some()
    }
}

/// Both, compared.
#[derive(Default)]
struct Compared {
    leaves: u64,
    mates: u64,
    found: u64,
    /// Leaves at which the static test names a mate that is none.
    false_positives: u64,
    first_wrong: Option<String>,
}

impl Leaf for Compared {
    fn mates(&mut self, position: &mut Line, made: &mut u64) -> bool {
        let truth = ByMoving.mates(position, made);
        let found = position.mate_in_one();
        // The named move must be a legal check, and mate.
        let holds = found.is_some_and(|mv| {
            position.validate(mv.to_usi()) == Ok(mv)
                && position.gives_check(mv)
                && mates_by(position, mv, made)
        });
        self.leaves += 1;
        self.mates += u64::from(truth);
        self.found += u64::from(truth && holds);
        self.false_positives += u64::from(found.is_some() && !holds);
        if found.is_some() != truth || found.is_some() != holds {
            self.first_wrong.get_or_insert_with(|| position.to_sfen());
        }
        truth
    }
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// The search that wrote it. Entries of others count as empty, so nothing has to be cleared.
    search: u32,
    /// Mate within so many plies, or 0.
    mate: u8,
    /// No mate within so many plies.
    none: u8,
}

const TABLE: usize = 1 << 16;

/// The full-width search.
struct Search {
    position: Line,
    table: Option<Vec<Entry>>,
    number: u32,
    /// Moves made, those at the leaves included.
    made: u64,
}

impl Search {
    fn new(position: &Position, with_table: bool) -> Search {
        let table = with_table.then(|| vec![Entry::default(); TABLE]);
        Search { position: Line::from(position), table, number: 0, made: 0 }
    }

    /// Solves from scratch: is there a mate within `plies`?
    fn solve<L: Leaf>(&mut self, plies: u32, deepens: bool, leaf: &mut L) -> bool {
        self.number += 1;
        let first = if deepens { 1 } else { plies };
        (first..=plies).step_by(2).any(|depth| self.attack(depth, leaf))
    }

    fn slot(&self) -> usize {
        (self.position.key() >> 40) as usize & (TABLE - 1)
    }

    /// Attacker to move, `depth` plies left.
    fn attack<L: Leaf>(&mut self, depth: u32, leaf: &mut L) -> bool {
        if let Some(table) = &self.table {
            let entry = table[self.slot()];
            if entry.key == self.position.key() && entry.search == self.number {
                if entry.mate > 0 && u32::from(entry.mate) <= depth {
                    return true;
                }
                if u32::from(entry.none) >= depth {
                    return false;
                }
            }
        }
        let mates = if depth == 1 {
            leaf.mates(&mut self.position, &mut self.made)
        } else {
            let mut checks = MoveList::new();
            self.position.generate_checks(&mut checks);
            checks.into_iter().any(|mv| self.after(mv, |search| search.defend(depth - 1, leaf)))
        };
        let (slot, key) = (self.slot(), self.position.key());
        if let Some(table) = &mut self.table {
            let entry = &mut table[slot];
            if entry.key != key || entry.search != self.number {
                *entry = Entry { key, search: self.number, ..Entry::default() };
            }
            // Depths are at most 5.
            *(if mates { &mut entry.mate } else { &mut entry.none }) = depth as u8;
        }
        mates
    }

    /// Defender to move, in check, `depth` plies left.
    fn defend<L: Leaf>(&mut self, depth: u32, leaf: &mut L) -> bool {
        let evasions = self.position.legal_moves();
        evasions.into_iter().all(|mv| self.after(mv, |search| search.attack(depth - 1, leaf)))
    }

    fn after(&mut self, mv: Move, ask: impl FnOnce(&mut Search) -> bool) -> bool {
        self.made += 1;
        self.position.do_move(mv);
        let answer = ask(self);
        self.position.undo_move();
        answer
    }
}

/// One way to search.
#[derive(Clone, Copy)]
struct Setting {
    name: &'static str,
    deepens: bool,
    table: bool,
}

const SETTINGS: [Setting; 4] = [
    Setting { name: "fixed depth", deepens: false, table: false },
    Setting { name: "fixed depth, table", deepens: false, table: true },
    Setting { name: "deepening", deepens: true, table: false },
    Setting { name: "deepening, table", deepens: true, table: true },
];

/// What one problem cost under one setting.
#[derive(Clone, Copy)]
struct Cost {
    /// Seconds: by making moves, by the static test.
    seconds: [f64; 2],
    /// Moves made.
    made: [u64; 2],
}

/// The shortest time of a batch, so that what else the machine does counts as little as possible.
const BATCH: Duration = Duration::from_millis(2);

fn measure(position: &Position, plies: u32, setting: Setting, rounds: u32) -> Cost {
    let mut searches = [(); 2].map(|()| Search::new(position, setting.table));
    let mut run = |which: usize, repeat: u32| -> f64 {
        let search = &mut searches[which];
        let started = Instant::now();
        for _ in 0..repeat {
            black_box(match which {
                0 => search.solve(plies, setting.deepens, &mut ByMoving),
                _ => search.solve(plies, setting.deepens, &mut Static),
            });
        }
        started.elapsed().as_secs_f64() / f64::from(repeat)
    };
    // The first runs warm up, and tell how many make a batch.
    let repeat = [0, 1].map(|which| (BATCH.as_secs_f64() / run(which, 1).max(1e-9)) as u32 + 1);
    let mut seconds = [f64::INFINITY; 2];
    for _ in 0..rounds {
        for which in [0, 1] {
            seconds[which] = seconds[which].min(run(which, repeat[which]));
        }
    }
    let made = searches.map(|search| search.made / u64::from(search.number));
    Cost { seconds, made }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        even if even % 2 == 0 => (sorted[half - 1] + sorted[half]) / 2.0,
        _ => sorted[half],
    }
}

/// 95 % of the ratios of totals when the problems are drawn again with replacement, both times of
/// a problem always together (percentile bootstrap).
fn interval(costs: &[Cost], ratio: impl Fn(&[Cost]) -> f64) -> (f64, f64) {
    const DRAWS: usize = 10_000;
    let mut state = 1u64;
    let mut below = |bound: usize| -> usize {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) as u128 * bound as u128) >> 31) as usize
    };
    let mut ratios: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn: Vec<Cost> = costs.iter().map(|_| costs[below(costs.len())]).collect();
            ratio(&drawn)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    (ratios[DRAWS / 40], ratios[DRAWS - 1 - DRAWS / 40])
}

fn total(costs: &[Cost], which: usize) -> f64 {
    costs.iter().map(|cost| cost.seconds[which]).sum()
}

/// One line of the table.
fn line(plies: u32, setting: Setting, costs: &[Cost]) -> String {
    let count = costs.len();
    let ms = |seconds: f64| seconds * 1e3;
    let of_totals = |costs: &[Cost]| total(costs, 0) / total(costs, 1);
    let (low, high) = interval(costs, of_totals);
    let [moving, by_static] =
        [0, 1].map(|which| median(costs.iter().map(|cost| cost.seconds[which])));
    let each = median(costs.iter().map(|cost| cost.seconds[0] / cost.seconds[1]));
    let made = [0, 1].map(|which| costs.iter().map(|cost| cost.made[which]).sum::<u64>());
    let mut text = format!("| {plies} | {count} | {} ", setting.name);
    for which in [0, 1] {
        let total = total(costs, which);
        let median = [moving, by_static][which];
        let mean = total / count as f64;
        let _ = write!(text, "| {:.4} / {:.4} / {:.2} ", ms(median), ms(mean), ms(total));
    }
    let _ = write!(
        text,
        "| **{:.2}** ({low:.2} to {high:.2}) | {each:.2} | {} → {} ({:.1}x) |",
        of_totals(costs),
        made[0],
        made[1],
        made[0] as f64 / made[1] as f64,
    );
    text
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The problems of a file, those with the smallest hash first.
fn problems(file: &str) -> Result<Vec<Position>, String> {
    let mut sfens: Vec<&str> =
        file.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    sfens.sort_by_key(|sfen| hash(sfen));
    let read = |sfen: &str| Position::from_sfen(sfen).map_err(|error| format!("{sfen}: {error}"));
    sfens.into_iter().map(read).collect()
}

fn run(rounds: u32, most: usize) -> Result<(), String> {
    println!(
        "| plies | problems | search | by making moves, ms (median / mean / total) \
         | static, ms (median / mean / total) | ratio of totals (95 %) | median ratio | moves made |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut reports = Vec::new();
    for (plies, paper, file) in [(3, 23, THREE_PLIES), (5, 25, FIVE_PLIES)] {
        let mut problems = problems(file)?;
        problems.truncate(most);
        let mut compared = Compared::default();
        for setting in SETTINGS {
            for position in &problems {
                let mut search = Search::new(position, setting.table);
                let solved = search.solve(plies, setting.deepens, &mut compared);
                let sooner = search.solve(plies - 2, setting.deepens, &mut compared);
                if !solved || sooner {
                    return Err(format!("not a mate in {plies}: {}", position.to_sfen()));
                }
            }
        }
        if let Some(sfen) = compared.first_wrong {
            return Err(format!("the static test errs in {sfen}"));
        }
        let Compared { leaves, mates, found, false_positives, .. } = compared;
        reports.push(format!(
            "{plies} plies: {leaves} leaves, {mates} of them mates, found {found}, \
             false positives {false_positives}"
        ));
        for setting in SETTINGS {
            let costs: Vec<Cost> =
                problems.iter().map(|position| measure(position, plies, setting, rounds)).collect();
            println!("{}", line(plies, setting, &costs[..costs.len().min(paper)]));
            println!("{}", line(plies, setting, &costs));
        }
    }
    println!("\n{}", reports.join("\n"));
    Ok(())
}

fn main() -> ExitCode {
    let (mut rounds, mut most) = (9, usize::MAX);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let number = arguments.next().and_then(|text| text.parse::<u32>().ok());
        match (&argument[..], number) {
            ("--rounds", Some(number @ 1..)) => rounds = number,
            ("--most", Some(number @ 1..)) => most = number as usize,
            _ => {
                eprintln!("usage: mate_experiment [--rounds N] [--most N]");
                return ExitCode::from(2);
            }
        }
    }
    match run(rounds, most) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}
