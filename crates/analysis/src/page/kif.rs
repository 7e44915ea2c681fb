//! The game of a report as KIF, for the clipboard.

use tsumero_record::{Cursor, Format, Game};

use crate::GameReport;

/// The moves of the main line with headers and ending; no comments or times.
pub(super) fn kif(report: &GameReport) -> String {
    let Some(first) = report.positions.first() else { return String::new() };
    let mut game = Game::new(first.position.clone());
    for (name, value) in &report.headers {
        game.add_header(name, value);
    }
    let mut cursor = Cursor::new(&game);
    for mv in report.positions.iter().filter_map(|here| here.played) {
        // The moves of a report are legal.
        if cursor.play(&mut game, mv.to_usi()).is_err() {
            break;
        }
    }
    if let Some(ending) = report.ending {
        game.add_ending(cursor.node(), ending);
    }
    tsumero_record::write(&[game], Format::Kif)
}
