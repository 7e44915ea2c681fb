//! How long results of the search hold in the table.

use tsumero_core::{Color, GOLDEN_GAMMA, Game, mix};

use crate::settings::Settings;

/// A hash of what decides a game without a mate, and of whether the search looks for mates. A result of
/// the search holds only as long as it stays the same. It is 0 with the default settings while no position
/// has occurred three times.
pub(crate) fn scope(settings: &Settings, game: &Game) -> u64 {
    let default = Settings::default();
    let rules = |settings: &Settings| {
        let Settings { entering_king_rule, max_moves_to_draw, mate_search, .. } = settings;
        let last_move = max_moves_to_draw.map_or(u64::MAX, u64::from);
        // What a draw is worth to Black; one number, which is no score, for the default and its opposite, so
        // that both sides share their results.
        let side = game.side_to_move();
        let draw = match settings.draw_score(side) {
            score if [score, -score].contains(&default.draw_score(side)) => i32::MIN,
            score if side == Color::Black => score.value(),
            score => -score.value(),
        };
        [*entering_king_rule as u64, last_move, draw as u64, u64::from(*mate_search)]
            .into_iter()
            .fold(0, |hash, number| mix(hash ^ number.wrapping_add(GOLDEN_GAMMA)))
    };
    game.third_occurrences().fold(rules(settings) ^ rules(&default), |hash, key| hash ^ mix(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::{ByColor, Position};

    /// Each position that has occurred three times changes what ends the game.
    #[test]
    fn results_hold_until_another_position_has_occurred_three_times() {
        let (settings, mut game, mut scopes) = (Settings::default(), Game::default(), vec![]);
        for text in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(12) {
            scopes.push(scope(&settings, &game));
            game.play_unchecked(game.parse_move(text).unwrap());
        }
        assert_eq!(scopes[..8], [0; 8]);
        assert!(scopes[7..].windows(2).all(|pair| pair[0] != pair[1]), "{scopes:?}");
    }

    /// A node with an entry is not tested for a mate in one, because it was before.
    #[test]
    fn results_of_a_search_without_mates_do_not_hold_with_them() {
        let settings = Settings { mate_search: false, ..Settings::default() };
        assert_ne!(scope(&settings, &Game::default()), 0);
    }

    /// A draw is worth something else to Black if the other side is asked.
    #[test]
    fn results_depend_on_what_a_draw_is_worth_to_black() {
        let of = |draw_value, sfen| {
            let settings = Settings { draw_value: ByColor(draw_value), ..Settings::default() };
            scope(&settings, &Game::from(Position::from_sfen(sfen).expect("a legal position")))
        };
        let [black, white] = ["4k4/9/9/9/9/9/9/9/4K4 b G 1", "4k4/9/9/9/9/9/9/9/4K4 w G 1"];
        assert_eq!([of([-2, -2], black), of([-2, -2], white)], [0, 0]);
        // On the opponent's time, a draw keeps its value.
        assert_eq!(of([2, 0], black), of([0, -2], white));
        assert_ne!(of([-300, -300], black), of([-300, -300], white));
        assert_eq!(of([-300, 300], black), of([-300, 300], white));
        assert_ne!(of([0, 0], black), 0);
        // Beyond the ordinary scores, all values are the same.
        assert_eq!(of([-20_000, 0], black), of([i32::MIN, 0], black));
        // The value for the side that is not asked counts nothing.
        assert_eq!(of([-300, -300], black), of([-300, 9], black));
    }
}
