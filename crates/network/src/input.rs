//! Reading the parts of a network file, in their order.

use std::io::{self, Read};

use crate::architecture::{Architecture, VERSION, padded};
use crate::error::NetworkError;
use crate::parameters::LayerParameters;

/// The bytes of a file, in order.
pub(crate) struct Input<R> {
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
        Input { input, size }
    }

    /// Reads the header. The size of the file is that of a network if this succeeds.
    pub(crate) fn header(&mut self) -> Result<Header, NetworkError> {
        let size = self.size;
        if size < 12 {
            return Err(NetworkError::TooShort { size });
        }
        let version = self.number()?;
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let hash = self.number()?;
        let length = self.number()?;
        let body = (size - 12)
            .checked_sub(u64::from(length))
            .ok_or(NetworkError::DescriptionLength { length, size })?;
        // A message shows only the beginning of a description, so a long one is cut.
        let description = self.bytes((length as usize).min(4096))?;
        let architecture = Architecture::recognize(body, &description).map_err(|count| {
            let description = description.clone();
            match count {
                0 => NetworkError::Size { size, description },
                _ => NetworkError::Ambiguous { size, count, description },
            }
        })?;
        self.skip((length as usize).saturating_sub(description.len()))?;
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
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(NetworkError::TooLong { size: self.size }),
            Err(error) => Err(NetworkError::Unreadable(error.kind())),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => NetworkError::Ended { size: self.size },
            kind => NetworkError::Unreadable(kind),
        })
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, NetworkError> {
        let mut bytes = vec![0; count];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn skip(&mut self, count: usize) -> Result<(), NetworkError> {
        let mut rest = self.input.by_ref().take(count as u64);
        match io::copy(&mut rest, &mut io::sink()) {
            Ok(skipped) if skipped == count as u64 => Ok(()),
            Ok(_) => Err(NetworkError::Ended { size: self.size }),
            Err(error) => Err(NetworkError::Unreadable(error.kind())),
        }
    }
}
