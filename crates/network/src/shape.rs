//! The shape of a network of any family.

use std::fmt;

use crate::architecture::Architecture;
use crate::kind::Kind;
use crate::stacks::StackArchitecture;

/// The shape of a network of any family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Three layers behind the transformer.
    Dense(Architecture),
    /// Layer stacks behind products of the transformer's values.
    Stacks(StackArchitecture),
}

impl Shape {
    /// The kind of the inputs.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Shape::Dense(architecture) => architecture.kind(),
            Shape::Stacks(architecture) => architecture.kind(),
        }
    }
}

/// The usual short form, such as `HalfKP 256x2-32-32` or `SFNN HalfKA_hm2 1536-15-32`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Dense(architecture) => architecture.fmt(f),
            Shape::Stacks(architecture) => architecture.fmt(f),
        }
    }
}
