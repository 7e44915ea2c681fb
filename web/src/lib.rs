//! Pages of one file: everything that they need is inside, so they open from a disk, from a mail, or
//! from any web server, and load nothing from a network.
//!
//! The browser modules of this folder are plain ES modules. A page of one file cannot import other
//! files, so [`page`] joins its modules in a fixed order, each after those that it imports: lines with
//! `import` are left out, and the word `export` is. That makes one module, so no two modules of a page
//! may use one name at the outermost level; a test sees to that.
//!
//! A content policy forbids all requests, and every script but this one, which it names by its hash.

#![forbid(unsafe_code)]

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The kinds of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Analyzed games.
    Report,
    /// Mate problems.
    Problems,
}

/// The page around everything.
const FRAME: &str = include_str!("../pages/frame.html");

/// A module with its name.
macro_rules! modules {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../", $name)))),*] };
}

/// The modules that every page has, each after those that it imports.
const COMMON: &[(&str, &str)] = &modules![
    "memory.js",
    "clock.js",
    "words.js",
    "elements.js",
    "links.js",
    "position.js",
    "moves.js",
    "pieces.js",
    "board.js",
    "shogi-view.js",
    "tapping.js",
    "pages/settings.js",
];
const REPORT: &[(&str, &str)] = &modules![
    "clipboard.js",
    "graph.js",
    "move-list.js",
    "judgment-words.js",
    "report-game.js",
    "judgments.js",
    "pages/report-words.js",
    "pages/drill.js",
    "pages/report.js",
];
const PROBLEMS: &[(&str, &str)] = &modules![
    "move-name.js",
    "solving.js",
    "problem-board.js",
    "pages/problem-words.js",
    "pages/tree.js",
    "pages/diagram.js",
    "pages/problems.js",
];

impl Kind {
    fn modules(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let own = match self {
            Kind::Report => REPORT,
            Kind::Problems => PROBLEMS,
        };
        COMMON.iter().chain(own).copied()
    }

    fn style(self) -> String {
        let own = match self {
            Kind::Report => include_str!("../pages/report.css"),
            Kind::Problems => include_str!("../pages/problems.css"),
        };
        [include_str!("../style.css"), include_str!("../pages/page.css"), own].concat()
    }

    fn class(self) -> &'static str {
        match self {
            Kind::Report => "report-page",
            Kind::Problems => "problems-page",
        }
    }
}

/// A module as it stands among others in one script.
fn joined(text: &str) -> String {
    let mut script = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with("import ")) {
        script += line.strip_prefix("export ").unwrap_or(line);
        script.push('\n');
    }
    script
}

/// The source of a content policy that allows exactly this text.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// A page.
///
/// * `language` is the code of the language that it opens in, `ja` or `en`.
/// * `generator` tells what made it. It stands alone in the line
///   `<meta name="generator" content="…">`.
/// * `title` may be any text.
/// * `data` is what its modules show: see the type that is given to it.
///
/// ```
/// use tsumero_web::{Kind, page};
/// let page = page(Kind::Report, "en", "example", "a < b", &serde_json::json!({ "games": [] }));
/// assert!(page.contains("<title>a &lt; b</title>") && !page.contains("https:"));
/// ```
///
/// # Panics
///
/// Panics if the data have no JSON form.
pub fn page(
    kind: Kind,
    language: &str,
    generator: &str,
    title: &str,
    data: &impl Serialize,
) -> String {
    let script: String = kind.modules().map(|(_, text)| joined(text)).collect();
    let style = kind.style();
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let data = serde_json::to_string(data).expect("plain data has a JSON form");
    fill(
        FRAME,
        &[
            ("LANGUAGE", language),
            ("POLICY", &policy),
            ("GENERATOR", generator),
            ("TITLE", &escape(title)),
            ("STYLE", &style),
            ("KIND", kind.class()),
            // JSON that cannot end the element that contains it.
            ("DATA", &data.replace('<', "\\u003c")),
            ("SCRIPT", &script),
        ],
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Fills a template: replaces each `{{NAME}}` once. Text inside of values is never replaced.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page += before;
        let (name, tail) = after.split_once("}}").expect("the template closes its names");
        let value = values.iter().find(|(known, _)| *known == name);
        page += value.expect("the template has only known names").1;
        rest = tail;
    }
    page + rest
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The name that a line at the outermost level declares.
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let line = line.strip_prefix("async ").unwrap_or(line);
        let word = ["const ", "let ", "function ", "class "];
        let rest = word.iter().find_map(|word| line.strip_prefix(word))?;
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        Some(&rest[..end.unwrap_or(rest.len())])
    }

    #[test]
    fn the_modules_of_a_page_can_be_joined() {
        for kind in [Kind::Report, Kind::Problems] {
            let (mut names, mut before) = (HashSet::new(), HashSet::new());
            for (name, text) in kind.modules() {
                for line in text.lines() {
                    if let Some(declared) = declared(line) {
                        assert!(!declared.is_empty(), "{name}: {line}: several names at once");
                        assert!(names.insert(declared), "{name}: {declared} is declared twice");
                    }
                    // Each import is one line, under its own name, from a module before this one.
                    if line.starts_with("import ") {
                        assert!(line.ends_with("\";") && !line.contains(" as "), "{name}: {line}");
                        let file = line.split('"').nth(1).unwrap().rsplit('/').next().unwrap();
                        assert!(
                            before.contains(file),
                            "{name} imports {file}, which is not before"
                        );
                    }
                    let exports = ["export {", "export *", "export default"];
                    assert!(!exports.iter().any(|word| line.starts_with(word)), "{name}: {line}");
                    assert!(!line.contains("</script") && !line.contains("<!--"), "{name}: {line}");
                    // An import that is not a line of its own would stay.
                    assert!(!line.contains("await import("), "{name}: {line}");
                }
                before.insert(name.rsplit('/').next().unwrap());
            }
        }
    }

    #[test]
    fn nothing_in_the_data_can_end_them_or_fill_the_template() {
        let data = serde_json::json!({ "name": "</script><b>{{STYLE}}<!--" });
        let page = page(Kind::Report, "en", "example", "<b>&{{DATA}}.kif", &data);
        assert!(page.contains("<title>&lt;b&gt;&amp;{{DATA}}.kif</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        let found = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        assert_eq!(serde_json::from_str::<serde_json::Value>(found).unwrap(), data);
    }

    /// Chromium refuses a script whose hash is another one; `scripts/web.sh test` opens the pages
    /// there. This text and its hash are those of the example in the specification.
    #[test]
    fn a_hash_is_that_of_the_specification() {
        let example = "alert('Hello, world.');";
        assert_eq!(hash(example), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }
}
