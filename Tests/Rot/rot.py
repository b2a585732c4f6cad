#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Damages the files of a vault, one place at a time, and counts what is left.

A vault with notes of every kind is made by the real programs, closed cleanly or killed. Each trial copies it, damages
one file, and runs what its owner would run: unlock, check, backup, verify, restore, repair, salvage. What each of them
brings back is compared with what was written, and with what docs/decrypt.py, which shares no code with vault, takes
from the same damaged bytes. Ends with 1 when a text is wrong without a word, when a note is lost that lies whole in
the files, when a vault cannot be opened at all, or when a verified snapshot does not restore.

rot.py [--bin DIR] [--trials N] [--seconds S] [--seed N] [--workers N] [--audit FILE] [--closed] [--verbose]
"""

import argparse, collections, concurrent.futures, json, os, random, shutil, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from damage import damages_of
from world import World

COLUMNS = ("trials", "opened", "word", "repaired", "never", "lost", "older", "needless", "wrong", "verified", "broken")
MEANING = {
    "trials": "damages tried",
    "opened": "opened by `unlock` as it is",
    "word": "opened after `unlock --accept-loss`",
    "repaired": "opened after `repair`",
    "never": "not opened by any of them",
    "lost": "notes that salvage did not bring back, in all trials",
    "older": "notes that came back with an earlier text, and were named",
    "needless": "notes lost by repair or salvage that lie whole in the files",
    "wrong": "texts that are wrong, and that nothing named",
    "verified": "snapshots that `verify` called whole, all restored",
    "broken": "snapshots that `verify` called whole and that did not restore",
}


def trial(world, state, damage):
    """One damage and everything that is run after it. Returns the counts and the sentences of what is wrong."""
    counts, faults = collections.Counter(trials=1), []
    world.take(state)
    damage.apply(world.vault)
    whole = world.readable_without_vault()
    opening = world.open()
    counts[opening] += 1
    if opening == "never":
        faults.append("the vault does not open: " + world.said)
        return finish(world, whole, counts, faults)
    before = world.seen("as it opened", faults, counts)
    check = world.run("check", "--json", "--no-input")
    if check.returncode not in (0, 13):
        faults.append(f"check ended with {check.returncode}: {check.stderr.strip()[:200]}")
    world.backup(before, counts, faults)
    repair = world.run("repair", "--json", "--no-input")
    if repair.returncode not in (0, 13):
        faults.append(f"repair ended with {repair.returncode}: {repair.stderr.strip()[:200]}")
    after = world.seen("after repair", faults, counts)
    # What is lost is told once, by the repair that lost it.
    world.compare("repair", after, whole, state, counts, faults, said=world.repaired or repair)
    missing = set(before) - set(after)
    if missing:
        faults.append(f"repair lost {len(missing)} notes that were there before it")
    world.run("lock")
    return finish(world, whole, counts, faults)


def finish(world, whole, counts, faults):
    """What `salvage` makes of the damaged files, as they were before anything else was run on them."""
    salvage, notes = world.salvage(faults, counts)
    if notes is None:
        if whole.notes:
            faults.append(f"salvage took nothing of {len(whole.notes)} notes: {salvage.stderr.strip()[:200]}")
            counts["needless"] += len(whole.notes)
        return counts, faults
    world.compare("salvage", notes, whole, world.state, counts, faults, said=salvage)
    counts["lost"] += len(world.state.notes) - len(notes)
    return counts, faults


def worker(arguments, number, deadline, work):
    """Makes a vault of its own and goes through its share of the damages."""
    results = []
    with World(arguments.bin, Path(arguments.scratch) / str(number), random.Random(arguments.seed)) as world:
        states = [world.make_clean()] if arguments.closed else [world.make_clean(), world.make_killed()]
        for index in range(number, work, arguments.workers):
            if time.monotonic() > deadline:
                break
            state = states[index % len(states)]
            plan = damages_of(state, arguments.seed)
            damage = plan[(index // 2) % len(plan)] if work <= len(plan) * 2 else plan[index // 2 % len(plan)]
            if index // 2 >= len(plan):
                damage = damage.another(random.Random(f"{arguments.seed} {index}"))
            counts, faults = trial(world, state, damage)
            results.append((state.name, damage.kind, damage.place, counts, faults))
            if arguments.verbose or faults:
                print(state.name, damage, dict(counts), *faults, sep="\n    " if faults else " ", flush=True)
    return results


def report(results):
    """The table, and whether all is as it must be."""
    table = collections.defaultdict(collections.Counter)
    for state, kind, place, counts, _ in results:
        table[(state, place, kind)] += counts
        table[("all", "", "")] += counts
    print("| state | file | damage | " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * (3 + len(COLUMNS)))
    for key in sorted(table):
        print("| " + " | ".join([*key, *(str(table[key][name]) for name in COLUMNS)]) + " |")
    print()
    for name in COLUMNS:
        print(f"{name}: {MEANING[name]}")
    total = table[("all", "", "")]
    wrong = sum(1 for result in results if result[4])
    print(f"\n{total['trials']} trials, {wrong} of them with something that must not be")
    return wrong == 0 and total["trials"] > 0, total, [fault for result in results for fault in result[4]]


def write_audit(path, passed, total, faults):
    """What `make audit` puts on its page."""
    figures = [[MEANING[name], total[name]] for name in COLUMNS]
    result = {"name": "damaged files", "ok": passed, "figures": figures, "failures": faults[:20]}
    Path(path).write_text(json.dumps(result, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=4 * 3600, help="no trial begins after this time")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--audit", metavar="FILE", help="write the counts as JSON, too")
    parser.add_argument("--closed", action="store_true", help="only the vault that was closed")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    arguments.bin = str(Path(arguments.bin).resolve())
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    arguments.scratch = tempfile.mkdtemp(prefix="vault-rot-", dir=base)
    deadline = time.monotonic() + arguments.seconds
    try:
        with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
            shares = [
                pool.submit(worker, arguments, number, deadline, arguments.trials) for number in range(arguments.workers)
            ]
            results = [result for share in shares for result in share.result()]
    finally:
        shutil.rmtree(arguments.scratch, ignore_errors=True)
    passed, total, faults = report(results)
    if arguments.audit:
        write_audit(arguments.audit, passed, total, faults)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
