//! Calls of Python functions while the interpreter may end.
//!
//! Before Python 3.14, an interpreter that ends unwinds the stack of a thread that waits for its lock (`pthread_exit`).
//! Inside a Python function called from Rust this would meet frames of Rust, and abort the program. PyO3 itself keeps
//! such a thread where it takes the lock; here is the same for functions that are called.
#![expect(unsafe_code, reason = "PyO3 calls by an ABI that cannot unwind")]

use std::hint;
use std::mem;
use std::thread;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A thread inside a Python function. If its stack is unwound, it waits for the end of the process instead, as in Python
/// 3.14.
struct KeptThread;

impl Drop for KeptThread {
    fn drop(&mut self) {
        loop {
            thread::park();
        }
    }
}

/// Calls a Python function. If the interpreter ends meanwhile, the call does not come back.
pub(crate) fn call<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    type Declared = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;
    type Call = unsafe extern "C-unwind" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;
    let call: Declared = ffi::PyObject_CallObject;
    // SAFETY: It is the same function. ABIs that differ only in whether a call may unwind are compatible.
    let call = unsafe { mem::transmute::<Declared, Call>(call) };
    // The compiler must not see which function it is, because that one was declared never to unwind.
    let call = hint::black_box(call);
    // It is dropped before all else in this frame, and no frame of Rust is nearer to Python's.
    let kept = KeptThread;
    // SAFETY: This thread holds the lock, as `function` shows, and both objects live until the call has ended.
    let answer = unsafe { call(function.as_ptr(), arguments.as_ptr()) };
    mem::forget(kept);
    // SAFETY: The function returns an object that belongs to the caller, or null and an exception.
    unsafe { Bound::from_owned_ptr_or_err(function.py(), answer) }
}
