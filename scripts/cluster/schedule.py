"""Hands pieces to Ray and takes their outputs.

Ray decides which node works on which piece, starts the workers, notices what has died, and tries a piece again elsewhere. What
is done here: nodes are checked before Ray may give them work, and only as many pieces are handed over as keep all cores busy, so
that nodes which join late get their share.
"""

import contextlib
import os
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import ray
from ray._private.state import available_resources_per_node
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import programs
from pieces import Output, Piece, WrongInput
from programs import Node, Program
from progress import Progress, tell

# A piece is tried this often.
TRIES = 3
# Pieces handed to Ray for each that can be at work.
AHEAD = 2
# Seconds between two looks at the nodes.
LOOK = 2.0
# Ray on this machine alone is started at most this often.
STARTS = 3
# Seconds for which the head may be silent.
SILENCE = 20.0


class ClusterLost(Exception):
    """The cluster is no longer there, or no node of it can work."""


@dataclass(frozen=True)
class Done:
    """A piece that has come to an end: its output with the node and the seconds, or why there is none."""

    piece: Piece
    output: Output | None
    why: str = ""
    node: str = ""
    host: str = ""
    seconds: float = 0.0
    # How often it was tried.
    tries: int = 0


@ray.remote(num_cpus=0, max_retries=0)
def prepare(name: str, cores: int, wanted: tuple[Program, ...], code: str, contents: dict) -> Node:
    """Runs on a node before it gets work."""
    node = ray.get_runtime_context().get_node_id()
    return programs.prepare(node, name, cores, wanted, code, lambda digest: ray.get(contents[digest]))


@ray.remote(num_cpus=1, max_retries=TRIES - 1, retry_exceptions=True)
def work(job, wanted: tuple[Program, ...]) -> tuple[Output, str, float]:
    """Does a piece on whichever node Ray has chosen."""
    started = time.monotonic()
    node = ray.get_runtime_context().get_node_id()
    output = job.run(programs.chosen(node, wanted))
    return output, node, time.monotonic() - started


def reason(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, RayTaskError):
        error = error.cause if isinstance(error.cause, Exception) else error
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"


class Cluster:
    """A connection to Ray."""

    def __init__(self, address: str | None, cores: int | None):
        for tries_left in reversed(range(STARTS)):
            try:
                if address is None:
                    # "local" keeps Ray from joining a cluster that it finds on this machine.
                    ray.init(address="local", num_cpus=cores or os.cpu_count(), include_dashboard=False, log_to_driver=False,
                             logging_level="error")
                else:
                    ray.init(address=address, log_to_driver=False, logging_level="error")
                break
            except Exception as error:
                # Ray gives a busy machine 30 seconds, and says with a plain Exception that they were not enough.
                ray.shutdown()
                if tries_left == 0 or address is not None:
                    raise WrongInput(f"no cluster at {address or 'this machine'}: {reason(error)}") from error
        head = ray.get_runtime_context().gcs_address
        host, _, port = head.rpartition(":")
        self._head = (host.strip("[]"), int(port))
        self._heard = time.monotonic()

    def close(self) -> None:
        ray.shutdown()

    def check_head(self) -> None:
        """Raises if the head has been silent for too long. Ray itself waits much longer, and then ends the process."""
        try:
            socket.create_connection(self._head, timeout=5.0).close()
            self._heard = time.monotonic()
        except OSError as error:
            if time.monotonic() - self._heard > SILENCE:
                raise ClusterLost(f"the head at {self._head[0]}:{self._head[1]} does not answer") from error


class Run:
    """The pieces of one run on a cluster."""

    def __init__(self, cluster: Cluster, wanted: tuple[Program, ...], contents: dict[str, bytes], cores_each: int,
                 progress: Progress):
        self._cluster = cluster
        self._cores_each = cores_each
        self._wanted = wanted
        self._contents = {digest: ray.put(data) for digest, data in contents.items()}
        self._code = programs.code_digest()
        self._progress = progress
        self._checks: dict[ray.ObjectRef, str] = {}
        self._seen: set[str] = set()
        self._alive: set[str] = set()
        self.nodes: dict[str, Node] = {}
        self._at_work: dict[ray.ObjectRef, tuple[Piece, frozenset[str]]] = {}
        self._again: list[Piece] = []
        self._looked = float("-inf")
        # Working cores of each node, as of the last look.
        self._busy: dict[str, int] = {}

    def outcomes(self, pieces: Iterable[Piece]) -> Iterator[list[Done]]:
        """The pieces as they end, those that end together in one list."""
        waiting = iter(pieces)
        is_empty = False
        while self._at_work or self._again or not is_empty:
            self._look()
            ended = []
            while len(self._at_work) < AHEAD * self._places():
                piece = self._again.pop() if self._again else next(waiting, None)
                if piece is None:
                    is_empty = True
                    break
                try:
                    self._hand_over(piece)
                except (OSError, WrongInput) as error:
                    self._progress.failed()
                    ended.append(Done(piece, None, reason(error)))
            ended += self._wait()
            if ended:
                yield ended

    def _places(self) -> int:
        """How many pieces can be at work at once."""
        return sum(node.cores // self._cores_each for identity, node in self.nodes.items() if identity in self._alive)

    def _hand_over(self, piece: Piece) -> None:
        self._progress.start()
        good = frozenset(self.nodes) & self._alive
        task = work.options(num_cpus=self._cores_each, name=piece.title,
                            label_selector={"ray.io/node-id": f"in({','.join(sorted(good))})"})
        self._at_work[task.remote(piece.job(), self._wanted)] = piece, good

    def _wait(self) -> list[Done]:
        """Whatever has ended, after a second at the latest."""
        watched = [*self._checks, *self._at_work]
        if not watched:
            time.sleep(0.1)
            return []
        ready, _ = ray.wait(watched, num_returns=1, timeout=1.0)
        if ready:
            ready, _ = ray.wait(watched, num_returns=len(watched), timeout=0)
        ended = []
        for reference in ready:
            if reference in self._checks:
                self._take_check(reference)
            else:
                ended.append(self._take(reference))
        return ended

    def _take(self, reference: ray.ObjectRef) -> Done:
        piece, _ = self._at_work.pop(reference)
        try:
            output, node, seconds = ray.get(reference)
        except RayError as error:
            self._progress.failed()
            return Done(piece, None, reason(error), tries=TRIES)
        self._progress.done(node)
        return Done(piece, output, node=node, host=self.nodes[node].name, seconds=seconds)

    def _take_check(self, reference: ray.ObjectRef) -> None:
        identity = self._checks.pop(reference)
        try:
            node = ray.get(reference)
        except RayError as error:
            # Its death shows in the list of nodes; a node that lives and fails gets no work.
            tell(f"node {identity[:6]} could not be checked: {reason(error)}")
            return
        if node.problem is not None:
            tell(f"node {node.name} refused: {node.problem}")
            return
        self.nodes[identity] = node
        tell(f"node {node.name}: {node.cores} cores, {', '.join(node.builds)}")

    def _look(self) -> None:
        """Every few seconds: new nodes are checked, and pieces that wait for dead ones come back."""
        self._progress.tick({key: node for key, node in self.nodes.items() if key in self._alive}, self._busy)
        if time.monotonic() - self._looked < LOOK:
            return
        self._looked = time.monotonic()
        self._cluster.check_head()
        there = {node["NodeID"]: node for node in ray.nodes() if node["Alive"]}
        for identity in self._alive - set(there):
            if identity in self.nodes:
                tell(f"node {self.nodes[identity].name} is gone; its pieces are done elsewhere")
        self._alive = set(there)
        for identity in self._alive - self._seen:
            self._seen.add(identity)
            node, cores = there[identity], int(there[identity]["Resources"].get("CPU", 0))
            if cores:
                strategy = NodeAffinitySchedulingStrategy(identity, soft=False)
                check = prepare.options(scheduling_strategy=strategy)
                name = node["NodeManagerHostname"]
                self._checks[check.remote(name, cores, self._wanted, self._code, self._contents)] = identity
        if not self._checks and not frozenset(self.nodes) & self._alive:
            raise ClusterLost("no node is left that can work")
        if not self._checks and not self._places():
            raise ClusterLost(f"no node has the {self._cores_each} cores that each piece needs")
        for reference, (piece, nodes) in list(self._at_work.items()):
            # Ray would wait for these nodes for ever.
            if not nodes & self._alive and not ray.wait([reference], timeout=0)[0]:
                with contextlib.suppress(RayError):
                    ray.cancel(reference, force=True)
                del self._at_work[reference]
                self._again.append(piece)
        free = available_resources_per_node()
        self._busy = {key: node.cores - round(free.get(key, {}).get("CPU", 0.0)) for key, node in self.nodes.items()}
