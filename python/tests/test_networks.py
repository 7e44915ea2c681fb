"""Network files."""

import copy
import pickle
import shutil
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import tsumero

ROOT = Path(__file__).parents[2]
INTERNAL = ROOT / "crates/search/src/evaluate/internal.nn.bin"


def test_a_file_evaluates_as_the_network_inside():
    network = tsumero.Network(INTERNAL)
    assert (network.shape, network.fv_scale, network.stacks) == ("ZoneKA1 256x2-32-32", 16, None)
    board = tsumero.Board()
    for move in ("7g7f", "8c8d", "2g2f", "8d8e"):
        board.push(move)
        assert tsumero.evaluate(board, network) == tsumero.evaluate(board)
    lines = [tsumero.search(board, nodes=5_000, network=one) for one in (network, None)]
    assert [line.pv for line in lines[0]] == [line.pv for line in lines[1]]
    assert [line.score for line in lines[0]] == [line.score for line in lines[1]]
    analyses = [tsumero.analyze(board, nodes=1_000, network=one).to_text("json") for one in (network, None)]
    assert analyses[0] == analyses[1]


def test_the_scale_divides_every_value():
    board = tsumero.Board("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    value = tsumero.evaluate(board)
    network = tsumero.Network(str(INTERNAL), fv_scale=160)
    assert network.fv_scale == 160 and abs(tsumero.evaluate(board, network) * 10 - value) < 10
    again = pickle.loads(pickle.dumps(network))
    assert (again.fv_scale, repr(again)) == (160, repr(network))
    assert tsumero.evaluate(board, again) == tsumero.evaluate(board, network)
    # The search has these values, too, and so has the analysis.
    (line,) = tsumero.search(board, depth=1, network=network)
    assert 0 < line.score < value / 5
    assert 0 < tsumero.analyze(board, depth=1, network=network).positions[0]["cp"] < value / 5


def test_copies_do_not_depend_on_the_folder_nor_on_the_file(tmp_path, monkeypatch):
    file = tmp_path / "nn.bin"
    shutil.copy(INTERNAL, file)
    monkeypatch.chdir(tmp_path)
    network = tsumero.Network("nn.bin")
    monkeypatch.chdir(tmp_path.parent)
    assert pickle.loads(pickle.dumps(network)).shape == network.shape
    file.unlink()
    assert copy.copy(network) is network and copy.deepcopy([network]) == [network]


def test_a_scale_that_cannot_be_read_is_told(tmp_path):
    file, options = tmp_path / "nn.bin", tmp_path / "eval_options.txt"
    shutil.copy(INTERNAL, file)
    options.write_text("FV_SCALE 24.5\n")
    with pytest.warns(UserWarning, match=r"nn\.bin: FV_SCALE 16 \(not 24\.5 as eval_options\.txt says\)$"):
        assert tsumero.Network(file).fv_scale == 16
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The user knows better.
        assert tsumero.Network(file, fv_scale=20).fv_scale == 20
        options.write_text("FV_SCALE 24\n")
        assert tsumero.Network(file).fv_scale == 24


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit of memory does not hold for all of it")
def test_a_network_that_does_not_fit_into_memory_is_a_memory_error(tmp_path):
    text = b"Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32]"
    text += b"(ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))"
    file = tmp_path / "nn.bin"
    with open(file, "wb") as output:
        output.write(struct.pack("<3I", 0x7AF32F16, 0, len(text)) + text)
        output.truncate(64_217_066)
    program = """if True:
        import resource, sys, tsumero
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (32 << 20), used + (32 << 20)))
        try:
            tsumero.Network(sys.argv[1])
        except MemoryError as error:
            print(error)
    """
    command = [sys.executable, "-c", program, file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith(f"{file}: ") and done.stdout.count("\n") == 1


def test_files_that_are_no_networks(tmp_path):
    with pytest.raises(FileNotFoundError, match="no_such_file"):
        tsumero.Network(tmp_path / "no_such_file")
    with pytest.raises(OSError, match="found no regular file"):
        tsumero.Network(tmp_path)
    file = tmp_path / "text.bin"
    file.write_text("This is no network.")
    with pytest.raises(ValueError, match=r"text\.bin: found"):
        tsumero.Network(file)
    for wrong, named in (({"fv_scale": 0}, "fv_scale=0: not between 1 and 65535"), ({"stacks": "by luck"}, "by luck")):
        with pytest.raises(ValueError, match=named):
            tsumero.Network(INTERNAL, **wrong)
    with pytest.raises(OverflowError):
        tsumero.Network(INTERNAL, fv_scale=1 << 20)
