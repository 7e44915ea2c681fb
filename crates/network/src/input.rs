//! Reading the parts of a network file, in their order.

use std::io::{self, Cursor, Read};

use crate::architecture::{Architecture, VERSION, padded};
use crate::error::NetworkError;
use crate::family;
use crate::parameters::LayerParameters;

/// The bytes of a file, in order.
pub(crate) struct Input<R> {
    /// Bytes that were looked at, but not yet read.
    ahead: Cursor<Vec<u8>>,
    input: R,
    size: u64,
}

/// What a file says before its numbers.
pub(crate) struct Header {
    pub(crate) architecture: Architecture,
    /// The description, at most 4096 bytes of it.
    pub(crate) description: Vec<u8>,
    pub(crate) hash: u32,
}

impl<R: Read> Input<R> {
    /// A file of `size` bytes.
    pub(crate) fn new(input: R, size: u64) -> Input<R> {
        Input { ahead: Cursor::default(), input, size }
    }

    /// Reads the header. The size of the file is that of a network if this succeeds.
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
        // A message shows only the beginning of a description, so a long one is cut.
        let description = self.bytes((length as usize).min(4096))?;
        self.skip((length as usize).saturating_sub(description.len()))?;
        let beginning = self.bytes(body.min(family::LOOKED_AT as u64) as usize)?;
        if let Some(family) = family::foreign(&description, hash, &beginning) {
            return Err(NetworkError::Foreign { family });
        }
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        self.ahead = Cursor::new(beginning);
        let architecture = Architecture::recognize(body, &description).map_err(|count| {
            let description = description.clone();
            match count {
                0 => NetworkError::Size { size, description },
                _ => NetworkError::Ambiguous { size, count, description },
            }
        })?;
        Ok(Header { architecture, description, hash })
    }

    pub(crate) fn number(&mut self) -> Result<u32, NetworkError> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads numbers of the transformer.
    pub(crate) fn words(&mut self, words: &mut [i16]) -> Result<(), NetworkError> {
        self.fill(bytemuck::cast_slice_mut(words))?;
        if cfg!(target_endian = "big") {
            for word in words {
                *word = i16::from_le(*word);
            }
        }
        Ok(())
    }

    /// Reads a layer, and drops the padding of its rows.
    pub(crate) fn layer(
        &mut self,
        inputs: usize,
        outputs: usize,
    ) -> Result<LayerParameters, NetworkError> {
        let mut biases = Vec::with_capacity(outputs);
        for _ in 0..outputs {
            biases.push(self.number()? as i32);
        }
        let rows = self.bytes(outputs * padded(inputs))?;
        let weights = rows.chunks_exact(padded(inputs)).flat_map(|row| &row[..inputs]);
        Ok(LayerParameters { biases, weights: weights.map(|&weight| weight as i8).collect() })
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

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
        let size = self.size;
        self.rest().read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => NetworkError::Ended { size },
            kind => NetworkError::Unreadable(kind),
        })
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, NetworkError> {
        let mut bytes = vec![0; count];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn skip(&mut self, count: usize) -> Result<(), NetworkError> {
        let size = self.size;
        let skipped = io::copy(&mut self.rest().take(count as u64), &mut io::sink());
        match skipped {
            Ok(skipped) if skipped == count as u64 => Ok(()),
            Ok(_) => Err(NetworkError::Ended { size }),
            Err(error) => Err(NetworkError::Unreadable(error.kind())),
        }
    }
}
