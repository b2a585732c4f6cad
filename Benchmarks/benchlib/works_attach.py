# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One large attachment in and out, both sides in memory: beside cp, age, gpg and what OpenSSL's AES alone takes."""
import os
import pathlib
import re
import shutil
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import Series, difference
from .vault import Vault

if typing.TYPE_CHECKING:
    from .run import Run

CP_RATIO_MAX = 1 / 0.85
AGE_RATIO_MAX = 1 / 1.7
RANGE_MAX = 0.005  # seconds beyond a command that does nothing with the attachment
RANGE_BYTES = 1 << 20


class MemoryVault(Vault):
    """A vault whose directory lies in memory, so that no disk is measured."""

    def __init__(self, run: "Run", name: str = "attach-vault"):
        self.place = run.space.runtime / name
        disk, run.space.disk = run.space.disk, run.space.runtime
        try:
            super().__init__(run.programs / "vault", run.space, run.launcher, name)
        finally:
            run.space.disk = disk
        self.unlock()


def measure(run: "Run") -> None:
    if not run.has_vault:
        return
    with run.guarded("attach"):
        size = run.plan.attach_bytes
        source = run.space.runtime / "source"
        write(source, size)
        work = Attaching(run, MemoryVault(run), source)
        name = f"{size >> 20:,} MiB"
        rounds = run.plan.attach_rounds
        into = interleave(work.into(), rounds, run.results.failures, warm_ups=1)
        out = interleave(work.out(), rounds, run.results.failures, warm_ups=1)
        speed = cipher_speed(run)
        limit = {"limit": Series("s", [size / speed]) if speed else None, "limit_name": "AES-256-GCM, one core"}
        for title, series in ((f"attach {name}", into), (f"extract {name}", out)):
            ours = series.get("vault")
            run.results.add(
                Row(title, ours, "cp", series.get("cp"), ratio_max=CP_RATIO_MAX, **limit),
                Row(title, ours, "age", series.get("age"), ratio_max=AGE_RATIO_MAX, **limit),
                Row(title, ours, "gpg", series.get("gpg")),
                Row(f"{title}, private note", series.get("private"), "cp", series.get("cp")))
        run.results.add(Row("range of 1 MiB in the middle, whole process", out.get("range"), "vault attach ls", out.get("ls")),
                        Row("range of 1 MiB, beyond attach ls", beyond(out), figure_max=RANGE_MAX))
        work.memory(run)


def beyond(series):
    return difference(series["range"], series["ls"]) if "range" in series and "ls" in series else None


class Attaching:
    """The commands, and what has to be put away after each."""

    def __init__(self, run: "Run", vault: Vault, source: pathlib.Path):
        self.run, self.vault, self.source = run, vault, source
        self.target = run.space.runtime / "target"
        self.note = self._note("ordinary")
        self.secret = ("--private", "--note-password-file", str(vault.password))
        self.private = self._note("private", *self.secret)
        self.idle = vault.memory()["resident"]
        run.launcher.output(vault.command("attach", "add", self.note, str(source), "--name", "stays", "--quiet"), limit=300)
        run.launcher.output(vault.command("attach", "add", self.private, str(source), "--name", "stays", "--quiet"), limit=300)
        self.age = self._age()
        self.gpg = self._gpg()

    def _note(self, text: str, *options: str) -> str:
        return self.run.launcher.output(self.vault.command("new", *options, text), limit=60).split()[-1]

    def _age(self):
        if not self.run.peers.age:
            return None
        key = self.run.space.runtime / "attach-key"
        self.run.launcher.output([self.run.peers.age_keygen, "-o", str(key)])
        recipient = self.run.launcher.output([self.run.peers.age_keygen, "-y", str(key)]).strip()
        sealed = self.run.space.runtime / "sealed.age"
        seal = [self.run.peers.age, "-r", recipient, "-o", str(sealed), str(self.source)]
        return seal, [self.run.peers.age, "-d", "-i", str(key), "-o", str(self.target), str(sealed)], sealed

    def _gpg(self):
        if not self.run.peers.gpg:
            return None
        sealed = self.run.space.runtime / "sealed.gpg"
        common = [self.run.peers.gpg, "--batch", "--yes", "--quiet", "--homedir", str(self._gpg_home()), "--pinentry-mode", "loopback",
                  "--passphrase-file", str(self.vault.password)]
        seal = common + ["--cipher-algo", "AES256", "--compress-algo", "none", "-o", str(sealed), "-c", str(self.source)]
        return seal, common + ["-o", str(self.target), "-d", str(sealed)], sealed

    def _gpg_home(self) -> pathlib.Path:
        home = self.run.space.runtime / "gpg"
        home.mkdir(mode=0o700, exist_ok=True)
        (home / "gpg-agent.conf").write_text("disable-scdaemon\n")
        return home

    def into(self) -> "list[Contender]":
        found = [Contender("cp", lambda: self._timed([shutil.which("cp"), str(self.source), str(self.target)], self.target)),
                 Contender("vault", self._add), Contender("private", lambda: self._add(*self.secret))]
        if self.age:
            found.append(Contender("age", lambda: self._timed(self.age[0], self.age[2])))
        if self.gpg:
            found.append(Contender("gpg", lambda: self._timed(self.gpg[0], self.gpg[2]), every=2))
        return found

    def out(self) -> "list[Contender]":
        middle = f"{self.run.plan.attach_bytes // 2}:{min(RANGE_BYTES, self.run.plan.attach_bytes // 4)}"
        found = [Contender("cp", lambda: self._timed([shutil.which("cp"), str(self.source), str(self.target)], self.target)),
                 Contender("vault", lambda: self._get(self.note)), Contender("private", lambda: self._get(self.private)),
                 Contender("range", lambda: self._get(self.note, "--range", middle)),
                 Contender("ls", lambda: self.run.launcher.seconds(self.vault.command("attach", "ls", self.note)))]
        for name, peer in (("age", self.age), ("gpg", self.gpg)):
            if peer:
                self.run.launcher.output(peer[0], limit=300)
                found.append(Contender(name, lambda peer=peer: self._timed(peer[1], self.target), every=1 if name == "age" else 2))
        return found

    def _timed(self, command: "list[str]", written: pathlib.Path) -> float:
        written.unlink(missing_ok=True)
        seconds = self.run.launcher.seconds(command, limit=300)
        written.unlink(missing_ok=True)
        return seconds

    def _add(self, *options: str) -> float:
        note = self._note("another", *options)
        seconds = self.run.launcher.seconds(self.vault.command("attach", "add", note, str(self.source), "--quiet"), limit=300)
        # Gone for good with its note: memory is not without end.
        self.run.launcher.output(self.vault.command("rm", note, "--quiet"))
        self.run.launcher.output(self.vault.command("trash", "empty", "--yes", "--quiet"))
        return seconds

    def _get(self, note: str, *options: str) -> float:
        return self._timed(self.vault.command("attach", "get", note, "stays", "-o", str(self.target), "--quiet", *options), self.target)

    def memory(self, run: "Run") -> None:
        # Argon2id of the private notes takes its own, which the kernel's peak counts too: so what is there now.
        run.results.facts["agent's memory above idle after all of it, MiB"] = round(self.vault.memory()["resident"] - self.idle, 1)


def write(path: pathlib.Path, size: int) -> None:
    block = os.urandom(1 << 20)
    with path.open("wb") as file:
        for _ in range(max(1, size >> 20)):
            file.write(block)


def cipher_speed(run: "Run") -> "float | None":
    """Bytes a second that one core's AES-256-GCM does with 16 KiB at a time, by OpenSSL's own measure."""
    name = "openssl speed, AES-256-GCM, 16 KiB"
    program = shutil.which("openssl")
    if name not in run.results.facts and program:
        text = run.launcher.output([program, "speed", "-elapsed", "-seconds", "1", "-bytes", "16384", "-evp", "aes-256-gcm"], limit=60)
        figures = re.findall(r"([0-9.]+)k", text)
        if figures:
            run.results.facts[name] = f"{float(figures[-1]) / 1e6:.2f} GB/s"
    return float(run.results.facts[name].split()[0]) * 1e9 if name in run.results.facts else None
