//! The Tsumero shogi engine in a browser.
//!
//! A page gets the same conversation as a GUI: USI lines in and out ([`Conversation`]), so that options,
//! `go`, `go mate` and quantum shogi are the code of the program. Besides, it may ask for what a board
//! has to know: legal moves, the rule that a move breaks, moves in Japanese, game files, analyses, mate problems
//! ([`shogi`], [`quantum`], [`games`], [`analysis`], [`problems`]). All answers are texts, most of them JSON.
//!
//! `browser` is what JavaScript calls. It exists only in WebAssembly; everything else is tested
//! natively.

#![forbid(unsafe_code)]

pub mod analysis;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod browser;
mod conversation;
pub mod games;
pub mod problems;
pub mod quantum;
pub mod shogi;

pub use conversation::Conversation;
