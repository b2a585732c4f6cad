# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Dropbox from signing in to every fault that its interface can show, over a fake of it: what a person reads, how long it
takes, and that nothing is lost."""

import json, os, pty, re, select, subprocess, time, urllib.request
from pathlib import Path

from parts import HERE, Device, Server, eventually, sentence

APP = "vaultfakeappkey"
# Which fault on which requests, then the exit code, and what must be said. None: it ends well, and says nothing of it.
FAULTS = [
    ("expire", "", None, 0, ""),
    ("401", "files/upload", "expired_access_token", 8, "no longer accepts this device"),
    ("409", "files/upload", "path/conflict/file", 8, "refused the request"),
    ("409", "files/upload", "path/insufficient_space", 8, "no room left"),
    ("429", "files/", 1, 8, "wait before the next request"),
    ("429-writes", "files/upload", None, 8, "wait before the next request"),
    ("429-text", "files/", 1, 8, "wait before the next request"),
    ("500", "files/", None, 8, "reported an internal error"),
    ("503", "files/", 1, 8, "wait before the next request"),
    ("507", "files/upload", None, 8, "no room left"),
    ("redirect", "files/", None, 8, "redirects elsewhere"),
    ("400", "files/upload", None, 8, "refused the request"),
    ("truncated", "files/(upload|list)", None, 8, "answer is not valid|cannot be reached"),
    ("cut-json", "files/(upload|list)", None, 8, "answer is not valid"),
    ("deep-json", "files/list_folder", None, 8, "answer is not valid"),
    ("altered-hash", "files/upload", None, 8, "answer is not valid"),
    ("no-hash", "files/upload", None, 8, "answer is not valid"),
    ("wrong-types", "files/list_folder", None, 0, ""),
    ("duplicates", "files/list_folder", None, 0, ""),
    ("hostile", "files/list_folder", None, 0, ""),
    ("many-names", "files/list_folder", None, 8, "answer is too large"),
    ("endless-pages", "files/list_folder", None, 8, "answer is too large"),
    ("endless", "files/download", None, 8, "answer is not valid"),
    ("closed", "files/", None, 8, "cannot be reached|answer is not valid"),
    ("lost", "files/upload", None, 8, "cannot be reached|answer is not valid"),
    ("token-text", "oauth2/token", None, 8, "answer is not valid"),
    ("token-long", "oauth2/token", None, 8, "answer is not valid"),
    ("expires", "oauth2/token", 0, 0, ""),
    ("expires", "oauth2/token", 99999999999, 0, ""),
    ("500", "oauth2/token", None, 8, "reported an internal error"),
    ("429", "oauth2/token", 1, 8, "wait before the next request"),
]
# These wait for a deadline of a minute or half of one.
SLOW = [("silence", "files/upload", None, 8, "did not answer in time"), ("slow", "files/download", None, 8, "answer is not valid|in time")]


class DropboxWalk:
    def __init__(self, programs, scratch, short=False):
        self.programs, self.scratch, self.counts, self.faults = programs, Path(scratch), {}, []
        self.short = short
        self.table = []
        self.slow = os.environ.get("VAULT_CLOUDS") == "all"

    def expect(self, holds, what):
        if not holds:
            self.faults.append(what)

    def run(self):
        self.server = Server(HERE / "dropbox.py", self.scratch / "dropbox", "--scale", "0.02")
        self.one, self.two = Device("one", self.programs, self.scratch), Device("two", self.programs, self.scratch)
        try:
            self.sign_in()
            self.clone()
            self.news()
            self.batches()
            for fault in FAULTS[::6] if self.short else FAULTS + (SLOW if self.slow else []):
                self.try_fault(*fault)
            self.lost_upload()
            self.revoked()
            self.secrets()
        finally:
            for device in (self.one, self.two):
                device.end()
            self.server.end()
        self.counts["faults tried"] = len(self.table)
        for row in self.table:
            self.counts[row[0]] = row[1]
        return self.counts, self.faults

    def secret(self, device):
        return device.secret_file("dropbox", self.server.said["refresh_token"])

    def sign_in(self):
        """On a terminal: the page's address is shown, the code typed."""
        self.one.new_vault()
        self.one.write("# First\ntext")
        answer, page = self.typed(self.one, ["remote", "login", "dropbox", APP, "--server", self.server.url])
        self.expect("added dropbox" in answer, f"signing in: {answer}")
        self.expect("code_challenge_method=S256" in page and "token_access_type=offline" in page, f"the page is {page}")
        self.one.need_sync()
        again, _ = self.typed(self.one, ["remote", "login", "dropbox"])
        self.expect("dropbox" in again and "error" not in again, f"signing in again: {again}")
        self.one.need_sync()
        wrong, _ = self.typed(self.one, ["remote", "login", "dropbox"], code="x" * 43)
        self.expect("no longer accepts this device" in wrong and "begin again" in wrong, f"a wrong code: {wrong}")
        self.one.need_sync()

    def typed(self, device, words, code=None):
        """Runs a command on a terminal of its own, opens the page that it names, and types the code."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([f"{self.programs}/vault", *words], stdin=follower, stdout=follower, stderr=follower,
                                   env=device.environment, start_new_session=True,
                                   preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
        os.close(follower)
        shown, page, deadline = "", "", time.monotonic() + 30
        while time.monotonic() < deadline:
            if select.select([leader], [], [], 0.2)[0]:
                try:
                    shown += os.read(leader, 65536).decode(errors="replace")
                except OSError:
                    break
            elif process.poll() is not None:
                break
            if not page and "Code from that page" in shown:
                page = re.search(r"http\S+/oauth2/authorize\S+", shown.replace("\r\n", "\n"))[0]
                with urllib.request.urlopen(page, timeout=10) as answer:
                    said = answer.read().decode()
                given = code or re.search(r"[A-Za-z0-9_-]{40,}", said)[0]
                os.write(leader, given.encode() + b"\n")
        process.wait(10)
        os.close(leader)
        return shown, page

    def clone(self):
        identity = re.search("[0-9a-f]{32}", " ".join(self.server.control()["files"]))[0]
        self.two.need("clone", f"dropbox:{APP}", "--server", self.server.url, "--vault-id", identity, "--no-input",
                      *self.secret(self.two), *self.two.password)
        self.two.open()
        self.expect(len(self.two.shown()) == 1, "the clone has other notes")

    def news(self):
        """Dropbox says that something is new: the other device has it without being told to look."""
        time.sleep(2)
        begin = time.monotonic()
        note = self.one.write("# News\ncomes by itself")
        got = eventually(25, lambda: note in self.two.shown())
        self.counts["seconds until the other device has a note by itself"] = round(time.monotonic() - begin, 1)
        self.expect(got, "the other device did not hear of a note by itself")

    def batches(self):
        before = self.server.control()["requests"]
        note = self.one.write("# Files\nwith files")
        # All at once: on a busy machine some would go by themselves meanwhile.
        self.one.run("sync", "pause", "--no-input")
        for _ in range(12):
            self.one.attach(note, 60_000)
        self.one.run("sync", "resume", "--no-input")
        self.one.need_sync()
        log = self.server.control()
        self.expect(log["most_commits_at_once"] <= 1, f"{log['most_commits_at_once']} changes at once")
        self.expect(log["uploads_without_hash"] == 0, "uploads without their hash")
        together, brought, alone = (log["requests"].get(route, 0) - before.get(route, 0) for route in (
            "files/upload_session/finish_batch_v2", "files/upload_session/start", "files/upload"))
        self.counts["files that were put into their places together, and the requests for it"] = f"{brought}, {together}"
        self.expect(brought >= together > 0 and alone + together < 13,
                    f"{brought} files brought, {together} requests for their places, {alone} alone")
        self.two.need_sync()

    def try_fault(self, name, path, value, code, words):
        note = None
        self.server.fault(fault=name, path=path, value=value, count=1000)
        if "token" in path:
            self.server.fault(fault="expire")
        note = self.one.write(f"# During {name}\n{len(self.table)} of {path}")
        begin = time.monotonic()
        answer = self.one.sync()
        seconds = time.monotonic() - begin
        limit = 100 if name in ("silence", "slow") else 20
        said = sentence(answer).split(" / vault: hint")[0].split("vault: error: ")[-1]
        self.table.append((f"{name} {value or ''} on {path or 'all'}", f"{answer.returncode}, {seconds:.1f} s: {said}"))
        self.expect(seconds < limit, f"{name} on {path}: {seconds:.0f} s")
        if code is not None:
            self.expect(answer.returncode == code, f"{name} on {path}: ended with {answer.returncode}: {said}")
        self.expect(not words or re.search(words, said), f"{name} on {path}: says {said}")
        # What only a listing or a download has refused was stored before.
        if answer.returncode != 0 and "list" not in path and "download" not in path:
            self.expect(self.one.states().get(note) == "pending", f"{name}: {self.one.states().get(note)}")
        self.server.fault(clear=True)
        # A store that asked to be left alone is asked again by its owner's word.
        healed = eventually(20, lambda: self.one.sync().returncode == 0)
        self.expect(healed, f"after {name} on {path}: {sentence(self.one.sync())}")
        got = eventually(20, lambda: self.two.sync().returncode == 0 and note in self.two.shown())
        self.expect(got, f"after {name} on {path} the other device lacks the note")
        self.expect(not self.one.alarms() and not self.two.alarms(), f"after {name}: {self.one.alarms()}")

    def lost_upload(self):
        """An upload that is acknowledged and not stored: the next session finds it out and sends it again."""
        self.server.fault(fault="not-stored", path="files/upload$", count=1, skip=0)
        note = self.one.write("# Lost\nby the store")
        self.one.sync()
        self.server.fault(clear=True)
        self.one.reopen()
        eventually(10, lambda: self.one.sync().returncode == 0)
        self.expect(eventually(20, lambda: self.two.sync() and note in self.two.shown()), "a lost upload was not mended")
        self.one.sync(), self.two.sync()

    def revoked(self):
        """The owner takes the access away at Dropbox: what is said, and how to come back."""
        self.server.fault(fault="revoke")
        self.server.fault(fault="expire")
        note = self.one.write("# Revoked\nwritten without access")
        answer = self.one.sync()
        self.table.append(("revoked", f"{answer.returncode}: {sentence(answer)}"))
        self.expect(answer.returncode == 8 and "vault remote login dropbox" in sentence(answer), sentence(answer))
        again, _ = self.typed(self.one, ["remote", "login", "dropbox"])
        self.expect("error" not in again, f"after it was taken away: {again}")
        self.expect(self.one.sync().returncode == 0, "after signing in again")
        self.expect(self.one.states()[note] == "uploaded", "the note is not there")

    def secrets(self):
        log = self.server.control()
        self.expect(not log["secret_in_query"], "a secret in a query")
        self.expect(not log["elsewhere"], f"somebody went elsewhere: {log['elsewhere']}")
        tokens = [self.server.said["refresh_token"].encode()]
        for device in (self.one, self.two):
            device.run("lock", "--no-input")
            for path in device.scratch.rglob("*"):
                if path.is_file() and path.name != "dropbox" and any(token in path.read_bytes() for token in tokens):
                    self.faults.append(f"a token lies in {path.name}")
        for number in filter(str.isdigit, os.listdir("/proc")):
            for part in ("cmdline", "environ"):
                try:
                    data = Path(f"/proc/{number}/{part}").read_bytes()
                except OSError:
                    continue
                self.expect(not any(token in data for token in tokens), f"a token in {part} of {number}")
        self.counts["requests"] = sum(log["requests"].values())
