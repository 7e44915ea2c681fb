//! `tsumero --version`.

use crate::harness::run_to_end;

#[test]
fn version_names_the_source_the_processor_and_the_evaluation() {
    let run = run_to_end(["--version"], "");
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
    let lines: Vec<(&str, &str)> =
        run.output.lines().map(|line| line.split_once(' ').unwrap()).collect();
    let keys: Vec<&str> = lines.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, ["tsumero", "commit:", "processor:", "evaluation:"]);
    assert_eq!(lines[0].1, env!("CARGO_PKG_VERSION"));
    let commit = lines[1].1.split(' ').next().unwrap();
    assert!(
        commit == "unknown" || commit.len() >= 12 && commit.chars().all(|c| c.is_ascii_hexdigit()),
        "{commit}"
    );
    if cfg!(target_arch = "x86_64") {
        assert!(lines[2].1.starts_with("x86-64"), "{}", lines[2].1);
    }
    assert!(!lines[3].1.is_empty());
    let short = run_to_end(["-V"], "");
    assert_eq!(short.output, run.output);
}

#[cfg(target_os = "linux")]
#[test]
fn replies_that_cannot_be_written_are_an_error() {
    use std::io::Write as _;
    use std::process::Stdio;
    for last in ["", "quit\n", "go infinite\n"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(crate::harness::engine());
        command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
        let mut engine = command.spawn().unwrap();
        let mut input = engine.stdin.take().unwrap();
        // The engine may end before it has read everything.
        let _ = input.write_all(format!("usi\nisready\n{last}").as_bytes());
        drop(input);
        let run = engine.wait_with_output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{last:?}");
        let errors = String::from_utf8(run.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{last:?}: {errors}");
        assert!(errors.starts_with("error: standard output: "), "{last:?}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error() {
    for arguments in
        [&["--version"][..], &["--help"], &["-h"], &["mate", "--help"], &["help", "book"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(crate::harness::engine());
        let run = command.args(arguments).stdout(full).output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{arguments:?}");
        let errors = String::from_utf8(run.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.starts_with("error: standard output: "), "{arguments:?}: {errors}");
    }
}
