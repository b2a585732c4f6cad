# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A store that has no room for a while."""

import json, subprocess

from home import MARK
from journey import Journey


class FullStore(Journey):
    """The store has no room: that is said, what is written here is saved, and all of it arrives when there is room."""

    def run(self):
        files = self.scratch / "store/files"
        files.mkdir(parents=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "vault-homes", str(files)]).returncode != 0:
            raise OSError("a file system of one MiB cannot be mounted here")
        try:
            return super().run()
        finally:
            subprocess.run(["umount", str(files)])

    @property
    def walk(self):
        return self.fill, self.judge

    def fill(self):
        self.a = self.home("a")
        self.a.need("init", "--no-recovery", "--kdf-target", "0", *self.a.password)
        self.a.open()
        note = self.a.write(f"{MARK} with files")
        self.a.need("remote", "add", *self.store.words)
        self.a.need_sync()
        answer = None
        for number in range(8):
            self.a.attach(note, 300_000)
            self.a.write(f"{MARK} beside file {number}")
            answer = self.a.sync()
            if answer.returncode != 0:
                break
        said = answer.stdout + answer.stderr
        self.counts[f"full: ends with {answer.returncode}"] += 1
        # A server says only that it cannot.
        word = "room" if self.kind == "folder" else "safe on this machine"
        self.expect(answer.returncode == 8 and word in said, f"a full store: {answer.returncode} {said}")
        late = self.a.write(f"{MARK} while the store is full")
        self.expect(late is not None, "nothing is saved here while the store is full")
        self.a.sync()
        rows = json.loads(self.a.need("ls", "--all", "--json"))["notes"]
        self.expect(any(row["state"] == "pending" for row in rows), "everything counts as uploaded")
        subprocess.run(["mount", "-o", "remount,size=64m", str(self.scratch / "store/files")], check=True)
        self.a.need_sync()
        rows = json.loads(self.a.need("ls", "--all", "--json"))["notes"]
        self.expect(all(row["state"] == "uploaded" for row in rows), f"not uploaded: {rows}")
        self.b = self.home("b")
        vault = json.loads(self.a.need("status", "--json"))["vaultID"]
        self.b.need("clone", *self.store.place, "--vault-id", vault, "--no-input", *self.b.password)
        self.b.open()
        self.sync_all()
        for number in range(20):
            self.a.write(f"{MARK} and more {number}")
        self.sync_all()
        self.homes_left = [self.a, self.b]
