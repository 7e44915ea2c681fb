//! Tests the rules against everything that can contradict them: a slow oracle written from the rule
//! book, published reference counts, hand-made positions for known mistakes, and another program's
//! move generator.
//!
//! The tests are sized for a release build. Debug builds, in which the crate also recomputes
//! everything incremental after every move, run a fraction of the random positions.

mod agreement;
mod core_side;
mod data;
mod diagrams;
mod games;
mod generator;
mod legality;
mod mate_in_one;
mod misuse;
mod oracle;
mod oracle_itself;
mod perft;
mod properties;
mod slips;
mod third_opinion;
