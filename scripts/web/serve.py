"""Serves a site to this machine, with the headers that let a search share memory with the page. Arguments: folder, port (0: any
free one). Prints the address."""

import contextlib
import mimetypes
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing about single requests."""


def main() -> None:
    folder, port = sys.argv[1], int(sys.argv[2])
    # Not every system knows them.
    mimetypes.add_type("application/wasm", ".wasm")
    mimetypes.add_type("text/javascript", ".js")
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=folder)) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
