//! The thread that searches, and what a terminal shows meanwhile.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use tsumero_analysis::{Analyst, Answer, Study, Task};
use tsumero_control::Signals;

use super::end::End;
use super::outputs::Input;
use crate::Failure;
use crate::output::{TICK, is_closed};

/// The searching thread: it receives tasks and returns answers.
pub(super) struct Searching {
    pub(super) tasks: Sender<Task>,
    pub(super) answers: Receiver<Option<Answer>>,
    /// Whether the results are printed, and so are of no use when nobody reads them.
    pub(super) for_stdout: bool,
}

impl Searching {
    /// The answer to a task, unless the search was stopped or nobody waits for it any more.
    pub(super) fn perform(&self, task: Task) -> Result<Answer, End> {
        self.tasks.send(task).map_err(|_| End::Stopped)?;
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(answer) => return answer.ok_or(End::Stopped),
                Err(RecvTimeoutError::Disconnected) => return Err(End::Stopped),
                Err(RecvTimeoutError::Timeout) if self.for_stdout && is_closed() => {
                    return Err(Failure::OutputClosed.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The work of the searching thread.
pub(super) fn perform_tasks(
    mut analyst: Analyst,
    tasks: Receiver<Task>,
    answers: Sender<Option<Answer>>,
    signals: &Signals,
) {
    for task in tasks {
        if matches!(&task, Task::Look(position) if position.moves().len() == 0) {
            analyst.new_game(signals);
        }
        if answers.send(analyst.perform(&task, signals)).is_err() {
            return;
        }
    }
}

/// Progress bars for games and moves, shown only on a terminal.
pub(super) struct Progress {
    bars: MultiProgress,
    pub(super) games: ProgressBar,
    pub(super) moves: ProgressBar,
}

impl Progress {
    pub(super) fn new(inputs: &[Input], with_branches: bool) -> Progress {
        let games: usize = inputs.iter().map(|input| input.games.len()).sum();
        let moves = inputs.iter().flat_map(|input| &input.games);
        let moves: usize = moves.map(|(_, game)| Study::new(game, with_branches).looks()).sum();
        // It draws on standard error, and only if that is a terminal.
        let bars = MultiProgress::new();
        let bar = |length: usize, template: &str| {
            let bar = bars.add(ProgressBar::new(length as u64));
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.expect("the template is well formed"));
            bar
        };
        let games = bar(games, "games     {bar:40} {pos}/{len}");
        let moves = bar(moves, "positions {bar:40} {pos}/{len}  {eta_precise} left");
        Progress { bars, games, moves }
    }

    /// Prints while the bars are not on the screen, where they would take what is printed below them for
    /// their own lines. What is printed must not be held back.
    pub(super) fn above_bars<R>(&self, print: impl FnOnce() -> R) -> R {
        // Without a terminal that can be written to, there are no bars. `suspend` would panic.
        let _ = self.bars.clear();
        let result = print();
        self.games.tick();
        self.moves.tick();
        result
    }

    /// Takes the bars from the screen for good.
    pub(super) fn finish(&self) {
        self.games.finish_and_clear();
        self.moves.finish_and_clear();
    }
}
