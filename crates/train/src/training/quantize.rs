//! Converts floating point to the integers of a network file, and back.

use chacha20::ChaCha8Rng;
use tsumero_network::{Architecture, Kind, LayerParameters, Parameters};

use super::inputs::{ACTIVE, INPUTS, OWN_KING};
use super::model::{
    FIRST, FIRST_BIASES, HIDDEN, Model, OUTPUT, OUTPUT_BIAS, ROW_BIASES, ROWS, SECOND,
    SECOND_BIASES,
};

/// The integer of a hidden value of 1.
const ONE: f32 = 127.0;
/// The integer of a weight of 1 in the dense layers.
const WEIGHT_ONE: f32 = 64.0;
/// Half of the divisor of the shift after a dense layer. Added to the biases, it makes the shift
/// round to the nearest number instead of down.
const HALF: i32 = 32;

/// Why a network cannot be written as integers, or not be trained further.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum QuantizeError {
    /// The file format has no transformer of this width.
    #[error("there are no network files of {0} {1}x2-{HIDDEN}-{HIDDEN}")]
    Width(Kind, usize),
    /// A network to begin with has other inputs or layers, or is wider than the one to train.
    #[error("found a network {found}, expected {expected} or a narrower transformer")]
    Architecture {
        /// The architecture of the network.
        found: Architecture,
        /// The architecture to train.
        expected: Architecture,
    },
    /// A number is outside the range of its integer.
    #[error("{value} times {one} in the {part} does not fit the file's integers")]
    Range {
        /// Which layer.
        part: &'static str,
        /// The number.
        value: f32,
        /// The factor of the integer.
        one: f32,
    },
    /// In some position, a sum of the transformer could exceed 16 bits.
    #[error("a position's sum {sum} of value {value} of the transformer could leave 16 bits")]
    Accumulator {
        /// The index of the transformer's value.
        value: usize,
        /// The largest or smallest possible sum.
        sum: i64,
    },
}

/// The integers of a network. The value of a position is the last integer divided by the usual
/// FV_SCALE of 16, toward zero. Zones that differ by more than a file can hold are brought together.
///
/// # Errors
/// [`QuantizeError`]; in particular if the sums of any position could wrap around.
pub(crate) fn quantize<const STRIPS: usize>(
    model: &Model<STRIPS>,
) -> Result<Parameters, QuantizeError> {
    let mut parameters = Parameters::zeros(architecture::<STRIPS>(model.kind)?);
    let parts = model.parts();
    let words = |values: &[f32]| -> Result<Vec<i16>, QuantizeError> {
        let limits = (i16::MIN.into(), i16::MAX.into());
        let word = |&value: &f32| Ok(integer(value, ONE, limits, "transformer")? as i16);
        values.iter().map(word).collect()
    };
    parameters.transformer_biases = words(parts[ROW_BIASES])?;
    parameters.transformer_weights = words(parts[ROWS])?;
    parameters.bring_zones_together();
    check_accumulators(&parameters.transformer_biases, &parameters.transformer_weights)?;
    // The last sum is not shifted.
    parameters.layers = [
        layer("first dense layer", parts[FIRST_BIASES], parts[FIRST], HALF)?,
        layer("second dense layer", parts[SECOND_BIASES], parts[SECOND], HALF)?,
        layer("output", parts[OUTPUT_BIAS], parts[OUTPUT], 0)?,
    ];
    Ok(parameters)
}

/// The network of a file in floating point, to be trained further as one of a kind. [`quantize`]
/// gives the same integers again, if the weights of the dense layers are within ±127.
///
/// If the file is a K-P network and the model has parts that the own king chooses, each part begins
/// with the rows of the file.
///
/// If the file's transformer is narrower than the model's, the model has further values with random
/// numbers. Nothing depends on them before the training, so the network's value is that of the
/// file (a network that grows without a change of its function, as in T. Chen, I. Goodfellow and
/// J. Shlens, "Net2Net: accelerating learning via knowledge transfer", 2016).
///
/// # Errors
/// [`QuantizeError::Architecture`] if it is not a network of this kind or of K-P, with this model's
/// layers and at most its width.
pub(crate) fn dequantize<const STRIPS: usize>(
    kind: Kind,
    parameters: &Parameters,
    rng: &mut ChaCha8Rng,
) -> Result<Model<STRIPS>, QuantizeError> {
    let expected = architecture::<STRIPS>(kind)?;
    let found = parameters.architecture();
    let (width, own_width) = (found.l1(), Model::<STRIPS>::WIDTH);
    let kinds = [kind, Kind::Kp].map(|kind| Architecture::new(kind, width, HIDDEN, HIDDEN));
    if width > own_width || !kinds.contains(&Some(found)) {
        return Err(QuantizeError::Architecture { found, expected });
    }
    let mut model = Model::random(kind, rng);
    let mut parts = model.parts_mut();
    let mut words = |part: usize, integers: &[i16]| {
        let integers = integers.chunks_exact(width).cycle();
        let rows = parts[part].chunks_exact_mut(own_width).zip(integers);
        for (value, &integer) in rows.flat_map(|(row, integers)| row.iter_mut().zip(integers)) {
            *value = f32::from(integer) / ONE;
        }
    };
    words(ROW_BIASES, &parameters.transformer_biases);
    words(ROWS, &parameters.transformer_weights);
    parts[FIRST].fill(0.0);
    let places =
        [(FIRST_BIASES, FIRST, HALF), (SECOND_BIASES, SECOND, HALF), (OUTPUT_BIAS, OUTPUT, 0)];
    for ((biases, weights, half), layer) in places.into_iter().zip(&parameters.layers) {
        for (value, &integer) in parts[biases].iter_mut().zip(&layer.biases) {
            *value = (f64::from(integer) - f64::from(half)) as f32 / (ONE * WEIGHT_ONE);
        }
        // The file has the weights by output, the model by input.
        let outputs = layer.biases.len();
        let inputs = layer.weights.len() / outputs;
        for (output, row) in layer.weights.chunks_exact(inputs).enumerate() {
            for (input, &integer) in row.iter().enumerate() {
                // The other side's values come after those of the side to move.
                let input = if weights == FIRST {
                    input % width + input / width * own_width
                } else {
                    input
                };
                parts[weights][input * outputs + output] = f32::from(integer) / WEIGHT_ONE;
            }
        }
    }
    Ok(model)
}

/// The architecture of a model's file.
fn architecture<const STRIPS: usize>(kind: Kind) -> Result<Architecture, QuantizeError> {
    let width = Model::<STRIPS>::WIDTH;
    Architecture::new(kind, width, HIDDEN, HIDDEN).ok_or(QuantizeError::Width(kind, width))
}

/// Writes a copy of a model in which every number is rounded to a value that an integer expresses
/// exactly.
pub(super) fn round_into<const STRIPS: usize>(model: &Model<STRIPS>, rounded: &mut Model<STRIPS>) {
    let parts = model.parts().into_iter().zip(rounded.parts_mut());
    for (part, (values, rounded)) in parts.enumerate() {
        let one = match part {
            ROWS | ROW_BIASES => ONE,
            FIRST | SECOND | OUTPUT => WEIGHT_ONE,
            _ => ONE * WEIGHT_ONE,
        };
        for (rounded, value) in rounded.iter_mut().zip(values) {
            *rounded = (value * one).round_ties_even() / one;
        }
    }
}

/// A dense layer whose weights are given by input.
fn layer(
    part: &'static str,
    biases: &[f32],
    weights: &[f32],
    half: i32,
) -> Result<LayerParameters, QuantizeError> {
    // Sums of products of bytes are much smaller than the rest of the 32 bits.
    let limits = (-f64::from(1 << 30), f64::from(1 << 30));
    let bias = |&bias: &f32| Ok(integer(bias, ONE * WEIGHT_ONE, limits, part)? as i32 + half);
    let outputs = biases.len();
    let by_output = (0..outputs).flat_map(|output| weights.iter().skip(output).step_by(outputs));
    let byte = |&weight: &f32| Ok(integer(weight, WEIGHT_ONE, (-127.0, 127.0), part)? as i8);
    Ok(LayerParameters {
        biases: biases.iter().map(bias).collect::<Result<_, _>>()?,
        weights: by_output.map(byte).collect::<Result<_, _>>()?,
    })
}

/// The nearest integer to a number times the integer of 1, if it is within the limits.
fn integer(
    value: f32,
    one: f32,
    limits: (f64, f64),
    part: &'static str,
) -> Result<f64, QuantizeError> {
    let rounded = (f64::from(value) * f64::from(one)).round();
    // This is also true for NaN.
    if !(limits.0..=limits.1).contains(&rounded) {
        return Err(QuantizeError::Range { part, value, one });
    }
    Ok(rounded)
}

/// Checks that no position's sums exceed 16 bits, even if every piece had the input with the
/// largest weight of all parts.
pub(super) fn check_accumulators(biases: &[i16], weights: &[i16]) -> Result<(), QuantizeError> {
    let width = biases.len();
    // For each value the smallest and the largest weight, of pieces and of kings.
    let mut extremes = vec![[[0i64; 2]; 2]; width];
    for (input, row) in weights.chunks_exact(width).enumerate() {
        for (extremes, &weight) in extremes.iter_mut().zip(row) {
            let [least, most] = &mut extremes[usize::from(input % INPUTS >= usize::from(OWN_KING))];
            *least = (*least).min(weight.into());
            *most = (*most).max(weight.into());
        }
    }
    for (value, (extremes, &bias)) in extremes.iter().zip(biases).enumerate() {
        let [pieces, kings] = extremes;
        for (piece, king) in pieces.iter().zip(kings) {
            let sum = i64::from(bias) + (ACTIVE as i64 - 2) * piece + 2 * king;
            if i16::try_from(sum).is_err() {
                return Err(QuantizeError::Accumulator { value, sum });
            }
        }
    }
    Ok(())
}
