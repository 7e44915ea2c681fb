//! Sets of files that a command writes under one name.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tsumero_files::{Inputs, write_atomic};

use crate::progress::say;

/// The files NAME.json, NAME.svg and so on. A set on the disk was made by the workshop if its JSON
/// says so, which is therefore written first. No other file is replaced.
pub(super) struct OutputSet<'a> {
    name: &'a Path,
    inputs: Inputs,
}

impl<'a> OutputSet<'a> {
    /// A set with these endings, of which one is `json`. It is checked before the work begins.
    ///
    /// # Errors
    /// The file that must not be replaced, and the reason.
    pub(super) fn new(
        name: &'a Path,
        endings: &[&str],
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> anyhow::Result<OutputSet<'a>> {
        let set = OutputSet { name, inputs: Inputs::of(inputs) };
        set.check(endings)?;
        Ok(set)
    }

    fn path(&self, ending: &str) -> PathBuf {
        PathBuf::from(format!("{}.{ending}", self.name.display()))
    }

    fn check(&self, endings: &[&str]) -> anyhow::Result<()> {
        let json = fs::read(self.path("json")).unwrap_or_default();
        let is_ours = is_ours(&json);
        endings.iter().map(|ending| self.path(ending)).try_for_each(|path| {
            self.inputs.check(&path, |_| is_ours).with_context(|| path.display().to_string())
        })
    }

    /// Writes the files and prints their names.
    ///
    /// # Errors
    /// The file that cannot be written or replaced, and the reason.
    pub(super) fn write(&self, mut files: Vec<(&str, Vec<u8>)>) -> anyhow::Result<()> {
        self.check(&files.iter().map(|(ending, _)| *ending).collect::<Vec<_>>())?;
        files.sort_by_key(|(ending, _)| *ending != "json");
        for (ending, content) in files {
            let path = self.path(ending);
            write_atomic(&path, &content).with_context(|| path.display().to_string())?;
            say(format_args!("{}", path.display()))?;
        }
        Ok(())
    }
}

/// Whether this is the JSON of a set.
fn is_ours(json: &[u8]) -> bool {
    let json: Option<serde_json::Value> = serde_json::from_slice(json).ok();
    json.is_some_and(|json| {
        let has = |name: &str| json.get(name).is_some();
        has("scale") && (has("network") && has("rounding") || has("features") && has("prior"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_replaces_its_own_kind_and_neither_inputs_nor_other_files() {
        let folder = std::env::temp_dir().join(format!("tsumero-set-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (name, games) = (folder.join("games"), folder.join("games.bin"));
        let set = |inputs| OutputSet::new(&name, &["json", "bin"], inputs);
        let files = |text: &str| {
            let json = br#"{"features": "f", "prior": 1, "scale": 2}"#.to_vec();
            vec![("bin", text.as_bytes().to_vec()), ("json", json)]
        };
        let none: [&PathBuf; 0] = [];
        fs::write(&games, "self-play").unwrap();
        // An input, and then a file of unknown origin.
        assert!(OutputSet::new(&name, &["json", "bin"], [&games]).is_err());
        assert!(set(none).is_err());
        assert_eq!(fs::read(&games).unwrap(), b"self-play");
        fs::remove_file(&games).unwrap();
        let early = set(none).unwrap();
        fs::write(&games, "self-play").unwrap();
        assert!(early.write(files("one")).is_err(), "it has come during the work");
        assert_eq!(fs::read(&games).unwrap(), b"self-play");
        fs::remove_file(&games).unwrap();
        set(none).unwrap().write(files("one")).unwrap();
        set(none).unwrap().write(files("two")).unwrap();
        assert_eq!(fs::read(&games).unwrap(), b"two");
        // An input stays one, although it was made here.
        assert!(OutputSet::new(&name, &["json", "bin"], [&games]).is_err());
        fs::write(folder.join("games.json"), "{\"scale\": 2}").unwrap();
        assert!(set(none).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
