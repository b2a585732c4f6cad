#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Two book services in one, on 127.0.0.1: service.py [--seconds N] [--requests N] [--tls CERTIFICATE]

It prints its port and answers as Google Books (/volumes, /books/content) and Open Library (/search.json, /b/id/) do. The first word of what is
searched for says how, such as `429` or `silence` (ANSWERS); any other word is answered with twelve books. A cover's id does the same (COVERS), and
Open Library's, which are numbers, by 9000 and their place in COVERS. GET /log tells what was asked: each request's line and headers, as JSON.

It ends with the process that started it, after so many seconds (600) and after so many requests (10,000). It speaks by bare sockets, since no
library sends such answers.
"""
import argparse
import base64
import json
import os
import socketserver
import ssl
import struct
import threading
import time
import urllib.parse
import zlib

LOCK, LOG = threading.Lock(), []
BOOKS = [
    ("The Hobbit", "Or There and Back Again", "J. R. R. Tolkien", "HarperCollins", "1991", "9780261102217", 310),
    ("Dune", "", "Frank Herbert", "Ace", "2005-08-02", "9780441013593", 528),
    ("Nineteen Eighty-Four", "", "George Orwell", "Penguin", "2008-07", "9780141036144", 326),
    ("Pride and Prejudice", "", "Jane Austen", "Penguin Classics", "2002-12-31", "9780141439518", 435),
    ("Moby-Dick", "Or, The Whale", "Herman Melville", "Penguin Classics", "2002", "9780142437247", 720),
    ("Frankenstein", "The Modern Prometheus", "Mary Shelley", "Penguin Classics", "2003-05-06", "9780141439471", 352),
    ("Brave New World", "", "Aldous Huxley", "Harper Perennial", "2006-10-17", "9780060850524", 259),
    ("To Kill a Mockingbird", "", "Harper Lee", "Harper Perennial", "2006", "9780061120084", 336),
    ("The Great Gatsby", "", "F. Scott Fitzgerald", "Scribner", "2004-09-30", "9780743273565", 180),
    ("Dracula", "", "Bram Stoker", "Penguin Classics", "2003", "9780141439846", 454),
    ("Emma", "", "Jane Austen", "Penguin Classics", "2003-05", "9780141439587", 474),
    ("Middlemarch", "A Study of Provincial Life", "George Eliot", "Penguin Classics", "1808", "9780141439549", 880),
]
MARKS = "\u202eevil\u202c\u2066two\u2069\u200e\u200fthree\u0007\nfour\u061c"
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZP"
    "NS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAA8ACgDASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAMCBv/EABYQAQEB"
    "AAAAAAAAAAAAAAAAAAAREv/EABcBAQEBAQAAAAAAAAAAAAAAAAAFBAb/xAAXEQEBAQEAAAAAAAAAAAAAAAAAExQB/9oADAMBAAIRAxEAPwDndGk6Vjzu+upo0nSmcupoToZy7FKno0tZ"
    "0i6lKno0Zy6lE9BnLp0qdKt50iylKnSmcspROhnLJ0qdKsx4k16pSp0pHhXqlE6EeFev/9k=")


def ten(isbn):
    total = sum((10 - at) * int(digit) for at, digit in enumerate(isbn[3:12]))
    check = (11 - total % 11) % 11
    return isbn[3:12] + ("X" if check == 10 else str(check))


def volume(number, book):
    title, subtitle, author, publisher, date, isbn, pages = book
    place = f"http://books.google.com/books/content?id=id{number:010}&printsec=frontcover&img=1&zoom=%d&edge=curl&source=gbs_api"
    info = {
        "title": title, "authors": [author], "publisher": publisher, "publishedDate": date,
        "description": f"<p>About <b>{title}</b>,<br>with a &amp; and *stars*.</p>",
        "industryIdentifiers": [{"type": "ISBN_10", "identifier": ten(isbn)}, {"type": "ISBN_13", "identifier": isbn}],
        "pageCount": pages, "language": "en", "imageLinks": {"smallThumbnail": place % 5, "thumbnail": place % 1},
    }
    if subtitle: info["subtitle"] = subtitle
    return {"kind": "books#volume", "id": f"id{number:010}", "etag": "x", "volumeInfo": info}


def work(number, book):
    title, subtitle, author, publisher, date, isbn, pages = book
    edition = {
        "key": f"/books/OL{number + 100}M", "title": title, "publisher": [publisher], "publish_date": [date], "isbn": [isbn, ten(isbn)],
        "language": ["eng"], "cover_i": 1000 + number,
    }
    if subtitle: edition["subtitle"] = subtitle
    return {
        "key": f"/works/OL{number + 10}W", "title": title, "author_name": [author], "first_publish_year": 1900 + number, "cover_i": 2000 + number,
        "number_of_pages_median": pages, "language": ["eng", "ger"], "editions": {"numFound": 1, "start": 0, "numFoundExact": True, "docs": [edition]},
    }


def found(is_google, books):
    if is_google:
        answer = {"kind": "books#volumes", "totalItems": 1234}
        return dict(answer, items=[volume(*one) for one in books]) if books else answer
    return {"numFound": len(books), "start": 0, "numFoundExact": True, "docs": [work(*one) for one in books]}


def missing(is_google):
    if is_google:
        items = [{"id": "only0title0", "volumeInfo": {"title": "Only a title"}}, {"id": "no0title0000", "volumeInfo": {}}, {"volumeInfo": {"title": "No id"}},
                 {"id": 7}, None, "text", {"id": "wrong0types0", "volumeInfo": {"title": "Wrong types", "authors": "one", "pageCount": "12", "imageLinks": [],
                  "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780261102218"}, {"type": "OTHER", "identifier": "x"}, 5], "language": 3}}]
        return {"totalItems": 0, "items": items}
    return {"docs": [{"key": "/works/OL1W", "title": "Only a title"}, {"key": "/works/OL2W"}, {"title": "No key"}, 5, {"key": "/evil/../x", "title": "Bad key"},
                     {"key": "/works/OL3W", "title": "Wrong types", "author_name": 3, "editions": [], "cover_i": -1, "isbn": ["9780261102217", "9780441013593"]}]}


def marked(is_google):
    book = (MARKS, MARKS, MARKS, MARKS, MARKS, "9780261102217", 1)
    return found(is_google, [(1, book), (2, ("\u202e\u2066", "", "a" * 5000, "b" * 3000, "c" * 3000, "9780441013593", 2)), (3, ("t\u00e9" * 9000, "", "x", "", "", "9780141036144", 3))])


def error(code, reason, message):
    return json.dumps({"error": {"code": code, "message": message, "errors": [{"message": message, "domain": "global", "reason": reason}]}}).encode()


def png(width, height, said=None):
    def chunk(name, data): return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    lines = b"".join(b"\0" + bytes((x * 255 // width, y * 255 // height, 128)[part] for x in range(width) for part in range(3)) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *(said or (width, height)), 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def head(status, kind, length, *more):
    length = [f"Content-Length: {length}"] if length is not None else []
    return "\r\n".join([f"HTTP/1.1 {status} Word", f"Content-Type: {kind}", "Connection: close", *length, *more]).encode() + b"\r\n\r\n"


PAGE = b"<!DOCTYPE html><html><head><title>Log in</title></head><body>Welcome to our network</body></html>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="http://169.254.169.254/"/></svg>'
HUGE = png(8, 8, (100_000, 100_000))
COVERS = {
    "good": JPEG, "large": png(900, 1400), "truncated": JPEG[:len(JPEG) * 2 // 3], "dimensions": HUGE, "html": PAGE, "svg": SVG, "empty": b"",
    "dot": png(1, 1), "garbage": bytes(range(256)) * 8,
}


class Service(socketserver.BaseRequestHandler):
    def handle(self):
        request = b""
        while b"\r\n\r\n" not in request:
            piece = self.request.recv(65536)
            if not piece or len(request) > 100_000: return
            request += piece
        lines = request.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
        method, target = lines[0].split(" ")[:2]
        if target == "/log":
            body = json.dumps(LOG).encode()
            return self.request.sendall(head(200, "application/json", len(body)) + body)
        with LOCK:
            LOG.append({"line": lines[0], "headers": lines[1:]})
            if len(LOG) >= OPTIONS.requests: os._exit(0)
        try: self.serve(urllib.parse.urlsplit(target), urllib.parse.parse_qs(urllib.parse.urlsplit(target).query))
        except OSError: pass

    def serve(self, target, query):
        if target.path.endswith("/volumes") or target.path.endswith("/search.json"):
            self.question(target.path.endswith("/volumes"), (query.get("q") or query.get("title") or [""])[0])
        elif "/volumes/" in target.path:
            number = int("".join(c for c in target.path.rsplit("/", 1)[1] if c.isdigit()) or 0)
            # A volume that is called as a cover is has that cover.
            name = target.path.rsplit("/", 1)[1]
            answer = json.dumps(volume(number, BOOKS[number % len(BOOKS)]))
            if name in COVERS: answer = answer.replace(f"id{number:010}", name)
            self.send(json.loads(answer))
        elif target.path == "/books/content": self.cover((query.get("id") or [""])[0])
        elif target.path.startswith("/b/id/"):
            number = int("".join(c for c in target.path.split("/")[3].split("-")[0] if c.isdigit()) or 0)
            names = [*COVERS, *SHARED]
            self.cover(names[number - 9000] if 9000 <= number < 9000 + len(names) else "good")
        elif target.path == "/moved": self.send(found(True, list(enumerate(BOOKS))[:1]))
        else: self.reply(404, b'{"error": "no such path"}')

    def question(self, is_google, words):
        name = words.split(" ")[0].split(":")[-1] if words.startswith("isbn:") else words.split(" ")[0]
        with_isbn = [one for one in enumerate(BOOKS) if one[1][5] == name]
        if name in ANSWERS: ANSWERS[name](self, is_google)
        elif name in SHARED: SHARED[name](self)
        elif with_isbn or words.startswith("isbn:"): self.send(found(is_google, with_isbn))
        else: self.send(found(is_google, list(enumerate(BOOKS))))

    def cover(self, name):
        if name in SHARED: return SHARED[name](self)
        body = COVERS.get(name, COVERS["good"])
        self.reply(200, body, "text/html" if name == "html" else "image/svg+xml" if name == "svg" else "image/jpeg")

    def send(self, value): self.reply(200, json.dumps(value).encode())
    def reply(self, status, body, kind="application/json; charset=UTF-8", *more): self.request.sendall(head(status, kind, len(body), *more) + body)

    def flood(self, count, length=True):
        self.request.sendall(head(200, "application/json", count if length else None))
        for _ in range(count >> 16): self.request.sendall(b"x" * 65536)

    def trickle(self):
        self.request.sendall(head(200, "application/json", 100_000))
        for _ in range(150):
            self.request.sendall(b"[")
            time.sleep(0.2)

    def chunk(self): self.request.sendall(head(200, "application/json", None, "Transfer-Encoding: chunked") + b'5\r\n{"a":\r\nzz\r\n1}\r\n')
    def headers(self):
        self.request.sendall(b"HTTP/1.1 200 Word\r\n")
        for _ in range(100_000): self.request.sendall(b"X-More: " + b"y" * 1000 + b"\r\n")

    def bomb(self): self.reply(200, zlib.compress(b"x" * 50_000_000), "application/json", "Content-Encoding: deflate")
    def lead(self, place, status=302): self.reply(status, b"", "text/html", "Location: " + place)


ANSWERS = {
    "ok": lambda s, g: s.send(found(g, list(enumerate(BOOKS)))), "nothing": lambda s, g: s.send(found(g, [])), "missing": lambda s, g: s.send(missing(g)),
    "marks": lambda s, g: s.send(marked(g)), "many": lambda s, g: s.send(found(g, [(n, BOOKS[n % 12]) for n in range(200)])),
    "notjson": lambda s, g: s.reply(200, b'{"items": [{"id": '), "list": lambda s, g: s.send([1, 2]), "deep": lambda s, g: s.reply(200, b"[" * 500_000),
}
SHARED = {
    "429": lambda s: s.reply(429, error(429, "rateLimitExceeded", "Quota exceeded for quota metric 'Queries'"), "application/json", "Retry-After: 77"),
    "403-country": lambda s: s.reply(403, error(403, "unknownLocation", "Cannot determine user location for geographically restricted operation.")),
    "403-key": lambda s: s.reply(403, error(403, "accessNotConfigured", "Books API has not been used in project 1 before or it is disabled.")),
    "400-key": lambda s: s.reply(400, error(400, "badRequest", "API key not valid. Please pass a valid API key.")),
    "403-quota": lambda s: s.reply(403, error(403, "dailyLimitExceeded", "Daily Limit Exceeded")), "403": lambda s: s.reply(403, b"no"),
    "404": lambda s: s.reply(404, b"{}"), "503": lambda s: s.reply(503, error(503, "backendFailed", "Service temporarily unavailable.")),
    "511": lambda s: s.reply(511, PAGE, "text/html"), "portal": lambda s: s.reply(200, PAGE, "text/html"), "silence": lambda s: time.sleep(30),
    "90MB": lambda s: s.flood(90 << 20), "90MB-unsaid": lambda s: s.flood(90 << 20, False), "trickle": Service.trickle, "broken-chunk": Service.chunk,
    "long-headers": Service.headers, "bomb": Service.bomb, "cut": lambda s: s.request.sendall(head(200, "application/json", 1000) + b"{}"),
    "closed": lambda s: None, "noise": lambda s: s.request.sendall(b"\0\1\2 this is no HTTP" * 100), "redirect": lambda s: s.lead("http://169.254.169.254/latest/"),
    "redirect-name": lambda s: s.lead("https://evil.example/x"), "redirect-file": lambda s: s.lead("file:///etc/passwd"), "redirect-here": lambda s: s.lead("/moved", 301),
    "redirect-port": lambda s: s.lead("http://127.0.0.1:1/x"), "redirect-nowhere": lambda s: s.reply(302, b""),
    "redirect-again": lambda s: s.lead("/volumes?q=redirect-again"), "redirect-cookie": lambda s: s.reply(302, b"", "text/html", "Location: /moved", "Set-Cookie: a=b; Path=/"),
    "cookie": lambda s: s.reply(200, json.dumps(found(True, [])).encode(), "application/json", "Set-Cookie: a=b; Path=/"),
    "asks": lambda s: s.reply(401, b"", "text/html", "WWW-Authenticate: Negotiate", 'WWW-Authenticate: Basic realm="x"'),
}


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 64

    def get_request(self):
        connection, client = super().get_request()
        return (TLS.wrap_socket(connection, server_side=True, do_handshake_on_connect=False) if TLS else connection), client

    def handle_error(self, request, client): pass


def watch(parent, until):
    while os.getppid() == parent and time.monotonic() < until: time.sleep(0.2)
    os._exit(0)


parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=int, default=600)
parser.add_argument("--requests", type=int, default=10_000)
parser.add_argument("--tls")
OPTIONS, TLS = parser.parse_args(), None
if OPTIONS.tls:
    TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    TLS.load_cert_chain(OPTIONS.tls)
server = Server(("127.0.0.1", 0), Service)
threading.Thread(target=watch, args=(os.getppid(), time.monotonic() + min(OPTIONS.seconds, 3600)), daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
