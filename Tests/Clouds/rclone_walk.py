# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""rclone as a child of vault-sync: what it can see and do, what is left of it, and what a person reads when it is old,
gone, killed, or let in no more."""

import os, re, signal, subprocess, time
from pathlib import Path

from parts import RCLONE, SERVERS, Device, Server, eventually, sentence


class RcloneWalk:
    def __init__(self, programs, scratch, short=False):
        self.programs, self.scratch, self.counts, self.faults = programs, Path(scratch), {}, []
        self.short = short

    def expect(self, holds, what):
        if not holds:
            self.faults.append(what)

    def run(self):
        if not RCLONE.exists():
            return self.counts, ["rclone is not installed: Scripts/setup.sh test"]
        self.server = Server(SERVERS, "nginx", self.scratch / "nginx")
        self.one, self.two = Device("one", self.programs, self.scratch), Device("two", self.programs, self.scratch)
        try:
            self.add()
            self.look()
            if not self.short:
                self.kill()
            self.ends_by_itself()
            self.refusals()
        finally:
            for device in (self.one, self.two):
                device.end()
            self.server.end()
        self.expect(not self.children(), "an rclone is left")
        return self.counts, self.faults

    def rclone(self, device, *words):
        return subprocess.run([str(RCLONE), *words], env=device.environment, capture_output=True, text=True, check=True)

    def configure(self, device):
        user, password = self.said["user"]
        self.rclone(device, "config", "create", "dav", "webdav", f"url={self.server.url}/notes", "vendor=other",
                    f"user={user}", f"pass={password}")

    @property
    def said(self):
        return self.server.said

    def add(self):
        self.one.new_vault()
        note = self.one.write("# First\ntext")
        self.configure(self.one), self.configure(self.two)
        begin = time.monotonic()
        self.one.need("remote", "add", "rclone", "dav:my vault", "--rclone", str(RCLONE), "--no-input")
        self.counts["seconds to add it"] = round(time.monotonic() - begin, 2)
        self.one.attach(note, 2_000_000)
        self.one.need_sync()
        # rclone's own configuration is needed no more.
        for path in self.one.home.rglob("rclone.conf"):
            path.unlink()
        self.one.write("# Second\nwithout the configuration")
        self.one.need_sync()
        identity = next(path.name for path in (self.scratch / "nginx").rglob("notevault-1/*"))
        self.two.need("clone", "dav:my vault", "--rclone", str(RCLONE), "--vault-id", identity, "--no-input",
                      *self.two.password)
        self.two.open()
        self.two.need_sync()
        self.expect(len(self.two.shown()) == 2, "the other device has other notes")

    def children(self):
        """Processes that are rclone, with their parents."""
        found = {}
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{number}/exe") == str(RCLONE.resolve()):
                    status = Path(f"/proc/{number}/status").read_text()
                    found[int(number)] = int(re.search(r"PPid:\s+(\d+)", status)[1])
            except OSError:
                continue
        return found

    def look(self):
        """What the child shows of itself: no secret, a filter, no files, no port."""
        self.one.write("# Third\ntext")
        self.one.need_sync()
        children = self.children()
        self.expect(children, "there is no rclone")
        for number in children:
            root = Path(f"/proc/{number}")
            words = (root / "cmdline").read_bytes() + (root / "environ").read_bytes()
            secret = self.said["user"][1].encode()
            self.expect(secret not in words and self.said["user"][0].encode() not in words.replace(b"rcd", b""),
                        "a secret in its arguments or variables")
            status = (root / "status").read_text()
            self.expect("NoNewPrivs:\t1" in status and "Seccomp:\t2" in status, "it is not confined")
            files = [os.readlink(root / "fd" / name) for name in os.listdir(root / "fd")]
            self.expect(not any(file.startswith("/") and file != "/dev/null" for file in files), f"files {files}")
            listening = Path("/proc/net/tcp").read_text().splitlines()
            inodes = {re.search(r"\d+", file)[0] for file in files if file.startswith("socket:")}
            ports = [line for line in listening if line.split()[3] == "0A" and line.split()[9] in inodes]
            self.expect(not ports, "it listens on a port")
            self.counts["resident memory of rclone in KiB"] = int(re.search(r"VmRSS:\s+(\d+)", status)[1])
        left = [path for path in Path("/tmp").glob("notevault-*")]
        self.expect(not left, f"its socket's folder is left: {left}")

    def kill(self):
        """Killed in the middle of a transfer: nothing is lost, and the next sync starts it anew."""
        note = self.one.write("# Large\nwith a large file")
        self.one.attach(note, 12_000_000)
        syncing = self.one.start("sync", "now", "--no-input")
        killed = 0
        deadline = time.monotonic() + 20
        while syncing.poll() is None and time.monotonic() < deadline and killed < 3:
            for number in self.children():
                time.sleep(0.05)
                try:
                    os.kill(number, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
        out, err = syncing.communicate(timeout=120)
        self.counts["kills"] = killed
        self.counts["what is said of it"] = (err.decode().splitlines() or ["nothing: it had ended"])[0]
        self.expect(eventually(30, lambda: self.one.sync().returncode == 0), f"after a kill: {sentence(self.one.sync())}")
        self.expect(eventually(30, lambda: self.two.sync().returncode == 0), "the other device after a kill")
        self.expect(note in self.two.shown(), "the note of the large file is not there")
        _, files = self.two.read()
        self.two.open()
        self.expect(set(self.one.files) <= files, "a file is missing after a kill")
        self.expect(not self.one.alarms() and not self.two.alarms(), "alarms after a kill")

    def ends_by_itself(self):
        """With the lock at once."""
        self.one.need_sync()
        self.one.run("lock", "--no-input"), self.two.run("lock", "--no-input")
        self.expect(eventually(5, lambda: not self.children()), "rclone outlives the lock")
        self.one.open(), self.two.open()

    def refusals(self):
        old = self.scratch / "old-rclone"
        # An rclone that calls itself older, in the header of its answers; the same length, so that it still runs.
        data = RCLONE.resolve().read_bytes()
        version = re.search(rb"v1\.75\.\d", data)[0]
        old.write_bytes(data.replace(version, b"v1.74.9"))
        old.chmod(0o755)
        self.configure(self.two)
        answer = self.two.run("remote", "add", "rclone", "dav:other", "--rclone", str(old), "--name", "old", "--no-input")
        self.expect(answer.returncode == 8 and "older than 1.75.1" in answer.stderr, f"an old one: {answer.stderr}")
        answer = self.two.run("remote", "add", "rclone", "nobody:x", "--rclone", str(RCLONE), "--no-input")
        self.expect(answer.returncode == 5 and "rclone has no remote 'nobody'" in answer.stderr, answer.stderr)
        self.rclone(self.two, "config", "create", "sealed", "crypt", "remote=dav:x", "password=x")
        answer = self.two.run("remote", "add", "rclone", "sealed:x", "--rclone", str(RCLONE), "--no-input")
        self.expect(answer.returncode == 2 and "wraps another remote" in answer.stderr, answer.stderr)
        user = self.said["user"][0]
        self.rclone(self.two, "config", "create", "wrong", "webdav", f"url={self.server.url}/notes", "vendor=other",
                    f"user={user}", "pass=not the one")
        answer = self.two.run("remote", "add", "rclone", "wrong:x", "--rclone", str(RCLONE), "--name", "w", "--no-input")
        self.expect(answer.returncode == 8 and "no longer accepts this device" in answer.stderr, answer.stderr)
        # A remote that is this machine's own disk: there is none for a confined one.
        self.rclone(self.two, "config", "create", "here", "local")
        target = self.scratch / "escape"
        target.mkdir()
        answer = self.two.run("remote", "add", "rclone", f"here:{target}", "--rclone", str(RCLONE), "--name", "h",
                              "--no-input")
        self.expect(answer.returncode == 8 and not any(target.rglob("*")), f"a local disk: {answer.stdout}{answer.stderr}")
