//! What can end a run early, and what the user is told then.

use crate::Failure;

/// Why a run ended early.
pub(super) enum End {
    Stopped,
    Failed(Failure),
}

impl End {
    /// How a run ended that did not fail, and how to go on with the results that it has kept, if it
    /// has kept all of them.
    pub(super) fn advice(&self, has_kept_all: bool) -> Option<String> {
        let ended = match self {
            End::Stopped => Some("stopped"),
            End::Failed(Failure::OutputClosed) => Some("standard output is closed"),
            End::Failed(Failure::Write(..) | Failure::Output(_)) => None,
            End::Failed(Failure::Usage(..) | Failure::Input(..) | Failure::Threads(..)) => {
                return None;
            }
        };
        let goes_on = "the same command with --resume goes on from here";
        let goes_on = has_kept_all.then_some(goes_on);
        let parts: Vec<&str> = ended.into_iter().chain(goes_on).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Failed(failure)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn whatever_ends_a_run_that_keeps_results_they_are_mentioned() {
        let error = || io::Error::from(io::ErrorKind::StorageFull);
        for (end, keeps) in [
            (End::Stopped, true),
            (End::Failed(Failure::OutputClosed), true),
            (End::Failed(Failure::Output(error())), true),
            (End::Failed(Failure::Write(PathBuf::new(), error())), true),
            (End::Failed(Failure::Threads(1, error())), false),
        ] {
            let advice = end.advice(true);
            assert_eq!(advice.is_some_and(|advice| advice.contains("--resume")), keeps);
            // Without what was kept, nobody is told to resume.
            let advice = end.advice(false);
            assert!(advice.is_none_or(|advice| !advice.contains("--resume")));
        }
    }
}
