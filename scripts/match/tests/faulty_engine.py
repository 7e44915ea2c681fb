"""A USI engine that plays random legal moves until its third search of a game, and then does one thing wrong.

Usage: faulty_engine.py FAULT [SEED]; FAULT is one of the names in `Faulty.search`, `Faulty.ponder` and `Faulty.run`, or `none`.
"""

import os
import random
import sys
import time

import cshogi


def say(line: str) -> None:
    print(line, flush=True)


class Faulty:
    def __init__(self, fault: str, seed: int):
        self.fault = fault
        self.random = random.Random(seed)
        self.board = cshogi.Board()
        self.searches = 0
        self.is_pondering = False

    def moves(self) -> list[str]:
        return [cshogi.move_to_usi(move) for move in self.board.legal_moves]

    def bestmove(self) -> str:
        moves = self.moves()
        if not moves:
            return "bestmove resign"
        move = self.random.choice(moves)
        self.board.push_usi(move)
        replies = self.moves()
        self.board.pop()
        # The only guess that comes true now and then is a forced reply; the others end in `stop`.
        return f"bestmove {move}" + (f" ponder {self.random.choice(replies)}" if replies else "")

    def search(self) -> None:
        self.searches += 1
        if self.searches >= 3 and self.fault == "patient":
            # No fault: the opponent of an engine that says too much, whose line is read before the next question.
            time.sleep(0.5)
        if self.searches == 3:
            if self.fault == "illegal":
                return say("bestmove 5e5e+")
            if self.fault == "false-win":
                return say("bestmove win")
            if self.fault == "empty":
                return say("bestmove")
            if self.fault == "slow":
                time.sleep(1.0)
            if self.fault == "crash":
                os._exit(3)
            if self.fault == "hang":
                time.sleep(3600)
            if self.fault == "chatter":
                while True:
                    say("info depth 1 score cp 0 pv 7g7f")
            if self.fault == "flood":
                while True:
                    say("bestmove 7g7f")
            if self.fault == "long":
                # No fault: what follows is a line of its own.
                return say("info string " + 200_000 * "x" + "\n" + self.bestmove())
            if self.fault == "double":
                say(self.bestmove())
            if self.fault == "illegal-ponder":
                return say(f"bestmove {self.moves()[0]} ponder 5e5e+")
        if self.fault == "quick":
            # No fault: whoever has thought on the other's time may answer at once.
            return say(self.bestmove())
        say("info depth 1 score cp 0 pv " + (self.moves() or ["resign"])[0])
        if self.fault == "lines":
            # No fault: other lines than the best one, and bounds.
            say("info depth 1 multipv 1 score cp 70 pv 7g7f\ninfo depth 1 multipv 2 score cp -90 pv 2g2f")
            bound = ("upperbound", "lowerbound")[self.searches % 2]
            say(f"info depth 2 multipv 1 score cp 2050 {bound} pv 7g7f")
        say(self.bestmove())

    def ponder(self) -> None:
        self.is_pondering = True
        if self.fault == "quick":
            say("info depth 1 score cp 70 pv 7g7f")
        if self.searches >= 3 and self.fault == "early":
            say(self.bestmove())

    def run(self) -> None:
        for line in sys.stdin:
            words = line.split()
            match words[:1]:
                case ["usi"]:
                    say("id name faulty\nid author tests\noption name USI_Ponder type check default false")
                    say("option name EvalFile type filename default <internal>")
                    say("option name Style type combo default calm var calm var wild")
                    say("option name MultiPV type spin default 1 min 1 max 8")
                    say("option name EvalDir type string default eval\nusiok")
                case ["setoption"] if words[2] == "EvalFile" and not os.path.exists(words[4]):
                    say(f"info string Error! EvalFile {words[4]}: found no such file")
                case ["isready"]:
                    if self.fault == "unready":
                        time.sleep(3600)
                    say("readyok")
                case ["usinewgame"]:
                    self.searches = 0
                    if self.fault == "noisy":
                        # More than a pipe holds: an engine whose error output nobody reads would stop here.
                        sys.stderr.write("noise\n" * 100_000)
                        sys.stderr.flush()
                case ["position"]:
                    self.board.set_position(" ".join(words[1:]))
                case ["go"] if "ponder" in words:
                    self.ponder()
                case ["go"]:
                    self.search()
                case ["ponderhit"]:
                    self.is_pondering = False
                    self.search()
                case ["stop"] if self.is_pondering:
                    if self.fault == "deaf":
                        time.sleep(3600)
                    self.is_pondering = False
                    say(self.bestmove())
                case ["quit"]:
                    return


if __name__ == "__main__":
    Faulty(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1).run()
