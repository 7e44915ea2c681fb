//! Japanese notation
