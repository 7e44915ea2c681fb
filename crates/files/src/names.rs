//! Names of files as text.

use std::ffi::OsStr;
use std::fmt::Write as _;

/// A name as text, for the name of another file. What is not Unicode in it, such as a Japanese name
/// from an old archive, is written as percent signs and digits. Two names become the same only if one
/// of them already has, as text, the percent signs and digits that stand for the other's bytes.
///
/// ```
/// use std::ffi::OsStr;
/// use tsumero_files::text_of_name;
/// assert_eq!(text_of_name(OsStr::new("対局 100%")), "対局 100%");
/// # #[cfg(unix)]
/// # {
/// use std::os::unix::ffi::OsStrExt as _;
/// assert_eq!(text_of_name(OsStr::from_bytes(b"\x90\xe6\x8e\xe8 1")), "%90%E6%8E%E8 1");
/// # }
/// ```
pub fn text_of_name(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(text, "%{byte:02X}").expect("a string takes any text");
        }
    }
    text
}
