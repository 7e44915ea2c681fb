//! What can end a run early, and what the user is told then.

use crate::Failure;

/// Why a run ended early.
pub(super) enum End {
    Stopped,
    Failed(Failure),
}

impl End {
    /// How to go on with the results that a run has kept, if it has.
    pub(super) fn advice(&self) -> Option<String> {
        const GOES_ON: &str = "the same command with --resume goes on from here";
        match self {
            End::Stopped => Some(format!("stopped; {GOES_ON}")),
            End::Failed(Failure::OutputClosed) => {
                Some(format!("standard output is closed; {GOES_ON}"))
            }
            End::Failed(Failure::Write(..) | Failure::Output(_)) => Some(GOES_ON.to_owned()),
            End::Failed(Failure::Usage(..) | Failure::Input(..) | Failure::Threads(..)) => None,
        }
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
            assert_eq!(end.advice().is_some_and(|advice| advice.contains("--resume")), keeps);
        }
    }
}
