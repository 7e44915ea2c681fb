//! Tests that accumulators along lines of play agree with a computation from scratch.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tsumero_core::{Color, Line, Move, Position};

use super::formula::{
    Formula, KINDS, MIRRORED, RULES, STACKS, VECTORS, WIDTHS, ZONES, progress_file,
};
use crate::{Accumulators, Network};

/// Compares one answer.
fn check(accumulators: &mut Accumulators, network: &Network, position: &Position) {
    let expected = network.evaluate_from_scratch(position);
    assert_eq!(accumulators.evaluate(network, position), expected, "{position}");
}

/// Plays a random game with null moves and moves taken back. `rate` is the share of positions that
/// are evaluated. Returns the number of evaluations.
fn random_game(
    network: &Network,
    accumulators: &mut Accumulators,
    seed: u64,
    rate: f64,
    moves: usize,
) -> usize {
    let mut random = StdRng::seed_from_u64(seed);
    let starts = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        "8k/9/8p/9/9/9/P8/9/K8 b RBGSNLPrbgsnlp 1",
        // A mate problem: Black has no king.
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    ];
    let mut position =
        Line::from(Position::from_sfen(starts[seed as usize % starts.len()]).unwrap());
    accumulators.reset(network, &position);
    let mut made: Vec<Option<Move>> = Vec::new();
    let mut evaluations = 0;
    for _ in 0..moves {
        let legal = position.legal_moves();
        if legal.is_empty() || made.len() > 1 && random.random_bool(0.3) {
            match made.pop() {
                Some(Some(_)) => position.undo_move(),
                Some(None) => position.undo_null_move(),
                None => break,
            }
            accumulators.pop();
        } else if !position.in_check() && random.random_bool(0.1) {
            accumulators.push_null();
            position.do_null_move();
            made.push(None);
        } else {
            // Moves of kings and captures are chosen more often than by chance.
            let of_king: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|mv| mv.from() == position.king(mv.color()) || mv.is_capture())
                .collect();
            let choice = match of_king.is_empty() || random.random_bool(0.6) {
                true => &legal[..],
                false => &of_king[..],
            };
            let mv = choice[random.random_range(0..choice.len())];
            accumulators.push(&position, mv);
            position.do_move(mv);
            made.push(Some(mv));
        }
        assert_eq!(accumulators.len(), made.len());
        if random.random_bool(rate) {
            check(accumulators, network, &position);
            evaluations += 1;
        }
    }
    evaluations
}

/// Plays `games` games. In half of them every position is evaluated, so sums advance by one move;
/// in the others, few positions are.
fn random_games(formula: &Formula, games: u64) {
    random_games_of(&Network::from_parameters(&formula.parameters()).unwrap(), games);
}

fn random_games_of(network: &Network, games: u64) {
    let mut accumulators = Accumulators::new(network, &Position::startpos());
    assert!(accumulators.is_empty());
    let mut evaluations = 0;
    for seed in 0..games {
        let rate = if seed.is_multiple_of(2) { 1.0 } else { 0.2 };
        evaluations += random_game(network, &mut accumulators, seed, rate, 120);
    }
    assert!(evaluations > games as usize * 40, "{evaluations}");
}

#[test]
fn random_games_of_halfkp() {
    // Its sums wrap around.
    random_games(&VECTORS[1], 1000);
}

#[test]
fn random_games_of_kp() {
    random_games(&VECTORS[2], 1000);
}

#[test]
fn random_games_of_other_widths() {
    for formula in &WIDTHS {
        random_games(formula, 50);
    }
}

#[test]
fn random_games_of_other_kinds() {
    random_games(&MIRRORED, 200);
    random_games(&ZONES, 200);
    for formula in &KINDS {
        random_games(formula, 100);
    }
}

/// Rules on hands, kings and the progress, the last two with weights in the file.
#[test]
fn random_games_of_stacks() {
    random_games_of(&Network::from_bytes(&STACKS[2].file()).unwrap(), 100);
    for formula in &RULES[3..] {
        random_games_of(&Network::from_bytes(&formula.file()).unwrap(), 50);
    }
    // A mirrored board, and the progress on a board that is not.
    let formula = &RULES[5];
    let description = formula.description().replace("_K21K21", "").replace("441", "9");
    let mut file = formula.file_described(&description);
    file.truncate(file.len() - 432 * formula.architecture().stack_size());
    let progress = progress_file();
    let rule = "progress8ek".parse().ok();
    let network = Network::from_bytes_with(&file, rule, Some(&progress)).unwrap();
    random_games_of(&network, 200);
}

#[test]
fn accumulators_follow_to_another_network() {
    let [a, b, c, d] = [&VECTORS[2], &VECTORS[3], &WIDTHS[7], &KINDS[0]]
        .map(|f| Network::from_parameters(&f.parameters()).unwrap());
    let networks = [a, b, Network::from_bytes(&RULES[3].file()).unwrap(), c, d];
    let position = Position::startpos();
    let mut accumulators = Accumulators::new(&networks[0], &position);
    for network in &networks {
        accumulators.reset(network, &position);
        check(&mut accumulators, network, &position);
    }
}

#[test]
#[should_panic(expected = "accumulators belong to one network")]
fn accumulators_of_another_network_are_refused() {
    let [one, other] = [2, 3].map(|n| Network::from_parameters(&VECTORS[n].parameters()).unwrap());
    let position = Position::startpos();
    Accumulators::new(&one, &position).evaluate(&other, &position);
}

#[test]
fn both_colors_are_judged_alike() {
    let network = Network::from_parameters(&VECTORS[2].parameters()).unwrap();
    let sfen = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
    let position = Position::from_sfen(sfen).unwrap();
    // The same position with the board turned and the colors exchanged.
    let turned = "l2+SR3l/7k1/4ppg2/pppp3pp/3Ng4/PKP1n2RP/1P1P5/1SG1G4/L2s4L b Bbs2n5p 1";
    let turned = Position::from_sfen(turned).unwrap();
    assert_eq!(position.side_to_move(), Color::White);
    assert_eq!(network.evaluate_from_scratch(&position), network.evaluate_from_scratch(&turned));
}
