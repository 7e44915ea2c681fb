//! Hands the commit of the source to the program, for `tsumero --version`.

use std::path::Path;
use std::process::Command;

/// Whoever builds from an archive without its history may name the commit here.
const GIVEN: &str = "TSUMERO_COMMIT";

fn main() {
    println!("cargo::rerun-if-env-changed={GIVEN}");
    let given = std::env::var(GIVEN).ok().filter(|commit| !commit.trim().is_empty());
    let commit = given.or_else(commit).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env={GIVEN}={}", commit.trim());
}

/// The commit in short, with a note if the source differs from it; `None` if the source is not in a
/// repository of its own.
///
/// It is looked up when the source has changed, not at every commit, which would build the program
/// anew each time. So it may be an older commit with the changes since; what it says is true.
fn commit() -> Option<String> {
    // A package inside somebody else's repository has no commit of ours.
    if git(&["rev-parse", "--show-prefix"])? != "crates/usi/" {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let source = source();
    // A path that is not there would make every build a new one.
    for path in source.iter().filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(source.iter().map(String::as_str));
    let note = if git(&status)?.is_empty() { "" } else { " and changes since" };
    Some(format!("{commit}{note}"))
}

/// What the program is made of: the workshop and the tests are no part of it.
fn source() -> Vec<String> {
    let folders = std::fs::read_dir("..").into_iter().flatten().flatten();
    let crates = folders.map(|folder| folder.path()).filter(|path| !path.ends_with("train"));
    let mut source: Vec<String> = crates.map(|path| format!("{}/src", path.display())).collect();
    source.sort();
    source.extend(["../../Cargo.toml", "../../Cargo.lock", "../../.cargo"].map(str::to_owned));
    source
}

/// What git says, if it can say it.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
