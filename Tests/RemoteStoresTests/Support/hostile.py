#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A server that does what it should not: hostile.py PORT FOLDER

The first part of a path says what: /endless/…, /status-507/…. Each request's first line and headers are written to FOLDER/seen; what reaches the
second port, where redirects point to, to FOLDER/trap. It speaks by bare sockets, since no library sends such answers.
"""
import itertools
import pathlib
import socket
import socketserver
import sys
import threading
import time

FOLDER = pathlib.Path(sys.argv[2])
LOCK = threading.Lock()
NAME = "0123456789abcdef" * 4
CHUNK = b"%x\r\n" % 65536 + b"x" * 65536 + b"\r\n"


def answer(status, body=b"", *headers):
    lines = [f"HTTP/1.1 {status} Word", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def multistatus(hrefs, head=b'<?xml version="1.0"?>'):
    parts = [b"<d:response><d:href>" + href + b"</d:href></d:response>" for href in hrefs]
    return head + b'<d:multistatus xmlns:d="DAV:">' + b"".join(parts) + b"</d:multistatus>"


def bucket(keys, more=b"<IsTruncated>false</IsTruncated>"):
    parts = [b"<Contents><Key>" + key + b"</Key></Contents>" for key in keys]
    return b'<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' + more + b"".join(parts) + b"</ListBucketResult>"


LAUGHS = (b'<?xml version="1.0"?><!DOCTYPE lol [<!ENTITY a "ha">' + b"".join(
    b'<!ENTITY %c "%s">' % (letter, b"&%c;" % (letter - 1) * 10) for letter in range(ord("b"), ord("k"))) + b"]>")
ODD = [b"/notes/../../etc/passwd", b"/x/../" + NAME.encode(), b"/x/..%2f" + NAME.encode(), NAME.upper().encode(), NAME.encode() + b"%00", NAME.encode() + b"/",
       b"", b".", b"..", b"/x/" + NAME.encode(), b"/y/" + NAME.encode(), NAME.encode()[:-1], NAME.encode() + b"0", b"/x/01/" + b"ff" * 32]
LISTINGS = {
    "laughs": lambda dav: LAUGHS + b'<multistatus xmlns="DAV:"><response><href>&j;</href></response></multistatus>',
    "external": lambda dav: multistatus([b"&x;"], b'<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    "odd": lambda dav: multistatus(ODD) if dav else bucket(ODD),
    "million": lambda dav: (multistatus if dav else bucket)(b"/x/01%062x" % number for number in range(1_000_000)),
    "twice": lambda dav: (multistatus if dav else bucket)([b"/x/" + NAME.encode()] * 50),
    "nul": lambda dav: multistatus([NAME.encode() + b"\0"]),
    "cut": lambda dav: (multistatus if dav else bucket)([b"/x/" + NAME.encode()])[:-9],
    "deep": lambda dav: b"<a>" * 100_000,
    "attribute": lambda dav: b'<a b="' + b"x" * 8_000_000 + b'"/>',
    "text": lambda dav: multistatus([b"x" * 100_000]),
    "page": lambda dav: b"<html><body>It works!</body></html>",
    "same-token": lambda dav: bucket([], b"<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"),
    "no-token": lambda dav: bucket([], b"<IsTruncated>true</IsTruncated>"),
}
PAGES = itertools.count()


class Hostile(socketserver.BaseRequestHandler):
    def setup(self): self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def handle(self):
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                got = self.request.recv(65536)
                if not got: return
                head += got
            head, self.rest = head.split(b"\r\n\r\n", 1)
            with LOCK, open(FOLDER / "seen", "ab") as seen: seen.write(head + b"\r\n\r\n")
            method, path = head.decode("latin-1").split(" ")[:2]
            self.length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
            self.serve(method, path.split("/")[1], head)
        except (ConnectionError, TimeoutError, BrokenPipeError): pass

    def say(self, data): self.request.sendall(data)

    def drain(self):
        left = self.length - len(self.rest)
        while left > 0: left -= len(self.request.recv(min(left, 1 << 20))) or left

    def serve(self, method, mode, head):
        # Folders are there, so that a PUT gets to what it is to meet.
        if method == "MKCOL": return self.say(answer(201))
        if mode.startswith("status-"):
            self.drain()
            return self.say(answer(int(mode[7:]), b"x" * 300_000, "Retry-After: 7"))
        if mode in LISTINGS: return self.say(answer(207 if method == "PROPFIND" else 200, LISTINGS[mode](method == "PROPFIND")))
        getattr(self, mode.replace("-", "_"))(method, head)

    def truncated(self, method, head): self.say(answer(200, b"x" * 1000)[:-500])
    def huge(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nContent-Length: 1000000000000\r\n\r\n" + b"x" * (1 << 20)); self.flood(b"x" * (1 << 20))
    def endless(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nTransfer-Encoding: chunked\r\n\r\n"); self.flood(CHUNK)
    def endless_page(self, method, head): self.say(b"HTTP/1.1 500 Word\r\nTransfer-Encoding: chunked\r\n\r\n"); self.flood(CHUNK)
    def headers(self, method, head): self.say(b"HTTP/1.1 200 Word\r\n"); self.flood(b"X-More: " + b"y" * 1000 + b"\r\n")
    def header_line(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nX: "); self.flood(b"y" * 65536)
    def interim(self, method, head): self.flood(b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n" * 100)
    def trailers(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"); self.flood(b"X-More: y\r\n" * 100)
    def slow(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nContent-Length: 60000\r\n\r\n"); self.flood(b"x", 0.2)
    def slow_headers(self, method, head): self.say(b"HTTP/1.1 200 Word\r\n"); self.flood(b"X: y\r\n", 0.2)
    def silent(self, method, head): time.sleep(60)
    def closed(self, method, head): pass
    def garbage(self, method, head): self.say(b"\x00\x01\x02 this is no HTTP" * 100)
    def old(self, method, head): self.say(b"<html>nine</html>")
    def negative(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nContent-Length: -5\r\n\r\nxxxxx")
    def two_lengths(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nxxxxx")
    def short_length(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nContent-Length: 5\r\n\r\n" + b"x" * 500)
    def bad_chunk(self, method, head): self.say(b"HTTP/1.1 200 Word\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n")
    def odd_status(self, method, head): self.say(b"HTTP/1.1 999 Word\r\nContent-Length: 0\r\n\r\n")
    def redirect(self, method, head): self.say(answer(302, b"", f"Location: http://127.0.0.1:{TRAP}/stolen"))
    def redirect_307(self, method, head): self.say(answer(307, b"", f"Location: http://localhost:{TRAP}/stolen"))
    def redirect_here(self, method, head): self.say(answer(307, b"", f"Location: http://localhost:{sys.argv[1]}/stolen/x"))
    def stolen(self, method, head): self.drain(); self.say(answer(200, b"x"))
    def redirect_file(self, method, head): self.say(answer(301, b"", "Location: file:///etc/passwd"))
    def cookie(self, method, head): self.drain(); self.say(answer(200, b"x", "Set-Cookie: a=b"))
    def asks(self, method, head): self.drain(); self.say(answer(401, b"", "WWW-Authenticate: NTLM", "WWW-Authenticate: Negotiate", 'WWW-Authenticate: Digest realm="r", nonce="n"'))
    def bomb(self, method, head): self.say(answer(200, b"\x1f\x8b" + b"x" * 1000, "Content-Encoding: gzip"))
    def pages(self, method, head): self.say(answer(200, bucket([], b"<IsTruncated>true</IsTruncated><NextContinuationToken>t%d</NextContinuationToken>" % next(PAGES))))
    def early(self, method, head): self.say(answer(507)); time.sleep(0.2)
    def reset(self, method, head):
        self.say(b"HTTP/1.1 200 Word\r\nContent-Length: 1000\r\n\r\nxxx")
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    def yes(self, method, head):
        self.drain()
        self.say(answer(201 if method == "PUT" else 404))

    def flood(self, data, pause=0.0):
        begun = time.monotonic()
        while time.monotonic() - begun < 60:
            self.say(data)
            if pause: time.sleep(pause)


class Trap(socketserver.BaseRequestHandler):
    def handle(self):
        with LOCK, open(FOLDER / "trap", "ab") as trap: trap.write(self.request.recv(65536))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


TRAPPER = Server(("127.0.0.1", 0), Trap)
TRAP = TRAPPER.server_address[1]
threading.Thread(target=TRAPPER.serve_forever, daemon=True).start()
Server(("127.0.0.1", int(sys.argv[1])), Hostile).serve_forever()
