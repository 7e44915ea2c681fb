//! A page of mate problems, to be printed or to be solved on a screen.

use serde::Serialize;
use tsumero_core::{Game, Move, Position};
use tsumero_mate::tsume::{Tree, TreeLimits};
use tsumero_web::Kind;

use crate::Language;
use crate::page::{PageMove, page_move};
use tsumero_search::STACK_SIZE;

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
    tree: Vec<Node>,
}

/// A reply with the length of the mate after it, and the place of the next node.
type Reply = (String, u32, Option<usize>);

/// A position with the attacker to move, as the page reads it. See [`Tree`].
#[derive(Serialize)]
struct Node {
    /// Checks that mate, their lengths, and the replies.
    m: Vec<(String, u32, Vec<Reply>)>,
    /// Checks that do not mate, with a reply.
    x: Vec<(String, String)>,
    /// Checks that nobody has decided.
    u: Vec<String>,
}

fn nodes(tree: &Tree) -> Vec<Node> {
    let node = |node: &tsumero_mate::tsume::TreeNode| Node {
        m: node
            .mates
            .iter()
            .map(|mate| {
                let replies =
                    mate.replies.iter().map(|one| (one.mv.to_string(), one.plies, one.node));
                (mate.mv.to_string(), mate.plies, replies.collect())
            })
            .collect(),
        x: node.fails.iter().map(|(mv, reply)| (mv.to_string(), reply.to_string())).collect(),
        u: node.unknown.iter().map(ToString::to_string).collect(),
    };
    tree.nodes.iter().map(node).collect()
}

/// The trees of all problems. A search goes deep, so it gets a stack of its own.
fn trees(problems: &[SheetProblem]) -> Vec<Vec<Node>> {
    let limits = TreeLimits::default();
    let nodes_of =
        |problem: &SheetProblem| nodes(&Tree::of(&problem.position, &problem.solution, &limits));
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        let work = builder.spawn_scoped(scope, || problems.iter().map(nodes_of).collect());
        // Without them the page still shows the solutions.
        work.ok().and_then(|work| work.join().ok()).unwrap_or_default()
    })
}

/// One page that loads nothing from the network. The problems are solved on its boards: the defender
/// answers as well as possible, every proven solution counts, and a wrong move is named. The solver
/// computes for that what it can within [`TreeLimits::default`] for each problem. In print there is a
/// diagram of each problem, and all solutions at the end.
pub fn sheet(problems: &[SheetProblem], language: Language) -> String {
    let mut trees = trees(problems).into_iter();
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
            tree: trees.next().unwrap_or_default(),
        }
    });
    let sheet = Sheet { language: language.code(), problems: problems.collect() };
    tsumero_web::page(Kind::Problems, language.code(), GENERATOR, "Tsumero", &sheet)
}

/// The number of the first problem of a page.
///
/// ```
/// use tsumero_analysis::{Language, SheetProblem, first_number, sheet};
/// use tsumero_core::Position;
/// let position: Position = "4k4/9/4P4/9/9/9/9/9/9 b G 1".parse()?;
/// let solution = vec![position.parse_move("G*5b")?];
/// let problem = SheetProblem { number: 12, name: None, position, solution };
/// let page = sheet(&[problem], Language::Japanese);
/// assert_eq!(first_number(page.as_bytes()), Some(12));
/// assert_eq!(first_number(sheet(&[], Language::Japanese).as_bytes()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_number(page: &[u8]) -> Option<u64> {
    // As a sheet is written: names are texts, in which the quotation marks would be escaped.
    const BEFORE: &[u8] = b"\"problems\":[{\"number\":";
    let place = page.windows(BEFORE.len()).position(|text| text == BEFORE)?;
    let digits = page[place + BEFORE.len()..].split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
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
        // The first move mates in five plies, and each reply leads to a position of the tree.
        let first = &problem["tree"][0]["m"][0];
        assert_eq!(
            (&first[0], &first[1], &first[2][0][0]),
            (&"G*2d".into(), &5.into(), &"1c1b".into())
        );
        assert!(first[2][0][2].is_u64());
    }
}
