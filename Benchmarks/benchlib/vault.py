# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A throw-away vault: made, unlocked, filled, measured and locked again through the command line alone."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import time

from .agepass import process_name
from .spawn import Failure, Launcher
from .workspace import Workspace

# 12: done with losses. The made notes should lose nothing, but a loss is for the import's tests to complain about.
IMPORTED = frozenset({0, 12})
# 5: not found; whether a search without a hit is one is for the search's tests to say.
SEARCHED = frozenset({0, 5})
AGENT = "vault-agent"


class Vault:
    """One vault in the workspace. Its agent is ended when the workspace closes."""

    def __init__(self, program: pathlib.Path, space: Workspace, launcher: Launcher, name: str,
                 made: "pathlib.Path | None" = None):
        self.program, self.launcher = str(program), launcher
        self.directory = space.disk / name
        self.password = space.runtime / f"{name}-password"
        self.password.touch(mode=0o600)
        self.password.write_text("seven ducks of the bench walk home")
        self.agent: "int | None" = None
        space.on_close(self.close)
        if made:  # a locked vault of an earlier run, whose password is the same
            shutil.copytree(made, self.directory)
            return
        self.launcher.output(self.command("init", "--kdf-target", "0", "--no-recovery", "--password-file", str(self.password)))

    def command(self, *words: str) -> "list[str]":
        """A command line for this vault; the rest of `words` is as a person would type it."""
        return [self.program, *words, "--vault", str(self.directory)]

    def text_command(self, *words: str) -> "list[str]":
        """The same where the last words are a note's text or a query and may look like an option."""
        return [self.program, words[0], "--vault", str(self.directory), "--", *words[1:]]

    @property
    def unlock_command(self) -> "list[str]":
        # Long enough for any run; the bench locks it at the end.
        return self.command("unlock", "--password-file", str(self.password), "--idle", "8h", "--max", "24h")

    def unlock(self) -> None:
        self.launcher.output(self.unlock_command)
        self.learn_agent()

    def learn_agent(self) -> None:
        """Remembers the agent's process ID, for its memory and for the end."""
        self.agent = int(self.status()["agentPID"])

    def lock(self) -> None:
        """Locks and waits for the agent's end, so that the next unlock starts a new one."""
        self.launcher.output(self.command("lock"))
        self._wait(5)

    def status(self) -> dict:
        return json.loads(self.launcher.output(self.command("status", "--json")))

    def import_seconds(self, form: str, source: pathlib.Path) -> float:
        return self.launcher.seconds(self.command("import", form, str(source), "--quiet"), IMPORTED, limit=7_200)

    def count(self) -> int:
        """Number of notes; a person's thousands separators are taken out."""
        return int(re.sub(r"[^0-9]", "", self.launcher.output(self.command("ls", "--count")).splitlines()[0]))

    def found(self, query: str) -> "list[dict]":
        """What a search answers, at most 20 notes."""
        text = self.launcher.output([self.program, "search", "--json", "--vault", str(self.directory), "--", query], SEARCHED)
        return json.loads(text)["notes"] if text.strip() else []

    def body(self, identifier: str) -> str:
        return self.launcher.output(self.command("cat", identifier))

    def memory(self) -> "dict[str, float]":
        """The agent's memory by the kernel's count, in MiB."""
        status = pathlib.Path(f"/proc/{self.agent}/status").read_text()
        kib = {line.split(":")[0]: int(line.split()[1]) for line in status.splitlines() if line.startswith("Vm")}
        return {"resident": kib["VmRSS"] / 1024, "peak": kib["VmHWM"] / 1024}

    def log_bytes(self) -> int:
        """Size of the index's write-ahead log."""
        return sum(place.stat().st_size for place in self.directory.glob("index-*.db-wal"))

    def kill(self) -> None:
        """Ends the agent as a crash would."""
        os.kill(self.agent, signal.SIGKILL)
        self._wait(5)

    def processor_seconds(self) -> float:
        """What the agent has used of the processors since it was started."""
        fields = pathlib.Path(f"/proc/{self.agent}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def bytes_on_disk(self) -> int:
        return sum(place.stat().st_size for place in self.directory.rglob("*") if place.is_file())

    def close(self) -> None:
        """Locks; an agent that does not go is ended by its number, if that number is still an agent."""
        if not self.directory.exists():
            return
        with contextlib.suppress(Failure, ValueError, KeyError, TypeError):
            self.learn_agent()  # also one that an interrupted unlock has just started
        with contextlib.suppress(Failure):
            self.launcher.output(self.command("lock"), limit=10)
        if self._wait(5):
            return
        if self.agent is not None and process_name(self.agent) == AGENT:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.agent, signal.SIGTERM)
            self._wait(2)

    def _wait(self, seconds: float) -> bool:
        """Whether the agent has ended within the time."""
        end = time.monotonic() + seconds
        while self.agent is not None and process_name(self.agent) == AGENT:
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        self.agent = None
        return True
