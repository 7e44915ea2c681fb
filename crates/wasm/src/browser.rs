//! What JavaScript calls.
//!
//! Whoever loads the module first sets `globalThis.tsumeroHost`: `say(line)` takes a line of the engine,
//! `now()` tells the time in milliseconds, and `stops()` how many searches were told to stop so far. For
//! `go infinite`, `pause()` lets some milliseconds pass. The page itself, which only asks about rules,
//! needs none of it.

use std::cell::Cell;
use std::time::Duration;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Conversation, analysis, games, problems, quantum, shogi};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = tsumeroHost)]
    fn say(line: &str);
    #[wasm_bindgen(js_namespace = tsumeroHost)]
    fn now() -> f64;
    #[wasm_bindgen(js_namespace = tsumeroHost)]
    fn stops() -> u32;
    #[wasm_bindgen(js_namespace = tsumeroHost)]
    fn pause();

    /// The browser's own decoder of text. The tables of another one would be a tenth of the module.
    type TextDecoder;
    #[wasm_bindgen(constructor)]
    fn new(encoding: &str) -> TextDecoder;
    #[wasm_bindgen(method)]
    fn decode(this: &TextDecoder, bytes: &[u8]) -> String;
}

thread_local! {
    static CONVERSATION: Conversation = Conversation::new(say);
    /// The number of stops when the line that is being handled was sent. Only later ones stop it.
    static STOPS: Cell<u32> = const { Cell::new(0) };
    /// When the host was asked last, in milliseconds.
    static LOOKED: Cell<f64> = const { Cell::new(0.0) };
}

/// How often a search asks whether it has to stop, in milliseconds.
const LOOK_EVERY: f64 = 10.0;

/// The clock of all searches. It is also where a search hears a stop, and where its reports leave.
fn clock() -> Duration {
    let time = now();
    if time - LOOKED.get() >= LOOK_EVERY {
        LOOKED.set(time);
        CONVERSATION.with(|conversation| conversation.between(stops() > STOPS.get()));
    }
    Duration::from_secs_f64((time / 1e3).max(0.0))
}

/// Prepares the engine. Call it once, before the first line.
#[wasm_bindgen]
pub fn begin() {
    std::panic::set_hook(Box::new(|panic| say(&format!("info string Error! {panic}"))));
    // It is made before there is a clock: one that it reads meanwhile would make another conversation.
    CONVERSATION.with(|_| ());
    tsumero_control::set_clock(clock);
    tsumero_control::set_pause(pause);
}

/// Handles a line of the GUI, and everything that it asks for. `stops` is the number of stops when it
/// was sent.
#[wasm_bindgen]
pub fn hear(line: &str, stops: u32) {
    STOPS.set(stops);
    CONVERSATION.with(|conversation| conversation.hear(line));
}

/// See [`shogi::look`].
#[wasm_bindgen(js_name = shogiLook)]
pub fn shogi_look(text: &str) -> Result<String, String> {
    shogi::look(text)
}

/// See [`shogi::judge`].
#[wasm_bindgen(js_name = shogiJudge)]
pub fn shogi_judge(text: &str, mv: &str) -> Result<String, String> {
    shogi::judge(text, mv)
}

/// See [`shogi::japanese`].
#[wasm_bindgen]
pub fn japanese(text: &str, moves: &str) -> Result<String, String> {
    shogi::japanese(text, moves)
}

/// See [`shogi::handicaps`].
#[wasm_bindgen]
pub fn handicaps() -> String {
    shogi::handicaps()
}

/// See [`quantum::look`].
#[wasm_bindgen(js_name = quantumLook)]
pub fn quantum_look(text: &str) -> Result<String, String> {
    quantum::look(text)
}

/// See [`quantum::judge`].
#[wasm_bindgen(js_name = quantumJudge)]
pub fn quantum_judge(text: &str, mv: &str) -> Result<String, String> {
    quantum::judge(text, mv)
}

/// See [`quantum::answer`].
#[wasm_bindgen(js_name = quantumAnswer)]
pub fn quantum_answer(text: &str, plies: u32) -> Result<String, String> {
    quantum::answer(text, plies)
}

/// See [`quantum::best`].
#[wasm_bindgen(js_name = quantumBest)]
pub fn quantum_best(text: &str, plies: u32) -> Result<String, String> {
    quantum::best(text, plies)
}

/// See [`games::read`].
#[wasm_bindgen(js_name = readGames)]
pub fn read_games(bytes: &[u8]) -> String {
    let decoder = TextDecoder::new("shift_jis");
    games::read(bytes, |line| decoder.decode(line))
}

/// See [`games::write`].
#[wasm_bindgen(js_name = writeGame)]
pub fn write_game(text: &str, headers: &str, ending: &str, format: &str) -> Result<String, String> {
    games::write(text, headers, ending, format)
}

/// See [`games::write_tree`].
#[wasm_bindgen(js_name = writeTree)]
pub fn write_tree(told: &str, format: &str) -> Result<String, String> {
    games::write_tree(told, format)
}

/// See [`analysis::analyze`]. The host's `say` takes the progress.
#[wasm_bindgen(js_name = analyzeGame)]
pub fn analyze_game(text: &str, headers: &str, ending: &str, nodes: u32) -> Result<String, String> {
    analysis::analyze(text, headers, ending, nodes.into(), say)
}

/// See [`problems::answer`].
#[wasm_bindgen(js_name = problemAnswer)]
pub fn problem_answer(text: &str) -> Result<String, String> {
    problems::answer(text)
}

/// See [`problems::mate`].
#[wasm_bindgen(js_name = problemMate)]
pub fn problem_mate(text: &str) -> Result<String, String> {
    problems::mate(text)
}

/// See [`problems::make`].
#[wasm_bindgen(js_name = problemMake)]
pub fn problem_make(plies: u32, seed: u32, number: u32, style: &str) -> Result<String, String> {
    problems::make(plies, seed, number, style)
}

/// See [`problems::check`].
#[wasm_bindgen(js_name = problemCheck)]
pub fn problem_check(text: &str) -> Result<String, String> {
    problems::check(text)
}
