#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What the page's server takes beside two other readers of HTTP: readers.py --bin DIR [--count N] [--seed S] [readers]

A request is changed in some places, by a seed. What the server answers as a whole request, `h11` and `httptools` must read as the same one: the same
method, target, fields and body. What others take and the server refuses is nobody's harm, and is counted.
"""

import argparse, random, subprocess, sys
from pathlib import Path

import h11, httptools

sys.path.insert(0, str(Path(__file__).resolve().parent))
from webhome import FIELDS, WebHome, as_user  # noqa: E402

PIECES = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b",", b"\r\n ", b"\r\n\t", b"\xff", b"\x0b", b";", b"\"", b"%0d%0a", b"Host: ", b"Content-Length: 0\r\n",
    b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: identity\r\n", b"transfer-encoding : chunked\r\n", b"Connection: close\r\n",
    b"Cookie: a=b\r\n", b"Host: other\r\n", b"Expect: 100-continue\r\n", b"Upgrade: h2c\r\n", b"X-A: b\r\n", b"0\r\n\r\n", b"5\r\nhello\r\n", b"GET / HTTP/1.1\r\n", b"HTTP/1.0", b"HTTP/1.1", b"http://x/", b"\r\n\r\n"]


def changed(good, random):
    """A request with one to three changes."""
    data = bytearray(good)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3))):
        # Mostly where lines begin and end.
        ends = [at for at in range(len(data) - 1) if data[at:at + 2] == b"\r\n"]
        at = random.choice(ends) + random.choice((0, 0, 1, 2, 2, 2, 3)) if ends and random.random() < 0.6 else random.randrange(len(data))
        at = min(at, len(data) - 1)
        match random.randrange(6):
            case 0: data[at:at] = random.choice(PIECES)
            case 1: data[at:at + random.randint(1, 3)] = b""
            case 2: data[at] = random.randrange(256)
            case 3: data[at:at + 1] = random.choice(PIECES)
            case 4:
                lines = bytes(data).split(b"\r\n")
                lines.insert(random.randrange(len(lines)), random.choice(lines))
                data = bytearray(b"\r\n".join(lines))
            case 5: data[at:at + 1] = bytes([data[at] ^ 0x20])
    return bytes(data)


def by_h11(data):
    """Method, target, fields and body of the first request; None where it reads none."""
    reader, request, body = h11.Connection(h11.SERVER), None, b""
    try:
        # A server should ignore empty lines before a request (RFC 9112 §2.2); h11 does not.
        while data.startswith(b"\r\n"): data = data[2:]
        reader.receive_data(data)
        while True:
            event = reader.next_event()
            if isinstance(event, h11.Request): request = event
            elif isinstance(event, h11.Data): body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage): break
            else: return None
    except h11.RemoteProtocolError: return None
    return request.method, request.target, sorted((name.lower(), value) for name, value in request.headers), body


def requests(data):
    """How many whole requests h11 finds in it, one behind another."""
    reader, count = h11.Connection(h11.SERVER), 0
    try:
        reader.receive_data(data.lstrip(b"\r\n"))
        while True:
            event = reader.next_event()
            if isinstance(event, h11.EndOfMessage):
                count += 1
                reader.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                reader.send(h11.EndOfMessage())
                if reader.our_state is not h11.DONE: return count
                reader.start_next_cycle()
            elif event is h11.NEED_DATA or event is h11.PAUSED or isinstance(event, h11.ConnectionClosed): return count
    except h11.ProtocolError: return count


def by_httptools(data):
    class Request:
        def __init__(self): self.method, self.target, self.fields, self.body, self.isWhole = b"", b"", [], b"", False
        def on_url(self, part): self.target += b"" if self.isWhole else part
        def on_header(self, name, value):
            if not self.isWhole: self.fields.append((name.lower(), value.strip(b" \t")))
        def on_body(self, part): self.body += b"" if self.isWhole else part
        def on_message_complete(self):
            if not self.isWhole: self.method, self.isWhole = reader.get_method(), True
    found = Request()
    reader = httptools.HttpRequestParser(found)
    try: reader.feed_data(data)
    # What follows the first request is another matter.
    except (httptools.HttpParserError, httptools.HttpParserUpgrade): pass
    return (found.method, found.target, sorted(found.fields), found.body) if found.isWhole else None


def readers(home, count, seed):
    home.begin()
    values = random.Random(seed)
    common = f"Host: {home.host}\r\nSec-Fetch-Site: same-origin\r\nCookie: {home.cookie}\r\n"
    models = [
        (f"GET /s/app.js HTTP/1.1\r\n{common}Connection: close\r\n\r\n").encode(),
        (f"POST /api/list HTTP/1.1\r\n{common}Origin: {home.origin}\r\nContent-Type: {FIELDS}\r\nContent-Length: 7\r\nConnection: close\r\n\r\nlimit=1").encode(),
        (f"POST /api/list HTTP/1.1\r\nHost: {home.host}\r\nContent-Length: 7\r\nContent-Type: {FIELDS}\r\nSec-Fetch-Site: same-origin\r\nOrigin: {home.origin}\r\nCookie: {home.cookie}\r\n\r\nlimit=1").encode(),
    ]
    cases = models + [changed(values.choice(models), values) for _ in range(count)]
    both = refused = 0
    for data, answer in zip(cases, many(home, cases)):
        one, two = by_h11(data), by_httptools(data)
        if not answer.startswith(b"HTTP/1.1 200"):
            refused += one is not None and two is not None
            continue
        if one is None or two is None: raise AssertionError(f"answered, and refused by {'h11' if one is None else 'httptools'}: {data!r}")
        if one != two: raise AssertionError(f"read in two ways: {data!r}\n{one}\n{two}")
        # What follows it is answered as often as another reader finds requests in it.
        if answer.count(b"HTTP/1.1 200") > requests(data): raise AssertionError(f"answered more often than asked: {data!r}")
        both += 1
    if both < 3 + count // 20: raise AssertionError(f"too few were answered to say anything: {both}")
    print(f"seed {seed}: {len(cases)} requests, {both} answered and read alike by all three, {refused} that both others take were refused")


def many(home, cases):
    """Sends each on a connection of its own, as the vault's user; an answer that stays away for 0.4 s is none."""
    home.raw(b"")
    code = (
        "import sys, struct; sys.path.insert(0, sys.argv[1])\nfrom webhome import exchange\nread = sys.stdin.buffer.read\n"
        "while (size := read(4)):\n    got = exchange(int(sys.argv[2]), read(struct.unpack('>I', size)[0]), 0.4)\n"
        "    sys.stdout.buffer.write(struct.pack('>I', len(got)) + got)\n")
    sent = b"".join(len(data).to_bytes(4, "big") + data for data in cases)
    found = subprocess.run(as_user(["/usr/bin/python3", "-B", "-c", code, str(home.root), str(home.port)]), input=sent, capture_output=True, timeout=900)
    answers, at = [], 0
    while at < len(found.stdout):
        size = int.from_bytes(found.stdout[at:at + 4], "big")
        answers.append(found.stdout[at + 4:at + 4 + size])
        at += 4 + size
    if len(answers) != len(cases): raise AssertionError(f"{len(answers)} of {len(cases)} were sent: {found.stderr.decode()}")
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    home = WebHome(chosen.bin)
    try:
        home.address()
        readers(home, chosen.count, chosen.seed)
        print("ok readers")
        return 0
    except AssertionError as error:
        print(f"FAILED readers: {error}")
        return 1
    finally:
        home.end()


if __name__ == "__main__":
    sys.exit(main())
