//! Tests how the main search uses the mates that df-pn finds at the root.

use std::time::Duration;

use tsumero_control::{Bound, Limits, Score, ScoreKind, Signals};
use tsumero_core::{EnteringKingRule, Game, Position};
use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver};
use tsumero_search::{
    BenchOptions, BestMove, EvaluationFunction, Info, Question, STACK_SIZE, Searcher, Settings,
    bench,
};

/// Nodes of one search: far too few to see the mates of the problems without df-pn.
const NODES: u64 = 100_000;

/// SFENs of every `step`th position with a mate of eleven plies and more.
fn long_mates(step: usize) -> Vec<String> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tsume/mate11plus.csv"))
        .unwrap()
        .records()
        .map(|record| record.unwrap()[0].to_owned())
        .step_by(step)
        .collect()
}

/// The position, unless it is one that no game can reach.
fn position(sfen: &str) -> Option<Game> {
    Position::from_sfen(sfen).ok().map(Game::from)
}

/// The same with the other side to move: its king is to be mated if it does nothing.
fn threatened(sfen: &str) -> Option<Game> {
    let (from, to) = if sfen.contains(" b ") { (" b ", " w ") } else { (" w ", " b ") };
    position(&sfen.replace(from, to)).filter(|position| position.has_legal_move())
}

/// Runs with the stack that a search needs.
fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        builder.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

/// What `count` says of searches with and without the mate search, which run at the same time.
fn with_and_without<T: Send>(count: impl Fn(&Settings) -> T + Sync) -> (T, T) {
    std::thread::scope(|scope| {
        let with = scope.spawn(|| with_stack(|| count(&Settings::default())));
        let without = with_stack(|| count(&Settings { mate_search: false, ..Settings::default() }));
        (with.join().unwrap(), without)
    })
}

fn search_with(searcher: &mut Searcher, position: &Game, settings: &Settings) -> Vec<Info> {
    search_to(searcher, position, &Limits { nodes: Some(NODES), ..Limits::default() }, settings)
}

fn search_to(
    searcher: &mut Searcher,
    position: &Game,
    limits: &Limits,
    settings: &Settings,
) -> Vec<Info> {
    let mut infos = Vec::new();
    let mut collect = |info| infos.push(info);
    let signals = Signals::new();
    let question = Question::new(position, limits, settings, &signals);
    let answer = searcher.search(&question, &mut collect);
    let first = infos.iter().rev().find(|info| info.multipv == 1).unwrap();
    assert!(matches!(answer, BestMove::Move { best, .. } if best == first.pv[0]), "{position}");
    infos
}

/// What the mate solver says of a position.
fn solve(position: &Game, nodes: u64) -> MateAnswer {
    let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    let signals = Signals::new();
    let question = MateQuestion::new(position, &limits, &signals);
    MateSolver::new(8).solve(&question, &mut |_| {})
}

/// The last report of a search with tables of its own.
fn search(position: &Game, nodes: u64, settings: &Settings) -> Info {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let last = search_to(&mut Searcher::new(8), position, &limits, settings).pop().unwrap();
    assert_eq!(last.bound, Bound::Exact);
    assert_consistent(position, &last);
    last
}

/// A mate score comes with a line that ends in that mate, after that number of plies.
fn assert_consistent(position: &Game, info: &Info) {
    let ScoreKind::Mate(plies) = info.score.kind() else { return };
    let mut end = position.clone();
    for &mv in &info.pv {
        assert!(end.legal_moves().contains(&mv), "{mv} in {position}");
        end.play_unchecked(mv);
    }
    assert!(end.in_check() && !end.has_legal_move(), "no mate at the end: {position}");
    assert_eq!(plies.unsigned_abs() as usize, info.pv.len(), "{position}");
    assert_eq!(plies > 0, info.pv.len() % 2 == 1, "{position}");
}

#[test]
fn mates_far_beyond_the_depth_are_played_and_shown_to_their_end() {
    let count = |settings: &Settings| {
        let positions = long_mates(7).iter().filter_map(|sfen| position(sfen)).collect::<Vec<_>>();
        let mates =
            positions.iter().filter(|position| search(position, NODES, settings).score.is_win());
        (mates.count() as i32, positions.len() as i32)
    };
    let ((with, all), (without, _)) = with_and_without(count);
    // Most of those that the search alone overlooks.
    assert!(2 * (with - without) > all - without, "{with} and {without} of {all}");
}

#[test]
fn moves_that_walk_into_a_mate_are_avoided() {
    // Counts blunders: moves after which the solver finds a quick mate that the search has not
    // seen.
    let count = |settings: &Settings| {
        let positions = long_mates(1);
        let positions = positions.iter().filter_map(|sfen| threatened(sfen));
        let blunders = positions.filter(|position| {
            let last = search(position, 60_000, settings);
            let mut after = position.clone();
            after.play_unchecked(last.pv[0]);
            !last.score.is_loss() && matches!(solve(&after, 10_000), MateAnswer::Mate(_))
        });
        blunders.count()
    };
    let (with, without) = with_and_without(count);
    assert!(4 * with < 3 * without, "{with} against {without}");
}

/// A best move that is refuted late leaves no time for another search of the whole depth. The next
/// best move has been searched all the same.
#[test]
fn a_late_refutation_leaves_another_line() {
    let positions = [
        "+S4g3/3+N1n2l/2p+R2nk1/3+Bp1p2/p8/2P1PPP2/PP1P4P/L1K2B3/5G1NL w 2G3S6Prl 1",
        "+Rn7/1Pskg4/pbp3+R2/3ppp1+P1/Pl6p/2PPP4/1GSG1PP1P/9/LN2KN2+b w G2SNL3Pl 1",
        "5n1nk/9/2r1B1Pp1/7GB/9/9/9/9/9 w Pr3g4s2n4l15p 1",
    ];
    let without_a_line = with_stack(|| {
        let searches =
            positions.iter().flat_map(|sfen| [20_000, 40_000].map(|nodes| (sfen, nodes)));
        let depths = searches.map(|(sfen, nodes)| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let position = position(sfen).unwrap();
            let infos = search_to(&mut Searcher::new(16), &position, &limits, &Settings::default());
            infos.last().unwrap().depth
        });
        depths.filter(|&depth| depth == 0).count()
    });
    assert_eq!(without_a_line, 0, "of 6");
}

/// An iteration that ends after moves that lose does not say that the position is lost: the others
/// were not searched.
#[test]
fn an_unfinished_iteration_proves_no_loss() {
    // Black threatens mate, and White has a defense.
    let position = position("9/8k/5+P1r1/6+BB1/6G+p1/9/9/9/9 w Sr3g3s4n4l16p 1").unwrap();
    let lost = with_stack(|| {
        let search = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let infos = search_to(&mut Searcher::new(16), &position, &limits, &Settings::default());
            infos.last().unwrap().clone()
        };
        let mut defended = position.clone();
        defended.play_unchecked(position.parse_move("2e2d").unwrap());
        let answer = solve(&defended, 400_000);
        assert!(matches!(answer, MateAnswer::NoMate), "White has a defense: {answer:?}");
        (1..80).map(|step| search(250 * step)).filter(|last| last.score.is_loss()).count()
    });
    assert_eq!(lost, 0);
}

#[test]
fn with_several_lines_the_mate_is_the_first_and_the_others_stay() {
    let settings = Settings { multi_pv: 3, ..Settings::default() };
    let groups = with_stack(|| {
        let positions = long_mates(20);
        let positions = positions.iter().filter_map(|sfen| position(sfen));
        let mut groups = Vec::new();
        for position in positions {
            let infos = search_with(&mut Searcher::new(8), &position, &settings);
            let last = infos[infos.len() - 3..].to_vec();
            last.iter().for_each(|info| assert_consistent(&position, info));
            groups.push(last);
        }
        groups
    });
    let mut mates = 0;
    for group in groups {
        assert_eq!(group.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(group.is_sorted_by(|before, after| before.score >= after.score));
        assert!(group[0].pv[0] != group[1].pv[0] && group[1].pv[0] != group[2].pv[0]);
        mates += usize::from(group[0].pv.len() >= 11 && group[0].score.is_win());
    }
    assert!(mates > 0);
}

/// What is proven stays proven: no later iteration shows another best line, unless it mates sooner.
#[test]
fn a_mate_that_was_shown_is_not_forgotten() {
    let settings =
        Settings { multi_pv: 3, pv_interval: std::time::Duration::ZERO, ..Settings::default() };
    let known = "r7l/3+L1+R3/4p1g1p/pp+bk5/2P3p2/PP3p2P/1KNGS1P2/1BS4p1/L2G4L b G2NP2sn5p 1";
    let kept = with_stack(|| {
        let positions = long_mates(12);
        let positions = positions.iter().map(String::as_str).chain([known]);
        let mut kept = 0;
        for position in positions.filter_map(position) {
            let infos = search_with(&mut Searcher::new(8), &position, &settings);
            let first = infos.iter().filter(|info| info.multipv == 1);
            let scores: Vec<Score> = first.map(|info| info.score).collect();
            let Some(shown) = scores.iter().position(|score| score.is_mate() && score.is_win())
            else {
                continue;
            };
            assert!(scores[shown..].is_sorted(), "{position}: {scores:?}");
            kept += usize::from(scores.len() > shown + 2);
        }
        kept
    });
    assert!(kept > 0);
}

/// A position whose mate is found and has at least eleven plies.
fn mate_in_eleven_or_more() -> Game {
    long_mates(1)
        .iter()
        .filter_map(|sfen| position(sfen))
        .find(|position| search(position, NODES, &Settings::default()).pv.len() >= 11)
        .expect("one of the mates is found")
}

#[test]
fn a_mating_line_that_the_game_would_cut_short_is_not_believed() {
    // A mate in eleven and more, but the game is drawn in a few moves.
    with_stack(|| {
        let position = mate_in_eleven_or_more();
        let last = Some(position.ply() + 4);
        let settings = Settings { max_moves_to_draw: last, ..Settings::default() };
        assert!(!search(&position, NODES, &settings).score.is_win());
    });
}

/// Of several mates, df-pn may find one first that comes too late.
#[test]
fn a_mate_that_ends_in_time_is_found_behind_a_longer_one() {
    with_stack(|| {
        let (mut all, mut in_time) = (0, 0);
        for position in long_mates(8).iter().filter_map(|sfen| position(sfen)) {
            let mate = search(&position, NODES, &Settings::default());
            if !mate.score.is_win() {
                continue;
            }
            let last = Some(position.ply() + mate.pv.len() as u32 - 1);
            let settings = Settings { max_moves_to_draw: last, ..Settings::default() };
            // The longer one may take as many nodes as the shorter one.
            let found = search(&position, 2 * NODES, &settings);
            all += 1;
            in_time += u32::from(found.score.is_win());
        }
        // Few need more nodes.
        assert!(all >= 12 && 10 * in_time >= 9 * all, "{in_time} of {all}");
    });
}

/// A game of usual moves from a position.
fn game(sfen: &str, moves: &str) -> Game {
    let mut game = position(sfen).unwrap();
    for text in moves.split(' ') {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    game
}

/// A reply that repeats a position for the fourth time ends the game, whatever could be played after
/// it: the first of these moves would lose by perpetual check.
#[test]
fn a_mate_that_a_repetition_prevents_is_not_believed() {
    let game = game(
        "3s4k/3+P5/3P5/7+R1/3+R5/9/9/9/K8 b - 1",
        "2d1d 1a2b 1d2d 2b1a 2d1d 1a2b 1d2d 2b1a 2d1d 1a2b",
    );
    for nodes in [3_000, 20_000, 100_000] {
        let last = with_stack(|| search(&game, nodes, &Settings::default()));
        assert!(last.pv[0].to_string() != "1d2d" && last.score > Score::new(1_000), "{last:?}");
    }
}

/// A search that has no time plays any move but one that loses at once.
#[test]
fn no_check_too_many_is_played_without_a_search() {
    let start = "9/3+R3gn/6k2/7n1/5+R3/9/9/9/K8 b L 1";
    let round = "4e3e 3c4c 3e4f 4c3c 4f3e 3c4c 3e4e 4c3c";
    let mut game = game(start, &format!("{round} {round} 4e3e 3c4c 3e4f 4c3c"));
    let last = with_stack(|| search(&game, 1, &Settings::default()));
    game.play_unchecked(last.pv[0]);
    assert_eq!(game.repetition(), None, "{last:?}");
}

/// After the fourth occurrence of a position nobody is mated any more.
#[test]
fn a_repetition_that_ends_the_game_is_not_refuted_by_a_mate() {
    // A draw for the side that would be mated; and a win, because the other side gave perpetual check.
    let draw = game(
        "5k3/9/5P3/9/9/9/9/9/K8 b 2G 1",
        "9i9h 4a5a 9h9i 5a4a 9i9h 4a5a 9h9i 5a4a 9i9h 4a5a 9h9i",
    );
    let win = game(
        "9/5k3/3g5/3S4n/6+R2/3R3+B1/9/9/K8 b L 1",
        "3e4f 4b3c 4f3e 3c4b 3e4f 4b3c 4f3e 3c4b 3e4f 4b3c 4f3e",
    );
    // A draw by a bishop that does not promote.
    let idle = game(
        "ln+NB1g3/3gkrsll/3ppp1pp/p5p2/1ppGnP2P/s7S/P1b5N/K3g4/2+l3S2 w r6p 1",
        "5b5a 6a7b 5a5b 7b6a 5b5a 6a7b 5a5b 7b6a 5b5a 6a7b 5a5b",
    );
    for (game, best, least) in [(draw, "5a4a", -100), (win, "3c4b", 10_000), (idle, "7b6a", -100)] {
        for nodes in [3_000, 20_000, 100_000] {
            let last = with_stack(|| search(&game, nodes, &Settings::default()));
            assert_eq!(last.pv[0].to_string(), best, "{last:?}");
            assert!(last.score >= Score::new(least), "{last:?}");
        }
    }
}

/// No line of a mate leads through a position that ends the game by its fourth occurrence, however
/// far from the root that is: here all checks of the attacker would lose by perpetual check. What was
/// learned when the position occurred before does not bring the mate back.
#[test]
fn a_mating_line_does_not_lead_through_the_end_of_the_game() {
    let start = "6k2/4+R2+p+p/8s/7l1/5P1+B1/9/9/9/K8 b N 1";
    let round = "5b6a 3a4b 6a6b 4b3a 6b6a 3a4b 6a5b 4b3a";
    let before = game(start, round);
    let game = game(start, &format!("{round} {round} 5b6a 3a4b"));
    let settings = Settings { pv_interval: Duration::ZERO, ..Settings::default() };
    let searched = |warm: bool| {
        let mut searcher = Searcher::new(8);
        if warm {
            search_with(&mut searcher, &before, &settings);
        }
        search_with(&mut searcher, &game, &settings)
    };
    let infos = with_stack(|| [searched(false), searched(true)]).concat();
    let mates = infos.iter().filter(|info| info.bound == Bound::Exact && info.score.is_mate());
    let mut count = 0;
    for info in mates {
        assert_consistent(&game, info);
        let mut end = game.clone();
        for &mv in &info.pv {
            end.play_unchecked(mv);
            assert_eq!(end.repetition(), None, "{:?}", info.pv);
        }
        count += 1;
    }
    assert!(count > 0);
}

/// What was found under one rule says nothing under another.
#[test]
fn a_change_of_the_rules_leaves_no_mate_behind() {
    let game = position("3K3sS/2S1P2+p1/s3l3+b/3n5/9/9/9/9/7k1 b R3P 92").unwrap();
    let by = |entering_king_rule| Settings {
        entering_king_rule,
        multi_pv: 6,
        pv_interval: Duration::ZERO,
        ..Settings::default()
    };
    let infos = with_stack(|| {
        let mut searcher = Searcher::new(8);
        let [with, without] = [EnteringKingRule::TryRule, EnteringKingRule::NoEnteringKing]
            .map(|rule| search_with(&mut searcher, &game, &by(rule)));
        assert!(with.iter().any(|info| info.score == Score::mate_in(3)));
        without
    });
    for info in infos.iter().filter(|info| info.bound == Bound::Exact) {
        assert_consistent(&game, info);
    }
}

/// The line of a mate has its last move, also where the side that mates is in check.
#[test]
fn a_mate_is_shown_to_its_end_by_a_move_out_of_check() {
    for (sfen, nodes) in [
        ("r5s2/GP+P2pL2/Pk1p3+S1/3n1gp2/ppK2lgpp/2L2P2P/+n1N3GPS/1S+b6/2LPP3N b Rb3p 253", 3_000),
        ("ln2S2+P1/3+Bkg2l/3p2spp/p3p1ps1/9/P1nP4P/NPs1P+p3/5R3/LKP+r2B1L w 2GNg4p 142", 100_000),
    ] {
        for settings in
            [true, false].map(|mate_search| Settings { mate_search, ..Settings::default() })
        {
            let last = with_stack(|| search(&position(sfen).unwrap(), nodes, &settings));
            assert!(last.score.is_mate(), "{last:?}");
        }
    }
}

#[test]
fn a_mate_by_a_move_that_was_not_asked_for_is_not_played() {
    with_stack(|| {
        let position = mate_in_eleven_or_more();
        let mating = search(&position, NODES, &Settings::default()).pv[0];
        let mut search_moves = position.legal_moves();
        search_moves.retain(|mv| *mv != mating);
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let (settings, signals) = (Settings::default(), Signals::new());
        let question = Question::new(&position, &limits, &settings, &signals);
        let question = Question { search_moves: &search_moves, ..question };
        let answer = Searcher::new(8).search(&question, &mut |info| assert_ne!(info.pv[0], mating));
        assert!(matches!(answer, BestMove::Move { best, .. } if best != mating));
    });
}

#[test]
fn the_benchmark_counts_the_same_every_time() {
    let options = BenchOptions {
        depth: None,
        nodes: Some(20_000),
        threads: 1,
        hash_mb: 4,
        evaluation_function: EvaluationFunction::default(),
    };
    let count = || bench(options.clone(), &mut |_| {}).unwrap().nodes;
    let (first, second) = with_stack(|| (count(), count()));
    assert_eq!(first, second);
}
