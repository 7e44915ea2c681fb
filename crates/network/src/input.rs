//! Reading the parts of a network file, in their order.

use std::io::{self, Cursor, Read};

use crate::affine::{LayerParameters, LayerShape};
use crate::architecture::Architecture;
use crate::error::NetworkError;
use crate::family::{self, COMPRESSED, Family, VERSION};
use crate::leb128;
use crate::shared_rows;

/// How much of a description is read.
const LONGEST_DESCRIPTION: usize = 1 << 20;

/// The bytes of a file, in order.
pub(crate) struct Input<R> {
    /// Bytes that were looked at, but not yet read.
    ahead: Cursor<Vec<u8>>,
    input: R,
    size: u64,
    /// Number of bytes that were read.
    taken: u64,
}

/// What follows the header.
pub(crate) enum Body {
    /// A dense network. The size of the file is that of its shape.
    Dense(Architecture),
    /// Layer stacks. The numbers tell their shape.
    Stacks {
        /// Whether the number of stacks comes first.
        counted: bool,
    },
}

/// What a file says before its numbers.
pub(crate) struct Header {
    pub(crate) body: Body,
    /// The description, at most [`LONGEST_DESCRIPTION`] bytes of it.
    pub(crate) description: Vec<u8>,
    pub(crate) hash: u32,
}

/// What follows the header of a dense network, but for the weights of the transformer.
pub(crate) struct DenseBody {
    /// The biases of the transformer.
    pub(crate) biases: Vec<i16>,
    pub(crate) layers: [LayerParameters; 3],
    /// The hashes before the transformer and before the layers.
    pub(crate) hashes: [u32; 2],
}

impl<R: Read> Input<R> {
    /// A file of `size` bytes.
    pub(crate) fn new(input: R, size: u64) -> Input<R> {
        Input { ahead: Cursor::default(), input, size, taken: 0 }
    }

    /// Reads the header.
    pub(crate) fn header(&mut self) -> Result<Header, NetworkError> {
        let size = self.size;
        if size < 12 {
            return Err(NetworkError::TooShort { size });
        }
        let version = self.number()?;
        if !family::is_version(version) {
            return Err(NetworkError::Version { found: version });
        }
        let hash = self.number()?;
        let length = self.number()?;
        let body = (size - 12)
            .checked_sub(u64::from(length))
            .ok_or(NetworkError::DescriptionLength { length, size })?;
        // What decides about the file may stand behind a long text of its makers.
        let description = self.bytes((length as usize).min(LONGEST_DESCRIPTION))?;
        self.skip((length as usize).saturating_sub(description.len()))?;
        let beginning = self.bytes(body.min(family::LOOKED_AT as u64) as usize)?;
        self.taken -= beginning.len() as u64;
        let family = family::family(&description, hash, &beginning);
        self.ahead = Cursor::new(beginning);
        let named = match family {
            Family::Foreign(family) => return Err(NetworkError::Foreign { family }),
            Family::Undescribed => {
                let is_dense =
                    |shape: &Architecture| shape.hashes().transformer == family::STACKS.1;
                return Err(match Architecture::of_body_size(body).iter().any(is_dense) {
                    true => NetworkError::Undescribed,
                    false => NetworkError::Foreign { family: family::UNCOMPRESSED.to_owned() },
                });
            }
            Family::Stacks { counted } => {
                return Ok(Header { body: Body::Stacks { counted }, description, hash });
            }
            Family::Dense(named) => named,
        };
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let architecture = Architecture::recognize(body, &description, named).map_err(|count| {
            let description = description.clone();
            match count {
                0 => NetworkError::Size { size, length, description },
                _ => NetworkError::Ambiguous { size, count, description },
            }
        })?;
        Ok(Header { body: Body::Dense(architecture), description, hash })
    }

    /// Number of bytes that were not read yet.
    pub(crate) fn left(&self) -> u64 {
        self.size.saturating_sub(self.taken)
    }

    pub(crate) fn number(&mut self) -> Result<u32, NetworkError> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads numbers of the transformer.
    fn words(&mut self, words: &mut [i16]) -> Result<(), NetworkError> {
        self.fill(bytemuck::cast_slice_mut(words))?;
        if cfg!(target_endian = "big") {
            for word in words {
                *word = i16::from_le(*word);
            }
        }
        Ok(())
    }

    /// Reads a layer, and drops the padding of its rows.
    pub(crate) fn layer(&mut self, shape: LayerShape) -> Result<LayerParameters, NetworkError> {
        let mut biases = Vec::with_capacity(shape.outputs);
        for _ in 0..shape.outputs {
            biases.push(self.number()? as i32);
        }
        let rows = self.bytes(shape.outputs * shape.row())?;
        let weights = rows.chunks_exact(shape.row()).flat_map(|row| &row[..shape.inputs]);
        Ok(LayerParameters { biases, weights: weights.map(|&weight| weight as i8).collect() })
    }

    /// Reads what follows the header of a dense network, up to the end. `rows` takes the weights of
    /// the transformer.
    pub(crate) fn dense(
        &mut self,
        architecture: Architecture,
        rows: &mut [i16],
    ) -> Result<DenseBody, NetworkError> {
        let transformer = self.number()?;
        let mut biases = vec![0; architecture.l1()];
        self.words(&mut biases)?;
        if architecture.kind().shares_rows() {
            let mut shared = vec![0; architecture.l1() * architecture.kind().inputs_of_part()];
            self.words(&mut shared)?;
            let differences = self.bytes(rows.len())?;
            shared_rows::join(&shared, bytemuck::cast_slice(&differences), rows);
        } else {
            self.words(rows)?;
        }
        let network = self.number()?;
        let [first, second, last] = architecture.layers();
        let layers = [self.layer(first)?, self.layer(second)?, self.layer(last)?];
        self.end()?;
        Ok(DenseBody { biases, layers, hashes: [transformer, network] })
    }

    /// Reads compressed numbers of the transformer, which have so many bytes, to the beginning of
    /// `numbers`, each times two. Returns how many there are.
    pub(crate) fn compressed(
        &mut self,
        bytes: usize,
        numbers: &mut [i16],
    ) -> Result<usize, NetworkError> {
        const STEP: usize = 1 << 18;
        let mut left = bytes;
        let mut waiting = Vec::with_capacity(STEP.min(left) + leb128::LONGEST);
        let mut count = 0;
        while left > 0 {
            let kept = waiting.len();
            let step = left.min(STEP);
            waiting.resize(kept + step, 0);
            self.fill(&mut waiting[kept..])?;
            left -= step;
            let (used, written) =
                leb128::decode_doubled(&waiting, left == 0, &mut numbers[count..])?;
            count += written;
            waiting.drain(..used);
        }
        Ok(count)
    }

    /// Reads what stands before compressed numbers, and returns the number of their bytes, which
    /// the file has.
    pub(crate) fn compressed_bytes(&mut self) -> Result<usize, NetworkError> {
        let mut marker = [0; COMPRESSED.len()];
        self.fill(&mut marker)?;
        if marker != *COMPRESSED {
            return Err(NetworkError::Compression { found: "other bytes than their mark" });
        }
        let bytes = u64::from(self.number()?);
        match bytes <= self.left() {
            true => Ok(bytes as usize),
            false => Err(self.cut()),
        }
    }

    /// Checks that the input has ended.
    pub(crate) fn end(&mut self) -> Result<(), NetworkError> {
        let size = self.size;
        let read = self.rest().read(&mut [0]);
        match read {
            Ok(0) => Ok(()),
            Ok(_) => Err(NetworkError::TooLong { size }),
            Err(error) => Err(NetworkError::Unreadable(error.kind())),
        }
    }

    /// What was not read yet.
    fn rest(&mut self) -> impl Read {
        self.ahead.by_ref().chain(self.input.by_ref())
    }

    /// What is wrong with a file that is too short for what it says of itself.
    pub(crate) fn cut(&self) -> NetworkError {
        NetworkError::Cut { size: self.size }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
        if bytes.len() as u64 > self.left() {
            return Err(self.cut());
        }
        let size = self.size;
        self.rest().read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => NetworkError::Ended { size },
            kind => NetworkError::Unreadable(kind),
        })?;
        self.taken += bytes.len() as u64;
        Ok(())
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<Vec<u8>, NetworkError> {
        // The size may be any: a file with holes in it takes no room on a disk.
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).map_err(|_| NetworkError::Memory { bytes: count })?;
        bytes.resize(count, 0);
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn skip(&mut self, count: usize) -> Result<(), NetworkError> {
        let size = self.size;
        let skipped = io::copy(&mut self.rest().take(count as u64), &mut io::sink());
        self.taken += count as u64;
        match skipped {
            Ok(skipped) if skipped == count as u64 => Ok(()),
            Ok(_) => Err(NetworkError::Ended { size }),
            Err(error) => Err(NetworkError::Unreadable(error.kind())),
        }
    }
}
