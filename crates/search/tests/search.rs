//! Tests the searcher from outside: its answers, and its reports on the way.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use rand::prelude::*;
use tsumero_control::{Bound, Clock, Limits, MAX_PLY, Score, ScoreKind, Signals};
use tsumero_core::{ByColor, EnteringKingRule, Game, Move, Position, UsiMove};
use tsumero_search::{BestMove, Info, Question, STACK_SIZE, Searcher, Settings};

#[path = "../../../tests/in_time.rs"]
mod in_time;

use in_time::in_time;

const fn can_be_sent<T: Send>() {}
const _: () = can_be_sent::<Searcher>();

/// How long to wait for an answer that must come. It says nothing about how fast a search is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Settings that report everything.
fn talkative() -> Settings {
    Settings { pv_interval: Duration::ZERO, ..Settings::default() }
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn to_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn game(sfen: &str) -> Game {
    Position::from_sfen(sfen).unwrap().into()
}

fn search(position: &Game, limits: &Limits, settings: &Settings) -> (BestMove, Vec<Info>) {
    search_with(&mut Searcher::new(4), position, limits, settings)
}

fn search_with(
    searcher: &mut Searcher,
    position: &Game,
    limits: &Limits,
    settings: &Settings,
) -> (BestMove, Vec<Info>) {
    search_among(searcher, position, limits, &[], settings)
}

fn search_among(
    searcher: &mut Searcher,
    position: &Game,
    limits: &Limits,
    search_moves: &[Move],
    settings: &Settings,
) -> (BestMove, Vec<Info>) {
    let position = position.clone();
    std::thread::scope(|scope| {
        let run = || {
            let position = position;
            let mut infos = Vec::new();
            let signals = Signals::new();
            let question = Question::new(&position, limits, settings, &signals);
            let question = Question { search_moves, ..question };
            let best = searcher.search(&question, &mut |info| infos.push(info));
            (best, infos)
        };
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        builder.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

fn assert_playable(position: &Game, line: &[Move]) {
    let mut position = position.clone();
    for &mv in line {
        assert!(position.legal_moves().contains(&mv), "{mv} in {position}");
        position.play_unchecked(mv);
    }
}

/// Checks what every answer must satisfy.
fn assert_sound(position: &Game, best: BestMove, infos: &[Info]) {
    let last = infos.last().expect("something is reported");
    assert_eq!(last.bound, Bound::Exact);
    for info in infos {
        assert_playable(position, &info.pv);
        assert!(info.hashfull <= 1000 && info.seldepth <= MAX_PLY);
    }
    for pair in infos.windows(2) {
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time);
    }
    match best {
        BestMove::Move { best, ponder } => {
            let first_line = infos.iter().rev().find(|info| info.multipv == 1).unwrap();
            assert_eq!(first_line.pv.first(), Some(&best));
            assert_playable(position, &[best]);
            if let Some(reply) = ponder {
                assert_playable(position, &[best, reply]);
            }
        }
        BestMove::Resign => assert!(!position.has_legal_move()),
        BestMove::DeclareWin => {
            assert!(position.declaration_wins(EnteringKingRule::CsaRule27));
        }
    }
}

#[test]
fn random_positions_get_legal_answers() {
    let mut random = StdRng::seed_from_u64(21);
    let mut searcher = Searcher::new(4);
    let mut ends = 0;
    for game in 0..30 {
        let mut position = Game::default();
        for ply in 0.. {
            if ply % 40 == 39 || !position.has_legal_move() {
                let limits = if game % 2 == 0 { to_nodes(200) } else { to_depth(2) };
                let (best, infos) = search_with(&mut searcher, &position, &limits, &talkative());
                assert_sound(&position, best, &infos);
            }
            let Some(&mv) = position.legal_moves().choose(&mut random) else {
                ends += 1;
                break;
            };
            if ply > 250 {
                break;
            }
            position.play_unchecked(mv);
        }
    }
    assert!(ends > 0, "no game ended in mate: try another seed");
}

#[test]
fn the_mated_side_resigns_and_says_so() {
    let mated = game("4k4/4G4/4P4/9/9/9/9/9/9 w - 1");
    let (best, infos) = search(&mated, &to_depth(5), &talkative());
    assert_eq!(best, BestMove::Resign);
    assert_eq!(infos.len(), 1);
    assert_eq!(infos[0].score.kind(), ScoreKind::Mate(0));
    assert!(infos[0].pv.is_empty());
}

/// The score falls to minus the value, even where the type has no number for that.
#[test]
fn the_engine_resigns_by_score_whatever_the_value() {
    let values = [(i32::MIN, true), (-99_999, true), (99_999, false), (i32::MAX, false)];
    for (value, resigns) in values {
        let settings = Settings { resign_value: Some(value), ..Settings::default() };
        let (best, infos) = search(&Game::default(), &to_depth(1), &settings);
        assert_eq!(best == BestMove::Resign, resigns, "{value}");
        assert!(infos.last().is_some_and(|info| info.score.is_ordinary()), "{infos:?}");
    }
}

/// A king that has reached its goal has won, whatever would mate it next.
#[test]
fn a_game_that_a_try_has_won_is_over() {
    let mut tried = game("9/4K4/9/9/9/9/9/9/k8 b - 1");
    tried.play("5b5a".parse::<UsiMove>().unwrap()).unwrap();
    for (entering_king_rule, resigns) in
        [(EnteringKingRule::TryRule, true), (EnteringKingRule::CsaRule27, false)]
    {
        let settings = Settings { entering_king_rule, ..talkative() };
        let (best, infos) = search(&tried, &to_depth(1), &settings);
        assert_eq!(best == BestMove::Resign, resigns);
        assert_eq!(infos[0].score.kind() == ScoreKind::Mate(0), resigns);
    }
}

/// One thread searches as many nodes as it may, and not one more. If even the first iteration is cut
/// short, the lines that are finished are shown.
#[test]
fn a_limit_of_nodes_is_kept() {
    let quiet =
        game("ln1g2snl/1r1s2k2/ppppppgp1/5bp1p/7P1/2PPB3P/PPS1PPP2/4K1SR1/LN1G1G1NL w - 20");
    // The best move is refuted by a mate again and again.
    let lost = game("+S4g3/3+N1n1kl/2p+R2ng1/3+Bp1p2/p8/2P1PPP2/PP1P3LP/L1K2B3/5G1NL w G3S6Pr 1");
    let mut partial = 0;
    for position in [quiet, lost] {
        for multi_pv in [1, 5] {
            for nodes in [1, 2, 30, 100, 200, 300, 777, 3_000, 3_400, 7_000, 20_000] {
                let settings = Settings { multi_pv, ..talkative() };
                let (best, infos) = search(&position, &to_nodes(nodes), &settings);
                assert_sound(&position, best, &infos);
                let last = infos.last().unwrap();
                assert!(last.nodes <= nodes, "{} of {nodes} in {position}", last.nodes);
                assert!(last.depth > 0 || nodes < 200, "{nodes} {multi_pv} in {position}");
                partial += usize::from(last.depth == 1 && (2..5).contains(&last.multipv));
            }
        }
    }
    assert!(partial > 0, "no first iteration was cut short");
}

/// A search that is cut short at once plays the mate, and says that it is one.
#[test]
fn a_mate_in_one_needs_no_nodes() {
    for (multi_pv, threads) in [(1, 1), (5, 1), (1, 2)] {
        let settings = Settings { multi_pv, threads, ..talkative() };
        let (best, infos) = search(&game(MATE_IN_ONE), &to_nodes(1), &settings);
        let BestMove::Move { best, .. } = best else { panic!("{best:?}") };
        assert_eq!(best.to_string(), "G*5b");
        assert_eq!(infos.last().map(|info| info.score), Some(Score::mate_in(1)), "{infos:?}");
    }
}

#[test]
fn the_only_move_is_played_at_once_on_a_clock_but_with_a_score() {
    // The king must take the gold.
    let position = game("k8/G8/9/9/9/9/9/9/4K4 w - 1");
    assert_eq!(position.legal_moves().len(), 1);
    let clock = Clock { remaining: ByColor([Duration::from_secs(3600); 2]), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    in_time(Duration::from_secs(1), || {
        let started = Instant::now();
        let (best, infos) = search(&position, &limits, &talkative());
        let taken = started.elapsed();
        assert_sound(&position, best, &infos);
        assert!(infos.last().unwrap().depth > 0);
        taken
    });
}

#[test]
fn positions_without_kings_are_searched() {
    for sfen in [
        "4k4/9/9/9/9/9/9/9/9 b RG2P 1",
        "4k4/9/9/9/9/9/9/9/9 w RG2P 1",
        "9/9/4p4/9/9/9/4P4/9/4K4 b - 1",
        "9/9/4p4/9/9/9/4P4/9/9 b Gg 1",
    ] {
        let position = game(sfen);
        let (best, infos) = search(&position, &to_nodes(3000), &talkative());
        assert_sound(&position, best, &infos);
    }
}

#[test]
fn a_reported_mate_is_the_length_of_its_line() {
    let problems = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/mates.csv"))
        .unwrap()
        .records()
        .map(|record| record.unwrap())
        .filter(|record| ["1", "3"].contains(&&record[1]))
        .collect::<Vec<_>>();
    let (mut found, mut searched) = (0, 0);
    for record in problems.iter().step_by(3) {
        let position = game(&record[0]);
        let (best, infos) = search(&position, &to_nodes(10_000), &talkative());
        assert_sound(&position, best, &infos);
        searched += 1;
        let last = infos.last().unwrap();
        let ScoreKind::Mate(plies) = last.score.kind() else { continue };
        if plies as usize != last.pv.len() {
            panic!("mate in {plies}, but a line of {}: {position}", last.pv.len());
        }
        let mut end = position.clone();
        last.pv.iter().for_each(|&mv| end.play_unchecked(mv));
        assert!(!end.has_legal_move(), "{position}");
        found += 1;
    }
    assert!(found * 10 >= searched * 9, "{found} of {searched}");
}

#[test]
fn one_thread_counts_the_same_nodes_every_time() {
    let position = Game::default();
    let count = || search(&position, &to_depth(7), &talkative()).1.last().unwrap().nodes;
    assert_eq!(count(), count());
    let (_, infos) = search(&position, &to_nodes(5000), &talkative());
    assert_eq!(infos.last().unwrap().nodes, 5000);
}

#[test]
fn a_cleared_searcher_is_as_good_as_new() {
    let position = Game::default();
    let mut searcher = Searcher::new(4);
    let first = search_with(&mut searcher, &position, &to_depth(6), &talkative()).1;
    searcher.clear();
    let second = search_with(&mut searcher, &position, &to_depth(6), &talkative()).1;
    assert_eq!(first.last().unwrap().nodes, second.last().unwrap().nodes);
    searcher.resize(1).unwrap();
    assert!(searcher.resize(usize::MAX).is_err());
    assert_eq!(searcher.table_megabytes(), 1);
}

#[test]
fn several_lines_are_distinct_and_sorted() {
    let settings = Settings { multi_pv: 4, ..talkative() };
    let (best, infos) = search(&Game::default(), &to_depth(5), &settings);
    assert_sound(&Game::default(), best, &infos);
    let last = &infos[infos.len() - 4..];
    for (number, info) in last.iter().enumerate() {
        assert_eq!(info.multipv, number + 1);
        assert_eq!(info.depth, 5);
    }
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<String> = last.iter().map(|info| info.pv[0].to_string()).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);

    // More lines than moves.
    let position = game("k8/9/1G7/9/9/9/9/9/4K4 w - 1");
    let count = position.legal_moves().len();
    assert!((1..4).contains(&count));
    let (_, infos) = search(&position, &to_depth(3), &settings);
    assert_eq!(infos.iter().filter(|info| info.depth == 3).count(), count);
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let position = Game::default();
    let wanted = position.parse_move("9g9f").unwrap();
    let searcher = &mut Searcher::new(4);
    let (best, infos) = search_among(searcher, &position, &to_depth(4), &[wanted], &talkative());
    assert_sound(&position, best, &infos);
    assert!(matches!(best, BestMove::Move { best, .. } if best == wanted));
}

#[test]
fn a_won_impasse_is_declared() {
    let position = game("K+R+BGGSS+N+N/+L+L7/9/9/9/9/9/9/4k4 b RB 1");
    assert_eq!(search(&position, &to_depth(3), &talkative()).0, BestMove::DeclareWin);
    let settings = Settings { entering_king_rule: EnteringKingRule::NoEnteringKing, ..talkative() };
    assert!(matches!(search(&position, &to_depth(3), &settings).0, BestMove::Move { .. }));
    // No move is asked about if none that is named is legal.
    let illegal = [game("4k4/9/9/9/9/9/9/9/4K4 b G 1").parse_move("G*5e").unwrap()];
    let searcher = &mut Searcher::new(1);
    let (best, _) = search_among(searcher, &position, &to_depth(3), &illegal, &talkative());
    assert_eq!(best, BestMove::DeclareWin);
    let position = game("1+R+BGGSS+N+N/K+L+L6/9/9/9/9/9/9/4k4 b RB 1");
    assert!(position.declaration_wins(EnteringKingRule::CsaRule27));
    // One quiet move before the declaration: the search sees the win in the tree.
    let position = game("1+R+BGGSS+N+N/1+L+L6/9/K8/9/9/9/9/4k4 b RB 1");
    assert!(!position.declaration_wins(EnteringKingRule::CsaRule27));
    let enters = position.parse_move("9d9c").unwrap();
    let searcher = &mut Searcher::new(4);
    let (_, infos) = search_among(searcher, &position, &to_depth(4), &[enters], &talkative());
    assert_eq!(infos.last().unwrap().score, Score::mate_in(3));
}

#[test]
fn a_king_that_tries_wins_under_its_rule() {
    let position = game("9/4K4/9/9/9/9/9/9/k8 b - 1");
    let settings = Settings { entering_king_rule: EnteringKingRule::TryRule, ..talkative() };
    for limits in [to_depth(3), to_nodes(1)] {
        let (best, infos) = search(&position, &limits, &settings);
        assert!(matches!(best, BestMove::Move { best, .. } if best.to_string() == "5b5a"));
        assert_eq!(infos.last().unwrap().score, Score::mate_in(1));
    }
}

#[test]
fn the_game_is_drawn_at_the_move_limit() {
    // Black is far ahead, but only two more moves will be played.
    let sfen = "4k4/9/9/9/9/9/9/9/4K3R b 2G 99";
    let position = game(sfen);
    // A draw is not decided, however bad it is for the engine.
    for (value, score) in [(-2, -2), (19_999, 19_999), (-30_000, -19_999), (i32::MIN, -19_999)] {
        let draw_value = ByColor([value; 2]);
        let settings = Settings { max_moves_to_draw: Some(100), draw_value, ..talkative() };
        let (_, infos) = search(&position, &to_depth(6), &settings);
        assert_eq!(infos.last().unwrap().score, Score::new(score));
    }
}

#[test]
fn a_fourth_occurrence_is_known_to_draw() {
    // White is lost and may repeat: the move back draws by the game's history.
    let mut position = game("k8/9/9/9/9/9/9/2R6/4K4 w - 1");
    for _ in 0..3 {
        for text in ["9a9b", "7h7i", "9b9a", "7i7h"] {
            let mv = position.parse_move(text).unwrap();
            position.play_unchecked(mv);
        }
    }
    assert!(position.repetition().is_some());
    // One move before it, Black sees the draw coming and avoids it.
    let mut before = game("k8/9/9/9/9/9/9/2R6/4K4 w - 1");
    for round in 0..3 {
        for text in ["9a9b", "7h7i", "9b9a", "7i7h"].iter().take(if round == 2 { 3 } else { 4 }) {
            let mv = before.parse_move(text).unwrap();
            before.play_unchecked(mv);
        }
    }
    let (best, infos) = search(&before, &to_depth(3), &talkative());
    assert!(matches!(best, BestMove::Move { best, .. } if best.to_string() != "7i7h"));
    assert!(infos.last().unwrap().score > Score::new(300));
    // Asked for it, Black says what it is worth.
    let back = [before.parse_move("7i7h").unwrap()];
    let (_, infos) =
        search_among(&mut Searcher::new(4), &before, &to_depth(3), &back, &talkative());
    assert_eq!(infos.last().unwrap().score.value(), talkative().draw_value.0[0]);
}

/// Each thread searches another depth. The answer is the lines of the thread that finishes the last
/// depth.
#[test]
fn several_threads_finish_the_depth_that_was_asked_for() {
    let mut searcher = Searcher::new(4);
    let matsuri = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    for position in &[Game::default(), game(matsuri)] {
        for (threads, multi_pv, depth) in
            [(2, 1, 1), (2, 1, 7), (3, 2, 1), (3, 2, 6), (4, 1, 8), (4, 1, 9), (8, 1, 2), (8, 3, 5)]
        {
            let mate_search = depth % 2 == 0;
            let settings = Settings { threads, multi_pv, mate_search, ..talkative() };
            let (best, infos) = search_with(&mut searcher, position, &to_depth(depth), &settings);
            assert_sound(position, best, &infos);
            let last = &infos[infos.len() - multi_pv..];
            for (number, info) in last.iter().enumerate() {
                assert_eq!((info.depth, info.multipv), (depth, number + 1));
                assert!(!last[..number].iter().any(|other| other.pv[0] == info.pv[0]));
            }
            assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
            // No depth is reported after a deeper one, unless a refuted best move makes the search
            // begin again.
            let falls = infos.windows(2).any(|pair| pair[0].depth > pair[1].depth);
            assert!(!falls || multi_pv == 1 && mate_search);
        }
    }
}

/// A search with a limit of nodes keeps to it whatever the number of threads.
#[test]
fn threads_keep_to_the_nodes_together() {
    let position = Game::default();
    let mut searcher = Searcher::new(8);
    for threads in [3, 512].repeat(5) {
        let settings = Settings { threads, ..talkative() };
        let (best, infos) = search_with(&mut searcher, &position, &to_nodes(20_000), &settings);
        assert_sound(&position, best, &infos);
        let nodes = infos.last().unwrap().nodes;
        let running = std::thread::available_parallelism().unwrap().get() as u64 * 4;
        assert!((20_000..20_000 + 1_000 * running).contains(&nodes), "{threads}: {nodes} nodes");
    }
}

/// Waking hundreds of threads delays no answer.
#[test]
fn many_threads_keep_to_the_time() {
    let settings = Settings { threads: 512, ..talkative() };
    let position = Game::default();
    let mut searcher = Searcher::new(8);
    // The first search starts the threads.
    search_with(&mut searcher, &position, &to_nodes(20_000), &settings);
    let limits = Limits { movetime: Some(Duration::from_millis(200)), ..Limits::default() };
    in_time(Duration::from_millis(350), || {
        let started = Instant::now();
        search_with(&mut searcher, &position, &limits, &settings);
        started.elapsed()
    });
}

#[test]
fn a_table_that_does_not_fit_leaves_one_of_the_old_size() {
    let position = Game::default();
    let mut searcher = Searcher::new(4);
    let nodes = |searcher: &mut Searcher| {
        let (_, infos) = search_with(searcher, &position, &to_depth(7), &talkative());
        infos.last().unwrap().nodes
    };
    let fresh = nodes(&mut searcher);
    assert_ne!(nodes(&mut searcher), fresh);
    assert!(searcher.resize(usize::MAX >> 21).is_err());
    searcher.clear();
    assert_eq!(nodes(&mut searcher), fresh);
    assert!(searcher.resize(4).is_ok());
    searcher.clear();
    assert_eq!(nodes(&mut searcher), fresh);
}

/// Runs a search on a thread of its own and says when it has answered.
fn in_background<'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    position: Game,
    limits: Limits,
    settings: Settings,
    signals: &'scope Signals,
) -> mpsc::Receiver<BestMove> {
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        let mut searcher = Searcher::new(4);
        let question = Question::new(&position, &limits, &settings, signals);
        let answer = searcher.search(&question, &mut |_| {});
        sender.send(answer).unwrap();
    };
    std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run).unwrap();
    receiver
}

const MATED: &str = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1";
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn endless_searches_answer_only_after_a_stop_and_then_quickly() {
    for sfen in [MATED, MATE_IN_ONE, START] {
        for limits in [
            Limits::default(),
            Limits { infinite: true, depth: Some(1), nodes: Some(1), ..Limits::default() },
            Limits { ponder: true, depth: Some(1), ..Limits::default() },
        ] {
            in_time(Duration::from_millis(500), || {
                let signals = Signals::new();
                std::thread::scope(|scope| {
                    let position = game(sfen);
                    let settings = Settings::default();
                    let answer = in_background(scope, position, limits.clone(), settings, &signals);
                    let early = answer.recv_timeout(Duration::from_millis(60));
                    assert!(early.is_err(), "{sfen}: answered before the stop");
                    let stopped = Instant::now();
                    signals.stop();
                    answer.recv_timeout(PATIENCE).expect("the stop is answered");
                    stopped.elapsed()
                })
            });
        }
    }
}

#[test]
fn a_stop_before_the_start_still_gets_a_move() {
    let signals = Signals::new();
    signals.stop();
    std::thread::scope(|scope| {
        let position = Game::default();
        let answer =
            in_background(scope, position, Limits::default(), Settings::default(), &signals);
        let answer = answer.recv_timeout(PATIENCE).unwrap();
        assert!(matches!(answer, BestMove::Move { .. }));
    });
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let clock = Clock { byoyomi: Duration::from_millis(300), ..Clock::default() };
    for (own, with_hit) in [(Some(clock), None), (None, Some(clock))] {
        let limits = Limits { ponder: true, clock: own, ..Limits::default() };
        in_time(Duration::from_millis(450), || {
            let signals = Signals::new();
            std::thread::scope(|scope| {
                let (position, settings) = (Game::default(), Settings::default());
                let answer = in_background(scope, position, limits.clone(), settings, &signals);
                assert!(answer.recv_timeout(Duration::from_millis(400)).is_err());
                let hit = Instant::now();
                signals.ponder_hit(with_hit, hit);
                answer.recv_timeout(PATIENCE).expect("the clock runs out");
                let taken = hit.elapsed();
                assert!(taken >= Duration::from_millis(200), "{taken:?}");
                taken
            })
        });
    }
}

#[test]
fn a_finished_ponder_search_answers_the_hit_at_once() {
    let signals = Signals::new();
    let clock = Clock { byoyomi: Duration::from_secs(60), ..Clock::default() };
    let limits = Limits { ponder: true, clock: Some(clock), depth: Some(2), ..Limits::default() };
    std::thread::scope(|scope| {
        let answer = in_background(scope, Game::default(), limits, Settings::default(), &signals);
        assert!(answer.recv_timeout(Duration::from_millis(100)).is_err());
        signals.ponder_hit(None, Instant::now());
        answer.recv_timeout(PATIENCE).expect("nothing is left to think about");
    });
}

#[test]
fn byoyomi_is_kept() {
    let mut settings = Settings::default();
    settings.time.network_delay = Duration::ZERO;
    settings.time.network_delay2 = Duration::ZERO;
    let position = Game::default();
    let mut searcher = Searcher::new(4);
    for byoyomi in [30, 100, 200] {
        let byoyomi = Duration::from_millis(byoyomi);
        let limits =
            Limits { clock: Some(Clock { byoyomi, ..Clock::default() }), ..Limits::default() };
        in_time(byoyomi + Duration::from_millis(100), || {
            let started = Instant::now();
            let (best, infos) = search_with(&mut searcher, &position, &limits, &settings);
            let taken = started.elapsed();
            assert_sound(&position, best, &infos);
            assert!(taken > byoyomi / 2, "{taken:?}");
            taken
        });
    }
}
