"""Tests of what the yardstick computes. Run by itself."""

import contextlib
import io
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import yardstick
from yardstick import Row


class Yardstick(unittest.TestCase):
    def test_a_share_of_all_or_none_has_a_margin(self):
        for count, expected in ((8, 0.3244), (2000, 0.0019)):
            for share in (0.0, 1.0):
                self.assertAlmostEqual(yardstick.margin(share, count), expected, places=4)
        # With many positions it is the usual one.
        self.assertAlmostEqual(yardstick.margin(0.473, 2000), 1.96 * math.sqrt(0.473 * 0.527 / 2000), places=4)
        rows = [Row("9/9/9/9/9/9/9/9/9 b - 1", "7g7f", 1.0, 0)] * 8
        with contextlib.redirect_stdout(io.StringIO()) as out:
            yardstick.report_moves(["2g2f"] * 8, rows)
        self.assertIn("8 positions  same move 0.0 % ± 32.4\n", out.getvalue())

    def test_an_engine_that_gives_all_positions_one_value_agrees_with_nobody(self):
        rows = [Row("9/9/9/9/9/9/9/9/9 b - 1", "7g7f", float(number % 2), 10 * number) for number in range(20)]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            yardstick.report([0] * 20, rows)
        self.assertIn("20 positions  loss 0.6931  scale   100  correlation nan\n", out.getvalue())
        # Anscombe's first set.
        x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0]
        y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
        self.assertAlmostEqual(yardstick.correlation(x, y), 0.81642, places=5)

    def test_a_bound_is_no_score(self):
        for bound in ("cp 123 lowerbound", "cp 7 lowerbound", "cp -7 upperbound", "mate 12 lowerbound", "mate + upperbound"):
            lines = ["info depth 3 score cp -41 nodes 9", f"info depth 4 score {bound} nodes 12", "bestmove 7g7f"]
            self.assertEqual(yardstick.score_and_move(lines), (-41, "7g7f"), bound)
        for score, expected in (("cp 123", 123), ("cp -7", -7), ("cp 9999", 3000), ("mate 12", 3000), ("mate -", -3000)):
            self.assertEqual(yardstick.score_and_move([f"info score {score} pv 7g7f", "bestmove 7g7f"]), (expected, "7g7f"))


if __name__ == "__main__":
    unittest.main()
