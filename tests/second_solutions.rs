//! `tsume check --json` on problems with second solutions: it lists all of them, and nothing else. The
//! list of each problem in `data/second_solutions.csv` comes from brute force, which shares nothing with
//! the mate solver: all legal moves that turn out to give check, and all legal replies, up to a bound
//! that no second solution of the file exceeds.

use std::collections::HashSet;

use serde_json::Value;
use tsumero_core::{Color, File, Hand, Move, Piece, PieceKind, Position, Rank, Square, UsiMove};
use tsumero_oracle::BruteForce;

use crate::harness::run_to_end;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/second_solutions.csv");

/// The longest second solution that brute force looks for in a problem of so many plies.
fn longest(plies: usize) -> usize {
    (plies + 4).min(9)
}

fn brute_force(sfen: &str) -> BruteForce {
    BruteForce::new(&Position::from_sfen(sfen).unwrap())
}

/// The second solutions and the other last moves that mate, as the file writes them.
fn second_solutions(search: &mut BruteForce, line: &[Move]) -> (Vec<String>, Vec<String>) {
    let (second, last) = search.second_solutions(line, longest(line.len()));
    let second = second.into_iter().map(|(ply, mv, plies)| format!("{ply}:{mv}:{plies}"));
    let (mut second, mut last) = (second.collect::<Vec<_>>(), text(&last));
    second.sort();
    last.sort();
    (second, last)
}

fn text(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// A line of moves in USI, from a position.
fn moves(sfen: &str, line: &[String]) -> Vec<Move> {
    let mut position = Position::from_sfen(sfen).unwrap();
    let play = |word: &String| position.play(word.parse::<UsiMove>().unwrap()).unwrap();
    line.iter().map(play).collect()
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
        let found = second_solutions(&mut brute_force(sfen), &moves(sfen, line));
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
        let mut search = brute_force(&row.sfen);
        let found = second_solutions(&mut search, &moves(&row.sfen, &line));
        assert_eq!(listed(answer), found, "{}", row.sfen);
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
    let mut search = BruteForce::with_limit(position, MOST_POSITIONS);
    let plies = search.length(7).filter(|&plies| plies >= 3)?;
    let line = search.line(plies);
    if search.is_over() {
        return None;
    }
    let (second, last) = second_solutions(&mut search, &line);
    let is_sound = search.is_sound(plies, longest(plies));
    if search.is_over() || second.len() > 12 || second.is_empty() && !is_sound {
        return None;
    }
    let problem = format!("{position} moves {}", text(&line).join(" "));
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
