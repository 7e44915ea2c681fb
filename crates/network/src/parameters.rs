//! The integers of a network as plain arrays, reading them from a file and writing them to one.

use std::io::{self, Write};

use crate::architecture::{Architecture, VERSION, padded};
use crate::error::NetworkError;
use crate::input::Input;

/// The biases and weights of a layer after the transformer.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_network::{Architecture, Kind, Network, Parameters};
/// let mut parameters = Parameters::zeros(Architecture::new(Kind::Kp, 128, 8, 32).unwrap());
/// let [_, second, last] = &mut parameters.layers;
/// assert_eq!((second.biases.len(), second.weights.len()), (32, 8 * 32));
/// // Output 5 of the second layer is always 100, because the network divides by 64 between two
/// // layers. The last layer takes it three times.
/// second.biases[5] = 100 * 64;
/// last.weights[5] = 3;
/// last.biases[0] = 20;
/// let network = Network::from_parameters(&parameters)?;
/// assert_eq!(network.evaluate_from_scratch(&Position::startpos()), 320);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerParameters {
    /// One for each output.
    pub biases: Vec<i32>,
    /// The row of output 0, one weight for each input, then the row of output 1, and so on, without
    /// the padding that rows have in files.
    pub weights: Vec<i8>,
}

/// All integers of a network.
///
/// ```
/// use tsumero_network::{Architecture, Kind, Network, Parameters};
/// let mut parameters = Parameters::zeros(Architecture::standard(Kind::Kp));
/// parameters.layers[2].biases[0] = 1600;
/// let mut file = Vec::new();
/// parameters.write(&mut file).unwrap();
/// let network = Network::from_bytes(&file).unwrap();
/// assert_eq!(network.evaluate_from_scratch(&tsumero_core::Position::startpos()), 1600);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    architecture: Architecture,
    /// `l1` numbers.
    pub transformer_biases: Vec<i16>,
    /// The row of input 0, `l1` numbers, then the row of input 1, and so on.
    pub transformer_weights: Vec<i16>,
    /// The layers with `l2` outputs of `2 * l1` inputs, with `l3` outputs, and with one.
    pub layers: [LayerParameters; 3],
}

impl Parameters {
    /// The parameters of an architecture, all 0.
    pub fn zeros(architecture: Architecture) -> Parameters {
        let (l1, l2, l3) = (architecture.l1(), architecture.l2(), architecture.l3());
        let layer = |inputs: usize, outputs: usize| LayerParameters {
            biases: vec![0; outputs],
            weights: vec![0; inputs * outputs],
        };
        Parameters {
            architecture,
            transformer_biases: vec![0; l1],
            transformer_weights: vec![0; l1 * architecture.kind().inputs()],
            layers: [layer(2 * l1, l2), layer(l2, l3), layer(l3, 1)],
        }
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    ///
    /// As [`Network::from_bytes`](crate::Network::from_bytes), except for
    /// [`NetworkError::Memory`].
    ///
    /// ```
    /// use tsumero_network::{Architecture, Kind, Parameters};
    /// let mut parameters = Parameters::zeros(Architecture::new(Kind::Kp, 128, 8, 32).unwrap());
    /// parameters.transformer_weights[3] = -40;
    /// let mut file = Vec::new();
    /// parameters.write(&mut file).unwrap();
    /// assert_eq!(Parameters::from_bytes(&file), Ok(parameters));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Parameters, NetworkError> {
        let mut input = Input::new(bytes, bytes.len() as u64);
        let architecture = input.header()?.architecture;
        let mut parameters = Parameters::zeros(architecture);
        // The hashes before both parts may be wrong, and nothing depends on them.
        let _ = input.number()?;
        input.words(&mut parameters.transformer_biases)?;
        input.words(&mut parameters.transformer_weights)?;
        let _ = input.number()?;
        let (l1, l2, l3) = (architecture.l1(), architecture.l2(), architecture.l3());
        parameters.layers = [input.layer(2 * l1, l2)?, input.layer(l2, l3)?, input.layer(l3, 1)?];
        input.end()?;
        Ok(parameters)
    }

    /// The architecture of the parameters.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Writes a network file in the usual format, with the usual description.
    ///
    /// # Errors
    ///
    /// Errors of `output`, and [`io::ErrorKind::InvalidInput`] if the length of a field differs
    /// from that in [`Parameters::zeros`].
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        if !self.lengths_are_right() {
            let reason = "found arrays of other lengths than the network's architecture has";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let hashes = self.architecture.hashes();
        let description = self.architecture.description();
        let mut bytes = Vec::with_capacity(self.architecture.body_size() as usize + 1024);
        for number in [VERSION, hashes.file, description.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(description.bytes());
        bytes.extend(hashes.transformer.to_le_bytes());
        for number in self.transformer_biases.iter().chain(&self.transformer_weights) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(hashes.network.to_le_bytes());
        for layer in &self.layers {
            for number in &layer.biases {
                bytes.extend(number.to_le_bytes());
            }
            let inputs = layer.weights.len() / layer.biases.len();
            for row in layer.weights.chunks_exact(inputs) {
                bytes.extend(row.iter().map(|&weight| weight as u8));
                bytes.resize(bytes.len() + padded(inputs) - inputs, 0);
            }
        }
        output.write_all(&bytes)
    }

    fn lengths_are_right(&self) -> bool {
        let expected = Parameters::lengths(self.architecture);
        let found = [
            self.transformer_biases.len(),
            self.transformer_weights.len(),
            self.layers[0].biases.len(),
            self.layers[0].weights.len(),
            self.layers[1].biases.len(),
            self.layers[1].weights.len(),
            self.layers[2].biases.len(),
            self.layers[2].weights.len(),
        ];
        expected == found
    }

    fn lengths(architecture: Architecture) -> [usize; 8] {
        let (l1, l2, l3) = (architecture.l1(), architecture.l2(), architecture.l3());
        [l1, l1 * architecture.kind().inputs(), l2, 2 * l1 * l2, l3, l2 * l3, 1, l3]
    }
}
