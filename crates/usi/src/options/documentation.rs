//! Tests that the tables of options in the documents agree with the code.

use std::fmt::Write as _;

use super::tests::default_of;
use super::{ALIASES, KNOWN_ELSEWHERE, OPTIONS, SENT_TO_EVERYONE};

/// The table of options in Markdown, as the documentation shows it.
fn markdown_table() -> String {
    let mut table = String::from("| option | type | default | range |\n|---|---|---|---|\n");
    for spec in OPTIONS {
        let line = spec.to_string();
        let (_, declared) = line.split_once(" type ").unwrap();
        let kind = declared.split(' ').next().unwrap();
        let default = match default_of(&line) {
            // It depends on the machine.
            Some(_) if spec.name == "Threads" => "half".to_owned(),
            Some(default) if default.starts_with('<') => format!("`{default}`"),
            Some(default) => default.to_owned(),
            None => String::new(),
        };
        let range = match declared.split_once(" min ") {
            Some((_, range)) => range.replace(" max ", " to "),
            None => declared.split(" var ").skip(1).collect::<Vec<_>>().join(" "),
        };
        let _ = writeln!(table, "| `{}` | {kind} | {default} | {range} |", spec.name);
    }
    table
}

/// The rows of the first table of options in a document, cell by cell. The words between the ends
/// of a range depend on the language.
fn rows(document: &str) -> Vec<Vec<String>> {
    let lines = document.lines().skip_while(|line| !line.starts_with("| `"));
    let rows = lines.take_while(|line| line.starts_with("| `"));
    let cells = |row: &str| -> Vec<String> {
        let cells = row.trim_matches('|').split('|').map(str::trim);
        cells.map(|cell| cell.replace(['〜', '～', '–'], " to ").replace("  ", " ")).collect()
    };
    rows.map(cells).collect()
}

#[test]
fn every_documentation_shows_this_table() {
    let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let english = std::fs::read_to_string(format!("{documents}/usi.md")).unwrap();
    assert!(english.contains(&format!("\n\n{}\n", markdown_table())));
    // Some copies of the source do not have the Japanese document.
    let japanese = std::fs::read_to_string(format!("{documents}/ja/usi.md")).ok();
    for document in [Some(&english), japanese.as_ref()].into_iter().flatten() {
        assert_eq!(rows(document), rows(&markdown_table()));
    }
    let aliases = ALIASES.iter().map(|(alias, _)| alias);
    for name in aliases.chain(SENT_TO_EVERYONE).chain(KNOWN_ELSEWHERE) {
        assert!(english.contains(&format!("`{name}`")), "docs/usi.md lacks {name}");
    }
}
