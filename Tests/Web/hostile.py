#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Hostile and ordinary requests to a real page: hostile.py --bin DIR NAME … prints a line for each, and ends with 1 when one fails."""

import argparse, json, os, random, re, socket, subprocess, sys, threading, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from webhome import BYTES, FIELDS, WebHome, as_user, exchange, wait  # noqa: E402

PATHS = [("GET", "/"), ("GET", "/s/app.js"), ("GET", "/events"), ("GET", "/file/aaaa/bbbb"), ("GET", "/cover/aaaa"), ("POST", "/session"), ("POST", "/api/list"), ("POST", "/api/books"), ("POST", "/api/book/search"), ("POST", "/nothing")]


def expect(truth, *said):
    if not truth: raise AssertionError(" ".join(str(word) for word in said))


def other_user(home):
    """F07: a connection of another user is closed before a byte of it is read."""
    if os.getuid() != 0: raise OSError("only root can be other users")
    data = f"GET / HTTP/1.1\r\nHost: {home.host}\r\nSec-Fetch-Dest: document\r\n\r\n".encode()
    expect(home.raw_as(65533, data, 5) == b"", "another user was answered")
    expect(exchange(home.port, data, 5) == b"", "root was answered")
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"]
    expect([place for place in listening if place.endswith(f":{home.port:04X}")] == [f"0100007F:{home.port:04X}"], "it listens elsewhere")
    # Browsers try ::1 first: nobody else may have its port.
    code = f"import socket; s=socket.socket(socket.AF_INET6); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(('::1', {home.port}))"
    if socket.has_ipv6 and Path("/proc/net/if_inet6").exists() and Path("/proc/net/if_inet6").read_text().strip():
        planted = subprocess.run(["/usr/bin/setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "--", "/usr/bin/python3", "-c", code], capture_output=True, text=True)
        expect("Address already in use" in planted.stderr, "another user has ::1:", planted.stderr)
    expect(b" 200 " in home.raw_as(65534, data.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), 5)[:20], "the owner was not answered")


def other_names(home):
    """F01: every other name of this machine is refused on every path, with the cookie too."""
    home.begin()
    label, port = home.host.split(".")[0], home.port
    for name in (f"127.0.0.1:{port}", f"localhost:{port}", f"evil.example:{port}", f"{label}.localhost", f"{label}.localhost:1", f"{home.host}.", home.host.upper(), f"x.{home.host}", ""):
        for method, path in PATHS:
            answer = home.request(method, path, host=name, site="same-origin") if name else home.request(method, path, host=" ")
            expect(answer.status in (421, 400), name, path, answer.status)
    data = f"GET / HTTP/1.1\r\nHost: {home.host}\r\nHost: {home.host}\r\nSec-Fetch-Dest: document\r\nConnection: close\r\n\r\n".encode()
    expect(b" 200 " not in home.raw(data)[:20], "two hosts were answered")


def other_sites(home):
    """F02: requests that another site's page can cause are refused, with the cookie too."""
    home.begin()
    for site in ("cross-site", "same-site", "none", None):
        for method, path in PATHS[1:]:
            expect(home.request(method, path, site=site).status == 403, site, path)
    for origin in ("http://evil.example", "null", home.origin + "1", home.origin.replace("http:", "https:"), None):
        expect(home.request("POST", "/api/list", "", FIELDS, origin=origin).status == 403, origin)
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data", None):
        expect(home.request("POST", "/api/list", "", kind).status == 415, kind)
    expect(home.request("GET", "/", site="cross-site").status == 403, "a page as something else than a document")
    expect(home.request("OPTIONS", "/api/list").status == 405, "a preflight")
    for method, path in PATHS:
        if path == "/events": continue
        for name, _ in home.request(method, path).fields: expect(not name.lower().startswith("access-control"), name)


def token(home):
    """F03: a token counts once; a wrong one never; three of them end the server; without the cookie nothing is told."""
    expect(home.request("POST", "/api/list", "", FIELDS).status == 401, "without a session")
    expect(home.file.exists() and home.file.stat().st_mode & 0o777 == 0o600, "the token's file")
    expect(home.begin().status == 200, "the token")
    expect(wait(lambda: not home.file.exists(), 3), "the file of a used token is there")
    first = home.cookie
    expect(re.fullmatch(r"__Host-vault=[0-9a-f]{64}", first), first)
    expect(home.begin().status == 403, "the token twice")
    for cookie in (None, "__Host-vault=" + "0" * 64, first[:-1], first + "0", first + "; " + first):
        home.cookie = cookie
        expect(home.request("POST", "/api/list", "", FIELDS).status == 401, cookie)
    home.cookie = first
    expect(home.api("/api/list").status == 200, "the session")
    home.address()
    expect(home.api("/api/list").status == 200, "the session before the next token counts")
    expect(home.begin().status == 200 and home.cookie != first, "a new window")
    second, home.cookie = home.cookie, first
    expect(home.api("/api/list").status == 401, "the window before")
    home.cookie = second
    for _ in range(3): home.request("POST", "/session", "0" * 32, BYTES)
    expect(wait(lambda: home.server() is None, 5), "three wrong tokens do not end the server")


def numeric(home):
    """F01, F03: at a number no cookie counts, the key in a field does, once; and every other name is refused there too."""
    expect(home.run("web", "--no-open", "--host", "127.0.0.1").returncode == 7, "a page with a name became one at a number")
    expect(home.run("web", "--no-open", "--host", "0.0.0.0").returncode == 2, "an address of another machine")
    home.need("web", "--stop")
    home.address("--host", "127.0.0.1")
    expect(home.host == f"127.0.0.1:{home.port}", home.host)
    answer = home.request("POST", "/session", home.token, BYTES)
    expect(answer.status == 200 and answer.field("Set-Cookie") is None and re.fullmatch("[0-9a-f]{64}", answer.json["key"]), answer.status, answer.fields)
    key = answer.json["key"]
    for fields in ([], [f"Cookie: __Host-vault={key}"], [f"X-Vault-Key: {key[:-1]}"], [f"X-Vault-Key: {key}", f"X-Vault-Key: {key}"], [f"X-Vault-Key: {key}, {key}"], ["X-Vault-Key: " + "0" * 64]):
        expect(home.request("POST", "/api/list", "", FIELDS, fields=fields).status == 401, fields)
    for path in ("/events", "/file/x/y", "/small/x/y", "/cover/x"): expect(home.request("GET", path).status == 401, path)
    home.key = key
    expect(home.api("/api/list").status == 200, "the session")
    for name in (f"localhost:{home.port}", f"x.localhost:{home.port}", f"evil.example:{home.port}", "127.0.0.1", f"127.0.0.2:{home.port}"):
        expect(home.request("POST", "/api/list", "", FIELDS, host=name).status == 421, name)
    for site in ("cross-site", "same-site", "none", None):
        expect(home.request("POST", "/api/list", "", FIELDS, site=site).status == 403, site)
    for origin in (f"http://127.0.0.1:{home.port + 1}", "null", None):
        expect(home.request("POST", "/api/list", "", FIELDS, origin=origin).status == 403, origin)


def old_token(home):
    """F03: a token that nobody used is gone after 30 seconds."""
    expect(home.file.exists(), "no file")
    expect(wait(lambda: not home.file.exists(), 36), "the file is there after 30 s")
    expect(home.begin().status == 403, "the token counts after 30 s")


def malformed(home):
    """F09: heads that two readers could read in two ways are refused, and so are large, slow and endless ones."""
    home.begin()
    good = f"POST /api/list HTTP/1.1\r\nHost: {home.host}\r\nSec-Fetch-Site: same-origin\r\nOrigin: {home.origin}\r\nCookie: {home.cookie}\r\nContent-Type: {FIELDS}\r\nConnection: close\r\n"
    expect(b" 200 " in home.raw((good + "Content-Length: 0\r\n\r\n").encode())[:20], "the model is refused")
    cases = {
        "two lengths": "Content-Length: 0\r\nContent-Length: 0\r\n\r\n", "two other lengths": "Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello",
        "chunks": "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "both": "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "two cookies": "Cookie: a=b\r\nContent-Length: 0\r\n\r\n", "a plus": "Content-Length: +0\r\n\r\n", "a minus": "Content-Length: -1\r\n\r\n",
        "hexadecimal": "Content-Length: 0x0\r\n\r\n", "a list": "Content-Length: 0, 0\r\n\r\n", "folded": "X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n", "a NUL": "X-A: b\0c\r\nContent-Length: 0\r\n\r\n",
        "a space before the colon": "X-A : b\r\nContent-Length: 0\r\n\r\n", "bare CR": "X-A: b\rX-B: c\r\nContent-Length: 0\r\n\r\n", "expect": "Expect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "upgrade": "Upgrade: h2c\r\nContent-Length: 0\r\n\r\n", "many fields": "".join(f"X-{n}: y\r\n" for n in range(80)) + "Content-Length: 0\r\n\r\n",
        "large": "X-A: " + "y" * 17000 + "\r\nContent-Length: 0\r\n\r\n", "too long": "Content-Length: 99999999999999999999\r\n\r\n", "above the limit": "Content-Length: 70000\r\n\r\n",
    }
    for name, rest in cases.items():
        expect(b" 200 " not in home.raw((good + rest).encode("latin-1"))[:20], name, "was answered")
    for line in ("GET / HTTP/1.0", "GET / HTTP/0.9", "GET / HTTP/2.0", "CONNECT / HTTP/1.1", "TRACE / HTTP/1.1", "HEAD / HTTP/1.1", "GET /? HTTP/1.1", "GET //s/app.js HTTP/1.1", "GET /s/../api/list HTTP/1.1", "GET http://x/ HTTP/1.1"):
        data = f"{line}\r\nHost: {home.host}\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n".encode()
        expect(b" 200 " not in home.raw(data)[:20], line, "was answered")
    began = time.monotonic()
    got = home.raw(b"GET / HTTP/1.1\r\n", 20)
    expect(8 < time.monotonic() - began < 16 and got == b"", "a slow head is kept for", time.monotonic() - began)
    expect(home.api("/api/status").status == 200, "the server has gone")


def requests_in_a_row(home):
    """Several requests on one connection are answered in their order, more than a head's limit of them together."""
    home.begin()
    one = f"GET /s/icon.svg HTTP/1.1\r\nHost: {home.host}\r\nSec-Fetch-Site: same-origin\r\nX-Fill: {'y' * 400}\r\n"
    count = 100
    data = (one + "\r\n").encode() * (count - 1) + (one + "Connection: close\r\n\r\n").encode()
    expect(home.raw(data).count(b"HTTP/1.1 200") == count, "not all were answered")


def fields_of_answers(home):
    """F06: every answer has the same fields, whatever it is."""
    home.begin()
    wanted = None
    for answer in (home.request("GET", "/", fields=["Sec-Fetch-Dest: document"]), home.request("GET", "/s/app.js"), home.api("/api/list"), home.api("/nothing"), home.api("/api/show", "id=zzzz"), home.request("POST", "/api/list", site="none")):
        found = sorted((name, value) for name, value in answer.fields if name.lower() not in ("content-type", "content-length", "connection"))
        wanted = wanted or found
        expect(found == wanted, found, wanted)
    expect(("Cache-Control", "no-store") in wanted, "an answer may be stored")
    names = {name for name, _ in wanted}
    for name in ("Content-Security-Policy", "Cache-Control", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "Cross-Origin-Resource-Policy", "Origin-Agent-Cluster", "Permissions-Policy"):
        expect(name in names, name)


def confinement(home):
    """F09: the server has a filter, no privileges to gain, no file of anybody, and cannot be looked into."""
    status = Path(f"/proc/{home.server()}/status").read_text()
    expect(re.search(r"^Seccomp:\s+2$", status, re.M) and re.search(r"^NoNewPrivs:\s+1$", status, re.M), status)
    if os.getuid() == 0:
        kinds = {re.sub(r":.*|\d", "", os.readlink(entry)) for entry in Path(f"/proc/{home.server()}/fd").iterdir()}
        expect(kinds <= {"socket", "pipe", "anon_inode", "/dev/null"}, kinds)
    limits = Path(f"/proc/{home.server()}/limits").read_text() if os.getuid() == 0 else "Max core file size 0 0"
    expect(re.search(r"Max core file size\s+0\s+0", limits), limits)


def killed_server(home):
    """F10: what was typed is a draft when the server is killed, and nothing that was acknowledged is lost."""
    home.begin()
    note = home.need("new", "# One\n\nbefore").split()[-1]
    edit = home.api("/api/edit", f"id={note}").json["edit"]
    expect(home.request("POST", f"/api/edit/{edit}/journal", "# One\n\ntyped on the page", BYTES).status == 200, "not kept")
    new = home.api("/api/edit").json["edit"]
    expect(home.request("POST", f"/api/edit/{new}/journal", "# Two\n\nnew on the page", BYTES).status == 200, "not kept")
    os.kill(home.server(), 9)
    expect(wait(lambda: home.server() is None), "it lives")
    texts = []
    def drafts():
    
        texts[:] = [home.need("draft", "show", draft["id"]) for draft in json.loads(home.need("draft", "ls", "--json"))["drafts"]]
        return len(texts) == 2
    expect(wait(drafts, 5), texts)
    expect(any("typed on the page" in text for text in texts) and any("new on the page" in text for text in texts), texts)
    expect("before" in home.need("cat", note), "the note was changed")


def locked(home):
    """F11: with the lock nothing is answered any more, and the server ends."""
    home.begin()
    note = home.need("new", "kept").split()[-1]
    edit = home.api("/api/edit", f"id={note}").json["edit"]
    home.request("POST", f"/api/edit/{edit}/journal", "typed before the lock", BYTES)
    home.need("lock")
    expect(wait(lambda: home.server() is None, 3), "the server lives")
    home.unlock()

    drafts = json.loads(home.need("draft", "ls", "--json"))["drafts"]
    expect(len(drafts) == 1 and "typed before the lock" in home.need("draft", "show", drafts[0]["id"]), drafts)


def attachments(home):
    """F04: an attachment is what our record says, and runs nowhere; ranges are exact; a reader that goes away ends its sending."""
    home.begin()
    note = home.need("new", "files").split()[-1]
    page = b"<!doctype html><script>alert(1)</script>" * 10
    content = os.urandom(3 << 20)

    for name, data in (("page.html", page), ("bad.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), ("data.bin", content)):
        answer = home.request("POST", f"/api/attach/{note}", data, BYTES, fields=[f"X-Name: {name}"])
        expect(answer.status == 200, name, answer.status, answer.body)
    found = {row["name"]: row["id"] for row in json.loads(home.need("attach", "ls", note, "--json"))["attachments"]}
    for name, kind in (("page.html", BYTES), ("bad.svg", "image/svg+xml")):
        answer = home.request("GET", f"/file/{note}/{found[name]}")
        expect(answer.status == 200 and answer.field("Content-Type") == kind and answer.field("Content-Disposition") == "attachment", name, answer.fields)
        expect(answer.field("Content-Security-Policy").startswith("sandbox; default-src 'none'"), answer.fields)
    path = f"/file/{note}/{found['data.bin']}"
    expect(home.request("GET", path).body == content, "the whole")
    for text, part in (("bytes=0-0", content[:1]), ("bytes=1048570-1048600", content[1048570:1048601]), ("bytes=-5", content[-5:]), (f"bytes={len(content) - 3}-", content[-3:])):
        answer = home.request("GET", path, fields=[f"Range: {text}"])
        expect(answer.status == 206 and answer.body == part, text, answer.status)
    expect(home.request("GET", path, fields=[f"Range: bytes={len(content)}-"]).status == 416, "beyond the end")
    for _ in range(40):
        code = f"import socket; c=socket.create_connection(('127.0.0.1',{home.port})); c.sendall(b'GET {path} HTTP/1.1\\r\\nHost: {home.host}\\r\\nSec-Fetch-Site: same-origin\\r\\nCookie: {home.cookie}\\r\\n\\r\\n'); c.recv(100); c.close()"

        subprocess.run(as_user(["/usr/bin/python3", "-c", code]), check=True, timeout=20)
    expect(home.api("/api/list").status == 200, "vanished readers have stopped the server")


def seeks(home):
    """Ten thousand ranges in a row are exact, and the server does not grow; readers that are slow or stop hold nobody up."""
    home.begin()
    note = home.need("new", "a film").split()[-1]
    content = bytes(number * 31 % 251 for number in range(1 << 20))
    film = home.root / "home/film.bin"
    film.write_bytes(content)
    film.chmod(0o644)
    home.need("attach", "add", note, str(film))
    path = f"/file/{note}/{json.loads(home.need('attach', 'ls', note, '--json'))['attachments'][0]['id']}"
    head = f"GET {path} HTTP/1.1\r\nHost: {home.host}\r\nSec-Fetch-Site: same-origin\r\nCookie: {home.cookie}\r\n"
    def resident(): return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{home.server()}/status").read_text())[1])
    values, before = random.Random(7), None
    for turn in range(20):
        wanted, data = [], b""
        for number in range(500):
            first = values.randrange(len(content))
            last = min(len(content) - 1, first + values.randrange(600))
            wanted.append(content[first:last + 1])
            data += (head + f"Range: bytes={first}-{last}\r\n" + ("Connection: close\r\n" if number == 499 else "") + "\r\n").encode()
        got, at = home.raw(data, 60), 0
        for part in wanted:
            at = got.index(b"\r\n\r\n", at) + 4
            expect(got[at:at + len(part)] == part, "a range is another one, in turn", turn)
            at += len(part)
        expect(at == len(got), "something is behind the last one")
        before = before or resident()
    expect(resident() < before + 6000, "the server has grown from", before, "to", resident(), "KiB")
    # More than any buffer on the way holds.
    film.write_bytes(bytes(64 << 20))
    home.need("attach", "add", note, str(film))
    large = json.loads(home.need("attach", "ls", note, "--json"))["attachments"][1]["id"]
    head = head.replace(path, f"/file/{note}/{large}")
    # Twenty that ask for all of it and read nothing, longer than it takes to serve others.
    code = f"import socket, time\nall = [socket.create_connection(('127.0.0.1', {home.port})) for _ in range(20)]\nfor one in all: one.sendall({(head + chr(13) + chr(10)).encode()!r})\nprint('asked', flush=True)\ntime.sleep(8)"
    idle = subprocess.Popen(as_user(["/usr/bin/python3", "-c", code]), stdout=subprocess.PIPE)
    idle.stdout.readline()
    began = time.monotonic()
    answers = [home.api("/api/list", "limit=1").status for _ in range(5)]
    took = time.monotonic() - began
    idle.wait()
    expect(answers == [200] * 5 and took < 5, "readers that stop hold others up:", answers, took)


def photos(home):
    """a photo that the page sends loses its place on the way."""
    home.begin()
    note = home.need("new", "a photo").split()[-1]
    # A JPEG of one pixel with an Exif block that holds a mark.
    pixel = bytes.fromhex("ffdb004300" + "01" * 64 + "ffc0000b080001000101011100ffc40014000100000000000000000000000000000003ffc40014100100000000000000000000000000000000ffda0008010100003f0037ffd9")
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x0e\x01\x02\0\x10\0\0\0\x1a\0\0\0\0\0\0\0MARKOFAPLACE\0\0\0\0"
    photo = b"\xff\xd8\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + pixel
    answer = home.request("POST", f"/api/attach/{note}", photo, BYTES, fields=["X-Name: photo.jpg"])
    expect(answer.status == 200, answer.status, answer.body)
    row = answer.json["attachments"][0]
    expect(row["kind"] == "photo" and row["stripped"], row)
    got = home.request("GET", f"/file/{note}/{row['id']}").body
    expect(got.startswith(b"\xff\xd8") and b"MARKOFAPLACE" not in got and b"MARKOFAPLACE" in photo, len(got))
    small = home.request("GET", f"/small/{note}/{row['id']}")
    expect(small.status == 200 and small.field("Content-Type") == "image/jpeg" and small.body.startswith(b"\xff\xd8") and small.body.endswith(b"\xff\xd9"), small.status, small.fields)
    text = home.need("attach", "add", note, str(home.secret)) and [one for one in json.loads(home.need("attach", "ls", note, "--json"))["attachments"] if one["kind"] == "file"][0]
    expect(home.request("GET", f"/small/{note}/{text['id']}").status == 404, "a small picture of a text")
    # One that nobody wants, and that fills the pipe: what removes its place must not be waited for without end.
    large = photo[:2] + (b"\xff\xfe" + (60_002).to_bytes(2, "big") + b"c" * 60_000) * 10 + photo[2:]
    home.need("rm", note)
    home.need("trash", "empty", "--yes")
    began = time.monotonic()
    answer = home.request("POST", f"/api/attach/{note}", large, BYTES, fields=["X-Name: photo.jpg"])
    expect(answer.status == 404 and time.monotonic() - began < 5, answer.status, time.monotonic() - began)
    expect(home.api("/api/list").status == 200 and home.run("web", "--stop", seconds=5).returncode == 0, "the page hangs")


def unlock(home):
    """The page opens a vault that is locked, with the right password alone."""
    home.need("lock")
    expect(wait(lambda: home.server() is None, 3), "the server lives")
    home.address()
    home.begin()
    expect(home.api("/api/status").json.get("locked") is True, "not locked")
    expect(home.api("/api/list").status == 423, "a list of a locked vault")
    answer = home.request("POST", "/api/unlock", "a wrong password", BYTES)
    expect(answer.status == 403 and answer.json["error"]["code"] == 4, answer.body)
    expect(home.request("POST", "/api/unlock", "a long password", BYTES).status == 200, "the right password")
    expect(home.api("/api/list").status == 200, "the list")
    expect("unlocked" in home.need("status"), "the terminal does not know")


def programs(home):
    """F12: of other programs a request starts those of a list, with nothing of its own among their words."""
    note = "<en-note><div>text</div></en-note>"
    export = f'<?xml version="1.0"?><!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd"><en-export><note><title>Whole</title><content><![CDATA[{note}]]></content></note></en-export>'
    paths = ["/api/report/doctor", "/api/report/keys", "/api/report/settings", "/api/export", "/api/features", "/api/dictation", "/api/code"]
    for path in paths:
        expect(home.order(path).status == 401, path, "without a session")
    home.begin()
    for name in ("status", "doctor2", "../x", "key", ""): expect(home.order(f"/api/report/{name}").status in (400, 404), name)
    for name in ("doctor", "keys", "settings"):
        answer = home.order(f"/api/report/{name}")
        expect(answer.status == 200 and answer.json["schema"] == 1, name, answer.body)
    before = len(home.notes())
    def send(kind, name, body=export, announced=None):
        head = [f"POST /api/import/{kind} HTTP/1.1", f"Host: {home.host}", "Sec-Fetch-Site: same-origin", f"Origin: {home.origin}", f"Cookie: {home.cookie}",
                f"Content-Type: {BYTES}", f"Content-Length: {announced or len(body)}", f"X-Name: {name}", "Connection: close"]
        return home.raw("\r\n".join(head).encode() + b"\r\n\r\n" + body.encode(), seconds=8)
    for kind, name in (("sh", "a.sh"), ("enex", "..%2Fa.enex"), ("enex", "%2Ftmp%2Fa.enex"), ("enex", ".a.enex"), ("enex", "a%00.enex"), ("enex", "a%0A.enex"), ("enex", "--report=x.jex"), ("enex", "x" * 300 + ".enex"), ("enex", "")):
        got = send(kind, name)
        expect(b" 200 " not in got.split(b"\r\n")[0], kind, name, got[:80])
    expect(len(home.notes()) == before, "something was imported")
    # Cut short, after what would be a whole file: nothing of it comes in.
    send("enex", "short.enex", announced=len(export) + 10)
    expect(wait(lambda: home.api("/api/list").status == 200, 15) and len(home.notes()) == before, "a file that was cut short was imported")
    expect(b" 200 " in send("enex", "--help%20me.enex").split(b"\r\n")[0] and any(one["title"] == "Whole" for one in home.notes()), "a name that looks like an option")
    expect(not [one for one in Path("/dev/shm").iterdir() if one.name.startswith("notevault-import")], "a folder is left")
    expect(home.request("POST", "/api/code", "x" * 2049, BYTES).status == 413, "a longer text")
    expect(home.request("POST", "/api/code", b"a\0b", BYTES).status == 400, "a zero")
    expect(home.request("POST", "/api/dictation", "clip", BYTES).status == 500, "no program is set")
    # One that does not end keeps nobody from locking.
    home.run("web", "--stop")
    home.need("config", "set", "dictation.command", "exec sleep 60")
    home.address()
    home.begin()
    threading.Thread(target=home.request, args=("POST", "/api/dictation", "clip", BYTES), daemon=True).start()
    expect(wait(lambda: [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and is_sleeping(entry)], 5), "it was not started")
    home.need("lock")
    expect(wait(lambda: home.server() is None, 3), "the server lives")
    expect(wait(lambda: not [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and is_sleeping(entry)], 3), "what it started lives")


def books(home):
    """F12: no service is asked before its addresses were agreed to, as they are; and what says nothing of a book changes none."""
    asked = ["books", "book", "book/notes", "book/add", "book/change", "book/move", "book/remove", "book/log", "book/chapter", "book/place"]
    for path in asked: expect(home.api(f"/api/{path}", "id=x").status == 401, path, "without a session")
    for path in ("search", "agree", "found/reading"): expect(home.request("POST", f"/api/book/{path}", "dune", BYTES).status == 401, path, "without a session")
    home.begin()
    # Nobody listens there: a question that was sent all the same would fail, and not be answered with addresses.
    for name in ("google", "openlibrary"): home.need("config", "set", f"books.{name}", "http://127.0.0.1:9")
    shown = {"asks": ["http://127.0.0.1:9", "http://127.0.0.1:9"]}
    for path, body in (("search", "dune"), ("found/reading", "google:zyTCAlFPjgYC"), ("agree", ""), ("agree", "http://127.0.0.1:9"), ("agree", "https://www.googleapis.com/books/v1\nhttps://openlibrary.org")):
        answer = home.request("POST", f"/api/book/{path}", body, BYTES)
        expect(answer.status == 200 and answer.json == shown, path, answer.status, answer.body)
    expect(json.loads(home.need("book", "key", "--show", "--json"))["agreed"] == [], "it was agreed to")
    expect(home.request("POST", "/api/book/agree", "\n".join(shown["asks"]), BYTES).json == {}, "the addresses that were shown")
    answer = home.request("POST", "/api/book/search", "dune", BYTES)
    expect(answer.status == 200 and answer.json["books"] == [] and len(answer.json["failures"]) == 2, answer.body)
    for body in ("--help", "google:../../x", "-", "\0", "x" * 600):
        answer = home.request("POST", "/api/book/found/reading", body[:256], BYTES)
        expect(answer.status != 200 and "error" in answer.json, body[:20], answer.status, answer.body)
    for path, size in (("search", 1025), ("agree", 4097), ("found/reading", 257)): expect(home.request("POST", f"/api/book/{path}", "x" * size, BYTES).status == 413, path, "is too long")
    expect(home.request("POST", "/api/book/search", b"\xff\xfe", BYTES).status == 500, "what is no text")
    expect(home.api("/api/book/search", "dune").status == 415, "fields")
    for name in ("shelf", "1", "Reading", ".."): expect(home.request("POST", f"/api/book/found/{name}", "x", BYTES).status in (400, 404), name)
    book = home.api("/api/book/add", "title=Mine&shelf=reading&author=Me&pages=100").json["book"]["id"]
    wrong = ["book/add=title=&shelf=reading", "book/add=title=x&shelf=cellar", "book/add=title=x&shelf=reading&pages=-1", "book/add=title=x&shelf=reading&identifier=none", "book/move=to=cellar&day=2026-11-29", "book/move=to=finish&day=2026-13-29",
             "book/move=to=finish&day=", "book/move=to=finish&day=2026-11-29&rating=30", "book/change=rating=525", "book/change=rating=-25", "book/change=title=%20", "book/log=kind=leaves&day=2026-11-29", "book/log=kind=page&day=2026-11-29",
             "book/log=kind=page&amount=99999999999&day=2026-11-29", "book/chapter=what=burn&title=x", "book/chapter=what=put&title=", "book/place=spot=above&note=x", "books=shelf=cellar"]
    for line in wrong:
        path, fields = line.split("=", 1)
        answer = home.api(f"/api/{path}", f"{fields}&id={book}")
        expect(answer.status == 400 and "error" in answer.json, line, answer.status, answer.body)
    found = home.api("/api/book", f"id={book}").json["book"]
    expect((found["title"], found["shelf"], found["log"], found["chapters"], found["rating"]) == ("Mine", "reading", [], [], None), found)
    for path in (f"/cover/{book}", "/cover/zzzz"): expect(home.request("GET", path).status == 404, path)
    for path in ("/cover/", "/cover/..", f"/cover/{book}/x", f"/cover/{book}?"): expect(home.request("GET", path).status == 404, path)


def is_sleeping(entry):
    try: return (entry / "cmdline").read_bytes() == b"sleep\x0060\0"
    except OSError: return False


ALL = [other_user, other_names, other_sites, token, numeric, old_token, malformed, requests_in_a_row, fields_of_answers, confinement, killed_server, locked, attachments, seeks, photos, unlock, programs, books]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    failed = 0
    for work in [work for work in ALL if not chosen.names or work.__name__ in chosen.names]:
        home = WebHome(chosen.bin)
        try:
            home.address()
            work(home)
            print(f"ok {work.__name__}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAILED {work.__name__}: {type(error).__name__}: {error}", flush=True)
        finally:
            home.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
