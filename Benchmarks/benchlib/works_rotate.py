# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A new key for everything, beside taking the same attachments out and putting them in again; both sides in memory."""
import typing

from .results import Row
from .rounds import Contender, interleave
from .works_attach import MemoryVault

if typing.TYPE_CHECKING:
    from .run import Run

RATIO_MAX = 1 / 0.8
FILE_COUNT = 64
MANY = 2000  # small attachments, to see whether memory grows with their number


def measure(run: "Run") -> None:
    if not run.has_vault:
        return
    with run.guarded("rotate"):
        vault = MemoryVault(run, "rotate-vault")
        work = Rotating(run, vault)
        rounds = min(5, run.plan.attach_rounds)
        series = interleave([Contender("vault", work.rotate), Contender("out and in", work.out_and_in)], rounds, run.results.failures, warm_ups=1)
        name = f"{run.plan.attach_bytes >> 20:,} MiB"
        run.results.add(Row(f"rotate {name} in {FILE_COUNT} attachments", series.get("vault"), "extract, then attach", series.get("out and in"), ratio_max=RATIO_MAX))
        run.results.facts["agent's peak memory above idle, rotating, MiB"] = round(vault.memory()["peak"] - work.idle, 1)
        vault.close()
    with run.guarded("rotate, many"):
        for count in (MANY // 10, MANY):
            vault = MemoryVault(run, f"rotate-{count}")
            work = Rotating(run, vault, count, 1000)
            seconds = work.rotate()
            run.results.facts[f"rotate {count} attachments of 1 kB"] = f"{seconds:.2f} s, agent's peak {vault.memory()['peak']:.1f} MiB"
            vault.close()


class Rotating:
    """One note with attachments."""

    def __init__(self, run: "Run", vault: MemoryVault, count: int = FILE_COUNT, size: "int | None" = None):
        self.run, self.vault, self.count = run, vault, count
        self.size = size or max(run.plan.attach_bytes // count, 1000)
        self.folder = run.space.runtime / f"rotate-files-{count}"
        self.folder.mkdir(mode=0o700)
        self.paths = [str(self.folder / f"f{number}") for number in range(count)]
        for path in self.paths:
            with open(path, "wb") as file:
                file.write(bytes([len(path)]) * self.size)
        self.note = self._note()
        self._add(self.note)
        vault.lock()
        vault.unlock()
        self.idle = vault.memory()["resident"]

    def _note(self) -> str:
        return self.run.launcher.output(self.vault.command("new", "holds attachments"), limit=60).split()[-1]

    def _add(self, note: str) -> float:
        return sum(
            self.run.launcher.seconds(self.vault.command("attach", "add", note, *self.paths[at:at + 200], "--quiet"), limit=600)
            for at in range(0, self.count, 200))

    def rotate(self) -> float:
        command = self.vault.command("rotate", "--kdf-target", "0", "--password-file", str(self.vault.password), "--quiet")
        return self.run.launcher.seconds(command, limit=1200)

    def out_and_in(self) -> float:
        target = self.run.space.runtime / "rotate-target"
        seconds = 0.0
        for number in range(self.count):
            seconds += self.run.launcher.seconds(
                self.vault.command("attach", "get", self.note, f"f{number}", "-o", str(target), "--quiet"), limit=600)
            target.unlink()
        note = self._note()
        seconds += self._add(note)
        self.run.launcher.output(self.vault.command("rm", note, "--quiet"))
        self.run.launcher.output(self.vault.command("trash", "empty", "--yes", "--quiet"))
        return seconds
