# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Everything out of a vault and in again: beside tar and restic with the same content as plain files."""
import pathlib
import shutil
import typing

from .results import Row
from .rounds import Contender, interleave
from .works_attach import MemoryVault, write

if typing.TYPE_CHECKING:
    from .run import Run
    from .vault import Vault

FILE_COUNT = 8
LARGE = 100_000  # notes; from here on one sample


def measure(run: "Run") -> None:
    if not run.has_vault:
        return
    size = max((size for size in run.vaults if size <= 100_000), default=0)
    if size:
        with run.guarded(f"export of {size:,} notes"):
            Moving(run, run.vaults[size], run.folder(size), run.space.disk).report(f"{size:,} notes", run.plan.export_rounds if size < LARGE else 1)
    with run.guarded("export of attachments"):
        folder = run.space.runtime / "export-files"
        folder.mkdir(mode=0o700)
        each = max(run.plan.attach_bytes // FILE_COUNT, 1 << 20)
        paths = [folder / f"f{number}" for number in range(FILE_COUNT)]
        for path in paths:
            write(path, each)
        vault = MemoryVault(run, "export-vault")
        note = run.launcher.output(vault.command("new", "holds attachments"), limit=60).split()[-1]
        run.launcher.output(vault.command("attach", "add", note, *map(str, paths), "--quiet"), limit=600)
        Moving(run, vault, folder, run.space.runtime).report(f"{FILE_COUNT * each >> 20:,} MiB of attachments", run.plan.export_rounds)
        vault.close()


class Moving:
    """The commands of each side, and what has to be put away after each."""

    def __init__(self, run: "Run", vault: "Vault", folder: pathlib.Path, place: pathlib.Path):
        self.run, self.vault, self.folder, self.place = run, vault, folder, place
        self.restic = [run.peers.restic, "--quiet", "--repo", str(place / "restic"), "--password-file", str(vault.password), "--no-cache"]

    def report(self, name: str, rounds: int) -> None:
        out = interleave(self.out(), rounds, self.run.results.failures, warm_ups=0)
        self.keep()
        again = interleave(self.again(), rounds, self.run.results.failures, warm_ups=0)
        back = interleave(self.back(), rounds, self.run.results.failures, warm_ups=0)
        rows = [("export vault", out, "vault"), ("export markdown", out, "markdown"), ("backup create, the first", out, "backup"),
                ("backup create, nothing new", again, "backup"), ("backup restore of an archive", back, "archive"),
                ("backup restore of a snapshot", back, "snapshot"), ("backup verify", again, "verify")]
        for title, series, ours in rows:
            for peer in ("tar", "restic"):
                if peer in series or self.run.peers.restic is None:
                    self.run.results.add(Row(f"{title}, {name}", series.get(ours), peer, series.get(peer)))
        for kept in ("archive", "backup", "restic", "files.tar"):
            self.drop(kept)

    def out(self) -> "list[Contender]":
        found = [Contender("vault", lambda: self.timed(self.archive("archive"), "archive")),
                 Contender("markdown", lambda: self.timed(self.vault.command("export", "markdown", "-o", self.path("markdown"), "--plaintext", "--quiet"), "markdown")),
                 Contender("backup", lambda: self.timed(self.backup(), "backup")),
                 Contender("tar", lambda: self.timed(["tar", "-cf", self.path("files.tar"), "-C", str(self.folder), "."], "files.tar"))]
        if self.run.peers.restic:
            found.append(Contender("restic", self.first_restic))
        return found

    def first_restic(self) -> float:
        self.run.launcher.output(self.restic + ["init"], limit=120)
        return self.timed(self.restic + ["backup", str(self.folder)], "restic")

    def keep(self) -> None:
        """What the next works begin with."""
        self.run.launcher.output(self.archive("archive"), limit=1200)
        self.run.launcher.output(self.backup(), limit=1200)
        self.run.launcher.output(["tar", "-cf", self.path("files.tar"), "-C", str(self.folder), "."], limit=1200)
        if self.run.peers.restic:
            self.run.launcher.output(self.restic + ["init"], limit=120)
            self.run.launcher.output(self.restic + ["backup", str(self.folder)], limit=1200)

    def again(self) -> "list[Contender]":
        found = [Contender("backup", lambda: self.timed(self.backup())),
                 Contender("verify", lambda: self.timed(self.vault.command("backup", "verify", self.path("backup"), "--quiet")))]
        if self.run.peers.restic:
            found.append(Contender("restic", lambda: self.timed(self.restic + ["backup", str(self.folder)])))
        return found

    def back(self) -> "list[Contender]":
        def restore(source: str) -> float:
            command = [self.vault.program, "--vault", self.path("restored"), "backup", "restore", self.path(source), "--password-file",
                       str(self.vault.password), "--kdf-target", "0", "--quiet"]
            return self.timed(command, "restored")

        found = [Contender("archive", lambda: restore("archive")), Contender("snapshot", lambda: restore("backup")),
                 Contender("tar", lambda: self.untar())]
        if self.run.peers.restic:
            found.append(Contender("restic", lambda: self.timed(self.restic + ["restore", "latest", "--target", self.path("unpacked")], "unpacked")))
        return found

    def untar(self) -> float:
        (self.place / "unpacked").mkdir()
        return self.timed(["tar", "-xf", self.path("files.tar"), "-C", self.path("unpacked")], "unpacked")

    def archive(self, name: str) -> "list[str]":
        return self.vault.command("export", "vault", "-o", self.path(name), "--new-password-file", str(self.vault.password), "--kdf-target", "0", "--quiet")

    def backup(self) -> "list[str]":
        return self.vault.command("backup", "create", self.path("backup"), "--quiet")

    def timed(self, command: "list[str]", made: "str | None" = None) -> float:
        seconds = self.run.launcher.seconds([shutil.which(command[0]) or command[0], *command[1:]], limit=3_600)
        if made:
            self.drop(made)
        return seconds

    def path(self, name: str) -> str:
        return str(self.place / name)

    def drop(self, name: str) -> None:
        if (self.place / name).exists():
            self.run.space.drop(self.place / name)
