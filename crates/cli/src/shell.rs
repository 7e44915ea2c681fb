//! Completions for shells, and manual pages. `clap` makes both from the declarations of the
//! arguments.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use tsumero_files::{Inputs, start_of, write_atomic};

use crate::written::{check_folder, name_of_file};
use crate::{Arguments, Failure, Outcome, tell};

/// `tsumero completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        // `clap_complete` panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "tsumero", &mut script);
        output.write_all(&script)?;
        Ok(Outcome::Done)
    }
}

/// `tsumero man`.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Write the pages of all subcommands into this folder, instead of the first page to standard
    /// output
    #[arg(long, value_name = "DIR", value_parser = name_of_file())]
    out: Option<PathBuf>,
}

impl Manual {
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let command = Arguments::command();
        match &self.out {
            None => Man::new(command).render(output)?,
            Some(folder) => {
                check_folder(folder)?;
                fs::create_dir_all(folder)
                    .map_err(|error| Failure::Write(folder.clone(), error))?;
                let mut command = command.disable_help_subcommand(true);
                command.build();
                write_pages(&command, folder)?;
                tell(format_args!("manual pages: {}", folder.display()));
            }
        }
        Ok(Outcome::Done)
    }
}

/// Writes the page of a command, after those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        write_pages(subcommand, folder)?;
    }
    let path = folder.join(Man::new(command.clone()).get_filename());
    write_page(command, &path).map_err(|error| Failure::Write(path.clone(), error))
}

/// Writes a page. A file that was not made by this command is not replaced.
fn write_page(command: &Command, path: &Path) -> io::Result<()> {
    let (mut page, mut title) = (Vec::new(), Vec::new());
    Man::new(command.clone()).render(&mut page)?;
    // Our pages of all versions begin with the same lines. The last of them has the name.
    Man::new(command.clone()).source("").render_title(&mut title)?;
    let beginning = title.trim_ascii_end();
    Inputs::default().check(path, |file| Ok(start_of(file)?.starts_with(beginning)))?;
    write_atomic(path, &page)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn completions_that_cannot_be_written_are_a_failure() {
        for &shell in <Shell as clap::ValueEnum>::value_variants() {
            let fails = |kind| Completions { shell }.run(&mut Broken(kind));
            let full = fails(io::ErrorKind::StorageFull);
            assert!(matches!(full, Err(Failure::Output(_))), "{shell}");
            let closed = fails(io::ErrorKind::BrokenPipe);
            assert!(matches!(closed, Err(Failure::OutputClosed)), "{shell}");
        }
    }

    #[test]
    fn a_page_replaces_its_like_and_no_other() {
        let folder = std::env::temp_dir().join(format!("tsumero-pages-{}", std::process::id()));
        let write = || Manual { out: Some(folder.clone()) }.run(&mut io::sink());
        assert!(write().is_ok());
        let page = folder.join("tsumero-mate.1");
        let text = fs::read_to_string(&page).unwrap();
        // A page of an older version.
        fs::write(&page, text.replace(env!("CARGO_PKG_VERSION"), "0.0.1")).unwrap();
        assert!(write().is_ok());
        assert_eq!(fs::read_to_string(&page).unwrap(), text);
        for theirs in ["my diary\n", ".TH tsumero-mate 1\n"] {
            fs::write(&page, theirs).unwrap();
            assert!(matches!(write(), Err(Failure::Write(path, _)) if path == page));
            assert_eq!(fs::read_to_string(&page).unwrap(), theirs);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
