//! What positions are evaluated with: `EvalFile`, `EvalDir` and `FV_SCALE`.

use std::fmt;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use tsumero_control::Evaluation;
use tsumero_core::Position;
use tsumero_network::{Network, NetworkError};
use tsumero_search::{Evaluations, NetworkEvaluation};

/// The evaluation that comes with the program.
pub const INTERNAL: &str = "<internal>";
/// The evaluation made by hand.
pub const NONE: &str = "none";
/// The name of a network in the folder of `EvalDir`, as most engines have it.
const USUAL_NAME: &str = "nn.bin";

/// What the user has chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// `EvalFile`: [`INTERNAL`], [`NONE`] or a file. An empty name is [`INTERNAL`].
    pub file: PathBuf,
    /// `EvalDir`: the folder of a file whose name is relative, or [`INTERNAL`] or nothing for the
    /// current folder. If no file is named, it holds `nn.bin`.
    pub folder: PathBuf,
    /// `FV_SCALE`: what a network's last integer is divided by; 0 for what its makers advise.
    pub fv_scale: u32,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { file: INTERNAL.into(), folder: INTERNAL.into(), fv_scale: 0 }
    }
}

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    Internal,
    HandMade,
    File(PathBuf),
}

fn is_internal(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.as_os_str() == INTERNAL
}

impl Choice {
    fn source(&self) -> Source {
        let folder = (!is_internal(&self.folder)).then_some(&self.folder);
        match (is_internal(&self.file), folder) {
            (false, _) if self.file.as_os_str() == NONE => Source::HandMade,
            (false, Some(folder)) => Source::File(folder.join(&self.file)),
            (false, None) => Source::File(self.file.clone()),
            (true, Some(folder)) => Source::File(folder.join(USUAL_NAME)),
            (true, None) => Source::Internal,
        }
    }
}

/// Why a file does not evaluate.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .file.display())]
pub struct EvalFileError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: NetworkError,
}

/// An evaluation in memory, with what is to be said of it.
#[derive(Clone, Debug)]
pub struct Evaluator {
    source: Source,
    /// What evaluates.
    pub evaluations: Evaluations,
}

/// What an evaluator says of one position.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Which evaluator it was: its kind, its file and its architecture.
    pub evaluator: String,
    /// The last integer of a network, before it is divided.
    pub raw: Option<i32>,
    /// The value for the side to move, and its parts.
    pub evaluation: Evaluation,
}

impl Evaluator {
    /// Reads what was chosen.
    ///
    /// # Errors
    /// Which file is not a network, and why.
    pub fn read(choice: &Choice) -> Result<Evaluator, EvalFileError> {
        let source = choice.source();
        let mut evaluations = match &source {
            Source::Internal => Evaluations::default(),
            Source::HandMade => Evaluations::AttackMaps,
            Source::File(file) => {
                let network = Network::read(file)
                    .map_err(|reason| EvalFileError { file: file.clone(), reason })?;
                Evaluations::Network(NetworkEvaluation::new(network))
            }
        };
        let chosen = u16::try_from(choice.fv_scale).ok().and_then(NonZeroU16::new);
        if let (Evaluations::Network(network), Some(fv_scale)) = (&mut evaluations, chosen) {
            network.fv_scale = fv_scale;
        }
        Ok(Evaluator { source, evaluations })
    }

    /// Evaluates a position without a search.
    pub fn judge(&self, position: &Position) -> Judgement {
        let raw = match &self.evaluations {
            Evaluations::AttackMaps => None,
            Evaluations::Network(NetworkEvaluation { network, .. }) => {
                Some(network.evaluate_from_scratch(position))
            }
        };
        let (evaluator, evaluation) = (self.to_string(), self.evaluations.explain(position));
        Judgement { evaluator, raw, evaluation }
    }
}

/// Which evaluator this is, on one line.
impl fmt::Display for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evaluations::Network(NetworkEvaluation { network, fv_scale }) = &self.evaluations
        else {
            return f.write_str("attack maps, made by hand");
        };
        write!(f, "network {}, FV_SCALE {fv_scale}, ", network.architecture())?;
        match &self.source {
            Source::Internal | Source::HandMade => f.write_str(INTERNAL)?,
            Source::File(file) => file.display().fmt(f)?,
        }
        if network.hashes_agree() { Ok(()) } else { f.write_str(" (with the hashes of another)") }
    }
}

/// The evaluator that all threads share, so that a large network is in memory once.
#[derive(Clone, Default, Debug)]
pub struct SharedEvaluator(Arc<Mutex<Option<Present>>>);

/// The evaluator that was asked for last.
#[derive(Debug)]
struct Present {
    choice: Choice,
    /// What evaluates: the program's own where the file was refused.
    evaluator: Arc<Evaluator>,
    was_refused: bool,
}

/// What happened when an evaluator was asked for.
#[derive(Debug)]
pub enum Change {
    /// It was there.
    None,
    /// It was read.
    Read,
    /// It could not be read, and the program's own takes its place.
    Refused(EvalFileError),
}

impl SharedEvaluator {
    /// The evaluator of a choice. A file is read only if the choice before was another one, and one
    /// that was refused is tried again only if `insists`.
    pub fn get(&self, choice: &Choice, insists: bool) -> (Arc<Evaluator>, Change) {
        let mut present = self.0.lock();
        if let Some(present) = &*present
            && present.choice == *choice
            && !(present.was_refused && insists)
        {
            return (Arc::clone(&present.evaluator), Change::None);
        }
        // A network may be large, and two of them need not be in memory.
        *present = None;
        let (evaluator, change) = match Evaluator::read(choice) {
            Ok(evaluator) => (evaluator, Change::Read),
            Err(error) => {
                let own =
                    Evaluator { source: Source::Internal, evaluations: Evaluations::default() };
                (own, Change::Refused(error))
            }
        };
        let (choice, evaluator) = (choice.clone(), Arc::new(evaluator));
        let was_refused = matches!(change, Change::Refused(_));
        *present = Some(Present { choice, evaluator: Arc::clone(&evaluator), was_refused });
        (evaluator, change)
    }
}

#[cfg(test)]
mod tests {
    use tsumero_network::{Architecture, Kind, Parameters};

    use super::*;

    fn choice(file: &str, folder: &str) -> Choice {
        Choice { file: file.into(), folder: folder.into(), fv_scale: 0 }
    }

    #[test]
    fn both_options_together_name_one_source() {
        let file = |path: &str| Source::File(path.into());
        for (name, folder, source) in [
            (INTERNAL, INTERNAL, Source::Internal),
            ("", "", Source::Internal),
            (NONE, INTERNAL, Source::HandMade),
            (NONE, "eval", Source::HandMade),
            (INTERNAL, "eval", file("eval/nn.bin")),
            ("suisho.bin", INTERNAL, file("suisho.bin")),
            ("suisho.bin", "eval", file("eval/suisho.bin")),
            ("/nets/suisho.bin", "eval", file("/nets/suisho.bin")),
        ] {
            assert_eq!(choice(name, folder).source(), source, "{name} {folder}");
        }
    }

    #[test]
    fn a_refused_file_is_said_once_and_tried_again_when_somebody_insists() {
        let folder = std::env::temp_dir().join(format!("tsumero-eval-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("no network.bin");
        std::fs::write(&file, "no network").unwrap();
        let wanted = Choice { file: file.clone(), ..Choice::default() };
        let shared = SharedEvaluator::default();
        let (own, change) = shared.get(&wanted, true);
        let Change::Refused(error) = change else { panic!("{change:?}") };
        let text = error.to_string();
        assert!(text.contains("no network.bin: found 10 bytes, expected"), "{text}");
        assert_eq!(own.to_string(), Evaluator::read(&Choice::default()).unwrap().to_string());
        assert!(matches!(shared.get(&wanted, false).1, Change::None));
        assert!(matches!(shared.get(&wanted, true).1, Change::Refused(_)));
        let mut network = Vec::new();
        let zeros = Parameters::zeros(Architecture::standard(Kind::Kp));
        zeros.write(&mut network).unwrap();
        std::fs::write(&file, network).unwrap();
        assert!(matches!(shared.get(&wanted, false).1, Change::None));
        let (read, change) = shared.get(&wanted, true);
        assert!(matches!(change, Change::Read) && read.to_string().contains("no network.bin"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(matches!(shared.get(&choice(NONE, ""), false).1, Change::Read));
        assert!(matches!(shared.get(&choice(NONE, ""), true).1, Change::None));
    }
}
