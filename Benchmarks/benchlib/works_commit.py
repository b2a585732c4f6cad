# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One note, acknowledged: after this the disk has it. Whole `vault new`, and the database's part alone."""
import json
import os
import pathlib
import time
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import Series
from .works_import import WORKER, database_path, interpreters

if typing.TYPE_CHECKING:
    from .run import Run

NEW_EVERY_ROUND = 8


class Commits:
    """Runs a program that commits single notes and reads its medians."""

    def __init__(self, run: "Run"):
        self.run = run
        self.alone: "dict[str, Series]" = {}  # COMMIT without the statements before it

    def contender(self, name: str, command: "list[str]") -> Contender:
        return Contender(name, lambda: self._seconds(name, command))

    def _seconds(self, name: str, command: "list[str]") -> float:
        answer = json.loads(self.run.launcher.output(command, limit=300))
        if "commitMedianMicroseconds" in answer:
            series = self.alone.setdefault(name, Series("s"))
            series.add(answer["commitMedianMicroseconds"] / 1e6)
        return answer["medianMicroseconds"] / 1e6


def measure(run: "Run") -> None:
    with run.guarded("new"):
        whole_process(run)
    with run.guarded("commit"):
        inside(run)


def whole_process(run: "Run") -> None:
    size = run.plan.import_size
    vault = run.vaults.get(size)
    synced = Contender("fsync", lambda: sync_seconds(run.space.disk / "synced"))
    contenders = [synced]
    if vault:
        text = run.collection.text(7).split("\n---\n", 1)[1]
        contenders.append(Contender("new", lambda: run.launcher.seconds(vault.text_command("new", text))))
    series = interleave(contenders, run.plan.commit_rounds * NEW_EVERY_ROUND, run.results.failures)
    run.results.add(Row(f"new {size:,}, whole process", series.get("new"), "4 KiB written and synced", series.get("fsync")))


def sync_seconds(place: pathlib.Path) -> float:
    """What this disk takes for the least that any commit has to do."""
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        begin = time.monotonic_ns()
        os.write(descriptor, bytes(4096))
        os.fsync(descriptor)
        return (time.monotonic_ns() - begin) / 1e9
    finally:
        os.close(descriptor)


def inside(run: "Run") -> None:
    """Each engine on the database that it has just imported."""
    count, commits = str(run.plan.commits_a_round), Commits(run)
    commands = {name: [python, WORKER, name] for name, python in interpreters(run).items()}
    if run.bench_tool:
        commands |= {kind: [run.bench_tool] for kind in ("plain", "sealed")}
    contenders = []
    for name, command in commands.items():
        database = str(database_path(run, name))
        if not os.path.exists(database):
            continue  # its import has failed and is listed
        words = ["commit", database, count] if command[-1] == name else ["commit", name, database, count]
        contenders.append(commits.contender(name, command + words))
    report(run, interleave(contenders, run.plan.commit_rounds, run.results.failures, warm_ups=1), commits.alone)


def report(run: "Run", whole: "dict[str, Series]", alone: "dict[str, Series]") -> None:
    size = f"{run.plan.import_size:,}"
    for work, series, target in ((f"one note {size}, transaction", whole, 1.25), (f"one note {size}, COMMIT alone", alone, 1.25)):
        sealed = series.get("sealed")
        run.results.add(
            Row(work, sealed, "SQLite, our tokenizer", series.get("plain"), ratio_max=target,
                note="" if run.bench_tool else "vault-bench is not built, which measures our engine alone"),
            Row(work, sealed, "SQLCipher trigram", series.get("cipher-trigram"), ratio_max=1.0),
            Row(work, sealed, "SQLite FTS5 trigram", series.get("plain-trigram")))
