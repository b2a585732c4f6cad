# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A device that writes, deletes, syncs and looks, and writes down when it did so and what it was told."""

import hashlib, json, random, re, subprocess, sys, threading, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Homes"))
from home import DECRYPT, MARK, PYTHON, Home  # noqa: E402

ALL = ("ls", "--all", "state:live|trashed|archived", "--json")
# Codes after which a change may have been saved: another failure, and an agent that ended before it answered.
UNKNOWN = (1, 9, 130)
# Longer than any deadline of docs/sync-protocol.md §5 for the few small requests of one round.
SYNC_LIMIT = 180


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def lines_of(text):
    return [digest(line)[:16] for line in text.split("\n") if line]


class Recorder:
    """The history, in memory and in a file; threads append to it."""

    def __init__(self, path):
        self.operations, self.file, self.lock = [], open(path, "w"), threading.Lock()

    def note(self, device, kind, begin, outcome="ok", **more):
        one = {"device": device, "start": begin, "end": time.monotonic(), "kind": kind, "outcome": outcome, **more}
        with self.lock:
            self.operations.append(one)
            self.file.write(json.dumps(one) + "\n")

    def count(self, *kinds):
        return sum(one["kind"] in kinds and one["outcome"] == "ok" for one in list(self.operations))


class Device(Home):
    def __init__(self, name, programs, scratch, recorder, seed):
        super().__init__(name, programs, scratch)
        self.recorder, self.chance, self.own, self.shared = recorder, random.Random(f"{seed} {name}"), [], []
        self.counter, self.written, self.accepted = 0, 0, 0
        # What somebody else wants to be done next.
        self.due = []

    # Changes

    def command(self, *words, text=None, seconds=120):
        """Runs `vault`. Returns when it began, its outcome, its answer as an object, and what it said."""
        begin = time.monotonic()
        try:
            done = subprocess.run(
                [f"{self.programs}/vault", *words, "--no-input"], input=(text or "").encode(), capture_output=True,
                env=self.environment, timeout=seconds)
        except subprocess.TimeoutExpired:
            return begin, "unknown", {}, None, "it did not end"
        outcome = "ok" if done.returncode in (0, 12) else "unknown" if done.returncode in UNKNOWN else "fail"
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        return begin, outcome, answer, done.returncode, (done.stdout + done.stderr).decode(errors="replace")

    def body(self, key, slots=6):
        """A text of whole lines, each of which only this write can have written. Blank ones let them be joined."""
        self.counter += 1
        mine = f"{self.name}{self.counter}"
        rows = [f"slot {slot} {mine} {digest(f'{key} {mine} {slot}')[:12]}" for slot in range(slots)]
        return "\n\n".join([f"{MARK} {key}", *rows])

    def put(self, words, key, body):
        begin, outcome, answer, _, _ = self.command(*words, "--json", text=body + "\n")
        note = (answer.get("notes") or [{}])[0]
        key = note.get("id", key)
        self.recorder.note(
            self.name, "write", begin, outcome, key=key, value=digest(body), revision=note.get("revision"),
            lines=lines_of(body))
        self.written += outcome == "ok"
        return key if outcome == "ok" else None

    def add(self):
        key = self.put(("new", "-"), None, self.body("of one"))
        if key:
            self.own.append(key)
        return key

    def change(self):
        """One line of a note that all devices write in, in the text as it is shown here."""
        key = self.chance.choice(self.shared)
        shown = self.run("cat", key, "--no-input")
        rows = [row for row in shown.stdout.split("\n") if row]
        if shown.returncode != 0 or len(rows) < 2:
            return
        self.counter += 1
        slot, mine = self.chance.randrange(1, len(rows)), f"{self.name}{self.counter}"
        rows[slot] = f"slot {slot} {mine} {digest(f'{key} {mine} {slot}')[:12]}"
        self.put(("replace", key, "-"), key, "\n\n".join(rows))

    def attach_small(self):
        key = self.chance.choice(self.kept)
        self.number += 1
        file = self.scratch / f"{MARK}{self.name}{self.number}.bin"
        file.write_bytes(f"{MARK} {self.name} {self.number} ".encode() * self.chance.randrange(20, 400))
        begin, outcome, _, _, _ = self.command("attach", "add", key, str(file))
        self.recorder.note(
            self.name, "attach", begin, outcome, key=key, value=hashlib.sha256(file.read_bytes()).hexdigest())
        self.written += outcome == "ok"

    def throw_away(self):
        """A note of its own, or one that all write in: an edit beside it brings that back."""
        others = self.shared[3:] if self.chance.random() < 0.3 else self.own
        if not others:
            return
        key = self.chance.choice(others)
        begin, outcome, answer, _, _ = self.command("rm", key, "--json")
        if outcome != "ok" and key in self.own:
            self.own.remove(key)
        if outcome == "fail" and not answer:
            return
        self.recorder.note(self.name, "trash", begin, outcome, key=key, revision=answer["notes"][0]["revision"])
        self.written += outcome == "ok"

    def empty_trash(self):
        """Deletes for good what is in the trash, and writes down what it knew of these notes; nothing comes in then."""
        self.run("sync", "pause", "--no-input")
        try:
            rows = json.loads(self.need("ls", "--all", "state:trashed", "--json", "--no-input"))["notes"]
            if not rows or len(rows) > 12:
                return
            known = {}
            for row in rows:
                history = json.loads(self.need("history", row["id"], "--json", "--no-input"))
                known[row["id"]] = [one["id"] for one in history["revisions"]]
            begin, outcome, _, _, _ = self.command("trash", "empty", "--yes")
            for key, revisions in known.items():
                self.recorder.note(self.name, "purge", begin, outcome, key=key, known=revisions)
                self.written += outcome == "ok"
            self.own = [key for key in self.own if key not in known]
        finally:
            self.need("sync", "resume", "--no-input")

    def begin_again(self):
        """As a machine that sleeps and wakes up: a session ends in the middle of whatever is under way."""
        self.need("lock", "--no-input")
        self.open()

    # Meeting and looking

    def sync_now(self, limit=SYNC_LIMIT):
        """Returns the exit code. What it says to its owner without cause is written down; removals of many notes at
        once, which a device holds back until its owner was asked, are accepted where so many were deleted for good."""
        begin, outcome, _, code, said = self.command("sync", "now", seconds=limit + 120)
        self.recorder.note(self.name, "sync", begin, "ok" if code == 0 else "fail", code=code, said=said, limit=limit)
        held = [int(count) for count in re.findall(r"removes (\d+) notes at once", said)]
        if held and max(held) <= self.recorder.count("purge", "trash"):
            self.accepted += 1
            code = self.run("sync", "now", "--accept-removals", "--no-input", seconds=limit + 120).returncode
        return code

    def alarms(self):
        answer = self.run("sync", "status", "--json", "--no-input")
        found = json.loads(answer.stdout)["remotes"][0]["alarms"] if answer.returncode == 0 else []
        deleted = self.recorder.count("purge", "trash")
        found = [one for one in found if one["kind"] != "massChange" or one["count"] > deleted]
        for one in found:
            self.recorder.note(self.name, "alarm", time.monotonic(), said=json.dumps(one))
        return found

    def look(self):
        """Returns how many notes are in each state."""
        begin, outcome, answer, _, _ = self.command(*ALL)
        states = {}
        if outcome != "ok":
            return states
        notes = {one["id"]: [one["revision"], one["state"]] for one in answer["notes"]}
        self.recorder.note(self.name, "read", begin, notes=notes)
        for _, state in notes.values():
            states[state] = states.get(state, 0) + 1
        return states

    def work(self, wanted, pause=0.0):
        """Until so many changes were acknowledged, or it is told to stop."""
        jobs = {self.add: 30, self.change: 34, self.attach_small: 6, self.throw_away: 9, self.empty_trash: 2,
                self.sync_now: 9, self.look: 10}
        until = self.written + wanted
        while self.written < until:
            job = self.due.pop(0) if self.due else self.chance.choices(list(jobs), list(jobs.values()))[0]
            job()
            if job == self.sync_now:
                self.alarms()
            time.sleep(pause)

    # In the end

    def final(self):
        notes, files = self.read()
        self.recorder.note(self.name, "final", time.monotonic(), notes=as_final(notes), files=sorted(files))
        return notes


def as_final(notes):
    """What docs/decrypt.py has read, as a history names it."""
    found = {}
    for note in notes:
        rows = [{**note, "id": note["head"], "isHead": True}, *note["revisions"]]
        bodies = {row["id"]: (row["body"] or "").rstrip("\n") for row in rows}
        found[note["id"]] = {
            "heads": sorted(row["id"] for row in rows if row["isHead"]), "shown": note["head"],
            "history": {name: [digest(body), lines_of(body)] for name, body in bodies.items()}}
    return found


def read_store(folder, parts, secret):
    """What the store alone holds, by a reader that shares no code with the programs. Returns its report."""
    python = str(PYTHON) if PYTHON.exists() else sys.executable
    answer = subprocess.run(
        [python, "-B", str(DECRYPT), str(folder), "--json", "--out", str(parts), "--password-file", str(secret)],
        capture_output=True, text=True, timeout=900)
    if answer.returncode not in (0, 12):
        raise RuntimeError(f"the store: decrypt.py ended with {answer.returncode}: {answer.stderr[-500:]}")
    files = {hashlib.sha256(path.read_bytes()).hexdigest() for path in Path(parts).rglob("*") if path.is_file()}
    return json.loads(answer.stdout), files
