//! Takes the engine's own files and puts the atomics, locks and memory of the models in place of the real ones. Everything
//! else of them stays as it is, so that the models cannot grow apart from what runs.

use std::path::Path;
use std::{env, fs};

/// A file of the engine and what is replaced in it. Each must occur, or the build fails.
type Source = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SOURCES: &[Source] = &[
    (
        "signals.rs",
        "../crates/control/src/signals.rs",
        &[
            ("use std::sync::atomic::", "use crate::threads::sync::atomic::"),
            ("use parking_lot::", "use crate::locks::"),
            ("use crate::instant::Instant;", "use tsumero_control::Instant;"),
            ("use crate::limits::Clock;", "use tsumero_control::Clock;"),
        ],
    ),
    (
        "tt.rs",
        "../crates/search/src/tt.rs",
        &[
            ("use std::sync::atomic::", "use crate::threads::sync::atomic::"),
            ("use bytemuck::Zeroable;\n", ""),
            ("use tsumero_memory::ZeroedSlice;", "use crate::memory::ZeroedSlice;"),
            ("#[derive(Default, Zeroable)]", "#[derive(Default)]"),
            ("const _: () = assert!(size_of::<Bucket>() == 64);\n", ""),
        ],
    ),
    (
        "table.rs",
        "../crates/mate/src/dfpn/table.rs",
        &[
            (
                "use std::sync::Arc;\nuse std::sync::atomic::",
                "use std::sync::Arc;\nuse crate::threads::sync::atomic::",
            ),
            ("use bytemuck::Zeroable;\n", ""),
            ("use tsumero_memory::ZeroedSlice;", "use crate::memory::ZeroedSlice;"),
            ("#[derive(Zeroable)]", "#[derive(Default)]"),
            ("const _: () = assert!(size_of::<Bucket>() == 512);\n", ""),
        ],
    ),
    (
        "path_dependence.rs",
        "../crates/mate/src/dfpn/path_dependence.rs",
        &[
            ("use std::sync::atomic::", "use crate::threads::sync::atomic::"),
            ("use tsumero_memory::ZeroedSlice;", "use crate::memory::ZeroedSlice;"),
        ],
    ),
    ("length.rs", "../crates/mate/src/dfpn/length.rs", &[]),
    ("mixture.rs", "../crates/mate/src/dfpn/mixture.rs", &[]),
    ("numbers.rs", "../crates/mate/src/dfpn/numbers.rs", &[]),
];

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, path, replacements) in SOURCES {
        println!("cargo::rerun-if-changed={path}");
        let source = fs::read_to_string(path).expect("the engine's source is there");
        // An included file has no inner comments.
        let mut text: String = source
            .lines()
            .filter(|line| !line.starts_with("//!"))
            .flat_map(|line| [line, "\n"])
            .collect();
        for (before, after) in *replacements {
            assert!(text.contains(before), "{path} has no \"{before}\" any more");
            text = text.replace(before, after);
        }
        fs::write(Path::new(&out).join(name), text).expect("OUT_DIR can be written to");
    }
}
