//! Evaluation networks of the kind that most shogi engines use (NNUE): HalfKP and K-P.
//!
//! [`Network`] is read from a file in the format that engines share, often called `nn.bin`.
//! [`Accumulators`] evaluate along a line of play and compute only what each move changes.
//! [`Parameters`] are for trainers: plain arrays that can be written to a file and read from one.
//!
//! All arithmetic is exact: every build gives the same integers on every machine. The crate knows
//! no search, no clock and no output.
//!
//! ```text
//!  features      which inputs a position switches on, and which a move changes
//!  transformer   the sum of the rows of these inputs, once for each color's view
//!  layers        three layers of bytes behind both sums
//!  lanes         the vector instructions: AVX-512, AVX2, SSE2, plain
//!  architecture  inputs and widths, and how a file tells them
//!  family        other families of networks, none of which is taken for one of ours
//!  input         the parts of a file, in their order
//!  parameters    plain arrays, read from a file and written to one
//! ```

mod accumulators;
mod architecture;
mod error;
mod family;
mod features;
mod input;
mod lanes;
mod layers;
mod memory;
mod network;
mod parameters;
/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
mod transformer;

pub use accumulators::Accumulators;
pub use architecture::{Architecture, Kind};
pub use error::NetworkError;
pub use network::{DEFAULT_FV_SCALE, Network, value_of_raw};
pub use parameters::{LayerParameters, Parameters};

/// The vector instructions that this build uses, such as `AVX2`.
pub const INSTRUCTIONS: &str = lanes::CHOSEN_NAME;
