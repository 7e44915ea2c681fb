//! Cached facts about a placement: check, and the danger around each king.

use std::cell::{Cell, OnceCell};

use crate::color::ByColor;
use crate::king_danger::KingDanger;

/// Cached facts about a placement. A fact is computed when someone first asks.
#[derive(Default)]
pub(crate) struct Notes {
    /// Whether the side to move is in check. The answer also holds after a null move, which
    /// requires that neither side is in check.
    pub(crate) in_check: Cell<Option<bool>>,
    /// The danger around each color's king; `None` inside for a side without a king.
    pub(crate) king_dangers: ByColor<OnceCell<Option<KingDanger>>>,
}
