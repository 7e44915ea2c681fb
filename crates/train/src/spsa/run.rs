//! Runs tuning: one contest after another, and a file of results.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::Path;

use chacha20::ChaCha8Rng;
use parking_lot::Mutex;
use rand::SeedableRng;
use serde::{Deserialize, Serialize};
use tsumero_files::{NewFile, open_growing};
use tsumero_search::SearcherError;

use super::contest::is_title_of_games;
use super::{Contest, Proposal, Spsa, Tuned};
use crate::configuration::{Configuration, MoveLimits};
use crate::fingerprint;
use crate::parameters::{Overrides, ParameterError};
use crate::player::Player;
use crate::progress::{Progress, tell};
use crate::regret::JudgeError;
use crate::workers::{self, Worker};

/// Why tuning cannot continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum TuningError {
    /// The file of results cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The file of results belongs to another run.
    #[error("{path} holds the results of another run: {what} differ")]
    OtherRun {
        /// The file.
        path: String,
        /// The part that differs.
        what: &'static str,
    },
    /// The search refuses a value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The judge cannot work.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// There is not enough memory for the table of a player.
    #[error(transparent)]
    Memory(#[from] SearcherError),
}

/// A run of tuning.
pub(crate) struct Tuning {
    /// The configuration of both players.
    pub configuration: Configuration,
    /// Limits for a move.
    pub limits: MoveLimits,
    /// What the players do.
    pub contest: Contest,
    /// Number of contests at the same time.
    pub threads: usize,
    /// Seed.
    pub seed: u64,
}

/// The contents of the file of results.
#[derive(Serialize, Deserialize)]
struct Saved {
    limits: String,
    configuration: String,
    /// What the players did; older files do not say it.
    #[serde(default)]
    contest: Option<String>,
    /// The seed; older files do not say it.
    #[serde(default)]
    seed: Option<u64>,
    /// Fingerprints of the search and of the evaluation; older files do not say them.
    #[serde(default)]
    engine: Option<String>,
    spsa: Spsa,
}

/// What identifies a run, beside what its command says.
struct Identity {
    /// What the players do.
    contest: String,
    /// Who they are.
    engine: String,
}

impl Tuning {
    /// Holds `planned` contests and returns the parameters. Iterations in the file are continued.
    /// The file is replaced every few seconds; no other process can write to it. Needs a stack of
    /// [`tsumero_search::STACK_SIZE`] bytes.
    ///
    /// # Errors
    /// [`TuningError`].
    pub(crate) fn run(
        &self,
        tuned: Vec<Tuned>,
        planned: u64,
        path: &Path,
    ) -> Result<Spsa, TuningError> {
        let fresh = Spsa { tuned, done: 0, planned, squared_leads: 0.0 };
        let run = Identity { contest: self.contest.title(), engine: self.engine() };
        let (mut locked, saved) = Self::load(path)?;
        let spsa = Mutex::new(match saved {
            None => fresh,
            Some(saved) => self.goes_on(saved, &fresh, &run, path)?,
        });
        let done = spsa.lock().done;
        if done >= planned {
            return Ok(spsa.into_inner());
        }
        let mut progress = Progress::new(done);
        let mut result = Ok(());
        let work = |worker: &Worker<'_, ()>| -> Result<(), TuningError> {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            // Random numbers of earlier iterations are not used again.
            rng.set_stream((worker.number as u64) << 40 | done);
            let player = || Player::new(&self.configuration, self.limits, self.contest.max_plies());
            let mut players = [player()?, player()?];
            let stopped = || worker.is_stopped();
            loop {
                let proposal = spsa.lock().propose(&mut rng);
                self.prepare(&proposal, &mut players, &spsa)?;
                let Some(lead) = self.contest.lead(&mut players, &mut rng, &stopped)? else {
                    return Ok(());
                };
                // The thread itself learns, so that its next proposal knows of this contest. With one
                // thread, a run can therefore be repeated.
                let is_finished = {
                    let mut spsa = spsa.lock();
                    if spsa.done < planned {
                        spsa.learn(&proposal, lead);
                    }
                    spsa.done >= planned
                };
                if !worker.send(()) || is_finished {
                    return Ok(());
                }
            }
        };
        let worked = workers::run(self.threads, work, |_| {
            let now = spsa.lock().clone();
            let finished = now.done >= planned;
            if progress.is_due() || finished {
                // The lock of the old file ends when that of the new one has begun.
                result = self.save(&now, &run, path).map(|new| locked = new);
                tell(format_args!(
                    "{} of {planned} iterations, {:.3} a second, {} left: {}",
                    now.done,
                    progress.rate(now.done),
                    progress.time_left(now.done, planned),
                    now.configuration(),
                ));
            }
            if finished || result.is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        worked.and(result).map(|()| spsa.into_inner())
    }

    /// What a file of results holds so far, and whether they are results of games, as they are taken
    /// for where the file does not say it. A run may be using it.
    ///
    /// # Errors
    /// [`TuningError::File`].
    pub(crate) fn results(path: &Path) -> Result<(Spsa, bool), TuningError> {
        let error = |reason: String| TuningError::File { path: path.display().to_string(), reason };
        let bytes = std::fs::read(path).map_err(|e| error(e.to_string()))?;
        // A run creates the file at once, and writes to it after some seconds.
        if bytes.is_empty() {
            return Err(error("no results yet".to_owned()));
        }
        let saved: Saved = serde_json::from_slice(&bytes).map_err(|e| error(e.to_string()))?;
        Ok((saved.spsa, saved.contest.is_none_or(|title| is_title_of_games(&title))))
    }

    /// What identifies search and evaluation in a file of results: effects that two engines had do
    /// not belong together.
    fn engine(&self) -> String {
        let evaluation = fingerprint::of_evaluations(&[&self.configuration.evaluation_function]);
        format!("search {:016x}, evaluation {evaluation:08x}", fingerprint::of_search())
    }

    /// Gives the players the proposed values.
    fn prepare(
        &self,
        proposal: &Proposal,
        players: &mut [Player; 2],
        spsa: &Mutex<Spsa>,
    ) -> Result<(), TuningError> {
        let names: Vec<String> = spsa.lock().tuned.iter().map(|tuned| tuned.name.clone()).collect();
        for (player, values) in players.iter_mut().zip(&proposal.values) {
            let mut overrides: Overrides = self.configuration.overrides.clone();
            for (name, &value) in names.iter().zip(values) {
                overrides.set(name, value)?;
            }
            player.set_overrides(&overrides);
        }
        Ok(())
    }

    /// Locks the file and reads what it contains, if anything.
    fn load(path: &Path) -> Result<(File, Option<Saved>), TuningError> {
        let error = |reason: String| TuningError::File { path: path.display().to_string(), reason };
        let mut file = open_growing(path).map_err(|e| error(e.to_string()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| error(e.to_string()))?;
        let saved = match bytes.is_empty() {
            true => None,
            false => Some(serde_json::from_slice(&bytes).map_err(|e| error(e.to_string()))?),
        };
        Ok((file, saved))
    }

    /// The saved parameters, if they belong to this run.
    fn goes_on(
        &self,
        saved: Saved,
        fresh: &Spsa,
        run: &Identity,
        path: &Path,
    ) -> Result<Spsa, TuningError> {
        let names = |spsa: &Spsa| -> Vec<(String, f64, f64, f64)> {
            spsa.tuned.iter().map(|t| (t.name.clone(), t.min, t.max, t.step)).collect()
        };
        let what = if saved.limits != self.limits.to_string() {
            "the limits"
        } else if saved.configuration != self.configuration.to_string() {
            "the configurations"
        } else if saved.engine.is_some_and(|saved| saved != run.engine) {
            "the searches or evaluations"
        } else if saved.contest.is_some_and(|saved| saved != run.contest) {
            "the openings, positions or judges"
        } else if saved.seed.is_some_and(|saved| saved != self.seed) {
            "the seeds"
        } else if names(&saved.spsa) != names(fresh) {
            "the numbers to tune"
        } else if saved.spsa.planned != fresh.planned {
            "the iterations planned"
        } else {
            return Ok(saved.spsa);
        };
        Err(TuningError::OtherRun { path: path.display().to_string(), what })
    }

    /// Replaces the whole file at once, so that a killed process leaves either the old or the new
    /// one. Returns the new one, which is locked.
    fn save(&self, spsa: &Spsa, run: &Identity, path: &Path) -> Result<File, TuningError> {
        let saved = Saved {
            limits: self.limits.to_string(),
            configuration: self.configuration.to_string(),
            contest: Some(run.contest.clone()),
            seed: Some(self.seed),
            engine: Some(run.engine.clone()),
            spsa: spsa.clone(),
        };
        let text = serde_json::to_string_pretty(&saved).expect("plain data has a JSON form");
        let write = || {
            let mut file = NewFile::create(path)?;
            file.write_all(text.as_bytes())?;
            file.commit()
        };
        write().map_err(|error| TuningError::File {
            path: path.display().to_string(),
            reason: error.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameRules;
    use crate::openings::Opening;
    use crate::parameters;

    fn tuning() -> Tuning {
        Tuning {
            configuration: "hash=1".parse().unwrap(),
            limits: MoveLimits { nodes: Some(100), ..MoveLimits::default() },
            contest: Contest::Games {
                rules: GameRules::default(),
                openings: vec![Opening::parse("startpos moves 7g7f 3c3d").unwrap()],
            },
            threads: 2,
            seed: 1,
        }
    }

    /// With one thread, each contest begins when all earlier ones have been learned from.
    #[test]
    fn a_run_of_one_thread_can_be_repeated() {
        const PLANNED: u64 = 20;
        let tuned: Vec<Tuned> =
            parameters::table().iter().map(|info| Tuned::new(info, None)).collect();
        let tuning = Tuning { threads: 1, ..tuning() };
        let path = std::env::temp_dir().join(format!("tsumero-spsa-one-{}", std::process::id()));
        let found = tuning.run(tuned.clone(), PLANNED, &path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(tuning.seed);
        let player =
            || Player::new(&tuning.configuration, tuning.limits, tuning.contest.max_plies());
        let mut players = [player().unwrap(), player().unwrap()];
        let spsa = Spsa { tuned, done: 0, planned: PLANNED, squared_leads: 0.0 };
        let spsa = Mutex::new(spsa);
        for _ in 0..PLANNED {
            let proposal = spsa.lock().propose(&mut rng);
            tuning.prepare(&proposal, &mut players, &spsa).unwrap();
            let lead = tuning.contest.lead(&mut players, &mut rng, &|| false).unwrap();
            spsa.lock().learn(&proposal, lead.unwrap());
        }
        assert_eq!(found, spsa.into_inner());
    }

    #[test]
    fn a_run_goes_on_where_it_stopped_and_with_nothing_else() {
        // Most pairs of games so short of nodes end even, but not all of so many.
        const PLANNED: u64 = 60;
        let path = std::env::temp_dir().join(format!("tsumero-spsa-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let tuned: Vec<Tuned> =
            parameters::table().iter().map(|info| Tuned::new(info, None)).collect();
        let first = tuning().run(tuned.clone(), PLANNED, &path).unwrap();
        assert_eq!(first.done, PLANNED);
        assert!(first.tuned.iter().any(|tuned| tuned.value != tuned.start));
        // Half of the iterations, as if the process had been killed there.
        let half = Spsa { done: PLANNED / 2, ..first.clone() };
        let run = Identity { contest: tuning().contest.title(), engine: tuning().engine() };
        drop(tuning().save(&half, &run, &path).unwrap());
        let second = tuning().run(tuned.clone(), PLANNED, &path).unwrap();
        assert_eq!(second.done, PLANNED);
        let third = tuning().run(tuned.clone(), PLANNED, &path).unwrap();
        assert_eq!((third.done, third.configuration()), (PLANNED, second.configuration()));
        let (read, are_of_games) = Tuning::results(&path).unwrap();
        assert_eq!((read.done, read.configuration()), (PLANNED, third.configuration()));
        assert!(are_of_games);

        let refused = |tuning: Tuning, tuned: Vec<Tuned>, planned| {
            matches!(tuning.run(tuned, planned, &path), Err(TuningError::OtherRun { .. }))
        };
        let (locked, _) = Tuning::load(&path).unwrap();
        let busy = tuning().run(tuned.clone(), PLANNED, &path).err().unwrap();
        assert!(busy.to_string().contains("another process"), "{busy}");
        drop(locked);
        assert!(refused(tuning(), tuned[1..].to_vec(), PLANNED));
        assert!(refused(tuning(), tuned.clone(), PLANNED + 1));
        let configuration = "hash=2".parse().unwrap();
        assert!(refused(Tuning { configuration, ..tuning() }, tuned.clone(), PLANNED));
        let others = || {
            let openings = vec![Opening::parse("startpos").unwrap()];
            let contest = Contest::Games { rules: GameRules::default(), openings };
            [Tuning { contest, ..tuning() }, Tuning { seed: 2, ..tuning() }]
        };
        assert!(others().into_iter().all(|other| refused(other, tuned.clone(), PLANNED)));
        // A network file that was replaced, or a program that was built anew.
        let text = std::fs::read_to_string(&path).unwrap();
        let other = Identity { engine: "search 1, evaluation 2".to_owned(), ..run };
        drop(tuning().save(&first, &other, &path).unwrap());
        let engines = tuning().run(tuned.clone(), PLANNED, &path).unwrap_err().to_string();
        assert!(engines.ends_with("the searches or evaluations differ"), "{engines}");
        std::fs::write(&path, text).unwrap();
        // Older files name none of these, so nothing contradicts.
        let bytes = std::fs::read(&path).unwrap();
        let mut old: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes).unwrap();
        assert!(["contest", "seed", "engine"].iter().all(|&name| old.remove(name).is_some()));
        std::fs::write(&path, serde_json::to_vec(&old).unwrap()).unwrap();
        assert!(!others().into_iter().any(|other| refused(other, tuned.clone(), PLANNED)));
        std::fs::remove_file(&path).unwrap();
    }
}
