//! The report of a game: its lines, the results for their positions, and the judgments of its moves.

use std::time::Duration;

use tsumero_core::{Color, Move, Position, Square, UsiMove};
use tsumero_record::{Ending, Game, Node, NodeId, NodeKind};

use crate::comments::without_ours;
use crate::judgment::{Judgment, Noise, PlayerSummary, is_believed_lost, judge, turns};
use crate::shapes::{Opening, Styles, castle};
use crate::study::GameLine;
use crate::{
    Finding, FoundLine, Language, Note, Phase, Place, SecondLook, ShapeName, Study, Value,
};

/// A position of a line with its result.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Study, Value};
/// use tsumero_record::read;
/// let game = read("手合割：平手\n1 ７六歩(77) (0:09/)\n*角道\n".as_bytes()).into_games()?.remove(0);
/// let pv = vec!["3c3d".parse()?, "2g2f".parse()?];
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv };
/// let findings = vec![Finding::of_search(vec![line], 900); 2];
/// let report = GameReport::new("game.kif", 1, &Study::of_findings(&game, findings), true);
/// let [start, here] = &report.positions[..] else { panic!("there are two positions") };
/// assert_eq!(start.time.unwrap().as_secs(), 9);
/// assert_eq!((here.ply, here.played, here.value()), (1, None, Value::Cp(30)));
/// assert!(here.position.to_sfen().ends_with(" w - 2"));
/// assert_eq!(here.comments, ["角道"]);
/// // Each move of the line with the position in which it is played.
/// let line = here.line_of(&here.best().pv);
/// assert_eq!((line.len(), line[1].1.to_string()), (2, "2g2f".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionReport {
    /// Number of moves played before it.
    pub ply: usize,
    /// The position.
    pub position: Position,
    /// The move that led to it; `None` at the start.
    pub last_move: Option<Move>,
    /// The move played in it; `None` in the last position.
    pub played: Option<Move>,
    /// The result of the search.
    pub finding: Finding,
    /// The second look at the move played, if there was one.
    pub second: Option<SecondLook>,
    /// The judgment of the move played; `None` without one.
    pub judgment: Option<Judgment>,
    /// A proven mate that was missed: by the move played, or by a player who resigned here.
    pub missed_mate: Option<Vec<UsiMove>>,
    /// The comments in the file on the move that led here, and on endings here. Those of an
    /// earlier analysis by this program are left out.
    pub comments: Vec<String>,
    /// The time that the move played took, or the ending.
    pub time: Option<Duration>,
    /// The phase of the game.
    pub phase: Phase,
    /// The castles of Black and White.
    pub castles: [Option<ShapeName>; 2],
}

impl PositionReport {
    /// The report on a position with its node and the next one of its line, which is a move or an
    /// ending.
    fn new(
        study: &Study<'_>,
        place: Place,
        history: &tsumero_core::Game,
        node: &Node,
        next: Option<&Node>,
        judgment: Option<Judgment>,
        phase: Phase,
    ) -> PositionReport {
        let (finding, second) = (finding_at(study, place), study.second(place));
        let resigns = next.is_some_and(|next| next.kind() == NodeKind::Ending(Ending::Resign));
        let missed_mate = match judgment {
            Some(Judgment { note: Some(Note::MissedMate), .. }) => {
                second.and_then(|second| second.missed_mate.clone())
            }
            None if resigns => finding.mate.clone(),
            _ => None,
        };
        PositionReport {
            ply: place.ply,
            position: history.position().clone(),
            last_move: history.last_move(),
            played: next.and_then(Node::mv),
            finding: finding.clone(),
            second: second.cloned(),
            judgment,
            missed_mate,
            comments: comments_of(study.game(), node),
            time: next.and_then(Node::time),
            phase,
            castles: [Color::Black, Color::White].map(|color| castle(history.position(), color)),
        }
    }

    /// The best line.
    pub fn best(&self) -> &FoundLine {
        &self.finding.lines[0]
    }

    /// The note about the move played, or about a resignation.
    pub fn note(&self) -> Option<Note> {
        match self.judgment {
            Some(judgment) => judgment.note,
            None => self.missed_mate.as_ref().map(|_| Note::MissedMate),
        }
    }

    /// Whether a mate was missed here in a position that the search took for lost.
    pub fn is_believed_lost(&self) -> bool {
        self.missed_mate.is_some()
            && self.note() == Some(Note::MissedMate)
            && is_believed_lost(self.position.side_to_move(), &self.finding)
    }

    /// The value of the position.
    pub fn value(&self) -> Value {
        self.best().value
    }

    /// The moves of a line, up to the first illegal one, each with its position.
    pub fn line_of(&self, moves: &[UsiMove]) -> Vec<(Position, Move)> {
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for &mv in moves {
            let Ok(mv) = position.validate(mv) else { break };
            line.push((position.clone(), mv));
            position.play_unchecked(mv);
        }
        line
    }
}

/// A move of a branch, as the file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct BranchMove {
    /// The position in which it is played.
    pub position: Position,
    /// The move before it, if any.
    pub last_move: Option<Move>,
    /// The move.
    pub mv: Move,
    /// Its comments, and those on endings behind it.
    pub comments: Vec<String>,
    /// The time it took.
    pub time: Option<Duration>,
}

/// A branch of a game.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Study, Value};
/// use tsumero_record::read;
/// let kif = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\n変化：2手\n2 ８四歩(83)\n*居飛車\n";
/// let game = read(kif.as_bytes()).into_games()?.remove(0);
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv: Vec::new() };
/// let findings = vec![Finding::of_search(vec![line], 900); 3];
/// let report = GameReport::new("game.kif", 1, &Study::of_findings(&game, findings), true);
/// let branch = &report.branches[0];
/// assert_eq!((branch.number, branch.parent, branch.from), (1, 0, 1));
/// assert_eq!((branch.moves[0].mv.to_string(), branch.ending), ("8c8d".to_owned(), None));
/// assert_eq!(branch.moves[0].comments, ["居飛車"]);
/// // It was not analyzed.
/// assert!(branch.positions.is_empty() && branch.judgment.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BranchReport {
    /// Its number, from 1, in the order in which branches leave: first those of the main line.
    pub number: usize,
    /// The number of the branch that it leaves; 0 for the main line.
    pub parent: usize,
    /// The ply of the position in which it leaves.
    pub from: usize,
    /// Its moves.
    pub moves: Vec<BranchMove>,
    /// How it ends.
    pub ending: Option<Ending>,
    /// The judgment of its first move, if it was analyzed.
    pub judgment: Option<Judgment>,
    /// The positions after each of its moves, if they were analyzed.
    pub positions: Vec<PositionReport>,
    /// The nodes of its moves.
    pub(crate) nodes: Vec<NodeId>,
}

/// An analyzed game.
///
/// ```
/// use tsumero_analysis::{Answer, Finding, FoundLine, GameReport, Language, Study, Task, Value};
/// use tsumero_analysis::{json_lines, table};
/// use tsumero_core::Color;
/// use tsumero_record::read;
/// let game = read("先手：甲\n1 ７六歩(77)\n".as_bytes()).into_games()?.remove(0);
/// let mut study = Study::new(&game, false);
/// while let Some((place, task)) = study.next_task() {
///     // Here an `Analyst` would search.
///     let Task::Look(position) = task else { panic!("nothing lost much") };
///     let value = Value::Cp(30 * position.ply() as i32);
///     let pv = vec![["7g7f", "3c3d"][place.ply].parse()?];
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     study.put(place, Answer::Finding(Finding::of_search(vec![line], 900)));
/// }
/// let report = GameReport::new("game.kif", 1, &study, true);
/// assert_eq!(report.player(Color::Black), Some("甲"));
/// assert_eq!(json_lines(&report).lines().count(), 2);
/// let table = table(&report, Language::English);
/// assert!(table.starts_with("game.kif (1)\n   0 start               +30\n   1 ☗P-76"), "{table}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The name of the file it is in.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// Headers of the game: names and values.
    pub headers: Vec<(String, String)>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// The positions of the main line, the last one included.
    pub positions: Vec<PositionReport>,
    /// The branches in the file.
    pub branches: Vec<BranchReport>,
    /// The opening of the main line.
    pub opening: Opening,
    /// How wrong the search was in the main line.
    pub noise: Noise,
    /// Whether results are the same in every run. Then times of searches are not shown.
    pub is_reproducible: bool,
}

/// With fewer nodes for a position, notes are rough whatever the noise says.
const ROUGH_NODES: u64 = 100_000;
/// From this noise on, notes are rough however many nodes there were.
const ROUGH_NOISE: f64 = 4.0;

impl GameReport {
    /// Judges the moves of a game whose study is complete.
    ///
    /// # Panics
    ///
    /// When a task of the study has no answer yet.
    pub fn new(file: &str, number: usize, study: &Study<'_>, is_reproducible: bool) -> GameReport {
        let game = study.game();
        let lines = study.lines();
        let main = Judged::of_line(study, 0);
        let mut styles = Styles::default();
        for here in &main.positions {
            styles.look_at(&here.position, here.phase);
        }
        let branches = lines.iter().enumerate().skip(1).map(|(number, line)| {
            let judged = study.is_wanted(number).then(|| Judged::of_line(study, number));
            let judgment = judged.as_ref().and_then(|judged| judged.leaves);
            BranchReport {
                number,
                parent: line.parent.unwrap_or_default(),
                from: line.first_ply - 1,
                moves: branch_moves(study, number),
                ending: ending_of(game, line),
                judgment,
                positions: judged.map_or_else(Vec::new, |judged| judged.positions),
                nodes: line.nodes.clone(),
            }
        });
        GameReport {
            file: file.to_owned(),
            number,
            headers: game.headers().to_vec(),
            ending: game.ending(),
            branches: branches.collect(),
            opening: styles.opening(),
            noise: main.noise,
            positions: main.positions,
            is_reproducible,
        }
    }

    /// The position of a ply in a line (0 for the main line), if it was analyzed.
    pub(crate) fn position(&self, line: usize, ply: usize) -> Option<&PositionReport> {
        let positions = match line.checked_sub(1) {
            None => &self.positions,
            Some(index) => &self.branches.get(index)?.positions,
        };
        let first = positions.first()?.ply;
        positions.get(ply.checked_sub(first)?)
    }

    /// The branches that leave a line (0 for the main line) in the position of a ply. Each one
    /// that was not analyzed is followed by all branches that come from it, because its positions
    /// are not there to have them.
    pub fn branches_at(&self, line: usize, ply: usize) -> Vec<&BranchReport> {
        let leave = |branch: &&BranchReport| branch.parent == line && branch.from == ply;
        let mut found = Vec::new();
        for branch in self.branches.iter().filter(leave) {
            self.push_with_descendants(branch, &mut found);
        }
        found
    }

    fn push_with_descendants<'a>(
        &'a self,
        first: &'a BranchReport,
        found: &mut Vec<&'a BranchReport>,
    ) {
        // Not by recursion: a file may have a branch of a branch of a branch without end.
        let mut waiting = vec![first];
        while let Some(branch) = waiting.pop() {
            found.push(branch);
            if branch.positions.is_empty() {
                let children = self.branches.iter().filter(|one| one.parent == branch.number);
                waiting.extend(children.rev());
            }
        }
    }

    /// The mean number of nodes for the first look at a position. A mate and the end of the game take
    /// few, so such positions count only if there are no others.
    pub fn mean_nodes(&self) -> u64 {
        self.open_mean().or_else(|| mean_of(self.positions.iter())).unwrap_or(0)
    }

    /// The same of the undecided positions alone; `None` if there are none.
    fn open_mean(&self) -> Option<u64> {
        let is_open =
            |here: &&PositionReport| here.value().cp().is_some() && here.finding.nodes > 0;
        mean_of(self.positions.iter().filter(is_open))
    }

    /// Whether the budget was so small that notes are only a hint. Mates are sure at any budget.
    pub fn is_rough(&self) -> bool {
        self.noise.points() >= ROUGH_NOISE
            || self.open_mean().is_some_and(|mean| mean < ROUGH_NODES)
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Whether it is a handicap game, whose players are 下手 and 上手: the file says so, or White
    /// begins and lacks pieces while Black has all in their places.
    pub(crate) fn is_handicap(&self) -> bool {
        match self.header("手合割").map(str::trim) {
            // 「その他」 says only that the file has a diagram.
            Some(name) if name != "その他" => name != "平手",
            _ => {
                let start = self.positions.first().map(|here| &here.position);
                self.header("下手").is_some() || start.is_some_and(is_handicap_start)
            }
        }
    }

    /// The name of a player, if the file has one.
    pub fn player(&self, color: Color) -> Option<&str> {
        match color {
            Color::Black => self.header("先手").or_else(|| self.header("下手")),
            Color::White => self.header("後手").or_else(|| self.header("上手")),
        }
    }

    /// How a player played.
    pub fn summary(&self, color: Color) -> PlayerSummary {
        let own = || self.positions.iter().filter(|p| p.position.side_to_move() == color);
        let mut summary =
            PlayerSummary::of(own().filter_map(|here| here.judgment.as_ref()), self.noise);
        // A resignation is no move, but a mate may be missed by it.
        let resigned_too_early = |here: &&PositionReport| {
            here.judgment.is_none() && here.note() == Some(Note::MissedMate)
        };
        summary.missed_mates += own().filter(resigned_too_early).count();
        summary
    }

    /// The last castle of a player before the endgame.
    pub fn castle(&self, color: Color) -> Option<ShapeName> {
        let mut before_the_end =
            self.positions.iter().rev().filter(|here| here.phase != Phase::End);
        before_the_end.find_map(|here| here.castles[color.index()])
    }
}

/// The mean number of nodes for the first look at the positions; `None` if there are none.
fn mean_of<'a>(positions: impl Iterator<Item = &'a PositionReport>) -> Option<u64> {
    let (mut nodes, mut count) = (0, 0);
    for here in positions {
        nodes += u128::from(here.finding.nodes);
        count += 1;
    }
    nodes.checked_div(count).map(|mean| mean as u64)
}

/// What a player is called without a name of their own.
pub(crate) fn seat(color: Color, is_handicap: bool, language: Language) -> &'static str {
    match (language, color) {
        (Language::Japanese, Color::Black) if is_handicap => "下手",
        (Language::Japanese, Color::White) if is_handicap => "上手",
        (Language::Japanese, Color::Black) => "先手",
        (Language::Japanese, Color::White) => "後手",
        (Language::English, Color::Black) => "Black",
        (Language::English, Color::White) => "White",
    }
}

/// How a game ended. KIF has no words for endings that only CSA knows.
pub(crate) fn ending_text(ending: Ending, language: Language) -> String {
    match (language, ending) {
        (Language::Japanese, Ending::Matta) => "待った".to_owned(),
        (Language::Japanese, Ending::Error) => "エラー".to_owned(),
        (Language::Japanese, _) => ending.kif_word().unwrap_or(ending.word()).to_owned(),
        (Language::English, _) => ending.word().replace('_', " "),
    }
}

/// Whether White begins, and the board is that of the even game but for pieces that White lacks.
fn is_handicap_start(position: &Position) -> bool {
    let even = Position::startpos();
    let lacks = |square| {
        let piece = even.piece_at(square);
        position.piece_at(square).is_none() && piece.is_some_and(|it| it.color() == Color::White)
    };
    position.side_to_move() == Color::White
        && Square::all().any(lacks)
        && Square::all()
            .all(|square| position.piece_at(square) == even.piece_at(square) || lacks(square))
}

fn ending_of(game: &Game, line: &GameLine) -> Option<Ending> {
    match line.nodes.last().map(|&node| game.node(node).kind()) {
        Some(NodeKind::Ending(ending)) => Some(ending),
        _ => None,
    }
}

/// The comments on a node, and those on the endings behind it, also where an ending is a branch of its own.
fn comments_of(game: &Game, node: &Node) -> Vec<String> {
    let endings = node.children().iter().map(|&child| game.node(child));
    let endings = endings.filter(|child| matches!(child.kind(), NodeKind::Ending(_)));
    let nodes = std::iter::once(node).chain(endings);
    nodes.flat_map(|node| without_ours(node.comments())).collect()
}

fn branch_moves(study: &Study<'_>, number: usize) -> Vec<BranchMove> {
    let line = &study.lines()[number];
    let mut game = study.position(Place { line: number, ply: line.first_ply - 1 });
    let nodes = line.nodes.iter().map(|&node| study.game().node(node));
    let mut moves = Vec::new();
    for node in nodes {
        let Some(mv) = node.mv() else { continue };
        let comments = comments_of(study.game(), node);
        let (position, last_move) = (game.position().clone(), game.last_move());
        game.play_unchecked(mv);
        moves.push(BranchMove { position, last_move, mv, comments, time: node.time() });
    }
    moves
}

/// A line with the judgments of its own moves.
struct Judged {
    noise: Noise,
    /// The judgment of the first own move of a branch.
    leaves: Option<Judgment>,
    /// The own positions.
    positions: Vec<PositionReport>,
}

impl Judged {
    fn of_line(study: &Study<'_>, number: usize) -> Judged {
        let game = study.game();
        let line = &study.lines()[number];
        let place = |ply| Place { line: number, ply };
        let value = |ply| finding_at(study, place(ply)).lines[0].value;
        let values: Vec<Value> = (0..line.positions()).map(value).collect();
        let noise = study.noise_of(number);
        let moves = study.moves_to(place(line.last_ply()));
        let mut history = tsumero_core::Game::from(game.start());
        let mut phase = Phase::default();
        let mut positions = Vec::new();
        let mut leaves = None;
        let mut own = line.nodes.iter().map(|&node| game.node(node)).peekable();
        for ply in 0..line.positions() {
            phase = phase.after(history.position());
            let played = moves.get(ply).copied();
            let judgment = played.map(|mv| judgment_of(mv, study, place(ply), &values, noise));
            if ply >= line.first_ply {
                let node = own.next().expect("each own position has a node");
                positions.push(PositionReport::new(
                    study,
                    place(ply),
                    &history,
                    node,
                    own.peek().copied(),
                    judgment,
                    phase,
                ));
            } else if ply + 1 == line.first_ply {
                leaves = judgment;
            }
            if let Some(mv) = played {
                history.play_unchecked(mv);
            }
        }
        Judged { noise, leaves, positions }
    }
}

fn finding_at<'a>(study: &'a Study<'_>, place: Place) -> &'a Finding {
    study.finding(place).expect("the study is complete")
}

/// The judgment of the move played in a position of a line with these values.
fn judgment_of(
    mv: Move,
    study: &Study<'_>,
    place: Place,
    values: &[Value],
    noise: Noise,
) -> Judgment {
    let (finding, second) = (finding_at(study, place), study.second(place));
    let mut judgment = judge(mv, finding, values[place.ply + 1], second, noise);
    judgment.turns_the_game = turns(mv.color(), &judgment, noise, values, place.ply);
    judgment
}

#[cfg(test)]
mod tests {
    use tsumero_record::read;

    use super::*;

    #[test]
    fn a_comment_on_an_ending_stands_at_the_position_where_the_line_ends() {
        let kif = "手合割：平手\n1 ７六歩(77)\n*一\n2 ３四歩(33)\n3 投了\n*終\n\n変化：3手\n3 中断\n*指し掛け\n\n\
            変化：2手\n2 ８四歩(83)\n*二\n3 中断\n*分\n\n変化：3手\n3 投了\n*三\n";
        let game = read(kif.as_bytes()).into_games().unwrap().remove(0);
        let line = FoundLine { value: Value::Cp(0), depth: 9, seldepth: 9, pv: Vec::new() };
        let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 900); 3]);
        let report = GameReport::new("game.kif", 1, &study, true);
        let comments: Vec<_> =
            report.positions.iter().map(|here| here.comments.join(" ")).collect();
        assert_eq!(comments, ["", "一", "終 指し掛け"]);
        let with_moves = report.branches.iter().find(|branch| !branch.moves.is_empty()).unwrap();
        assert_eq!(with_moves.moves[0].comments, ["二", "分", "三"]);
        for written in [crate::json_lines(&report), crate::page_data(&report)] {
            for comment in ["終", "指し掛け", "三"] {
                assert_eq!(
                    written.matches(&format!("\"{comment}\"")).count(),
                    1,
                    "{comment}: {written}"
                );
            }
        }
    }

    #[test]
    fn what_is_decided_makes_no_notes_rough() {
        let game = read(b"startpos moves 7g7f 3c3d 2g2f\n").into_games().unwrap().remove(0);
        let report = |found: [(Value, u64); 4]| {
            let findings = found.map(|(value, nodes)| {
                let line = FoundLine { value, depth: 9, seldepth: 9, pv: Vec::new() };
                Finding::of_search(vec![line], nodes)
            });
            let study = Study::of_findings(&game, findings.to_vec());
            GameReport::new("game.usi", 1, &study, true)
        };
        let (open, mate) = (Value::Cp(-30), Value::BlackMates(3));
        // A mate is found soon, and after a repetition nothing is searched.
        let decided = report([(open, 100_000), (open, 100_002), (mate, 70), (Value::Cp(0), 0)]);
        assert_eq!((decided.mean_nodes(), decided.is_rough()), (100_001, false));
        let rough = report([(open, 99_999), (open, 99_999), (mate, 900_000), (open, 99_999)]);
        assert_eq!((rough.mean_nodes(), rough.is_rough()), (99_999, true));
        let mates = report([(mate, 10), (mate, 20), (mate, 30), (mate, 0)]);
        assert_eq!((mates.mean_nodes(), mates.is_rough()), (15, false));
        assert_eq!(report([(open, u64::MAX); 4]).mean_nodes(), u64::MAX);
    }
}
