#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Puts older pages and files of a vault back, and counts what its owner is shown (J01 to J04, A07, A08).

The real programs make one vault at several moments: closed, then with other texts, one password changed and one
removed, with a log at two lengths, and written apart in two copies. Each trial puts something of one moment into the
vault of another: a page, a set of pages, a file, a set of files, a fork, the whole folder; with the account's pin and
without, or in place under an agent that has the vault open. Then everything is read: lists, texts, attachments, an
export, a check, a backup. It is compared with what was written, and with what docs/decrypt.py, which shares no code
with vault, makes of the same folder.

Ends with 1 when anything old or missing is shown as if it were the present state. What may be shown without a word is
what SECURITY.md names: a vault that is, as a whole, one of another moment, where no pin knows the newer one; its
fingerprint must be another then. Commits that no manifest vouches for yet are not cut off: that is named there, too.

fresh.py [--bin DIR] [--trials N] [--seconds S] [--seed N] [--small] [--audit FILE] [--only WORD] [--verbose]
"""

import argparse, collections, json, os, random, shutil, signal, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from attacks import ORDER, plan, sample
from scenes import FreshWorld
from trials import Trial
import reader

COLUMNS = {
    "trials": "trials",
    "opened": "vaults that opened",
    "refused 4": "refused with 4, as a wrong password",
    "refused 11": "refused with 11, as older or another",
    "refused 13": "refused with 13, as damaged",
    "texts newest": "texts that were shown and are the newest",
    "texts refused": "texts that were refused",
    "texts old": "texts that are old, or said not to exist",
    "lists complete": "lists that were complete",
    "lists marked": "lists that were complete but for rows that say that they are damaged",
    "lists refused": "lists that were refused",
    "lists short": "lists that were short or old without a word",
    "check clean": "checks that found nothing",
    "check named": "checks that named it",
    "export whole": "exports that ended with 0, all complete and of the newest texts",
    "export refused": "exports that did not",
    "backup whole": "snapshots whose making ended with 0",
    "backup refused": "snapshots whose making did not",
    "second newest": "folders that docs/decrypt.py reads, all of the newest texts",
    "second refused": "folders that it refuses",
    "silent": "whole vaults of another moment that were shown without a word, as SECURITY.md says",
    "faults": "trials with something that must not be",
}


def table(results):
    """Counts by attack and pin."""
    found = collections.defaultdict(collections.Counter)
    for attack, counts, faults in results:
        counts["faults"] = 1 if faults else 0
        found[(attack.row, attack.pin)] += counts
        found[("all", "")] += counts

    def place(key):
        return next((number for number, word in enumerate(ORDER) if key[0].startswith(word)), len(ORDER)), key

    print("| attack | pin | " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * (2 + len(COLUMNS)))
    for key in sorted(found, key=place):
        print("| " + " | ".join([*key, *(str(found[key][name] or "") for name in COLUMNS)]) + " |")
    print()
    return found[("all", "")]


def sweep(arguments, chance):
    """Makes the vault, and goes through the attacks."""
    results = []
    with FreshWorld(arguments.bin, Path(arguments.scratch), chance) as world:
        world.make(arguments.small)
        attacks = plan(world, chance, arguments.small)
        if arguments.only:
            attacks = [attack for attack in attacks if arguments.only in attack.row]
        if arguments.trials:
            attacks = sample(attacks, arguments.trials, chance)
        deadline = time.monotonic() + arguments.seconds
        for attack in attacks:
            if results and time.monotonic() > deadline:
                break
            counts, faults = Trial(world, attack).run()
            results.append((attack, counts, faults))
            if arguments.verbose or faults:
                print(attack, dict(counts), *faults[:6], sep="\n    " if faults else " ", flush=True)
    print(f"{len(results)} of {len(attacks)} attacks\n")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--trials", type=int, default=0, help="as many of them, of each kind some; without it all")
    parser.add_argument("--seconds", type=float, default=2 * 3600, help="no trial begins after this time")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--small", action="store_true", help="without a log that an agent left behind")
    parser.add_argument("--audit", metavar="FILE", help="write the counts as JSON, too")
    parser.add_argument("--only", metavar="WORD", help="attacks whose row has this word")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    reader.with_packages()
    arguments.bin = str(Path(arguments.bin).resolve())
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    arguments.scratch = tempfile.mkdtemp(prefix="vault-fresh-", dir=base)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    begun = time.monotonic()
    try:
        results = sweep(arguments, random.Random(arguments.seed))
    finally:
        shutil.rmtree(arguments.scratch, ignore_errors=True)
    total = table(results)
    for name, words in COLUMNS.items():
        print(f"{name}: {words}")
    passed = total["trials"] > 0 and total["faults"] == 0
    print(f"\n{total['trials']} trials in {time.monotonic() - begun:.0f} s, {total['faults']} of them with something "
        "that must not be")
    if arguments.audit:
        figures = [[words, total[name]] for name, words in COLUMNS.items()]
        failures = [fault for _, _, faults in results for fault in faults]
        result = {"name": "what was put back", "ok": passed, "figures": figures, "failures": failures[:20]}
        Path(arguments.audit).write_text(json.dumps(result, indent=1))
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
