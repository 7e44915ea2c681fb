//! Reading CSA.

use std::borrow::Cow;
use std::time::Duration;

use tsumero_core::{Color, PieceKind, UsiMove};

use super::board::Board;
use super::{HEADERS, color_of, take_square};
use crate::ending::foul_comment;
use crate::kif::milliseconds_of;
use crate::text::Text;
use crate::{BadGame, Cursor, Ending, Fault, Game, NodeId, names};

/// Reads all games of a file. They are separated by `/`, and where files were appended to each other,
/// the version begins the next one. After a bad line the rest of its game is skipped.
pub(crate) fn read(text: &Text) -> Vec<Result<Game, BadGame>> {
    let mut games = Vec::new();
    let mut reader = Reader::default();
    let mut bad: Option<BadGame> = None;
    let mut last = 1;
    let mut lines = text.numbered();
    while let Some((number, line)) = lines.next() {
        last = number;
        let is_separator = line.trim() == "/";
        let is_begun = bad.is_some() || reader.play.is_some();
        if is_separator || is_begun && is_version(line.trim_start()) {
            games.extend(close(&mut reader, &mut bad, number));
        }
        if bad.is_none() && !is_separator {
            let following = lines.clone().map(|(_, line)| line);
            bad = reader
                .read_line(line, following)
                .map_err(|fault| BadGame::new(number, fault))
                .err();
        }
    }
    games.extend(close(&mut reader, &mut bad, last));
    if games.is_empty() {
        games.push(Err(BadGame::new(1, "there is no game in the file")));
    }
    games
}

/// Whether a line or a statement is the version, which every program writes first: `V2.2`.
fn is_version(text: &str) -> bool {
    let version = text.strip_prefix(['V', 'v']);
    version.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Ends the current game, if there is one.
fn close(
    reader: &mut Reader,
    bad: &mut Option<BadGame>,
    number: usize,
) -> Option<Result<Game, BadGame>> {
    let reader = std::mem::take(reader);
    match bad.take() {
        Some(bad) => Some(Err(bad)),
        None if !reader.has_statement => None,
        None => Some(reader.finish().map_err(|fault| BadGame::new(number, fault))),
    }
}

/// The ending that follows a move, without its `%`, if one does. Times and comments may come between.
fn next_ending<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let statements = |line: &'a str| line.split(',').map(str::trim);
    let mut statements =
        lines.flat_map(|line| statements(line).take_while(|text| !text.starts_with('\'')));
    let next = statements.find(|text| !text.is_empty() && !text.starts_with(['T', 't']))?;
    Some(next.strip_prefix('%')?.trim().to_ascii_uppercase())
}

#[derive(Default)]
struct Reader {
    /// Whether there was anything but comments.
    has_statement: bool,
    board: Board,
    headers: Vec<(String, String)>,
    /// Comments before the side to move is known.
    comments: Vec<String>,
    play: Option<Play>,
}

struct Play {
    game: Game,
    cursor: Cursor,
    /// The last move or ending.
    last: NodeId,
    has_ended: bool,
}

impl Reader {
    fn read_line<'a>(
        &mut self,
        line: &'a str,
        following: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<(), Fault> {
        // The blanks at its end belong to a comment.
        let mut rest = line.trim_start();
        while !rest.trim().is_empty() {
            // Several statements may share a line, but comments, names and headers extend to its
            // end.
            let upper = |letter: char| letter.to_ascii_uppercase();
            let mut letters = rest.chars().map(upper);
            match (letters.next(), letters.next()) {
                (Some('\''), next) => {
                    if next == Some('*') {
                        self.add_comment(&rest[2..]);
                    }
                    return Ok(());
                }
                (Some('N'), Some('+' | '-')) | (Some('$'), _) => {
                    self.has_statement = true;
                    return Ok(self.read_header(rest)?);
                }
                _ => {
                    let (statement, tail) = rest.split_once(',').unwrap_or((rest, ""));
                    rest = tail;
                    if !statement.trim().is_empty() {
                        let following = std::iter::once(tail).chain(following.clone());
                        self.read_statement(statement.trim(), following)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_comment(&mut self, comment: &str) {
        match &mut self.play {
            Some(play) => play.game.add_comment(play.last, comment),
            None => self.comments.push(comment.to_owned()),
        }
    }

    fn read_header(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = match line.split_at_checked(2) {
            Some(("N+" | "n+", name)) => ("先手", name),
            Some(("N-" | "n-", name)) => ("後手", name),
            _ => {
                let header = line.split_once(':').ok_or("a '$' line without a colon")?;
                let known = HEADERS.iter().find(|(csa, _)| *csa == header.0);
                let name = known.map_or_else(|| own_name(header.0), |(_, kif)| kif);
                (name, header.1)
            }
        };
        self.headers.push((name.to_owned(), value.trim().to_owned()));
        Ok(())
    }

    /// Reads a statement; `following` is the rest of the line, and the lines after it.
    fn read_statement<'a>(
        &mut self,
        statement: &str,
        following: impl Iterator<Item = &'a str>,
    ) -> Result<(), Fault> {
        self.has_statement = true;
        let mut upper = Cow::Borrowed(statement);
        if upper.contains(|c: char| c.is_ascii_lowercase()) {
            upper.to_mut().make_ascii_uppercase();
        }
        let unknown = || format!("{statement:?} is no statement of CSA");
        let (first, rest) = upper.split_at_checked(1).ok_or_else(unknown)?;
        match first {
            "V" if is_version(statement) => Ok(()),
            "P" if self.play.is_some() => {
                Err("a position behind the first move (the line / begins another game)".into())
            }
            "P" => Ok(self.board.read(rest)?),
            "+" | "-" if rest.is_empty() => match self.play {
                None => self.begin(if first == "+" { Color::Black } else { Color::White }),
                Some(_) => Err("the side to move is given twice".into()),
            },
            "+" | "-" => {
                let color = first.chars().next().and_then(color_of).ok_or_else(unknown)?;
                let ending = next_ending(following);
                let ending = ending.and_then(|word| Ending::from_csa_word(&word, color));
                let is_foul = ending == Some(Ending::FoulLoss);
                Ok(self.play()?.read_move(color, rest, &upper, is_foul)?)
            }
            "%" => Ok(self.play()?.read_ending(rest)?),
            "T" => Ok(self.play()?.read_time(rest).ok_or_else(unknown)?),
            _ => Err(unknown().into()),
        }
    }

    fn begin(&mut self, side_to_move: Color) -> Result<(), Fault> {
        let mut game = Game::new(self.board.position(side_to_move)?);
        self.comments.drain(..).for_each(|line| game.add_comment(NodeId::ROOT, &line));
        let cursor = Cursor::new(&game);
        self.play = Some(Play { game, cursor, last: NodeId::ROOT, has_ended: false });
        Ok(())
    }

    /// The game. Black begins if the file does not say who does.
    fn play(&mut self) -> Result<&mut Play, Fault> {
        if self.play.is_none() {
            self.begin(Color::Black)?;
        }
        Ok(self.play.as_mut().expect("it has just been made"))
    }

    fn finish(mut self) -> Result<Game, Fault> {
        self.play()?;
        let mut game = self.play.expect("it has just been made").game;
        // The players come first, as most programs write them.
        self.headers.sort_by_key(|(name, _)| match name.as_str() {
            "先手" => 0,
            "後手" => 1,
            _ => 2,
        });
        // CSA has the same names for the players of all games.
        let [black, white] = game.player_headers();
        for (name, value) in &self.headers {
            let name = match name.as_str() {
                "先手" => black,
                "後手" => white,
                name => name,
            };
            game.add_header(name, value);
        }
        Ok(game)
    }
}

/// The name of a header that CSA does not define. A Japanese name is one of KIF, without the `$`.
fn own_name(name: &str) -> &str {
    match name.strip_prefix('$') {
        Some(japanese) if !japanese.is_ascii() => japanese,
        _ => name,
    }
}

impl Play {
    /// Reads a move. If the record calls it a foul and it is illegal, the game ends before it, and a
    /// comment contains it.
    fn read_move(
        &mut self,
        color: Color,
        text: &str,
        whole: &str,
        is_foul: bool,
    ) -> Result<(), String> {
        let bad = || format!("{whole:?} is no move");
        let (from, rest) = take_square(text).ok_or_else(bad)?;
        let (to, name) = take_square(rest).ok_or_else(bad)?;
        let to = to.ok_or_else(bad)?;
        let kind = names::csa_kind(name).ok_or_else(bad)?;
        if self.has_ended {
            return Err(format!("{whole} stands behind the end of the game"));
        }
        let position = self.cursor.position();
        let number = self.game.node(self.last).number() + 1;
        let wrong = |reason: String| format!("move {number} {whole}: {reason}");
        if color != position.side_to_move() {
            return Err(wrong("it is the other side's turn".to_owned()));
        }
        let mv = match from {
            None if PieceKind::HAND.contains(&kind) => UsiMove::Drop { kind, to },
            None => return Err(wrong("such a piece is never in hand".to_owned())),
            Some(from) => {
                let own = position.piece_at(from).filter(|piece| piece.color() == color);
                let stands = own.map(|piece| piece.kind());
                let promotes =
                    stands.is_some_and(|kind_before| kind_before.promoted() == Some(kind));
                if let Some(before) = stands.filter(|&before| before != kind && !promotes) {
                    let before = names::csa_name(before);
                    return Err(wrong(format!("the piece on the origin is {before}")));
                }
                UsiMove::Board { from, to, promotes }
            }
        };
        match self.cursor.play(&mut self.game, mv) {
            Ok(node) => self.last = node,
            Err(_) if is_foul => {
                self.last = self.game.add_ending(self.last, Ending::FoulLoss);
                self.has_ended = true;
                self.game.add_comment(self.last, &foul_comment(whole, mv));
            }
            Err(illegal) => return Err(wrong(illegal.to_string())),
        }
        Ok(())
    }

    fn read_ending(&mut self, word: &str) -> Result<(), String> {
        let side = self.cursor.position().side_to_move();
        let ending = Ending::from_csa_word(word, side);
        let ending = ending.ok_or_else(|| format!("%{word} is no ending"))?;
        // Servers write the engine's word and then their own. The first counts.
        if self.has_ended {
            return Ok(());
        }
        self.last = self.game.add_ending(self.last, ending);
        self.has_ended = true;
        Ok(())
    }

    /// Reads `12` or `12.345` after the `T`; `None` if it is not a time.
    fn read_time(&mut self, text: &str) -> Option<()> {
        let time = Duration::from_millis(milliseconds_of(text)?);
        self.game.set_time(self.last, Some(time));
        Some(())
    }
}
