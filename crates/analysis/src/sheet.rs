//! A page of mate problems, to be printed or to be solved on a screen.

use serde::Serialize;
use tsumero_core::{Game, Move, Position};

use crate::Language;
use crate::page::{BOARD_SCRIPT, FRAME, PageMove, STYLE, fill, page_move, safe_json};

const BODY: &str = include_str!("page/sheet.html");
/// The element of the header that only this page has: the button for printing.
const SWITCH: &str = r#"<button id="print" type="button"></button>"#;
const SHEET_STYLE: &str = include_str!("page/sheet.css");
const SCRIPT: &str = include_str!("page/sheet.js");
/// What the page says it was made by.
pub(crate) const GENERATOR: &str = "tsumero tsume";

/// A mate problem with its solution.
///
/// ```
/// use tsumero_analysis::{Language, SheetProblem, sheet};
/// use tsumero_core::Position;
/// let position: Position = "4k4/9/4P4/9/9/9/9/9/9 b G 1".parse()?;
/// let solution = vec![position.parse_move("G*5b")?];
/// let problem = SheetProblem { number: 1, name: Some("頭金".to_owned()), position, solution };
/// let page = sheet(&[problem], Language::Japanese);
/// assert!(page.contains("頭金") && page.contains("▲５二金"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SheetProblem {
    /// Its number on the page.
    pub number: u64,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The position; the side to move attacks.
    pub position: Position,
    /// The solution: a line of legal moves.
    pub solution: Vec<Move>,
}

#[derive(Serialize)]
struct Sheet<'a> {
    language: &'static str,
    problems: Vec<Problem<'a>>,
}

#[derive(Serialize)]
struct Problem<'a> {
    number: u64,
    name: Option<&'a str>,
    sfen: String,
    moves: Vec<PageMove>,
}

/// One page that loads nothing from the network. For each problem it has a diagram with both hands.
/// A tap shows the next move of the solution. In print, all solutions are listed at the end.
pub fn sheet(problems: &[SheetProblem], language: Language) -> String {
    let problems = problems.iter().map(|problem| {
        let mut game = Game::from(&problem.position);
        let moves = problem.solution.iter().map(|&mv| {
            let shown = page_move(&game, mv, game.last_move());
            game.play_unchecked(mv);
            shown
        });
        Problem {
            number: problem.number,
            name: problem.name.as_deref(),
            sfen: problem.position.to_sfen(),
            moves: moves.collect(),
        }
    });
    let sheet = Sheet { language: language.code(), problems: problems.collect() };
    fill(
        FRAME,
        &[
            ("LANGUAGE", language.code()),
            ("GENERATOR", GENERATOR),
            ("TITLE", "Tsumero"),
            ("STYLE", &[STYLE, SHEET_STYLE].concat()),
            ("SWITCH", SWITCH),
            ("BODY", BODY),
            ("SCRIPT", &[BOARD_SCRIPT, SCRIPT].concat()),
            ("DATA", &safe_json(&sheet)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_stands_in_the_page_with_its_moves_in_both_languages() {
        let sfen = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let mut play = position.clone();
        let words = ["G*2d", "1c1b", "2d2c", "1b1a", "2c2b"];
        let solution = words.map(|word| {
            let mv = play.parse_move(word).unwrap();
            play.play_unchecked(mv);
            mv
        });
        let name = Some("</script>{{STYLE}}".to_owned());
        let problem = SheetProblem { number: 3, name, position, solution: solution.to_vec() };
        let page = sheet(&[problem], Language::Japanese);
        assert_eq!(page.matches("</script>").count(), 2);
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["language"], "ja");
        let problem = &data["problems"][0];
        assert_eq!((&problem["number"], &problem["sfen"]), (&3.into(), &sfen.into()));
        assert_eq!(problem["name"], "</script>{{STYLE}}");
        assert_eq!(problem["moves"][0]["ja"], "▲２四金");
        assert_eq!(problem["moves"][1]["en"], "☖K-12");
        assert_eq!(problem["moves"].as_array().unwrap().len(), 5);
    }
}
