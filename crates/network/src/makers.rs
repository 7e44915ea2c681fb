//! What the makers of a network say of it: in a file beside it, or elsewhere if its shape or its name
//! tells which network it is.

use std::fs::File;
use std::io::Read;
use std::num::NonZeroU16;
use std::path::Path;

use crate::error::NetworkError;
use crate::kind::Kind;
use crate::shape::Shape;
use crate::stacks::StackChoice;
use crate::text::printable;

/// The file beside a network in which its makers say how it is read.
pub(crate) const OPTIONS_FILE: &str = "eval_options.txt";

/// What the makers of a network say in the file [`OPTIONS_FILE`] beside it: a name and a value in
/// each line. Other engines take all of their options from it. Here only those count that belong to
/// the network.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MakersOptions {
    pub(crate) fv_scale: Option<NonZeroU16>,
    /// What stands in place of a scale, in printable ASCII.
    pub(crate) unread_scale: Option<String>,
    /// The name of the rule by which a stack is chosen.
    pub(crate) rule: Option<String>,
}

impl MakersOptions {
    /// The options beside a network file; none if there is no such file.
    ///
    /// # Errors
    ///
    /// [`NetworkError::OptionsFile`]
    pub(crate) fn beside(path: &Path) -> Result<MakersOptions, NetworkError> {
        const LONGEST: usize = 1 << 16;
        let path = path.with_file_name(OPTIONS_FILE);
        if !path.is_file() {
            return Ok(MakersOptions::default());
        }
        let unreadable = |error: std::io::Error| NetworkError::OptionsFile(error.kind());
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        // One byte more tells whether the file goes on.
        file.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > LONGEST {
            // The last line may be cut, even in the middle of a number.
            let whole = bytes.iter().rposition(|&byte| matches!(byte, b'\n' | b'\r'));
            bytes.truncate(whole.unwrap_or(0));
        }
        Ok(MakersOptions::from_text(&text_of(&bytes)))
    }

    fn from_text(text: &str) -> MakersOptions {
        let mut options = MakersOptions::default();
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let words = line.split(|c: char| c.is_whitespace() || c == '=');
            let mut words = words.filter(|word| !word.is_empty());
            let (mut name, mut value) = (words.next(), words.next());
            // A line as engines print their options: `option name NAME type TYPE default VALUE`.
            if let (Some("option"), Some("name")) = (name, value) {
                name = words.next();
                value = words.skip_while(|&word| word != "default").nth(1);
            }
            let (Some(name), Some(value)) = (name, value) else { continue };
            // As in the protocol, capital and small letters are alike.
            if name.eq_ignore_ascii_case("FV_SCALE") {
                match value.parse::<u16>().map(NonZeroU16::new) {
                    // As in the option of this name, 0 says nothing.
                    Ok(scale) => (options.fv_scale, options.unread_scale) = (scale, None),
                    Err(_) => options.unread_scale = Some(printable(value.as_bytes())),
                }
            } else if name.eq_ignore_ascii_case("LS_BUCKET_MODE") {
                options.rule = Some(value.to_owned());
            }
        }
        options
    }
}

/// The text of a file in UTF-8, or with a byte order mark in UTF-16, as PowerShell redirects it.
fn text_of(bytes: &[u8]) -> String {
    let of_units = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks().0.iter().map(|&bytes| unit(bytes)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => of_units(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => of_units(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The scale that the makers of a network advise, if its shape or the name of its file or folder
/// tells which network it is. A shape that a single network has counts more than a name.
pub(crate) fn scale(
    shape: Shape,
    choice: Option<StackChoice>,
    file: Option<&Path>,
) -> Option<NonZeroU16> {
    scale_of_shape(shape, choice).or_else(|| scale_of_name(file?))
}

/// The advised scale, if the networks of the shape that have been published have the same.
fn scale_of_shape(shape: Shape, choice: Option<StackChoice>) -> Option<NonZeroU16> {
    /// tanuki- of 2022 ("Li").
    const LI: Option<NonZeroU16> = NonZeroU16::new(20);
    /// NAGISA of 2026, whose stacks are chosen by `progress.bin`.
    const NAGISA: Option<NonZeroU16> = NonZeroU16::new(28);
    match shape {
        Shape::Dense(shape) => match (shape.kind(), shape.l1(), shape.l2(), shape.l3()) {
            (Kind::HalfKp, 1024, 8, 32) => LI,
            _ => None,
        },
        Shape::Stacks(shape) => match (shape.kind(), shape.width(), shape.l2(), shape.l3()) {
            (Kind::HalfKaHm2, 1024 | 2304, 15, 64)
                if choice.is_some_and(|choice| choice.rule.is_outside()) =>
            {
                NAGISA
            }
            _ => None,
        },
    }
}

/// The advised scale of a network that is recognized by the name of its file or folder: 24 for
/// Suisho 5, whose architecture many other networks share.
fn scale_of_name(path: &Path) -> Option<NonZeroU16> {
    const NAMES: [&str; 3] = ["suisho5", "suisyo5", "水匠5"];
    let of_network = |part: &std::ffi::OsStr| {
        let name = part.to_string_lossy().to_lowercase();
        NAMES.iter().any(|known| name.char_indices().any(|(at, _)| begins_with(&name[at..], known)))
    };
    // The name alone does not say the folder.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut parts = path.components().rev().take(2);
    parts.any(|part| of_network(part.as_os_str())).then(|| NonZeroU16::new(24)).flatten()
}

/// Whether a text begins with a name, with or without spaces and the like between its letters. The
/// name ends with a number, which must be the whole one: Suisho 50 would be another network.
fn begins_with(text: &str, name: &str) -> bool {
    let mut rest = text.chars();
    let is_there = name.chars().all(|letter| rest.find(|c| c.is_alphanumeric()) == Some(letter));
    is_there && !rest.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Architecture;

    #[test]
    fn options_are_read_however_they_are_written() {
        let read = |text: &str| {
            let options = MakersOptions::from_text(text);
            (options.fv_scale.map(NonZeroU16::get), options.unread_scale, options.rule)
        };
        let scale = |scale| (Some(scale), None, None);
        for text in [
            "FV_SCALE 28",
            "\u{feff}FV_SCALE 28\r\n",
            "Threads 4\rFV_SCALE 28\rUSI_Hash 16",
            "\tfv_scale\u{3000}28 // as advised",
            "FV_SCALE 20\nFV_SCALE 28",
            "FV_SCALE abc\nFV_SCALE 28\nFV_SCALE\n",
            "option name FV_SCALE type spin default 28 min 1 max 128",
            "FV_SCALE=28",
            "FV_SCALE = 28",
        ] {
            assert_eq!(read(text), scale(28), "{text}");
        }
        for (order, unit) in [
            ([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
            ([0xfe, 0xff], u16::to_be_bytes),
        ] {
            let units = "FV_SCALE 28\r\n".encode_utf16().flat_map(unit);
            let bytes: Vec<u8> = order.into_iter().chain(units).collect();
            assert_eq!(read(&text_of(&bytes)), scale(28));
            assert_eq!(read(&text_of(&bytes[..bytes.len() - 1])), scale(28));
        }
        for text in
            ["", "FV_SCALE", "FV_SCALE 0", "# FV_SCALE 28", "option name FV_SCALE type spin"]
        {
            assert_eq!(read(text), (None, None, None), "{text}");
        }
        // What is no number is told, and does not hide what was said before.
        let unread = |scale, text: &str| (scale, Some(text.to_owned()), None);
        assert_eq!(read("FV_SCALE 20\nFV_SCALE 24.5"), unread(Some(20), "24.5"));
        assert_eq!(read("FV_SCALE -3"), unread(None, "-3"));
        assert_eq!(read("FV_SCALE 99999"), unread(None, "99999"));
        assert_eq!(read("FV_SCALE 半\u{7}"), unread(None, "\\xe5\\x8d\\x8a\\x07"));
        for text in
            ["ls_bucket_mode K9k9", "option name LS_BUCKET_MODE type combo default K9k9 var x"]
        {
            assert_eq!(read(text), (None, None, Some("K9k9".to_owned())));
        }
    }

    #[test]
    fn a_shape_of_one_network_counts_more_than_a_name() {
        let dense = |l1, l2| Shape::Dense(Architecture::new(Kind::HalfKp, l1, l2, 32).unwrap());
        let is = |shape, file: &str, expected| {
            let found = scale(shape, None, Some(Path::new(file))).map(NonZeroU16::get);
            assert_eq!(found, expected, "{file}");
        };
        is(dense(1024, 8), "Suisho5/nn.bin", Some(20));
        is(dense(256, 32), "Suisho5/nn.bin", Some(24));
        is(dense(256, 32), "nets/Suisho-5 kai.bin", Some(24));
        is(dense(256, 32), "nets/suisho50.bin", None);
        is(dense(256, 32), "suisho500/suisho 5.bin", Some(24));
        is(dense(256, 32), "suisho5-2026/nn.bin", Some(24));
        is(dense(256, 32), "my_水匠5/nn.bin", Some(24));
        is(dense(256, 32), "nets/suisho.bin", None);
    }
}
