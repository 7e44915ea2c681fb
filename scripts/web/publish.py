"""Copies a site that was built to the folder where a web server, or a person, wants it. Arguments: the site, the folder.

The folder may hold other things, such as .git, which stay. What is replaced or removed was written by an earlier run and has not
changed since: a list of files with their checksums, which `sha256sum --check` reads, tells what that is."""

import hashlib
import os
import sys
from pathlib import Path

LIST = "tsumero-site.sha256"
# A file takes its name when it is complete. What a run that was broken off leaves here belongs to no one.
UNFINISHED = "tsumero-site.unfinished"


def checksum(file: Path) -> str:
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def read_list(folder: Path) -> set[tuple[str, str]]:
    """Names and checksums of the files that earlier runs wrote."""
    try:
        lines = (folder / LIST).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return set()
    return {(name, digest) for digest, _, name in (line.partition("  ") for line in lines)}


def write_whole(file: Path, content: bytes) -> None:
    unfinished = file.parent / UNFINISHED
    unfinished.write_bytes(content)
    unfinished.replace(file)


def write_list(folder: Path, files: set[tuple[str, str]]) -> None:
    write_whole(folder / LIST, "".join(f"{digest}  {name}\n" for name, digest in sorted(files)).encode())


def publish(site: Path, folder: Path) -> str | None:
    """Copies the files, or says which file in the folder is in the way."""
    new = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
    written = read_list(folder)
    old = {name for name, _ in written}
    for name in sorted(old | set(new)):
        path = folder / name
        is_ours = path.is_file() and (name, checksum(path)) in written
        strange = [path] if os.path.lexists(path) and not is_ours else []
        strange += [parent for parent in path.parents if os.path.lexists(parent) and not parent.is_dir()]
        if strange:
            return f"{strange[0]} is in the way: it was not made by web.sh, or has changed since"
    files = {(name, checksum(path)) for name, path in new.items()}
    folder.mkdir(parents=True, exist_ok=True)
    # Whatever moment this run is broken off at, the next one knows its files.
    write_list(folder, written | files)
    for name in old - set(new):
        (folder / name).unlink(missing_ok=True)
    for name, path in new.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, path.read_bytes())
    write_list(folder, files)
    return None


def main() -> int:
    site, folder = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        fault = publish(site, folder)
    except OSError as error:
        fault = str(error)
    if fault is not None:
        print(f"web.sh: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
