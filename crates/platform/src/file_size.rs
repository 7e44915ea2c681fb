//! Limits on the size of files (`ulimit -f`).

/// Makes a file that grows beyond the limit an error of writing. Without this, Unix ends the process by
/// a signal, before it can say which file it was or remove what it has begun.
pub fn report_limit_as_error() {
    #[cfg(unix)]
    #[allow(unsafe_code)]
    // SAFETY: the signal is a valid one, and to ignore it runs no code of ours.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    #[allow(unsafe_code)]
    fn the_signal_is_ignored() {
        super::report_limit_as_error();
        // SAFETY: the action that is set is that of before, and `SIG_IGN` runs no code.
        let before = unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        assert_eq!(before, libc::SIG_IGN);
    }
}
