//! JKF, the JSON Kifu Format.

mod read;
mod tree;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
