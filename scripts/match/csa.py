"""Game records in the CSA format (version 3.0), which GUIs open."""

from pathlib import Path

from referee import BLACK, WHITE, other

# Words of which several mean that the side to move has lost.
ENDINGS = {
    "resignation": "%TORYO",
    "checkmate": "%TSUMI",
    "no legal move": "%TSUMI",
    "repetition": "%SENNICHITE",
    "illegal move": "%ILLEGAL_MOVE",
    "declaration": "%KACHI",
    "time loss": "%TIME_UP",
    "max plies": "%MAX_MOVES",
    "adjudicated win": "%TORYO",
}


def ending(reason: str, winner: str | None, to_move: str) -> str:
    """The last line of the moves. Whoever gave perpetual check lost, whoever is to move."""
    if reason == "perpetual check":
        return "%-ILLEGAL_ACTION" if winner == BLACK else "%+ILLEGAL_ACTION"
    # CSA has no word for a loser who is not to move; a wrong one would name the wrong winner.
    if reason == "adjudicated win" and winner == to_move:
        return "%CHUDAN"
    return ENDINGS.get(reason, "%ERROR")


def write(path: Path, game: dict, csa_moves: list[str], start_bod: str, started: str) -> None:
    """Writes one game. `start_bod` holds the CSA lines of the base position; opening moves carry no time."""
    names = {game["color"]: game["engine"]}
    names.setdefault("black", game["opponent"])
    names.setdefault("white", game["opponent"])
    lines = ["'CSA encoding=UTF-8", "V3.0", f"N+{names['black']}", f"N-{names['white']}", f"$START_TIME:{started}"]
    lines += start_bod.splitlines()
    sign = "+" if start_bod.rstrip().endswith("+") else "-"
    untimed = len(csa_moves) - len(game["times_ms"])
    for i, move in enumerate(csa_moves):
        lines.append(sign + move)
        if i >= untimed:
            lines.append(f"T{game['times_ms'][i - untimed] / 1000:.3f}")
            score = game["scores"][i - untimed]
            if score is not None:
                lines.append(f"'* score {score}")
        sign = "-" if sign == "+" else "+"
    winner = {"win": game["color"], "loss": other(game["color"])}.get(game["result"])
    lines.append(ending(game["reason"], winner, BLACK if sign == "+" else WHITE))
    lines.append(f"' {game['reason']}: {game['color']} is the engine under test, its result is a {game['result']}")
    for fault in game["faults"]:
        lines.append(f"' fault of the {fault['role']}: {fault['kind']}: {fault['detail']}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
