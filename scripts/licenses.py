#!/usr/bin/env python3
"""Prints the licenses of the libraries that are part of the program, which have to go with it.

Usage: scripts/licenses.py [--target TARGET]. Needs cargo and the sources that a build has fetched.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAM = "tsumero"


def cargo(*arguments: str) -> str:
    """What cargo prints."""
    command = ["cargo", *arguments, "--locked"]
    return subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout


def libraries(target: list[str]) -> list[dict]:
    """The packages of others that the program is linked from, by name. Macros, build scripts and tests are no part of
    the program."""
    tree = cargo("tree", "--package", PROGRAM, "--edges", "normal,no-proc-macro", "--prefix", "none", *target)
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    others = [package for package in packages if package["source"]]
    others = [package for package in others if (package["name"], f"v{package['version']}") in linked]
    return sorted(others, key=lambda package: package["name"])


def texts(package: dict) -> list[Path]:
    """The files in which a package states its terms."""
    folder = Path(package["manifest_path"]).parent
    beginnings = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
    files = [file for file in folder.iterdir() if file.is_file() and file.name.upper().startswith(beginnings)]
    return sorted(files)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target")
    arguments = parser.parse_args()
    found = libraries(["--target", arguments.target] if arguments.target else [])
    numbers: dict[str, int] = {}
    print("Tsumero contains Rust's standard library (MIT OR Apache-2.0, https://www.rust-lang.org) and the libraries below.")
    print("The numbers are those of the texts that follow.\n")
    for package in found:
        own = [file.read_text(errors="replace").strip() for file in texts(package)]
        own_numbers = ", ".join(str(numbers.setdefault(text, len(numbers) + 1)) for text in own)
        print(f"{package['name']} {package['version']}, {package['license']}: {own_numbers or 'no text of its own'}")
        by = ", ".join(package["authors"]) or package["repository"]
        print(f"    {by}")
    for text, number in numbers.items():
        print(f"\n{'=' * 50} {number} {'=' * 50}\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
