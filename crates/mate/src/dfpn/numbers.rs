//! Proof and disproof numbers.

/// A proof or disproof number.
pub(crate) type Number = u32;

/// Proven impossible. Sums stop here.
pub(crate) const INFINITE: Number = 1 << 30;

/// How far a position is from being proven a mate and from being proven none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    /// Effort still needed to prove the mate.
    pub(crate) proof: Number,
    /// Effort still needed to prove that there is none.
    pub(crate) disproof: Number,
}

impl Numbers {
    /// A position that nobody has looked at.
    pub(crate) const UNSEEN: Numbers = Numbers { proof: 1, disproof: 1 };
    /// No limit.
    pub(crate) const INFINITE: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// Whether one of the numbers has reached its threshold.
    pub(crate) fn reach(self, thresholds: Numbers) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }
}
