"""Counting finished games and saying what they prove."""

import math
from collections import Counter
from statistics import NormalDist, fmean, variance

from faults import CRASH, HANG, ILLEGAL_MOVE, KINDS, PROTOCOL, TIME_LOSS

# With a larger share of games lost on time a match says nothing about how well the loser plays.
MOST_TIME_LOSSES = 0.02
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
Z95 = NormalDist().inv_cdf(0.975)
NAMES = {
    ILLEGAL_MOVE: "illegal moves",
    TIME_LOSS: "time losses",
    CRASH: "crashes",
    HANG: "hangs",
    PROTOCOL: "protocol errors",
}


def elo(score: float) -> float:
    """Elo difference of an expected score between 0 and 1 (logistic model)."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return -400.0 * math.log10(1.0 / score - 1.0)


def signed(value: float) -> str:
    """An Elo difference as a whole number with its sign; none is +0."""
    text = f"{value:+.0f}"
    return "+0" if text == "-0" else text


def wilson(mean: float, n: int) -> tuple[float, float]:
    """Wilson's 95% interval of the score of n single games."""
    scale = 1.0 + Z95**2 / n
    center = (mean + Z95**2 / (2 * n)) / scale
    half = Z95 / scale * math.sqrt(mean * (1.0 - mean) / n + Z95**2 / (4 * n * n))
    # At 0 and 1 the bound is the score itself; rounding must not push it past.
    return min(mean, max(0.0, center - half)), max(mean, min(1.0, center + half))


def interval(games: list[dict]) -> tuple[float, float]:
    """95% interval of the score.

    Games with the same opening and exchanged colors are one observation, because they are not independent. If a pair is not
    full, or if there are not two, or no spread between them, the interval is Wilson's for single games. Near 0 and 1, few pairs
    differ from the others, and their spread says too little: no lower bound is above that of as many wins, and no upper bound
    below that of as many losses.
    """
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game["pair"], []).append(POINTS[game["result"]])
    full = [fmean(points) for points in pairs.values() if len(points) == 2]
    n = len(games)
    mean = fmean(POINTS[game["result"]] for game in games)
    if len(full) >= 2 and 2 * len(full) == n and variance(full) > 0.0:
        half = Z95 * math.sqrt(variance(full) / len(full))
        return max(0.0, min(mean - half, wilson(1.0, n)[0])), min(1.0, max(mean + half, wilson(0.0, n)[1]))
    return wilson(mean, n)


def count_faults(games: list[dict], loose: list[dict], role: str) -> Counter:
    """Faults of `role` by kind. A game holds the one that ended it and those that were only noted; `loose` are those
    of which only the match is known."""
    faults = [fault for game in games for fault in game["faults"]] + loose
    return Counter(fault["kind"] for fault in faults if fault["role"] == role)


def summary(title: str, games: list[dict], loose: list[dict], planned: int) -> str:
    """The plain text shown at the end of a match."""
    lines = [title, f"games: {len(games)}" + (f" of {planned}" if len(games) != planned else "")]
    if games:
        lines += score_lines(games)
    engine, opponent = (count_faults(games, loose, role) for role in ("engine", "opponent"))
    lines += [f"{NAMES[kind]}: engine {engine[kind]}, opponent {opponent[kind]}" for kind in KINDS]
    for role, faults in (("engine", engine), ("opponent", opponent)):
        if faults[TIME_LOSS] > MOST_TIME_LOSSES * len(games):
            lines.append(f"warning: the {role} lost {faults[TIME_LOSS]} of {len(games)} games on time: this match measures "
                         "no strength")
    lines.append(f"games cut by max plies: {sum(game['reason'] == 'max plies' for game in games)}")
    return "\n".join(lines) + "\n"


def score_lines(games: list[dict]) -> list[str]:
    """Wins (+), draws (=) and losses (-) of the engine, its score, and what that means in Elo."""
    def wdl(some: list[dict]) -> str:
        count = Counter(game["result"] for game in some)
        return f"+{count['win']} ={count['draw']} -{count['loss']}"

    score = fmean(POINTS[game["result"]] for game in games)
    low, high = interval(games)
    reasons = Counter(game["reason"] for game in games)
    return [
        f"engine: {wdl(games)}",
        *(f"  as {color}: {wdl([game for game in games if game['color'] == color])}" for color in ("black", "white")),
        f"score: {100 * score:.1f}% (95%: {100 * low:.1f} to {100 * high:.1f})",
        f"elo: {signed(elo(score))} (95%: {signed(elo(low))} to {signed(elo(high))})",
        "endings: " + ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())),
    ]
