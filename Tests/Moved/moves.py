# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What becomes of a file under an open vault: another name, another file in its place, or nothing at all."""

import os, shutil

FILES = (
    "header", "header.2", "manifest", "manifest.2", "index-1.db", "index-1.db-wal", "lock", "lease", "object", "draft",
    "everything", "folder",
)
WAYS = ("renamed", "older", "copied", "removed")


class Move:
    """One file and what happens to it. What is renamed or replaced can be put back by its owner."""

    def __init__(self, name, way, vault, older, aside):
        self.name, self.way, self.vault, self.older, self.aside = name, way, vault, older, aside
        self.path, self.moved, self.was_held = None, False, False

    def __str__(self):
        return f"{self.name} {self.way}"

    def find(self):
        """The file, which for objects and drafts is the newest."""
        if self.name in ("folder", "everything"):
            return self.vault
        if self.name not in ("object", "draft"):
            return self.vault / self.name
        folder = self.vault / (self.name + "s")
        files = [path for path in folder.rglob("*") if path.is_file() and "quarantine" not in path.parts]
        return max(files, key=lambda path: path.stat().st_mtime_ns, default=None)

    def apply_to_all(self):
        """Every file in the folder, which stays."""
        os.mkdir(self.aside / "old")
        self.moved = True
        for path in sorted(self.vault.iterdir()):
            other = self.older / path.name if self.way == "older" else path
            new = self.aside / path.name
            if self.way in ("older", "copied") and other.exists():
                (shutil.copytree if other.is_dir() else shutil.copy2)(other, new)
            if self.way == "removed":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            else:
                os.rename(path, self.aside / "old" / path.name)
            if new.exists():
                os.rename(new, path)
        if self.way == "removed":
            os.rmdir(self.aside / "old")

    def undo_all(self):
        for path in sorted((self.aside / "old").iterdir()):
            there = self.vault / path.name
            if there.exists():
                os.rename(there, self.aside / (path.name + ".displaced"))
            os.rename(path, there)

    def apply(self, agent):
        self.path = self.find()
        if self.path is None or not self.path.exists():
            return
        if self.name == "everything":
            self.was_held = held(agent, self.vault / "index-1.db") or held(agent, self.vault / "index-2.db")
            return self.apply_to_all()
        self.was_held = held(agent, self.path)
        older = self.older / self.path.relative_to(self.vault)
        source = older if self.way == "older" else self.path
        new = self.aside / "new"
        if self.way in ("older", "copied"):
            if not source.exists():
                return
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, new)
        if self.way == "removed":
            shutil.rmtree(self.path) if self.path.is_dir() else self.path.unlink()
        else:
            os.rename(self.path, self.aside / "old")
        if self.way in ("older", "copied"):
            os.rename(new, self.path)
        self.moved = True

    @property
    def can_undo(self):
        return (self.aside / "old").exists()

    def undo(self):
        """What the owner does at last: the file goes back where it was."""
        if self.name == "everything":
            return self.undo_all()
        if self.path.exists():
            os.rename(self.path, self.aside / "displaced")
        os.rename(self.aside / "old", self.path)


def held(agent, path):
    """Whether an agent has this file open, and so what it holds."""
    try:
        wanted = os.stat(path)
        for number in os.listdir(f"/proc/{agent}/fd"):
            try:
                found = os.stat(f"/proc/{agent}/fd/{number}")
            except OSError:
                continue
            if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
                return True
    except OSError:
        pass
    return False
