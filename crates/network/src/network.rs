//! A network: reading it from a file, and evaluating positions.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_core::{ByColor, Color, Position};

use crate::architecture::Architecture;
use crate::dense::Dense;
use crate::error::NetworkError;
use crate::features::{InputSet, View};
use crate::input::{Body, Header, Input};
use crate::kind::Kind;
use crate::lanes::{Chosen, Lanes, Words};
use crate::layers::Scratch;
use crate::makers::{self, MakersOptions, OPTIONS_FILE};
use crate::parameters::Parameters;
use crate::shape::Shape;
use crate::stacks::{
    self, Beside, PROGRESS_FILE, PROGRESS_KIND, Progress, Situation, StackChoice, StackFile,
    StackRule, Stacks,
};
use crate::transformer::{Transformer, memory_for_rows};

/// Bytes of a description that a network keeps, for messages.
const KEPT_DESCRIPTION: usize = 4096;

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
/// assert_eq!(network.shape().to_string(), "K-P 128x2-8-32");
/// let raw = network.evaluate_from_scratch(&Position::startpos());
/// assert_eq!(value_of_raw(raw, network.fv_scale()), 50);
/// std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Network {
    /// The number of the network, unique within the process.
    id: u64,
    /// The inputs as they are kept in memory.
    kind: Kind,
    description: Vec<u8>,
    hashes_agree: bool,
    fv_scale: NonZeroU16,
    unread_scale: Option<String>,
    pub(crate) transformer: Transformer,
    pub(crate) head: Head,
}

/// What is behind the transformer: the part in which the families differ.
pub(crate) enum Head {
    Dense(Dense),
    Stacks(Stacks),
}

impl Head {
    fn shape(&self) -> Shape {
        match self {
            Head::Dense(dense) => Shape::Dense(dense.architecture),
            Head::Stacks(stacks) => Shape::Stacks(stacks.architecture),
        }
    }

    fn stack_choice(&self) -> Option<StackChoice> {
        match self {
            Head::Dense(_) => None,
            Head::Stacks(stacks) => Some(stacks.choice),
        }
    }
}

impl Network {
    /// Reads a network file. If it has layer stacks and does not say how one is chosen, files beside
    /// it do: `eval_options.txt` or `progress.bin`. [`Network::stack_choice`] says what was found.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] says what was found and what was expected; it does not name the file.
    pub fn read(path: impl AsRef<Path>) -> Result<Network, NetworkError> {
        Network::read_with_rule(path, None)
    }

    /// Reads a network file. `rule` is the one by which a stack is chosen where the file does not
    /// say it.
    ///
    /// # Errors
    ///
    /// As [`Network::read`].
    pub fn read_with_rule(
        path: impl AsRef<Path>,
        rule: Option<StackRule>,
    ) -> Result<Network, NetworkError> {
        let path = path.as_ref();
        let unreadable = |error: io::Error| NetworkError::Unreadable(error.kind());
        // Check this first: Windows cannot open folders, and opening a named pipe may block for
        // ever.
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(NetworkError::NoFile);
        }
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let options = MakersOptions::beside(path)?;
        let beside =
            Beside { rule, file: Some(path), options: options.rule.as_deref(), progress: None };
        let mut network = Network::from_reader(file, size, &beside)?;
        let advised = || makers::scale(network.shape(), network.stack_choice(), Some(path));
        network.fv_scale = options.fv_scale.or_else(advised).unwrap_or(DEFAULT_FV_SCALE);
        network.unread_scale = options.unread_scale;
        Ok(network)
    }

    /// The files beside a network file from which [`Network::read`] also takes something, if they are
    /// there.
    pub fn files_beside(path: impl AsRef<Path>) -> [PathBuf; 2] {
        [OPTIONS_FILE, PROGRESS_FILE].map(|name| path.as_ref().with_file_name(name))
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    ///
    /// As [`Network::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_bytes_with(bytes, None, None)
    }

    /// Reads the bytes of a network file. `rule` is the one by which a stack is chosen where the file
    /// does not say it, and `progress` the contents of the file `progress.bin` that belongs to the
    /// network.
    ///
    /// # Errors
    ///
    /// As [`Network::read`].
    pub fn from_bytes_with(
        bytes: &[u8],
        rule: Option<StackRule>,
        progress: Option<&[u8]>,
    ) -> Result<Network, NetworkError> {
        let beside = Beside { rule, file: None, options: None, progress };
        Network::from_reader(bytes, bytes.len() as u64, &beside)
    }

    /// Creates a network from its parameters.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Lengths`], [`NetworkError::Differences`] and [`NetworkError::Memory`].
    pub fn from_parameters(parameters: &Parameters) -> Result<Network, NetworkError> {
        let mut bytes = Vec::new();
        let refused = |_| match parameters.lengths_are_right() {
            true => NetworkError::Differences,
            false => NetworkError::Lengths(parameters.architecture()),
        };
        parameters.write(&mut bytes).map_err(refused)?;
        Network::from_bytes(&bytes)
    }

    /// Reads a network from an input of `size` bytes. What is allocated is not much more than these.
    fn from_reader(input: impl Read, size: u64, beside: &Beside) -> Result<Network, NetworkError> {
        static NETWORKS: AtomicU64 = AtomicU64::new(0);
        let mut input = Input::new(input, size);
        let Header { body, mut description, hash } = input.header()?;
        let (transformer, head, hashes_agree) = match body {
            Body::Dense(architecture) => read_dense(&mut input, architecture, hash)?,
            Body::Stacks { counted } => {
                let StackFile { transformer, stacks, hashes_agree } =
                    stacks::read(&mut input, &description, hash, counted, beside)?;
                (transformer, Head::Stacks(stacks), hashes_agree)
            }
        };
        description.truncate(KEPT_DESCRIPTION);
        let advised = makers::scale(head.shape(), head.stack_choice(), None);
        Ok(Network {
            id: NETWORKS.fetch_add(1, Ordering::Relaxed),
            kind: head.shape().kind().in_memory(),
            description,
            hashes_agree,
            fv_scale: advised.unwrap_or(DEFAULT_FV_SCALE),
            unread_scale: None,
            transformer,
            head,
        })
    }

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        self.head.shape()
    }

    /// The rule by which a position chooses one of the network's stacks, and why it is this one;
    /// `None` for a dense network.
    pub fn stack_choice(&self) -> Option<StackChoice> {
        self.head.stack_choice()
    }

    /// The description in the file, at most 4096 bytes. It may be wrong, and it may not be text.
    pub fn description(&self) -> &[u8] {
        &self.description
    }

    /// Whether the hashes in the file match its shape. Some trainers write other hashes into
    /// correct files.
    pub fn hashes_agree(&self) -> bool {
        self.hashes_agree
    }

    /// The divisor of the last integer that the makers of this network advise, if the network can
    /// be recognized; otherwise [`DEFAULT_FV_SCALE`].
    pub fn fv_scale(&self) -> NonZeroU16 {
        self.fv_scale
    }

    /// What `eval_options.txt` beside the file gives as the scale, in printable ASCII, if that is no
    /// number from 1 to 65535. Then it does not count.
    pub fn unread_scale(&self) -> Option<&str> {
        self.unread_scale.as_deref()
    }

    /// The number of this network, unique within the process.
    #[inline]
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        self.kind
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
        let stack = self.stack(position);
        let [us, them] = [us, !us].map(|view| self.accumulator::<L>(view, position));
        self.evaluate_accumulators::<L>(stack, &us, &them, &mut Scratch::new())
    }

    /// The number of the stack that a position chooses, computed from scratch; 0 in a dense network.
    pub(crate) fn stack(&self, position: &Position) -> usize {
        self.stack_of(&Situation::of(position), |view| InputSet::of(PROGRESS_KIND, view, position))
    }

    /// The number of the stack. `set` gives the inputs of the progress for a view.
    pub(crate) fn stack_of(&self, situation: &Situation, set: impl Fn(View) -> InputSet) -> usize {
        let Head::Stacks(stacks) = &self.head else { return 0 };
        let class = |progress: &Progress| {
            let sums = Color::ALL.map(|color| {
                let view = View::new(PROGRESS_KIND, color, || situation.kings[color]);
                progress.sum(view, &set(view))
            });
            progress.class(ByColor(sums))
        };
        stacks.choose(situation, || stacks.progress.as_ref().map_or(0, class))
    }

    /// The accumulator of a view, computed from scratch.
    pub(crate) fn accumulator<L: Lanes>(&self, color: Color, position: &Position) -> Vec<Words> {
        let view = View::new(self.kind, color, || position.king(color));
        self.accumulator_of::<L>(view, &InputSet::of(self.kind, view, position))
    }

    /// The sum of the rows of some inputs of a view.
    pub(crate) fn accumulator_of<L: Lanes>(&self, view: View, inputs: &InputSet) -> Vec<Words> {
        let mut rows = Vec::new();
        inputs.for_each(|input| rows.push(view.row(input)));
        let mut sums = self.transformer.biases().to_vec();
        self.transformer.apply::<L>(&mut sums, &[], &rows);
        sums
    }

    /// The last integer for the accumulators of the side to move and of the other side.
    #[inline(always)]
    pub(crate) fn evaluate_accumulators<L: Lanes>(
        &self,
        stack: usize,
        us: &[Words],
        them: &[Words],
        scratch: &mut Scratch,
    ) -> i32 {
        match &self.head {
            Head::Dense(dense) => dense.evaluate::<L>(us, them, scratch),
            Head::Stacks(stacks) => stacks.evaluate::<L>(stack, us, them, scratch),
        }
    }
}

/// Reads a dense network. The last value says whether the hashes are those of its shape.
fn read_dense(
    input: &mut Input<impl Read>,
    architecture: Architecture,
    file_hash: u32,
) -> Result<(Transformer, Head, bool), NetworkError> {
    let (kind, l1) = (architecture.kind(), architecture.l1());
    let mut rows = memory_for_rows(kind.inputs(), l1)?;
    let body = input.dense(architecture, bytemuck::cast_slice_mut(&mut rows))?;
    let hashes = architecture.hashes();
    let hashes_agree =
        hashes.file == file_hash && [hashes.transformer, hashes.network] == body.hashes;
    let head = Head::Dense(Dense::new(architecture, &body.layers));
    Ok((Transformer::of_rows(kind, &body.biases, rows), head, hashes_agree))
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({})", self.shape())
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
