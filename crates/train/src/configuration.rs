//! The configuration of one side of a match.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tsumero_core::ByColor;
use tsumero_search::{
    EvaluationChoice, EvaluationFileError, EvaluationFunction, EvaluationSource, Level, Settings,
};

use crate::parameters::{Overrides, ParameterError};

/// The word for the engine's own network.
const INTERNAL: &str = "internal";

/// When a side stops thinking about a move. The first limit reached ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct MoveLimits {
    /// Nodes for a move; the search ends at once.
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration begins.
    pub soft_nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Time for a move.
    pub time: Option<Duration>,
}

impl MoveLimits {
    /// Whether there is no limit: the search would never end.
    pub(crate) fn is_unlimited(&self) -> bool {
        *self == MoveLimits::default()
    }

    /// Whether the same position is searched the same way every time.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.time.is_none()
    }

    /// These limits, or those of `others` if there is none here.
    pub(crate) fn or(self, others: MoveLimits) -> MoveLimits {
        if self.is_unlimited() { others } else { self }
    }
}

impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.soft_nodes.map(|nodes| format!("{nodes} soft nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.time.map(|time| format!("{} ms", time.as_millis())));
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// Who chooses the moves of a side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Mind {
    /// The search.
    #[default]
    Search,
    /// A player who looks no move ahead: the lowest level has to lose against it. It takes the most
    /// valuable piece that it can take, and plays any legal move if there is none. The limits and the
    /// settings of the search are not for it, except `seed`.
    Greedy,
}

/// The configuration of one side: its own limits, settings, and parameters of the search.
///
/// It is read from `name=value` pairs, separated by commas. The names are
///
/// * `nodes`, `soft_nodes`, `depth`, `time` (milliseconds): limits that replace the match's;
/// * `eval`: a network file, `internal` for the engine's own network, which is the default, or `none`
///   for the evaluation by attack maps;
/// * `hash` (megabytes), `threads`, `mate_search`, `draw_value`: settings of the search;
/// * `level` (1 to 20) and `seed`: a level of strength, and the seed of its chance, 0 if not given;
///   below 20, `soft_nodes` ends nothing, because a level tells of its iterations only at the end;
/// * `player`: `search`, which is the default, or `greedy` for a [`Greedy`](Mind::Greedy) one;
/// * every name of [`crate::parameters::table`].
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    /// Who plays.
    pub mind: Mind,
    /// Limits of this side alone. Without any, the limits of the match apply.
    pub limits: MoveLimits,
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// Settings of the search.
    pub settings: Settings,
    /// The evaluation of the search.
    pub evaluation_function: EvaluationFunction,
    /// Parameters of the search that differ from their defaults.
    pub overrides: Overrides,
    /// The text from which it was read.
    text: String,
}

/// Why a configuration cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ConfigurationError {
    /// A part has no `=`.
    #[error("{0:?} is not of the form name=value")]
    NotAPair(String),
    /// The value is not valid for the name.
    #[error("{name}: {value:?} is not a valid value")]
    BadValue {
        /// The name.
        name: String,
        /// The value as it was written.
        value: String,
    },
    /// The network file cannot be used.
    #[error(transparent)]
    Network(#[from] EvaluationFileError),
    /// A parameter of the search.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration {
            mind: Mind::Search,
            limits: MoveLimits::default(),
            hash_mb: 16,
            // Matches with limits in nodes can be repeated.
            settings: Settings { level_seed: Some(0), ..Settings::default() },
            evaluation_function: EvaluationFunction::default(),
            overrides: Overrides::default(),
            text: String::new(),
        }
    }
}

impl Configuration {
    /// Sets one value by its name, as in the text form.
    ///
    /// # Errors
    /// [`ConfigurationError`]: the name is unknown, or the value is not valid for it.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigurationError> {
        let bad = || ConfigurationError::BadValue { name: name.into(), value: value.into() };
        fn read<T: FromStr>(value: &str) -> Option<T> {
            value.parse().ok()
        }
        let positive = || read::<u64>(value).filter(|&number| number > 0).ok_or_else(bad);
        match name {
            "nodes" => self.limits.nodes = Some(positive()?),
            "soft_nodes" => self.limits.soft_nodes = Some(positive()?),
            "depth" => self.limits.depth = Some(positive()?.min(u64::from(u32::MAX)) as u32),
            "time" => self.limits.time = Some(Duration::from_millis(positive()?)),
            "hash" => self.hash_mb = read(value).filter(|&size| size > 0).ok_or_else(bad)?,
            "threads" => {
                self.settings.threads = read(value).filter(|&count| count > 0).ok_or_else(bad)?;
            }
            "eval" => {
                let source = EvaluationSource::named(value, INTERNAL);
                self.evaluation_function =
                    EvaluationChoice { source, ..EvaluationChoice::default() }.read()?;
            }
            "mate_search" => self.settings.mate_search = read(value).ok_or_else(bad)?,
            "level" => {
                self.settings.level = read(value).and_then(Level::new).ok_or_else(bad)?;
            }
            "seed" => self.settings.level_seed = Some(read(value).ok_or_else(bad)?),
            "player" => {
                self.mind = match value {
                    "search" => Mind::Search,
                    "greedy" => Mind::Greedy,
                    _ => return Err(bad()),
                }
            }
            "draw_value" => {
                self.settings.draw_value = ByColor([read(value).ok_or_else(bad)?; 2]);
            }
            _ => self.overrides.set(name, read(value).ok_or_else(bad)?)?,
        }
        Ok(())
    }
}

impl FromStr for Configuration {
    type Err = ConfigurationError;

    fn from_str(text: &str) -> Result<Configuration, ConfigurationError> {
        let mut configuration = Configuration { text: text.to_owned(), ..Configuration::default() };
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let parts = pair.split_once('=');
            let (name, value) =
                parts.ok_or_else(|| ConfigurationError::NotAPair(pair.to_owned()))?;
            configuration.set(name.trim(), value.trim())?;
        }
        Ok(configuration)
    }
}

/// The text from which it was read, or `default`.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.text.is_empty() { "default" } else { &self.text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_and_everything_else_is_refused() {
        let text = "nodes=7500, hash=32,mate_search=false,draw_value=-10";
        let read: Configuration = text.parse().unwrap();
        assert_eq!(read.limits, MoveLimits { nodes: Some(7500), ..MoveLimits::default() });
        assert_eq!(read.hash_mb, 32);
        assert!(!read.settings.mate_search);
        assert_eq!(read.settings.draw_value.0, [-10, -10]);
        assert_eq!(read.to_string(), text);
        assert_eq!("".parse::<Configuration>().unwrap().to_string(), "default");
        let level: Configuration = "level=3,seed=7,player=greedy".parse().unwrap();
        assert_eq!(
            (level.settings.level, level.settings.level_seed),
            (Level::new(3).unwrap(), Some(7))
        );
        assert_eq!((level.mind, read.mind), (Mind::Greedy, Mind::Search));
        for bad in [
            "level=0", "level=21", "seed=-1", "player=", "nodes", "nodes=x", "nodes=0", "hash=0",
            "hash=-1", "foo=1", "=3", "time=1.5",
        ] {
            assert!(bad.parse::<Configuration>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_evaluation_is_named_by_a_word_or_by_a_file() {
        let read = |text: &str| text.parse::<Configuration>();
        let kind = |text| {
            matches!(read(text).unwrap().evaluation_function, EvaluationFunction::Network(_))
        };
        assert!(kind("") && kind("eval=internal") && !kind("eval=none"));
        // Other words are files, that of the engine's options among them.
        for file in ["<internal>", "None", "no such file.bin"] {
            let error = read(&format!("nodes=5,eval={file}")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{file}: ")), "{error}");
        }
    }

    #[test]
    fn limits_of_a_side_replace_those_of_the_match() {
        let ours = MoveLimits { depth: Some(4), ..MoveLimits::default() };
        let match_wide = MoveLimits { nodes: Some(100), ..MoveLimits::default() };
        assert_eq!(ours.or(match_wide), ours);
        assert_eq!(MoveLimits::default().or(match_wide), match_wide);
        assert_eq!(match_wide.to_string(), "100 nodes");
    }
}
