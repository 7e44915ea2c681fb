"""Tests of scripts that need nothing but Bash, Git and Python. Run by itself."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]


class InAFolder(unittest.TestCase):
    """Scripts with programs that stand in for real ones."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()

    def program(self, name: str, text: str) -> Path:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def run_here(self, *command: str | Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment |= {"PATH": f"{self.folder / 'bin'}:{environment['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull}
        return subprocess.run(command, cwd=self.folder, input=text, capture_output=True, text=True, timeout=60,
                              env=environment)


class CommitMessage(InAFolder):
    """The hook, in a repository of its own."""

    def setUp(self):
        super().setUp()
        self.program("cargo", "echo 'nodes: 5'")
        self.git("init", "--quiet")
        for message in ("begin\n\nBench: 3", "search\n\nBench: 4", "docs: what Bench: 7 means"):
            self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def git(self, *words: str, text: str | None = None) -> str:
        done = self.run_here("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words, text=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def stage(self, *names: str) -> None:
        empty = self.git("hash-object", "-w", "--stdin", text="")
        self.git("update-index", "--index-info", text="".join(f"100644 {empty}\t{name}\n" for name in names))

    def hook(self, message: str) -> tuple[int, str]:
        (self.folder / "message").write_text(message, encoding="utf-8")
        done = self.run_here(SCRIPTS / "hooks" / "commit-msg", "message")
        return done.returncode, done.stderr

    def test_only_a_change_of_the_search_needs_its_nodes(self):
        self.stage("docs/search.md", "scripts/search.sh")
        self.assertEqual(self.hook("docs\n"), (0, ""))
        self.stage("crates/search/src/lib.rs")
        status, said = self.hook("search\n")
        self.assertEqual(status, 1)
        self.assertIn('add a line "Bench: 5" to the message (the last one says 4)', said)
        self.assertEqual(self.hook("search\n\nBench: 5\n"), (0, ""))
        self.assertEqual(self.hook("search\n\nBench: 6\n")[0], 1)

    def test_a_change_of_many_files_is_checked(self):
        # More names than a pipe holds.
        self.stage("crates/search/src/lib.rs", *(f"docs/a_file_with_a_name_that_is_long/{number}.md" for number in range(5000)))
        self.assertEqual(self.hook("search\n")[0], 1)


class Usage(InAFolder):
    """What is missing on the command line is told before any work."""

    def test_an_option_without_its_value(self):
        # Not even a fault of the script may lead to a build or to an installation.
        self.program("uname", "echo elsewhere")
        for script, option, what in (("windows.sh", "--program", "a file"), ("windows.sh", "--games", "a number"),
                                     ("release.sh", "--out", "a folder")):
            done = self.run_here(SCRIPTS / script, option)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertRegex(done.stderr, f"^[^\n]*: {option} needs {what}\n$")


class Files(InAFolder):
    """The kills of a program while it writes."""

    def test_a_program_that_ends_at_once_is_told(self):
        done = self.run_here(SCRIPTS / "files.sh", "--program", self.program("tsumero", "exit 1"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "WRONG: the first process has ended before it began its file\n")


if __name__ == "__main__":
    unittest.main(verbosity=1)
