//! What the program does in a shell: completions, manual pages, and a hint for those who start it there.

use std::fs;
use std::process::Command;

use crate::folder::Folder;
use crate::harness::{engine, run_to_end};

#[test]
fn completions_know_subcommands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run_to_end(["completions", shell], "");
        assert_eq!((run.code, run.errors.as_str()), (0, ""), "{shell}");
        for word in ["analyze", "tsume", "multipv"] {
            assert!(run.output.contains(word), "{shell} lacks {word}");
        }
    }
    assert_eq!(run_to_end(["completions", "cmd"], "").code, 2);
}

/// Bash itself has to accept its file, and to complete by it.
#[cfg(unix)]
#[test]
fn bash_completes_a_subcommand() {
    let folder = Folder::new("completions");
    let file = folder.path("tsumero.bash");
    fs::write(&file, run_to_end(["completions", "bash"], "").output).unwrap();
    let script = format!(
        "source '{file}'; COMP_WORDS=(tsumero ana); COMP_CWORD=1; _tsumero tsumero ana tsumero; \
         echo \"${{COMPREPLY[@]}}\""
    );
    let Ok(bash) = Command::new("bash").args(["-c", &script]).output() else { return };
    assert_eq!(String::from_utf8_lossy(&bash.stdout).trim(), "analyze", "{bash:?}");
}

#[test]
fn manual_pages_are_written_for_every_subcommand() {
    let page = run_to_end(["man"], "");
    assert_eq!((page.code, page.errors.as_str()), (0, ""));
    assert!(page.output.contains(".TH tsumero") && page.output.contains("USI"));
    let folder = Folder::new("man");
    let out = folder.path("man1");
    let run = run_to_end(["man", "--out", &out], "");
    assert_eq!(run.code, 0, "{}", run.errors);
    // The last line names what was written.
    assert!(run.errors.lines().last().unwrap().contains(&out), "{}", run.errors);
    for name in ["tsumero", "tsumero-analyze", "tsumero-tsume-check"] {
        assert!(fs::read_to_string(format!("{out}/{name}.1")).unwrap().contains(".TH"), "{name}");
    }
    let file = format!("{out}/tsumero.1");
    let run = run_to_end(["man", "--out", &file], "");
    assert_eq!((run.code, run.errors), (2, format!("error: {file}: not a directory\n")));
}

/// The program waits in silence where a GUI has started it, and says one line in a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_bare_start_in_a_terminal_says_one_line() {
    let in_a_terminal = |language: &str| {
        let mut script = Command::new("script");
        script.args(["-qec", &format!("'{}'", engine()), "/dev/null"]).env("LC_ALL", language);
        let Ok(mut child) =
            script.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn()
        else {
            return None;
        };
        std::io::Write::write_all(&mut child.stdin.take()?, b"usi\nquit\n").unwrap();
        Some(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap())
    };
    let bare = run_to_end([], "quit\n");
    assert_eq!((bare.code, bare.errors.as_str()), (0, ""));
    // A system without the program `script` cannot show it.
    let (Some(english), Some(japanese)) = (in_a_terminal("C"), in_a_terminal("ja_JP.UTF-8")) else {
        return;
    };
    assert!(english.contains("usiok"), "{english}");
    assert_eq!(english.matches("Tsumero waits for USI commands").count(), 1, "{english}");
    assert!(japanese.contains("USI コマンドを待っています"), "{japanese}");
}

/// The help is in the language of the system, and scripts read the same arguments in both.
#[cfg(unix)]
#[test]
fn the_help_is_japanese_where_the_system_is() {
    let help = |language: &str, arguments: &[&str]| {
        let run = Command::new(engine()).args(arguments).env("LC_ALL", language).output().unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap())
    };
    for arguments in [&["--help"][..], &["analyze", "-h"], &["help", "tsume"], &["mate", "--help"]]
    {
        let (code, text) = help("ja_JP.UTF-8", arguments);
        assert_eq!(code, Some(0));
        assert!(text.contains("使い方: tsumero") && text.contains("オプション:"), "{text}");
        let (code, text) = help("C", arguments);
        assert!(code == Some(0) && text.contains("Usage: tsumero") && text.is_ascii(), "{text}");
    }
    let perft = |language| help(language, &["perft", "3"]);
    assert_eq!(perft("ja_JP.UTF-8"), perft("C"));
}
