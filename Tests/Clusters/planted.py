# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Histories that are made up, right ones and such with one violation, each of which the checker must find."""

import copy, hashlib, random

from history import STORE, History

DEVICES = ("a", "b", "c")


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def lines_of(text):
    return [digest(line)[:16] for line in text.split("\n") if line]


class Made:
    """A right history of three devices that meet from time to time."""

    def __init__(self, seed, rounds=40):
        self.chance, self.operations, self.clock, self.number = random.Random(seed), [], 0.0, 0
        self.texts, self.files = {}, []
        # What each device knows: notes with their revisions in order.
        self.known = {name: {} for name in DEVICES}
        self.gone = set()
        for _ in range(rounds):
            self.step()
        self.meet()
        for name in DEVICES:
            self.look(name, "uploaded")
        for name in (*DEVICES, STORE):
            self.say(name, "final", notes=self.state(DEVICES[0] if name == STORE else name), files=list(self.files))

    def say(self, device, kind, outcome="ok", **more):
        begin = self.clock
        self.clock += 0.1
        self.operations.append(
            {"device": device, "start": begin, "end": self.clock, "kind": kind, "outcome": outcome, **more})

    def revision(self, text):
        self.number += 1
        self.texts[f"r{self.number}"] = text
        return f"r{self.number}"

    def write(self, device, key, text, outcome="ok"):
        revision = self.revision(text)
        self.say(device, "write", outcome, key=key, value=digest(text), revision=revision, lines=lines_of(text))
        if outcome == "ok":
            self.known[device].setdefault(key, []).append(revision)

    def step(self):
        device = self.chance.choice(DEVICES)
        notes = self.known[device]
        what = self.chance.choice(("new", "new", "replace", "attach", "purge", "meet", "refused", "look"))
        if what == "new" or not notes:
            self.write(device, f"n{self.number}", f"first {self.number}\nsecond {self.number}")
        elif what == "refused":
            self.write(device, self.chance.choice(sorted(notes)), f"refused {self.number}", "fail")
        elif what == "look":
            self.look(device, "pending")
        elif what == "meet":
            self.meet()
        else:
            self.meet()
            key = self.chance.choice(sorted(notes))
            if what == "replace":
                self.write(device, key, f"next {self.number}\nlast {self.number}")
            elif what == "attach" and key != sorted(notes)[0]:
                self.files.append(digest(f"file {self.clock}"))
                self.say(device, "attach", key=key, value=self.files[-1])
            elif what == "purge" and len(notes) > 4 and not self.has_file(key):
                self.say(device, "purge", key=key, known=list(notes[key]))
                self.gone.add(key)
                for name in DEVICES:
                    self.known[name].pop(key, None)

    def has_file(self, key):
        return any(one["kind"] == "attach" and one["key"] == key for one in self.operations)

    def meet(self):
        """All have all; what two have written beside each other is joined."""
        together = {}
        for key in {key for notes in self.known.values() for key in notes} - self.gone:
            rows = [notes[key] for notes in self.known.values() if key in notes]
            together[key] = sorted({one for row in rows for one in row}, key=lambda name: int(name[1:]))
        for name in DEVICES:
            self.known[name] = copy.deepcopy(together)
            self.say(name, "sync", code=0, said="", limit=60)

    def look(self, name, state):
        self.say(name, "read", notes={key: [row[-1], state] for key, row in self.known[name].items()})

    def state(self, name):
        return {
            key: {"heads": [row[-1]], "shown": row[-1],
                  "history": {one: [digest(self.texts[one]), lines_of(self.texts[one])] for one in row}}
            for key, row in self.known[name].items()}


def of(operations, kind, device=None):
    return [one for one in operations if one["kind"] == kind and device in (None, one["device"])]


def living(operations):
    """A note that is there in the end and was acknowledged, with the write."""
    notes = of(operations, "final", "a")[0]["notes"]
    return next(one for one in of(operations, "write") if one["outcome"] == "ok" and one["key"] in notes)


def lost_everywhere(operations):
    write = living(operations)
    for final in of(operations, "final"):
        final["notes"][write["key"]]["history"].pop(write["revision"])
        final["notes"][write["key"]]["history"]["join"] = ["0" * 64, []]
        final["notes"][write["key"]].update(heads=["join"], shown="join")


def lost_on_one(operations):
    of(operations, "final", "b")[0]["notes"].pop(living(operations)["key"])


def lost_in_store(operations):
    of(operations, "final", STORE)[0]["notes"].pop(living(operations)["key"])


def lost_file(operations):
    for final in of(operations, "final"):
        final["files"] = final["files"][1:]


def resurrected(operations):
    purge = of(operations, "purge")[0]
    head = purge["known"][-1]
    write = next(one for one in of(operations, "write") if one["revision"] == head)
    for final in of(operations, "final"):
        final["notes"][purge["key"]] = {
            "heads": [head], "shown": head, "history": {head: [write["value"], write["lines"]]}}


def half(operations):
    write = living(operations)
    for final in of(operations, "final"):
        final["notes"][write["key"]]["history"]["cut"] = [digest("cut"), lines_of("first")]


def half_of_refused(operations):
    write = next(one for one in of(operations, "write") if one["outcome"] == "fail")
    key = living(operations)["key"]
    for final in of(operations, "final"):
        final["notes"][key]["history"]["cut"] = [digest("cut"), write["lines"][:1] + lines_of("torn")]


def other_heads(operations):
    note = of(operations, "final", "c")[0]["notes"][living(operations)["key"]]
    note["history"]["more"] = next(iter(note["history"].values()))
    note["heads"].append("more")


def other_texts(operations):
    note = of(operations, "final", "c")[0]["notes"][living(operations)["key"]]
    note["history"][note["shown"]] = [living(operations)["value"][::-1], note["history"][note["shown"]][1]]


def other_files(operations):
    of(operations, "final", "c")[0]["files"].append("f" * 64)


def back_again(operations):
    read = of(operations, "read", "a")[-1]
    key = living(operations)["key"]
    for number, revision in enumerate(("x", read["notes"][key][0])):
        later = copy.deepcopy(read)
        later.update(start=read["end"] + number, end=read["end"] + number + 0.1)
        later["notes"][key] = [revision, "pending"]
        operations.append(later)


def forgotten(operations):
    read = of(operations, "read", "b")[-1]
    read["notes"][living(operations)["key"]] = ["was shown once", "pending"]


def not_listed(operations):
    of(operations, "read", "a")[-1]["notes"].pop(living(operations)["key"])


def not_uploaded(operations):
    note = of(operations, "final", STORE)[0]["notes"][living(operations)["key"]]
    note["history"].pop(note["shown"])
    note.update(heads=list(note["history"]) or ["none"], shown="none")
    note["history"]["none"] = [living(operations)["value"], living(operations)["lines"]]


def false_alarm(operations):
    operations.append({"device": "a", "start": 1, "end": 2, "kind": "alarm", "outcome": "ok", "said": "forked"})


def too_long(operations):
    of(operations, "sync")[0]["end"] += 1000


def unsaid(operations):
    of(operations, "sync")[0].update(outcome="fail", code=8, said=" ")


def no_end(operations):
    operations[:] = [one for one in operations if one["kind"] != "final"]


def nothing_written(operations):
    for one in of(operations, "write"):
        one["outcome"] = "fail"


PLANTED = {
    lost_everywhere: "lost", lost_on_one: "lost", lost_in_store: "lost", lost_file: "lost", resurrected: "resurrected",
    half: "half", half_of_refused: "half", other_heads: "diverged", other_texts: "diverged", other_files: "diverged",
    back_again: "went back", forgotten: "went back", not_listed: "vanished", not_uploaded: "not in the store",
    false_alarm: "false alarm", too_long: "too long", unsaid: "unsaid", no_end: "not judged",
    nothing_written: "not judged"}


def self_test(seeds=5):
    """Returns how much went wrong."""
    wrong = right = found = 0
    for seed in range(seeds):
        made = Made(seed, 200)
        violations, _ = History(copy.deepcopy(made.operations)).judge()
        right += not violations
        for kind, text in violations:
            print(f"seed {seed}: a right history is refused: {kind}: {text}")
            wrong += 1
        for plant, kind in PLANTED.items():
            operations = copy.deepcopy(made.operations)
            plant(operations)
            if kind in {one for one, _ in History(operations).judge()[0]}:
                found += 1
            else:
                print(f"seed {seed}: {plant.__name__} is not found")
                wrong += 1
    print(f"history checker: {right} of {seeds} right histories accepted, {found} of {seeds * len(PLANTED)} planted "
          f"violations found, of {len(PLANTED)} forms")
    return wrong
