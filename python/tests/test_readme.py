"""The examples of the README, run as they stand there."""

import doctest
from pathlib import Path


def test_the_examples_of_the_readme():
    readme = Path(__file__).parents[1] / "README.md"
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(readme), module_relative=False, optionflags=flags, encoding="utf-8")
    assert failed == 0 and tried > 20
