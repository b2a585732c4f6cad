# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A WebDAV server that can show each of its users another world: forking.py FOLDER

Everything that was stored together is shown to all. From `POST /control apart` on each user sees what he has stored
himself, and what was there before, and nothing of the others: a fork. `POST /control together` ends that. It listens on
the loopback interface, prints {"url": ...} when it is ready, and ends with its standard input.
"""

import base64, http.server, json, pathlib, sys, threading, xml.sax.saxutils


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    apart = False
    folder = pathlib.Path(sys.argv[1])

    def log_message(self, *_):
        pass

    @property
    def user(self):
        word = self.headers.get("Authorization", "").removeprefix("Basic ")
        return base64.b64decode(word).decode().split(":")[0] or "nobody"

    @property
    def worlds(self):
        """Folders that a user sees, the one that he writes into first."""
        if Store.apart:
            return [Store.folder / self.user, Store.folder / "shared"]
        return [Store.folder / "shared", *(path for path in Store.folder.iterdir() if path.name != "shared")]

    def answer(self, status, body=b"", kind="application/octet-stream"):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def found(self):
        paths = [world / self.path.strip("/") for world in self.worlds]
        return [path for path in paths if path.exists()]

    def do_POST(self):
        Store.apart = self.body() == b"apart"
        self.answer(200)

    def do_MKCOL(self):
        self.body()
        self.answer(405 if any(path.is_dir() for path in self.found()) else 201)
        (self.worlds[0] / self.path.strip("/")).mkdir(parents=True, exist_ok=True)

    def do_PUT(self):
        path = self.worlds[0] / self.path.strip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_bytes(self.body())
        new.rename(path)
        self.answer(201)

    def do_GET(self):
        files = [path for path in self.found() if path.is_file()]
        self.answer(200, files[0].read_bytes()) if files else self.answer(404)

    def do_DELETE(self):
        for path in self.found():
            path.unlink() if path.is_file() else None
        self.answer(204)

    def do_PROPFIND(self):
        self.body()
        folders = [path for path in self.found() if path.is_dir()]
        names = {path.name for folder in folders for path in folder.iterdir()}
        hrefs = [self.path.rstrip("/") + "/", *(self.path.rstrip("/") + "/" + name for name in sorted(names))]
        parts = "".join(f"<d:response><d:href>{xml.sax.saxutils.escape(href)}</d:href></d:response>" for href in hrefs)
        text = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{parts}</d:multistatus>'
        self.answer(207, text.encode(), "application/xml") if folders else self.answer(404)


def main():
    (Store.folder / "shared").mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    while sys.stdin.buffer.read(65536):
        pass


if __name__ == "__main__":
    main()
