"""Files of mate problems: columns `sfen,plies,best_move,source,verified_by`, and what they say about each position."""

import csv
import enum
import re
from dataclasses import dataclass
from pathlib import Path

from faults import SetupError

# Files whose lengths are printed tradition, or what most of several solvers found, and not proven shortest.
LOOSE_LENGTHS = frozenset({"famous", "classics", "giants"})
# Files in which an empty length means that there is no mate.
NO_MATES = frozenset({"nomate"})


class Known(enum.Enum):
    """What a file says about a position."""

    MATE = "mate"
    NO_MATE = "no mate"
    OPEN = "open"


@dataclass(frozen=True)
class Problem:
    """One row. `plies` is None where the file states no length of mate; `is_exact` tells whether an answer must have
    that length, or whether it is only reported where they differ."""

    number: int
    sfen: str
    known: Known
    plies: int | None
    is_exact: bool
    source: str


def claims_mate(verified_by: str) -> bool:
    """Whether some solver found a mate (`KH:55`, `KH:mate(611)`, `KH mate in 42 s`) where no length is agreed upon."""
    return re.search(r":\s*(mate|\d)|\bmate in \d|\bKomoringHeights mate\b", verified_by) is not None


def read_row(number: int, row: dict[str, str], is_no_mate: bool, has_exact_lengths: bool) -> Problem:
    """One row of a file. Raises `SetupError` if its length is none of those the columns allow."""
    plies = (row.get("plies") or "").strip()
    verified_by = row.get("verified_by") or ""
    match = re.fullmatch(r"(\d+)(\*?)", plies)
    length = int(match[1]) if match else None
    if length is not None:
        known = Known.MATE
    elif plies == "nomate" or (is_no_mate and not plies):
        known = Known.NO_MATE
    elif plies:
        raise SetupError(f"row {number}: '{plies}' is no length of mate")
    else:
        known = Known.MATE if claims_mate(verified_by) else Known.OPEN
    is_exact = match is not None and not match[2] and has_exact_lengths
    return Problem(number, row["sfen"].strip(), known, length, is_exact, row.get("source") or "")


def read_problems(path: Path, is_no_mate: bool | None = None, has_exact_lengths: bool | None = None) -> list[Problem]:
    """All rows of a file. What the two flags leave open (None) follows from the file's name."""
    is_no_mate = path.stem in NO_MATES if is_no_mate is None else is_no_mate
    has_exact_lengths = path.stem not in LOOSE_LENGTHS if has_exact_lengths is None else has_exact_lengths
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            if "sfen" not in (rows.fieldnames or ()):
                raise SetupError(f"{path} has no column 'sfen'")
            problems = [read_row(number, row, is_no_mate, has_exact_lengths) for number, row in enumerate(rows, 1)]
    except OSError as error:
        raise SetupError(f"cannot read {path}: {error.strerror}") from error
    if not problems:
        raise SetupError(f"{path} holds no problems")
    return problems
