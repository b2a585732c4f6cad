# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The beginning of a vault's life: `vault init` beside what other programs do to make an empty store."""
import itertools
import pathlib
import typing

from .results import Row
from .rounds import Contender, interleave
from .stores import PASSWORD
from .works_unlock import WORKER

if typing.TYPE_CHECKING:
    from .run import Run

FLOOR = ("65536", "3", "4")  # what --kdf-target 0 takes: KiB, passes, lanes


def measure(run: "Run") -> None:
    with run.guarded("init"):
        work = Making(run)
        series = interleave(work.contenders(), run.plan.unlock_rounds, run.results.failures, warm_ups=1)
        ours, argon2 = series.get("vault"), series.get("Argon2id")
        for name in ("Argon2id alone", "pass init", "gopass init, with its git", "keepassxc-cli db-create, 100 ms", "restic init"):
            run.results.add(Row("init, the least cost", ours, name, series.get(name.split()[0]), limit=argon2, limit_name="Argon2id"))


class Making:
    """Each makes a new store in a new place, which is removed afterwards."""

    def __init__(self, run: "Run"):
        self.run, self.numbers = run, itertools.count()
        self.secret = run.space.runtime / "init-password"
        self.secret.touch(mode=0o600)
        self.secret.write_text(PASSWORD)
        self.twice = run.space.runtime / "init-twice"
        self.twice.touch(mode=0o600)
        self.twice.write_text(f"{PASSWORD}\n{PASSWORD}\n")

    def contenders(self) -> "list[Contender]":
        peers, found = self.run.peers, []
        if self.run.has_vault:
            found.append(Contender("vault", self.vault))
        if peers.argon2_python:
            found.append(Contender("Argon2id", lambda: float(self.run.launcher.output([peers.argon2_python, WORKER, *FLOOR]))))
        if self.run.pass_store:
            found.append(Contender("pass", lambda: self.keyed(peers.pass_)))
        if peers.gopass and self.run.pass_store:
            found.append(Contender("gopass", lambda: self.keyed(peers.gopass)))
        if peers.keepassxc:
            found.append(Contender("keepassxc-cli", lambda: self.made(
                lambda place: [peers.keepassxc, "db-create", "-q", "-p", "-t", "100", str(place)], str(self.twice))))
        if peers.restic:
            found.append(Contender("restic", lambda: self.made(
                lambda place: [peers.restic, "--quiet", "--repo", str(place), "--password-file", str(self.secret), "--no-cache", "init"])))
        return found

    def made(self, command: "typing.Callable[[pathlib.Path], list[str]]", source: str = "/dev/null") -> float:
        place = self.run.space.disk / f"init-{next(self.numbers)}"
        seconds = self.run.launcher.seconds(command(place), source=source)
        self.run.space.drop(place)
        return seconds

    def vault(self) -> float:
        program = str(self.run.programs / "vault")
        return self.made(lambda place: [program, "--vault", str(place), "init", "--kdf-target", "0", "--no-recovery", "--password-file", str(self.secret)])

    def keyed(self, program: str) -> float:
        """pass and its likes: the key is there already, so they write little more than its name."""
        launcher = self.run.pass_store.launcher
        place = self.run.space.disk / f"init-{next(self.numbers)}"
        before = launcher.environment
        launcher.environment = before | {"PASSWORD_STORE_DIR": str(place), "GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "bench@example.com",
                                         "GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "bench@example.com"}
        try:
            return launcher.seconds([program, "init", "bench"])
        finally:
            launcher.environment = before
            self.run.space.drop(place)
