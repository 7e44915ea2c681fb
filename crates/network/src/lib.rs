//! Evaluation networks of the kind that most shogi engines use (NNUE): HalfKP, K-P, ZoneKA1,
//! HalfKA and layer stacks (SFNN).
//!
//! [`Network`] is read from a file in the format that engines share, often called `nn.bin`.
//! [`Accumulators`] evaluate along a line of play and compute only what each move changes.
//! [`Parameters`] are for trainers: plain arrays that can be written to a file and read from one.
//!
//! All arithmetic is exact: every build gives the same integers on every machine. The crate knows
//! no search, no clock and no output.
//!
//! ```text
//!  for all families
//!    kind          the kinds of inputs, and their numbers in files
//!    features      which inputs a position switches on, and which a move changes
//!    placed        the pieces whose rows a sum holds, compared with those of another position
//!    transformer   the sum of the rows of these inputs, once for each color's view
//!    accumulators  these sums along a line of play
//!    affine        the shape and the numbers of a layer
//!    layers        layers of bytes behind the sums
//!    lanes         the vector instructions: AVX-512, AVX2, SSE2, NEON, SIMD128, plain
//!    family        which family a file belongs to, so that none is taken for another
//!    input         the parts of a file, in their order
//!    shape         the shape of a network of any family
//!    makers        what the makers of a network say of it
//!  dense networks
//!    architecture  their shape, and how a file tells it
//!    dense         three layers behind the sums
//!    parameters    plain arrays, read from a file and written to one
//!    shared_rows   rows of ZoneKA1 in files: what all zones share, and differences
//!  layer stacks
//!    stacks/shape  their shape, and how a file tells it
//!    stacks        products of the sums, and layers of which a position chooses a set
//!    stacks/rule   how it chooses, and why this rule is taken
//!    leb128        their compressed numbers
//! ```

#![deny(unsafe_code)]

mod accumulators;
mod affine;
mod architecture;
mod dense;
mod error;
mod family;
mod features;
mod input;
mod kind;
mod lanes;
mod layers;
mod leb128;
mod makers;
mod network;
mod parameters;
mod placed;
mod shape;
mod shared_rows;
mod stacks;
mod text;
/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
mod transformer;

pub use accumulators::Accumulators;
pub use affine::{LayerParameters, LayerShape};
pub use architecture::Architecture;
pub use error::NetworkError;
pub use features::{KP_MIRRORED, KP_TURNED};
pub use kind::Kind;
pub use network::{DEFAULT_FV_SCALE, Network, value_of_raw};
pub use parameters::Parameters;
pub use shape::Shape;
pub use stacks::{RuleError, RuleReason, StackArchitecture, StackChoice, StackRule};

/// The vector instructions that this build uses, such as `AVX2`.
pub const INSTRUCTIONS: &str = lanes::CHOSEN_NAME;
