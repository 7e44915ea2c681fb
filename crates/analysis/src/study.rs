//! The work that the analysis of a game consists of, one piece after another.
//!
//! A line is looked at twice: first all of its positions, then the moves that may be mistakes. Which
//! moves these are depends only on the first results, so a run that is resumed asks the same.

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use tsumero_control::Score;
use tsumero_core::{Move, Repetition};
use tsumero_record::{Game, NodeId};

use crate::judgment::may_matter;
use crate::{Answer, DoubtfulMove, Finding, FoundLine, Noise, SecondLook, Task, Value};

/// Where a result belongs.
///
/// ```
/// use tsumero_analysis::Place;
/// // The main line is not written.
/// let main = Place { line: 0, ply: 12 };
/// assert_eq!(serde_json::to_string(&main)?, r#"{"ply":12}"#);
/// let branch: Place = serde_json::from_str(r#"{"line":2,"ply":12}"#)?;
/// assert!(branch.line == 2 && main < branch);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The number of the line: 0 for the main line, then the branches in the order in which they
    /// leave.
    #[serde(default, skip_serializing_if = "is_main")]
    pub line: usize,
    /// The number of moves before the position.
    pub ply: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_main(line: &usize) -> bool {
    *line == 0
}

/// A line of a game: the main line or a branch.
#[derive(Clone, Debug)]
pub(crate) struct GameLine {
    /// The number of the line that it leaves; `None` for the main line.
    pub(crate) parent: Option<usize>,
    /// The ply of its first own position: 0 for the main line.
    pub(crate) first_ply: usize,
    /// Its own nodes: the start (of the main line), moves, and the ending.
    pub(crate) nodes: Vec<NodeId>,
    /// Its own moves. Those before them belong to the lines that it comes from: a file may have a
    /// branch at each of thousands of moves.
    pub(crate) moves: Vec<Move>,
}

impl GameLine {
    /// All lines of a game, the main line first. A branch comes behind the line that it leaves.
    pub(crate) fn all_of(game: &Game) -> Vec<GameLine> {
        let mut lines = vec![GameLine::new(game, None, 0, NodeId::ROOT)];
        let mut number = 0;
        while let Some(line) = lines.get(number).cloned() {
            for (ply, &node) in (line.first_ply..).zip(&line.nodes) {
                for &child in game.node(node).children().iter().skip(1) {
                    lines.push(GameLine::new(game, Some(number), ply + 1, child));
                }
            }
            number += 1;
        }
        lines
    }

    fn new(game: &Game, parent: Option<usize>, first_ply: usize, first: NodeId) -> GameLine {
        let nodes: Vec<NodeId> = game.line_from(first).collect();
        let moves = nodes.iter().filter_map(|&node| game.node(node).mv()).collect();
        GameLine { parent, first_ply, nodes, moves }
    }

    /// The number of positions, those before its own included.
    pub(crate) fn positions(&self) -> usize {
        self.last_ply() + 1
    }

    /// The ply of its last position.
    pub(crate) fn last_ply(&self) -> usize {
        self.played_plies().end
    }

    /// The plies of its own positions.
    pub(crate) fn own_plies(&self) -> Range<usize> {
        self.first_ply..self.positions()
    }

    /// The plies of the positions in which its own moves are played.
    pub(crate) fn played_plies(&self) -> Range<usize> {
        let first = self.first_ply.saturating_sub(1);
        first..first + self.moves.len()
    }
}

/// The results for the lines of a game, and what is still to be done.
///
/// ```
/// use tsumero_analysis::{Answer, Finding, FoundLine, GameReport, Note, SecondLook, Study, Task};
/// use tsumero_analysis::Value::Cp;
/// use tsumero_record::read;
/// let game = read(b"startpos moves 9g9f 3c3d\n").into_games()?.remove(0);
/// let mut study = Study::new(&game, false);
/// while let Some((place, task)) = study.next_task() {
///     // Here an `Analyst` would search.
///     let answer = match task {
///         Task::Look(_) => {
///             let value = if place.ply == 0 { Cp(300) } else { Cp(-300) };
///             let lines = vec![FoundLine { value, depth: 9, seldepth: 12, pv: vec!["7g7f".parse()?] }];
///             Answer::Finding(Finding::of_search(lines, 900))
///         }
///         // The second look finds less of a difference.
///         Task::LookAgain(_) => Answer::Second(SecondLook {
///             best: Cp(100), played: Cp(-50), depth: 11, nodes: 3600, missed_mate: None,
///         }),
///     };
///     study.put(place, answer);
/// }
/// let report = GameReport::new("game.usi", 1, &study, true);
/// assert_eq!(report.positions[0].judgment.unwrap().note, Some(Note::Inaccuracy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study<'a> {
    game: &'a Game,
    lines: Vec<GameLine>,
    /// How many of the lines are looked at.
    wanted: usize,
    findings: HashMap<Place, Finding>,
    seconds: HashMap<Place, SecondLook>,
    /// The line that is worked on.
    line: usize,
    /// Where the search for the next task begins in it: its own positions, then its moves.
    step: usize,
    /// Its noise, once all of its positions have been looked at.
    noise: Option<Noise>,
}

impl<'a> Study<'a> {
    /// The study of a game's main line, or of its branches, too.
    pub fn new(game: &'a Game, with_branches: bool) -> Study<'a> {
        let lines = GameLine::all_of(game);
        let wanted = if with_branches { lines.len() } else { 1 };
        let (findings, seconds) = Default::default();
        Study { game, lines, wanted, findings, seconds, line: 0, step: 0, noise: None }
    }

    /// The study of a main line whose positions have been searched, without second looks.
    ///
    /// # Panics
    ///
    /// When the numbers of findings and positions differ, or a finding has no line.
    pub fn of_findings(game: &'a Game, findings: Vec<Finding>) -> Study<'a> {
        let mut study = Study::new(game, false);
        assert_eq!(study.positions(), findings.len(), "a finding for each position");
        assert!(findings.iter().all(|finding| !finding.lines.is_empty()), "a line in each");
        for (ply, finding) in findings.into_iter().enumerate() {
            study.put(Place { line: 0, ply }, Answer::Finding(finding));
        }
        study
    }

    /// The game.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// The number of positions that get a finding.
    pub fn positions(&self) -> usize {
        self.lines[..self.wanted].iter().map(|line| line.own_plies().len()).sum()
    }

    /// The number of positions to look at: one for each [`Task::Look`] of a new study. What is known
    /// of a position where the game has ended by repetition needs no look.
    pub fn looks(&self) -> usize {
        let is_known = |&line: &usize| {
            let last = Place { line, ply: self.lines[line].last_ply() };
            self.lines[line].own_plies().contains(&last.ply)
                && self.end_by_repetition(last, &self.position(last)).is_some()
        };
        self.positions() - (0..self.wanted).filter(is_known).count()
    }

    /// The branches that are looked at, each as the number of its first move and its moves.
    pub fn branch_lines(&self) -> Vec<String> {
        let branches = self.lines[..self.wanted].iter().filter(|line| line.parent.is_some());
        let words = branches.map(|line| {
            let moves: String = line.moves.iter().map(|mv| format!(" {mv}")).collect();
            format!("{}{moves}", line.first_ply)
        });
        words.collect()
    }

    /// The next piece of work, with the place of its answer; `None` when all is done.
    pub fn next_task(&mut self) -> Option<(Place, Task)> {
        while self.line < self.wanted {
            let looks = self.lines[self.line].own_plies();
            let moves = self.lines[self.line].played_plies();
            while self.step < looks.len() {
                let place = Place { line: self.line, ply: looks.start + self.step };
                if !self.findings.contains_key(&place) {
                    let position = self.position(place);
                    let Some(end) = self.end_by_repetition(place, &position) else {
                        return Some((place, Task::Look(Box::new(position))));
                    };
                    self.put(place, Answer::Finding(end));
                }
                self.step += 1;
            }
            let noise = self.noise.unwrap_or_else(|| self.noise_of(self.line));
            self.noise = Some(noise);
            while self.step < looks.len() + moves.len() {
                let place = Place { line: self.line, ply: moves.start + self.step - looks.len() };
                if !self.seconds.contains_key(&place)
                    && let Some(doubtful) = self.doubtful_move(place, noise)
                {
                    return Some((place, Task::LookAgain(Box::new(doubtful))));
                }
                self.step += 1;
            }
            (self.line, self.step, self.noise) = (self.line + 1, 0, None);
        }
        None
    }

    /// Stores the answer to the task of this place.
    pub fn put(&mut self, place: Place, answer: Answer) {
        match answer {
            Answer::Finding(finding) => drop(self.findings.insert(place, finding)),
            Answer::Second(second) => drop(self.seconds.insert(place, second)),
        }
    }

    pub(crate) fn lines(&self) -> &[GameLine] {
        &self.lines
    }

    /// Whether a line is looked at.
    pub(crate) fn is_wanted(&self, line: usize) -> bool {
        line < self.wanted
    }

    /// The result for a position of a line, or of one of the lines that it comes from.
    pub(crate) fn finding(&self, place: Place) -> Option<&Finding> {
        let mut line = place.line;
        while place.ply < self.lines[line].first_ply {
            line = self.lines[line].parent?;
        }
        self.findings.get(&Place { line, ply: place.ply })
    }

    /// The second look at the move that a line plays in a position.
    pub(crate) fn second(&self, place: Place) -> Option<&SecondLook> {
        self.seconds.get(&place)
    }

    /// The moves from the start of the game to a position of a line.
    pub(crate) fn moves_to(&self, place: Place) -> Vec<Move> {
        let (mut line, mut end) = (&self.lines[place.line], place.ply);
        // From its own moves back to those of the main line.
        let mut parts = Vec::new();
        loop {
            let first = line.played_plies().start;
            if first < end {
                parts.push(&line.moves[..end - first]);
                end = first;
            }
            let Some(parent) = line.parent else { break };
            line = &self.lines[parent];
        }
        parts.into_iter().rev().flatten().copied().collect()
    }

    /// The position of a line, with its history.
    pub(crate) fn position(&self, place: Place) -> tsumero_core::Game {
        let mut position = tsumero_core::Game::from(self.game.start());
        for mv in self.moves_to(place) {
            position.play_unchecked(mv);
        }
        position
    }

    /// What is known of a position without a search: that the game has ended there by repetition. A
    /// search would see what can happen after it. If the game goes on all the same, so does the
    /// analysis.
    fn end_by_repetition(&self, place: Place, position: &tsumero_core::Game) -> Option<Finding> {
        // A branch may be only another ending.
        let follows = |line: &GameLine| {
            line.parent == Some(place.line)
                && line.first_ply == place.ply + 1
                && !line.moves.is_empty()
        };
        let line = &self.lines[place.line];
        if place.ply < line.last_ply() || self.lines.iter().any(follows) {
            return None;
        }
        let side = position.side_to_move();
        let score = match position.repetition()? {
            Repetition::PerpetualCheck { by } if by == side => -Score::PERPETUAL_CHECK,
            Repetition::PerpetualCheck { .. } => Score::PERPETUAL_CHECK,
            _ => Score::ZERO,
        };
        let value = Value::of_score(score, side);
        let end = FoundLine { value, depth: 0, seldepth: 0, pv: Vec::new() };
        Some(Finding::of_search(vec![end], 0))
    }

    /// The noise of a line whose positions have all been looked at.
    ///
    /// # Panics
    ///
    /// When one has not.
    pub(crate) fn noise_of(&self, line: usize) -> Noise {
        let moves = self.moves_to(Place { line, ply: self.lines[line].last_ply() });
        let finding = |ply| self.finding(Place { line, ply }).expect("all have been looked at");
        Noise::of((0..=moves.len()).map(|ply| (finding(ply), moves.get(ply).copied())))
    }

    /// What a second look has to answer, if one is needed.
    fn doubtful_move(&self, place: Place, noise: Noise) -> Option<DoubtfulMove> {
        let line = &self.lines[place.line];
        let played = line.moves[place.ply - line.played_plies().start];
        let before = self.finding(place)?;
        let after = self.finding(Place { ply: place.ply + 1, ..place })?;
        if !may_matter(played, before, after.lines[0].value, noise) {
            return None;
        }
        let position = self.position(place);
        let best = position.validate(*before.lines[0].pv.first()?).ok()?;
        Some(DoubtfulMove { position, best, played, before: before.clone(), after: after.clone() })
    }
}

#[cfg(test)]
mod tests {
    use tsumero_record::read;

    use super::*;

    /// Two branches leave the main line, one of them leaves at the start, and a third leaves the
    /// second.
    const BRANCHES: &str = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n\n\
        変化：3手\n3 ６六歩(67)\n4 ８四歩(83)\n5 中断\n\n変化：4手\n4 ３二飛(82)\n\n\
        変化：1手\n1 ２六歩(27)\n";

    fn words(line: &GameLine) -> String {
        line.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_branch_is_a_line_of_its_own_moves_that_begins_where_it_leaves() {
        let game = read(BRANCHES.as_bytes()).into_games().unwrap().remove(0);
        let lines = GameLine::all_of(&game);
        assert_eq!(lines.len(), game.branches() + 1);
        let shown: Vec<_> =
            lines.iter().map(|line| (line.parent, line.own_plies(), words(line))).collect();
        assert_eq!(
            shown,
            [
                (None, 0..4, "7g7f 3c3d 2g2f".to_owned()),
                (Some(0), 1..2, "2g2f".to_owned()),
                (Some(0), 3..5, "6g6f 8c8d".to_owned()),
                (Some(2), 4..5, "8b3b".to_owned()),
            ]
        );
        let study = Study::new(&game, false);
        let moves = study.moves_to(Place { line: 3, ply: 4 });
        assert_eq!(
            moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            "7g7f 3c3d 6g6f 8b3b"
        );
    }

    fn finding(cp: i32) -> Answer {
        let pv = vec!["9g9f".parse().unwrap()];
        let line = FoundLine { value: Value::Cp(cp), depth: 1, seldepth: 1, pv };
        Answer::Finding(Finding::of_search(vec![line], 1))
    }

    #[test]
    fn each_position_is_asked_once_and_only_losing_moves_twice() {
        let game = read(BRANCHES.as_bytes()).into_games().unwrap().remove(0);
        let asked_of = |with_branches| {
            let mut study = Study::new(&game, with_branches);
            assert_eq!(study.looks(), study.positions());
            let mut asked = Vec::new();
            while let Some((place, task)) = study.next_task() {
                let answer = match task {
                    Task::Look(position) => {
                        assert_eq!(position.moves().len(), place.ply);
                        // Each move of Black loses, and White's moves win what they lose.
                        finding(if place.ply % 2 == 0 { 0 } else { -300 })
                    }
                    Task::LookAgain(doubtful) => {
                        asked.push((place.line, doubtful.played.to_string()));
                        let (best, played) = (Value::Cp(0), Value::Cp(-200));
                        let (depth, nodes, missed_mate) = (2, 2, None);
                        Answer::Second(SecondLook { best, played, depth, nodes, missed_mate })
                    }
                };
                study.put(place, answer);
            }
            let found = study.findings.len();
            assert_eq!(found, study.positions());
            (found, asked)
        };
        let named = |asked: &[(usize, &str)]| -> Vec<(usize, String)> {
            asked.iter().map(|(line, mv)| (*line, (*mv).to_owned())).collect()
        };
        assert_eq!(asked_of(false), (4, named(&[(0, "7g7f"), (0, "2g2f")])));
        let all = named(&[(0, "7g7f"), (0, "2g2f"), (1, "2g2f"), (2, "6g6f")]);
        assert_eq!(asked_of(true), (8, all));
    }

    /// The positions of the main line that are searched, and the value of the last one.
    fn searched(text: &str) -> (Vec<usize>, Value) {
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let mut study = Study::new(&game, false);
        let (looks, mut plies) = (study.looks(), Vec::new());
        while let Some((place, task)) = study.next_task() {
            assert!(matches!(task, Task::Look(_)));
            plies.push(place.ply);
            study.put(place, finding(-3000));
        }
        assert_eq!(plies.len(), looks);
        let place = Place { line: 0, ply: study.positions() - 1 };
        (plies, study.finding(place).unwrap().lines[0].value)
    }

    #[test]
    fn a_game_that_ended_by_repetition_has_the_value_of_its_end() {
        let all = |moves: usize| (0..=moves).collect::<Vec<_>>();
        // White has everything, and repeats the position all the same.
        let won = "sfen 4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1 moves";
        let around = " 5a5b 5i5h 5b5a 5h5i";
        assert_eq!(searched(&format!("{won}{}", around.repeat(2))), (all(8), Value::Cp(-3000)));
        assert_eq!(searched(&format!("{won}{}", around.repeat(3))), (all(11), Value::Cp(0)));
        // Where the game goes on, it is not over.
        let longer = format!("{won}{} R*5e", around.repeat(3));
        assert_eq!(searched(&longer), (all(13), Value::Cp(-3000)));
        // Black checks with every move, and loses, whoever is to move.
        let checks = "sfen 4k4/9/9/9/9/9/9/9/K4R3 b - 1 moves 4i5i";
        let checks = format!("{checks}{}", " 5a4a 5i4i 4a5a 4i5i".repeat(3));
        assert_eq!(searched(&checks), (all(12), Value::Cp(-20_000)));
        assert_eq!(searched(&format!("{checks} 5a4a")), (all(13), Value::Cp(-20_000)));
    }

    /// The file says that the game ended there, but a branch shows another move.
    #[test]
    fn a_position_from_which_a_branch_goes_on_is_searched() {
        let around = "５八玉(59) ５二玉(51) ５九玉(58) ５一玉(52) ";
        let moves: String = around.repeat(3);
        let moves: String =
            (1..).zip(moves.split_whitespace()).map(|(n, mv)| format!("{n} {mv}\n")).collect();
        let text = format!("手合割：平手\n{moves}13 千日手\n");
        assert_eq!(searched(&text), ((0..12).collect(), Value::Cp(0)));
        let ending = format!("{text}\n変化：13手\n13 中断\n");
        assert_eq!(searched(&ending), ((0..12).collect(), Value::Cp(0)));
        let text = format!("{text}\n変化：13手\n13 ７六歩(77)\n");
        assert_eq!(searched(&text), ((0..13).collect(), Value::Cp(-3000)));
    }
}
