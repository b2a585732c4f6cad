#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Rotates a large vault while its agent is killed (SIGKILL) at random moments, and shows that nothing is lost.

All texts are compared after every tenth kill, and everything at the end (texts, private notes, every attachment by SHA-256); then the vault is
checked, no file of an older epoch may be left, and the old header's password and recovery key open nothing.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

import corpus  # noqa: E402
from benchlib.agepass import process_name  # noqa: E402
from benchlib.spawn import Launcher  # noqa: E402
from benchlib.vault import AGENT, Vault  # noqa: E402
from benchlib.workspace import Workspace  # noqa: E402

IMPORTED = frozenset({0, 12})


class Scene:
    """The vault, and what must be in it."""

    def __init__(self, space: Workspace, launcher: Launcher, programs: pathlib.Path, chosen: argparse.Namespace):
        self.space, self.launcher, self.chosen = space, launcher, chosen
        self.vault = Vault(programs / "vault", space, launcher, "rotated")
        self.vault.unlock()
        self.rotations = 0

    def fill(self) -> None:
        folder = self.space.disk / "notes"
        corpus.Corpus().write(folder, self.chosen.notes)
        self.launcher.output(self.vault.command("import", "markdown", str(folder), "--quiet"), IMPORTED, limit=7_200)
        self.space.drop(folder)
        secret = str(self.vault.password)
        self.private = [
            self.launcher.output(self.vault.command("new", "--private", "--note-password-file", secret, f"private note {number}")).split()[-1]
            for number in range(self.chosen.private)]
        self.note = self.launcher.output(self.vault.command("new", "holds the attachments")).split()[-1]
        self.names = []
        left, number = self.chosen.bytes, 0
        source = self.space.disk / "source"
        while left > 0:
            size = min(left, (1 << 10, 1 << 16, 1 << 20, 16 << 20, 64 << 20)[number % 5])
            with source.open("wb") as file:
                for _ in range(max(1, size >> 20)):
                    file.write(os.urandom(min(size, 1 << 20)))
            name = f"f{number}"
            self.launcher.output(self.vault.command("attach", "add", self.note, str(source), "--name", name, "--quiet"), limit=600)
            self.names.append(name)
            left, number = left - size, number + 1
        source.unlink()
        self.recovery_key = self.space.runtime / "recovery-0"
        self.launcher.output(self.vault.command("recovery", "new", "--password-file", secret, "--recovery-file", str(self.recovery_key), "--quiet"))

    def identifiers(self) -> "list[str]":
        text = self.launcher.output(self.vault.command("ls", "--all", "--json"), limit=600)
        return sorted(note["id"] for note in json.loads(text)["notes"] if not note["private"])

    def texts(self) -> str:
        """A digest of all texts of ordinary notes."""
        digest = hashlib.sha256()
        found = self.identifiers()
        for at in range(0, len(found), 4_000):
            digest.update(subprocess.run(self.vault.command("cat", *found[at:at + 4_000]), env=self.space.environment(), stdout=subprocess.PIPE, check=True).stdout)
        return f"{len(found)} {digest.hexdigest()}"

    def everything(self) -> "dict[str, str]":
        found = {"texts": self.texts()}
        for name in self.names:
            reader = subprocess.Popen(self.vault.command("attach", "get", self.note, name, "-o", "-"), env=self.space.environment(), stdout=subprocess.PIPE)
            digest = hashlib.sha256()
            while block := reader.stdout.read(1 << 20):
                digest.update(block)
            assert reader.wait() == 0, name
            found[name] = digest.hexdigest()
        for note in self.private:
            self.launcher.output(self.vault.command("note", "unlock", note, "--note-password-file", str(self.vault.password)))
            found[note] = self.vault.body(note)
            self.launcher.output(self.vault.command("note", "lock", note))
        return found

    def is_rotating(self) -> bool:
        return self.vault.status()["rotationPercent"] is not None

    def begin(self) -> subprocess.Popen:
        if self.is_rotating():
            command = self.vault.command("rotate", "--resume", "--quiet")
        else:
            self.rotations += 1
            self.old_key, self.recovery_key = self.recovery_key, self.space.runtime / f"recovery-{self.rotations}"
            command = self.vault.command("rotate", "--kdf-target", "0", "--password-file", str(self.vault.password), "--recovery-file",
                                         str(self.recovery_key), "--quiet")
        return subprocess.Popen(command, env=self.space.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_round(scene: Scene, longest: float) -> "tuple[str, float]":
    """One kill; where it fell, in percent of the rotation, and after how many seconds."""
    client = scene.begin()
    wait = random.uniform(0, longest)
    end = time.monotonic() + wait
    while time.monotonic() < end and client.poll() is None:
        time.sleep(0.005)
    assert process_name(scene.vault.agent) == AGENT
    os.kill(scene.vault.agent, signal.SIGKILL)
    client.wait(60)
    scene.vault._wait(10)
    scene.vault.unlock()
    status = scene.vault.status()
    return f"epoch {status['epoch']}, " + (f"{status['rotationPercent']} %" if status["rotationPercent"] is not None else "not under way"), wait


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--private", type=int, default=200)
    parser.add_argument("--bytes", type=int, default=2 << 30, help="of attachments")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--compare", type=int, default=10, help="all texts after every so many kills")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT.parent / ".build/release", metavar="DIR")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT.parent / "bench-out", metavar="DIR")
    chosen = parser.parse_args()
    with Workspace(chosen.out.resolve()) as space:
        scene = Scene(space, Launcher(space.environment(), space.runtime / "talk"), chosen.bin.resolve(), chosen)
        begin = time.monotonic()
        scene.fill()
        print(f"filled: {chosen.notes} notes, {chosen.private} private, {len(scene.names)} attachments, {time.monotonic() - begin:.0f} s", flush=True)
        before = scene.everything()
        clock = time.monotonic()
        client = scene.begin()
        assert client.wait(3600) == 0
        whole = time.monotonic() - clock
        print(f"one rotation without a kill: {whole:.1f} s, agent's peak {scene.vault.memory()['peak']:.0f} MiB", flush=True)
        resumed = 0
        for number in range(chosen.kills):
            place, wait = kill_round(scene, whole * 0.8)
            resumed += "%" in place
            print(f"kill {number + 1} after {wait:.2f} s: {place}", flush=True)
            if number % chosen.compare == chosen.compare - 1:
                assert scene.texts() == before["texts"], "texts differ"
                print("  all texts equal", flush=True)
        if scene.is_rotating():
            scene.launcher.output(scene.vault.command("rotate", "--resume", "--quiet"), limit=3600)
        assert scene.everything() == before, "contents differ"
        report = json.loads(scene.launcher.output(scene.vault.command("check", "--json"), limit=3600))
        assert report["clean"], report["problems"]
        epoch = scene.vault.status()["epoch"]
        scene.vault.lock()
        names = sorted(path.name for path in scene.vault.directory.iterdir())
        assert [name for name in names if name.startswith("index-")] == [f"index-{epoch}.db", f"index-{epoch}.db-wal"], names
        for name, code in ((scene.old_key, 4), (scene.recovery_key, 0)):
            if name.exists():
                scene.launcher.output(scene.vault.command("recovery", "test", "--password-file", str(name)), frozenset({code}))
        print(f"{chosen.kills} kills, {resumed} in the middle of a rotation, epoch {epoch}: all texts, private notes and attachments equal, check clean, "
              f"no file of an older epoch, the old recovery key opens nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
