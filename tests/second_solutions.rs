//! `tsume check --json` on problems with second solutions: it lists all of them, and nothing else. The
//! list of each problem in `data/second_solutions.csv` comes from brute force, which shares nothing with
//! the mate solver: all legal moves that turn out to give check, and all legal replies, up to a bound
//! that no second solution of the file exceeds.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use tsumero_core::{Color, File, Hand, Line, Move, Piece, PieceKind, Position, Rank, Square};

use crate::harness::run_to_end;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/second_solutions.csv");

/// The longest second solution that brute force looks for in a problem of so many plies.
fn longest(plies: usize) -> usize {
    (plies + 4).min(9)
}

/// A search of all checks and all replies from one position.
struct BruteForce {
    position: Line,
    /// For positions with the attacker to move: no mate within so many plies, and a mate within so
    /// many.
    known: HashMap<u64, (usize, usize)>,
    /// The most positions that may be looked at, and whether there were more.
    most: usize,
    is_over: bool,
}

const NEVER: usize = usize::MAX;

impl BruteForce {
    fn of(sfen: &str, most: usize) -> BruteForce {
        let position = Line::from(&Position::from_sfen(sfen).unwrap());
        BruteForce { position, known: HashMap::new(), most, is_over: false }
    }

    /// Whether the attacker, who is to move, mates within so many plies.
    fn mates(&mut self, plies: usize) -> bool {
        let key = self.position.key();
        let &(none, mate) = self.known.get(&key).unwrap_or(&(0, NEVER));
        if plies <= none || plies >= mate {
            return plies >= mate;
        }
        self.is_over |= self.known.len() >= self.most;
        let mates = !self.is_over
            && self.position.legal_moves().into_iter().any(|mv| self.mates_by(mv, plies));
        self.known.insert(key, if mates { (none, plies) } else { (plies, mate) });
        mates
    }

    /// Whether a move gives check and mates within so many plies, itself included.
    fn mates_by(&mut self, mv: Move, plies: usize) -> bool {
        self.position.do_move(mv);
        let mates = self.position.in_check()
            && self.position.legal_moves().into_iter().all(|reply| {
                plies >= 3 && {
                    self.position.do_move(reply);
                    let mates = self.mates(plies - 2);
                    self.position.undo_move();
                    mates
                }
            });
        self.position.undo_move();
        mates
    }

    /// The length of the shortest mate, if it is at most so many plies.
    fn length(&mut self, most: usize) -> Option<usize> {
        (1..=most).step_by(2).find(|&plies| self.mates(plies))
    }

    /// The length of the shortest mate by a move, if it is at most so many plies.
    fn length_by(&mut self, mv: Move, most: usize) -> Option<usize> {
        (1..=most).step_by(2).find(|&plies| self.mates_by(mv, plies))
    }

    /// The replies that last longest in a position that is mated in so many plies.
    fn longest_replies(&mut self, plies: usize) -> Vec<Move> {
        let mut replies = self.position.legal_moves().to_vec();
        replies.retain(|&reply| {
            self.position.do_move(reply);
            let is_longest = plies < 3 || !self.mates(plies - 3);
            self.position.undo_move();
            is_longest
        });
        replies
    }

    /// A shortest mate against a longest defense.
    fn line(&mut self, plies: usize) -> Vec<String> {
        let (mut line, mut left) = (Vec::new(), plies);
        while left > 0 {
            let mut moves = match (plies - left).is_multiple_of(2) {
                true => self.position.legal_moves().to_vec(),
                false => self.longest_replies(left),
            };
            if (plies - left).is_multiple_of(2) {
                moves.retain(|&mv| self.mates_by(mv, left));
            }
            // There is none if the search is over.
            let Some(&mv) = moves.first() else { break };
            line.push(mv.to_string());
            self.position.do_move(mv);
            left -= 1;
        }
        (left..plies).for_each(|_| self.position.undo_move());
        line
    }

    /// The second solutions along a line of best moves, as the file writes them, and the other last
    /// moves that mate.
    fn second_solutions(&mut self, line: &[String]) -> (Vec<String>, Vec<String>) {
        let (mut second, mut last) = (Vec::new(), Vec::new());
        let most = longest(line.len());
        assert!(self.is_over || self.length(line.len()) == Some(line.len()), "{line:?}");
        for (ply, mv) in line.iter().enumerate() {
            let left = line.len() - ply;
            let moves = self.position.legal_moves().to_vec();
            let this = moves.iter().copied().find(|each| each.to_string() == *mv);
            let this = this.unwrap_or_else(|| panic!("{mv} of {line:?} is no move"));
            if ply % 2 == 1 {
                let is_longest = self.longest_replies(left).contains(&this);
                assert!(is_longest || self.is_over, "{mv} of {line:?}");
            } else {
                let mates = self.mates_by(this, left);
                assert!(mates || self.is_over, "{mv} of {line:?} mates too late");
                for other in moves.into_iter().filter(|&other| other != this) {
                    match self.length_by(other, if left == 1 { 1 } else { most }) {
                        Some(_) if left == 1 => last.push(other.to_string()),
                        Some(plies) => second.push(format!("{ply}:{other}:{plies}")),
                        None => {}
                    }
                }
            }
            self.position.do_move(this);
        }
        (0..line.len()).for_each(|_| self.position.undo_move());
        second.sort();
        last.sort();
        (second, last)
    }

    /// Whether exactly one check mates in each position with the attacker to move, on all lines that
    /// last for all of the plies. The last move does not count.
    fn is_sound(&mut self, plies: usize, most: usize) -> bool {
        if plies == 1 {
            return true;
        }
        let moves = self.position.legal_moves().to_vec();
        let mating: Vec<Move> = moves.into_iter().filter(|&mv| self.mates_by(mv, most)).collect();
        let [solution] = mating[..] else { return false };
        self.position.do_move(solution);
        let replies = self.longest_replies(plies - 1);
        let is_sound = replies.into_iter().all(|reply| {
            self.position.do_move(reply);
            let is_sound = self.is_sound(plies - 2, most);
            self.position.undo_move();
            is_sound
        });
        self.position.undo_move();
        is_sound
    }
}

/// A row of the file.
struct Row {
    sfen: String,
    line: Vec<String>,
    second: Vec<String>,
    last: Vec<String>,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn rows() -> Vec<Row> {
    let mut reader = csv::Reader::from_path(FILE).unwrap();
    let names = ["sfen", "plies", "second", "last", "source"];
    assert!(reader.headers().unwrap().iter().eq(names));
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record.unwrap();
        let (sfen, line) = record[0].split_once(" moves ").unwrap();
        let line = words(line);
        assert_eq!(record[1].parse(), Ok(line.len()));
        Row { sfen: sfen.to_owned(), line, second: words(&record[2]), last: words(&record[3]) }
    };
    reader.records().map(row).collect()
}

/// What the program says of the problems, one JSON line each.
fn check(input: &str) -> Vec<Value> {
    let words = "tsume check --json --file - --threads 2 --nodes 5000";
    let run = run_to_end(words.split(' '), input);
    assert!(run.code < 2, "{}", run.errors);
    run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The second solutions and the last moves of a JSON line, as the file writes them.
fn listed(answer: &Value) -> (Vec<String>, Vec<String>) {
    let second = answer["second"].as_array().unwrap().iter();
    let second = second
        .map(|one| format!("{}:{}:{}", one["ply"], one["move"].as_str().unwrap(), one["plies"]));
    let (mut second, mut last) = (second.collect::<Vec<_>>(), texts(&answer["last"]));
    second.sort();
    last.sort();
    (second, last)
}

#[test]
fn the_lists_of_the_file_are_those_of_brute_force() {
    let rows = rows();
    let with_second = rows.iter().filter(|row| !row.second.is_empty()).count();
    assert_eq!((with_second, rows.len()), (100, 120));
    for Row { sfen, line, second, last } in &rows {
        let found = BruteForce::of(sfen, NEVER).second_solutions(line);
        assert_eq!((&found.0, &found.1), (second, last), "{sfen}");
    }
}

#[test]
fn every_second_solution_is_listed_and_nothing_else() {
    let rows = rows();
    let text = |row: &Row| format!("{} moves {}\n", row.sfen, row.line.join(" "));
    let answers = check(&rows.iter().map(text).collect::<String>());
    assert_eq!(answers.len(), rows.len());
    for (row, answer) in rows.iter().zip(&answers) {
        let sfen = &row.sfen;
        assert_eq!(texts(&answer["line"]), row.line, "{sfen}");
        assert_eq!(answer["plies"], row.line.len(), "{sfen}");
        assert_eq!(listed(answer), (row.second.clone(), row.last.clone()), "{sfen}");
        assert!(row.second.is_empty() || answer["sound"] == false, "{sfen}");
        // Few nodes may leave some other checks undecided, which brute force has decided.
        let is_open = answer.get("undecided").is_some();
        assert!(!is_open || answer["sound"] == false, "{sfen}");
    }
}

/// Without a solution in the file, the program takes one of its own.
#[test]
fn lines_that_the_program_chooses_are_judged_as_well() {
    let rows = rows();
    let answers = check(&rows.iter().map(|row| format!("{}\n", row.sfen)).collect::<String>());
    let (mut sound, mut judged) = (0, 0);
    for (row, answer) in rows.iter().zip(&answers) {
        let line = texts(&answer["line"]);
        // Along another line there may be more than can be compared.
        let is_open = answer.get("undecided").is_some() || answer.get("unknown").is_some();
        if is_open || is_long(answer, line.len()) {
            continue;
        }
        judged += 1;
        let mut search = BruteForce::of(&row.sfen, NEVER);
        assert_eq!(listed(answer), search.second_solutions(&line), "{}", row.sfen);
        let is_sound = search.is_sound(line.len(), longest(line.len()));
        assert_eq!(answer["sound"], is_sound, "{}", row.sfen);
        sound += usize::from(answer["sound"] == true);
    }
    assert!(judged >= 60 && sound >= 10, "{judged} {sound}");
}

/// Whether the program lists a second solution that is too long for brute force.
fn is_long(answer: &Value, plies: usize) -> bool {
    let second = answer["second"].as_array().unwrap().iter();
    second.into_iter().any(|one| one["plies"].as_u64().unwrap() as usize > longest(plies))
}

/// Whether the program says that it cannot decide a second solution of brute force with its nodes.
fn is_undecided(answer: &Value, second: &str) -> bool {
    let open = answer.get("undecided").and_then(Value::as_array).into_iter().flatten();
    open.into_iter().any(|one| {
        let this = format!("{}:{}:", one["ply"], one["move"].as_str().unwrap());
        second.starts_with(&this)
    })
}

/// The most positions that brute force looks at in a problem of the file.
const MOST_POSITIONS: usize = 8_000;

/// A small change of a problem: a piece more in the attacker's hand, or a piece less on the board.
/// Pieces come from and go to the defender's hand.
fn changed(position: &Position, choice: u64) -> Option<(Position, String)> {
    let (attacker, defender) = (position.side_to_move(), position.side_to_move().opponent());
    let mut hands = [position.hand(attacker), position.hand(defender)];
    let mut board: Vec<(Square, Piece)> = position.pieces().collect();
    let what;
    if choice.is_multiple_of(2) {
        let kind = PieceKind::HAND[(choice / 2) as usize % PieceKind::HAND.len()];
        if !hands[1].contains(kind) {
            return None;
        }
        hands = [hands[0].with(kind), hands[1].without(kind)];
        what = format!("one {} more in hand", kind.letter());
    } else {
        let (square, piece) = board.swap_remove((choice / 2) as usize % board.len());
        if piece.kind() == PieceKind::King {
            return None;
        }
        hands[1] = hands[1].with(piece.kind().unpromoted());
        what = format!("without the piece on {square}");
    }
    let mut text = String::new();
    for rank in Rank::all() {
        for file in File::all().rev() {
            let square = Square::new(file, rank);
            match board.iter().find(|(each, _)| *each == square) {
                Some((_, piece)) => text += &piece.to_string(),
                None => text.push('1'),
            }
        }
        text.push('/');
    }
    text.pop();
    text += if attacker == Color::Black { " b " } else { " w " };
    for (color, hand) in [attacker, defender].into_iter().zip(hands) {
        for (kind, count) in Hand::iter(hand) {
            let piece = Piece::new(color, kind);
            text += &format!("{count}{piece}");
        }
    }
    Some((Position::from_sfen(&format!("{text} 1")).ok()?, what))
}

/// How many problems of the file have second solutions, and how many have none.
const WANTED: [usize; 2] = [100, 20];
/// Problems that are made beyond those. One is left out if the program lists a second solution that is
/// too long for brute force, or says that it cannot decide one that brute force found. One for which the
/// program lists too little is not.
const SPARE: usize = 60;

/// A problem with the lists of brute force, if it is short enough.
fn made(position: &Position, source: &str) -> Option<Vec<String>> {
    // Drops from any distance are second solutions of any length.
    let held = position.hand(position.side_to_move());
    if [PieceKind::Lance, PieceKind::Bishop, PieceKind::Rook]
        .iter()
        .any(|&kind| held.contains(kind))
    {
        return None;
    }
    let mut search = BruteForce::of(&position.to_sfen(), MOST_POSITIONS);
    let plies = search.length(7).filter(|&plies| plies >= 3)?;
    let line = search.line(plies);
    if search.is_over {
        return None;
    }
    let (second, last) = search.second_solutions(&line);
    let is_sound = search.is_sound(plies, longest(plies));
    if search.is_over || second.len() > 12 || second.is_empty() && !is_sound {
        return None;
    }
    let problem = format!("{position} moves {}", line.join(" "));
    Some(vec![problem, plies.to_string(), second.join(" "), last.join(" "), source.to_owned()])
}

/// Makes the file: problems of the collections with small changes. Run it after a change of the rules
/// of the selection, and look at what has become different.
#[test]
#[ignore = "writes tests/data/second_solutions.csv"]
fn make_the_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
    let mut sources = Vec::new();
    // Small problems have few checks, and brute force gets to an end.
    for (plies, count) in [(3, 80), (5, 20)] {
        let words = format!("tsume generate --plies {plies} --count {count} --seed 77 --threads 2");
        let made = run_to_end(words.split(' '), "").output;
        for (number, row) in made.lines().skip(1).enumerate() {
            let name = format!("generate --plies {plies} --seed 77 number {}", number + 1);
            sources.push((row.split(',').next().unwrap().to_owned(), name));
        }
    }
    for name in ["tsume5", "tsume/mate3", "tsume/mate5"] {
        let mut reader = csv::Reader::from_path(format!("{folder}/{name}.csv")).unwrap();
        for (row, record) in reader.records().map(Result::unwrap).enumerate() {
            // Boards from games have too many checks.
            if name == "tsume5" || record[3].starts_with("random small") {
                sources.push((record[0].to_owned(), format!("{name} row {}", row + 1)));
            }
        }
    }
    let (mut seen, mut found) = (HashSet::new(), [Vec::new(), Vec::new()]);
    for (number, (sfen, source)) in (0..40).flat_map(|_| &sources).enumerate() {
        let is_full =
            |kind: usize, found: &[Vec<Vec<String>>; 2]| found[kind].len() >= WANTED[kind] + SPARE;
        if is_full(0, &found) && is_full(1, &found) {
            break;
        }
        let position = Position::from_sfen(sfen).unwrap();
        let choice = tsumero_core::mix(number as u64);
        let (position, source) = match changed(&position, choice / 5) {
            Some((changed, what)) if !choice.is_multiple_of(5) => {
                (changed, format!("{source} {what}"))
            }
            _ => (position, source.clone()),
        };
        if !seen.insert(position.key()) {
            continue;
        }
        if let Some(fields) = made(&position, &source) {
            let kind = usize::from(fields[2].is_empty());
            if !is_full(kind, &found) {
                println!("{fields:?}");
                found[kind].push(fields);
            }
        }
    }
    let all: Vec<Vec<String>> = found.concat();
    let input: String = all.iter().map(|fields| format!("{}\n", fields[0])).collect();
    let mut writer = csv::Writer::from_path(FILE).unwrap();
    writer.write_record(["sfen", "plies", "second", "last", "source"]).unwrap();
    let mut left = WANTED;
    for (fields, answer) in all.iter().zip(check(&input)) {
        let kind = usize::from(fields[2].is_empty());
        let is_open = words(&fields[2]).iter().any(|second| is_undecided(&answer, second));
        if left[kind] > 0 && !is_open && !is_long(&answer, fields[1].parse().unwrap()) {
            left[kind] -= 1;
            writer.write_record(fields).unwrap();
        }
    }
    writer.flush().unwrap();
    assert_eq!(left, [0, 0], "these are missing");
}
