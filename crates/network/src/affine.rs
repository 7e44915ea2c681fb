//! A layer behind the transformer: its shape and its numbers.

/// Number of inputs and of outputs of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LayerShape {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
}

impl LayerShape {
    /// Number of weights of each output in a file: the next multiple of 32.
    pub(crate) const fn row(self) -> usize {
        self.inputs.next_multiple_of(32)
    }

    /// Number of bytes in a file.
    pub(crate) const fn bytes(self) -> usize {
        self.outputs * (4 + self.row())
    }
}

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

impl LayerParameters {
    /// A layer of zeros.
    pub(crate) fn zeros(shape: LayerShape) -> LayerParameters {
        LayerParameters {
            biases: vec![0; shape.outputs],
            weights: vec![0; shape.inputs * shape.outputs],
        }
    }
}
