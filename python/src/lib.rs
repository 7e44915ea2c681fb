//! Tsumero for Python: rules, game records, mate solver, evaluation, search and analysis.
//!
//! This crate translates and knows no shogi of its own. What breaks a rule becomes a `ValueError` that
//! names it. The lock of Python is released wherever work takes longer than a call: in `perft`, `evaluate`, `solve_mate`,
//! `search`, `Engine`, `analyze` and the reading of files, those of a `Network` too.
//!
//! | file | what it holds |
//! |---|---|
//! | `moves.rs` | `Move`, and the list of legal moves |
//! | `board.rs` | `Board` |
//! | `perft.rs` | `perft` |
//! | `mates.rs` | `solve_mate` |
//! | `engine.rs` | `search`, `Engine` |
//! | `analysis.rs` | `analyze` |
//! | `network.rs` | `Network`, `evaluate` |
//! | `arguments.rs` | arguments that several functions take |
//! | `background.rs` | long work in a thread of its own |
//! | `callback.rs` | calls of Python functions while the interpreter may end |
//! | `records.rs` | `read_games`, `parse_games` |
//! | `error.rs` | the error for what breaks a rule |

mod analysis;
mod arguments;
mod background;
mod board;
mod callback;
mod engine;
mod error;
mod mates;
mod moves;
mod network;
mod perft;
mod records;

use pyo3::prelude::*;

/// Shogi: rules, game records, mate solver, evaluation, search and analysis.
#[pymodule]
mod tsumero {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::{Analysis, analyze};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::engine::{Engine, Line, search};
    #[pymodule_export]
    use crate::mates::{MateResult, solve_mate};
    #[pymodule_export]
    use crate::moves::{LegalMoves, Move};
    #[pymodule_export]
    use crate::network::{Network, evaluate};
    #[pymodule_export]
    use crate::perft::perft;
    #[pymodule_export]
    use crate::records::{GameRecord, parse_games, read_games};

    #[pymodule_export]
    const BLACK: usize = 0;
    #[pymodule_export]
    const WHITE: usize = 1;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("STARTING_SFEN", tsumero_core::Position::startpos().to_sfen())?;
        // `match` and others ask whether it is a sequence.
        let sequence = module.py().import("collections.abc")?.getattr("Sequence")?;
        sequence.call_method1("register", (module.getattr("LegalMoves")?,))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
