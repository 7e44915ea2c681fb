//! Questions to the processor and the operating system that the standard library does not answer.
//! Does the processor have the instructions that the program was compiled to use? Which code page
//! do Windows programs use for text that is not UTF-8? Does a file that has become too large end
//! the process? Which language does the user read?

#![deny(unsafe_code)]

#[cfg(windows)]
pub mod code_page;
pub mod file_size;
pub mod language;
pub mod processor;
