"""The runner named `shogiarena`: ShogiArena plays and schedules (SPRT included), each engine behind a tap."""

import json
import math
import shlex
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import yaml

from conditions import Conditions
from driver import launch
from faults import TIME_LOSS, SetupError
from parent import end_with_parent
from profiles import Profile

HERE = Path(__file__).resolve().parent


def time_control(profile: Profile) -> dict:
    """The limits of one engine in ShogiArena's words."""
    control: dict = {"expiry_margin_ms": profile.margin}
    if profile.is_timed:
        control["time_ms"] = profile.time or 0
        if profile.increment is not None:
            control["increment_ms"] = profile.increment
        else:
            control["byoyomi_ms"] = profile.byoyomi or 0
    if profile.nodes is not None:
        control["node_limit"] = profile.nodes
    return control


def write_engine(profile: Profile, role: str, out: Path, hang_seconds: float | None) -> dict:
    """Asks the engine for its options, writes its ShogiArena file, and returns its entry in the run's configuration."""
    probe = launch(profile, role, out / "logs", "probe", hang_seconds)
    options = profile.options_for(probe.options)
    probe.close()
    logs = out / "logs"
    work = logs / f"{role}.cwd"
    work.mkdir(exist_ok=True)
    # A script of its own, because ShogiArena resolves the link that makes this Python see its private environment.
    start = out / "arena" / f"{role}.sh"
    tap = [sys.executable, str(HERE / "tap.py"), str(out / "arena" / "faults.jsonl"), str(logs / f"{role}.stderr.log"),
           role, str(profile.hang_seconds(hang_seconds)), "--", *profile.argv]
    start.write_text(f"#!/bin/sh\nexec {shlex.join(tap)}\n", encoding="utf-8")
    start.chmod(0o755)
    file = out / "arena" / f"{role}.yaml"
    file.write_text(yaml.safe_dump({"name": role, "engine_path": str(start), "working_directory": str(work),
                                    "options": options}, sort_keys=False), encoding="utf-8")
    return {"name": role, "engine_path": str(file), "time_control": time_control(profile)}


def configuration(engine: dict, opponent: dict, openings: Path, conditions: Conditions, parallel: int,
                  sprt: tuple[float, float] | None) -> dict:
    """The run's configuration. Every default that would change the rules of the game is overridden."""
    config: dict = {
        "experiment_name": "match",
        "engines": [engine, opponent],
        "tournament": {"scheduler": "round_robin", "games_per_pair": conditions.games, "num_parallel": parallel,
                       "game_order": "pairwise"},
        "rules": {
            "time_control": engine["time_control"],
            "repetition_occurrences_to_draw": 4,
            "initial_positions": {"type": "file", "source": str(openings), "source_format": "usi_line",
                                  "flip_policy": "pair_both", "sync_scope": "pair",
                                  "selection_policy": "without_replacement"},
            "adjudication": {"max_plies": conditions.max_plies, "sync_max_plies_with_engine": False, "resign_move_count": 3},
        },
        "dashboard": {"enabled": False},
        "logging": {"usi_transcript": True},
        "system": {"resource_capacity_preflight": "off"},
    }
    if conditions.resign_score is not None:
        config["rules"]["adjudication"]["resign_threshold_cp"] = conditions.resign_score
    if sprt is not None:
        config["sprt"] = {"model": "gsprt-pentanomial-v1", "tested_engine": "engine", "elo0": sprt[0], "elo1": sprt[1],
                          "alpha": 0.05, "beta": 0.05, "max_games": conditions.games}
    return config


def run(engine: Profile, opponent: Profile, out: Path, conditions: Conditions, parallel: int,
        sprt: tuple[float, float] | None) -> list[dict]:
    """Plays (or goes on with) a match in `out`/arena and returns the finished games."""
    folder = out / "arena"
    folder.mkdir(exist_ok=True)
    first = write_engine(engine, "engine", out, conditions.hang_seconds)
    second = write_engine(opponent, "opponent", out, conditions.hang_seconds)
    # ShogiArena draws openings by lot. With as many lines as there are pairs and none drawn twice, all get played.
    lines = [conditions.opening(pair) for pair in range(conditions.games // 2)]
    (folder / "openings.sfen").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    config = configuration(first, second, folder / "openings.sfen", conditions, parallel, sprt)
    (folder / "match.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    command = [str(Path(sys.executable).with_name("shogiarena")), "--log-level", "WARNING", "--output-dir", str(folder),
               "run", "sprt" if sprt else "tournament", str(folder / "match.yaml"), "--run-dir", str(folder / "run")]
    with open(out / "logs" / "shogiarena.log", "ab") as log:
        # Without this program, nobody would count the games, and another match could begin in the folder. ShogiArena does not
        # always end at a request; the engines end with it.
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, start_new_session=True,
                                   preexec_fn=end_with_parent(signal.SIGKILL))
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    if status != 0:
        raise SetupError(f"ShogiArena ended with status {status}; see {out / 'logs' / 'shogiarena.log'}")
    return load_games(out)


def load_games(out: Path) -> list[dict]:
    """The finished games from ShogiArena's database, with time losses as their only faults."""
    database = out / "arena" / "run" / "game.db"
    if not database.exists():
        return []
    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
        rows = connection.execute(
            "SELECT g.game_name, g.game_result, b.player_name FROM game g JOIN player b ON b.id = g.black_player_id "
            "ORDER BY g.game_name").fetchall()
        connection.close()
    except sqlite3.Error as error:
        raise SetupError(f"cannot read {database}: {error}") from error
    games = []
    for name, outcome, black in rows:
        if outcome in ("PAUSED", "INVALID", "ERROR"):
            continue
        color = "black" if black == "engine" else "white"
        game = {"game": name, "pair": (int(name[1:].split("-")[0]) - 1) // 2, "color": color,
                "reason": reason(outcome), "result": result(outcome, color), "faults": []}
        if game["reason"] == TIME_LOSS:
            loser = "opponent" if game["result"] == "win" else "engine"
            game["faults"].append({"role": loser, "kind": TIME_LOSS, "detail": name})
        games.append(game)
    return games


def result(outcome: str, color: str) -> str:
    """Win, draw or loss for the engine under test, from ShogiArena's name of the outcome."""
    if outcome.startswith("DRAW"):
        return "draw"
    return "win" if outcome.startswith(color.upper()) else "loss"


def reason(outcome: str) -> str:
    """The ending in this program's words. ShogiArena does not tell mate, resignation and perpetual check apart."""
    if outcome.endswith("TIMEOUT"):
        return TIME_LOSS
    if outcome == "DRAW_BY_MAX_PLIES":
        return "max plies"
    return "repetition" if outcome == "DRAW_BY_REPETITION" else "decided" if "WIN" in outcome else outcome.lower()


def load_faults(out: Path) -> list[dict]:
    """What the taps noted. They do not know which game they are in."""
    path = out / "arena" / "faults.jsonl"
    if not path.exists():
        return []
    try:
        faults = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except ValueError:
        faults = [None]
    if not all(isinstance(fault, dict) and {"role", "kind"} <= fault.keys() for fault in faults):
        raise SetupError(f"{path} is damaged")
    return faults


def sprt_state(out: Path) -> str:
    """ShogiArena's account of the sequential test (5% errors of both kinds), as one line."""
    path = out / "arena" / "run" / "state.json"
    try:
        state = json.loads(path.read_text(encoding="utf-8")).get("sprt_state") if path.exists() else None
    except (ValueError, AttributeError):
        raise SetupError(f"{path} is damaged") from None
    if state is None:
        return "no result"
    bound = math.log(0.95 / 0.05)
    verdict = "undecided"
    if state["llr"] >= bound:
        verdict = f"stronger than {state['elo0']:+g} Elo (elo1 accepted)"
    elif state["llr"] <= -bound:
        verdict = f"weaker than {state['elo1']:+g} Elo (elo0 accepted)"
    return (f"{verdict}, llr {state['llr']:.2f} (bounds {-bound:.2f} and {bound:.2f}; needs {state['min_pairs']} pairs), "
            f"pairs by points 0 to 2: {state['penta_bins']}")
