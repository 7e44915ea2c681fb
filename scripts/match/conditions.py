"""What both runners of a match are told beside the two sides."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Conditions:
    """Which games are played, and what ends one of them early."""

    # Each pair of games begins from one of them, in turn.
    openings: list[str]
    # The games of the whole match, an even number.
    games: int
    # A game with so many plies is drawn.
    max_plies: int
    # The score in centipawns at which a game ends once both sides agree on it; None for never.
    resign_score: int | None
    # How much silence after the time is up is a hang; None for the usual, which depends on the limits of the side.
    hang_seconds: float | None

    def opening(self, pair: int) -> str:
        """The opening of a pair of games."""
        return self.openings[pair % len(self.openings)]
