//! Rules that end a game without mate.

mod impasse;
mod repetition;

pub use impasse::EnteringKingRule;
pub use repetition::Repetition;
