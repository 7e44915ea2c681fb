"""What Python's `help` says, compared with the stubs that editors show."""

import ast
from pathlib import Path

import tsumero

STUBS = Path(__file__).parents[1] / "tsumero.pyi"


def words(text):
    return " ".join((text or "").split())


def test_help_says_what_the_stubs_say():
    compared = 0
    for item in ast.parse(STUBS.read_text(encoding="utf-8")).body:
        if not isinstance(item, (ast.ClassDef, ast.FunctionDef)):
            continue
        members = item.body if isinstance(item, ast.ClassDef) else []
        named = [member for member in members if isinstance(member, ast.FunctionDef)]
        there = getattr(tsumero, item.name)
        pairs = [(item, there)] + [(member, getattr(there, member.name)) for member in named if member.name[0] != "_"]
        for stub, real in pairs:
            told = words(ast.get_docstring(stub))
            assert told and words(real.__doc__) == told, f"{item.name}.{stub.name}: {real.__doc__}"
            compared += 1
    assert compared > 60
