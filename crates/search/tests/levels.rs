//! Tests the levels from outside: what they play, and what they report.

use std::collections::HashSet;
use std::time::Duration;

use tsumero_control::{Clock, Limits, Score, Signals};
use tsumero_core::{ByColor, EnteringKingRule, Game, Handicap, Move, PieceKind, Position};
use tsumero_search::{BestMove, Info, Level, Question, STACK_SIZE, Searcher, Settings};

/// The lowest level that misses no mate in one and no attack on a bishop or a rook, as
/// `docs/levels.md` promises.
const ALERT: u8 = 7;

/// White mates in one, among many captures.
const WILD: &str =
    "ln1g4b/1ps1g2k1/+PPp1G2pl/3p3sP/5n1R+B/5PpP1/L+pP+pPKPsR/2G5L/1N+p2S1N1 w 2P 124";

fn levels(from: u8) -> impl Iterator<Item = Level> {
    (from..Level::FULL.number()).filter_map(Level::new)
}

fn settings(level: Level, seed: u64) -> Settings {
    Settings { level, level_seed: Some(seed), ..Settings::default() }
}

/// A clock on which a level has all the time it needs.
fn clock() -> Limits {
    let remaining = ByColor([Duration::from_secs(600); 2]);
    Limits { clock: Some(Clock { remaining, ..Clock::default() }), ..Limits::default() }
}

/// Runs with the stack that a search needs.
fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        builder.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

fn ask(
    searcher: &mut Searcher,
    game: &Game,
    limits: &Limits,
    only: &[Move],
    settings: &Settings,
) -> (BestMove, Vec<Info>) {
    let mut infos = Vec::new();
    let mut report = |info| infos.push(info);
    let signals = Signals::new();
    let question = Question::new(game, limits, settings, &signals);
    let best = searcher.search(&Question { search_moves: only, ..question }, &mut report);
    (best, infos)
}

/// The move of a level. The last best line has to begin with it.
fn play(searcher: &mut Searcher, game: &Game, settings: &Settings) -> Move {
    let (answer, infos) = ask(searcher, game, &clock(), &[], settings);
    let BestMove::Move { best, ponder } = answer else { panic!("{answer:?} in {game}") };
    assert!(game.legal_moves().contains(&best), "{best} in {game}");
    assert_eq!((infos[0].multipv, infos[0].pv[0]), (1, best));
    assert_eq!(infos.len(), 1);
    if let Some(reply) = ponder {
        let mut after = game.clone();
        after.play_unchecked(best);
        assert!(after.legal_moves().contains(&reply), "{best} {reply} in {game}");
    }
    best
}

fn game(sfen: &str) -> Game {
    Position::from_sfen(sfen).unwrap().into()
}

/// Plays a game of two levels, from a position, up to some plies. Returns the moves.
fn moves_of_a_game(start: Game, levels: [Level; 2], seed: u64, plies: usize) -> Vec<Move> {
    with_stack(|| {
        let (mut game, mut searcher, mut moves) = (start, Searcher::new(1), Vec::new());
        for ply in 0..plies {
            if !game.has_legal_move() || game.repetition().is_some() {
                break;
            }
            if game.declaration_wins(Settings::default().entering_king_rule) {
                break;
            }
            let mv = play(&mut searcher, &game, &settings(levels[ply % 2], seed));
            game.play_unchecked(mv);
            moves.push(mv);
        }
        moves
    })
}

#[test]
fn every_level_plays_legal_moves_in_even_and_in_handicap_games() {
    for level in levels(1) {
        let plies = if level.number() < 16 { 60 } else { 12 };
        let opponent = Level::new(20 - level.number()).unwrap();
        for start in [Position::startpos(), Handicap::TwoPieces.position()] {
            let played = moves_of_a_game(start.into(), [level, opponent.min(level)], 1, plies);
            assert!(played.len() >= 8, "{level:?}: {}", played.len());
        }
    }
}

#[test]
fn a_seed_repeats_a_game_and_without_one_games_differ() {
    for number in [1, 5, 10, 15] {
        let level = Level::new(number).unwrap();
        let game = |seed| moves_of_a_game(Game::default(), [level; 2], seed, 16);
        assert_eq!(game(7), game(7), "{level:?}");
        let others: HashSet<Vec<Move>> = (0..6).map(game).collect();
        assert!(others.len() >= 5, "{level:?}: {}", others.len());
        let unseeded = Settings { level, ..Settings::default() };
        let first = |_| {
            with_stack(|| {
                let (mut searcher, mut start) = (Searcher::new(1), Game::default());
                for _ in 0..6 {
                    let mv = play(&mut searcher, &start, &unseeded);
                    start.play_unchecked(mv);
                }
                start.key()
            })
        };
        let seen: HashSet<u64> = (0..8).map(first).collect();
        assert!(seen.len() > 1, "{level:?} always plays the same");
    }
}

/// A level learns within a game, and forgets it for the next one.
#[test]
fn a_seed_repeats_a_game_after_another_one_that_was_cleared() {
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for level in levels(1) {
            let mut seen = || {
                searcher.clear();
                let mut game = Game::default();
                let mut seen = Vec::new();
                for _ in 0..6 {
                    let (answer, infos) =
                        ask(&mut searcher, &game, &clock(), &[], &settings(level, 5));
                    let BestMove::Move { best, .. } = answer else { panic!("{answer:?}") };
                    game.play_unchecked(best);
                    seen.push((best, infos[0].score, infos[0].nodes));
                }
                seen
            };
            assert_eq!(seen(), seen(), "{level:?}");
        }
    });
}

/// A search of a level leaves nothing behind that the full strength reads, except proven mates.
#[test]
fn the_full_strength_searches_the_same_tree_before_and_after_a_level() {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let full = Settings { mate_search: false, ..Settings::default() };
    with_stack(|| {
        let start = Game::default();
        let fresh = ask(&mut Searcher::new(4), &start, &limits, &[], &full);
        let mut searcher = Searcher::new(4);
        for level in levels(1) {
            play(&mut searcher, &start, &settings(level, 3));
        }
        let after = ask(&mut searcher, &start, &limits, &[], &full);
        let seen = |(answer, infos): &(BestMove, Vec<Info>)| {
            let last = infos.last().unwrap();
            (*answer, last.nodes, last.score, last.pv.clone())
        };
        assert_eq!(seen(&fresh), seen(&after));
    });
}

/// Analysis is at full strength: whoever asks without end wants to know the truth.
#[test]
fn a_search_without_end_does_not_know_the_level() {
    let level = Settings { pv_interval: Duration::ZERO, ..settings(Level::LOWEST, 1) };
    for limits in [Limits::default(), Limits { infinite: true, ..Limits::default() }] {
        let deepest = with_stack(|| {
            let (signals, mut deepest) = (Signals::new(), 0);
            let mut report = |info: Info| {
                deepest = deepest.max(info.depth);
                if info.depth >= 8 {
                    signals.stop();
                }
            };
            let start = Game::default();
            let question = Question::new(&start, &limits, &level, &signals);
            Searcher::new(4).search(&question, &mut report);
            deepest
        });
        assert!(deepest >= 8);
    }
}

#[test]
fn several_lines_are_reported_and_the_first_is_played() {
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        let mut not_the_best = 0;
        for level in levels(1) {
            for seed in 0..6 {
                let wanted = Settings { multi_pv: 3, ..settings(level, seed) };
                let (answer, infos) = ask(&mut searcher, &Game::default(), &clock(), &[], &wanted);
                let BestMove::Move { best, .. } = answer else { panic!("{answer:?}") };
                let numbers: Vec<usize> = infos.iter().map(|info| info.multipv).collect();
                assert_eq!(numbers, [1, 2, 3], "{level:?}");
                let first: HashSet<Move> = infos.iter().map(|info| info.pv[0]).collect();
                assert_eq!((first.len(), infos[0].pv[0]), (3, best));
                not_the_best += usize::from(infos[1].score > infos[0].score);
            }
        }
        assert!(not_the_best > 20, "{not_the_best}");
    });
}

/// A level resigns because its best move is bad, and not because it chooses a bad one.
#[test]
fn a_level_resigns_by_the_score_of_its_best_line() {
    // Black has no rook, but can take a gold.
    let start = game("lns1kgsnl/1r5b1/pppppp1pp/6p2/7g1/2P4P1/PP1PPPP1P/1B7/LNSGKGSNL b - 1");
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        let (mut plays_on, mut resigns) = (0, 0);
        for (seed, resign_value) in (0..20).flat_map(|seed| [(seed, 300), (seed, -2_500)]) {
            let resign_value = Some(resign_value);
            let wanted = Settings { resign_value, multi_pv: 600, ..settings(Level::LOWEST, seed) };
            let (answer, infos) = ask(&mut searcher, &start, &clock(), &[], &wanted);
            let is_bad =
                |info: &Info| resign_value.is_some_and(|value| info.score.value() <= -value);
            assert_eq!(answer == BestMove::Resign, infos.iter().all(is_bad), "{seed} {infos:?}");
            plays_on += usize::from(is_bad(&infos[0]) && answer != BestMove::Resign);
            resigns += usize::from(answer == BestMove::Resign);
        }
        assert!(plays_on > 0 && resigns > 0, "{plays_on} {resigns}");
    });
}

#[test]
fn only_the_moves_asked_for_are_played() {
    let start = Game::default();
    let only = ["9g9f", "1g1f"].map(|mv| start.parse_move(mv).unwrap());
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for level in levels(1) {
            for seed in 0..5 {
                let (answer, _) =
                    ask(&mut searcher, &start, &clock(), &only, &settings(level, seed));
                assert!(matches!(answer, BestMove::Move { best, .. } if only.contains(&best)));
            }
        }
    });
}

/// Limits of a `go` hold for a level, too, and it always has a move.
#[test]
fn a_level_keeps_the_limits_of_the_search() {
    // Of its first iteration, the quiescence search alone takes 10,000 nodes.
    let wild = game(WILD);
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for level in levels(1) {
            for nodes in [1, 200, 100_000] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let (answer, infos) =
                    ask(&mut searcher, &Game::default(), &limits, &[], &settings(level, 1));
                assert!(matches!(answer, BestMove::Move { .. }));
                assert!(infos.iter().all(|info| info.nodes <= nodes), "{level:?} {nodes}");
            }
            // Where the nodes of a level end within the first iteration, it may finish that one, but
            // within the limit.
            let limits = Limits { nodes: Some(2000), ..Limits::default() };
            let (_, infos) = ask(&mut searcher, &wild, &limits, &[], &settings(level, 1));
            assert!(infos.iter().all(|info| info.nodes <= 2000), "{level:?} {infos:?}");
            let depth = Limits { depth: Some(1), ..Limits::default() };
            let (_, infos) = ask(&mut searcher, &Game::default(), &depth, &[], &settings(level, 1));
            assert!(infos.iter().all(|info| info.depth <= 1));
        }
    });
}

/// The nodes of level 18 end within the first iteration here. A second search finishes it: it counts
/// with the first, and replaces it only if it finds more.
#[test]
fn a_level_that_needs_a_second_search_tells_the_nodes_of_both() {
    const NODES: u64 = 370;
    /// It chooses from so many.
    const LINES: usize = 4;
    let game =
        game("ln4gnl/r3k2b1/pps2pp1p/1gppp2p1/2P1P4/PP1BGs1P1/L2P1PP1P/1S2K1SRL/1N3G1N1 b - 47");
    let level = Level::new(18).unwrap();
    with_stack(|| {
        let within = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let settings = Settings { multi_pv: LINES, ..settings(level, 1) };
            ask(&mut Searcher::new(1), &game, &limits, &[], &settings).1
        };
        let (cut_short, second_in_vain, finished) =
            (within(NODES), within(NODES + 1), within(100_000));
        assert!(cut_short.len() < finished.len());
        assert_eq!((second_in_vain.len(), second_in_vain[0].depth), (cut_short.len(), 1));
        assert_eq!(finished.len(), LINES);
        // With what the table knows, the second search alone takes fewer.
        assert!(finished.iter().all(|info| info.nodes > NODES), "{finished:?}");
    });
}

/// Positions of the collection of mates in one.
fn mates_in_one() -> Vec<Game> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tsume/mate1.csv");
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(path)
        .unwrap()
        .records()
        .filter_map(|record| Position::from_sfen(&record.unwrap()[0]).ok())
        .filter(|position| position.mate_in_one().is_some())
        .map(Game::from)
        .collect()
}

#[test]
fn from_the_middle_on_no_level_misses_a_mate_in_one() {
    let mut positions = mates_in_one();
    positions.extend(
        [WILD, "4g1+N1s/s1Lrg4/1k6+B/2PpN2pp/1p1gP1p1L/l1p2p1P1/pn1PBP+p2/LNS1GRP2/1Ks6 w 3p 180"]
            .map(game),
    );
    assert!(positions.len() >= 20, "{}", positions.len());
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for (seed, game) in (0..).zip(&positions) {
            for level in levels(ALERT).chain([Level::FULL]) {
                let mut after = game.clone();
                after.play_unchecked(play(&mut searcher, game, &settings(level, seed)));
                assert!(after.is_mate(), "{level:?} in {game}");
                // Not even if there is no room to look at the other moves.
                let nodes = [Some(1), Some(30), Some(1000), None][seed as usize % 4];
                let movetime = nodes.is_none().then_some(Duration::ZERO);
                let limits = Limits { nodes, movetime, ..Limits::default() };
                let (answer, _) = ask(&mut searcher, game, &limits, &[], &settings(level, seed));
                let BestMove::Move { best, .. } = answer else { panic!("{answer:?}") };
                let mut after = game.clone();
                after.play_unchecked(best);
                assert!(after.is_mate(), "{level:?}, {nodes:?} nodes in {game}");
            }
        }
        // The lowest levels miss some.
        let missed = positions.iter().filter(|game| {
            let mut after = Game::clone(game);
            after.play_unchecked(play(&mut searcher, game, &settings(Level::LOWEST, 1)));
            !after.is_mate()
        });
        assert!(missed.count() > positions.len() / 4);
    });
}

#[test]
fn a_try_that_wins_is_played_at_every_level() {
    let [game, late] =
        ["3K5", "5K3"].map(|rank| game(&format!("9/{rank}/9/9/4k4/9/9/9/9 b 2r2b4g 50")));
    let entering_king_rule = EnteringKingRule::TryRule;
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for (level, seed) in levels(1).flat_map(|level| (0..10).map(move |seed| (level, seed))) {
            let settings = Settings { entering_king_rule, ..settings(level, seed) };
            assert!(play(&mut searcher, &game, &settings).is_try(), "{level:?} {seed}");
            // Also if one node is all there is. The other moves are generated before it here.
            let limits = Limits { nodes: Some(1), ..Limits::default() };
            let (answer, _) = ask(&mut searcher, &late, &limits, &[], &settings);
            let is_try = matches!(answer, BestMove::Move { best, .. } if best.is_try());
            assert!(is_try, "{answer:?} by {level:?} {seed}");
        }
    });
}

/// The rook is attacked by a pawn that it can take. From the middle on, every level takes the pawn or
/// moves the rook away; the lowest sometimes overlook it.
#[test]
fn from_the_middle_on_no_level_gives_a_rook_away() {
    let game = game("lnsgkgsnl/1r5b1/pppppp2p/6p2/9/9/PPPPPPPpP/1B5R1/LNSGKGSNL b P 1");
    let loses = |mv: Move| {
        let mut after = game.clone();
        after.play_unchecked(mv);
        after.legal_moves().iter().any(|reply| reply.captured() == Some(PieceKind::Rook))
    };
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for level in levels(ALERT) {
            for seed in 0..25 {
                let mv = play(&mut searcher, &game, &settings(level, seed));
                assert!(!loses(mv), "{level:?} plays {mv}");
            }
        }
        let lost = (0..60)
            .filter(|&seed| loses(play(&mut searcher, &game, &settings(Level::LOWEST, seed))));
        assert!(lost.count() > 0);
    });
}

/// In a won position a level takes what ends the game.
#[test]
fn a_decided_position_is_played_by_the_best_line() {
    let won = game("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    with_stack(|| {
        let mut searcher = Searcher::new(1);
        for level in levels(ALERT) {
            let (answer, infos) = ask(&mut searcher, &won, &clock(), &[], &settings(level, 9));
            assert!(matches!(answer, BestMove::Move { best, .. } if best.to_string() == "G*5b"));
            assert_eq!(infos[0].score, Score::mate_in(1));
        }
    });
}

#[test]
fn levels_are_ordered_by_elo_and_found_by_it() {
    let all: Vec<Level> = (1..=20).filter_map(Level::new).collect();
    assert_eq!(all.len(), 20);
    for pair in all.windows(2) {
        let [low, high] = [pair[0], pair[1]];
        // The steps of the ladder are wins of 60 to 75 percent.
        assert!((70..=191).contains(&(high.elo() - low.elo())), "{low:?} {high:?}");
        assert_eq!((Level::nearest(low.elo()), Level::nearest(high.elo())), (low, high));
        assert_eq!(Level::nearest(low.elo() + 1), low);
    }
    assert_eq!((Level::nearest(0), Level::nearest(u32::MAX)), (Level::LOWEST, Level::FULL));
}
