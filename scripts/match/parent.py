"""What a process does when the one that started it ends."""

import ctypes
import os
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def end_with_parent(signal_number: int) -> Callable[[], None]:
    """What a new process runs before its program starts: it gets this signal if its parent ends, however that happens. Only
    Linux can do that. To Linux, the parent is the thread that starts the process."""
    parent = os.getpid()

    def ask() -> None:
        if hasattr(LIBC, "prctl"):
            LIBC.prctl(PR_SET_PDEATHSIG, signal_number)
        # It may have ended before it could be told.
        if os.getppid() != parent:
            os._exit(1)

    return ask
