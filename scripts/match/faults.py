"""What can go wrong with an engine during a match, as one exception with a kind that is counted."""

ILLEGAL_MOVE = "illegal move"
TIME_LOSS = "time loss"
CRASH = "crash"
HANG = "hang"
PROTOCOL = "protocol error"

KINDS = (ILLEGAL_MOVE, TIME_LOSS, CRASH, HANG, PROTOCOL)


class EngineFault(Exception):
    """The engine did something that loses the game at once."""

    def __init__(self, kind: str, detail: str):
        assert kind in KINDS
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class SetupError(Exception):
    """The match cannot start: a missing engine, an option nobody declared, an unreadable opening."""
