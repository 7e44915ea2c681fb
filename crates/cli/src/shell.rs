//! Completions for shells, and manual pages. `clap` makes both from the declarations of the
//! arguments.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Arguments, Failure, Outcome, tell};

/// `tsumero completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        clap_complete::generate(self.shell, &mut Arguments::command(), "tsumero", &mut *output);
        Ok(Outcome::Done)
    }
}

/// `tsumero man`.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Write the pages of all subcommands into this folder, instead of the first page to standard
    /// output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Manual {
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let command = Arguments::command();
        match &self.out {
            None => Man::new(command).render(output)?,
            Some(folder) => {
                let failure = |error| Failure::Write(folder.clone(), error);
                fs::create_dir_all(folder).map_err(failure)?;
                clap_mangen::generate_to(command, folder).map_err(failure)?;
                tell(format_args!("manual pages: {}", folder.display()));
            }
        }
        Ok(Outcome::Done)
    }
}
