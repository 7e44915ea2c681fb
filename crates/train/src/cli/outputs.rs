//! Sets of files that a command writes under one name.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tsumero_files::{Inputs, NewFile};

use crate::progress::say;

/// The files of a command.
pub(super) struct SetKind {
    /// The endings of their names, of which one is `json`.
    pub endings: &'static [&'static str],
    /// What the JSON of this command holds, and that of no other.
    pub fields: &'static [&'static str],
}

/// The files NAME.json, NAME.svg and so on. A set on the disk was made by the same command if its
/// JSON says so, which is therefore written first. No other file is replaced.
pub(super) struct OutputSet<'a> {
    name: &'a Path,
    kind: &'static SetKind,
    inputs: Inputs,
}

impl<'a> OutputSet<'a> {
    /// A set of a kind. It is checked before the work begins.
    ///
    /// # Errors
    /// The file that cannot be written or must not be replaced, and the reason.
    pub(super) fn new(
        name: &'a Path,
        kind: &'static SetKind,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> anyhow::Result<OutputSet<'a>> {
        let text = name.to_string_lossy();
        if text.is_empty() || text.ends_with(std::path::is_separator) {
            bail!("{text:?} is no name of files: give one such as folder/name");
        }
        let set = OutputSet { name, kind, inputs: Inputs::from_paths(inputs) };
        set.check()?;
        for path in kind.endings.iter().map(|ending| set.path(ending)) {
            NewFile::check(&path).with_context(|| path.display().to_string())?;
        }
        Ok(set)
    }

    fn path(&self, ending: &str) -> PathBuf {
        let mut path = self.name.as_os_str().to_owned();
        path.push(".");
        path.push(ending);
        path.into()
    }

    fn check(&self) -> anyhow::Result<()> {
        let json = fs::read(self.path("json")).unwrap_or_default();
        let is_ours = self.kind.wrote(&json);
        self.kind.endings.iter().map(|ending| self.path(ending)).try_for_each(|path| {
            self.inputs.check(&path, |_| Ok(is_ours)).with_context(|| path.display().to_string())
        })
    }

    /// Writes the files, each given with its ending. All are on the disk before the first one takes
    /// its name. So a full disk leaves an earlier set as it was, not with the new JSON beside its
    /// old files. Nothing is printed: a set must not depend on whether somebody reads.
    ///
    /// # Errors
    /// The file that cannot be written or replaced, and the reason.
    pub(super) fn write(&self, mut files: Vec<(&str, Vec<u8>)>) -> anyhow::Result<Written> {
        self.check()?;
        files.sort_by_key(|(ending, _)| *ending != "json");
        let begin = |(ending, content): &(&str, Vec<u8>)| {
            let path = self.path(ending);
            let new = begun(&path, content).with_context(|| path.display().to_string())?;
            Ok((path, new))
        };
        let new_files = files.iter().map(begin).collect::<anyhow::Result<Vec<_>>>()?;
        let mut written = Written(Vec::new());
        for (path, new) in new_files {
            new.commit().with_context(|| path.display().to_string())?;
            written.0.push(path);
        }
        Ok(written)
    }
}

/// A file with its content that has not taken its name yet.
fn begun(path: &Path, content: &[u8]) -> io::Result<NewFile> {
    let mut new = NewFile::create(path)?;
    new.write_all(content)?;
    new.flush()?;
    Ok(new)
}

/// The files of a set that have been written.
#[must_use]
pub(super) struct Written(Vec<PathBuf>);

impl Written {
    /// Prints their names.
    ///
    /// # Errors
    /// Nobody reads, or standard output cannot be written.
    pub(super) fn say(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|path| say(format_args!("{}", path.display())))
    }
}

impl SetKind {
    /// Whether this is the JSON of such a set.
    fn wrote(&self, json: &[u8]) -> bool {
        let json: Option<serde_json::Value> = serde_json::from_slice(json).ok();
        json.is_some_and(|json| self.fields.iter().all(|field| json.get(field).is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: SetKind = SetKind { endings: &["json", "bin"], fields: &["prior", "scale"] };
    const OTHER: SetKind = SetKind { endings: &["json", "bin"], fields: &["rounding", "scale"] };

    #[test]
    fn a_set_replaces_its_own_kind_and_neither_inputs_nor_other_files() {
        let folder = std::env::temp_dir().join(format!("tsumero-set-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (name, games) = (folder.join("games"), folder.join("games.bin"));
        let set = |inputs| OutputSet::new(&name, &KIND, inputs);
        let files = |text: &str| {
            let json = br#"{"features": "f", "prior": 1, "scale": 2}"#.to_vec();
            vec![("bin", text.as_bytes().to_vec()), ("json", json)]
        };
        let none: [&PathBuf; 0] = [];
        fs::write(&games, "self-play").unwrap();
        // An input, and then a file of unknown origin.
        assert!(OutputSet::new(&name, &KIND, [&games]).is_err());
        assert!(set(none).is_err());
        assert_eq!(fs::read(&games).unwrap(), b"self-play");
        fs::remove_file(&games).unwrap();
        let early = set(none).unwrap();
        fs::write(&games, "self-play").unwrap();
        assert!(early.write(files("one")).is_err(), "it has come during the work");
        assert_eq!(fs::read(&games).unwrap(), b"self-play");
        fs::remove_file(&games).unwrap();
        let _ = set(none).unwrap().write(files("one")).unwrap();
        let _ = set(none).unwrap().write(files("two")).unwrap();
        assert_eq!(fs::read(&games).unwrap(), b"two");
        // The file may be of another command, which writes none with this name.
        let refused = OutputSet::new(&name, &OTHER, none).err().unwrap();
        assert!(format!("{refused:#}").contains("games.json"), "{refused:#}");
        // An input stays one, although it was made here.
        assert!(OutputSet::new(&name, &KIND, [&games]).is_err());
        fs::write(folder.join("games.json"), "{\"scale\": 2}").unwrap();
        assert!(set(none).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_set_that_cannot_be_written_is_refused_before_the_work() {
        let folder = std::env::temp_dir().join(format!("tsumero-no-set-{}", std::process::id()));
        let (name, none): (PathBuf, [&PathBuf; 0]) = (folder.join("net"), []);
        let refused = OutputSet::new(&name, &KIND, none).err().unwrap();
        assert!(format!("{refused:#}").contains("net.json"), "{refused:#}");
        fs::create_dir_all(&folder).unwrap();
        OutputSet::new(&name, &KIND, none).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Its files would have hidden names, such as `.json`.
    #[test]
    fn a_folder_is_no_name_of_a_set() {
        let folder = std::env::temp_dir().join(format!("tsumero-set-in-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in [folder.join(""), PathBuf::new()] {
            let none: [&PathBuf; 0] = [];
            let refused = OutputSet::new(&name, &KIND, none).err().unwrap().to_string();
            assert!(refused.contains("is no name of files"), "{refused}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    /// As with a disk that is full after the JSON.
    #[test]
    fn an_earlier_set_stays_whole_if_one_file_cannot_be_written() {
        let folder = std::env::temp_dir().join(format!("tsumero-half-set-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (name, none): (PathBuf, [&PathBuf; 0]) = (folder.join("net"), []);
        let set = OutputSet::new(&name, &KIND, none).unwrap();
        let files = |number: u8| {
            let json = format!("{{\"prior\": {number}, \"scale\": 2}}").into_bytes();
            vec![("bin", vec![number]), ("json", json)]
        };
        let _ = set.write(files(1)).unwrap();
        let json = fs::read(folder.join("net.json")).unwrap();
        // The place where the file is made.
        fs::create_dir(folder.join(".net.bin.tsumero-new")).unwrap();
        let refused = set.write(files(2)).err().unwrap();
        assert!(format!("{refused:#}").contains("net.bin"), "{refused:#}");
        assert_eq!(fs::read(folder.join("net.json")).unwrap(), json);
        assert_eq!(fs::read(folder.join("net.bin")).unwrap(), [1]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_need_not_be_text() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = std::env::temp_dir().join(format!("tsumero-set-name-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let name = folder.join(std::ffi::OsStr::from_bytes(b"net\xff"));
        let none: [&PathBuf; 0] = [];
        let set = OutputSet::new(&name, &KIND, none).unwrap();
        let _ = set.write(vec![("bin", b"one".to_vec())]).unwrap();
        let written = folder.join(std::ffi::OsStr::from_bytes(b"net\xff.bin"));
        assert_eq!(fs::read(written).unwrap(), b"one");
        fs::remove_dir_all(&folder).unwrap();
    }
}
