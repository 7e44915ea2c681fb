//! Fits the weights of the evaluation to games of the engine against itself.
//!
//! `cargo run --release --package tsumero-quantum --example fit -- GAMES NODES [SEED]`
//!
//! Each game begins with eight random moves; then each move is searched with NODES nodes. The weights
//! are fitted to the results of the games, by logistic regression. A prior keeps weights that the games
//! hardly show near their present values. One game of ten is held out. Progress goes to standard error,
//! the new weights to standard output.

use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use tsumero_control::{Limits, Signals};
use tsumero_core::Color;
use tsumero_quantum::{
    BestMove, Move, Position, Question, Searcher, Settings, WEIGHT_COUNT, features, weights,
};

/// A game is drawn after this many moves.
const MOVE_LIMIT: u32 = 400;
const RANDOM_PLIES: usize = 8;
/// The share of the result in what is fitted; the rest is the score of the search.
const RESULT_SHARE: f64 = 0.7;
/// How far a weight is expected to move: a share of its value, and at least so much.
const PRIOR: (f64, f64) = (0.3, 20.0);

/// A position as the fit sees it.
struct Sample {
    features: [f32; WEIGHT_COUNT],
    /// The search's score for Black.
    score: f64,
    /// Black's result, 0 to 1.
    result: f64,
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The value of a sample.
fn value(weights: &[f64; WEIGHT_COUNT], sample: &Sample) -> f64 {
    weights.iter().zip(&sample.features).map(|(weight, &count)| weight * f64::from(count)).sum()
}

/// Plays a game. Returns its quiet positions, or none if it is drawn.
fn game(searcher: &mut Searcher, limits: &Limits, rng: &mut SmallRng) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut position = Position::startpos();
    let (settings, signals) = (Settings::default(), Signals::new());
    searcher.clear();
    let outcome = loop {
        if let Some(outcome) = position.outcome(Some(MOVE_LIMIT)) {
            break outcome;
        }
        let mv = if position.moves().len() < RANDOM_PLIES {
            *position.legal_moves().choose(rng).expect("a move")
        } else {
            let mut score = 0;
            let question = Question::new(&position, limits, &settings, &signals);
            let answer = searcher.search(&question, &mut |info| score = info.score.value());
            let BestMove::Move { best, .. } = answer else { unreachable!("nobody resigns here") };
            let captures =
                matches!(best, Move::Board { to, .. } if position.piece_at(to).is_some());
            if !captures && score.abs() < 10_000 {
                let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
                let score = f64::from(sign * score);
                samples.push(Sample { features: features(&position), score, result: 0.5 });
            }
            best
        };
        position.play(mv).expect("a legal move");
    };
    // A drawn game says little: mostly nobody finds a way to make progress.
    let Some(winner) = outcome.winner() else { return Vec::new() };
    let result = if winner == Color::Black { 1.0 } else { 0.0 };
    samples.iter_mut().for_each(|sample| sample.result = result);
    samples
}

/// The mean loss of the weights, by results alone.
fn loss(weights: &[f64; WEIGHT_COUNT], samples: &[Sample], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let expected = logistic(value(weights, sample) / scale).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * expected.ln() + (1.0 - sample.result) * (1.0 - expected).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len() as f64
}

/// The scale with which the weights predict the results best.
fn best_scale(weights: &[f64; WEIGHT_COUNT], samples: &[Sample]) -> f64 {
    let scales = (2..80).map(|number| 50.0 * f64::from(number));
    let by_loss =
        |a: &f64, b: &f64| loss(weights, samples, *a).total_cmp(&loss(weights, samples, *b));
    scales.min_by(by_loss).expect("there are scales")
}

/// Adam over all samples at once.
fn fit(start: &[f64; WEIGHT_COUNT], samples: &[Sample], scale: f64) -> [f64; WEIGHT_COUNT] {
    let mut weights = *start;
    let (mut first, mut second) = ([0.0; WEIGHT_COUNT], [0.0; WEIGHT_COUNT]);
    let spread = start.map(|weight| (PRIOR.0 * weight.abs()).max(PRIOR.1));
    for step in 1..=600 {
        let mut gradient = [0.0; WEIGHT_COUNT];
        for sample in samples {
            let target = RESULT_SHARE * sample.result
                + (1.0 - RESULT_SHARE) * logistic(sample.score / scale);
            let error = logistic(value(&weights, sample) / scale) - target;
            for (sum, &count) in gradient.iter_mut().zip(&sample.features) {
                *sum += error * f64::from(count) / scale;
            }
        }
        for number in 0..WEIGHT_COUNT {
            let pull = (weights[number] - start[number]) / spread[number].powi(2);
            // Positions of one game depend on each other: some ten of them tell as much as one.
            let slope = (gradient[number] / 10.0 + pull) * spread[number];
            first[number] = 0.9 * first[number] + 0.1 * slope;
            second[number] = 0.99 * second[number] + 0.01 * slope * slope;
            let corrected = first[number] / (1.0 - 0.9f64.powi(step));
            let size = (second[number] / (1.0 - 0.99f64.powi(step))).sqrt() + 1e-12;
            let rate = 0.03 * (1.0 - f64::from(step) / 601.0);
            weights[number] -= rate * spread[number] * corrected / size;
        }
    }
    weights
}

fn main() {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|argument| argument.parse().expect("a number")).collect();
    let [games, nodes, seed @ ..] = &numbers[..] else {
        eprintln!("usage: fit GAMES NODES [SEED]");
        std::process::exit(2);
    };
    let mut rng = SmallRng::seed_from_u64(seed.first().copied().unwrap_or(1));
    let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
    let mut searcher = Searcher::try_new(4).expect("4 MB");
    let (mut samples, mut held_out) = (Vec::new(), Vec::new());
    for number in 1..=*games {
        let new = game(&mut searcher, &limits, &mut rng);
        if number % 10 == 0 {
            held_out.extend(new)
        } else {
            samples.extend(new)
        };
        if number % 50 == 0 {
            eprintln!("{number} of {games} games, {} positions", samples.len());
        }
    }
    let start = weights().map(f64::from);
    let scale = best_scale(&start, &samples);
    eprintln!("scale {scale}, held-out loss {:.5}", loss(&start, &held_out, scale));
    let fitted = fit(&start, &samples, scale);
    eprintln!("fitted: held-out loss {:.5}", loss(&fitted, &held_out, scale));
    for row in fitted.chunks(8) {
        println!(
            "{}",
            row.iter().map(|weight| format!("{weight:.2}")).collect::<Vec<_>>().join(", ")
        );
    }
}
