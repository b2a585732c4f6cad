#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Judges what several devices did and saw, in the way of Jepsen: history.py FILE, or history.py --self-test

The history is lines of JSON. Each has `device`, `start`, `end` (seconds of one clock), `kind`, `outcome` (ok, fail,
unknown), and by its kind:

  write  key, value, revision, lines   a note got this text (SHA-256); `lines` are the hashes of its lines
  trash  key, revision                 a note was moved to the trash
  attach key, value                    a note got this file (SHA-256)
  purge  key, known                    a note was deleted for good by a device that knew these revisions
  read   notes                         {key: [revision that is shown, state]} of all notes, those in the trash too
  sync   code, said, limit             `sync now` ended like this, and should have within so many seconds
  alarm  said                          the program told its owner of something that did not happen
  final  notes, files                  {key: {heads, shown, history: {revision: [value, lines]}}} and hashes of files,
                                       of a device, and of the device `store`, which is what the store alone holds

A write that failed, or of which nothing is known, may be there or not; but never a part of it. A text that nobody wrote
is right when all of its lines were written into this note: then it is a join.
"""

import argparse, collections, json, sys
from pathlib import Path

STORE = "store"


class History:
    def __init__(self, operations):
        self.all = sorted(operations, key=lambda one: one["end"])
        self.kinds = collections.defaultdict(list)
        for one in self.all:
            self.kinds[one["kind"]].append(one)
        self.finals = {one["device"]: one for one in self.kinds["final"]}
        self.devices = [name for name in self.finals if name != STORE]
        self.purges = collections.defaultdict(list)
        for one in self.kinds["purge"]:
            if one["outcome"] != "fail":
                self.purges[one["key"]].append(one)
        self.found, self.counts = [], collections.Counter()

    def judge(self):
        """Returns violations, each with its kind and a text, and counts."""
        for check in (self.is_judgeable, self.lost, self.resurrected, self.halves, self.diverged, self.went_back,
                      self.vanished, self.untrue_states, self.alarms, self.syncs):
            check()
        for one in self.kinds["write"] + self.kinds["attach"] + self.kinds["trash"] + self.kinds["purge"]:
            self.counts[{"ok": "acknowledged", "fail": "refused", "unknown": "unknown"}[one["outcome"]]] += 1
        self.counts["reads"] = len(self.kinds["read"])
        self.counts["purged"] = sum(one["outcome"] == "ok" for one in self.kinds["purge"])
        return self.found, self.counts

    def report(self, kind, text):
        self.found.append((kind, text))
        self.counts[kind] += 1

    def was_purged(self, key, revision):
        """Whether a device that knew this revision may have deleted the note for good."""
        return any(revision in one["known"] for one in self.purges[key])

    def is_judgeable(self):
        if len(self.devices) < 2 or STORE not in self.finals:
            self.report("not judged", "too few devices were read in the end")
        if not any(one["outcome"] == "ok" for one in self.kinds["write"]):
            self.report("not judged", "nothing was acknowledged")

    def lost(self):
        for one in self.kinds["write"]:
            if one["outcome"] != "ok" or self.was_purged(one["key"], one["revision"]):
                continue
            for name, final in self.finals.items():
                note = final["notes"].get(one["key"])
                if note is None or all(value != one["value"] for value, _ in note["history"].values()):
                    self.report("lost", f"{one['key']} {one['revision']} of {one['device']} is not on {name}")
        for one in self.kinds["attach"]:
            if one["outcome"] != "ok" or self.purges[one["key"]]:
                continue
            for name, final in self.finals.items():
                if one["value"] not in final["files"]:
                    self.report("lost", f"a file of {one['key']} of {one['device']} is not on {name}")

    def resurrected(self):
        """What is left of a note that was deleted for good must be something that this device did not know."""
        for key, purges in self.purges.items():
            for one in purges:
                for name, final in self.finals.items():
                    note = final["notes"].get(key)
                    if one["outcome"] != "ok" or note is None:
                        continue
                    if set(note["heads"]) <= set(one["known"]):
                        self.report("resurrected", f"{key}, deleted by {one['device']}, is on {name}")

    def halves(self):
        values, lines = collections.defaultdict(set), collections.defaultdict(set)
        for one in self.kinds["write"]:
            # A new note that was refused has no name.
            for key in [one["key"]] if one["key"] else [None]:
                values[key].add(one["value"])
                lines[key].update(one["lines"])
        for name, final in self.finals.items():
            for key, note in final["notes"].items():
                for revision, (value, own) in note["history"].items():
                    if value in values[key] or value in values[None]:
                        continue
                    if not own or not set(own) <= lines[key]:
                        self.report("half", f"{key} {revision} on {name} is a text that nobody wrote")
                    else:
                        self.counts["joins"] += name != STORE and name == self.devices[0]

    def diverged(self):
        names = list(self.finals)
        for name in names[1:]:
            first, other = self.finals[names[0]], self.finals[name]
            for key in sorted(set(first["notes"]) | set(other["notes"])):
                one, two = first["notes"].get(key), other["notes"].get(key)
                if one is None or two is None:
                    self.report("diverged", f"{key} is only on {names[0] if one else name}")
                elif sorted(one["heads"]) != sorted(two["heads"]) or one["shown"] != two["shown"]:
                    self.report("diverged", f"{key}: other heads on {names[0]} and {name}")
                elif any(one["history"][head][0] != two["history"][head][0] for head in one["heads"]):
                    self.report("diverged", f"{key}: other texts on {names[0]} and {name}")
            if set(first["files"]) != set(other["files"]):
                self.report("diverged", f"other files on {names[0]} and {name}")

    def went_back(self):
        """A device that has seen a revision keeps it, and never shows an earlier one again; but of two versions of a
        note one may be deleted for good by a device that did not know the other."""
        for name in self.devices:
            shown = collections.defaultdict(list)
            for one in self.kinds["read"]:
                for key, (revision, _) in one["notes"].items() if one["device"] == name else ():
                    if not shown[key] or shown[key][-1] != revision:
                        shown[key].append(revision)
            for key, revisions in shown.items():
                kept = [one for one in revisions if not self.was_purged(key, one)]
                kept = [one for one, before in zip(kept, [None, *kept]) if one != before]
                if len(set(kept)) != len(kept):
                    self.report("went back", f"{key} on {name} showed a revision again: {revisions}")
                note = self.finals[name]["notes"].get(key)
                history = note["history"] if note else {}
                for revision in set(revisions) - set(history):
                    if not self.was_purged(key, revision):
                        self.report("went back", f"{key} on {name} has lost {revision}, which it has shown")

    def vanished(self):
        """A note that a device has written or shown is in each later list of it, unless somebody deleted it.

        A list is not made in one moment: a note that moves to the trash meanwhile may be left out. That is counted, and
        is a violation when the next list lacks it, too."""
        for name in self.devices:
            seen, missing = {}, set()
            for one in self.all:
                if one["device"] != name:
                    continue
                if one["kind"] == "write" and one["outcome"] == "ok":
                    seen.setdefault(one["key"], one["end"])
                if one["kind"] != "read":
                    continue
                gone = {key for key, purges in self.purges.items() if any(p["start"] < one["end"] for p in purges)}
                absent = {key for key, since in seen.items() if since < one["start"]} - set(one["notes"]) - gone
                for key in sorted(absent & missing):
                    self.report("vanished", f"{key} is not in a list of {name} at {one['start']:.1f}")
                self.counts["left out of one list"] += len(absent - missing)
                missing = absent
                for key in one["notes"]:
                    seen.setdefault(key, one["end"])
            for key in sorted(missing):
                self.report("vanished", f"{key} is not in the last list of {name}")

    def untrue_states(self):
        """What was called uploaded is in the store."""
        store = self.finals.get(STORE, {"notes": {}})["notes"]
        claims = set()
        for one in self.kinds["read"]:
            claims |= {(key, revision) for key, (revision, state) in one["notes"].items() if state == "uploaded"}
        self.counts["called uploaded"] = len(claims)
        for key, revision in sorted(claims):
            if revision not in store.get(key, {"history": {}})["history"] and not self.was_purged(key, revision):
                self.report("not in the store", f"{key} {revision} was called uploaded")

    def alarms(self):
        for one in self.kinds["alarm"]:
            self.report("false alarm", f"{one['device']}: {one['said']}")

    def syncs(self):
        for one in self.kinds["sync"]:
            seconds = one["end"] - one["start"]
            self.counts["longest sync in ms"] = max(self.counts["longest sync in ms"], round(1000 * seconds))
            self.counts["syncs that ended with " + str(one["code"])] += 1
            if seconds > one["limit"]:
                self.report("too long", f"{one['device']}: sync took {seconds:.1f} s of {one['limit']}")
            if one["outcome"] == "fail" and not one["said"].strip():
                self.report("unsaid", f"{one['device']}: sync ended with {one['code']} and said nothing")


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        from planted import self_test
        return self_test()
    found, counts = History(read(arguments.file)).judge()
    print(dict(counts), *(f"{kind}: {text}" for kind, text in found), sep="\n    ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
