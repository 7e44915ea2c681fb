//! Memory for large tables and networks: zeroed, provided by the system when it is first touched, and
//! on huge pages if asked.
//!
//! A table is read at random places. With pages of four kilobytes, nearly every look-up also waits
//! for the translation of the page's address. Linux can provide pages of two megabytes instead.
//!
//! Here is all `unsafe` code by which Tsumero gets memory. The modules are small:
//!
//! * `pages`: pages of zeros, from the system or from the allocator
//! * `zeroed`: the values in them, a slice or a single one
//! * `prefetch`: values that will soon be read

mod pages;
mod prefetch;
mod zeroed;

pub use prefetch::prefetch;
pub use zeroed::{ZeroedBox, ZeroedSlice};
