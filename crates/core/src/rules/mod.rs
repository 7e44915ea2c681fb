//! Rules that end a game without mate: repetition (千日手), perpetual check (連続王手の千日手), and impasse
//! (持将棋).

mod impasse;
mod repetition;

pub use impasse::{EnteringKingRule, ParseEnteringKingRuleError};
pub use repetition::Repetition;
