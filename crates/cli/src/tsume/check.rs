//! `tsumero tsume check`: are problems sound, and what is wrong with them?

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use tsumero_analysis::SheetProblem;
use tsumero_core::Move;
use tsumero_files::{Inputs, text_of_name};
use tsumero_mate::MateUnknown;
use tsumero_mate::tsume::{Judge, JudgeLimits, Report, Rules, Verdict};

use super::interrupts::Interrupts;
use super::outputs::{Made, Outputs, was_read, with_end};
use super::tasks::{Task, tasks};
use super::verdict::{Finding, Remarks, json};
use crate::language::{Lang, Language, counted};
use crate::ordered_pool::OrderedPool;
use crate::output::end_when_closed;
use crate::{Failure, INTERRUPTED, Outcome, code_of, input, tell};

/// Arguments of `tsume check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// One SFEN per line, or in the first column of a CSV whose second column, if it is not empty,
    /// is the length in plies (lines that begin with `#` are skipped); or a game file (KIF, BOD, KI2,
    /// CSA, JKF). The moves of a game, or those after an SFEN, are the solution (`-` for standard
    /// input)
    #[arg(long)]
    file: PathBuf,
    /// Largest number of nodes for each question in a judgment
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Memory for each question; the tables of a judgment are small and many
    #[arg(long, value_name = "MB", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// How many problems are checked at the same time
    #[arg(long, value_name = "T", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// What counts against a problem
    #[arg(long, value_enum, default_value_t = RulesName::Strict)]
    rules: RulesName,
    /// After each verdict, name every second solution by its move number, and apart from them
    /// choices of the last move, equal-length variations and futile interpositions
    #[arg(long)]
    verbose: bool,
    /// Print a JSON line for each problem instead, the same with every --lang: whether it is sound, its
    /// length and solution, every second solution, and the other last moves
    #[arg(long, conflicts_with = "verbose")]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// What counts against a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum RulesName {
    /// Every second solution on every longest line
    Strict,
    /// Second solutions on the main line. Forgiven are detours, promotion without difference, and
    /// drops from any distance. Futile interpositions are not counted
    Traditional,
}

impl From<RulesName> for Rules {
    fn from(name: RulesName) -> Rules {
        match name {
            RulesName::Strict => Rules::Strict,
            RulesName::Traditional => Rules::Traditional,
        }
    }
}

/// What a run has so far.
#[derive(Default)]
struct SoFar {
    count: u64,
    sound: u64,
    made: Made,
}

/// A problem with its verdict.
struct Judged {
    /// What is printed.
    text: String,
    task: Task,
    /// The solution, if the problem is sound.
    solution: Option<Vec<Move>>,
}

impl Check {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        // A judgment may take hours, and cannot be stopped. Files are written to the end.
        if !self.outputs.has_files() {
            end_when_closed();
        }
        self.check(output)
    }

    fn check(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        if self.outputs.to.is_some() && !self.outputs.has_folder() {
            let reason = "standard output is for the verdicts: name a folder by --out".to_owned();
            return Err(Failure::Usage("--to", reason));
        }
        let inputs = Inputs::from_paths([&self.file]);
        self.outputs.check(&inputs)?;
        let Some(tasks) = tasks(&self.file)? else { return Ok(Outcome::BadInput) };
        let started = Instant::now();
        let limits = JudgeLimits { nodes: self.nodes, hash_mb: self.hash as usize };
        let mut unreadable = false;
        let mut number = 0;
        let so_far = RefCell::new(SoFar::default());
        // Inputs of different names may share a folder.
        let stem = if input::is_standard(&self.file) {
            "problem".to_owned()
        } else {
            text_of_name(self.file.file_stem().unwrap_or_default())
        };
        let interrupts = Arc::new(Interrupts::default());
        // Without any files to be kept, an interrupt ends the program at once.
        if self.outputs.has_files() {
            interrupts.receive();
        }
        let signals = &interrupts.signals;
        let tick = || {
            if signals.is_stopped() {
                // Threads that judge would be waited for, so the program ends here.
                let done = self.finish(so_far.take(), started, &inputs);
                process::exit(done.map_or_else(code_of, |()| INTERRUPTED).into());
            }
        };
        let done = OrderedPool::new(usize::from(self.threads), signals).ticking(tick).run(
            tasks,
            || {
                let mut judge = Judge::new(limits);
                move |task: Result<Task, String>| task.map(|task| self.judge(&mut judge, task))
            },
            output,
            |judged, output| {
                number += 1;
                let mut so_far = so_far.borrow_mut();
                let Judged { text, task, solution } = match judged {
                    Ok(judged) => judged,
                    Err(reason) => {
                        unreadable = true;
                        let line = if self.json {
                            input::error_json(&reason)
                        } else {
                            input::error_line(&reason)
                        };
                        return Ok(print(&line, output)?);
                    }
                };
                so_far.count += 1;
                print(&text, output)?;
                let Some(solution) = solution else { return Ok(()) };
                so_far.sound += 1;
                let Task { position, credits, .. } = task;
                let file = format!("{stem}-{number:04}");
                let problem = (&position, &solution[..], &credits);
                self.outputs.add_file(&mut so_far.made, problem, &file, &inputs)?;
                let name = credits.name;
                let problem = SheetProblem { number, name, position, solution };
                self.outputs.add_to_page(&mut so_far.made, problem);
                Ok(())
            },
        );
        let was_read = was_read(done);
        let so_far = so_far.take();
        // A fault before the first result is all there is to say.
        if so_far.count == 0 && was_read.is_err() {
            return was_read.map(|_| Outcome::Done);
        }
        let all_sound = so_far.sound == so_far.count;
        let finished = self.finish(so_far, started, &inputs);
        let is_bad = with_end(was_read, finished)? && (unreadable || !all_sound);
        if interrupts.came() {
            return Ok(Outcome::Stopped);
        }
        Ok(if is_bad { Outcome::BadInput } else { Outcome::Done })
    }

    /// Says how many problems there were, and writes their page.
    fn finish(&self, so_far: SoFar, started: Instant, inputs: &Inputs) -> Result<(), Failure> {
        let SoFar { count, sound, made } = so_far;
        let seconds = started.elapsed().as_secs_f64();
        let problems = counted(count, "problem", "problems");
        tell(format_args!("{problems}, {sound} sound, {seconds:.3} s"));
        self.outputs.finish(made, inputs)
    }

    /// Whether people asked for all that was found.
    fn has_details(&self) -> bool {
        self.verbose || self.outputs.lang.is_some()
    }

    fn judge(&self, judge: &mut Judge, task: Task) -> Judged {
        if !self.json && !self.has_details() {
            let finding = self.plain_finding(judge, &task);
            let text = finding.text(&task.position, Language::English);
            return Judged { text, task, solution: finding.into_solution() };
        }
        let report = judge.report(&task.position, &task.intended, self.rules.into());
        let finding = finding(judge, &task, &report, self.json);
        let text = if self.json {
            json(&finding, report.as_ref().ok().and_then(Option::as_ref))
        } else {
            let language = match self.outputs.lang {
                None => Language::English,
                lang => Lang::language(lang),
            };
            let mut lines = vec![finding.text(&task.position, language)];
            if let Ok(Some(report)) = &report {
                let remarks = Remarks::of(judge, &task.position, report);
                lines.extend(remarks.lines(&task.position, report, language));
            }
            lines.join("\n")
        };
        Judged { text, task, solution: finding.into_solution() }
    }

    /// The plain verdict, for which one flaw suffices. Each way to it spends its nodes in another way, and
    /// may decide what the ones before do not.
    fn plain_finding(&self, judge: &mut Judge, task: &Task) -> Finding {
        let rules = self.rules.into();
        if self.rules == RulesName::Strict {
            let found = quick_finding(judge, task);
            if !matches!(found, Finding::Unknown(_)) {
                return found;
            }
        }
        let brief = judge.brief_report(&task.position, &task.intended, rules);
        let found = finding(judge, task, &brief, false);
        if !matches!(found, Finding::Unknown(_)) {
            return found;
        }
        let report = judge.report(&task.position, &task.intended, rules);
        finding(judge, task, &report, false)
    }
}

/// Prints a line at once: what an interrupt finds held back is lost.
fn print(line: &str, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{line}")?;
    output.flush()
}

/// The verdict, which ends at the first flaw.
fn quick_finding(judge: &mut Judge, task: &Task) -> Finding {
    // A wrong length is found much sooner than any other fault, so it is tested first.
    if let Some(claimed) = task.claimed
        && let Ok(Some(length)) = judge.length_of(&task.position)
        && length != claimed
    {
        return Finding::OtherLength { length, claimed };
    }
    match judge.judge(&task.position) {
        Verdict::Sound(solution) => {
            let (solution, first_wrong) =
                judge.solution_like(&task.position, &task.intended, solution);
            let idle = judge.idle(&task.position, &solution);
            Finding::Sound { solution, first_wrong, idle }
        }
        Verdict::SecondSolution { line, other, .. } => Finding::Second { line, other },
        Verdict::NoMate => Finding::NoMate,
        Verdict::Unknown(why) => Finding::Unknown(why),
    }
}

/// The verdict of a report. Idle pieces are looked for unless `is_brief`.
fn finding(
    judge: &mut Judge,
    task: &Task,
    report: &Result<Option<Report>, MateUnknown>,
    is_brief: bool,
) -> Finding {
    let report = match report {
        Ok(Some(report)) => report,
        Ok(None) => return Finding::NoMate,
        Err(why) => return Finding::Unknown(*why),
    };
    let length = report.solution.line.len() as u32;
    if let Some(claimed) = task.claimed
        && ![length, report.exact_length].contains(&claimed)
    {
        return Finding::OtherLength { length, claimed };
    }
    if let Some((line, other)) = report.first_flaw() {
        return Finding::Second { line, other };
    }
    if let Err(why) = report.is_sound() {
        return Finding::Unknown(why);
    }
    let solution = report.solution.clone();
    let idle = if is_brief || length < report.exact_length {
        Ok(Vec::new())
    } else {
        judge.idle(&task.position, &solution)
    };
    Finding::Sound { solution, first_wrong: report.first_wrong, idle }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::tsume::Tsume;
    use crate::{Arguments, Command};

    /// The check with these options, and what it prints.
    fn check(file: &std::path::Path, options: &[&str]) -> (Outcome, String) {
        let words = ["tsumero", "tsume", "check", "--file", file.to_str().unwrap()];
        let line = words.iter().chain(options);
        let command = Arguments::try_parse_from(line).unwrap().command;
        let Some(Command::Tsume(Tsume::Check(check))) = command else { panic!("{command:?}") };
        let mut output = Vec::new();
        let outcome = check.check(&mut output).unwrap();
        (outcome, String::from_utf8(output).unwrap())
    }

    /// As in the line for people, and in the exit code.
    #[test]
    fn a_problem_of_another_length_is_not_sound_in_json() {
        const SFEN: &str = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1";
        let file = std::env::temp_dir().join(format!("tsumero-length-{}", std::process::id()));
        for (claimed, sound, outcome) in [(5, true, Outcome::Done), (7, false, Outcome::BadInput)] {
            std::fs::write(&file, format!("{SFEN},{claimed}\n")).unwrap();
            let (found, output) = check(&file, &["--json"]);
            assert_eq!(found, outcome);
            assert!(output.starts_with(&format!("{{\"sound\":{sound},\"plies\":5,")), "{output}");
            // JSON has one language. What people read has two.
            let in_language = |language| check(&file, &["--json", "--lang", language]).1;
            assert_eq!([in_language("ja"), in_language("en")], [&*output; 2]);
            assert_ne!(check(&file, &["--lang", "ja"]).1, check(&file, &["--lang", "en"]).1);
        }
        std::fs::remove_file(&file).unwrap();
    }

    /// A given line that is too hard to check is not passed over in silence, and whether a problem is sound
    /// does not depend on what else is asked.
    #[test]
    fn at_any_budget_a_wrong_line_is_named_and_all_options_agree() {
        const WRONG: &str = "sfen k8/1gB6/9/9/9/9/9/9/9 b 3G2rb4s4n4l18p 1 \
            moves 7b8a+ 8b8a G*3f P*1d G*9c S*5g G*5h B*5a 9c9b";
        const BARE: &str = "1ps6/k8/2G6/2+P6/9/2L6/9/9/9 b B2rb3g3s4n3l16p 1";
        let file = std::env::temp_dir().join(format!("tsumero-budget-{}", std::process::id()));
        let (mut unknown, mut sound) = (0, 0);
        for row in [WRONG, BARE] {
            std::fs::write(&file, format!("{row}\n")).unwrap();
            for nodes in ["100", "200", "300", "500", "1000"] {
                let checked =
                    |option: &[&str]| check(&file, &[&["--nodes", nodes], option].concat());
                let (plain, verbose) = (checked(&[]), checked(&["--verbose"]));
                assert_eq!(plain.0, verbose.0, "{row} {nodes}");
                if plain.0 == Outcome::Done {
                    sound += 1;
                    let json = checked(&["--json"]).1;
                    let is_unknown = json.contains(r#""given_unknown":"nodes""#);
                    unknown += usize::from(is_unknown);
                    let is_named = |text: &str| text.starts_with("sound; given line ");
                    assert_eq!(is_named(&plain.1), row == WRONG, "{nodes}: {}", plain.1);
                    assert_eq!(is_named(&verbose.1), row == WRONG, "{nodes}: {}", verbose.1);
                    let fails = json.contains(r#""first_wrong":0"#);
                    assert_eq!(is_unknown || fails, row == WRONG, "{nodes}: {json}");
                }
            }
        }
        assert!(unknown > 0 && sound > unknown, "{unknown} {sound}");
        std::fs::remove_file(&file).unwrap();
    }
}
