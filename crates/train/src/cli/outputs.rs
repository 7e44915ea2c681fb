//! Sets of files that a command writes under one name.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tsumero_files::{Inputs, NewFile};

use crate::progress::say;

/// The field of the JSON with the CRC-32 of the other files.
const CHECKSUMS: &str = "checksums";

/// The files of a command.
pub(super) struct SetKind {
    /// The endings of their names, of which one is `json`.
    pub endings: &'static [&'static str],
    /// What the JSON of this command holds, and that of no other.
    pub fields: &'static [&'static str],
    /// Whether the JSON has a line for each value.
    pub is_pretty: bool,
}

/// The contents of files, each with the ending of its name.
pub(super) type Files<'a> = Vec<(&'a str, Vec<u8>)>;

/// The files NAME.json, NAME.svg and so on. A set on the disk was made by the same command if its
/// JSON says so, which is therefore written first and holds the checksums of the others. No other
/// file is replaced.
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
        let json = serde_json::from_slice(&json).unwrap_or_default();
        let is_ours = |ending: &str, file| {
            Ok(self.kind.wrote(&json) && (ending == "json" || may_belong_to(&json, file)?))
        };
        self.kind.endings.iter().try_for_each(|ending| {
            let path = self.path(ending);
            let is_ours = |file| is_ours(ending, file);
            self.inputs.check(&path, is_ours).with_context(|| path.display().to_string())
        })
    }

    /// Writes the JSON and the other files. All are on the disk before the first one takes its name. So
    /// a full disk leaves an earlier set as it was, not with the new JSON beside its old files. Nothing
    /// is printed: a set must not depend on whether somebody reads.
    ///
    /// # Errors
    /// The file that cannot be written or replaced, and the reason.
    pub(super) fn write(
        &self,
        mut json: serde_json::Value,
        mut files: Files<'_>,
    ) -> anyhow::Result<Written> {
        self.check()?;
        let mut checksums: Vec<u32> =
            files.iter().map(|(_, content)| crc32fast::hash(content)).collect();
        // A killed process may leave the new JSON beside the old files.
        let others = self.kind.endings.iter().filter(|ending| **ending != "json");
        let old = others.map(|ending| self.path(ending)).filter(|path| path.is_file());
        checksums.extend(old.filter_map(|path| Some(crc32fast::hash(&fs::read(path).ok()?))));
        json[CHECKSUMS] = checksums.into();
        let form = if self.kind.is_pretty { serde_json::to_vec_pretty } else { serde_json::to_vec };
        files.insert(0, ("json", form(&json)?));
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

/// Whether a file has one of the checksums in the JSON of a set, or could: that of an earlier version
/// has none.
fn may_belong_to(json: &serde_json::Value, mut file: File) -> io::Result<bool> {
    let Some(checksums) = json.get(CHECKSUMS).and_then(|checksums| checksums.as_array()) else {
        return Ok(true);
    };
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(checksums.contains(&crc32fast::hash(&content).into()))
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
    fn wrote(&self, json: &serde_json::Value) -> bool {
        self.fields.iter().all(|field| json.get(field).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: SetKind =
        SetKind { endings: &["json", "bin"], fields: &["prior", "scale"], is_pretty: false };
    const OTHER: SetKind = SetKind { fields: &["rounding", "scale"], ..KIND };

    fn json(prior: u8) -> serde_json::Value {
        serde_json::json!({"prior": prior, "scale": 2})
    }

    #[test]
    fn a_set_replaces_its_own_kind_and_neither_inputs_nor_other_files() {
        let folder = std::env::temp_dir().join(format!("tsumero-set-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (name, games) = (folder.join("games"), folder.join("games.bin"));
        let set = |inputs| OutputSet::new(&name, &KIND, inputs);
        let write = |set: OutputSet<'_>, text: &str| {
            set.write(json(1), vec![("bin", text.as_bytes().to_vec())])
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
        assert!(write(early, "one").is_err(), "it has come during the work");
        assert_eq!(fs::read(&games).unwrap(), b"self-play");
        fs::remove_file(&games).unwrap();
        let _ = write(set(none).unwrap(), "one").unwrap();
        let _ = write(set(none).unwrap(), "two").unwrap();
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

    #[test]
    fn a_file_that_was_put_beside_the_json_is_not_replaced() {
        let folder = std::env::temp_dir().join(format!("tsumero-set-sums-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (name, none): (PathBuf, [&PathBuf; 0]) = (folder.join("net"), []);
        let set = || OutputSet::new(&name, &KIND, none);
        let (bin, of_set) = (folder.join("net.bin"), folder.join("net.json"));
        let write = |number| set().unwrap().write(json(number), vec![("bin", vec![number])]);
        let _ = write(1).unwrap();
        // As after a process that was killed between the two files, again and again.
        for number in 2..5 {
            let _ = write(number).unwrap();
            fs::write(&bin, [1]).unwrap();
        }
        let _ = write(5).unwrap();
        let early = set().unwrap();
        fs::write(&bin, "the network of somebody else").unwrap();
        let refused = format!("{:#}", set().err().unwrap());
        assert!(refused.contains("net.bin") && refused.contains("not replaced"), "{refused}");
        assert!(early.write(json(6), vec![("bin", vec![6])]).is_err());
        assert_eq!(fs::read(&bin).unwrap(), b"the network of somebody else");
        // Sets of earlier versions have no checksums.
        fs::write(&of_set, json(1).to_string()).unwrap();
        let _ = write(7).unwrap();
        fs::write(&bin, "another network").unwrap();
        assert!(set().is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// As with a disk that is full after the JSON.
    #[test]
    fn an_earlier_set_stays_whole_if_one_file_cannot_be_written() {
        let folder = std::env::temp_dir().join(format!("tsumero-half-set-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (name, none): (PathBuf, [&PathBuf; 0]) = (folder.join("net"), []);
        let set = OutputSet::new(&name, &KIND, none).unwrap();
        let _ = set.write(json(1), vec![("bin", vec![1])]).unwrap();
        let before = fs::read(folder.join("net.json")).unwrap();
        // The place where the file is made.
        fs::create_dir(folder.join(".net.bin.tsumero-new")).unwrap();
        let refused = set.write(json(2), vec![("bin", vec![2])]).err().unwrap();
        assert!(format!("{refused:#}").contains("net.bin"), "{refused:#}");
        assert_eq!(fs::read(folder.join("net.json")).unwrap(), before);
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
        let _ = set.write(json(1), vec![("bin", b"one".to_vec())]).unwrap();
        let written = folder.join(std::ffi::OsStr::from_bytes(b"net\xff.bin"));
        assert_eq!(fs::read(written).unwrap(), b"one");
        fs::remove_dir_all(&folder).unwrap();
    }
}
