//! `tsumero analyze`. Each file beside this one has the tests of one subject; here is what they share.

mod branches;
mod comments;
mod notes;
mod outputs;
mod positions;
mod resuming;

use serde_json::Value;

use crate::harness::{Run, run_to_end};

/// A small budget.
const QUICK: [&str; 4] = ["--nodes", "300", "--hash", "1"];

/// A run of `analyze` with a small budget.
fn analyze<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Run {
    run_to_end(["analyze"].into_iter().chain(arguments).chain(QUICK), "")
}

/// The lines of a JSON output.
fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}
