//! The analysis of games: `analyze`.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use tsumero_analysis::{
    Analyst, Answer, Budget, CommentStyle, GameReport, Language, Note, Options, Study, Task,
    annotate, csv, json_lines, page, table,
};
use tsumero_control::Signals;
use tsumero_record::{Format, Game};

use crate::arguments::{MOST_MEGABYTES, check_limits, neither, no_memory, read_seconds, within};
use crate::background::{attached, work_in_background};
use crate::board::{Board, ColorArgument};
use crate::callback::call;
use crate::error::value_error;
use crate::network::Network;
use crate::records::GameRecord;

/// What the engine thinks of a game: the answer of `analyze`.
#[pyclass(module = "tsumero", frozen)]
pub(crate) struct Analysis {
    // In boxes, because positions are aligned for vectors, and Python aligns its objects to 16 bytes only.
    game: Box<Game>,
    report: Box<GameReport>,
    findings: Findings,
}

/// What was asked of a game, and the answers in the order of the tasks. The report follows from them.
#[derive(Clone)]
struct Findings {
    name: String,
    branches: bool,
    is_reproducible: bool,
    answers: Vec<Answer>,
}

impl Findings {
    /// The report of the game; `None` if these are not the answers to its tasks.
    fn report(&self, game: &Game) -> Option<GameReport> {
        let mut study = Study::new(game, self.branches);
        let mut answers = self.answers.iter();
        while let Some((place, task)) = study.next_task() {
            let answer = answers.next()?;
            match (&task, answer) {
                (Task::Look(_), Answer::Finding(finding)) if !finding.lines.is_empty() => {}
                (Task::LookAgain(_), Answer::Second(_)) => {}
                _ => return None,
            }
            study.put(place, answer.clone());
        }
        if answers.next().is_some() {
            return None;
        }
        Some(GameReport::new(&self.name, 1, &study, self.is_reproducible))
    }
}

/// A language by its code.
fn read_language(code: &str) -> PyResult<Language> {
    let known = [Language::English, Language::Japanese];
    let found = known.into_iter().find(|language| language.code() == code);
    found.ok_or_else(|| value_error(format_args!("language={code:?}: not \"en\" or \"ja\"")))
}

#[pymethods]
impl Analysis {
    /// Makes the analysis that was pickled.
    #[classmethod]
    fn _restore(
        _: &Bound<'_, PyType>,
        game: &Bound<'_, GameRecord>,
        name: String,
        branches: bool,
        is_reproducible: bool,
        answers: &str,
    ) -> PyResult<Analysis> {
        let answers = serde_json::from_str(answers).map_err(value_error)?;
        let game = game.get().game.clone();
        let findings = Findings { name, branches, is_reproducible, answers };
        let report = findings.report(&game);
        let report = report.ok_or_else(|| value_error("these are results of another game"))?;
        Ok(Analysis { game, report: Box::new(report), findings })
    }

    /// An analysis can be sent to another process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let Findings { name, branches, is_reproducible, answers } = &self.findings;
        let answers = serde_json::to_string(answers).map_err(value_error)?;
        let game = GameRecord { game: self.game.clone() };
        let fields = (game, name, *branches, *is_reproducible, answers).into_bound_py_any(py)?;
        Ok((py.get_type::<Analysis>().getattr("_restore")?, fields))
    }

    /// A dictionary for each position of the main line, then for those of analyzed branches. docs/analysis.md explains the
    /// fields of `--json`, which these are: `sfen`, `move`, `cp` or `mate` (from Black's side), `pv`, `note`, `loss`, ...
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let loads = py.import("json")?.getattr("loads")?;
        json_lines(&self.report).lines().map(|line| loads.call1((line,))).collect()
    }

    /// How a player played: `moves`, `accuracy` and `best_moves` (percent; `None` without moves), and how often each note was
    /// given (`inaccuracy`, `dubious`, `mistake`, `blunder`, `missed_mate`).
    fn summary<'py>(&self, py: Python<'py>, color: ColorArgument) -> PyResult<Bound<'py, PyDict>> {
        let summary = self.report.summary(color.0);
        let fields = PyDict::new(py);
        fields.set_item("moves", summary.moves)?;
        fields.set_item("accuracy", summary.accuracy)?;
        fields.set_item("best_moves", summary.best_moves)?;
        let notes = [Note::Inaccuracy, Note::Dubious, Note::Mistake, Note::Blunder];
        for (note, count) in notes.into_iter().zip(summary.notes) {
            fields.set_item(note.word(), count)?;
        }
        fields.set_item(Note::MissedMate.word(), summary.missed_mates)?;
        Ok(fields)
    }

    /// The analysis as a file: `json` (lines), `csv`, `html` (a page), `table` (for people), or the game with comments from
    /// which ShogiHome and ShogiGUI draw their graph: `kif`, `csa`. `language` is `en` or `ja`.
    #[pyo3(signature = (format, *, language="en"))]
    fn to_text(&self, format: &str, language: &str) -> PyResult<String> {
        let language = read_language(language)?;
        let reports = std::slice::from_ref(&*self.report);
        let annotated = |style, format| {
            let mut game = Game::clone(&self.game);
            annotate(&mut game, &self.report, style);
            tsumero_record::write(&[game], format)
        };
        match format {
            "json" => Ok(json_lines(&self.report)),
            "csv" => Ok(csv(reports, language)),
            "html" => Ok(page(reports, language)),
            "table" => Ok(table(&self.report, language)),
            "kif" => Ok(annotated(CommentStyle::Guis, Format::Kif)),
            "csa" => Ok(annotated(CommentStyle::Servers, Format::Csa)),
            _ => Err(value_error(format_args!(
                "{format:?} is no format of an analysis: json, csv, html, table, kif, csa"
            ))),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Analysis: {}, {} positions>", self.findings.name, self.report.positions.len())
    }
}

/// The one limit that is given.
fn read_budget(nodes: Option<u64>, seconds: Option<f64>, depth: Option<u32>) -> PyResult<Budget> {
    check_limits(nodes, depth)?;
    match (nodes, read_seconds(seconds)?, depth) {
        (Some(nodes), None, None) => Ok(Budget::Nodes(nodes)),
        (None, Some(time), None) => {
            // What is more than the longest budget is as good as that.
            let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            Ok(Budget::Time(time.max(1)))
        }
        (None, None, Some(depth)) => Ok(Budget::Depth(depth)),
        _ => Err(value_error("an analysis needs one limit: nodes, seconds or depth")),
    }
}

/// Analyzes a game: searches every position, looks a second time at moves that may be mistakes, and asks the mate solver.
///
/// One of `nodes`, `seconds` and `depth` is the limit for each position. `branches` are analyzed if wanted. `callback`
/// receives the number of positions that have been looked at, and how many will be; an exception in it ends the analysis. `name`
/// is the file's name in what is written. All else is as in `search`.
#[pyfunction]
#[pyo3(signature = (game, *, nodes=None, seconds=None, depth=None, multipv=1, threads=1, hash=64, network=None,
    branches=false, name="game", callback=None))]
#[expect(clippy::too_many_arguments, reason = "in Python they are named")]
pub(crate) fn analyze(
    game: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    depth: Option<u32>,
    multipv: usize,
    threads: usize,
    hash: usize,
    network: Option<&Bound<'_, Network>>,
    branches: bool,
    name: &str,
    callback: Option<Py<PyAny>>,
) -> PyResult<Analysis> {
    let py = game.py();
    let game = if let Ok(board) = game.cast::<Board>() {
        tsumero_record::Game::from(&*board.try_borrow()?.game)
    } else if let Ok(record) = game.cast::<GameRecord>() {
        Game::clone(&record.get().game)
    } else {
        return Err(neither(game, "GameRecord", "Board"));
    };
    let options = Options {
        budget: read_budget(nodes, seconds, depth)?,
        threads: within("threads", threads, u16::MAX.into())?,
        multi_pv: within("multipv", multipv, tsumero_core::MAX_MOVES)?,
        hash_mb: within("hash", hash, MOST_MEGABYTES)?,
        // It identifies results in files, of which there are none here.
        evaluation: String::new(),
    };
    let evaluation = Network::evaluation(network);
    let is_reproducible = options.is_reproducible();
    let mut analyst = Analyst::new(options, evaluation);
    if analyst.table_megabytes() < hash {
        return Err(no_memory(hash));
    }
    let mut findings =
        Findings { name: name.to_owned(), branches, is_reproducible, answers: Vec::new() };
    let report = py.detach(|| {
        let (signals, total) = (Signals::new(), Study::new(&game, branches).looks());
        let report = work_in_background(
            &signals,
            |progress| {
                analyst.new_game(&signals);
                let (mut study, mut looks) = (Study::new(&game, branches), 0);
                while let Some((place, task)) = study.next_task() {
                    let answer = analyst.perform(&task, &signals)?;
                    findings.answers.push(answer.clone());
                    study.put(place, answer);
                    if matches!(task, Task::Look(_)) {
                        looks += 1;
                        // Nobody is left to be told only after a fault.
                        let _ = progress.send(looks);
                    }
                }
                Some(GameReport::new(name, 1, &study, findings.is_reproducible))
            },
            |looks: usize, is_stopped| {
                let Some(callback) = callback.as_ref().filter(|_| !is_stopped) else {
                    return Ok(true);
                };
                attached(|py| {
                    call(callback.bind(py), &PyTuple::new(py, [looks, total])?)?;
                    Ok(true)
                })
            },
        )?;
        report.ok_or_else(|| value_error("the analysis was stopped"))
    })?;
    Ok(Analysis { game: Box::new(game), report: Box::new(report), findings })
}
