//! Tries the orders in which a few steps of several threads may come, on the very code of the engine: its signals and all of
//! its shared tables. A model that ends has found no order in which an assertion fails or a thread waits forever.
//!
//! There are two ways. Loom tries all orders up to a number of forced switches, reads of stale values included. But it leaves
//! out orders that it takes to be alike by the last access to an atomic alone: where a thread reads a value before it writes
//! it, as the tables do, that read hides the reads of others. With the feature `shuttle`, orders are drawn at random instead.
//! No order is left out then, but every read sees the newest value.

// The engine's files are here whole, and not all of their functions are modeled.
#![allow(dead_code)]

mod locks;
mod memory;

/// Threads, locks and atomics whose every step the model decides on.
#[cfg(not(feature = "shuttle"))]
use loom as threads;
#[cfg(feature = "shuttle")]
use shuttle as threads;

/// `crates/control/src/signals.rs`.
mod signals {
    include!(concat!(env!("OUT_DIR"), "/signals.rs"));

    pub(crate) mod model;
}

/// `crates/search/src/tt.rs`.
mod tt {
    include!(concat!(env!("OUT_DIR"), "/tt.rs"));

    pub(crate) mod model;
}

/// `crates/mate/src/dfpn`.
mod dfpn {
    pub(crate) mod length {
        include!(concat!(env!("OUT_DIR"), "/length.rs"));
    }

    pub(crate) mod mixture {
        include!(concat!(env!("OUT_DIR"), "/mixture.rs"));
    }

    pub(crate) mod numbers {
        include!(concat!(env!("OUT_DIR"), "/numbers.rs"));
    }

    pub(crate) mod path_dependence {
        include!(concat!(env!("OUT_DIR"), "/path_dependence.rs"));

        pub(crate) mod model;
    }

    pub(crate) mod table {
        include!(concat!(env!("OUT_DIR"), "/table.rs"));

        pub(crate) mod model;
    }
}

use std::time::Instant;

/// Explores a model and says in how many orders. Loom forces at most so many switches between threads.
#[cfg(not(feature = "shuttle"))]
fn explore(name: &str, switches: usize, model: impl Fn() + Send + Sync + 'static) {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let begun = Instant::now();
    let orders = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&orders);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(switches);
    builder.max_branches = 100_000;
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let orders = orders.load(Ordering::Relaxed);
    println!(
        "{name}: all {orders} orders of {switches} switches, {:.1} s",
        begun.elapsed().as_secs_f32()
    );
}

/// Explores a model in random orders: half of them may change at any step, half at a few steps drawn beforehand.
#[cfg(feature = "shuttle")]
fn explore(name: &str, switches: usize, model: impl Fn() + Send + Sync + 'static) {
    use std::sync::Arc;

    let begun = Instant::now();
    let orders = std::env::var("ORDERS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let model = Arc::new(model);
    let again = Arc::clone(&model);
    shuttle::check_random(move || model(), orders / 2);
    shuttle::check_pct(move || again(), orders / 2, switches);
    println!("{name}: {orders} random orders, {:.1} s", begun.elapsed().as_secs_f32());
}

fn main() {
    signals::model::run();
    tt::model::run();
    dfpn::table::model::run();
    dfpn::path_dependence::model::run();
}
