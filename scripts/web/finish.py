"""Finishes a site that was copied together: tells its page which modules it needs, and its service worker which files there are,
and how they differ from those of other builds. Argument: the folder of the site."""

import hashlib
import json
import sys
from pathlib import Path


def main() -> int:
    site = Path(sys.argv[1])
    # All modules at once: otherwise each is loaded only after one that imports it.
    page = site / "index.html"
    modules = sorted(path.name for path in site.glob("*.js") if not path.name.endswith("-worker.js"))
    preloads = "\n".join(f'<link rel="modulepreload" href="{name}">' for name in modules)
    text = page.read_text(encoding="utf-8").replace('<link rel="modulepreload" href="app.js">', preloads)
    page.write_text(text, encoding="utf-8")
    worker = site / "service-worker.js"
    files = sorted(path for path in site.rglob("*") if path.is_file() and path != worker)
    version = hashlib.sha256()
    for path in files:
        version.update(path.relative_to(site).as_posix().encode() + b"\0" + path.read_bytes())
    names = ["./", *(path.relative_to(site).as_posix() for path in files)]
    text = worker.read_text(encoding="utf-8")
    for mark, value in (("__FILES__", json.dumps(names)), ("__VERSION__", json.dumps(version.hexdigest()[:16]))):
        if mark not in text:
            print(f"{worker}: {mark} is missing", file=sys.stderr)
            return 1
        text = text.replace(mark, value)
    worker.write_text(text, encoding="utf-8")
    size = sum(path.stat().st_size for path in files)
    print(f"{site}: {len(files)} files, {size / 1e6:.2f} MB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
