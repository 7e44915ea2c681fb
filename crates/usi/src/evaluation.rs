//! The choice of the evaluation: `EvalFile`, `EvalDir`, `FV_SCALE` and `EvalStacks`.

use std::fmt;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use tsumero_control::Evaluation;
use tsumero_core::Position;
use tsumero_network::{Network, RuleError, Shape, StackRule};
use tsumero_search::{
    EvaluationChoice, EvaluationFileError, EvaluationFunction, EvaluationSource, NetworkEvaluation,
};

use crate::file_name::{self, Stamp};
use crate::notice::Notice;

/// The evaluation that comes with the program.
pub const INTERNAL: &str = "<internal>";
/// The word for no rule of one's own.
pub const AUTO: &str = "auto";
/// The usual file name of a network in the folder `EvalDir`.
const USUAL_NAME: &str = "nn.bin";

/// The user's settings of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// `EvalFile`: [`INTERNAL`], [`EvaluationSource::NONE`] or a file. An empty name means
    /// [`INTERNAL`].
    pub file: PathBuf,
    /// `EvalDir`: the folder of a file with a relative name. [`INTERNAL`] or an empty name means
    /// none. If a folder but no file is set, the file is `nn.bin` in that folder.
    pub folder: PathBuf,
    /// `FV_SCALE`: the divisor of a network's last integer; `None` for the advice of its makers.
    pub fv_scale: Option<NonZeroU16>,
    /// `EvalStacks`: the rule by which a network chooses one of its layer stacks, where its file does
    /// not say it; `None` for what else is known.
    pub stacks: Option<StackRule>,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { file: INTERNAL.into(), folder: INTERNAL.into(), fv_scale: None, stacks: None }
    }
}

/// The rule that a user names; `None` for [`AUTO`].
///
/// # Errors
/// No rule has this name.
pub fn stack_rule(name: &str) -> Result<Option<StackRule>, RuleError> {
    if name.eq_ignore_ascii_case(AUTO) { Ok(None) } else { name.parse().map(Some) }
}

fn is_internal(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.as_os_str() == INTERNAL
}

impl Choice {
    /// The source that both options together name.
    fn source(&self) -> EvaluationSource {
        let folder = (!is_internal(&self.folder)).then_some(&self.folder);
        let file = match (is_internal(&self.file), folder) {
            (true, None) => return EvaluationSource::Internal,
            (true, Some(_)) => Path::new(USUAL_NAME),
            (false, _) => &self.file,
        };
        match (EvaluationSource::named(file, INTERNAL), folder) {
            (EvaluationSource::File(file), Some(folder)) => {
                EvaluationSource::File(folder.join(file))
            }
            (source, _) => source,
        }
    }

    /// What the options ask for. A relative name is first looked up beside the program.
    fn wanted(&self) -> EvaluationChoice {
        let source = match self.source() {
            EvaluationSource::File(file) => EvaluationSource::File(file_name::find(&file)),
            source @ (EvaluationSource::Internal | EvaluationSource::AttackMaps) => source,
        };
        EvaluationChoice { source, fv_scale: self.fv_scale, stacks: self.stacks }
    }
}

/// The stamps of a file and of those beside it; `None` for what needs no file.
fn stamps(source: &EvaluationSource) -> Option<[Option<Stamp>; 3]> {
    match source {
        EvaluationSource::File(file) => {
            let [options, progress] = Network::files_beside(file);
            Some([file, &options, &progress].map(|file| Stamp::of(file)))
        }
        EvaluationSource::Internal | EvaluationSource::AttackMaps => None,
    }
}

/// An evaluation in memory, with its description.
#[derive(Clone, Debug)]
pub struct LoadedEvaluation {
    source: EvaluationSource,
    /// The evaluation.
    pub evaluation_function: EvaluationFunction,
}

/// The value of one position with its explanation.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The evaluation: its kind, its file and its architecture.
    pub description: String,
    /// The last integer of a network, before it is divided.
    pub raw: Option<i32>,
    /// The value for the side to move, and its parts.
    pub evaluation: Evaluation,
}

impl LoadedEvaluation {
    /// Reads the chosen evaluation. A relative name means a file in the current folder, as on every
    /// command line.
    ///
    /// # Errors
    /// The file that is not a network, and the reason.
    pub fn read(choice: EvaluationChoice) -> Result<LoadedEvaluation, EvaluationFileError> {
        let evaluation_function = choice.read()?;
        Ok(LoadedEvaluation { source: choice.source, evaluation_function })
    }

    /// Evaluates a position without a search.
    pub fn explain(&self, position: &Position) -> Explanation {
        let raw = match &self.evaluation_function {
            EvaluationFunction::AttackMaps => None,
            EvaluationFunction::Network(NetworkEvaluation { network, .. }) => {
                Some(network.evaluate_from_scratch(position))
            }
        };
        let evaluation = self.evaluation_function.explain(position);
        Explanation { description: self.to_string(), raw, evaluation }
    }
}

/// The description of the evaluation, on one line.
impl fmt::Display for LoadedEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EvaluationFunction::Network(NetworkEvaluation { network, fv_scale }) =
            &self.evaluation_function
        else {
            return f.write_str("attack maps");
        };
        write!(f, "network {}, ", network.shape())?;
        if let (Shape::Stacks(shape), Some(choice)) = (network.shape(), network.stack_choice()) {
            write!(f, "{} stacks by {choice}, ", shape.stacks())?;
        }
        write!(f, "FV_SCALE {fv_scale}")?;
        if let Some(other) = network.unread_scale() {
            write!(f, " (not {other} as eval_options.txt says)")?;
        }
        f.write_str(", ")?;
        match &self.source {
            EvaluationSource::Internal | EvaluationSource::AttackMaps => f.write_str(INTERNAL)?,
            EvaluationSource::File(file) => file.display().fmt(f)?,
        }
        if network.hashes_agree() { Ok(()) } else { f.write_str(" (with the hashes of another)") }
    }
}

/// The evaluation that all threads share, so a large network is in memory only once.
#[derive(Clone, Default, Debug)]
pub struct SharedEvaluation(Arc<Mutex<Option<Latest>>>);

/// The evaluation that was requested last.
#[derive(Debug)]
struct Latest {
    choice: Choice,
    /// The evaluation; the program's own if the file was refused.
    evaluation: Arc<LoadedEvaluation>,
    was_refused: bool,
    /// The stamps of its files before they were read.
    stamps: Option<[Option<Stamp>; 3]>,
}

impl Latest {
    /// Whether its choice still names the file that was read, and it is as it was then, with the files
    /// beside it.
    fn is_current(&self) -> bool {
        let source = self.choice.wanted().source;
        !self.was_refused && self.evaluation.source == source && self.stamps == stamps(&source)
    }
}

/// What happened when an evaluation was requested.
#[derive(Debug)]
pub enum Change {
    /// It was already there.
    None,
    /// It was read.
    Read,
    /// It could not be read, and the program's own is used instead.
    Refused(EvaluationFileError),
}

impl Change {
    /// What the user is told about a file that could not be read. `used` is used instead.
    pub fn refusal(&self, used: &LoadedEvaluation) -> Option<Notice> {
        match self {
            Change::Refused(error) => {
                Some(Notice::Error(format!("EvalFile {error}; using {used}")))
            }
            Change::None | Change::Read => None,
        }
    }
}

impl SharedEvaluation {
    /// The evaluation of a choice. A file is read only if the choice has changed, or if `refresh` is
    /// set and the file has changed or was refused.
    pub fn get(&self, choice: &Choice, refresh: bool) -> (Arc<LoadedEvaluation>, Change) {
        let mut latest = self.0.lock();
        if let Some(latest) = &*latest
            && latest.choice == *choice
            && (!refresh || latest.is_current())
        {
            return (Arc::clone(&latest.evaluation), Change::None);
        }
        // An old network that no searcher uses is freed first.
        *latest = None;
        let wanted = choice.wanted();
        let stamps = stamps(&wanted.source);
        let (evaluation, change) = match LoadedEvaluation::read(wanted) {
            Ok(evaluation) => (evaluation, Change::Read),
            Err(error) => {
                let own = LoadedEvaluation {
                    source: EvaluationSource::Internal,
                    evaluation_function: EvaluationFunction::default(),
                };
                (own, Change::Refused(error))
            }
        };
        let (choice, evaluation) = (choice.clone(), Arc::new(evaluation));
        let was_refused = matches!(change, Change::Refused(_));
        *latest = Some(Latest { choice, evaluation: Arc::clone(&evaluation), was_refused, stamps });
        (evaluation, change)
    }
}

#[cfg(test)]
mod tests {
    use tsumero_network::{Architecture, Kind, Parameters};

    use super::*;

    fn choice(file: &str, folder: &str) -> Choice {
        Choice { file: file.into(), folder: folder.into(), ..Choice::default() }
    }

    #[test]
    fn both_options_together_name_one_source() {
        let file = |path: &str| EvaluationSource::File(path.into());
        let none = EvaluationSource::NONE;
        for (name, folder, source) in [
            (INTERNAL, INTERNAL, EvaluationSource::Internal),
            ("", "", EvaluationSource::Internal),
            (none, INTERNAL, EvaluationSource::AttackMaps),
            (none, "eval", EvaluationSource::AttackMaps),
            (INTERNAL, "eval", file("eval/nn.bin")),
            ("suisho.bin", INTERNAL, file("suisho.bin")),
            ("suisho.bin", "eval", file("eval/suisho.bin")),
            ("/nets/suisho.bin", "eval", file("/nets/suisho.bin")),
        ] {
            assert_eq!(choice(name, folder).source(), source, "{name} {folder}");
        }
    }

    #[test]
    fn a_refused_file_is_said_once_and_tried_again_at_a_refresh() {
        let folder = std::env::temp_dir().join(format!("tsumero-eval-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("no network.bin");
        std::fs::write(&file, "no network").unwrap();
        let wanted = Choice { file: file.clone(), ..Choice::default() };
        let shared = SharedEvaluation::default();
        let (own, change) = shared.get(&wanted, true);
        let Change::Refused(error) = change else { panic!("{change:?}") };
        let text = error.to_string();
        assert!(text.contains("no network.bin: found 10 bytes, expected"), "{text}");
        assert_eq!(
            own.to_string(),
            LoadedEvaluation::read(EvaluationChoice::default()).unwrap().to_string()
        );
        assert!(matches!(shared.get(&wanted, false).1, Change::None));
        assert!(matches!(shared.get(&wanted, true).1, Change::Refused(_)));
        let mut network = Vec::new();
        let zeros = Parameters::zeros(Architecture::standard(Kind::Kp));
        zeros.write(&mut network).unwrap();
        std::fs::write(&file, network).unwrap();
        assert!(matches!(shared.get(&wanted, false).1, Change::None));
        let (read, change) = shared.get(&wanted, true);
        assert!(matches!(change, Change::Read) && read.to_string().contains("no network.bin"));
        // A file that somebody has changed is read again at a refresh.
        assert!(matches!(shared.get(&wanted, true).1, Change::None));
        let changed = std::fs::File::options().write(true).open(&file).unwrap();
        changed.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        assert!(matches!(shared.get(&wanted, false).1, Change::None));
        assert!(matches!(shared.get(&wanted, true).1, Change::Read));
        // So are the files beside it: when they appear, change, and go.
        let options = folder.join("eval_options.txt");
        for text in ["FV_SCALE 20", "FV_SCALE 9", "FV_SCALE 16.5", ""] {
            match text {
                "" => std::fs::remove_file(&options).unwrap(),
                _ => std::fs::write(&options, text).unwrap(),
            }
            let scale = match text.split_whitespace().nth(1) {
                Some("16.5") => "16 (not 16.5 as eval_options.txt says)",
                scale => scale.unwrap_or("16"),
            };
            assert!(matches!(shared.get(&wanted, false).1, Change::None));
            let (read, change) = shared.get(&wanted, true);
            assert!(matches!(change, Change::Read), "{text}");
            assert!(read.to_string().contains(&format!("FV_SCALE {scale}, ")), "{read}");
            assert!(matches!(shared.get(&wanted, true).1, Change::None));
        }
        std::fs::write(folder.join("progress.bin"), "changes nothing here").unwrap();
        assert!(matches!(shared.get(&wanted, true).1, Change::Read));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(matches!(shared.get(&choice(EvaluationSource::NONE, ""), false).1, Change::Read));
        assert!(matches!(shared.get(&choice(EvaluationSource::NONE, ""), true).1, Change::None));
    }
}
