# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What several machines may do to one vault: an older copy put over it, a folder that each of them mounts."""

import collections, os, shutil, subprocess, time
from pathlib import Path

from machine import Machine

SFTP_SERVERS = ("/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server")


class Owner:
    """Writes notes, does what refusals say, and remembers what was acknowledged."""

    def __init__(self, machine):
        self.machine = machine
        self.texts, self.said, self.hints = {}, [], []

    def heard(self, answer):
        self.said.append(f"{answer.args[1]} {answer.returncode} {answer.stderr.strip()}")
        if "rescued" in answer.stderr:
            self.hints.append(answer.stderr)
        return answer

    def write(self, text):
        """Returns whether the note was acknowledged; one refusal is followed first."""
        for _ in range(3):
            note, answer = self.machine.new(text)
            self.heard(answer)
            if note:
                self.texts[note] = text
                return True
            if answer.returncode != 7 or "rewritten" not in answer.stderr:
                break
        return False

    def settle(self, *more):
        """Locks, follows what was said, and unlocks.

        - Returns: whether the vault opens."""
        for _ in range(4):
            lock = self.heard(self.machine.run("lock", "--no-input"))
            if "there is no vault" in lock.stderr:
                self.machine.log_out()
                self.heard(self.machine.run("lock", "--no-input"))
            hints, self.hints = self.hints, []
            for hint in reversed(hints):
                if self.machine.follow(hint):
                    break
            if self.heard(self.machine.unlock(*more)).returncode == 0 and self.machine.texts() is not None:
                return True
        return False

    def missing(self, texts=None):
        """What was acknowledged and is not in the vault."""
        found = set(((texts or self.machine.texts()) or {}).values())
        return [text for text in self.texts.values() if text not in found]


def judged(owner, counts, faults, missing):
    counts["acknowledged"] += len(owner.texts)
    if missing:
        counts["lost"] += len(missing)
        faults.append(f"lost: {missing[:5]}: {owner.said[-12:]}")


def made(programs, scratch, vault=None):
    machine = Machine(programs, scratch, vault)
    machine.need("init", "--no-recovery", "--kdf-target", "0", *machine.password)
    return machine


def rsync(programs, scratch, seconds):
    """An older copy comes back by rsync while the vault is open, and a newer one goes to and fro."""
    counts, faults = collections.Counter(), []
    machine = made(programs, scratch / "machine")
    owner = Owner(machine)
    older, other = scratch / "older", scratch / "other"
    deadline = time.monotonic() + seconds
    try:
        machine.unlock()
        for number in range(3):
            owner.write(f"first {number}")
        machine.run("lock")
        copy(machine.vault, older)
        machine.unlock()
        number = 0
        while time.monotonic() < deadline:
            number += 1
            counts["trials"] += 1
            for part in range(3):
                owner.write(f"round {number} part {part}")
            if number % 3 == 0:
                # To another place and back again: nothing has changed, but for what was written meanwhile.
                copy(machine.vault, other)
                owner.write(f"round {number} between")
                copy(other, machine.vault)
            else:
                # The second one removes what the agent has put beside the vault.
                for _ in range(number % 2 + 1):
                    copy(older, machine.vault)
                    owner.write(f"round {number} after")
            if not owner.settle():
                faults.append(f"the vault does not open: {owner.said[-8:]}")
                break
            missing = owner.missing()
            if missing:
                break
        judged(owner, counts, faults, owner.missing())
    finally:
        machine.end()
    return counts, faults


def copy(source, target):
    words = ["rsync", "-a", "--delete", f"{source}/", f"{target}/"]
    subprocess.run(words, check=True, timeout=60, stdin=subprocess.DEVNULL)


class Mount:
    """A folder of this machine, mounted as a network's would be; taken down at the end."""

    def __init__(self, kind, source, place):
        self.place = Path(place)
        self.place.mkdir(parents=True)
        if kind == "bindfs":
            words = ["bindfs", "-f", str(source), str(place)]
        else:
            # The real sshfs and the real sftp-server, with a pipe between them in place of a connection.
            server = next(path for path in SFTP_SERVERS if os.path.exists(path))
            ssh = self.place.parent / (self.place.name + ".ssh")
            ssh.write_text(f"#!/bin/sh\nexec {server}\n")
            ssh.chmod(0o700)
            words = ["sshfs", "-f", "-o", f"ssh_command={ssh}", f"nobody@localhost:{source}", str(place)]
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + 10
        while not os.path.ismount(place) and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        if not os.path.ismount(place):
            self.process.kill()
            raise OSError(f"{kind} does not mount: {self.process.stderr.read().decode()}")

    def end(self):
        for words in (["fusermount3", "-u"], ["umount"], ["umount", "-l"]):
            if not os.path.ismount(self.place):
                break
            subprocess.run([*words, str(self.place)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def mounted(kind):
    def moves_on_a_mount(programs, scratch, seconds):
        """Another machine moves files of a vault that is open over a mount."""
        counts, faults = collections.Counter(), []
        source = scratch / "source"
        source.mkdir(parents=True, mode=0o700)
        mount = Mount(kind, source, scratch / "mount")
        machine, owner = None, None
        deadline = time.monotonic() + seconds
        try:
            machine = made(programs, scratch / "machine", mount.place / "vault")
            owner = Owner(machine)
            machine.unlock()
            names = ("index-1.db", "index-1.db-wal", "manifest", "manifest.2", "header", "lock")
            moves = [(way, name) for name in names for way in ("removed", "renamed", "copied")]
            for number, (way, name) in enumerate(moves):
                if time.monotonic() > deadline:
                    break
                counts["trials"] += 1
                owner.write(f"{kind} {number}")
                move(source / "vault" / name, way, scratch / "aside")
                owner.write(f"{kind} {number} after {name} was {way}")
                if not owner.settle():
                    faults.append(f"{name} {way}: the vault does not open: {owner.said[-8:]}")
                    break
                if owner.missing():
                    break
            judged(owner, counts, faults, owner.missing())
        finally:
            if machine:
                machine.end()
            mount.end()
        return counts, faults
    return moves_on_a_mount


def move(path, way, aside):
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    if not path.exists():
        return
    if way == "copied":
        shutil.copy2(path, aside / "new")
        os.rename(aside / "new", path)
    elif way == "renamed":
        os.rename(path, aside / "old")
    else:
        path.unlink()


def two_machines(kind):
    def two_agents(programs, scratch, seconds):
        """Two machines reach one vault by mounts of their own: the second is refused, or takes it over."""
        counts, faults = collections.Counter(), []
        source = scratch / "source"
        source.mkdir(parents=True, mode=0o700)
        mounts, owners = [], []
        deadline = time.monotonic() + seconds
        try:
            mounts = [Mount(kind, source, scratch / f"mount{number}") for number in (0, 1)]
            machines = [made(programs, scratch / "a", mounts[0].place / "vault"),
                Machine(programs, scratch / "b", mounts[1].place / "vault")]
            owners = [Owner(machine) for machine in machines]
            turn = 0
            while time.monotonic() < deadline and not faults:
                here, there = owners[turn % 2], owners[1 - turn % 2]
                turn += 1
                counts["trials"] += 1
                if here.heard(here.machine.unlock()).returncode != 0:
                    faults.append(f"the first is refused: {here.said[-3:]}")
                    break
                here.write(f"turn {turn} here")
                second = there.heard(there.machine.unlock())
                if second.returncode != 7:
                    faults.append(f"the second is not refused: {there.said[-1]}")
                counts["refused"] += 1
                if turn % 2 == 0:
                    if there.heard(there.machine.unlock("--take-over")).returncode != 0:
                        faults.append(f"taking over is refused: {there.said[-1]}")
                    there.write(f"turn {turn} there")
                    if here.write(f"turn {turn} late"):
                        faults.append("the first went on writing")
                    there.machine.run("lock")
                here.machine.run("lock")
                there.machine.run("lock")
            last = owners[0]
            if last.heard(last.machine.unlock()).returncode != 0:
                faults.append(f"the vault does not open: {last.said[-2:]}")
            texts = last.machine.texts()
            for owner in owners:
                judged(owner, counts, faults, owner.missing(texts))
        finally:
            for owner in owners:
                owner.machine.end()
            for mount in mounts:
                mount.end()
        return counts, faults
    return two_agents
