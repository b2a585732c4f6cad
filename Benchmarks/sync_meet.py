#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What meeting over a store costs, beside restic, git and Syncthing in the same run: sync_meet.py [--bin DIR] [--notes N]

Requests are lines of nginx's log; times are medians of `vault sync now`, over a bucket of SeaweedFS where restic has the same one, over a folder
where git and Syncthing have one. docs/performance.md §8 has the targets. `sync now` lists
the devices besides what a poll asks for, and a server of WebDAV is asked to make folders, which a bucket has none of.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Tests/Homes"), str(ROOT / "Tests/Moved")]

import corpus  # noqa: E402
from home import Home  # noqa: E402
from store import Store  # noqa: E402
from syncing import Syncthing, wait  # noqa: E402

ROUNDS = 7
PAIRS = 60


def timed(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def median(work, before=lambda: None, rounds=ROUNDS):
    found = []
    for _ in range(rounds):
        before()
        found.append(timed(work))
    return statistics.median(found)


class Meeting:
    """Homes over one store. The agents sync only when they are told to: a round of their own would be counted too."""

    def __init__(self, kind, programs, scratch, notes):
        self.store = Store(kind, pathlib.Path(scratch) / "store", scratch)
        self.first = Home("first", programs, scratch)
        self.programs, self.scratch, self.homes = programs, scratch, [self.first]
        self.first.need("init", "--no-recovery", "--kdf-target", "0", *self.first.password)
        self.first.open()
        self.first.need("import", "markdown", str(notes), seconds=1200)
        self.first.need("remote", "add", *self.store.words)

    def clone(self, name):
        home = Home(name, self.programs, self.scratch)
        self.homes.append(home)
        vault = json.loads(self.first.need("status", "--json"))["vaultID"]
        # A large vault takes minutes.
        answer = home.run("clone", *self.store.place, "--vault-id", vault, "--no-input", *home.password, seconds=1200)
        if answer.returncode != 0: raise OSError(f"clone ended with {answer.returncode}: {answer.stderr}")
        return home

    def requests(self):
        log = self.store.folder / "requests"
        return len(log.read_text().splitlines()) if log.exists() else 0

    def counted(self, work):
        before = self.requests()
        work()
        time.sleep(0.3)
        return self.requests() - before

    def change(self, number):
        note = json.loads(self.first.need("ls", "--limit", "1", "--json"))["notes"][0]["id"]
        self.first.replace(note, f"# Changed\n\nfor the time number {number}")

    def end(self):
        for home in self.homes: home.end()
        self.store.end()


def over_nginx(programs, scratch, notes, report):
    """Requests, and a bare PUT of four KiB by curl."""
    meeting = Meeting("nginx", programs, scratch, notes)
    try:
        report["requests: all notes at first"] = meeting.counted(meeting.first.need_sync)
        for name in ("second", "third"):
            home = meeting.clone(name)
            home.open()
            home.need_sync()
        for home in meeting.homes: home.need_sync()
        time.sleep(4)
        for home in meeting.homes: home.need_sync()
        report["requests: nothing new, three devices, by sync now"] = meeting.counted(meeting.first.need_sync)
        meeting.change(0)
        report["requests: a changed note, what is read included, by sync now"] = meeting.counted(meeting.first.need_sync)
        changed = median(meeting.first.need_sync, lambda: meeting.change(time.monotonic_ns()))
        block = pathlib.Path(scratch) / "block"
        block.write_bytes(os.urandom(4096))
        user = ":".join(meeting.store.said["user"])
        put = median(lambda: subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-u", user, "-T", block, f"{meeting.store.said['url']}/notes/block"], check=True))
        report["s: a changed note, nginx"], report["s: curl puts 4 KiB"] = changed, put
    finally:
        meeting.end()


def over_a_bucket(programs, scratch, notes, report):
    meeting = Meeting("seaweedfs", programs, scratch, notes)
    try:
        report["s: all notes at first, S3"] = timed(meeting.first.need_sync)
        home = None

        def clone():
            nonlocal home
            home = meeting.clone("second")
            home.open()
            assert json.loads(home.need("ls", "--limit", "1", "--json"))["notes"]
        report["s: clone to the list, S3"] = timed(clone)
        home.need_sync()
        meeting.first.need_sync()
        report["s: nothing new, S3"] = median(meeting.first.need_sync)
        if not shutil.which("restic"): return
        said = meeting.store.said
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(scratch), "RESTIC_PASSWORD": "x", "AWS_ACCESS_KEY_ID": said["keys"][0],
            "AWS_SECRET_ACCESS_KEY": said["keys"][1]}

        def restic(*words):
            subprocess.run(
                ["restic", "-q", "-r", f"s3:{said['url']}/{said['bucket']}/restic", *words], env=environment, check=True, stdout=subprocess.DEVNULL)
        restic("init")
        report["s: restic, all notes at first, S3"] = timed(lambda: restic("backup", str(notes)))
        report["s: restic, nothing new, S3"] = median(lambda: restic("backup", str(notes)))
        report["s: restic restore, S3"] = timed(lambda: restic("restore", "latest", "--target", str(pathlib.Path(scratch) / "restored")))
    finally:
        meeting.end()


def over_a_folder(programs, scratch, notes, report):
    """From the end of `vault new` on one home to the note in the list of the other, and Syncthing's way of a file."""
    meeting = Meeting("folder", programs, scratch, notes)
    instances = []
    try:
        meeting.first.need_sync()
        other = meeting.clone("second")
        other.open()
        other.need_sync()
        meeting.first.need_sync()
        time.sleep(4)
        ours = []
        for number in range(ROUNDS):
            meeting.first.need("new", f"seen {number}")
            begin = time.perf_counter()
            meeting.first.need_sync()
            while f"seen {number}" not in other.need("ls", "--limit", "1"): time.sleep(0.005)
            ours.append(time.perf_counter() - begin)
        report["s: seen on the other device, folder, sent at once"] = statistics.median(ours)
        alone = []
        for number in range(3):
            meeting.first.need("new", f"by itself {number}")
            begin = time.perf_counter()
            while f"by itself {number}" not in other.need("ls", "--limit", "1"): time.sleep(0.02)
            alone.append(time.perf_counter() - begin)
        report["s: the same, sent by itself"] = statistics.median(alone)
        if not shutil.which("syncthing"): return
        # A second's delay is the least that it has; ten are what it has by itself.
        for delay, rounds in ((1, ROUNDS), (10, 3)):
            folders = [pathlib.Path(scratch) / f"pair{delay}-{number}" for number in range(2)]
            for folder in folders: folder.mkdir()
            pair = [Syncthing(pathlib.Path(scratch) / f"syncthing{delay}-{number}", folder) for number, folder in enumerate(folders)]
            instances += pair
            for one, two in (pair, pair[::-1]): one.start(two, delay)
            (folders[0] / "begin").write_text("begin")
            if not wait(lambda: (folders[1] / "begin").exists(), 60): raise OSError("Syncthing does not sync")
            theirs = []
            for number in range(rounds):
                (folders[0] / f"file{number}").write_text(f"seen {number}")
                begin = time.perf_counter()
                while not (folders[1] / f"file{number}").exists(): time.sleep(0.005)
                theirs.append(time.perf_counter() - begin)
            report[f"s: Syncthing, a file seen in the other folder, delay {delay} s"] = statistics.median(theirs)
            for one in pair: one.end()
    finally:
        for one in instances: one.end()
        meeting.end()


def beside_nothing(programs, scratch, notes, report):
    """What local work costs while a remote is synced by itself: the same commands in turns, with a remote and without one."""
    meeting = Meeting("folder", programs, scratch, notes)
    alone = Home("alone", programs, scratch)
    meeting.homes.append(alone)
    try:
        alone.need("init", "--no-recovery", "--kdf-target", "0", *alone.password)
        alone.open()
        alone.need("import", "markdown", str(notes), seconds=1200)
        meeting.first.need_sync()
        homes = [alone, meeting.first]
        note = [json.loads(home.need("ls", "--limit", "1", "--json"))["notes"][0]["id"] for home in homes]
        works = {
            "new": lambda place, number: homes[place].need("new", f"beside {number}"),
            "edit": lambda place, number: homes[place].replace(note[place], f"# Changed\n\nfor the time number {number}"),
            "show": lambda place, number: homes[place].need("show", note[place]),
        }
        taken = {(name, place): [] for name in works for place in range(2)}
        for number in range(PAIRS):
            for name, work in works.items():
                # Each is the first as often as the other.
                for place in (0, 1) if number % 2 else (1, 0):
                    taken[name, place].append(timed(lambda: work(place, number)))
        for name in works:
            alone_median, synced = (statistics.median(taken[name, place]) for place in range(2))
            report[f"x: {name}, with a remote beside without one"] = synced / alone_median
    finally:
        meeting.end()


def switches(pid):
    """How often the threads of a process went to sleep, so how often they woke."""
    return sum(
        int(line.split()[1]) for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status")
        for line in status.read_text().splitlines() if line.startswith("voluntary_ctxt"))


def at_rest(programs, scratch, notes, report, kind, seconds=2400):
    """Wake-ups of the agent and of what it started, in the last ten minutes of so many seconds in which nobody does anything."""
    meeting = Meeting(kind, programs, scratch, notes)
    try:
        meeting.first.need_sync()
        agent = meeting.first.agent
        time.sleep(seconds - 600)
        children = subprocess.run(["pgrep", "-P", str(agent)], capture_output=True, text=True).stdout.split()
        before = sum(switches(pid) for pid in [agent, *children])
        time.sleep(600)
        report[f"wake-ups a minute at rest, {kind}"] = (sum(switches(pid) for pid in [agent, *children]) - before) / 10
    finally:
        meeting.end()


def at_rest_over_a_folder(*more): at_rest(*more, "folder")
def at_rest_over_nginx(*more): at_rest(*more, "nginx")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=str(ROOT / ".build/release"))
    parser.add_argument("--notes", type=int, default=2000)
    parser.add_argument("--rest", action="store_true", help="count wake-ups too: 40 minutes for each of two remotes")
    parser.add_argument("--only", metavar="PART", help="one of the parts, by the name of its function")
    parser.add_argument("--json", metavar="FILE")
    chosen = parser.parse_args()
    report = {"notes": chosen.notes}
    with tempfile.TemporaryDirectory(prefix="meet-") as scratch:
        notes = pathlib.Path(scratch) / "notes"
        corpus.Corpus().write(notes, chosen.notes)
        parts = [over_nginx, over_a_bucket, over_a_folder, beside_nothing]
        if chosen.rest: parts += [at_rest_over_a_folder, at_rest_over_nginx]
        for part in parts:
            if chosen.only not in (None, part.__name__): continue
            place = pathlib.Path(scratch) / part.__name__
            place.mkdir()
            try:
                part(chosen.bin, place, notes, report)
            except OSError as error:
                print(f"{part.__name__}: not run: {error}", file=sys.stderr)
    for name, value in report.items():
        print(f"{name:62} {value:10.3f}" if isinstance(value, float) else f"{name:62} {value:10}")
    if chosen.json: pathlib.Path(chosen.json).write_text(json.dumps(report, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
