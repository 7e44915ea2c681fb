//! The mean of several networks.
//!
//! Networks that were trained further from the same one lie close together. Their mean is often
//! better than each of them (M. Wortsman et al., "Model soups", 2022), and costs nothing when it
//! is evaluated.

use tsumero_network::{Architecture, Kind, Parameters};

use super::quantize::{QuantizeError, check_accumulators};

/// Why there is no mean of networks.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum AverageError {
    /// No network was given.
    #[error("found no network, expected one or more")]
    None,
    /// Networks of these inputs are not trained, so nothing is known of their sums.
    #[error("found a network {0}, expected K-P or ZoneKA1")]
    Kind(Architecture),
    /// Networks of different shapes have no mean.
    #[error("found a network {found}, expected {expected} as the first one")]
    Different {
        /// The place of a later network, from 0.
        place: usize,
        /// Its architecture.
        found: Architecture,
        /// The architecture of the first network.
        expected: Architecture,
    },
    /// The rounded mean does not fit the file.
    #[error(transparent)]
    Sums(#[from] QuantizeError),
}

/// The mean of networks, each of its integers rounded to the nearest. Zones that differ by more than
/// a file can hold are brought together.
///
/// # Errors
/// [`AverageError`].
pub(crate) fn average(networks: &[Parameters]) -> Result<Parameters, AverageError> {
    let expected = networks.first().ok_or(AverageError::None)?.architecture();
    if !matches!(expected.kind(), Kind::Kp | Kind::ZoneKa1) {
        return Err(AverageError::Kind(expected));
    }
    for (place, network) in networks.iter().enumerate() {
        let found = network.architecture();
        if found != expected {
            return Err(AverageError::Different { place, found, expected });
        }
    }
    let mut result = Parameters::zeros(expected);
    fill(&mut result.transformer_biases, networks, |network| &network.transformer_biases);
    fill(&mut result.transformer_weights, networks, |network| &network.transformer_weights);
    for (number, layer) in result.layers.iter_mut().enumerate() {
        fill(&mut layer.biases, networks, |network| &network.layers[number].biases);
        fill(&mut layer.weights, networks, |network| &network.layers[number].weights);
    }
    result.bring_zones_together();
    check_accumulators(&result.transformer_biases, &result.transformer_weights)?;
    Ok(result)
}

/// Fills an array with the means of that array in all networks.
fn fill<T>(result: &mut [T], networks: &[Parameters], array: impl Fn(&Parameters) -> &[T])
where
    T: Copy + Into<i64> + TryFrom<i64>,
{
    for (place, value) in result.iter_mut().enumerate() {
        let sum: i64 = networks.iter().map(|network| array(network)[place].into()).sum();
        let mean = (sum as f64 / networks.len() as f64).round_ties_even() as i64;
        // A mean lies between the least and the greatest, so it fits.
        *value = T::try_from(mean).unwrap_or(*value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(kind: Kind, number: i16) -> Parameters {
        let mut network = Parameters::zeros(Architecture::new(kind, 128, 32, 32).unwrap());
        network.transformer_biases[5] = -number;
        network.transformer_weights.fill(number);
        network.layers[0].biases[31] = 1_000_000 * i32::from(number);
        network.layers[1].weights[7] = number as i8;
        network.layers[2].weights[0] = -number as i8;
        network
    }

    #[test]
    fn every_number_is_the_rounded_mean() {
        let mean = |networks: &[i16]| {
            average(
                &networks.iter().map(|&number| numbers(Kind::ZoneKa1, number)).collect::<Vec<_>>(),
            )
        };
        assert_eq!(mean(&[7]), Ok(numbers(Kind::ZoneKa1, 7)));
        assert_eq!(mean(&[2, -10, 14]), Ok(numbers(Kind::ZoneKa1, 2)));
        // 10 / 3 is rounded down, 11 / 3 up, and halves to even numbers. Large numbers stay exact.
        let third = mean(&[0, 0, 10]).unwrap();
        assert_eq!((third.transformer_weights[9], third.transformer_biases[5]), (3, -3));
        assert_eq!(third.layers[0].biases[31], 3_333_333);
        assert_eq!(mean(&[0, 0, 11]).unwrap().layers[1].weights[7], 4);
        assert_eq!(mean(&[2, 3]).unwrap().layers[2].weights[0], -2);
    }

    /// Each network is one that a file can hold, and so is their mean: the median zone of the means
    /// is not the mean of the median zones.
    #[test]
    fn the_mean_of_zones_fits_a_file() {
        // Zone 0 is the highest. Four others have the median in one network and are low in the other.
        let network = |low: std::ops::Range<usize>| {
            let kind = Kind::ZoneKa1;
            let mut network = Parameters::zeros(Architecture::new(kind, 128, 32, 32).unwrap());
            let size = network.transformer_weights.len() / 9;
            network.transformer_weights[0] = 127;
            low.for_each(|zone| network.transformer_weights[zone * size] = -100);
            network.write(&mut Vec::new()).unwrap();
            network
        };
        let networks = [network(1..5), network(5..9)];
        let mean = average(&networks).unwrap();
        let mut bytes = Vec::new();
        mean.write(&mut bytes).unwrap();
        assert_eq!(Parameters::from_bytes(&bytes), Ok(mean));
    }

    #[test]
    fn networks_without_a_mean_are_refused() {
        let message = |networks: &[Parameters]| average(networks).unwrap_err().to_string();
        assert_eq!(average(&[]), Err(AverageError::None));
        assert_eq!(
            message(&[numbers(Kind::Kp, 1), numbers(Kind::ZoneKa1, 1)]),
            "found a network ZoneKA1 128x2-32-32, expected K-P 128x2-32-32 as the first one"
        );
        let half = numbers(Kind::HalfKp, 1);
        assert_eq!(
            message(&[half.clone(), half]),
            "found a network HalfKP 128x2-32-32, expected K-P or ZoneKA1"
        );
        let large = numbers(Kind::Kp, 900);
        assert!(message(&[large.clone(), large]).contains("could leave 16 bits"));
    }
}
