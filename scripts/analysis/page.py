"""Opens an analyzed page in headless Chromium and compares the points of its graph with the JSON of the same analysis.

Arguments: the page, the JSON, and optionally a folder for screenshots at the widths of a screen and of a phone, light and
dark, in both languages. Ends with exit code 1 at a difference, an error of a script, or a request to the network.
"""

import json
import math
import re
import sys
from pathlib import Path

from browser import check_errors, run, shoot


def height(line):
    """How high the point of a position should stand: Black's win rate."""
    if line["cp"] is not None:
        return 1 / (1 + math.exp(-line["cp"] / 600))
    # The sign of 0 does not tell who is mated: it is the side to move.
    black_wins = line["mate"] > 0 or (line["mate"] == 0 and line["sfen"].split()[1] == "w")
    return 1.0 if black_wins else 0.0


def check_graph(page, lines):
    dom, _ = run("--dump-dom", page.as_uri())
    points = re.findall(r'<circle [^>]*class="point[ "][^>]*>', dom)
    if len(points) != len(lines):
        return f"{len(points)} points for {len(lines)} positions"
    size = re.search(r'class="graph".*?viewBox="0 0 [\d.]+ ([\d.]+)"', dom, re.S)
    if size is None:
        return "there is no graph"
    height_of_graph = float(size[1])
    # Below a tall graph there are numbers.
    top, bottom = 6.0, height_of_graph - (6.0 if height_of_graph < 100 else 20.0)
    for point, line in zip(points, lines, strict=True):
        value = dict(re.findall(r'([\w-]+)="([^"]*)"', point))
        if int(value["data-ply"]) != line["ply"]:
            return f"point {value['data-ply']} where {line['ply']} should be"
        for key in ("cp", "mate"):
            expected = None if line[key] is None else str(line[key])
            if value.get(f"data-{key}") != expected:
                return f"ply {line['ply']}: {key} {value.get(f'data-{key}')} instead of {expected}"
        drawn = (bottom - float(value["cy"])) / (bottom - top)
        if abs(drawn - height(line)) > 0.002:
            return f"ply {line['ply']}: drawn at {drawn:.4f}, should be {height(line):.4f}"
    return None


def main():
    page, lines = Path(sys.argv[1]).resolve(), [json.loads(line) for line in Path(sys.argv[2]).read_text().splitlines()]
    for check in (lambda: check_graph(page, lines), lambda: check_errors(page)):
        if problem := check():
            print(f"{page.name}: {problem}", file=sys.stderr)
            return 1
    print(f"{page.name}: {len(lines)} points stand where they should")
    if len(sys.argv) > 3:
        shoot(page, Path(sys.argv[3]), "ply=40", ((1280, 800), (390, 844)))
    return 0


sys.exit(main())
