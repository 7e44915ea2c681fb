//! The choice of an evaluation, as a user names it.

use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

use tsumero_network::{Network, NetworkError, StackRule};

use super::evaluator::{EvaluationFunction, NetworkEvaluation};

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum EvaluationSource {
    /// The network that comes with this crate.
    #[default]
    Internal,
    /// The attack maps, which need no file.
    AttackMaps,
    /// A network in a file.
    File(PathBuf),
}

impl EvaluationSource {
    /// The name of [`EvaluationSource::AttackMaps`].
    pub const NONE: &str = "none";

    /// The source that a name means: `internal`, the word of a command for the network that comes with
    /// this crate, [`EvaluationSource::NONE`], or else a file.
    ///
    /// ```
    /// use tsumero_search::EvaluationSource;
    /// let named = |name| EvaluationSource::named(name, "<internal>");
    /// assert_eq!(named("<internal>"), EvaluationSource::Internal);
    /// assert_eq!(named("none"), EvaluationSource::AttackMaps);
    /// assert_eq!(named("internal"), EvaluationSource::File("internal".into()));
    /// ```
    pub fn named(name: impl AsRef<Path>, internal: &str) -> EvaluationSource {
        let name = name.as_ref();
        if name.as_os_str() == internal {
            EvaluationSource::Internal
        } else if name.as_os_str() == EvaluationSource::NONE {
            EvaluationSource::AttackMaps
        } else {
            EvaluationSource::File(name.to_owned())
        }
    }
}

/// Which evaluation a user has chosen, and how a network is to be read.
///
/// ```
/// use tsumero_search::{EvaluationChoice, EvaluationFunction, EvaluationSource};
/// let choice = |source| EvaluationChoice { source, ..EvaluationChoice::default() };
/// let attack_maps = choice(EvaluationSource::AttackMaps).read()?;
/// assert!(matches!(attack_maps, EvaluationFunction::AttackMaps));
/// let error = choice(EvaluationSource::File("no such file.bin".into())).read().unwrap_err();
/// assert!(error.to_string().starts_with("no such file.bin: "));
/// # Ok::<(), tsumero_search::EvaluationFileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EvaluationChoice {
    /// Where it comes from.
    pub source: EvaluationSource,
    /// The divisor of a network's last integer; `None` for the advice of its makers.
    pub fv_scale: Option<NonZeroU16>,
    /// The rule by which a network in a file chooses one of its layer stacks, where the file does not
    /// say it; `None` for what else is known.
    pub stacks: Option<StackRule>,
}

/// Why a file cannot be used for evaluation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {reason}", .file.display())]
pub struct EvaluationFileError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: NetworkError,
}

impl EvaluationChoice {
    /// Reads the chosen evaluation. A relative name means a file in the current folder.
    ///
    /// # Errors
    /// The file that is not a network, and the reason.
    pub fn read(&self) -> Result<EvaluationFunction, EvaluationFileError> {
        let mut evaluation = match &self.source {
            EvaluationSource::AttackMaps => return Ok(EvaluationFunction::AttackMaps),
            EvaluationSource::Internal => NetworkEvaluation::internal(),
            EvaluationSource::File(file) => {
                let network = Network::read_with_rule(file, self.stacks)
                    .map_err(|reason| EvaluationFileError { file: file.clone(), reason })?;
                NetworkEvaluation::new(network)
            }
        };
        if let Some(fv_scale) = self.fv_scale {
            evaluation.fv_scale = fv_scale;
        }
        Ok(EvaluationFunction::Network(evaluation))
    }
}
