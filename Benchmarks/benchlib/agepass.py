# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One note in an age file, a few in a password store: what `vault show` stands beside."""
import contextlib
import os
import pathlib
import signal

from .peers import Peers
from .spawn import Launcher
from .workspace import Workspace


class AgeFile:
    """One note, encrypted to a new key."""

    def __init__(self, peers: Peers, space: Workspace, launcher: Launcher, text: str, name: str = "note"):
        self.key = space.disk / f"{name}-key"
        self.file = space.disk / f"{name}.age"
        launcher.output([peers.age_keygen, "-o", str(self.key)])
        recipient = launcher.output([peers.age_keygen, "-y", str(self.key)]).strip()
        launcher.output([peers.age, "-r", recipient, "-o", str(self.file)], text=text)
        self.command = [peers.age, "-d", "-i", str(self.key), str(self.file)]
        if launcher.output(self.command) != text:
            raise ValueError("age gave back another text")


class PassStore:
    """A password store whose key has no passphrase, as if its agent had it cached.

    Entries are written by gpg itself, as `pass insert` would, because that is faster.
    """

    def __init__(self, peers: Peers, space: Workspace, environment: "dict[str, str]", texts: "list[str]"):
        self.home, self.store = space.disk / "gnupg", space.disk / "password-store"
        for directory in (self.home, self.store):
            directory.mkdir(mode=0o700)
        # Without this gpg's agent looks for smart cards, which would be one more process to end.
        (self.home / "gpg-agent.conf").write_text("disable-scdaemon\n")
        self.launcher = Launcher(environment | {"GNUPGHOME": str(self.home), "PASSWORD_STORE_DIR": str(self.store)},
                                 space.runtime / "pass-talk")
        self.peers, self.text, self.added = peers, texts[0], 0
        space.on_close(self._end_agent)
        gpg = [peers.gpg, "--batch", "--quiet", "--yes", "--trust-model", "always"]
        self.launcher.output(gpg + ["--passphrase", "", "--quick-gen-key", "bench", "default", "default", "never"])
        (self.store / ".gpg-id").write_text("bench\n")
        for number, text in enumerate(texts):
            self.launcher.output(gpg + ["-r", "bench", "-o", str(self.store / f"note-{number}.gpg"), "-e"], text=text)
        self.show = [peers.pass_, "show", "note-0"]
        if self.launcher.output(self.show) != texts[0]:
            raise ValueError("pass gave back another text")

    def grep(self, word: str) -> "list[str]":
        """`pass grep` opens every entry, so its time grows with their number."""
        return [self.peers.pass_, "grep", "-i", word]

    def new(self, source: str) -> float:
        """`pass insert` of one entry that is read from a file."""
        self.added += 1
        return self.launcher.seconds([self.peers.pass_, "insert", "--multiline", f"new-{self.added}"], source=source)

    def _end_agent(self) -> None:
        """Ends the agent that gpg started for this store, by its number."""
        answer = self.launcher.output([self.peers.gpg_connect, "--no-autostart", "GETINFO pid", "/bye"],
                                      good=frozenset(range(256)))
        number = next((line[2:] for line in answer.splitlines() if line.startswith("D ")), "")
        if number.isdigit() and process_name(int(number)) == "gpg-agent":
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGTERM)


def process_name(pid: int) -> str:
    """What a process is called; empty when it has ended. /proc/PID/exe would be hidden: an agent forbids looking in."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return ""
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return "" if fields.get("State", "").startswith(("Z", "X")) else fields.get("Name", "")
