//! `tsumero tsume generate`: making problems.

use std::cell::Cell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use tsumero_analysis::SheetProblem;
use tsumero_files::Inputs;
use tsumero_mate::tsume::{Area, Generator, Kinds, Problem, Progress, Recipe, Style};
use tsumero_record::Format;

use super::interrupts::Interrupts;
use super::outputs::{Credits, Made, Outputs, game, was_read, with_end};
use super::verdict::{moves, remarks};
use crate::language::counted;
use crate::ordered_pool::OrderedPool;
use crate::{Failure, Outcome, record, tell};

/// Arguments of `tsume generate`.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Length of the mates, an odd number up to 25
    #[arg(long, value_name = "N", value_parser = odd_plies)]
    plies: u32,
    /// Number of problems
    #[arg(long, value_name = "K")]
    count: u64,
    /// Seed of the problems
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Leave out the first problems of the seed
    #[arg(long, value_name = "K", default_value_t = 0)]
    skip: u64,
    /// How many problems are made at the same time
    #[arg(long, value_name = "T", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Keep idle pieces, and allow pieces left in hand; the notes name them
    #[arg(long)]
    loose: bool,
    /// Kinds of pieces on the board beside kings, as SFEN writes Black's: GS+P are gold, silver and
    /// tokin [default: all]
    #[arg(long, value_name = "KINDS")]
    board: Option<Kinds>,
    /// Kinds of pieces in the attacker's hand [default: all]
    #[arg(long, value_name = "KINDS")]
    hand: Option<Kinds>,
    /// The part of the board where pieces stand at the start: files and ranks, for example 1-4,1-4
    #[arg(long, value_name = "FILES,RANKS")]
    area: Option<Area>,
    /// How many pieces stand on the board at the start, kings included: N, or LEAST-MOST
    #[arg(long, value_name = "N", value_parser = pieces)]
    pieces: Option<(u32, u32)>,
    /// The attacker has a king, too
    #[arg(long)]
    both_kings: bool,
    #[command(flatten)]
    outputs: Outputs,
}

fn pieces(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if least <= most && most >= 2 => Ok((least, most)),
        _ => Err("not a number of at least 2 pieces, nor LEAST-MOST".to_owned()),
    }
}

fn odd_plies(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(plies) if plies % 2 == 1 && plies <= Recipe::LONGEST => Ok(plies),
        _ => Err(format!("not an odd number from 1 to {}", Recipe::LONGEST)),
    }
}

/// The time between two progress lines, where there is no progress bar.
const REPORT: Duration = Duration::from_secs(5);

impl Generate {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let interrupts = Arc::new(Interrupts::default());
        interrupts.receive();
        self.make(&interrupts, output)
    }

    /// Makes the problems until an interrupt stops it.
    fn make(
        &self,
        interrupts: &Arc<Interrupts>,
        output: &mut impl Write,
    ) -> Result<Outcome, Failure> {
        let inputs = Inputs::default();
        let recipe = self.recipe()?;
        let end = self.end()?;
        self.outputs.check(&inputs)?;
        self.outputs.check_page_before(self.skip)?;
        let progress = Progress::default();
        let signals = &interrupts.signals;
        let stopped = Arc::clone(interrupts);
        let report = Reporter::new(self, &progress);
        // Problems are printed as games unless they go to a folder.
        let printed = self.outputs.to.filter(|_| !self.outputs.has_folder());
        if end == 0 && printed.is_none() {
            writeln!(output, "{HEADER}")?;
        }
        let made = Cell::new(0);
        let missing = Cell::new(false);
        let mut outputs = Made::default();
        let mut told = Instant::now();
        let numbers = self.skip..end;
        let tick = || {
            report.show(made.get());
            if report.is_hidden() && told.elapsed() >= REPORT {
                told = Instant::now();
                report.tell(made.get());
            }
        };
        let done = OrderedPool::new(usize::from(self.threads), signals).ticking(tick).run(
            numbers.take_while(move |_| !stopped.signals.is_stopped()).map(Ok),
            || {
                let mut generator = Generator::new(recipe, &progress, signals);
                move |number| generator.problem(number)
            },
            output,
            |problem, output| {
                // After a stop, later problems may be ready although this one is not.
                let Some(problem) = problem.filter(|_| !missing.get()) else {
                    missing.set(true);
                    return Ok(());
                };
                let count = made.get() + 1;
                let number = self.skip + count;
                let name = format!("tsume{}-{}-{number:04}", self.plies, self.seed);
                let file = (&problem.position, &problem.solution.line[..], &Credits::default());
                // First, because a problem without its file is not made, and is printed by the run that
                // goes on.
                self.outputs.add_file(&mut outputs, file, &name, &inputs)?;
                // Also behind --skip, so that the games can be appended.
                let is_first = number == 1;
                report
                    .above_bar(output, |output| self.print(&problem, printed, is_first, output))?;
                let Problem { position, solution, .. } = problem;
                let solution = solution.line;
                let problem = SheetProblem { number, name: None, position, solution };
                self.outputs.add_to_page(&mut outputs, problem);
                made.set(count);
                Ok(())
            },
        );
        report.finish();
        let was_read = was_read(done);
        // A fault before the first result is all there is to say.
        if made.get() == 0 && was_read.is_err() {
            return was_read.map(|_| Outcome::Done);
        }
        report.tell(made.get());
        let finished = self.outputs.finish(outputs, &inputs);
        let left = self.count - made.get();
        if left > 0 && (!matches!(was_read, Ok(false)) || self.outputs.has_files()) {
            let next = self.skip + made.get();
            let has_page = self.outputs.has_page() && made.get() > 0 && finished.is_ok();
            let page = if has_page { ", with another page" } else { "" };
            let is_cut = matches!(was_read, Err(Failure::Output(_)));
            let cut = if is_cut { " (the end of the output may be cut)" } else { "" };
            tell(format_args!(
                "stopped; the same command with --skip {next} --count {left} goes on from \
                 here{page}{cut}"
            ));
        }
        with_end(was_read, finished)?;
        Ok(if interrupts.came() { Outcome::Stopped } else { Outcome::Done })
    }

    /// The number behind the last problem's.
    fn end(&self) -> Result<u64, Failure> {
        self.skip.checked_add(self.count).ok_or_else(|| {
            Failure::Usage("--skip", format!("no problem has a number above {}", u64::MAX))
        })
    }

    fn recipe(&self) -> Result<Recipe, Failure> {
        let style = Style {
            board: self.board.unwrap_or(Kinds::ALL),
            hand: self.hand.unwrap_or(Kinds::ALL),
            area: self.area.unwrap_or(Area::BOARD),
            pieces: self.pieces.unwrap_or(Style::ANY.pieces),
            both_kings: self.both_kings,
        };
        if !style.has_room() {
            let (squares, most) = (style.area.squares(), style.most_pieces());
            let (option, reason) = if squares < most {
                let squares = counted(squares.into(), "square", "squares");
                ("--area", format!("only {squares} for so many pieces"))
            } else {
                ("--pieces", format!("a game has only {most} of these pieces, kings included"))
            };
            return Err(Failure::Usage(option, reason));
        }
        Ok(Recipe { plies: self.plies, seed: self.seed, loose: self.loose, style })
    }

    fn print(
        &self,
        problem: &Problem,
        printed: Option<Format>,
        is_first: bool,
        output: &mut impl Write,
    ) -> io::Result<()> {
        match printed {
            None => {
                // Not before there is a row: a run that goes on from the first problem prints it.
                if is_first {
                    writeln!(output, "{HEADER}")?;
                }
                writeln!(output, "{}", row(problem))
            }
            Some(format) => {
                let game = game(&problem.position, &problem.solution.line, &Credits::default());
                record::write_game(game, format, is_first, output)
            }
        }
    }
}

/// Tells how far the work is: by a progress bar on a terminal, otherwise by lines.
struct Reporter<'a> {
    task: &'a Generate,
    progress: &'a Progress,
    started: Instant,
    bar: ProgressBar,
}

impl<'a> Reporter<'a> {
    fn new(task: &'a Generate, progress: &'a Progress) -> Reporter<'a> {
        // It draws on standard error, and only if that is a terminal.
        let bar = ProgressBar::new(task.count);
        let style = "problems {bar:40} {pos}/{len}  {msg}";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
        Reporter { task, progress, started: Instant::now(), bar }
    }

    fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    fn placements(&self) -> (u64, f64) {
        let placements = self.progress.placements.load(Ordering::Relaxed);
        (placements, placements as f64 / self.seconds())
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64().max(1e-9)
    }

    fn show(&self, made: u64) {
        let (placements, speed) = self.placements();
        let left = match made {
            0 => "?".to_owned(),
            _ => {
                let seconds = self.seconds() / made as f64 * (self.task.count - made) as f64;
                HumanDuration(Duration::from_secs_f64(seconds.min(1e9))).to_string()
            }
        };
        self.bar
            .set_message(format!("{left} left, {placements} placements ({speed:.0} per second)"));
        self.bar.set_position(made);
    }

    /// Prints while the bar is not on the screen. What is held back would come out beside the bar, and
    /// may find no room later.
    fn above_bar<O: Write>(
        &self,
        output: &mut O,
        print: impl FnOnce(&mut O) -> io::Result<()>,
    ) -> io::Result<()> {
        self.bar.suspend(|| {
            print(output)?;
            output.flush()
        })
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, made: u64) {
        let (placements, speed) = self.placements();
        let candidates = self.progress.candidates.load(Ordering::Relaxed);
        let (seconds, Generate { count, plies, .. }) = (self.seconds(), self.task);
        let rate = made as f64 / seconds * 60.0;
        tell(format_args!(
            "{made} of {}, {} ({speed:.0} per second), {} of {}, {seconds:.1} s, \
             {rate:.1} problems per minute",
            counted(*count, "problem", "problems"),
            counted(placements, "placement", "placements"),
            counted(candidates, "mate", "mates"),
            counted((*plies).into(), "ply", "plies")
        ));
    }
}

/// The first line of the file.
const HEADER: &str = "sfen,plies,solution,notes";

/// A problem as a line of the file.
fn row(problem: &Problem) -> String {
    let Problem { position, solution, idle } = problem;
    let notes = remarks(Ok(idle), solution).join("; ");
    format!("{position},{},{},{notes}", solution.line.len(), moves(&solution.line))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;
    use crate::tsume::Tsume;
    use crate::{Arguments, Command};

    /// The command with these options.
    fn generate(options: &[&str]) -> Generate {
        let line = ["tsumero", "tsume", "generate"].iter().chain(options);
        match Arguments::try_parse_from(line).unwrap().command {
            Some(Command::Tsume(Tsume::Generate(generate))) => generate,
            command => panic!("{command:?}"),
        }
    }

    /// A reader that goes away after some lines.
    struct Leaving(usize);

    impl Write for Leaving {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
            self.0 = self.0.checked_sub(ends).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A terminal for the bar.
    #[derive(Debug)]
    struct Screen;

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, _: &str) -> io::Result<()> {
            Ok(())
        }
        fn write_str(&self, _: &str) -> io::Result<()> {
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_row_is_not_held_back() {
        let (task, progress) = (generate(&["--plies", "1", "--count", "1"]), Progress::default());
        let screen = ProgressDrawTarget::term_like(Box::new(Screen));
        for target in [screen, ProgressDrawTarget::hidden()] {
            let report = Reporter::new(&task, &progress);
            report.bar.set_draw_target(target);
            let mut output = io::BufWriter::new(Vec::new());
            report.above_bar(&mut output, |output| writeln!(output, "row")).unwrap();
            assert_eq!(output.get_ref().len(), 4);
        }
    }

    #[test]
    fn a_run_that_goes_on_from_the_first_problem_has_the_only_header() {
        let interrupts = Arc::new(Interrupts::default());
        interrupts.interrupt();
        let (task, mut output) = (generate(&["--plies", "1", "--count", "1"]), Vec::new());
        assert!(matches!(task.make(&interrupts, &mut output), Ok(Outcome::Stopped)));
        assert!(matches!(task.make(&Arc::default(), &mut output), Ok(Outcome::Done)));
        let text = String::from_utf8(output).unwrap();
        let headers = text.lines().filter(|line| line.starts_with("sfen,")).count();
        assert_eq!((headers, text.lines().count()), (1, 2), "{text}");
    }

    #[test]
    fn what_was_made_until_nobody_read_on_stands_in_the_page() {
        let page = std::env::temp_dir().join(format!("tsumero-left-{}.html", std::process::id()));
        let options = ["--plies", "1", "--count", "3", "--html", page.to_str().unwrap()];
        let generate = generate(&options);
        // The header and a problem.
        let done = generate.make(&Arc::default(), &mut Leaving(2));
        assert!(matches!(done, Ok(Outcome::Done)), "{done:?}");
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("\"number\":1,") && !text.contains("\"number\":2,"));
        std::fs::remove_file(&page).unwrap();
    }

    #[test]
    fn a_run_that_goes_on_leaves_the_page_of_the_problems_before() {
        let [first, second] = ["first", "second"].map(|name| {
            std::env::temp_dir().join(format!("tsumero-{name}-{}.html", std::process::id()))
        });
        let run = |skip, page: &std::path::Path| {
            let page = page.to_str().unwrap();
            let generate =
                generate(&["--plies", "1", "--count", "1", "--skip", skip, "--html", page]);
            generate.make(&Arc::default(), &mut Vec::new())
        };
        assert!(matches!(run("0", &first), Ok(Outcome::Done)));
        let page = std::fs::read(&first).unwrap();
        let refused = run("1", &first);
        assert!(matches!(&refused, Err(Failure::Write(path, _)) if *path == first), "{refused:?}");
        assert_eq!(std::fs::read(&first).unwrap(), page);
        for _ in 0..2 {
            assert!(matches!(run("1", &second), Ok(Outcome::Done)), "its own page is made anew");
        }
        assert!(matches!(run("0", &first), Ok(Outcome::Done)));
        [first, second].iter().for_each(|page| std::fs::remove_file(page).unwrap());
    }
}
