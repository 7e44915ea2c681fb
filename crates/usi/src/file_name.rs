//! File names from a GUI, and whether the files have changed.

use std::env;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What changes when a file is written: its time of change and its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp(SystemTime, u64);

impl Stamp {
    /// The stamp of a file; `None` if it cannot be asked for.
    pub(crate) fn of(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Stamp(metadata.modified().ok()?, metadata.len()))
    }
}

/// The file that the bytes name.
///
/// On Unix a name can be any bytes. A Windows GUI writes either UTF-8 or the code page of its
/// system.
pub(crate) fn path(name: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        PathBuf::from(std::ffi::OsStr::from_bytes(name))
    }
    #[cfg(windows)]
    {
        PathBuf::from(decode(name, tsumero_platform::code_page::ansi()))
    }
    #[cfg(not(any(unix, windows)))]
    {
        PathBuf::from(String::from_utf8_lossy(name).into_owned())
    }
}

/// The places of a file that an option names, the best first. GUIs start engines in any current
/// folder, so a relative name means a file in the folder of the program, and after that one in the
/// current folder.
pub(crate) fn places(name: &Path) -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    places_beside(program.as_deref().and_then(Path::parent), name)
}

fn places_beside(folder: Option<&Path>, name: &Path) -> Vec<PathBuf> {
    // What is joined to a folder and not relative stays what it is.
    let beside = folder.map(|folder| folder.join(name)).filter(|beside| beside != name);
    beside.into_iter().chain([name.to_owned()]).collect()
}

/// The file that an option names: the first of its places where there is a file, otherwise the name
/// itself.
pub(crate) fn find(name: &Path) -> PathBuf {
    let found = places(name).into_iter().find(|place| place.is_file());
    found.unwrap_or_else(|| name.to_owned())
}

/// Decodes a text as UTF-8 if it is valid UTF-8, otherwise in the code page with the given number.
/// Names in other encodings are hardly ever valid UTF-8, except ASCII names, which mean the same.
///
/// Invalid bytes become replacement characters, and so do all non-ASCII bytes in an unknown code
/// page. Then there is no such file, and the error message says so.
#[cfg(any(windows, test))]
fn decode(name: &[u8], code_page: u32) -> String {
    if let Ok(name) = std::str::from_utf8(name) {
        return name.to_owned();
    }
    let encoding = u16::try_from(code_page).ok().and_then(codepage::to_encoding);
    let encoding = encoding.unwrap_or(encoding_rs::UTF_8);
    encoding.decode_without_bom_handling(name).0.into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{decode, places_beside};

    #[test]
    fn relative_names_are_looked_up_beside_the_program_first() {
        let folder = std::env::temp_dir();
        for name in ["nn.bin", "eval/nn.bin", "../nn.bin", "./nn.bin"] {
            let name = Path::new(name);
            assert_eq!(places_beside(Some(&folder), name), [folder.join(name), name.to_owned()]);
            assert_eq!(places_beside(None, name), [name]);
        }
        let absolute = folder.join("nn.bin");
        assert_eq!(places_beside(Some(Path::new("/elsewhere")), &absolute), [absolute]);
    }

    #[test]
    fn names_in_utf_8_are_read_on_every_system() {
        for name in ["", r"C:\nn.bin", r"C:\将棋\評価関数.bin", "Größe.bin", "评价.bin"] {
            for code_page in [932, 1252, 936, 437, 65_001, 0] {
                assert_eq!(decode(name.as_bytes(), code_page), name);
            }
        }
    }

    #[test]
    fn other_names_are_read_in_the_code_page_of_the_system() {
        // Python's codecs cp932, cp936, cp949 and cp1252 read the same in these bytes.
        let names: [(u32, &[u8], &str); 6] = [
            (932, b"C:\\\x8f\xab\x8a\xfb\\nn.bin", r"C:\将棋\nn.bin"),
            // The second byte of these letters is a backslash.
            (932, b"\x94\x5c\x97\xcd\x95\x5c.db", "能力表.db"),
            // Letters that only Microsoft's Shift_JIS has, and half-width ones.
            (932, b"\x87\x40\xfb\xfc\xbc\xae\xb3\xb7\xde", "①髙ｼｮｳｷﾞ"),
            (936, b"\xc6\xc0\xbc\xdb.bin", "评价.bin"),
            (949, b"\xc0\xe5\xb1\xe2.bin", "장기.bin"),
            (1252, b"Gr\xf6\xdfe.bin", "Größe.bin"),
        ];
        for (code_page, bytes, name) in names {
            assert_eq!(decode(bytes, code_page), name);
        }
    }

    #[test]
    fn what_cannot_be_read_names_no_file() {
        for code_page in [932, 437, 65_001, 0, u32::MAX] {
            assert!(decode(b"a\xff\xfe", code_page).contains('\u{fffd}'), "{code_page}");
        }
    }
}
