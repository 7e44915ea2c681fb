//! The integers of a dense network as plain arrays, reading them from a file and writing them to one.

use std::io::{self, Write};

use crate::affine::{LayerParameters, LayerShape};
use crate::architecture::Architecture;
use crate::error::NetworkError;
use crate::family::VERSION;
use crate::input::{Body, Input};
use crate::shared_rows;

/// All integers of a dense network.
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
        Parameters {
            architecture,
            transformer_biases: vec![0; architecture.l1()],
            transformer_weights: vec![0; architecture.l1() * architecture.kind().inputs()],
            layers: architecture.layers().map(LayerParameters::zeros),
        }
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    ///
    /// As [`Network::from_bytes`](crate::Network::from_bytes), except for
    /// [`NetworkError::Memory`]; and [`NetworkError::NotDense`] for layer stacks.
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
        let Body::Dense(architecture) = input.header()?.body else {
            return Err(NetworkError::NotDense);
        };
        let mut parameters = Parameters::zeros(architecture);
        // The hashes may be wrong, and nothing depends on them.
        let body = input.dense(architecture, &mut parameters.transformer_weights)?;
        Ok(Parameters { transformer_biases: body.biases, layers: body.layers, ..parameters })
    }

    /// The architecture of the parameters.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Brings the rows of [`Kind::ZoneKa1`](crate::Kind::ZoneKa1) for the same piece in different
    /// zones so close to each other that a file can hold them. Rows of other kinds stay as they are.
    pub fn bring_zones_together(&mut self) {
        let kind = self.architecture.kind();
        if kind.shares_rows() {
            shared_rows::bring_together(&mut self.transformer_weights, kind.parts());
        }
    }

    /// Writes a network file in the usual format, with the usual description.
    ///
    /// # Errors
    ///
    /// Errors of `output`, and [`io::ErrorKind::InvalidInput`] if the length of a field differs
    /// from that in [`Parameters::zeros`], or if rows of [`Kind::ZoneKa1`](crate::Kind::ZoneKa1)
    /// for the same piece in different zones differ by more than a byte holds.
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
        let split = self.split_rows()?;
        let (words, differences) = match &split {
            Some((shared, differences)) => (shared, &differences[..]),
            None => (&self.transformer_weights, &[][..]),
        };
        for number in self.transformer_biases.iter().chain(words) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(differences.iter().map(|&difference| difference as u8));
        bytes.extend(hashes.network.to_le_bytes());
        for (layer, shape) in self.layers.iter().zip(self.architecture.layers()) {
            for number in &layer.biases {
                bytes.extend(number.to_le_bytes());
            }
            for row in layer.weights.chunks_exact(shape.inputs) {
                bytes.extend(row.iter().map(|&weight| weight as u8));
                bytes.resize(bytes.len() + shape.row() - shape.inputs, 0);
            }
        }
        output.write_all(&bytes)
    }

    /// The rows as shared ones and differences, if the file holds these.
    fn split_rows(&self) -> io::Result<Option<(Vec<i16>, Vec<i8>)>> {
        let kind = self.architecture.kind();
        if !kind.shares_rows() {
            return Ok(None);
        }
        let reason = "found rows of zones that differ by more than a byte holds";
        let error = || io::Error::new(io::ErrorKind::InvalidInput, reason);
        shared_rows::split(&self.transformer_weights, kind.parts()).ok_or_else(error).map(Some)
    }

    pub(crate) fn lengths_are_right(&self) -> bool {
        let l1 = self.architecture.l1();
        let of_layer = |(layer, shape): (&LayerParameters, LayerShape)| {
            layer.biases.len() == shape.outputs
                && layer.weights.len() == shape.inputs * shape.outputs
        };
        self.transformer_biases.len() == l1
            && self.transformer_weights.len() == l1 * self.architecture.kind().inputs()
            && self.layers.iter().zip(self.architecture.layers()).all(of_layer)
    }
}
