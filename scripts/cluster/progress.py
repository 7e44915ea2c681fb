"""What a run tells while it goes on."""

import sys
import time
from collections import Counter

from programs import Node


def duration(seconds: float) -> str:
    """Seconds as H:MM:SS, or M:SS below an hour."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def tell(text: str) -> None:
    print(f"cluster: {text}", file=sys.stderr, flush=True)


class Progress:
    """Counts pieces and tells about them every two seconds on a terminal and every ten elsewhere."""

    def __init__(self, total: int, known: int):
        self._total = total
        self._known = known
        self._done = 0
        self._failed = 0
        self._by_node: Counter[str] = Counter()
        self._started: float | None = None
        self._every = 2.0 if sys.stderr.isatty() else 10.0
        self._told = time.monotonic()

    def start(self) -> None:
        """The first piece is handed out: the rate counts from now."""
        if self._started is None:
            self._started = self._told = time.monotonic()

    def done(self, node: str) -> None:
        self._done += 1
        self._by_node[node] += 1

    def failed(self) -> None:
        self._failed += 1

    def tick(self, nodes: dict[str, Node], busy: dict[str, int]) -> None:
        """Tells how far the run is, if it is time. `busy` has the working cores of each node."""
        now = time.monotonic()
        if now - self._told < self._every or self._started is None:
            return
        self._told = now
        tell(self.line(now - self._started, nodes, busy))

    def line(self, seconds: float, nodes: dict[str, Node], busy: dict[str, int]) -> str:
        """Pieces, rate, time left and what each node does, in one line."""
        rate = self._done / seconds if seconds > 0 else 0.0
        left = self._total - self._known - self._done - self._failed
        parts = [f"{self._known + self._done} of {self._total} pieces", f"{rate:.2f} a second"]
        parts.append(f"{duration(left / rate) if rate else '?'} left")
        if self._failed:
            parts.append(f"{self._failed} failed")
        names = Counter(node.name for node in nodes.values())
        for identity, node in sorted(nodes.items(), key=lambda item: (item[1].name, item[0])):
            label = node.name if names[node.name] == 1 else f"{node.name}/{identity[:6]}"
            parts.append(f"{label}: {busy.get(identity, 0)} of {node.cores} cores busy, {self._by_node[identity]} done")
        return "; ".join(parts)

    def end(self) -> None:
        seconds = time.monotonic() - self._started if self._started is not None else 0.0
        tell(f"{self._done} pieces in {seconds:.1f} s, {self._known} were there before, {self._failed} failed")
