"""What a process does when the one that started it ends."""

import ctypes

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def end_with_parent(signal_number: int) -> None:
    """Runs in a new process before its program starts: it gets this signal if its parent ends, however that happens."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal_number)
