//! Tests of the crate from outside: recorded data, a slow twin, and malformed input.

mod data;
mod forced;
mod malformed;
mod rules;
mod twin;
mod twin_games;
