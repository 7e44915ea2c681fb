//! Proof and disproof numbers.

/// A proof or disproof number.
pub(crate) type Number = u32;

/// Infinite: proven impossible. Sums saturate here.
pub(crate) const INFINITE: Number = 1 << 30;

/// Proof and disproof number: how far a position is from a proof of a mate, and from a proof that
/// there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    /// The effort still needed to prove a mate.
    pub(crate) proof: Number,
    /// The effort still needed to prove that there is none.
    pub(crate) disproof: Number,
}

impl Numbers {
    /// The numbers of a position that nobody has looked at.
    pub(crate) const UNSEEN: Numbers = Numbers { proof: 1, disproof: 1 };
    /// No limit.
    pub(crate) const INFINITE: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// The larger of both proof numbers, and of both disproof numbers.
    pub(crate) fn at_least(self, other: Numbers) -> Numbers {
        Numbers { proof: self.proof.max(other.proof), disproof: self.disproof.max(other.disproof) }
    }

    /// Whether one of the numbers has reached its threshold.
    pub(crate) fn reach(self, thresholds: Numbers) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }
}
