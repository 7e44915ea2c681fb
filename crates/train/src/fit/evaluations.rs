//! The linear evaluations that can be fitted, by their names.

use super::attack_maps::AttackMaps;
use super::extractor::Extractor;

/// The names that [`by_name`] knows.
pub(crate) const NAMES: [&str; 1] = ["attack-maps"];

/// An extractor by its name.
pub(crate) fn by_name(name: &str) -> Option<Box<dyn Extractor>> {
    match name {
        "attack-maps" => Some(Box::new(AttackMaps)),
        _ => None,
    }
}
