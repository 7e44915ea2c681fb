"""Files that are complete whenever they are there."""

from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, parts: Iterable[bytes]) -> Path:
    """Writes a file under another name first, so that it is never seen half written, whatever ends this program."""
    new = path.with_name(f"{path.name}.new")
    try:
        with open(new, "wb") as file:
            file.writelines(parts)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    return path
