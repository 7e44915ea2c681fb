"""Checks the structure of the sources: the files of each crate import one another without circles, and a file of more than
600 lines says in its header why it is so long. Run by check.sh; prints what is wrong, one line each."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 600
# The innermost `path::{names}`.
GROUP = re.compile(r"([\w:]*)\{([^{}]*)\}")
# A path to an item of this crate, in an import or in the code.
IMPORT = re.compile(r"\b(?:crate|super|self)::[\w:]+")


def sources(folder: str) -> list[Path]:
    """The files of Rust that belong to the repository."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", f"{folder}*.rs"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def module_of(file: Path, source: Path) -> tuple[str, ...]:
    """The path of the module that is a file: `mate_in_one/mod.rs` and `mate_in_one.rs` are both `mate_in_one`."""
    parts = file.relative_to(source).with_suffix("").parts
    roots = ("mod", "lib") if (source / "lib.rs").is_file() else ("mod", "main")
    return parts[:-1] if parts[-1] in roots else parts


def without_tests(text: str) -> str:
    """The text without comments and without the tests at its end, which may import what they like."""
    text = re.sub(r"//[^\n]*", "", text)
    return re.split(r"#\[cfg\(test\)\]\s*mod \w+ *\{", text)[0]


def written_out(text: str) -> str:
    """The text with `a::{b, c::{d}}` as `a::b, a::c::d`."""
    def each(group: re.Match) -> str:
        prefix, names = group.groups()
        return ", ".join(prefix + name.strip() for name in names.split(",")) if prefix.endswith("::") else group[0]

    while True:
        changed = GROUP.sub(each, text)
        if changed == text:
            return text
        text = changed


def imports(module: tuple[str, ...], text: str, modules: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The modules whose items a file names. A file may name its own folder's modules without a path: they are its parts."""
    found = set()
    for path in IMPORT.findall(written_out(without_tests(text))):
        first, *rest = path.split("::")
        place = {"crate": (), "self": module, "super": module[:-1]}[first]
        while rest and rest[0] == "super":
            place, rest = place[:-1], rest[1:]
        whole = (*place, *rest)
        # The longest beginning that is a file: what follows is an item of it.
        deepest = next(whole[:length] for length in range(len(whole), -1, -1) if whole[:length] in modules)
        if deepest != module:
            found.add(deepest)
    return found


def circles(arrows: dict[tuple[str, ...], set[tuple[str, ...]]]) -> list[list[str]]:
    """For each group of modules that import one another in a circle, their names."""
    reached: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for start in arrows:
        seen: set[tuple[str, ...]] = set()
        waiting = list(arrows[start])
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting += arrows[module]
        reached[start] = seen
    groups = {tuple(sorted("::".join(other) or "lib" for other in reached[one] if one in reached[other]))
              for one in reached if one in reached[one]}
    return [list(group) for group in sorted(groups)]


def main() -> int:
    wrong = []
    for source in sorted([*ROOT.glob("crates/*/src"), ROOT / "python/src"]):
        folder = str(source.relative_to(ROOT))
        texts = {module_of(file, source): file.read_text(encoding="utf-8") for file in sources(f"{folder}/")}
        arrows = {module: imports(module, text, set(texts)) for module, text in texts.items()}
        wrong += [f"{folder}: these import one another: {', '.join(group)}" for group in circles(arrows)]
    for file in sources(""):
        text = file.read_text(encoding="utf-8")
        count = len(text.splitlines())
        header = re.match(r"(?://![^\n]*\n)*", text)
        words = header[0].replace("//!", "").split() if header else []
        if count > LIMIT and "is long" not in " ".join(words):
            wrong.append(f"{file.relative_to(ROOT)}: {count} lines, and its header does not say why it is so long")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
