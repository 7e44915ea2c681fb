//! Tests: gradients against differences of an independent computation, symmetries, learning and
//! files.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tsumero_core::{Color, PieceKind, Position};
use tsumero_network::{Kind, Network, Parameters};

use super::data::{HeldOut, Samples};
use super::inputs::tests::{random_positions, turned_text};
use super::inputs::{ACTIVE, INPUTS, Parts, mirrored, turned};
use super::model::{
    FIRST, FIRST_BIASES, HIDDEN, Model, OUTPUT, OUTPUT_BIAS, OUTPUT_VALUE, PARTS, ROW_BIASES, ROWS,
    SECOND, SECOND_BIASES,
};
use super::pass::{Pick, Workspace};
use super::quantize::{QuantizeError, dequantize, quantize};
use super::report::{integer_values, rounding_error};
use super::{Loss, TrainOptions, Trained, train, values};

/// The smallest network that can be computed: 64x2-32-32.
type Tiny = Model<1>;

fn samples(count: usize, seed: u64) -> Samples {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut samples = Samples::default();
    for position in random_positions(count, seed) {
        samples.push(
            &position,
            rng.random_range(-900.0..900.0),
            f32::from(rng.random_range(0..2u8)),
        );
    }
    samples
}

/// A network with values at both limits and between them.
fn varied(kind: Kind, seed: u64) -> Tiny {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut model = Tiny::random(kind, &mut rng);
    for (part, values) in model.parts_mut().into_iter().enumerate() {
        if !matches!(part, FIRST | SECOND | OUTPUT) {
            values.iter_mut().for_each(|value| *value += rng.random_range(-0.1..0.1));
        } else {
            values.iter_mut().for_each(|value| *value *= 2.0);
        }
    }
    model
}

/// A K-P network of random numbers.
fn random<const STRIPS: usize>(seed: u64) -> Model<STRIPS> {
    Model::random(Kind::Kp, &mut ChaCha8Rng::seed_from_u64(seed))
}

/// The numbers of a model in double precision.
fn numbers(model: &Tiny) -> Vec<Vec<f64>> {
    model.parts().map(|part| part.iter().map(|&value| f64::from(value)).collect()).to_vec()
}

/// The output of a network by the plainest of loops, in double precision.
fn plain_output(kind: Kind, numbers: &[Vec<f64>], own: &[u16; ACTIVE]) -> f64 {
    let parts = Parts::new(kind);
    let clip = |sum: f64| sum.clamp(0.0, 1.0);
    let mut input = Vec::new();
    for active in [*own, turned(own)] {
        for value in 0..64 {
            let rows = parts.rows(&active);
            let weights = rows.iter().map(|&row| numbers[ROWS][row as usize * 64 + value]);
            input.push(clip(numbers[ROW_BIASES][value] + weights.sum::<f64>()));
        }
    }
    for (weights, biases) in [(FIRST, FIRST_BIASES), (SECOND, SECOND_BIASES)] {
        let layer = |output: usize| {
            let products = input
                .iter()
                .enumerate()
                .map(|(number, value)| value * numbers[weights][number * HIDDEN + output]);
            clip(numbers[biases][output] + products.sum::<f64>())
        };
        input = (0..HIDDEN).map(layer).collect();
    }
    let products = input.iter().zip(&numbers[OUTPUT]).map(|(value, weight)| value * weight);
    numbers[OUTPUT_BIAS][0] + products.sum::<f64>()
}

#[test]
fn gradients_are_the_slopes_of_the_loss() {
    // More than a chunk, and no multiple of a block; some samples are mirrored.
    let samples = samples(203, 5);
    let picks: Vec<Pick> = (0..samples.len()).map(|n| Pick::new(n, n % 3 == 0)).collect();
    for (kind, loss) in [(Kind::Kp, Loss::CrossEntropy), (Kind::ZoneKa1, Loss::Squared)] {
        let (model, parts) = (varied(kind, 3), Parts::new(kind));
        let target = |sample| samples.target(sample, 0.4, 500.0);
        let of = |sample, output: f64| {
            loss.with_slope(crate::expectation::logistic(output), target(sample))
        };
        let plain_loss = |numbers: &[Vec<f64>]| -> f64 {
            let losses = (0..samples.len()).map(|number| {
                let own = samples.inputs(number);
                let own = if number % 3 == 0 { mirrored(own) } else { *own };
                of(number, plain_output(kind, numbers, &own)).0
            });
            losses.sum()
        };
        let mut workspace = Workspace::new(kind);
        let total = workspace.learn(&model, &samples, &picks, |number, output| {
            let (loss, slope) = of(number, f64::from(output));
            (loss, slope as f32)
        });
        let mut numbers = numbers(&model);
        assert!((total - plain_loss(&numbers)).abs() < 1e-3);

        let gradient = workspace.gradient.parts();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut nonzero = [0; PARTS];
        for part in 0..PARTS {
            for _ in 0..if part == ROWS { 60 } else { 15 } {
                // Inputs that never occur would test nothing.
                let sample = samples.inputs(3 * rng.random_range(0..samples.len() / 3) + 1);
                let index = match part {
                    ROWS => {
                        let row = parts.rows(sample)[rng.random_range(0..ACTIVE)];
                        row as usize * 64 + rng.random_range(0..64)
                    }
                    _ => rng.random_range(0..numbers[part].len()),
                };
                // The function has corners at the limits. A small step seldom crosses one.
                let step = 1e-6;
                let middle = numbers[part][index];
                let mut at = |value| {
                    numbers[part][index] = value;
                    plain_loss(&numbers)
                };
                let slope = (at(middle + step) - at(middle - step)) / (2.0 * step);
                at(middle);
                let found = f64::from(gradient[part][index]);
                let tolerance = 1e-4 + 1e-3 * slope.abs();
                assert!((found - slope).abs() < tolerance, "{part} {index}: {found} {slope}");
                nonzero[part] += usize::from(slope.abs() > 1e-3);
            }
        }
        assert!(nonzero.iter().all(|&count| count > 0), "{nonzero:?}");
    }
}

#[test]
fn a_gradient_is_forgotten_once_it_has_been_used() {
    let samples = samples(50, 6);
    let picks: Vec<Pick> = (0..samples.len()).map(|n| Pick::new(n, false)).collect();
    let mut model = varied(Kind::Kp, 4);
    let mut workspaces = [(); 2].map(|()| Workspace::new(Kind::Kp));
    for workspace in &mut workspaces {
        workspace.learn(&model, &samples, &picks, |_, output| (0.0, output));
    }
    let before = model.clone();
    let mut gradients: Vec<_> = workspaces.iter_mut().map(|w| &mut w.gradient).collect();
    super::AdamW::new(Kind::Kp).step(&mut model, &mut gradients, 1.0, 1e-3, 0.0);
    assert_ne!(model, before);
    assert!(workspaces.iter().all(|workspace| workspace.gradient == Model::zeros(Kind::Kp)));
}

#[test]
fn a_position_and_the_same_with_colors_exchanged_have_one_value() {
    let model = varied(Kind::Kp, 8);
    let integers = {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        Network::from_parameters(&quantize(&Model::<2>::random(Kind::Kp, &mut rng)).unwrap())
            .unwrap()
    };
    let (mut samples, mut exchanged) = (Samples::default(), Samples::default());
    let positions = random_positions(500, 9);
    for position in &positions {
        let other = turned_text(position);
        assert_ne!(other.side_to_move(), position.side_to_move());
        assert_eq!(
            integers.evaluate_from_scratch(position),
            integers.evaluate_from_scratch(&other),
            "{position}"
        );
        samples.push(position, 0.0, 0.0);
        exchanged.push(&other, 0.0, 0.0);
    }
    let (values, others) = (values(&model, &samples), values(&model, &exchanged));
    for (value, other) in values.iter().zip(&others) {
        assert!((value - other).abs() < 0.1, "{value} {other}");
    }
    let spread = values.iter().fold(f32::MIN, |a, &b| a.max(b))
        - values.iter().fold(f32::MAX, |a, &b| a.min(b));
    assert!(spread > 10.0, "{spread}");
}

/// The material balance for the side to move.
fn material(position: &Position) -> f32 {
    let worth = |kind: PieceKind| match kind {
        PieceKind::Pawn => 90.0,
        PieceKind::King => 0.0,
        PieceKind::Rook | PieceKind::Bishop => 700.0,
        PieceKind::Dragon | PieceKind::Horse => 900.0,
        PieceKind::Lance | PieceKind::Knight => 300.0,
        _ => 450.0,
    };
    let us = position.side_to_move();
    let sign = |color: Color| if color == us { 1.0 } else { -1.0 };
    let board: f32 = position.pieces().map(|(_, p)| sign(p.color()) * worth(p.kind())).sum();
    let hand = |owner: Color| -> f32 {
        position.hand(owner).iter().map(|(kind, held)| worth(kind) * held as f32).sum()
    };
    board + hand(us) - hand(!us)
}

fn material_samples(count: usize, seed: u64) -> HeldOut {
    let mut held_out = HeldOut::default();
    for position in random_positions(count, seed) {
        let value = material(&position);
        held_out.samples.push(&position, value, if value > 0.0 { 1.0 } else { 0.0 });
        held_out.sfens.push(position.to_sfen());
        held_out.attack_maps.push(value);
    }
    held_out
}

fn options(threads: usize) -> TrainOptions {
    TrainOptions {
        loss: Loss::CrossEntropy,
        lambda: 0.0,
        late_lambda: 0.0,
        late_share: 0.2,
        rounded_share: 0.3,
        scale: 600.0,
        epochs: 8,
        batch: 256,
        rate: 4e-3,
        last_rate: 1e-5,
        decay: 0.01,
        mirror: true,
        threads,
        seed: 11,
    }
}

#[test]
fn material_is_learned_and_the_file_says_the_same() {
    let (training, held_out) = (material_samples(20_000, 21), material_samples(1_000, 22));
    let Trained { model, losses } = train::<2>(
        random(11),
        &training.samples,
        &held_out.samples,
        &options(2),
        &mut |_, _, _| {},
    );
    let least = Loss::CrossEntropy.mean(&held_out.attack_maps, &held_out.samples, 0.0, 600.0);
    let (first, last) = (losses[0].held_out - least, losses[8].held_out - least);
    assert!(last < 0.1 * first, "{first} above the least loss became {last}");

    let mut file = Vec::new();
    quantize(&model).unwrap().write(&mut file).unwrap();
    let network = Network::from_bytes(&file).unwrap();
    let floats = values(&model, &held_out.samples);
    let error = rounding_error(&floats, &integer_values(&network, &held_out.sfens));
    // Values reach thousands.
    assert!(error.root_mean_square < 4.0 && error.largest < 16.0, "{error:?}");
    let start = network.evaluate_from_scratch(&Position::startpos()) / 16;
    assert!(start.abs() < 150, "{start}");
}

/// Without training on rounded numbers, the same network differs more from its file.
#[test]
fn rounded_training_brings_the_file_close() {
    let (training, held_out) = (material_samples(5_000, 23), material_samples(500, 24));
    let error = |rounded_share| {
        let options = TrainOptions { rounded_share, epochs: 4, ..options(1) };
        let trained = train::<2>(
            random(11),
            &training.samples,
            &held_out.samples,
            &options,
            &mut |_, _, _| {},
        );
        let network = Network::from_parameters(&quantize(&trained.model).unwrap()).unwrap();
        let floats = values(&trained.model, &held_out.samples);
        rounding_error(&floats, &integer_values(&network, &held_out.sfens)).root_mean_square
    };
    let (without, with) = (error(0.0), error(0.5));
    assert!(with < 0.5 * without, "{with} {without}");
}

/// Further epochs would take as long as if they learned something.
#[test]
fn a_training_without_numbers_ends_at_once() {
    let training = samples(200, 5);
    let train_with = |rate| {
        let options = TrainOptions { rate, epochs: 4, batch: 50, ..options(1) };
        train::<1>(random(1), &training, &samples(20, 6), &options, &mut |_, _, _| {})
    };
    let diverged = train_with(1e30);
    assert_eq!((diverged.diverged(), diverged.losses.len()), (Some(1), 2));
    let trained = train_with(1e-3);
    assert_eq!((trained.diverged(), trained.losses.len()), (None, 5));
}

/// Training goes on with a network where it ended: by the model, and by its file.
#[test]
fn a_network_is_trained_further() {
    let (training, held_out) = (material_samples(5_000, 25), material_samples(500, 26));
    let run = |initial, epochs, rate| {
        let options = TrainOptions { epochs, rate, last_rate: rate, ..options(1) };
        train::<2>(initial, &training.samples, &held_out.samples, &options, &mut |_, _, _| {})
    };
    let first = run(random(11), 4, 2e-3);
    let parameters = quantize(&first.model).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(27);
    let again = dequantize::<2>(Kind::Kp, &parameters, &mut rng).unwrap();
    assert_eq!(again, first.model, "the training ended with rounded numbers");
    let further = run(again, 4, 2e-3);
    assert_eq!(further.losses[0].held_out, first.losses[4].held_out);
    assert!(further.losses[4].held_out < first.losses[4].held_out - 0.005, "{:?}", further.losses);
}

/// A network whose rows depend on the own king begins with the values of the K-P network.
#[test]
fn a_network_gets_zones() {
    let (training, held_out) = (material_samples(20_000, 33), material_samples(500, 34));
    let plain = random::<2>(35);
    let mut rng = ChaCha8Rng::seed_from_u64(36);
    let zones = dequantize::<2>(Kind::ZoneKa1, &quantize(&plain).unwrap(), &mut rng).unwrap();
    let plain = dequantize::<2>(Kind::Kp, &quantize(&plain).unwrap(), &mut rng).unwrap();
    assert_eq!(values(&plain, &held_out.samples), values(&zones, &held_out.samples));

    let options = TrainOptions { epochs: 4, rate: 1e-3, ..options(2) };
    let Trained { model, losses } =
        train(zones, &training.samples, &held_out.samples, &options, &mut |_, _, _| {});
    assert!(losses[4].held_out < losses[0].held_out - 0.02, "{losses:?}");
    let parameters = quantize(&model).unwrap();
    assert_eq!(parameters.architecture().to_string(), "ZoneKA1 128x2-32-32");
    let network = Network::from_parameters(&parameters).unwrap();
    let floats = values(&model, &held_out.samples);
    let error = rounding_error(&floats, &integer_values(&network, &held_out.sfens));
    assert!(error.root_mean_square < 4.0 && error.largest < 16.0, "{error:?}");
    assert_eq!(dequantize::<2>(Kind::ZoneKa1, &parameters, &mut rng), Ok(model));
    // Zones cannot be given up again.
    let error = dequantize::<2>(Kind::Kp, &parameters, &mut rng).unwrap_err().to_string();
    assert!(error.starts_with("found a network ZoneKA1 128x2-32-32, expected K-P"), "{error}");
}

#[test]
fn a_file_becomes_a_model_and_the_same_file_again() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../search/src/evaluate/internal.nn.bin");
    let parameters = Parameters::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(28);
    let model = dequantize::<4>(Kind::ZoneKa1, &parameters, &mut rng).unwrap();
    assert_eq!(quantize(&model), Ok(parameters.clone()));
    assert_eq!(
        dequantize::<2>(Kind::ZoneKa1, &parameters, &mut rng).unwrap_err().to_string(),
        "found a network ZoneKA1 256x2-32-32, expected ZoneKA1 128x2-32-32 or a narrower transformer"
    );
}

/// A network in a wider transformer has the same values, and training uses the new width.
#[test]
fn a_network_is_widened() {
    let (training, held_out) = (material_samples(3_000, 29), material_samples(500, 30));
    let options = TrainOptions { epochs: 4, ..options(1) };
    let narrow =
        train::<2>(random(11), &training.samples, &held_out.samples, &options, &mut |_, _, _| {})
            .model;
    let parameters = quantize(&narrow).unwrap();
    let wide = dequantize::<4>(Kind::Kp, &parameters, &mut ChaCha8Rng::seed_from_u64(31)).unwrap();
    let [before, after] = [values(&narrow, &held_out.samples), values(&wide, &held_out.samples)];
    assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 0.01));

    let Trained { model, losses } =
        train(wide, &training.samples, &held_out.samples, &options, &mut |_, _, _| {});
    assert!(losses[4].held_out < losses[0].held_out - 0.002, "{losses:?}");
    let rows = model.parts()[FIRST].chunks_exact(HIDDEN).enumerate();
    let used = rows.filter(|(value, row)| value % 256 >= 128 && row.iter().any(|&w| w != 0.0));
    assert!(used.count() > 200, "of the 256 new values of both views");
}

#[test]
fn a_seed_and_a_number_of_threads_give_the_same_bytes() {
    let (training, held_out) = (samples(1500, 31), samples(100, 32));
    let run = |threads, seed| {
        let options = TrainOptions { epochs: 2, seed, ..options(threads) };
        train::<2>(random(seed), &training, &held_out, &options, &mut |_, _, _| {})
    };
    let bits = |trained: &Trained<2>| -> Vec<u32> {
        trained.model.parts().iter().flat_map(|part| part.iter().map(|v| v.to_bits())).collect()
    };
    for threads in [1, 3] {
        let (one, two) = (run(threads, 1), run(threads, 1));
        assert_eq!(bits(&one), bits(&two));
        assert_eq!(one.losses, two.losses);
        assert_ne!(bits(&one), bits(&run(threads, 2)));
    }
    let close = run(1, 1).losses[2].held_out - run(3, 1).losses[2].held_out;
    assert!(close.abs() < 1e-4, "{close}");
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let fine = Model::<2>::random(Kind::Kp, &mut rng);
    assert!(quantize(&fine).is_ok());
    let with = |part: usize, value: f32| {
        let mut model = fine.clone();
        model.parts_mut()[part][40.min(fine.parts()[part].len() - 1)] = value;
        quantize(&model)
    };
    for part in [FIRST, SECOND, OUTPUT] {
        assert!(matches!(with(part, 2.0), Err(QuantizeError::Range { .. })));
        assert!(with(part, -127.0 / 64.0).is_ok());
    }
    for part in 0..PARTS {
        assert!(matches!(with(part, f32::NAN), Err(QuantizeError::Range { .. })));
        assert!(matches!(with(part, f32::INFINITY), Err(QuantizeError::Range { .. })));
    }
    assert!(matches!(with(ROWS, 300.0), Err(QuantizeError::Range { .. })));
    // One weight of 7 · 127 may count 38 times in a handicap game.
    assert!(matches!(with(ROWS, 7.0), Err(QuantizeError::Accumulator { value: 40, .. })));
    assert!(matches!(with(ROW_BIASES, -257.0), Err(QuantizeError::Accumulator { value: 40, .. })));
    assert!(quantize(&Tiny::zeros(Kind::Kp)).is_err(), "files are at least 128 wide");
}

/// However large the steps are, the network fits the file.
#[test]
fn training_leaves_no_network_that_cannot_be_written() {
    for kind in [Kind::Kp, Kind::ZoneKa1] {
        let mut rng = ChaCha8Rng::seed_from_u64(44);
        let mut model = Model::<2>::random(kind, &mut rng);
        let mut optimizer = super::AdamW::new(kind);
        for _ in 0..2 {
            let mut gradient = Model::<2>::zeros(kind);
            for values in gradient.parts_mut() {
                values.fill_with(|| rng.random_range(-1.0..1.0));
            }
            optimizer.step(&mut model, &mut [&mut gradient], 1.0, 20.0, 0.0);
        }
        let mut file = Vec::new();
        quantize(&model).unwrap().write(&mut file).unwrap();
    }
}

/// No game from the usual start has a missing piece, so nothing would change random numbers there.
#[test]
fn missing_pieces_begin_with_zeros() {
    for kind in [Kind::Kp, Kind::ZoneKa1] {
        let model = Tiny::random(kind, &mut ChaCha8Rng::seed_from_u64(45));
        for (input, row) in model.parts()[ROWS].chunks_exact(64).enumerate() {
            assert_eq!(
                row.iter().all(|&weight| weight == 0.0),
                input.is_multiple_of(INPUTS),
                "{input}"
            );
        }
    }
}

/// Tests the place of each integer: networks with one weight each, evaluated by the crate
/// `tsumero-network`.
#[test]
fn integers_are_where_the_file_wants_them() {
    let position = &random_positions(60, 41)[59];
    let mut held_out = HeldOut::default();
    held_out.samples.push(position, 0.0, 0.0);
    held_out.sfens.push(position.to_sfen());
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    for _ in 0..20 {
        // These numbers are exact as integers, so rounding loses nothing.
        let mut model = Model::<2>::zeros(Kind::Kp);
        for (part, values) in model.parts_mut().into_iter().enumerate() {
            let unit = if matches!(part, FIRST | SECOND | OUTPUT) { 64.0 } else { 127.0 };
            let limit = if part == ROWS { 6 } else { 12 };
            let mut draw = || rng.random_range(-limit..=limit) as f32 / unit;
            values.iter_mut().for_each(|value| *value = draw());
        }
        let parameters: Parameters = quantize(&model).unwrap();
        let network = Network::from_parameters(&parameters).unwrap();
        let float = values(&model, &held_out.samples)[0];
        let integer = integer_values(&network, &held_out.sfens)[0];
        // Two layers round by half of 1/127; the weights behind them are at most 12/64.
        let most = OUTPUT_VALUE / 127.0 * 0.5 * (32.0 * 12.0 / 64.0) * (1.0 + 32.0 * 12.0 / 64.0);
        assert!((float - integer).abs() < most, "{float} {integer}");
    }
}
