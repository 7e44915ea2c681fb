//! What has been found out about a placement.

use std::cell::{Cell, OnceCell};

use crate::color::ByColor;
use crate::king_danger::KingDanger;

/// What has been found out about a placement; empty where nobody asked.
#[derive(Default)]
pub(crate) struct Notes {
    /// Whether the side to move is in check. There is no other answer after a null move, which
    /// leaves neither side in check.
    pub(crate) in_check: Cell<Option<bool>>,
    /// How each color's king is besieged, if it has one.
    pub(crate) king_dangers: ByColor<OnceCell<Option<KingDanger>>>,
}
