//! The table of the mate searches at the root (`mate_extension.rs`).

use tsumero_core::{EnteringKingRule, Game};
use tsumero_mate::dfpn::Table;

use crate::settings::Settings;

/// The table of the mate searches at the root, which is kept from one move of a game to the next.
pub(crate) struct MateTable {
    megabytes: usize,
    /// The table, created when it is first needed.
    table: Option<Table>,
}

impl MateTable {
    /// A table for use beside a transposition table of the given size. It takes an eighth of that
    /// size, but no more than the shares of a long search can fill.
    pub(crate) fn beside(megabytes: usize) -> MateTable {
        MateTable { megabytes: (megabytes / 8).clamp(1, 64), table: None }
    }

    /// Forgets all earlier searches.
    pub(crate) fn clear(&mut self) {
        self.table = None;
    }

    /// The table for one search, if the settings want one and df-pn may be trusted in this game. If the
    /// old one is filling up, it is replaced by a new one.
    pub(crate) fn ready(&mut self, settings: &Settings, game: &Game) -> Option<&Table> {
        if !settings.mate_search
            || settings.entering_king_rule == EnteringKingRule::TryRule
            || game.may_end_by_repetition()
        {
            return None;
        }
        if self.table.as_ref().is_none_or(Table::is_filling_up) {
            self.table = None;
            self.table = Table::new(self.megabytes);
        }
        self.table.as_ref()
    }
}
