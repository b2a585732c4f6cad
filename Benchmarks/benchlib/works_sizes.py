# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Notes of 1 KB, 100 KB and 10 MB: to show, to write, to append to and to search, each in a vault of its own."""
import os
import pathlib
import shutil
import time
import typing

from .agepass import AgeFile
from .results import Row
from .rounds import Contender, interleave
from .vault import SEARCHED, Vault

if typing.TYPE_CHECKING:
    from .run import Run

ROUNDS = 7


def measure(run: "Run") -> None:
    if not run.has_vault:
        return
    for size, count in run.plan.note_sizes:
        with run.guarded(f"notes of {said(size)}"):
            Sized(run, size, count).measure()


def said(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000} KB"


class Sized:
    """A vault of notes that all have one size, and the same texts as files."""

    def __init__(self, run: "Run", size: int, count: int):
        self.run, self.size, self.count = run, size, count
        self.folder = run.space.disk / f"sized-{size}"
        self.folder.mkdir()
        texts = list(self.texts())
        for number, text in enumerate(texts):
            (self.folder / f"{number:05d}.md").write_text(text)
        self.source = self.folder / "00000.md"
        self.vault = Vault(run.programs / "vault", run.space, run.launcher, f"sized-vault-{size}")
        self.vault.unlock()
        seconds = self.vault.import_seconds("markdown", self.folder)
        if self.vault.count() != count:
            raise ValueError(f"{self.vault.count()} of {count} notes are there")
        run.results.facts.setdefault("importSecondsByNoteSize", {})[said(size)] = round(seconds, 2)
        self.note = run.launcher.output(self.vault.command("new", "-"), text=texts[0][:size]).split()[-1]

    def texts(self):
        """Cuts of one long text, each from another place, with a name of its own."""
        parts, length, number = [], 0, 0
        while length < self.size * 2:
            parts.append(self.run.collection.text(number).split("\n---\n", 1)[1])
            length += len(parts[-1])
            number += 1
        whole = "".join(parts)
        for number in range(self.count):
            begin = number * 7919 % (len(whole) - self.size)
            yield f"Note {number} of this size\n\n{whole[begin:begin + self.size]}"[:self.size]

    def measure(self) -> None:
        run, vault, seconds = self.run, self.vault, self.run.launcher.seconds
        queries = run.collection.queries()
        contenders = [
            Contender("show", lambda: seconds(vault.command("show", self.note))),
            Contender("new", lambda: seconds(vault.command("new", "-"), source=str(self.source))),
            Contender("append", lambda: seconds(vault.command("append", self.note, "and a line"))),
            Contender("search common", lambda: seconds(vault.text_command("search", queries["common word"]), SEARCHED)),
            Contender("search absent", lambda: seconds(vault.text_command("search", queries["no hit, grams known"]), SEARCHED)),
            Contender("write", self.write)]
        if run.peers.age and run.peers.age_keygen:
            age = AgeFile(run.peers, run.space, run.launcher, self.source.read_text(), f"age-{self.size}")
            contenders.append(Contender("age", lambda: seconds(age.command)))
        if run.peers.rg:
            for name in ("common word", "no hit, grams known"):
                command = [run.peers.rg, "--ignore-case", "--fixed-strings", "--files-with-matches", queries[name], str(self.folder)]
                contenders.append(Contender(f"ripgrep {name.split()[0]}", lambda command=command: seconds(command, frozenset({0, 1}))))
        self.report(interleave(contenders, ROUNDS, run.results.failures, warm_ups=1))
        vault.close()
        for place in (vault.directory, self.folder):
            run.space.drop(place)

    def write(self) -> float:
        """What any program has to do for a text of this size."""
        place = self.run.space.disk / "sized-written"
        begin = time.monotonic_ns()
        with open(place, "wb") as file, open(self.source, "rb") as source:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        seconds = (time.monotonic_ns() - begin) / 1e9
        pathlib.Path(place).unlink()
        return seconds

    def report(self, series: dict) -> None:
        name = f"{self.count:,} notes of {said(self.size)}"
        rows, written = self.run.results, {"limit": series.get("write"), "limit_name": "written and synced"}
        rows.add(Row(f"show, {name}", series.get("show"), "age -d -i KEY", series.get("age")),
                 Row(f"new, {name}", series.get("new"), **written), Row(f"append, {name}", series.get("append"), **written),
                 Row(f"search, {name}, common word", series.get("search common"), "ripgrep, plain files", series.get("ripgrep common")),
                 Row(f"search, {name}, no hit, grams known", series.get("search absent"), "ripgrep, plain files", series.get("ripgrep no")))
        for work in ("show", "new", "append", "search common", "search absent"):
            rows.point(f"by note size: {work}", self.size, series.get(work))
