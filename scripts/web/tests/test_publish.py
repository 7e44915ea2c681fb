"""Tests of what `scripts/web.sh build` does to a folder. Run by `scripts/web.sh --self-test`."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent))

import publish


class Publish(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site, self.out = Path(folder.name, "site"), Path(folder.name, "out")
        (self.site / "icons").mkdir(parents=True)
        self.build({"engine.js": "one", "icons/a.svg": "icon"})

    def build(self, files: dict[str, str | None]) -> None:
        """Writes and removes files of the site that is to be published."""
        for name, text in files.items():
            path = self.site / name
            path.unlink() if text is None else path.write_text(text)

    def content(self) -> dict[str, str]:
        files = (path for path in self.out.rglob("*") if path.is_file())
        names = {path.relative_to(self.out).as_posix(): path.read_text() for path in files}
        names.pop(publish.LIST, None)
        return names

    def refused(self, name: str) -> None:
        before = self.content()
        fault = publish.publish(self.site, self.out)
        self.assertIn(f"{self.out / name} is in the way", fault or "")
        self.assertEqual(self.content(), before)

    def test_a_site_follows_its_builds_and_others_files_stay(self) -> None:
        self.assertIsNone(publish.publish(self.site, self.out))
        (self.out / ".git").mkdir()
        theirs = {".git/HEAD": "ref", "CNAME": "example.org", "icons/theirs.svg": "theirs"}
        for name, text in theirs.items():
            (self.out / name).write_text(text)
        self.build({"engine.js": "two", "icons/a.svg": None, "new.js": "new"})
        for _ in range(2):
            self.assertIsNone(publish.publish(self.site, self.out))
            self.assertEqual(self.content(), {"engine.js": "two", "new.js": "new", **theirs})
        check = ["sha256sum", "--check", "--quiet", publish.LIST]
        self.assertEqual(subprocess.run(check, cwd=self.out, capture_output=True).returncode, 0)

    def test_files_of_others_are_not_replaced(self) -> None:
        self.out.mkdir()
        for name, make in (("engine.js", Path.touch), ("engine.js", Path.mkdir), ("icons", Path.touch)):
            path = self.out / name
            make(path)
            self.refused(name)
            path.rmdir() if path.is_dir() else path.unlink()
        self.assertIsNone(publish.publish(self.site, self.out))

    def test_files_that_changed_since_are_not_replaced(self) -> None:
        self.assertIsNone(publish.publish(self.site, self.out))
        (self.out / "icons/a.svg").write_text("drawn by hand")
        self.refused("icons/a.svg")
        # Nor removed, if the site has no such file any more.
        self.build({"icons/a.svg": None})
        self.refused("icons/a.svg")

    def test_a_build_that_was_broken_off_is_gone_on_with(self) -> None:
        self.assertIsNone(publish.publish(self.site, self.out))
        self.build({"engine.js": "two", "icons/a.svg": None, "new.js": "new"})
        writes = publish.write_whole
        self.addCleanup(setattr, publish, "write_whole", writes)
        for last in range(1, 5):
            left = last

            def broken_off(file: Path, content: bytes) -> None:
                nonlocal left
                left -= 1
                if left == 0:
                    raise InterruptedError
                writes(file, content)

            publish.write_whole = broken_off
            with self.assertRaises(InterruptedError):
                publish.publish(self.site, self.out)
            publish.write_whole = writes
            self.assertIsNone(publish.publish(self.site, self.out))
            self.assertEqual(self.content(), {"engine.js": "two", "new.js": "new"})
            self.build({"engine.js": f"three {last}"})
            self.assertIsNone(publish.publish(self.site, self.out))
            self.build({"engine.js": "two"})


if __name__ == "__main__":
    unittest.main()
