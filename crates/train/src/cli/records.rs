//! `tsumero-train stats` and `tsumero-train convert`.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use tsumero_files::{Inputs, NewFile, open_growing};

use crate::progress::{say, tell};
use crate::records::convert::{Format, Joiner, LabeledPosition, read_records, write_entry};
use crate::records::file::{FileHeader, GameReader, GameWriter, holds_games};
use crate::stats::Stats;

/// Show statistics of files of games.
#[derive(Debug, Args)]
pub struct ShowStats {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl ShowStats {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let (mut stats, mut is_damaged) = (Stats::default(), false);
        for path in &self.files {
            let reader = GameReader::open(path)?;
            let header = serde_json::to_string(reader.header())?;
            say(format_args!("{}: {header}", path.display()))?;
            for game in reader {
                match game {
                    Ok(game) => {
                        stats.add(&game);
                        stats.add_positions(&game).with_context(|| path.display().to_string())?;
                    }
                    Err(error) => {
                        tell(format_args!("{error}; the rest is left out"));
                        is_damaged = true;
                    }
                }
            }
        }
        say(format_args!("{}", stats.to_string().trim_end()))?;
        if is_damaged {
            bail!("not all games could be read");
        }
        Ok(())
    }
}

/// Convert records of games or positions to another format.
///
/// The extensions decide the formats (.psv and .bin, .hcpe, .txt and .tsv; games for all others) unless
/// options set them. A file of games is recognized under any name. Positions that follow each other
/// in a file become a game.
#[derive(Debug, Args)]
pub struct Convert {
    /// File to read
    input: PathBuf,
    /// File to write
    output: PathBuf,
    /// Replace the file to write if it exists: its formats do not tell who made it
    #[arg(long)]
    replace: bool,
    /// Format of the input
    #[arg(long)]
    from: Option<Format>,
    /// Format of the output
    #[arg(long)]
    to: Option<Format>,
}

impl Convert {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let from = self.from.unwrap_or_else(|| {
            if holds_games(&self.input) { Format::Games } else { Format::of_name(&self.input) }
        });
        let to = self.to.unwrap_or_else(|| Format::of_name(&self.output));
        if self.output.as_os_str() == "-" {
            bail!("records are not written to standard output ('./-' is a file called '-')");
        }
        if Inputs::from_paths([&self.input]).contain(&self.output) {
            bail!("input and output are the same file");
        }
        let named = || self.output.display().to_string();
        self.check_output()?;
        let mut output = Output::create(&self.output, to, &self.input, from).with_context(named)?;
        if from == Format::Games {
            for game in GameReader::open(&self.input)? {
                let mut result = Ok(());
                game?
                    .replay(&mut |sample| {
                        if result.is_ok() {
                            result = output.take(&LabeledPosition::of(&sample));
                        }
                    })
                    .with_context(|| self.input.display().to_string())?;
                result.with_context(named)?;
            }
        } else {
            let name = || self.input.display().to_string();
            let mut input = BufReader::new(File::open(&self.input).with_context(name)?);
            read_records(&mut input, from, &mut |entry| output.take(&entry)).with_context(name)?;
        }
        let (positions, left_out) = (output.positions, output.left_out);
        let file = output.finish().with_context(named)?;
        // It may have come during the work.
        self.check_output()?;
        file.commit().with_context(named)?;
        say(format_args!("{}: {positions} positions", self.output.display()))?;
        if left_out > 0 {
            tell(format_args!("{left_out} positions left out: the format has no place for them"));
        }
        Ok(())
    }

    /// Checks that the file to write may be replaced, if it exists.
    fn check_output(&self) -> anyhow::Result<()> {
        let named = || self.output.display().to_string();
        if let Ok(found) = self.output.metadata()
            && found.is_file()
        {
            if found.len() > 0 && !self.replace {
                bail!("{} exists: --replace replaces it", named());
            }
            // Whoever adds to the file would go on with one that has no name any more.
            if let Err(error) = open_growing(&self.output)
                && error.kind() == io::ErrorKind::ResourceBusy
            {
                return Err(error).with_context(named);
            }
        }
        Ok(())
    }
}

/// The destination of entries.
struct Output {
    sink: Sink,
    positions: u64,
    left_out: u64,
}

enum Sink {
    Positions(NewFile, Format),
    Games(GameWriter<NewFile>, Box<Joiner>),
}

impl Output {
    fn create(path: &Path, to: Format, input: &Path, from: Format) -> anyhow::Result<Output> {
        let file = NewFile::create(path)?;
        let sink = match to {
            Format::Games => {
                let header = FileHeader::unknown(format!("from {} ({from:?})", input.display()));
                let writer = GameWriter::new(file, path.display().to_string(), &header)?;
                Sink::Games(writer, Box::default())
            }
            _ => Sink::Positions(file, to),
        };
        Ok(Output { sink, positions: 0, left_out: 0 })
    }

    fn take(&mut self, entry: &LabeledPosition) -> io::Result<()> {
        let written = match &mut self.sink {
            Sink::Positions(file, format) => write_entry(file, entry, *format)?,
            Sink::Games(writer, joiner) => {
                let finished = joiner.add(entry).map_err(io::Error::other)?;
                writer.write(finished.as_slice()).map_err(io::Error::other)?;
                true
            }
        };
        self.positions += u64::from(written);
        self.left_out += u64::from(!written);
        Ok(())
    }

    /// The file, which has not taken its name yet. Without any position there is none.
    fn finish(self) -> anyhow::Result<NewFile> {
        if self.positions == 0 {
            match self.left_out {
                0 => bail!("there is nothing to write"),
                count => bail!("the format has no place for any of the {count} positions"),
            }
        }
        Ok(match self.sink {
            Sink::Positions(file, _) => file,
            Sink::Games(mut writer, joiner) => {
                writer.write(joiner.finish().as_slice())?;
                writer.into_inner()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_are_recognized_under_any_name() {
        let folder = std::env::temp_dir().join(format!("tsumero-convert-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let convert = |input: &str, output: &str, to| {
            let (input, output) = (folder.join(input), folder.join(output));
            Convert { input, output, replace: false, from: None, to }.run().unwrap();
        };
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let text = format!("{start}\t7g7f\t30\t1\n");
        fs::write(folder.join("one.txt"), &text).unwrap();
        convert("one.txt", "games.bin", Some(Format::Games));
        convert("games.bin", "two.txt", None);
        assert_eq!(fs::read_to_string(folder.join("two.txt")).unwrap(), text);
        // A file to which another process adds games is not replaced under its hands.
        let (input, output) = (folder.join("one.txt"), folder.join("games.bin"));
        let replace = Convert { input, output, replace: true, from: None, to: Some(Format::Games) };
        let held = open_growing(&replace.output).unwrap();
        let before = fs::read(&replace.output).unwrap();
        let busy = format!("{:#}", replace.run().unwrap_err());
        assert!(busy.contains("another process"), "{busy}");
        assert_eq!(fs::read(&replace.output).unwrap(), before);
        drop(held);
        replace.run().unwrap();
        // Nor is one to which it will add the first results.
        let convert = Convert { output: folder.join("new"), replace: false, ..replace };
        let held = open_growing(&convert.output).unwrap();
        let busy = format!("{:#}", convert.run().unwrap_err());
        assert!(busy.contains("another process"), "{busy}");
        drop(held);
        // Statistics of what cannot be read completely are an error.
        let stats = || ShowStats { files: vec![folder.join("games.bin")] }.run();
        assert!(stats().is_ok());
        let mut damaged = fs::read(folder.join("games.bin")).unwrap();
        *damaged.last_mut().unwrap() ^= 1;
        fs::write(folder.join("games.bin"), damaged).unwrap();
        assert!(stats().is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// The games of a run that began in the meantime, say.
    #[cfg(unix)]
    #[test]
    fn a_file_that_comes_during_the_work_is_not_replaced() {
        let folder = std::env::temp_dir().join(format!("tsumero-meantime-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (input, output) = (folder.join("pipe"), folder.join("games"));
        let made = std::process::Command::new("mkfifo").arg(&input).status();
        assert!(made.unwrap().success());
        let (from, to) = (Some(Format::Text), None);
        let convert = Convert { input, output, replace: false, from, to };
        let refused = std::thread::scope(|scope| {
            let running = scope.spawn(|| convert.run().unwrap_err().to_string());
            // Both ends are open only after the check at the beginning.
            let mut pipe = File::options().write(true).open(&convert.input).unwrap();
            fs::write(&convert.output, "self-play").unwrap();
            let start = tsumero_core::Position::startpos().to_sfen();
            io::Write::write_all(&mut pipe, format!("{start}\t7g7f\t30\t1\n").as_bytes()).unwrap();
            drop(pipe);
            running.join().unwrap()
        });
        assert!(refused.contains("--replace"), "{refused}");
        assert_eq!(fs::read(&convert.output).unwrap(), b"self-play");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left behind");
        fs::remove_dir_all(&folder).unwrap();
    }
}
