//! Reading KIF and KI2.

use std::borrow::Cow;
use std::ops::Range;

use tsumero_core::{Color, UsiMove};

use super::games;
use super::moves::{self, KifEntry, MARKS};
use super::start::{self, MissingHand, Start};
use crate::ending::foul_comment;
use crate::text::Text;
use crate::{BadGame, Cursor, Ending, Game, NodeId, names};

/// Reads the games of a KIF or KI2.
pub(crate) fn read(text: &Text, missing_hand: MissingHand) -> Vec<Result<Game, BadGame>> {
    let lines = text.lines();
    let read_part = |part: Range<usize>| read_game(part.start, &lines[..part.end], missing_hand);
    let mut games = Vec::new();
    for part in parts(&games::starts(lines), lines.len()) {
        match read_part(part.clone()) {
            Err(bad) => match games::diagrams(lines, part.clone()) {
                Some(starts) => games.extend(parts(&starts, part.end).map(read_part)),
                None => games.push(Err(bad)),
            },
            game => games.push(game),
        }
    }
    games
}

/// The ranges that begin with these lines, up to the end.
fn parts(starts: &[usize], end: usize) -> impl Iterator<Item = Range<usize>> {
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end)
}

/// Reads the game from a line (from 0) to the last one.
fn read_game(
    start: usize,
    lines: &[Cow<'_, str>],
    missing_hand: MissingHand,
) -> Result<Game, BadGame> {
    let mut reader = Reader::new(lines, missing_hand);
    for (index, line) in lines.iter().enumerate().skip(start) {
        reader.read_line(index + 1, line)?;
    }
    reader.finish()
}

/// The game, once its first position is known.
struct Play {
    game: Game,
    cursor: Cursor,
    /// The lines so far, in the order of the file; the current one is last.
    lines: Vec<Line>,
    /// The difference between the move numbers of the file and those of the game. It is known from
    /// the first number.
    offset: Option<u64>,
    /// Whether the current line has an ending.
    has_ended: bool,
    /// Whether that ending is a foul whose move has been omitted.
    foul: bool,
}

/// The main line or a branch: one block of the file.
struct Line {
    /// The number of its first entry.
    first: u64,
    nodes: Vec<NodeId>,
    /// Where it ended by a word for which there is no node.
    end: Option<NodeId>,
}

struct Reader<'a> {
    /// The lines of the file up to the end of the game.
    lines: &'a [Cow<'a, str>],
    start: Start,
    missing_hand: MissingHand,
    /// Headers, comments and bookmarks before the first move.
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    bookmarks: Vec<String>,
    play: Option<Play>,
}

impl<'a> Reader<'a> {
    fn new(lines: &'a [Cow<'a, str>], missing_hand: MissingHand) -> Reader<'a> {
        Reader {
            lines,
            start: Start::default(),
            missing_hand,
            headers: Vec::new(),
            comments: Vec::new(),
            bookmarks: Vec::new(),
            play: None,
        }
    }

    fn finish(mut self) -> Result<Game, BadGame> {
        self.play()?;
        let mut game = self.play.expect("it has just been made").game;
        end_as_81dojo(&mut game);
        for (name, value) in &self.headers {
            game.add_header(name, value);
        }
        Ok(game)
    }

    /// The game, which is created at the first call.
    fn play(&mut self) -> Result<&mut Play, BadGame> {
        if self.play.is_none() {
            let mut game = Game::new(self.start.position(self.missing_hand)?);
            self.comments.drain(..).for_each(|line| game.add_comment(NodeId::ROOT, &line));
            self.bookmarks.drain(..).for_each(|name| game.add_bookmark(NodeId::ROOT, &name));
            let cursor = Cursor::new(&game);
            let lines = vec![Line { first: 1, nodes: Vec::new(), end: None }];
            self.play =
                Some(Play { game, cursor, lines, offset: None, has_ended: false, foul: false });
        }
        Ok(self.play.as_mut().expect("it has just been made"))
    }

    fn read_line(&mut self, number: usize, line: &str) -> Result<(), BadGame> {
        let bad = |reason: String| BadGame::new(number, reason);
        let trimmed = line.trim();
        if let Some(comment) = line.trim_start().strip_prefix('*') {
            self.add_comment(comment);
        } else if trimmed.is_empty() || trimmed.starts_with('#') {
        } else if let Some(name) = trimmed.strip_prefix('&') {
            self.add_bookmark(name);
        } else if let Some(rest) = trimmed.strip_prefix(moves::BRANCH) {
            // ShogiHome has written such a line among the headers.
            let Some(play) = &mut self.play else { return Ok(()) };
            let rest = rest.trim_start_matches(['：', ':']).trim_start();
            let digits = rest.split_once('手').map(|(digits, _)| digits.trim());
            let is_number = |digits: &&str| digits.chars().all(|c| names::digit(c).is_some());
            let digits = digits.filter(|digits| !digits.is_empty()).filter(is_number);
            let Some(at) = digits.and_then(moves::number_of) else {
                return Err(bad("変化 without the number of a move".to_owned()));
            };
            play.begin_branch(at).map_err(bad)?;
        } else if let Some((moves, text)) = moves::made_line(trimmed) {
            // The winner may be called by name.
            let text = self.winner_of(text).unwrap_or(text);
            let play = self.play()?;
            play.check_count(number, moves, text);
            play.read_made_line(trimmed, moves, text).map_err(bad)?;
        } else if trimmed.starts_with(MARKS) {
            self.play()?.read_ki2_line(trimmed).map_err(bad)?;
        } else if moves::is_title(trimmed) {
        } else if matches!(trimmed, "盤面回転" | "盤面反転") {
            // The program showed the board from White's side.
        } else if let Some((digits, rest)) = moves::numbered(trimmed) {
            let foul = says_foul(&self.lines[number..]);
            let play = self.play()?;
            play.read_numbered(digits, rest, foul)
                .map_err(|reason| bad(format!("move {digits}: {reason}")))?;
        } else {
            self.read_header(number, trimmed)?;
        }
        Ok(())
    }

    /// What a `まで…` line says in which a player wins by name: `で羽生の勝ち`.
    fn winner_of(&self, text: &str) -> Option<&'static str> {
        const SIDES: [(&str, &str); 4] = [
            ("先手", "で先手の勝ち"),
            ("後手", "で後手の勝ち"),
            ("下手", "で下手の勝ち"),
            ("上手", "で上手の勝ち"),
        ];
        let name = text.strip_prefix('で')?.strip_suffix("の勝ち")?;
        let is_called =
            |side: &str| self.headers.iter().any(|(header, value)| header == side && value == name);
        let mut called =
            SIDES.into_iter().filter(|(side, _)| is_called(side)).map(|(_, said)| said);
        // Two players may have one name.
        called.next().filter(|_| called.next().is_none())
    }

    fn read_header(&mut self, number: usize, line: &str) -> Result<(), BadGame> {
        let late = |what: &str| Err(BadGame::new(number, format!("{what} behind the first move")));
        if start::is_diagram(line) {
            if self.play.is_some() {
                return late("a diagram");
            }
            return if line.starts_with('|') { self.start.read_row(number, line) } else { Ok(()) };
        }
        if let Some(side) = start::side(line) {
            if self.play.is_some() {
                return late("the side to move");
            }
            self.start.set_side(side);
            return Ok(());
        }
        // A move whose number cannot be read is no header, although its time has a colon.
        let header = line.split_once(['：', ':']);
        let header = header.filter(|(name, _)| !moves::begins_like_move(name));
        let Some((name, value)) = header else {
            let reason = format!("{:?} means nothing in a game record", moves::shorten(line));
            return Err(BadGame::new(number, reason));
        };
        let (name, value) = (name.trim(), value.trim());
        let mut start = Start::default();
        let is_late = self.play.is_some();
        let start = if is_late { &mut start } else { &mut self.start };
        if !start.take_header(number, name, value)? {
            self.headers.push((name.to_owned(), value.to_owned()));
            Ok(())
        } else if is_late {
            late(name)
        } else {
            Ok(())
        }
    }

    fn add_comment(&mut self, comment: &str) {
        match &mut self.play {
            Some(play) => play.game.add_comment(play.node_here(), comment),
            None => self.comments.push(comment.to_owned()),
        }
    }

    fn add_bookmark(&mut self, name: &str) {
        match &mut self.play {
            Some(play) => play.game.add_bookmark(play.node_here(), name),
            None => self.bookmarks.push(name.to_owned()),
        }
    }
}

impl Play {
    /// The node to which a comment belongs here: the last entry of the line, or the node where the
    /// line begins.
    fn node_here(&self) -> NodeId {
        let line = self.lines.last().and_then(|line| line.nodes.last());
        line.copied().unwrap_or_else(|| self.cursor.node())
    }

    /// Begins a branch. It goes to the node before the entry with this number in the nearest
    /// earlier line that has one.
    fn begin_branch(&mut self, at: u64) -> Result<(), String> {
        let missing = || format!("no earlier line has a move {at} to branch from");
        let number = at.checked_sub(self.offset.unwrap_or(0)).ok_or_else(missing)?;
        let parent = self.lines.iter().rev().find_map(|line| {
            let index = usize::try_from(number.checked_sub(line.first)?).ok()?;
            match line.nodes.get(index) {
                Some(&node) => self.game.node(node).parent(),
                None => line.end.filter(|_| index == line.nodes.len()),
            }
        });
        self.cursor.go_to(&self.game, parent.ok_or_else(missing)?);
        self.lines.push(Line { first: number, nodes: Vec::new(), end: None });
        self.has_ended = false;
        self.foul = false;
        Ok(())
    }

    fn push(&mut self, node: NodeId) {
        // The main line always exists.
        if let Some(line) = self.lines.last_mut() {
            line.nodes.push(node);
        }
    }

    fn end(&mut self, ending: Ending) -> NodeId {
        let node = self.game.add_ending(self.cursor.node(), ending);
        self.push(node);
        self.has_ended = true;
        node
    }

    /// Ends the line as a word of the file says. Returns the ending, if there is one.
    fn conclude(&mut self, ending: Option<Ending>, comment: Option<&str>) -> Option<NodeId> {
        let node = ending.map(|ending| self.end(ending));
        if node.is_none()
            && let Some(line) = self.lines.last_mut()
        {
            line.end = Some(self.cursor.node());
        }
        self.has_ended = true;
        if let Some(comment) = comment {
            self.game.add_comment(self.node_here(), comment);
        }
        node
    }

    /// The number of the last move of the line, as the file counts.
    fn moves_made(&self) -> u64 {
        (self.cursor.history().moves().len() as u64).saturating_add(self.offset.unwrap_or(0))
    }

    /// Notes it if a line like `まで3手で先手の勝ち` has another number of moves than the game, as when
    /// moves have been lost. It may count a move that is left out as a foul.
    fn check_count(&mut self, line: usize, moves: u64, text: &str) {
        let made = self.moves_made();
        let is_foul = text.contains("反則");
        if moves != made && !(is_foul && moves == made.saturating_add(1)) {
            self.game.add_note(&format!("line {line}: {}", wrong_count(moves, made)));
        }
    }

    /// Reads a line like `まで3手で先手の勝ち`, with its number of moves and the text after that. A word
    /// among the moves takes precedence.
    ///
    /// Not every ending says that the player won whom the line names: none is a resignation of the side
    /// that is not to move. If the number of moves is right, such a line is kept as a comment, and so is one
    /// in words of its own.
    fn read_made_line(&mut self, line: &str, moves: u64, text: &str) -> Result<(), String> {
        if self.has_ended {
            return Ok(());
        }
        let side = self.cursor.position().side_to_move();
        let Some(outcome) = Ending::from_made_line(text, side) else {
            if moves != self.moves_made() {
                return Err(format!("{:?} is no ending", moves::shorten(text)));
            }
            self.conclude(None, (!text.is_empty()).then_some(line));
            return Ok(());
        };
        // In a handicap game, it is not certain whom 先手 and 後手 mean.
        let is_even = self.game.start().side_to_move() == Color::Black;
        let is_clear = is_even || !text.contains(['先', '後']);
        let named = Ending::named_winner(text).filter(|_| is_clear).map(Some);
        let wins = outcome.ending.and_then(|ending| ending.winner(side));
        if named.is_some() && wins.is_some() && named != wins {
            let made = self.moves_made();
            if moves != made {
                return Err(wrong_count(moves, made));
            }
            self.game.add_comment(self.node_here(), line);
            return Ok(());
        }
        self.conclude(outcome.ending, outcome.comment.map(|_| line));
        Ok(())
    }

    fn read_ki2_line(&mut self, line: &str) -> Result<(), String> {
        let mut rest = line;
        while let Some(mark) = rest.chars().next() {
            let body = &rest[mark.len_utf8()..];
            let end = body.find(MARKS).map_or(rest.len(), |end| end + mark.len_utf8());
            let (entry, tail) = rest.split_at(end);
            rest = tail;
            if self.has_ended {
                return Err("a move behind the end of the game".to_owned());
            }
            match moves::read_ki2_entry(self.cursor.history(), entry)? {
                Ok(mv) => {
                    let played = self.cursor.play(&mut self.game, mv.to_usi());
                    let node = played.map_err(|illegal| illegal.to_string())?;
                    self.push(node);
                }
                Err(outcome) => {
                    self.conclude(outcome.ending, outcome.comment);
                }
            }
        }
        Ok(())
    }

    fn read_numbered(&mut self, digits: &str, text: &str, foul: bool) -> Result<(), String> {
        let (entry, time) = moves::read_kif_entry(self.cursor.history(), text)?;
        if self.has_ended {
            if std::mem::take(&mut self.foul) && matches!(entry, KifEntry::End(_)) {
                return Ok(());
            }
            return Err("it stands behind the end of the game".to_owned());
        }
        let line = self.lines.last().map_or((1, 0), |line| (line.first, line.nodes.len() as u64));
        let expected = line.0 + line.1;
        let number = moves::number_of(digits).ok_or("the number is too large")?;
        let offset = *self.offset.get_or_insert(number.saturating_sub(expected));
        let expected = expected.checked_add(offset).ok_or("the numbers are too large")?;
        if number != expected {
            return Err(format!("the number should be {expected}"));
        }
        let node = match entry {
            KifEntry::End(outcome) => match self.conclude(outcome.ending, outcome.comment) {
                Some(node) => node,
                None => return Ok(()),
            },
            KifEntry::Move(mv) => {
                let mv = mv.in_position(self.cursor.position())?;
                match self.cursor.play(&mut self.game, mv) {
                    Ok(node) => {
                        self.push(node);
                        node
                    }
                    Err(_) if foul => {
                        self.leave_out_foul(text, mv);
                        return Ok(());
                    }
                    Err(illegal) => return Err(format!("{mv}: {illegal}")),
                }
            }
        };
        // A move that several lines share keeps its first time.
        self.game.set_time(node, self.game.node(node).time().or(time));
        Ok(())
    }

    /// Ends the line before a move that the record calls a foul.
    fn leave_out_foul(&mut self, text: &str, mv: UsiMove) {
        let node = self.end(Ending::FoulLoss);
        let text = text.split(['(', '（']).next().unwrap_or(text).trim_end();
        self.game.add_comment(node, &foul_comment(text, mv));
        self.foul = true;
    }
}

/// Ends a game whose last comment says that it was lost on time or with the connection: 81Dojo says so
/// nowhere else.
fn end_as_81dojo(game: &mut Game) {
    let last = game.main_line().last().unwrap_or(NodeId::ROOT);
    let is_end =
        |comment: &String| matches!(comment.trim(), "時間切れにて終局" | "接続切れにて終局");
    if game.ending().is_none() && game.node(last).comments().last().is_some_and(is_end) {
        game.add_ending(last, Ending::Timeout);
    }
}

fn wrong_count(counted: u64, made: u64) -> String {
    format!("the number of moves is {made}, not {counted}")
}

/// Whether the lines after a move say that it was a foul: 反則勝ち, or the comment of 81Dojo.
fn says_foul(lines: &[Cow<'_, str>]) -> bool {
    for line in lines.iter().map(|line| line.trim()) {
        if let Some((_, text)) = moves::numbered(line) {
            return text.trim_start_matches(MARKS).trim_start().starts_with("反則勝ち");
        }
        if line.starts_with("*反則手") {
            return true;
        }
        if !line.is_empty() && !line.starts_with(['*', '&', '#']) {
            return false;
        }
    }
    false
}
