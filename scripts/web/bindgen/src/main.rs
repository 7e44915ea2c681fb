//! Writes the JavaScript through which a page calls the engine: `bindgen MODULE.wasm FOLDER`.
//!
//! The published program `wasm-bindgen` does the same, and brings a test runner with a web server and
//! a TLS library along.

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let module = arguments.next().context("no module is named")?;
    let folder = arguments.next().context("no folder is named")?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        // Names of functions, for debuggers: 0.17 MB of the first load.
        .remove_name_section(true)
        .out_name("engine")
        .generate(folder)
}
