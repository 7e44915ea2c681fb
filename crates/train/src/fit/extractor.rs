//! What a linear evaluation counts in a position.

use tsumero_core::Position;

use super::attack_maps::AttackMaps;

/// A linear evaluation seen as a list of features.
pub trait Extractor: Sync {
    /// Number of features; all indices are below it.
    fn count(&self) -> usize;

    /// Appends the features of a position with their coefficients, whose weighted sum is a part
    /// of the value for Black. An index may come more than once.
    fn extract(&self, position: &Position, features: &mut Vec<(u32, i16)>);

    /// For each feature the numbers of the factors that it shares with others (below
    /// [`Extractor::factor_count`]): a correction is the sum of the feature's own and those of
    /// its factors. So a feature that hardly occurs takes after its kind.
    fn factors(&self) -> Vec<Vec<u32>> {
        vec![Vec::new(); self.count()]
    }

    /// Number of factors.
    fn factor_count(&self) -> usize {
        0
    }

    /// The weights in use, if they are known: then their weighted sum must be the value of the
    /// present evaluation for Black.
    fn present(&self) -> Option<Vec<i32>> {
        None
    }
}

/// The names that [`by_name`] knows.
pub const NAMES: [&str; 1] = ["attack-maps"];

/// An extractor by its name.
pub fn by_name(name: &str) -> Option<Box<dyn Extractor>> {
    match name {
        "attack-maps" => Some(Box::new(AttackMaps)),
        _ => None,
    }
}
