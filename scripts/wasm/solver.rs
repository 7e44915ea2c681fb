//! A mate solver for a program that embeds WebAssembly without any tools: numbers go in and out. It is
//! built as a library for `wasm32-unknown-unknown`, and `scripts/wasm_check.sh` runs it in Node.
//!
//! The host writes an SFEN letter by letter ([`put`]), asks for the answer ([`solve`]), and reads it
//! letter by letter ([`get`]). The answer is as `tsumero mate` prints it.

use std::cell::RefCell;
use std::time::Duration;

use tsumero_control::Signals;
use tsumero_core::Position;
use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver};

thread_local! {
    static QUESTION: RefCell<String> = const { RefCell::new(String::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Appends a letter to the SFEN.
// SAFETY: no other function of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn put(letter: u8) {
    QUESTION.with_borrow_mut(|question| question.push(char::from(letter)));
}

/// Answers for the SFEN, with a table of so many megabytes and within the limits; 0 stands for none.
/// Returns the length of the answer.
// SAFETY: no other function of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn solve(megabytes: u32, nodes: u32, milliseconds: u32) -> usize {
    #[cfg(target_arch = "wasm32")]
    tsumero_control::set_clock(host::time);
    let limits = MateLimits {
        nodes: (nodes > 0).then_some(nodes.into()),
        time: (milliseconds > 0).then_some(Duration::from_millis(milliseconds.into())),
        ..MateLimits::default()
    };
    let sfen = QUESTION.take();
    let answer = match Position::from_sfen(&sfen) {
        Ok(position) => answer_for(&position, megabytes, &limits),
        Err(reason) => format!("error {reason}"),
    };
    let length = answer.len();
    ANSWER.set(answer.into_bytes());
    length
}

/// A letter of the answer; 0 where there is none.
// SAFETY: no other function of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn get(place: usize) -> u8 {
    ANSWER.with_borrow(|answer| answer.get(place).copied().unwrap_or(0))
}

fn answer_for(position: &Position, megabytes: u32, limits: &MateLimits) -> String {
    let (mut solver, signals) = (MateSolver::new(megabytes as usize), Signals::new());
    match solver.solve(&MateQuestion::new(position, limits, &signals), &mut |_| {}) {
        MateAnswer::Mate(mate) => {
            let moves = mate.line.iter().map(|mv| format!(" {mv}")).collect::<String>();
            format!("mate {}{moves}", mate.plies())
        }
        MateAnswer::NoMate => "nomate".to_owned(),
        MateAnswer::Unknown(reason) => format!("unknown {}", reason.word()),
    }
}

/// What the host gives.
#[cfg(target_arch = "wasm32")]
mod host {
    use std::time::Duration;

    // SAFETY: the function takes nothing and gives a number.
    unsafe extern "C" {
        /// Milliseconds since some moment.
        safe fn milliseconds() -> f64;
    }

    pub(super) fn time() -> Duration {
        Duration::try_from_secs_f64(milliseconds() / 1000.0).unwrap_or(Duration::ZERO)
    }
}
