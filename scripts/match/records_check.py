"""Compares records of `tsumero-train convert` with what the library cshogi reads and writes.

Usage: scripts/records_check.sh GAMES
"""

import os
import subprocess
import sys
import tempfile

import cshogi
import numpy


def convert(program, source, target):
    subprocess.run([program, "convert", source, target], check=True, stdout=subprocess.DEVNULL)


def read_text(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            sfen, move, score, result = line.rstrip("\n").split("\t")
            yield sfen, move, int(score), int(result)


def absolute(result, black_to_move):
    """The winner as HCPE writes it: 0 nobody, 1 Black, 2 White."""
    if result == 0:
        return 0
    return 1 if (result == 1) == black_to_move else 2


def main():
    program, games = sys.argv[1:]
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        names = {kind: os.path.join(folder, "games." + kind) for kind in ("txt", "psv", "hcpe")}
        for name in names.values():
            convert(program, games, name)
        entries = list(read_text(names["txt"]))
        psv = numpy.fromfile(names["psv"], dtype=cshogi.PackedSfenValue)
        hcpe = numpy.fromfile(names["hcpe"], dtype=cshogi.HuffmanCodedPosAndEval)
        assert len(entries) == len(psv) == len(hcpe), "the numbers of records differ"
        board, other = cshogi.Board(), cshogi.Board()
        own_psv = numpy.zeros(len(entries), dtype=cshogi.PackedSfenValue)
        own_hcpe = numpy.zeros(len(entries), dtype=cshogi.HuffmanCodedPosAndEval)
        for number, (sfen, move, score, result) in enumerate(entries):
            board.set_sfen(sfen)
            short = sfen.rsplit(" ", 1)[0]
            mv = board.move_from_usi(move)
            assert mv and board.is_legal(mv), f"{sfen}: {move}"
            black = board.turn == cshogi.BLACK

            # What cshogi reads from our records.
            record = psv[number]
            other.set_psfen(record["sfen"])
            assert other.sfen().rsplit(" ", 1)[0] == short, sfen
            assert cshogi.move16_from_psv(int(record["move"])) == cshogi.move16(mv), sfen
            assert (record["score"], record["game_result"], record["padding"]) == (score, result, 0)
            assert record["gamePly"] == board.move_number, sfen
            record = hcpe[number]
            other.set_hcp(record["hcp"])
            assert other.sfen().rsplit(" ", 1)[0] == short, sfen
            assert int(record["bestMove16"]) & 0xFFFF == cshogi.move16(mv) & 0xFFFF, sfen
            assert (record["eval"], record["gameResult"]) == (score, absolute(result, black))

            # The same records, written by cshogi.
            record = own_psv[number : number + 1]
            board.to_psfen(record["sfen"])
            record["score"], record["move"] = score, cshogi.move16_to_psv(cshogi.move16(mv)) & 0xFFFF
            record["gamePly"], record["game_result"] = board.move_number, result
            record = own_hcpe[number : number + 1]
            board.to_hcp(record["hcp"])
            record["eval"], record["bestMove16"] = score, numpy.uint16(cshogi.move16(mv) & 0xFFFF).astype("<i2")
            record["gameResult"] = absolute(result, black)
            checked += 1
        for kind, records in (("psv", own_psv), ("hcpe", own_hcpe)):
            with open(names[kind], "rb") as ours:
                assert ours.read() == records.tobytes(), f"{kind}: the bytes differ"
            # And back: games made of cshogi's records hold the same positions.
            source = os.path.join(folder, "cshogi." + kind)
            records.tofile(source)
            back = os.path.join(folder, "back." + kind)
            convert(program, source, back + ".games")
            convert(program, back + ".games", back + ".txt")
            again = [(sfen.rsplit(" ", 1)[0], *rest) for sfen, *rest in read_text(back + ".txt")]
            assert again == [(sfen.rsplit(" ", 1)[0], *rest) for sfen, *rest in entries], kind
    version = getattr(cshogi, "__version__", "")
    print(f"{checked} positions: PSV and HCPE agree with cshogi {version}".rstrip())


if __name__ == "__main__":
    main()
