#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Damages the files of a vault, one place at a time, and counts what is left.

A vault with notes of every kind is made by the real programs, closed cleanly or killed. Each trial copies it, damages
one file, and runs what its owner would run: unlock, check, backup, verify, restore, repair, salvage. What each of them
brings back is compared with what was written, and with what docs/decrypt.py, which shares no code with vault, takes
from the same damaged bytes. Ends with 1 when a text is wrong without a word, when a note is lost that lies whole in
the files, when a vault of which anything can be read cannot be opened at all, or when a verified snapshot does not
restore.

With --backups the files of a backup are damaged instead (backups.py). A signal ends a run early, with its table.

What a trial costs is derivations of keys, 0.2 s each, so there are few of them (about 6 instead of 25, none for a
target time): the recovery key opens what it can, docs/decrypt.py is loaded once (reader.py), and there is one private
note. The password still opens every vault of which a header was damaged, and every eighth of the others.
"""

import argparse, collections, os, random, shutil, sys, tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import backups, reader
from damage import damages_of
from owner import Owner
from sweep import Sweep

COLUMNS = {
    "trials": "damages tried",
    "opened": "opened by `unlock` as it is",
    "word": "opened after `unlock --accept-loss`",
    "repaired": "opened after `repair`",
    "never": "not opened by any of them",
    "lost": "notes that salvage did not bring back, in all trials",
    "older": "notes that came back with an earlier text, and were named",
    "unnamed": "notes whose name, or newest text's, was lost with them: that something is missing was said",
    "needless": "notes lost by repair or salvage that lie whole in the files",
    "wrong": "texts that are wrong, and that nothing named",
    "verified": "snapshots that `verify` called whole, all restored",
    "broken": "snapshots that `verify` called whole and that did not restore",
    "unread": "damaged vaults of which docs/decrypt.py read no note at all",
}


class DamagedVault(Owner):
    """The vaults of one worker, and the damages that are done to them."""

    evidence = ("damaged",)

    def __init__(self, arguments, scratch):
        super().__init__(arguments.bin, scratch, random.Random(arguments.seed))
        self.seed = arguments.seed
        self.reader = reader.Reader(self.secrets["password"], self.secrets["note-password"])
        self.closed = arguments.closed

    def prepare(self):
        self.states = [self.make_clean()] if self.closed else [self.make_clean(), self.make_killed()]
        self.plans = [damages_of(state, self.seed) for state in self.states]

    def one(self, index):
        turn, which = divmod(index, len(self.states))
        state, plan = self.states[which], self.plans[which]
        damage = plan[turn % len(plan)]
        if turn >= len(plan):
            damage = damage.another(random.Random(f"{self.seed} {index}"))
        self.use_recovery_key(turn % 8 != 0 and not damage.path.startswith("header"))
        counts, faults = self.trial(state, damage)
        return state.name, damage, damage.place, counts, faults

    def trial(self, state, damage):
        """One damage and everything that is run after it. Returns the counts and the sentences of what is wrong."""
        counts, faults = collections.Counter(trials=1), []
        self.take(state)
        damage.apply(self.vault)
        self.is_large = damage.kind in ("cut", "removal")
        whole = self.readable_without_vault(counts, faults)
        opening = self.open()
        counts[opening] += 1
        if opening == "never":
            # Where no reader finds anything, as in an index of no bytes, a repair has to say so, and to change nothing.
            if self.is_read or self.repaired.returncode != 13:
                faults.append("the vault does not open: " + self.said)
        else:
            self.use_opened(whole, counts, faults)
        self.salvage_damaged(whole, counts, faults)
        return counts, faults + self.stuck

    def use_opened(self, whole, counts, faults):
        before = self.seen("as it opened", faults, counts)
        check = self.run("check", "--json", "--no-input")
        if check.returncode not in (0, 13):
            faults.append(f"check ended with {check.returncode}: {check.stderr.strip()[:200]}")
        self.backup(before, counts, faults)
        repair = self.run("repair", "--json", "--no-input")
        if repair.returncode not in (0, 13):
            faults.append(f"repair ended with {repair.returncode}: {repair.stderr.strip()[:200]}")
        after = self.seen("after repair", faults, counts)
        # What is lost is told once, by the repair that lost it.
        self.compare("repair", after, whole, counts, faults, said=self.repaired or repair)
        missing = set(before) - set(after)
        if missing:
            faults.append(f"repair lost {len(missing)} notes that were there before it")
        self.run("lock")

    def salvage_damaged(self, whole, counts, faults):
        """What `salvage` makes of the damaged files, as they were before anything else was run on them."""
        salvage, notes = self.salvage(faults, counts)
        if notes is None:
            if whole or salvage.returncode != 13:
                faults.append(f"salvage took nothing of {len(whole)} notes: {salvage.stderr.strip()[:200]}")
                counts["needless"] += len(whole)
            return
        self.compare("salvage", notes, whole, counts, faults, said=salvage)
        counts["lost"] += len(self.state.notes) - len(notes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=4 * 3600, help="no trial begins after this time")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--audit", metavar="FILE", help="write the counts as JSON, too, for docs/AUDIT-RESULTS.md")
    parser.add_argument("--results", metavar="FILE", help="each trial as a line of JSON, as soon as it has ended")
    parser.add_argument("--keep", metavar="DIR", help="keep the damaged files of each trial with a fault")
    parser.add_argument("--backups", action="store_true", help="damage the files of a backup")
    parser.add_argument("--closed", action="store_true", help="only the vault that was closed")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    reader.with_packages()
    arguments.bin = str(Path(arguments.bin).resolve())
    if arguments.audit and not arguments.results:
        arguments.results = str(Path(arguments.audit).with_suffix(".jsonl"))
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    arguments.scratch = tempfile.mkdtemp(prefix="vault-rot-", dir=base)
    try:
        if arguments.backups:
            sweep = Sweep("damaged backups", backups.COLUMNS, backups.DamagedBackup, arguments)
        else:
            sweep = Sweep("damaged files", COLUMNS, DamagedVault, arguments)
        sweep.run()
        passed = sweep.report()
    finally:
        shutil.rmtree(arguments.scratch, ignore_errors=True)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
