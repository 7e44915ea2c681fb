//! What the program asks of the processor and the operating system beyond the standard library:
//! whether the processor has the instructions the program was compiled to use, and in which code
//! page Windows programs write text that is not UTF-8.

#![deny(unsafe_code)]

#[cfg(windows)]
pub mod code_page;
pub mod processor;
