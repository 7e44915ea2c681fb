//! Counts the nodes of the benchmark, the signature of the search, as `tsumero bench` does, without the rest of the program:
//!
//! ```text
//! cargo run --release --package tsumero-search --example bench
//! ```

use std::thread;

use tsumero_search::{BenchOptions, STACK_SIZE, bench};

fn main() -> std::io::Result<()> {
    let run = || bench(BenchOptions::default(), &mut |_| {});
    let result = thread::Builder::new().stack_size(STACK_SIZE).spawn(run)?.join().unwrap();
    let result = result.map_err(std::io::Error::other)?;
    println!("nodes: {}", result.nodes);
    println!("nps: {}", result.nps());
    Ok(())
}
