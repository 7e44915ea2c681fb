"""Headless Chromium: what a page looks like, and whether its scripts run without an error."""

import re
import subprocess
import tempfile

CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files",
            "--virtual-time-budget=4000"]


def run(*arguments):
    done = subprocess.run([*CHROMIUM, *arguments], capture_output=True, text=True, timeout=120)
    return done.stdout, done.stderr


def check_errors(page):
    """Scripts run without an error, and nothing is fetched."""
    _, log = run("--enable-logging=stderr", "--v=0", "--dump-dom", page.as_uri())
    errors = [line for line in log.splitlines() if ":CONSOLE" in line]
    if errors:
        return errors[0]
    addresses = re.findall(r'(?:src|href|action)\s*=\s*"?(https?:[^"\s>]*)|url\((https?:[^)]*)\)', page.read_text())
    return f"the page asks for {addresses[0]}" if addresses else None


def shoot(page, folder, place, sizes):
    """Screenshots at each size, light and dark, in both languages."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, tall in sizes:
        for theme in ("light", "dark"):
            for language in ("ja", "en"):
                address = f"{page.as_uri()}#{place}&lang={language}&theme={theme}"
                # A window is never as narrow as a phone, a frame in it may be.
                with tempfile.NamedTemporaryFile("w", suffix=".html") as frame:
                    style = f"width:{width}px;height:{tall}px;border:0"
                    frame.write(f'<body style="margin:0"><iframe style="{style}" src="{address}"></iframe>')
                    frame.flush()
                    shot = folder / f"{page.stem}-{width}-{theme}-{language}.png"
                    run(f"--window-size={width},{tall}", f"--screenshot={shot}", f"file://{frame.name}")
