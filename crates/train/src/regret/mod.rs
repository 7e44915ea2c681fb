//! What players lose by the moves they choose, as a longer search judges them.
//!
//! Two configurations search the same positions. Where they choose different moves, a judge, which
//! is a much longer search, gives the expected result after either move. The mean difference is a
//! loss for each move. It needs far fewer nodes than games for the same accuracy, because the
//! positions where both choose alike cost nothing more, and because the judge's value of a move is
//! far less random than the result of a game.
//!
//! A judge is a search of this engine. So it says how well a short search foresees a long one, and
//! not how well it plays against others. Only games decide.

mod comparison;
mod judge;
mod stretch;

pub(crate) use comparison::Comparison;
pub(crate) use judge::{Judge, JudgeError};
pub(crate) use stretch::{Stretch, draw_stretches};

use tsumero_core::{Game, Move};
use tsumero_search::BestMove;

use crate::player::Player;

/// What a player chooses in every position of a stretch. Its tables are cleared before the first
/// one only, as in a game. `None` stands for a declaration of a win.
pub(crate) fn choices(player: &mut Player, stretch: &Stretch) -> Vec<Option<Move>> {
    player.new_game();
    let choose = |position: &Game| match player.choose(position).answer {
        BestMove::Move { best, .. } => Some(best),
        BestMove::Resign | BestMove::DeclareWin => None,
    };
    stretch.positions.iter().map(choose).collect()
}
