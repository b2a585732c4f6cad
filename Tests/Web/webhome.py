# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A vault with a page, and raw requests to it. All of it belongs to a user without privileges where root runs the tests."""

import json, os, re, shutil, socket, subprocess, tempfile, time
from pathlib import Path

NOBODY = 65534
PASSWORD = "a long password"
FIELDS = "application/vnd.notevault.fields"
BYTES = "application/octet-stream"


def as_user(words):
    if os.getuid() != 0: return words
    return ["/usr/bin/setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--", *words]


class Answer:
    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0].startswith("HTTP/") else 0
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]

    def field(self, name):
        return next((value for known, value in self.fields if known.lower() == name.lower()), None)

    @property
    def json(self): return json.loads(self.body)


class WebHome:
    def __init__(self, programs, unlocked=True):
        self.root = Path(tempfile.mkdtemp(prefix="vault-web-"))
        self.programs = self.root / "bin"
        self.programs.mkdir(mode=0o755)
        for name in ("vault", "vault-agent", "vault-parse", "vault-web", "vault-fetch", "vault-sync"): shutil.copy2(Path(programs) / name, self.programs / name)
        for path in (self.root, *self.programs.iterdir()): path.chmod(0o755)
        (self.root / "run").mkdir(mode=0o700)
        self.secret = self.root / "password"
        self.secret.write_text(PASSWORD)
        self.secret.chmod(0o600)
        (self.root / "home").mkdir(mode=0o700)
        if os.getuid() == 0:
            for name in ("run", "password", "home"): os.chown(self.root / name, NOBODY, NOBODY)
        self.environment = {
            "HOME": str(self.root / "home"), "XDG_RUNTIME_DIR": str(self.root / "run"), "NOTEVAULT_DIR": str(self.root / "home/vault"),
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
        self.cookie = self.key = None
        self.need("init", "--no-recovery", "--kdf-target", "0", "--password-file", str(self.secret))
        if unlocked: self.unlock()

    def unlock(self): self.need("unlock", "--password-file", str(self.secret))

    def run(self, *words, text=None, seconds=60):
        return subprocess.run(as_user([str(self.programs / "vault"), *words]), env=self.environment, input=text, text=True, capture_output=True, timeout=seconds)

    def need(self, *words, text=None):
        answer = self.run(*words, text=text)
        if answer.returncode != 0: raise RuntimeError(f"vault {words[0]} ended with {answer.returncode}: {answer.stderr}")
        return answer.stdout

    def notes(self): return json.loads(self.need("ls", "--limit", "0", "--json"))["notes"]

    def address(self, *words):
        """Starts the page, or asks it for a new address."""
        found = json.loads(self.need("web", "--no-open", "--json", *words))
        self.host, self.token = re.match(r"http://([^/]+)/#t=([0-9a-f]+)$", found["url"]).groups()
        self.port, self.file, self.url = int(self.host.split(":")[1]), Path(found["file"]), found["url"]
        return self.url

    @property
    def origin(self): return f"http://{self.host}"

    def server(self):
        """The number of the server's process."""
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "exe") == str(self.programs / "vault-web"): return int(entry.name)
            except OSError: continue
        return None

    # Requests

    def connect(self): return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def raw(self, data, seconds=20):
        """Sends bytes as they are; returns what comes until the server closes, or an answer is whole."""
        if os.getuid() == 0: return self.raw_as(NOBODY, data, seconds)
        return exchange(self.port, data, seconds)

    def raw_as(self, user, data, seconds=20):
        code = "import sys; sys.path.insert(0, sys.argv[1]); from webhome import exchange; sys.stdout.buffer.write(exchange(int(sys.argv[2]), sys.stdin.buffer.read(), float(sys.argv[3])))"
        words = ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--", "/usr/bin/python3", "-B", "-c", code, str(self.root), str(self.port), str(seconds)]
        if not (self.root / "webhome.py").exists(): shutil.copy(__file__, self.root / "webhome.py")
        return subprocess.run(words, input=data, capture_output=True, timeout=seconds + 30).stdout

    def request(self, method, path, body=None, kind=None, fields=(), host=None, site="same-origin", origin=True, cookie=True):
        head = [f"{method} {path} HTTP/1.1", f"Host: {host or self.host}", "Connection: close"]
        if site: head.append(f"Sec-Fetch-Site: {site}")
        if method == "POST" and origin: head.append(f"Origin: {self.origin if origin is True else origin}")
        if cookie and self.cookie: head.append(f"Cookie: {self.cookie}")
        if cookie and self.key: head.append(f"X-Vault-Key: {self.key}")
        body = body.encode() if isinstance(body, str) else body
        if body is not None: head.append(f"Content-Length: {len(body)}")
        elif method == "POST": head.append("Content-Length: 0")
        if kind: head.append(f"Content-Type: {kind}")
        head += fields
        return Answer(self.raw("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + (body or b"")))

    def api(self, path, body="", kind=FIELDS): return self.request("POST", path, body, kind)
    def order(self, path): return self.request("POST", path)

    def begin(self):
        """Begins a session; the cookie is kept."""
        answer = self.request("POST", "/session", self.token, BYTES)
        if answer.status == 200: self.cookie = answer.field("Set-Cookie").split(";")[0]
        return answer

    def end(self):
        self.run("web", "--stop")
        self.run("lock")
        shutil.rmtree(self.root, ignore_errors=True)


def exchange(port, data, seconds):
    """Sends bytes, and reads until the other side closes or the answer is whole."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        try: connection.sendall(data)
        except OSError: pass
        got = b""
        while True:
            try: piece = connection.recv(1 << 16)
            except OSError: return got
            if not piece: return got
            got += piece


def uncompressed(data):
    """Firefox's mozLz40 files: one LZ4 block behind its size."""
    if data[:8] != b"mozLz40\0": return data
    out, at = bytearray(), 12
    def length(first):
        nonlocal at
        count = first
        while first == 15:
            count += data[at]
            at += 1
            if data[at - 1] != 255: break
        return count
    while at < len(data):
        token = data[at]
        at += 1
        count = length(token >> 4)
        out += data[at:at + count]
        at += count
        if at >= len(data): break
        distance = data[at] | data[at + 1] << 8
        at += 2
        for _ in range(length(token & 15) + 4): out.append(out[-distance])
    return bytes(out)


def found_in(profile, texts):
    """Which of some texts a browser's profile holds, in UTF-8 or UTF-16, and how many bytes it has."""
    marks, found, scanned = [(text, form) for text in texts for form in (text.encode(), text.encode("utf-16-le"))], {}, 0
    for file in profile.rglob("*"):
        if not file.is_file() or file.is_symlink(): continue
        data = uncompressed(file.read_bytes())
        scanned += len(data)
        for text, form in marks:
            if form in data: found[text] = str(file)
    if scanned < 100_000: raise RuntimeError("nothing was scanned")
    return found, scanned


def wait(what, seconds=10):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = what()
        if found: return found
        time.sleep(0.02)
    return None
