#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Moves the files of an open vault, one at a time, and counts which acknowledged writes are still there.

The real programs run `new`, `edit`, `attach`, `rotate` and `lock`; at one step of them a file is renamed, replaced by
an older copy or by an identical one, or removed. Then what the programs say to do is done. Ends with 1 when a write
that was acknowledged, and that an open file still held, is not in the vault, or when one is gone without a word.

moved.py [--bin DIR] [--trials N] [--seconds S] [--seed N] [--workers N] [--audit FILE] [--verbose] [--only PART ...]
"""

import argparse, collections, concurrent.futures, json, os, random, shutil, signal, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from bothopen import both_open
from shares import SFTP_SERVERS, mounted, rsync, two_machines
from steps import can_trace
from syncing import syncthing
from trials import Bench, plan

COLUMNS = {
    "trials": "moves tried",
    "acknowledged": "acknowledged writes looked for",
    "answered": "commands that ended with 0 although a file was moved under them",
    "opened": "vaults that opened as they were",
    "rescued": "vaults that opened after the hint was followed",
    "undone": "vaults whose file its owner had to put back, as they said",
    "refused": "vaults that were refused, whose file nobody had open",
    "named": "writes gone with a file that nobody had open, each said",
    "lost": "acknowledged writes lost",
    "silent": "acknowledged writes gone without a word",
}
# What several machines do: the programs that a part needs, and how long it may take in seconds.
PARTS = {
    "rsync": (rsync, ("rsync",), 60),
    "syncthing": (syncthing, ("syncthing",), 60),
    **{f"both open {seed}": (both_open(seed), ("syncthing",), 120) for seed in (1, 2, 3)},
    "bindfs": (mounted("bindfs"), ("bindfs",), 60),
    "sshfs": (mounted("sshfs"), ("sshfs",), 60),
    "two machines by bindfs": (two_machines("bindfs"), ("bindfs",), 40),
    "two machines by sshfs": (two_machines("sshfs"), ("sshfs",), 40),
}


def moves(arguments, number, deadline):
    """One worker's share of the moves."""
    results = []
    bench = Bench(arguments.bin, Path(arguments.scratch) / str(number))
    try:
        bench.begin()
        works = can_trace(bench.machine.agent, bench.scratch / "trace")
        trials = plan(bench, random.Random(arguments.seed), works)
        for name, file, way, step in trials[number:arguments.trials:arguments.workers]:
            if time.monotonic() > deadline and results:
                break
            found = bench.trial(name, file, way, step, works)
            if found is None:
                continue
            counts, faults = found
            results.append((name, file, way, counts, faults))
            if arguments.verbose or faults:
                print(name, file, way, step, dict(counts), *faults, sep="\n    " if faults else " ", flush=True)
    finally:
        bench.machine.end()
    return results


def shared(arguments, deadline):
    """What several machines do to one vault, one part after the other. Returns counts by part, and faults."""
    found, faults = {}, []
    for name, (part, programs, seconds) in PARTS.items():
        if arguments.only and name not in arguments.only:
            continue
        lacking = [program for program in programs if not shutil.which(program)]
        if "sshfs" in programs and not any(os.path.exists(path) for path in SFTP_SERVERS):
            lacking.append("sftp-server")
        if "bindfs" in programs + ("sshfs",) and not os.path.exists("/dev/fuse"):
            lacking.append("/dev/fuse")
        if lacking or time.monotonic() > deadline:
            print(f"{name}: not run{': ' + ', '.join(lacking) + ' is missing' if lacking else ''}", flush=True)
            found[name] = None
            continue
        scratch = Path(arguments.scratch) / name.replace(" ", "-")
        scratch.mkdir()
        try:
            counts, wrong = part(arguments.bin, scratch, min(seconds, max(10, deadline - time.monotonic())))
        except OSError as error:
            print(f"{name}: not run: {error}", flush=True)
            found[name] = None
            continue
        found[name] = counts
        faults += [f"{name}: {fault}" for fault in wrong]
        print(f"{name}: {dict(counts)}", *wrong, sep="\n    ", flush=True)
    return found, faults


def table(results):
    """Counts by command, file and way."""
    found = collections.defaultdict(collections.Counter)
    for name, file, way, counts, _ in results:
        found[(name, file, way)] += counts
        found[("all", "", "")] += counts
    print("| command | file | way | " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * (3 + len(COLUMNS)))
    for key in sorted(found):
        print("| " + " | ".join([*key, *(str(found[key][name]) for name in COLUMNS)]) + " |")
    print()
    return found[("all", "", "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--trials", type=int, default=1500)
    parser.add_argument("--seconds", type=float, default=3600, help="nothing begins after this time")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--audit", metavar="FILE", help="write the counts as JSON, too")
    parser.add_argument("--only", nargs="+", choices=["moves", *PARTS], help="these parts alone")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    arguments.bin = str(Path(arguments.bin).resolve())
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    arguments.scratch = tempfile.mkdtemp(prefix="vault-moved-", dir=base)
    deadline = time.monotonic() + arguments.seconds
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    results, total = [], collections.Counter()
    try:
        if not arguments.only or "moves" in arguments.only:
            with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
                shares = [pool.submit(moves, arguments, number, deadline) for number in range(arguments.workers)]
                results = [result for share in shares for result in share.result()]
            total = table(results)
        parts, faults = shared(arguments, deadline)
    finally:
        shutil.rmtree(arguments.scratch, ignore_errors=True)
    faults = [fault for result in results for fault in result[4]] + faults
    figures = [[COLUMNS[name], total[name]] for name in COLUMNS if results]
    for name, counts in parts.items():
        figures += [[f"{name}: {word}", number] for word, number in counts.items()] if counts else [[name, "not run"]]
    for words, number in figures:
        print(f"{words}: {number}")
    tried = total["trials"] + sum(counts["trials"] for counts in parts.values() if counts)
    print(f"\n{len(faults)} faults")
    if arguments.audit:
        result = {"name": "moved files", "ok": not faults and tried > 0, "figures": figures, "failures": faults[:20]}
        Path(arguments.audit).write_text(json.dumps(result, indent=1))
    sys.exit(0 if not faults and tried > 0 else 1)


if __name__ == "__main__":
    main()
