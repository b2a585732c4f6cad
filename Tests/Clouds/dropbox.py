#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A fake of Dropbox's API v2 on the loopback interface: dropbox.py FOLDER, or dropbox.py --self-test

It prints one line of JSON when it can be asked: its URL, which stands for all of Dropbox's hosts, the client_id that it
knows, and a refresh token and access token that are good already. It ends when standard input is closed. What is stored
is in FOLDER (dropbox_state.py); what Dropbox would refuse is refused (dropbox_rules.py).

POST /control {"fault": NAME, "path": REGEX, "count": N, "skip": N, "value": ANY} sets a fault for the next N requests
(1; -1 is for ever) after N others whose route, such as `files/upload` or `oauth2/token`, has the regex in it; a
request's header X-Fault: NAME or NAME=VALUE does so for that request. The faults are in dropbox_faults.py. {"set":
{NAME: VALUE}} changes State.set, {"grant": SCOPES or null} answers a new refresh token and access token, {"clear":
true} ends all faults. GET /control tells what was asked.
"""
import argparse
import contextlib
import html
import http.client
import http.server
import json
import pathlib
import re
import secrets
import sys
import threading
import urllib.parse

sys.dont_write_bytecode = True
from dropbox_faults import BODIES, CHANGES, HTML, REFUSALS, TEXT, Faults, Log, done  # noqa: E402
from dropbox_rules import MOST_BODY, ROUTES, SCOPES, Refused, checked, content_hash  # noqa: E402
from dropbox_rules import malformed, not_granted, problem  # noqa: E402
from dropbox_state import State  # noqa: E402

JSON, BYTES, FORM = "application/json", "application/octet-stream", "application/x-www-form-urlencoded"
KINDS = {"rpc": (JSON, "text/plain"), "open": (JSON, "text/plain"), "upload": (BYTES, "text/plain"),
         "download": ("", BYTES, "text/plain")}
SIGN_IN = """<!DOCTYPE html><html><head><title>Dropbox - API Request Authorized</title></head><body>
<p>Enter this code into <b>vault</b> to finish the process.</p>
<div id="auth-code"><input class="auth-box" readonly value="{0}" data-token="{0}"></div></body></html>"""


def header_safe(value): return json.dumps(value).replace("\x7f", "\\u007f")


class Answer:
    """A status, headers and bytes; `value` is what is said in JSON, in the body or in the header Dropbox-API-Result."""
    def __init__(self, said=b"", status=200, headers=None, value=None):
        self.status, self.headers = status, {name.title(): one for name, one in (headers or {}).items()}
        self.value, self.body = (value, said) if isinstance(said, bytes) else (said, None)

    def encode(self, default=TEXT):
        if self.body is None: self.body, default = json.dumps(self.value).encode(), JSON
        elif self.value is not None: self.headers["Dropbox-Api-Result"], default = header_safe(self.value), BYTES
        self.headers.setdefault("Content-Type", default)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, wbufsize = "HTTP/1.1", True, 0

    def do_GET(self): self.serve()
    def do_POST(self): self.serve()
    def log_message(self, *_): pass

    def serve(self):
        state, log = self.server.state, self.server.log
        target = urllib.parse.urlsplit(self.path)
        route = target.path.removeprefix("/2/").strip("/")
        try: data = self.received()
        except ValueError: return self.refuse_size(route)
        if route == "control": return self.send(self.control(data), (None, None))
        with state.lock:
            log.seen(route, self, state.tokens)
            log.now += 1
            log.most = max(log.most, log.now)
        fault = (None, None)
        if route != "elsewhere": fault = self.server.faults.pick(state, route, self.headers.get("X-Fault"))
        try:
            answer = self.answer(state, target, route, data, fault)
            with state.lock: log.answers[route][answer.status] += 1
            self.send(answer, fault)
        except OSError: self.close_connection = True
        finally:
            with state.lock: log.now -= 1

    def received(self):
        """The request's body, said by its length or in chunks."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 <= length <= MOST_BODY: raise ValueError("too long")
            return self.rfile.read(length)
        parts, total = [], 0
        while size := int(self.rfile.readline(1000).split(b";")[0], 16):
            total += size
            if total > MOST_BODY: raise ValueError("too long")
            parts.append(self.rfile.read(size))
            self.rfile.readline(1000)
        while self.rfile.readline(10_000).strip(): pass
        return b"".join(parts)

    def refuse_size(self, route):
        self.close_connection = True
        is_upload = ROUTES.get(route, "")[:1] == ("upload",)
        refused = problem("payload_too_large") if is_upload else malformed(route, "request body: too large")
        self.send(Answer(refused.body, refused.status), (None, None))

    def control(self, data):
        state = self.server.state
        try:
            if self.command == "GET":
                with state.lock: return Answer(json.loads(json.dumps(self.server.log.told(state))))
            said = json.loads(data)
            if "set" in said:
                if not set(said["set"]) <= set(state.set): raise ValueError("no such setting")
                state.set.update(said["set"])
            elif "grant" in said: return Answer(self.server.granted(said["grant"] or SCOPES))
            elif "clear" in said: self.server.faults.list.clear()
            else:
                with state.lock: self.server.faults.set(state, said)
            return Answer({"ok": True})
        except (ValueError, TypeError, re.error) as error: return Answer(f"control: {error}".encode(), 400)

    def answer(self, state, target, route, data, fault):
        name, value = fault
        try:
            if name in REFUSALS: raise REFUSALS[name](route, value)
            if name == "closed": return Answer()
            answer = self.called(state, target, route, data, fault)
            if name in CHANGES and answer.value is not None:
                answer.value = json.loads(json.dumps(answer.value))
                with contextlib.suppress(KeyError): CHANGES[name](answer.value, value)
        except Refused as refused: answer = Answer(refused.body, refused.status, refused.headers)
        answer.encode()
        if name in BODIES and answer.body: answer.body = BODIES[name](answer.body, value)
        if name == "wrong-type": answer.headers["Content-Type"] = value or HTML
        if answer.headers.get("Location") == "ELSEWHERE":
            answer.headers["Location"] = f"http://localhost:{self.server.server_port}/elsewhere"
        return answer

    def called(self, state, target, route, data, fault):
        query = dict(urllib.parse.parse_qsl(target.query, True))
        if route == "oauth2/authorize":
            with state.lock: code = state.tokens.authorize(query)
            if not code: raise Refused(400, b"<!DOCTYPE html><html>Invalid request</html>", Content_Type=HTML)
            return Answer(SIGN_IN.format(html.escape(code)).encode(), headers={"Content-Type": HTML})
        if route == "oauth2/token":
            kind = self.headers.get("Content-Type", "").split(";")[0]
            if self.command != "POST" or target.query or kind != FORM:
                raise not_granted("invalid_request", "No auth function available for given request")
            form = dict(urllib.parse.parse_qsl(data.decode("latin-1"), True))
            with state.lock: return Answer(state.tokens.token(form))
        if route not in ROUTES or not target.path.startswith("/2/"): raise Refused(404, b"Unknown API function")
        style, scope, must, may = ROUTES[route]
        if self.command != "POST" and style != "download": raise malformed(route, "only HTTP POST is supported")
        arg = self.argument(route, style, query, data, must, may)
        if style == "open":
            if self.headers.get("Authorization"):
                words = "Your request includes an Authorization header, but this function does not use it."
                raise malformed(route, words)
        else:
            with state.lock: grant = state.tokens.authorized(route, self.headers.get("Authorization"), scope)
        if style == "upload":
            if "content_hash" not in arg and data: self.server.log.unhashed += 1
            if arg.get("content_hash", content_hash(data)) != content_hash(data): raise problem("content_hash_mismatch")
        if route == "auth/token/revoke":
            grant["revoked"] = True
            return Answer(None)
        return self.download(state, route, arg) if style == "download" else Answer(done(state, route, arg, data, fault))

    def argument(self, route, style, query, data, must, may):
        """The JSON argument: of the body, or of the header that has to be ASCII."""
        kind = self.headers.get("Content-Type", "")
        if kind.split(";")[0].strip() not in KINDS[style] and (must is not None or kind):
            allowed = " or ".join(f'"{one}"' for one in KINDS[style])
            raise malformed(route, f'Bad HTTP "Content-Type" header: "{kind}".  Expecting one of {allowed}.')
        if style in ("rpc", "open"): where, text = "request body", data
        elif "Dropbox-API-Arg" in self.headers:
            where, text = 'HTTP header "Dropbox-API-Arg"', self.headers["Dropbox-API-Arg"]
            if not re.fullmatch("[\x20-\x7e]*", text): text = ""
        elif "arg" in query: where, text = 'URL parameter "arg"', query["arg"]
        else: raise malformed(route, 'Must provide HTTP header "Dropbox-API-Arg" or URL parameter "arg".')
        if must is None and not text and not kind: return {}
        try: value = json.loads(text)
        except (ValueError, RecursionError):
            raise malformed(route, f"{where}: could not decode input as JSON") from None
        if must is None:
            if value is not None: raise malformed(route, f"{where}: expected null")
            return {}
        return checked(route, where, value, must, may)

    def download(self, state, route, arg):
        with state.lock:
            entry = state.find(route, arg["path"])
            if entry["kind"] == "folder": raise problem("path/not_file")
            data, value = state.place(entry["display"]).read_bytes(), state.metadata(entry, False)
        tag, status, headers = f'W/"{entry["rev"]}"', 200, {"Accept-Ranges": "bytes"}
        if self.headers.get("If-None-Match") == tag: return Answer(b"", 304, {"Etag": tag}, value)
        ranged = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if ranged and (ranged[1] or ranged[2]):
            size = len(data)
            first = int(ranged[1]) if ranged[1] else max(0, size - int(ranged[2]))
            last = min(int(ranged[2]) if ranged[1] and ranged[2] else size - 1, size - 1)
            if first > last: return Answer(b"", 416, {"Content-Range": f"bytes */{size}"})
            data, status = data[first:last + 1], 206
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
        return Answer(data, status, {**headers, "Etag": tag}, value)

    def send(self, answer, fault):
        name, value = fault
        if name == "silence": self.server.ended.wait(float(value or 600))
        if name in ("closed", "lost", "silence"):
            self.close_connection = True
            return
        if answer.body is None or "Content-Type" not in answer.headers: answer.encode()
        size = f"Content-Length: {len(answer.body) or 100 * (name == 'truncated')}"
        ends = self.close_connection or name in ("truncated", "endless")
        lines = [f"HTTP/1.1 {answer.status} {http.client.responses.get(answer.status, 'Unknown')}",
                 *(f"{key}: {said}" for key, said in answer.headers.items()),
                 f"X-Dropbox-Request-Id: {secrets.token_hex(16)}",
                 "Transfer-Encoding: chunked" if name == "endless" else size, *(["Connection: close"] if ends else [])]
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        self.close_connection = ends
        if name == "truncated": self.wfile.write(head + answer.body[:len(answer.body) // 2])
        elif name == "endless":
            self.wfile.write(head)
            piece = b"10000\r\n" + (answer.body or b" ")[:1] * 65536 + b"\r\n"
            while not self.server.ended.is_set(): self.wfile.write(piece)
        elif name == "slow":
            self.wfile.write(head)
            for at in range(len(answer.body)):
                if self.server.ended.wait(1 if value is None else float(value)): return
                self.wfile.write(answer.body[at:at + 1])
        else: self.wfile.write(head + answer.body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 128

    def __init__(self, folder, app_key="vaultfakeappkey", scale=1.0, jitter=0.0):
        super().__init__(("127.0.0.1", 0), Handler)
        self.state, self.log, self.faults = State(folder, app_key, scale, jitter), Log(), Faults()
        self.ended = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def granted(self, scopes=SCOPES):
        tokens = self.state.tokens
        with self.state.lock:
            refresh = tokens.grant(scopes)
            return {"refresh_token": refresh, "access_token": tokens.bearer(tokens.refresh[refresh])["access_token"]}

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError): super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description="A fake of Dropbox's API v2 on the loopback interface.")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where its files lie")
    parser.add_argument("--app-key", default="vaultfakeappkey", help="the one client_id that it knows")
    parser.add_argument("--scale", type=float, default=1.0, help="what a longpoll's timeout is multiplied by")
    parser.add_argument("--jitter", type=float, default=0.0, help="the most seconds that are added to it")
    parser.add_argument("--self-test", action="store_true", help="drives it over all routes and faults")
    options = parser.parse_args()
    if options.self_test:
        import dropbox_check
        return dropbox_check.run(Server)
    if not options.folder: parser.error("FOLDER is missing")
    server = Server(options.folder, options.app_key, options.scale, options.jitter)
    print(json.dumps({"url": server.url, "client_id": options.app_key, **server.granted()}), flush=True)
    while sys.stdin.buffer.read(65536): pass
    server.ended.set()


if __name__ == "__main__": sys.exit(main())
