//! The features of a linear evaluation.

use tsumero_core::Position;

/// A linear evaluation as a list of features.
pub(crate) trait Extractor: Sync {
    /// Number of features; all indices are below it.
    fn count(&self) -> usize;

    /// Appends the features of a position with their coefficients. The weighted sum is a part of
    /// the value for Black. An index may occur more than once.
    fn extract(&self, position: &Position, features: &mut Vec<(u32, i16)>);

    /// For each feature, the indices of the factors that it shares with others (below
    /// [`Extractor::factor_count`]). The correction of a feature is the sum of its own correction
    /// and those of its factors. So a rare feature gets a correction similar to that of related
    /// features.
    fn factors(&self) -> Vec<Vec<u32>> {
        vec![Vec::new(); self.count()]
    }

    /// Number of factors.
    fn factor_count(&self) -> usize {
        0
    }

    /// The weights in use, if they are known. Then the weighted sum must be the value of the
    /// current evaluation for Black.
    fn present(&self) -> Option<Vec<i32>> {
        None
    }
}
