//! A network: reading it from a file, and evaluating positions.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_core::{Color, Position};

use crate::architecture::{Architecture, Kind};
use crate::error::NetworkError;
use crate::features::{self, InputSet};
use crate::input::{Header, Input};
use crate::lanes::{Chosen, Lanes, Words};
use crate::layers::{GRAIN, Layer, Layers, Scratch};
use crate::parameters::{LayerParameters, Parameters};
use crate::transformer::Transformer;

/// The default divisor of a network's last integer.
pub const DEFAULT_FV_SCALE: NonZeroU16 = NonZeroU16::new(16).unwrap();

/// A network in memory. It never changes, and threads share it.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_network::{Architecture, Kind, Network, Parameters, value_of_raw};
/// let folder = std::env::temp_dir().join(format!("tsumero-example-nn-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let path = folder.join("nn.bin");
/// // A network that gives every position the same value.
/// let mut parameters = Parameters::zeros(Architecture::new(Kind::Kp, 128, 8, 32).unwrap());
/// parameters.layers[2].biases[0] = 800;
/// parameters.write(&mut std::fs::File::create(&path)?)?;
/// let network = Network::read(&path)?;
/// assert_eq!(network.architecture().to_string(), "K-P 128x2-8-32");
/// let raw = network.evaluate_from_scratch(&Position::startpos());
/// assert_eq!(value_of_raw(raw, network.fv_scale()), 50);
/// std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Network {
    /// The number of the network, unique within the process.
    id: u64,
    architecture: Architecture,
    description: Vec<u8>,
    hashes_agree: bool,
    fv_scale: NonZeroU16,
    pub(crate) transformer: Transformer,
    layers: Layers,
}

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] says what was found and what was expected; it does not name the file.
    pub fn read(path: impl AsRef<Path>) -> Result<Network, NetworkError> {
        let path = path.as_ref();
        let unreadable = |error: io::Error| NetworkError::Unreadable(error.kind());
        // Check this first: Windows cannot open folders, and opening a named pipe may block for
        // ever.
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(NetworkError::NoFile);
        }
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut network = Network::from_reader(file, size)?;
        if let Some(scale) = scale_of_name(path) {
            network.fv_scale = scale;
        }
        Ok(network)
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    ///
    /// As [`Network::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_reader(bytes, bytes.len() as u64)
    }

    /// Creates a network from its parameters.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Lengths`] and [`NetworkError::Memory`].
    pub fn from_parameters(parameters: &Parameters) -> Result<Network, NetworkError> {
        let mut bytes = Vec::new();
        let lengths = |_| NetworkError::Lengths(parameters.architecture());
        parameters.write(&mut bytes).map_err(lengths)?;
        Network::from_bytes(&bytes)
    }

    /// Reads a network from an input of `size` bytes. Nothing is allocated until the size is known
    /// to be that of a network.
    fn from_reader(input: impl Read, size: u64) -> Result<Network, NetworkError> {
        let mut input = Input::new(input, size);
        let Header { architecture, description, hash: file_hash } = input.header()?;
        let (kind, l1) = (architecture.kind(), architecture.l1());

        let transformer_hash = input.number()?;
        let bytes = 2 * l1 * kind.inputs();
        let mut transformer =
            Transformer::new(kind.inputs(), l1).ok_or(NetworkError::Memory { bytes })?;
        for part in transformer.parts_mut() {
            input.words(bytemuck::cast_slice_mut(part))?;
        }
        let network_hash = input.number()?;
        let mut layer = |inputs, outputs| -> Result<Layer, NetworkError> {
            let LayerParameters { biases, weights } = input.layer(inputs, outputs)?;
            let rows: Vec<&[i8]> = weights.chunks_exact(inputs).collect();
            Ok(Layer::new(inputs, &biases, &rows))
        };
        let first = layer(2 * l1, architecture.l2())?;
        let second = layer(architecture.l2(), architecture.l3())?;
        let LayerParameters { biases: output_biases, weights: mut output } =
            input.layer(architecture.l3(), 1)?;
        output.resize(architecture.l3().next_multiple_of(GRAIN), 0);
        let output_weights = output.as_chunks().0.to_vec();
        input.end()?;

        static NETWORKS: AtomicU64 = AtomicU64::new(0);
        let hashes = architecture.hashes();
        Ok(Network {
            id: NETWORKS.fetch_add(1, Ordering::Relaxed),
            architecture,
            description,
            hashes_agree: [hashes.file, hashes.transformer, hashes.network]
                == [file_hash, transformer_hash, network_hash],
            fv_scale: scale_of_architecture(architecture),
            transformer,
            layers: Layers { first, second, output_bias: output_biases[0], output_weights },
        })
    }

    /// The architecture of the network.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The description in the file, at most 4096 bytes. It may be wrong, and it may not be text.
    pub fn description(&self) -> &[u8] {
        &self.description
    }

    /// Whether the hashes in the file match its architecture. Some trainers write other hashes into
    /// correct files.
    pub fn hashes_agree(&self) -> bool {
        self.hashes_agree
    }

    /// The divisor of the last integer that the makers of this network advise, if the network can
    /// be recognized; otherwise [`DEFAULT_FV_SCALE`].
    pub fn fv_scale(&self) -> NonZeroU16 {
        self.fv_scale
    }

    /// The number of this network, unique within the process.
    #[inline]
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        self.architecture.kind()
    }

    /// The network's last integer for a position, as the side to move sees it. Everything is
    /// computed from scratch: along a line of play, [`Accumulators`](crate::Accumulators) are many
    /// times faster.
    ///
    /// A missing king of a mate problem is assumed to stand on its owner's 5i.
    pub fn evaluate_from_scratch(&self, position: &Position) -> i32 {
        self.evaluate_with::<Chosen>(position)
    }

    pub(crate) fn evaluate_with<L: Lanes>(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let [us, them] = [us, !us].map(|view| self.accumulator::<L>(view, position));
        self.evaluate_accumulators::<L>(&us, &them, &mut Scratch::new())
    }

    /// The accumulator of a view, computed from scratch.
    pub(crate) fn accumulator<L: Lanes>(&self, view: Color, position: &Position) -> Vec<Words> {
        let part = features::part(self.kind(), view, || position.king(view));
        self.accumulator_of::<L>(part, &InputSet::of(self.kind(), view, position))
    }

    /// The sum of the rows of some inputs, within one part of the rows.
    pub(crate) fn accumulator_of<L: Lanes>(&self, part: usize, inputs: &InputSet) -> Vec<Words> {
        let mut rows = Vec::new();
        inputs.for_each_not_in(&InputSet::EMPTY, |input| rows.push(features::row(part, input)));
        let mut sums = self.transformer.biases().to_vec();
        self.transformer.apply::<L>(&mut sums, &[], &rows);
        sums
    }

    /// The last integer for the accumulators of the side to move and of the other side.
    #[inline(always)]
    pub(crate) fn evaluate_accumulators<L: Lanes>(
        &self,
        us: &[Words],
        them: &[Words],
        scratch: &mut Scratch,
    ) -> i32 {
        let blocks = self.transformer.width() / 2;
        let (front, back) = scratch.input[..2 * blocks].split_at_mut(blocks);
        for (sums, bytes) in [(us, front), (them, back)] {
            for ([first, second], block) in sums.as_chunks::<2>().0.iter().zip(bytes) {
                L::store_clipped(L::load_words(first), L::load_words(second), block);
            }
        }
        self.layers.evaluate::<L>(2 * self.architecture.l1(), scratch)
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({})", self.architecture)
    }
}

/// The value of a network's last integer, where a pawn is worth 90: the integer divided by the
/// scale, rounded toward zero.
///
/// ```
/// use tsumero_network::{DEFAULT_FV_SCALE, value_of_raw};
/// assert_eq!(value_of_raw(-31, DEFAULT_FV_SCALE), -1);
/// ```
#[inline]
pub fn value_of_raw(raw: i32, fv_scale: NonZeroU16) -> i32 {
    raw / i32::from(fv_scale.get())
}

/// The advised scale, if only one network of the architecture has been published.
fn scale_of_architecture(architecture: Architecture) -> NonZeroU16 {
    /// tanuki- of 2022 ("Li").
    const LI: u16 = 20;
    match (architecture.kind(), architecture.l1(), architecture.l2(), architecture.l3()) {
        (Kind::HalfKp, 1024, 8, 32) => NonZeroU16::new(LI).unwrap_or(DEFAULT_FV_SCALE),
        _ => DEFAULT_FV_SCALE,
    }
}

/// The advised scale of a network that is recognized by the name of its file or folder: 24 for
/// Suisho 5, whose architecture many other networks share.
fn scale_of_name(path: &Path) -> Option<NonZeroU16> {
    const NAMES: [&str; 3] = ["suisho5", "suisyo5", "水匠5"];
    let of_network = |part: &std::ffi::OsStr| {
        let name: String =
            part.to_string_lossy().to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        NAMES.iter().any(|known| name.contains(known))
    };
    let mut parts = path.components().rev().take(2);
    parts.any(|part| of_network(part.as_os_str())).then(|| NonZeroU16::new(24)).flatten()
}
