# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Two machines whose folders a real Syncthing keeps alike, on loopback: one writes all the time, the other at times.

Nothing leaves this machine: no discovery, no relay, no port mapping, no report. Both instances end by their PIDs."""

import collections, os, re, shutil, signal, socket, subprocess, time, urllib.request

from machine import Machine
from shares import Owner, made

CONFIG = """<configuration version="35">
<folder id="vault" label="vault" path="{folder}" type="sendreceive" rescanIntervalS="5" fsWatcherEnabled="true"
 fsWatcherDelayS="{delay}" ignorePerms="false" autoNormalize="true">
<filesystemType>basic</filesystemType>{members}<maxConflicts>-1</maxConflicts>
<minDiskFree unit="%">0</minDiskFree></folder>
{devices}
<gui enabled="true" tls="false"><address>127.0.0.1:{port}</address><apikey>moved</apikey></gui>
<options><listenAddress>tcp://127.0.0.1:{listen}</listenAddress>
<globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled>
<relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><startBrowser>false</startBrowser>
<reconnectionIntervalS>1</reconnectionIntervalS><urAccepted>-1</urAccepted><urURL></urURL>
<autoUpgradeIntervalH>0</autoUpgradeIntervalH><crashReportingEnabled>false</crashReportingEnabled>
<minHomeDiskFree unit="%">0</minHomeDiskFree></options></configuration>
"""


SECONDS_FOR_COPIES = 40


class Syncthing:
    """One instance with a home of its own."""

    def __init__(self, home, folder):
        self.home, self.folder, self.process = home, folder, None
        self.port, self.listen = free_port(), free_port()
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "STNOUPGRADE": "1", "STNODEFAULTFOLDER": "1"}
        home.mkdir(parents=True)
        made = subprocess.run(
            ["syncthing", "generate", f"--home={home}"], env=self.environment, capture_output=True, text=True,
            timeout=60)
        identity = re.search(r"[A-Z0-9]{7}(-[A-Z0-9]{7}){7}", (home / "config.xml").read_text() + made.stdout)
        self.identity = identity[0]

    def start(self, other, delay=1):
        devices = "".join(
            f'<device id="{one.identity}" name="n{one.port}" compression="never"><address>tcp://127.0.0.1:{one.listen}'
            "</address></device>" for one in (self, other))
        members = "".join(f'<device id="{one.identity}"></device>' for one in (self, other))
        (self.home / "config.xml").write_text(CONFIG.format(
            folder=self.folder, delay=delay, members=members, devices=devices, port=self.port, listen=self.listen))
        (self.folder / ".stfolder").mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=open(self.home / "log", "w"),
            stderr=subprocess.STDOUT)

    def ask(self, path, post=False):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/rest/{path}", data=b"" if post else None, headers={"X-API-Key": "moved"})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.read().decode()
        except OSError:
            return ""

    @property
    def is_idle(self):
        status = self.ask("db/status?folder=vault")
        return '"state": "idle"' in status and re.search(r'"needTotalItems": 0\b', status) is not None

    def end(self):
        if self.process is None:
            return
        self.ask("system/shutdown", post=True)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def syncthing(programs, scratch, seconds):
    """Both machines write and hear what happens to their files; in the end all that was acknowledged is somewhere."""
    counts, faults = collections.Counter(), []
    here = made(programs, scratch / "here")
    there = Machine(programs, scratch / "there")
    there.vault.mkdir(parents=True, mode=0o700)
    owners = [Owner(here), Owner(there)]
    instances = []
    deadline = time.monotonic() + seconds
    try:
        here.unlock()
        for number in range(4):
            owners[0].write(f"first {number}")
        here.run("lock")
        instances = [Syncthing(scratch / f"sync{number}", one.vault) for number, one in enumerate((here, there))]
        for one, other in (instances, instances[::-1]):
            one.start(other)
        if not wait(lambda: (there.vault / "manifest").exists() and instances[1].is_idle, 40):
            raise OSError("Syncthing does not sync: " + (scratch / "sync1/log").read_text()[-600:])
        turn = 0
        here.unlock()
        while time.monotonic() < deadline - 10:
            turn += 1
            counts["trials"] += 1
            for part in range(4):
                if not owners[0].write(f"here {turn} {part}"):
                    owners[0].settle()
                time.sleep(0.3)
            if turn % 3 == 0:
                # As at the end of a day here, while the other machine is in use as well.
                owners[1].heard(there.unlock())
                owners[1].write(f"there {turn}")
                time.sleep(1.2)
                owners[1].write(f"there {turn} again")
                owners[1].heard(there.run("lock"))
                if turn % 2 == 0:
                    owners[0].heard(here.run("lock"))
                    wait(lambda: all(one.is_idle for one in instances), 5)
                    owners[0].settle()
        for owner in owners:
            owner.settle()
            owner.heard(owner.machine.run("lock"))
        wait(lambda: all(one.is_idle for one in instances), 8)
    finally:
        for instance in instances:
            instance.end()
    try:
        account(owners, programs, scratch, counts, faults)
    finally:
        for owner in owners:
            owner.machine.end()
    return counts, faults


def account(owners, programs, scratch, counts, faults):
    """Where each acknowledged note is: in a vault, or in a copy that unlock, check or doctor names."""
    vaults, copies = set(), set()
    # Each copy is a vault to be made; many say the same.
    end, unread = time.monotonic() + SECONDS_FOR_COPIES, 0
    for owner in owners:
        opens = owner.settle()
        said = " ".join(owner.said) + owner.machine.run("check", "--no-input").stderr
        said += owner.machine.run("doctor", "--no-input").stdout
        vaults |= set((owner.machine.texts() if opens else None or {}).values()) if opens else set()
        owner.machine.run("lock")
        for copy in others(owner.machine.vault):
            counts["copies"] += 1
            if copy.name not in said:
                faults.append(f"a copy is not named: {copy.name}")
            wanted = {text for one in owners for text in one.texts.values()} - vaults - copies
            if wanted and time.monotonic() > end:
                unread += 1
            elif wanted:
                copies |= salvaged(owner.machine, copy, scratch)
    for owner in owners:
        counts["acknowledged"] += len(owner.texts)
        for text in owner.texts.values():
            missing = "in copies not read" if unread else "lost"
            place = "kept" if text in vaults else "in copies" if text in copies else missing
            counts[place] += 1
            if place == "lost":
                faults.append(f"lost: {text}: {owner.said[-6:]}")


def others(vault):
    """Indexes beside the vault's own: another machine's, rescued, put aside."""
    names = re.compile(r"index-\d+(\.sync-conflict-[^.]*\.db|\.rescued(\.\d+)?|\.db\.aside-\w+)$")
    return sorted(path for path in vault.iterdir() if names.match(path.name))


def salvaged(machine, index, scratch):
    """The texts in such an index, by `vault salvage` of a folder in which it is the vault's."""
    folder, target = scratch / "judged", scratch / "salvaged"
    for place in (folder, target):
        shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(machine.vault, folder)
    for path in folder.iterdir():
        if path.name.startswith("index-") or path.name == "lease":
            path.unlink()
    # The log that lay beside it has the same mark in its name.
    shutil.copy2(index, folder / "index-1.db")
    log = index.with_name(index.name.replace(".db", ".db-wal"))
    if log != index and log.exists():
        shutil.copy2(log, folder / "index-1.db-wal")
    answer = machine.run("salvage", str(folder), "-o", str(target), "--no-input", *machine.password)
    if answer.returncode not in (0, 12):
        return set()
    reader = Machine(machine.programs, scratch / f"reader{time.monotonic_ns()}", target)
    try:
        return set((reader.texts() or {}).values()) if reader.unlock().returncode == 0 else set()
    finally:
        reader.end()
