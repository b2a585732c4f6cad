# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Small changes, each acknowledged, as whole processes: a new note, a line more, an editor that adds a line, a tag."""
import itertools
import os
import pathlib
import pty
import time
import typing

from .results import Row
from .rounds import Contender, interleave
from .spawn import Failure, deadline
from .vault import Vault
from .works_commit import sync_seconds

if typing.TYPE_CHECKING:
    from .run import Run

WORKS = ("new", "append", "edit", "tag")
EDITOR = '#!/bin/sh\necho "one more line" >> "$1"\n'


def measure(run: "Run") -> None:
    with run.guarded("new, append, edit, tag"):
        contenders = [Contender("fsync", lambda: sync_seconds(run.space.disk / "synced-write"))]
        for size, vault in run.vaults.items():
            writing = Writing(run, vault)
            contenders += [Contender(f"{work} {size:,}", getattr(writing, work)) for work in WORKS]
        contenders += others(run)
        series = interleave(contenders, run.plan.write_rounds, run.results.failures)
        report(run, series)


def others(run: "Run") -> "list[Contender]":
    """What adds an entry to another program's store; the slow ones take part less often."""
    found = []
    if run.pass_store:
        source = run.space.runtime / "pass-new"
        source.write_text(run.pass_store.text)
        found.append(Contender("pass", lambda: run.pass_store.new(str(source)), every=3))
    return found + [Contender(name, store.new, every=3) for name, store in run.stores.items() if store.new]


class Writing:
    """One vault's note of about 1 KB to which things are done."""

    def __init__(self, run: "Run", vault: Vault):
        self.run, self.vault, self.numbers = run, vault, itertools.count()
        self.text = run.collection.text(7).split("\n---\n", 1)[1]
        self.note = run.launcher.output(vault.text_command("new", self.text)).split()[-1]
        self.editor = run.space.disk / "editor.sh"
        self.editor.write_text(EDITOR)
        self.editor.chmod(0o755)

    def new(self) -> float:
        return self.run.launcher.seconds(self.vault.text_command("new", self.text))

    def append(self) -> float:
        return self.run.launcher.seconds(self.vault.text_command("append", self.note, f"line {next(self.numbers)}"))

    def tag(self) -> float:
        return self.run.launcher.seconds(self.vault.text_command("tag", self.note, f"tag{next(self.numbers)}"))

    def edit(self) -> float:
        """On a terminal of its own. The editor is a shell that adds a line: what it takes is a part of the figure."""
        environment = self.run.launcher.environment | {"EDITOR": str(self.editor), "TERM": "xterm"}
        return on_terminal(self.vault.command("edit", self.note, "--allow-unknown-editor", "--yes"), environment)


def on_terminal(command: "list[str]", environment: "dict[str, str]", limit: float = 60) -> float:
    """Seconds of one process on a new pseudo-terminal, whose output is read and thrown away."""
    with deadline(limit):
        begin = time.monotonic_ns()
        pid, terminal = pty.fork()
        if pid == 0:
            try:
                os.execve(command[0], command, environment)
            finally:
                os._exit(127)
        talk = b""
        try:
            while part := os.read(terminal, 4096):
                talk += part
        except OSError:  # Linux says EIO when the last one has closed the other side
            pass
        finally:
            _, status = os.waitpid(pid, 0)
            os.close(terminal)
        elapsed = time.monotonic_ns() - begin
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        raise Failure(f"{pathlib.Path(command[0]).name} {command[1]}: exit code {code}: {talk.decode(errors='replace').strip()[-200:]}")
    return elapsed / 1e9


def report(run: "Run", series: "dict[str, typing.Any]") -> None:
    synced = series.get("fsync")
    limit = {"limit": synced, "limit_name": "4 KiB and fsync"}
    for size in run.plan.sizes:
        for work in WORKS:
            ours = series.get(f"{work} {size:,}")
            run.results.point(work, size, ours)
            run.results.add(Row(f"{work} {size:,}, whole process", ours, "4 KiB written and synced", synced, **limit))
    last = run.plan.sizes[-1]
    ours = series.get(f"new {last:,}")
    names = [("pass insert", f"{run.plan.pass_entries} entries", "pass"), ("gopass insert", "with its git commit", "gopass"),
             ("keepassxc-cli add", f"{run.plan.store_notes:,} notes", "keepassxc-cli"), ("jrnl", f"{run.plan.store_notes:,} notes", "jrnl")]
    for name, more, key in names:
        run.results.add(Row(f"new {last:,}, whole process", ours, f"{name}, {more}", series.get(key), **limit))
    if last > run.plan.small:
        run.results.growth(list(WORKS), run.plan.small, last, 1.5 if last >= 1_000_000 else None)
