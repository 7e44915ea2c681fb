//! Errors of network files.

use std::io;

use crate::architecture::Architecture;
use crate::family::VERSION;
use crate::kind::Kind;
use crate::stacks::rule::RuleError;
use crate::stacks::shape::StackArchitecture;
use crate::text::printable;

/// Why a file cannot be used as a network. Each error is displayed as one line of ASCII that says
/// what was found and what was expected.
///
/// ```
/// use std::io::ErrorKind;
/// use tsumero_network::{Network, NetworkError};
/// match Network::read("no/such/nn.bin") {
///     Err(NetworkError::Unreadable(kind)) => assert_eq!(kind, ErrorKind::NotFound),
///     other => panic!("{other:?}"),
/// }
/// let error = Network::from_bytes(b"This is no network.").unwrap_err();
/// assert_eq!(error, NetworkError::Version { found: 0x7369_6854 });
/// assert!(error.to_string().starts_with("found version 0x73696854 in the first bytes"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file cannot be opened or read.
    #[error("found {}, expected a network file", unreadable(*.0))]
    Unreadable(io::ErrorKind),
    /// The file `eval_options.txt` beside the network cannot be read.
    #[error("found {}, expected to read eval_options.txt beside the network", unreadable(*.0))]
    OptionsFile(io::ErrorKind),
    /// The file is a folder or something else without contents.
    #[error("found no regular file, expected a network file")]
    NoFile,
    /// The file is too short to be recognized.
    #[error(
        "found {size} bytes, expected a network file of {} or more",
        Architecture::SMALLEST_BODY
    )]
    TooShort {
        /// Size of the file in bytes.
        size: u64,
    },
    /// The file does not begin as network files do.
    #[error(
        "found version {found:#010x} in the first bytes, expected {VERSION:#010x} of a network file"
    )]
    Version {
        /// The first four bytes as a little-endian number.
        found: u32,
    },
    /// The file says that it is a network of another family.
    #[error("found a network of another family: {} is not read, expected HalfKP, K-P, HalfKA or layer stacks (SFNN)", printable(.family.as_bytes()))]
    Foreign {
        /// The usual name of the family, such as `Threat`, or the name of the inputs, such as
        /// `HalfKPE9`. It may come from the file.
        family: String,
    },
    /// Two families have the hash in the file, and its description names no inputs.
    #[error(
        "found a hash of HalfKA1 768x2 and of SFNN without compression (not read), \
         expected a description with Features=HalfKA1 if it is the former"
    )]
    Undescribed,
    /// The file is a network, but has no three layers of its own behind the transformer.
    #[error("found layer stacks (SFNN), expected a dense network")]
    NotDense,
    /// Numbers that should be compressed are not, or not those of a network.
    #[error("found {found}, expected compressed numbers of 16 bits")]
    Compression {
        /// What was found in their place.
        found: &'static str,
    },
    /// The transformer of layer stacks has a width that no vector code is for.
    #[error(
        "found a transformer of {width} values, expected a multiple of 128 up to {}",
        StackArchitecture::MAX_WIDTH
    )]
    StackWidth {
        /// Number of values of each view.
        width: usize,
    },
    /// The number of weights of the transformer is that of no kind of inputs.
    #[error(
        "found {weights} weights in rows of {width}, expected those of HalfKP, K-P, HalfKA or their kin"
    )]
    StackInputs {
        /// Number of weights.
        weights: usize,
        /// Number of values of each view.
        width: usize,
    },
    /// The numbers behind the transformer are not those of layer stacks, or of several shapes.
    #[error("found {bytes} bytes behind the transformer described as \"{}\", expected those of {}", printable(.description), if *.shapes == 0 { "layer stacks" } else { "a single shape, or a description that names it" })]
    StackShape {
        /// Number of these bytes.
        bytes: u64,
        /// How many shapes they fit.
        shapes: usize,
        /// The description in the file.
        description: Vec<u8>,
    },
    /// Nothing says how a stack is chosen, or what says it does not fit the file.
    #[error(transparent)]
    StackRule(#[from] RuleError),
    /// The length of the description leads beyond the end of the file.
    #[error("found a description of {length} bytes in a file of {size}, expected a shorter one")]
    DescriptionLength {
        /// The length that the header states, in bytes.
        length: u32,
        /// Size of the file in bytes.
        size: u64,
    },
    /// No architecture that is known here has files of this size.
    #[error("found {size} bytes described as \"{}\", expected {}", printable(.description), expectation(*.length, .description))]
    Size {
        /// Size of the file in bytes.
        size: u64,
        /// Length of the description in bytes.
        length: u32,
        /// The description in the file.
        description: Vec<u8>,
    },
    /// Several architectures have files of this size, and the description names none of them.
    #[error("found {size} bytes described as \"{}\", expected a description that names one of the {count} shapes of this size", printable(.description))]
    Ambiguous {
        /// Size of the file in bytes.
        size: u64,
        /// How many shapes have files of this size.
        count: usize,
        /// The description in the file.
        description: Vec<u8>,
    },
    /// The file is shorter than what it says of its parts.
    #[error("found the end of the file after {size} bytes, expected more of its parts")]
    Cut {
        /// Size of the file in bytes.
        size: u64,
    },
    /// The file ended while it was read, though it was larger before.
    #[error("found the end of the file after fewer than {size} bytes, expected all of them")]
    Ended {
        /// The expected size of the file, in bytes.
        size: u64,
    },
    /// The file has more bytes than its size said.
    #[error("found more than {size} bytes, expected the end of the file there")]
    TooLong {
        /// The expected size of the file, in bytes.
        size: u64,
    },
    /// A field of [`Parameters`](crate::Parameters) does not have the length that its architecture
    /// needs.
    #[error("found parameters of other lengths than expected for {0}")]
    Lengths(Architecture),
    /// The rows for the same piece in different zones of the own king differ too much for a file.
    #[error(
        "found rows of zones that differ by more than a byte holds, expected smaller differences"
    )]
    Differences,
    /// There is not enough memory for the network.
    #[error("found no memory for {bytes} bytes of weights, expected it to be free")]
    Memory {
        /// How much memory was asked for.
        bytes: usize,
    },
}

/// The size that is expected for a description of some length.
fn expectation(length: u32, description: &[u8]) -> String {
    let (architecture, by) = match Architecture::described(description) {
        Some(architecture) => (architecture, ""),
        None => (Architecture::standard(Kind::HalfKp), "a known size such as "),
    };
    let size = architecture.header_size(length as usize) + architecture.body_size();
    format!("{by}{size} bytes for {architecture}")
}

/// What was found in place of a file that can be read.
fn unreadable(kind: io::ErrorKind) -> String {
    match kind {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        _ => format!("no readable file ({kind})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_one_line_of_ascii() {
        let description = "Features=半角\n\"K".as_bytes().to_vec();
        let errors = [
            NetworkError::Unreadable(io::ErrorKind::NotFound),
            NetworkError::OptionsFile(io::ErrorKind::PermissionDenied),
            NetworkError::NoFile,
            NetworkError::TooShort { size: 3 },
            NetworkError::Version { found: 0x0a0d },
            NetworkError::Foreign { family: "半角\n".repeat(20) },
            NetworkError::Undescribed,
            NetworkError::NotDense,
            NetworkError::Compression { found: "a number of more than 16 bits" },
            NetworkError::StackWidth { width: 130 },
            NetworkError::StackInputs { weights: 10, width: 128 },
            NetworkError::StackShape { bytes: 5, shapes: 0, description: description.clone() },
            NetworkError::StackShape { bytes: 5, shapes: 2, description: description.clone() },
            NetworkError::DescriptionLength { length: u32::MAX, size: 20 },
            NetworkError::Size { size: 1_000_000, length: 20, description: description.clone() },
            NetworkError::Ambiguous { size: 1_000_000, count: 2, description: vec![b'x'; 4000] },
            NetworkError::Cut { size: 7 },
            NetworkError::Ended { size: 7 },
            NetworkError::TooLong { size: 7 },
            NetworkError::Lengths(Architecture::standard(Kind::Kp)),
            NetworkError::Differences,
            NetworkError::Memory { bytes: 1 << 40 },
        ];
        for error in errors {
            let line = error.to_string();
            assert!(line.is_ascii() && !line.contains('\n') && line.len() < 400, "{line}");
            assert!(line.contains("found") && line.contains("expected"), "{line}");
        }
    }

    #[test]
    fn the_expected_size_is_that_of_the_description() {
        let standard = Architecture::standard(Kind::Kp);
        let description = standard.description().into_bytes();
        let line = NetworkError::Size { size: 5, length: 165, description }.to_string();
        assert!(line.ends_with("expected 893917 bytes for K-P 256x2-32-32"), "{line}");
        let size = |length, description: Vec<u8>| {
            NetworkError::Size { size: 5, length, description }.to_string()
        };
        let line = size(4, b"SFNN".to_vec());
        assert!(line.ends_with("such as 64216892 bytes for HalfKP 256x2-32-32"), "{line}");
        // All of a description counts, not only the part that is read.
        let line = size(5000, vec![b'x'; 4096]);
        assert!(line.ends_with("such as 64221888 bytes for HalfKP 256x2-32-32"), "{line}");
    }
}
