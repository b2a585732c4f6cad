# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A place where several devices meet: a folder, or a real server on loopback. It ends with whoever started it."""

import json, os, signal, subprocess, sys
from pathlib import Path

SERVERS = Path(__file__).resolve().parent.parent / "RemoteStoresTests/Support/servers.py"
KINDS = ("folder", "nginx", "apache", "seaweedfs", "openstack")


class Store:
    """Where its bytes lie is `folder`: all that was ever sent and kept."""

    def __init__(self, kind, folder, scratch):
        self.kind, self.folder, self.process = kind, Path(folder), None
        self.secret = Path(scratch) / "store-secret"
        if kind == "folder":
            (self.folder / "files").mkdir(parents=True, exist_ok=True)
            return
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(SERVERS), kind, str(self.folder)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise OSError(f"{kind} does not start: {self.process.stderr.read().decode()[-300:]}")
        self.said = json.loads(line)
        self.secret.write_text((self.said["keys"] if "bucket" in self.said else self.said["user"])[1] + "\n")
        self.secret.chmod(0o600)

    @property
    def place(self):
        if self.kind == "folder":
            return [str(self.folder / "files")]
        if "bucket" in self.said:
            return [self.said["url"], "--bucket", self.said["bucket"], "--region", "us-east-1", *self.login(0)]
        return [self.said["url"] + "/notes", *self.login(0)]

    def login(self, part):
        names = self.said["keys"] if "bucket" in self.said else self.said["user"]
        return ["--user", names[part], "--secret-file", str(self.secret)]

    @property
    def words(self):
        """What `remote add` asks for."""
        kind = "folder" if self.kind == "folder" else "s3" if "bucket" in self.said else "webdav"
        return [kind, *self.place]

    def bytes(self):
        """Every file of the store, server's own ones included."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                yield path, path.read_bytes()

    def lose_node(self):
        """Kills one of the store's machines, where it is made of several."""
        node = self.folder / "node-1"
        if self.kind != "openstack" or not node.exists():
            return False
        for number in node.read_text().split():
            os.kill(int(number), signal.SIGKILL)
        node.unlink()
        return True

    def end(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait(20)
