//! The parameters of the search that can be set by name.
//!
//! It tells which parameters there are, and how they are passed to a searcher.

pub(crate) use tsumero_search::ParameterInfo;
use tsumero_search::{Parameters, Settings};

/// All parameters that can be set, in the order of the search's own table.
pub(crate) fn table() -> &'static [ParameterInfo] {
    Parameters::TABLE
}

/// Why a parameter could not be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ParameterError {
    /// The search has no such parameter.
    #[error("there is no option or parameter named {0:?}")]
    Unknown(String),
    /// The value is not allowed.
    #[error("{name} must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// Which parameter.
        name: String,
        /// The value that was given.
        value: i32,
        /// The smallest value allowed.
        min: i32,
        /// The largest value allowed.
        max: i32,
    },
}

/// Values for some of the parameters. The others keep their defaults.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Overrides(Vec<(String, i32)>);

impl Overrides {
    /// Sets one parameter. A later value replaces an earlier one.
    ///
    /// # Errors
    /// [`ParameterError`] if there is no such parameter, or if the value is out of its range.
    pub(crate) fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let unknown = || ParameterError::Unknown(name.to_owned());
        let info = table().iter().find(|info| info.name == name).ok_or_else(unknown)?;
        if !(info.min..=info.max).contains(&value) {
            let (name, min, max) = (info.name.to_owned(), info.min, info.max);
            return Err(ParameterError::OutOfRange { name, value, min, max });
        }
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), value));
        Ok(())
    }

    /// The value of a parameter, if it was set.
    pub(crate) fn get(&self, name: &str) -> Option<i32> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Puts the values into the settings of a search.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        for (name, value) in &self.0 {
            settings.parameters.set(name, *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_and_values_out_of_range_are_refused() {
        let mut overrides = Overrides::default();
        assert!(matches!(overrides.set("no such thing", 1), Err(ParameterError::Unknown(_))));
        for info in table() {
            assert!(info.min <= info.default && info.default <= info.max, "{}", info.name);
            assert!(overrides.set(info.name, info.max).is_ok());
            let refused = overrides.set(info.name, info.max + 1);
            assert!(matches!(refused, Err(ParameterError::OutOfRange { .. })), "{}", info.name);
        }
        assert_eq!(overrides.0.len(), table().len());
    }
}
