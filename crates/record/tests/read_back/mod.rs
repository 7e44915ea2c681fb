//! Whether a game is what it was after it has been written and read.

use tsumero_record::{Format, Game, read, write};

/// What a game is compared by: its start, its moves, and the number of its branches.
pub(crate) fn summary(game: &Game) -> (String, Vec<String>, usize) {
    let moves = game.moves().map(|mv| mv.to_string()).collect();
    (game.start_sfen(), moves, game.branches())
}

/// Checks that a game comes back from every format, without its branches where the format has none.
pub(crate) fn is_read_back(game: &Game) {
    for format in Format::ALL {
        let text = write(std::slice::from_ref(game), format);
        let back = read(text.as_bytes()).into_games();
        let back = back.unwrap_or_else(|bad| panic!("{format}: {bad}\n{text}"));
        let [back] = back.as_slice() else { panic!("{format}: {} games\n{text}", back.len()) };
        let mut expected = summary(game);
        if matches!(format, Format::Csa | Format::Usi) {
            expected.2 = 0;
        }
        assert_eq!(summary(back), expected, "{format}: {text}");
    }
}
