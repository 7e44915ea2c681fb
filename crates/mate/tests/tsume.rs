//! Tests the reports of the judge: what tradition says of interpositions and of mates in one.

use tsumero_core::{Move, Position};
use tsumero_mate::tsume::{Judge, JudgeLimits, Lenience, Rules};

/// The positions of some rows of a file of mate problems.
fn problems(name: &str, count: usize) -> Vec<Position> {
    let path = format!("{}/../../tests/data/tsume/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let sfens = text.lines().skip(1).take(count).filter_map(|row| row.split(',').next());
    sfens.map(|sfen| sfen.parse().unwrap()).collect()
}

fn judge() -> Judge {
    Judge::new(JudgeLimits { nodes: 100_000, hash_mb: 1 })
}

#[test]
fn what_alone_delays_the_mate_is_not_futile() {
    // Only pieces put on 3a delay the mate: the king comes out there, and a gold mates it.
    for sfen in
        ["7k1/7ps/6P2/9/9/9/9/9/5R3 b Gr2b3g3s4n4l16p 1", "7k1/7ps/6P2/9/9/9/9/9/5R3 b Gg 1"]
    {
        let position: Position = sfen.parse().unwrap();
        let mut judge = judge();
        let report = judge.report(&position, &[], Rules::Traditional).unwrap().unwrap();
        let line = &report.solution.line;
        assert_eq!((line.len(), line[1].to().to_string()), (5, "3a".to_owned()), "{sfen}");
        assert_eq!(judge.futile(&position, line), Ok(Vec::new()), "{sfen}");
    }
}

#[test]
fn tradition_forgives_in_mates_in_one_as_well() {
    for (sfen, lenience) in [
        ("k8/9/K8/9/9/9/9/9/4R4 b - 1", Lenience::Promotion),
        ("k1G6/9/1K7/9/9/9/9/9/9 b L 1", Lenience::Distance),
    ] {
        let position: Position = sfen.parse().unwrap();
        let [strict, traditional] = [Rules::Strict, Rules::Traditional]
            .map(|rules| judge().report(&position, &[], rules).unwrap().unwrap());
        assert_eq!((strict.solution.line.len(), strict.is_sound()), (1, Ok(false)), "{sfen}");
        assert_eq!(traditional.is_sound(), Ok(true), "{sfen}");
        let forgiven = &traditional.second;
        assert_eq!((strict.second.len(), strict.last.len()), (0, forgiven.len()), "{sfen}");
        assert!(forgiven.iter().all(|second| strict.last.contains(&second.mv)), "{sfen}");
        assert!(forgiven.iter().all(|second| second.lenience == Some(lenience)), "{sfen}");
        assert!(!forgiven.is_empty() && traditional.last.is_empty(), "{sfen}");
    }
}

/// By tradition, a mate that only futile interpositions delay is as fast as one that nothing delays.
#[test]
fn a_given_line_that_is_best_by_tradition_is_the_solution() {
    for (sfen, best, wrong) in [
        ("k1G6/9/1K7/9/9/9/9/9/9 b L2r2b3g4s4n3l18p 1", "L*9c", "7a8a"),
        ("4Bg1kB/9/9/9/9/9/9/9/9 b Rr3g4s4n4l18p 1", "R*2i", "5a3c"),
    ] {
        let position: Position = sfen.parse().unwrap();
        let [best, wrong] = [best, wrong].map(|mv| position.parse_move(mv).unwrap());
        let report =
            |line: &[Move], rules| judge().report(&position, line, rules).unwrap().unwrap();
        let traditional = report(&[best], Rules::Traditional);
        assert_eq!(
            (traditional.first_wrong, traditional.solution.line[0]),
            (Ok(None), best),
            "{sfen}"
        );
        // By the rules it takes longer.
        let strict = report(&[best], Rules::Strict);
        assert_eq!(strict.first_wrong, Ok(Some(0)), "{sfen}");
        assert_eq!(strict.solution.line.len(), traditional.solution.line.len(), "{sfen}");
        let whole = report(&traditional.solution.line, Rules::Traditional);
        assert_eq!(whole, traditional, "{sfen}");
        for line in [&[wrong][..], &[wrong, best]] {
            assert_eq!(report(line, Rules::Traditional).first_wrong, Ok(Some(0)), "{sfen}");
        }
        let longer = [&traditional.solution.line[..], &[wrong]].concat();
        let length = traditional.solution.line.len() as u32;
        assert_eq!(report(&longer, Rules::Traditional).first_wrong, Ok(Some(length)), "{sfen}");
    }
}

/// By tradition, a last move mates from afar as well if only futile interpositions are possible.
#[test]
fn last_moves_that_mate_by_tradition_are_listed() {
    let sfen = "9/1P7/1kS6/9/3S5/3S5/9/9/9 b 2RG2b3gs4n4l17p 1";
    let position: Position = sfen.parse().unwrap();
    let mut judge = judge();
    let [strict, traditional] = [Rules::Strict, Rules::Traditional]
        .map(|rules| judge.report(&position, &[], rules).unwrap().unwrap());
    let words = |line: &[Move]| line.iter().map(Move::to_string).collect::<Vec<_>>();
    assert_eq!(words(&traditional.solution.line), ["G*8d", "8c9b", "R*9c"]);
    assert_eq!(words(&traditional.last), ["R*9d", "R*9e", "R*9f", "R*9g", "R*9h", "R*9i"]);
    assert_eq!((strict.solution.line, strict.last), (traditional.solution.line.clone(), vec![]));
    for last in traditional.last {
        let mut line = traditional.solution.line.clone();
        line[2] = last;
        let mut end = position.clone();
        line.iter().for_each(|&mv| end.play_unchecked(mv));
        let futile = judge.futile(&position, &line).unwrap();
        let possible: Vec<_> = end.legal_moves().iter().map(|&mv| (3, mv)).collect();
        assert!(!possible.is_empty() && possible.iter().all(|mv| futile.contains(mv)), "{last}");
    }
}

/// A brief report names no flaw that a full one denies, and finds none missing.
#[test]
fn a_brief_report_has_the_verdict_of_a_full_one() {
    let mut judge = Judge::new(JudgeLimits { nodes: 3_000, hash_mb: 1 });
    let (mut flawed, mut sound) = (0, 0);
    for position in problems("mate3", 30).into_iter().chain(problems("mate5", 15)) {
        for rules in [Rules::Strict, Rules::Traditional] {
            let Ok(Some(all)) = judge.report(&position, &[], rules) else { continue };
            let brief = judge.brief_report(&position, &[], rules).unwrap().unwrap();
            assert_eq!(brief.solution, all.solution, "{position}");
            if let Some((line, other)) = brief.first_flaw() {
                flawed += 1;
                let ply = line.len() as u32;
                let here = (ply, other);
                let named = all.second.iter().find(|second| (second.ply, second.mv) == here);
                let counts =
                    named.map(|second| rules == Rules::Strict || second.lenience.is_none());
                let is_open = all.undecided.iter().any(|&(ply, mv, _)| (ply, mv) == here);
                let is_elsewhere = all.elsewhere.contains(&(line, other));
                assert!(counts.unwrap_or(is_open || is_elsewhere), "{position} {ply} {other}");
            } else {
                assert_eq!(all.first_flaw(), None, "{position}");
                sound += usize::from(brief.is_sound() == Ok(true));
            }
        }
    }
    assert!(flawed > 50 && sound > 10, "{flawed} {sound}");
}

/// So few nodes do not suffice for the search of all lines, and the mate search finds the solution. A
/// faster mate beside it would mean that the defender could have lasted longer.
#[test]
fn no_second_solution_is_faster_than_the_solution() {
    let mut reports = 0;
    for (sfen, nodes) in [
        ("8R/6k2/9/1R6N/9/9/9/9/9 b Bb4g4s3n4l18p 1", 700),
        ("2k+pR2+R1/4BB3/9/9/9/9/9/9/9 b 2P4g4s4n4l15p 1", 200),
        ("9/5k3/3G5/8+P/5B3/9/9/9/9 b RSrb3g3s4n4l17p 1", 700),
        ("9/5k3/3G5/8+P/5B3/9/9/9/9 b RSrb3g3s4n4l17p 1", 2500),
    ] {
        let position: Position = sfen.parse().unwrap();
        for rules in [Rules::Strict, Rules::Traditional] {
            let mut judge = Judge::new(JudgeLimits { nodes, hash_mb: 1 });
            let Ok(Some(report)) = judge.report(&position, &[], rules) else { continue };
            reports += 1;
            let length = report.solution.line.len() as u32;
            for second in &report.second {
                assert!(second.plies >= length - second.ply, "{sfen} {rules:?} {second:?}");
            }
        }
    }
    assert!(reports > 4, "{reports}");
}
