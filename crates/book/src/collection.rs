//! Making books: collects moves of games and of analyzed positions, and writes a book.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use tsumero_core::{GameResult, Move, Position, UsiMove};

use crate::{BookMove, head};

/// How moves are collected.
///
/// ```
/// use tsumero_book::{Collection, CollectionOptions};
/// use tsumero_core::Position;
/// let options = CollectionOptions { plies: 2, ignore_ply: true };
/// let mut collection = Collection::new(options);
/// let mut position = Position::startpos();
/// for word in ["7g7f", "3c3d", "2g2f"] {
///     let mv = position.parse_move(word)?;
///     collection.add_played(&position, mv, None, None);
///     position.play_unchecked(mv);
/// }
/// // The third move was not collected.
/// assert_eq!(collection.positions(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CollectionOptions {
    /// Moves up to this number are collected.
    pub plies: u32,
    /// Whether positions with different move numbers count as the same position.
    pub ignore_ply: bool,
}

/// The depth that is written for a move that was not searched. YaneuraOu writes the same for games,
/// so such moves pass the usual depth limit.
const DEPTH_OF_GAMES: u32 = 32;
/// The number of drawn games that are added to the games of a move before its value is computed. So
/// a few games have little influence.
const DRAWS_ADDED: f64 = 10.0;
/// The value at which a side wins 73 of 100 games: 1 / (1 + 1/e).
const SCALE: f64 = 600.0;

/// The smallest value of a mate. A mate is proven at any depth.
const MATES: i32 = 31_000;

/// The moves of many games and positions.
///
/// ```
/// use tsumero_book::{Book, Collection, CollectionOptions, Lookup};
/// use tsumero_core::{GameResult, Position};
/// let mut collection = Collection::new(CollectionOptions { plies: 20, ignore_ply: false });
/// let start = Position::startpos();
/// let result = Some(GameResult::Win);
/// collection.add_played(&start, start.parse_move("7g7f").unwrap(), None, result);
/// let mut text = Vec::new();
/// collection.write(&mut text, 1).unwrap();
/// let book = Book::from_bytes(text).unwrap();
/// assert_eq!(book.find(&start, Lookup::default()).unwrap()[0].count, Some(1));
/// ```
#[derive(Debug)]
pub struct Collection {
    options: CollectionOptions,
    positions: HashMap<String, Recorded>,
}

/// The data collected for a position.
#[derive(Debug)]
struct Recorded {
    /// The position line without the move number.
    text: String,
    /// The smallest move number.
    ply: u32,
    moves: BTreeMap<u16, Tally>,
}

/// The data collected for a move.
#[derive(Default, Debug)]
struct Tally {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// How often it was the best move of an analyzed position.
    chosen: u64,
    replies: BTreeMap<u16, u64>,
    analyzed: Option<Analyzed>,
}

#[derive(Clone, Copy, Debug)]
struct Analyzed {
    value: i32,
    depth: u32,
    reply: Option<UsiMove>,
    /// Whether it has been one of the lines of an analysis.
    is_line: bool,
}

impl Analyzed {
    /// The value, at most so much that the move stands below the lines of the deepest analysis if it has
    /// less depth: it was not among them. `limit` has their depth and the worst of their values.
    fn value_below(&self, limit: Option<(u32, i32)>) -> i32 {
        match limit {
            Some((depth, worst)) if self.depth < depth && self.value < MATES => {
                self.value.min(worst.saturating_sub(1))
            }
            _ => self.value,
        }
    }
}

impl Tally {
    /// The value that corresponds to the results of the games.
    fn value_of_games(&self) -> i32 {
        let (wins, draws) = (self.wins as f64, self.draws as f64);
        let all = wins + draws + self.losses as f64 + DRAWS_ADDED;
        let rate = (wins + (draws + DRAWS_ADDED) / 2.0) / all;
        (SCALE * (rate / (1.0 - rate)).ln()).round() as i32
    }

    fn usual_reply(&self) -> Option<UsiMove> {
        // Among equal counts the first reply, so that the order of the games does not matter.
        let best = self.replies.iter().rev().max_by_key(|(_, count)| **count)?;
        UsiMove::unpack(*best.0)
    }

    fn entry(&self, mv: UsiMove, limit: Option<(u32, i32)>, worst_line: Option<i32>) -> BookMove {
        let (value, depth, ponder) = match (&self.analyzed, worst_line) {
            (Some(found), _) => (found.value_below(limit), found.depth, found.reply),
            // It was not among the lines of the analysis, so its value is below all of theirs.
            (None, Some(worst)) => {
                let value = self.value_of_games().min(worst.saturating_sub(1));
                (value, 0, self.usual_reply())
            }
            (None, None) => (self.value_of_games(), DEPTH_OF_GAMES, self.usual_reply()),
        };
        BookMove {
            mv,
            ponder,
            value: Some(value),
            depth: Some(depth),
            count: Some(self.games.max(self.chosen)),
        }
    }
}

impl Recorded {
    /// The moves for the book, the best first.
    fn entries(&self, min_count: u64) -> Vec<BookMove> {
        let found = || self.moves.values().filter_map(|tally| tally.analyzed);
        let lines = || found().filter(|found| found.is_line);
        let deepest = lines().map(|line| line.depth).max();
        let worst = lines().filter(|line| Some(line.depth) == deepest).map(|line| line.value).min();
        let limit = deepest.zip(worst);
        let worst = lines().map(|line| line.value_below(limit)).min();
        let moves = self
            .moves
            .iter()
            .filter(|(_, tally)| tally.analyzed.is_some() || tally.games >= min_count);
        let mut entries: Vec<BookMove> = moves
            .filter_map(|(&packed, tally)| {
                Some(tally.entry(UsiMove::unpack(packed)?, limit, worst))
            })
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse((entry.value, entry.count)));
        entries
    }
}

impl Collection {
    /// An empty collection.
    pub fn new(options: CollectionOptions) -> Collection {
        Collection { options, positions: HashMap::new() }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    fn tally(&mut self, position: &Position, mv: UsiMove) -> Option<&mut Tally> {
        let ply = position.ply();
        if ply > self.options.plies {
            return None;
        }
        let text = position.to_sfen_without_move_number();
        let name = if self.options.ignore_ply { text.clone() } else { format!("{text} {ply}") };
        let new = || Recorded { text, ply, moves: BTreeMap::new() };
        let recorded = self.positions.entry(name).or_insert_with(new);
        recorded.ply = recorded.ply.min(ply);
        Some(recorded.moves.entry(mv.pack()).or_default())
    }

    /// Adds a move of a game, with the reply to it if there was one, and the result of the game, if it
    /// has one, for the side that made the move.
    ///
    /// ```
    /// use tsumero_book::{Book, Collection, CollectionOptions, Lookup};
    /// use tsumero_core::{Color, GameResult, Position};
    /// let mut collection = Collection::new(CollectionOptions { plies: 20, ignore_ply: false });
    /// let (mut position, winner) = (Position::startpos(), Some(Color::White));
    /// for word in ["7g7f", "3c3d"] {
    ///     let result = GameResult::for_side(position.side_to_move(), winner);
    ///     let mv = position.parse_move(word)?;
    ///     collection.add_played(&position, mv, None, Some(result));
    ///     position.play_unchecked(mv);
    /// }
    /// let mut text = Vec::new();
    /// collection.write(&mut text, 1)?;
    /// let found = Book::from_bytes(text)?.find(&Position::startpos(), Lookup::default())?;
    /// // Black lost. One game has little influence on the value.
    /// assert_eq!(found[0].value, Some(-109));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_played(
        &mut self,
        position: &Position,
        mv: Move,
        reply: Option<Move>,
        result: Option<GameResult>,
    ) {
        let Some(tally) = self.tally(position, mv.to_usi()) else { return };
        tally.games += 1;
        match result {
            Some(GameResult::Win) => tally.wins += 1,
            Some(GameResult::Draw) => tally.draws += 1,
            Some(GameResult::Loss) => tally.losses += 1,
            None => {}
        }
        if let Some(reply) = reply {
            *tally.replies.entry(reply.to_usi().pack()).or_default() += 1;
        }
    }

    /// Adds a line of an analyzed position: its value for the side to move, its depth, and its place
    /// among the lines, from 0; `None` for a move that was not among them. Of several analyses the
    /// deepest counts, and among equal depths the last. A move that has less depth than the deepest lines
    /// of the position is worth less than they are, unless it mates: its value is above 31000.
    pub fn add_analyzed(
        &mut self,
        position: &Position,
        line: &[Move],
        value: i32,
        depth: u32,
        place: Option<usize>,
    ) {
        let Some(first) = line.first() else { return };
        let Some(tally) = self.tally(position, first.to_usi()) else { return };
        tally.chosen += u64::from(place == Some(0));
        let reply = line.get(1).map(|mv| mv.to_usi());
        let found = Analyzed { value, depth, reply, is_line: place.is_some() };
        let known = tally.analyzed.get_or_insert(found);
        let is_line = known.is_line || found.is_line;
        if known.depth <= depth {
            *known = found;
        }
        known.is_line = is_line;
    }

    /// Writes the book: positions sorted by their lines, moves from the best to the worst. A move
    /// that was played less often than `min_count` is omitted unless it was analyzed. Returns the
    /// number of positions written.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write(&self, mut out: impl Write, min_count: u64) -> io::Result<usize> {
        // The first lines have a checksum of all others.
        let mut body = Vec::new();
        let mut positions: Vec<(String, &Recorded)> = self
            .positions
            .values()
            .map(|recorded| (format!("sfen {} {}", recorded.text, recorded.ply), recorded))
            .collect();
        positions.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut written = 0;
        for (line, recorded) in positions {
            let entries = recorded.entries(min_count);
            if entries.is_empty() {
                continue;
            }
            written += 1;
            writeln!(body, "{line}")?;
            entries.iter().try_for_each(|entry| writeln!(body, "{entry}"))?;
        }
        out.write_all(head(crc32fast::hash(&body)).as_bytes())?;
        out.write_all(&body)?;
        out.flush()?;
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Book, Lookup};

    fn after(moves: &str) -> Position {
        let mut position = Position::startpos();
        for word in moves.split_ascii_whitespace() {
            position.play_unchecked(position.parse_move(word).unwrap());
        }
        position
    }

    fn find(collection: &Collection, position: &Position, min_count: u64) -> Vec<String> {
        let mut text = Vec::new();
        collection.write(&mut text, min_count).unwrap();
        let book = Book::from_bytes(text).unwrap();
        let entries = book.find(position, Lookup::default()).unwrap();
        entries.iter().map(ToString::to_string).collect()
    }

    /// Plays a move `times` times.
    fn play(collection: &mut Collection, words: [&str; 2], times: u32, result: Option<GameResult>) {
        let start = Position::startpos();
        let mv = start.parse_move(words[0]).unwrap();
        let reply = after(words[0]).parse_move(words[1]).unwrap();
        (0..times).for_each(|_| collection.add_played(&start, mv, Some(reply), result));
    }

    const OPTIONS: CollectionOptions = CollectionOptions { plies: 3, ignore_ply: false };

    #[test]
    fn results_are_values_and_a_few_games_say_little() {
        let mut collection = Collection::new(OPTIONS);
        play(&mut collection, ["7g7f", "3c3d"], 30, Some(GameResult::Win));
        play(&mut collection, ["7g7f", "8c8d"], 10, Some(GameResult::Loss));
        play(&mut collection, ["2g2f", "8c8d"], 1, Some(GameResult::Win));
        play(&mut collection, ["2g2f", "3c3d"], 2, None);
        play(&mut collection, ["5g5f", "8c8d"], 2, Some(GameResult::Draw));
        // 35 of 50 and 6 of 11: 600 ln(35/15) and 600 ln(6/5).
        let expected = ["7g7f 3c3d 508 32 40", "2g2f 3c3d 109 32 3", "5g5f 8c8d 0 32 2"];
        let start = Position::startpos();
        assert_eq!(find(&collection, &start, 0), expected);
        assert_eq!(find(&collection, &start, 3), expected[..2]);
        assert_eq!(find(&collection, &start, 40), expected[..1]);
    }

    #[test]
    fn analysis_counts_more_than_results_and_the_deepest_most() {
        let mut collection = Collection::new(OPTIONS);
        let start = Position::startpos();
        let line = |moves: &str| -> Vec<Move> {
            let mut position = Position::startpos();
            let words = moves.split(' ');
            let play = |word| {
                let mv = position.parse_move(word).unwrap();
                position.play_unchecked(mv);
                mv
            };
            words.map(play).collect()
        };
        play(&mut collection, ["5g5f", "8c8d"], 90, Some(GameResult::Win));
        collection.add_analyzed(&start, &line("7g7f 3c3d 2g2f"), 50, 20, Some(0));
        collection.add_analyzed(&start, &line("2g2f 8c8d"), 40, 20, Some(1));
        collection.add_analyzed(&start, &line("2g2f"), 90, 19, Some(0));
        collection.add_analyzed(&start, &[], 90, 30, Some(0));
        let expected = ["7g7f 3c3d 50 20 1", "2g2f 8c8d 40 20 1", "5g5f 8c8d 39 0 90"];
        assert_eq!(find(&collection, &start, 91), expected[..2]);
        assert_eq!(find(&collection, &start, 0), expected);
        // A blunder says nothing about the moves that were not analyzed.
        collection.add_analyzed(&start, &line("9g9f"), -900, 20, None);
        assert_eq!(find(&collection, &start, 90)[..3], expected);
        // The lines of a shallow analysis are below those of a deep one, except a proven mate.
        collection.add_analyzed(&start, &line("1g1f"), 70, 19, Some(0));
        collection.add_analyzed(&start, &line("6g6f"), 60, 19, None);
        collection.add_analyzed(&start, &line("3g3f"), 31_999, 0, None);
        let expected = [
            "3g3f none 31999 0 0",
            "7g7f 3c3d 50 20 1",
            "2g2f 8c8d 40 20 1",
            "1g1f none 39 19 1",
            "6g6f none 39 19 0",
            "5g5f 8c8d 38 0 90",
            "9g9f none -900 20 0",
        ];
        assert_eq!(find(&collection, &start, 0), expected);
    }

    #[test]
    fn numbers_of_moves_part_positions_unless_they_do_not_count() {
        for (ignore_ply, counts) in [(false, [2, 1]), (true, [3, 3])] {
            let mut collection = Collection::new(CollectionOptions { plies: 9, ignore_ply });
            let early = Position::startpos();
            let late = after("4i4h 6a6b 4h4i 6b6a");
            assert_eq!((early.ply(), late.ply()), (1, 5));
            for position in [&late, &early, &early] {
                let mv = position.parse_move("7g7f").unwrap();
                collection.add_played(position, mv, None, None);
            }
            assert_eq!(collection.positions(), if ignore_ply { 1 } else { 2 });
            let mut text = Vec::new();
            collection.write(&mut text, 0).unwrap();
            let book = Book::from_bytes(text).unwrap();
            let lookup = Lookup { ignore_ply, flipped: false };
            for (position, count) in [early, late].iter().zip(counts) {
                assert_eq!(book.find(position, lookup).unwrap()[0].count, Some(count));
            }
        }
    }

    #[test]
    fn late_moves_are_left_out() {
        let mut collection = Collection::new(OPTIONS);
        let late = after("7g7f 3c3d 2g2f");
        collection.add_played(&late, late.parse_move("8c8d").unwrap(), None, Some(GameResult::Win));
        assert_eq!(collection.positions(), 0);
        let mut text = Vec::new();
        assert_eq!(collection.write(&mut text, 0).unwrap(), 0);
        assert_eq!(text, b"#YANEURAOU-DB2016 1.00\n# made by tsumero book make 00000000\n");
    }
}
