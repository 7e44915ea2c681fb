//! Passes the commit of the source to the program, for `tsumero --version`.

use std::path::Path;
use std::process::Command;

/// A build from an archive without history can name the commit in this variable.
const GIVEN: &str = "TSUMERO_COMMIT";

fn main() {
    println!("cargo::rerun-if-env-changed={GIVEN}");
    let given = std::env::var(GIVEN).ok().filter(|commit| !commit.trim().is_empty());
    let commit = given.or_else(commit).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env={GIVEN}={}", commit.trim());
}

/// The short hash of the commit, with a note if the source differs from it; `None` if the source is
/// not in a repository of its own.
///
/// It is looked up when the source has changed, not at every commit, because that would rebuild the
/// program each time. So it may be an older commit with changes since then, and the note says so.
fn commit() -> Option<String> {
    // If the package lies inside another repository, its commit is not ours.
    if git(&["rev-parse", "--show-prefix"])? != "crates/cli/" {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let source = source();
    // A missing path would cause a rebuild every time.
    for path in source.iter().filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(source.iter().map(String::as_str));
    let note = if git(&status)?.is_empty() { "" } else { " and changes since" };
    Some(format!("{commit}{note}"))
}

/// The source of the program. The workshop and the tests are not part of it.
fn source() -> Vec<String> {
    let folders = std::fs::read_dir("..").into_iter().flatten().flatten();
    let crates = folders.map(|folder| folder.path()).filter(|path| !path.ends_with("train"));
    let mut source: Vec<String> = crates.map(|path| format!("{}/src", path.display())).collect();
    source.sort();
    source.extend(["../../Cargo.toml", "../../Cargo.lock", "../../.cargo"].map(str::to_owned));
    source
}

/// The output of git, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
