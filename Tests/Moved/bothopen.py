# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Two machines whose folders a real Syncthing keeps alike, both with the vault open, both writing at once.

Then both lock, the folders settle, and each owner does what the programs say: mv of what was rescued, repair, adopt,
and an unlock with what a refusal names. Every text and file that either of them was told is saved is looked for."""

import collections, hashlib, json, random, re, threading, time

from machine import Machine, ended
from shares import Owner, made
from syncing import SECONDS_FOR_COPIES, Syncthing, others, salvaged, wait

# How often each is done, of twenty.
WORK = ["new"] * 8 + ["edit"] * 5 + ["attach"] * 2 + ["lock"] * 2 + ["wait"] * 3
ADOPT = re.compile(r"vault adopt (?:'([^'\n]+)'|\"([^\"\n]+)\"|(\S+\.(?:db|db-wal)\S*|\S+\.rescued\S*|\S+\.aside-\w+))")
# How often an owner tries to follow what a refusal says.
TRIES = 6


class Side(Owner):
    """One machine, its owner, and what they were told is saved: texts by note, and the digests of files."""

    def __init__(self, name, machine, seed):
        super().__init__(machine)
        self.name, self.chance = name, random.Random(f"{seed} {name}")
        self.number, self.saved, self.files = 0, {}, {}
        self.counts, self.adopted, self.outcomes = collections.Counter(), set(), collections.Counter()
        self.named = ""

    # Writing

    def work(self, end):
        while time.monotonic() < end:
            kind = self.chance.choice(WORK)
            if kind == "wait":
                time.sleep(self.chance.uniform(0.1, 2.5))
            elif kind == "lock":
                self.heard(self.machine.run("lock", "--no-input"))
                time.sleep(self.chance.uniform(0, 2))
                self.open()
            elif not self.once(kind):
                self.counts[f"{kind} refused"] += 1
                self.open()
            time.sleep(self.chance.uniform(0, 0.3))

    def once(self, kind):
        """One write. Returns whether it was acknowledged."""
        self.number += 1
        text = f"{self.name} {kind} {self.number}"
        known = sorted(self.texts)
        if kind == "new" or not known:
            note, answer = self.machine.new(text)
            self.heard(answer)
            if note is None:
                return False
            self.texts[note] = text
            kind = "new"
        elif kind == "edit":
            note = self.chance.choice(known)
            self.machine.text.write_text(text + "\n")
            process = self.machine.start_edit(note)
            wait(lambda: self.machine.ready.exists() or process.poll() is not None, 10)
            self.machine.go.touch()
            if self.heard(ended(process, 40)).returncode != 0:
                return False
        else:
            file = self.machine.scratch / f"{self.name}{self.number}.bin"
            file.write_bytes(text.encode() * self.chance.randrange(1, 4000))
            if self.heard(self.machine.run("attach", "add", self.chance.choice(known), str(file))).returncode != 0:
                return False
            self.files[hashlib.sha256(file.read_bytes()).digest()] = text
            return True
        self.saved[text] = kind
        return True

    # What the programs say to do

    def open(self):
        """Locks, unlocks, and does what a refusal says. Returns whether the vault opens."""
        self.heard(self.machine.run("lock", "--no-input"))
        more = []
        for _ in range(TRIES):
            hints, self.hints = self.hints, []
            for hint in reversed(hints):
                if "mv " in hint and self.machine.follow(hint):
                    break
            answer = self.heard(self.machine.unlock(*more))
            self.outcomes[answer.returncode] += 1
            if answer.returncode == 0:
                # Which files may hold notes that are only there is said once, when the vault opens.
                self.named = answer.stdout + answer.stderr
                return True
            more = []
            said = answer.stderr
            if "then in the vault's folder" in said:
                continue
            if "vault repair" in said:
                self.heard(self.machine.run("repair", "--no-input", *self.machine.password))
            if "--accept-rollback" in said:
                more.append("--accept-rollback")
            elif "--accept-loss" in said and "vault repair" in said and self.outcomes["repaired"] >= 2:
                more.append("--accept-loss")
            if "vault repair" in said:
                self.outcomes["repaired"] += 1
            time.sleep(0.5)
        return False

    def adopt(self):
        """Takes over each copy that unlock, check or doctor names with its command."""
        for _ in range(40):
            said = self.told() + self.named
            named = {next(filter(None, found)) for found in ADOPT.findall(said)} - self.adopted
            named = {name for name in named if (self.machine.vault / name).is_file()}
            if not named:
                return
            for name in sorted(named):
                self.adopted.add(name)
                answer = self.heard(self.machine.run("adopt", name, "--no-input", *self.machine.password))
                self.counts[f"adopt ended with {answer.returncode}"] += 1

    def told(self):
        """What unlock, check and doctor say of the folder now."""
        unlock = self.heard(self.machine.unlock())
        check = self.heard(self.machine.run("check", "--no-input"))
        doctor = self.machine.run("doctor", "--no-input")
        return "\n".join([unlock.stdout + unlock.stderr, check.stdout + check.stderr, doctor.stdout + doctor.stderr])

    def notes(self):
        rows = self.machine.run("ls", "--all", "--json", "--no-input")
        return [note["id"] for note in json.loads(rows.stdout)["notes"]] if rows.returncode == 0 else []

    def found(self):
        """Every text and revision, and the digests of all files, as the vault shows them."""
        texts, files = set(), set()
        for note in self.notes():
            texts |= revisions(self.machine, note)
        # Each version as a note of its own: the files of those that are not shown, too.
        conflicts = self.machine.run("conflict", "ls", "--json", "--no-input")
        for note in re.findall(r'"id": ?"([^"]+)"', conflicts.stdout):
            self.machine.run("conflict", "resolve", note, "--both", "--no-input")
        for note in self.notes():
            listed = self.machine.run("attach", "ls", note, "--json", "--no-input")
            if listed.returncode == 0:
                for name in set(re.findall(r'"name": ?"([^"]+\.bin)"', listed.stdout)):
                    content = self.machine.file(note, name)
                    if content is not None:
                        files.add(hashlib.sha256(content).digest())
        return texts, files


def revisions(machine, note):
    """All texts of a note, the newest first, until there is no older one."""
    texts = set()
    for number in range(400):
        shown = machine.run("cat" if number == 0 else "show", note if number == 0 else f"{note}@{number}", "--no-input")
        if shown.returncode not in (0, 13):
            break
        texts |= set(re.findall(r"^(?:here|there) (?:new|edit|attach) \d+|^first \d+", shown.stdout, re.M))
    return texts


def both_open(seed):
    """The part of moved.py that judges it."""
    return lambda programs, scratch, seconds: session(programs, scratch, seconds, seed)


def session(programs, scratch, seconds, seed):
    here = made(programs, scratch / "here")
    there = Machine(programs, scratch / "there")
    there.vault.mkdir(parents=True, mode=0o700)
    sides = [Side("here", here, seed), Side("there", there, seed)]
    instances = []
    try:
        here.unlock()
        for number in range(4):
            note, _ = here.new(f"first {number}")
            sides[0].saved[f"first {number}"] = "new"
            for side in sides:
                side.texts[note] = f"first {number}"
        here.run("lock")
        instances = [Syncthing(scratch / f"sync{number}", one.vault) for number, one in enumerate((here, there))]
        for one, other in (instances, instances[::-1]):
            one.start(other)
        if not wait(lambda: (there.vault / "manifest").exists() and instances[1].is_idle, 40):
            raise OSError("Syncthing does not sync: " + (scratch / "sync1/log").read_text()[-600:])
        here.unlock()
        there.unlock()
        end = time.monotonic() + seconds
        hands = [threading.Thread(target=side.work, args=(end,)) for side in sides]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        settled(sides, instances)
    finally:
        for instance in instances:
            instance.end()
    try:
        return judged(sides, programs, scratch)
    finally:
        for side in sides:
            side.machine.end()


def rest(instances):
    """Until both folders have been alike for a while."""
    time.sleep(7)
    wait(lambda: all(one.is_idle for one in instances), 30)


def settled(sides, instances):
    """Both lock; then one after the other opens, takes over what is named and locks, until nobody has anything new."""
    for side in sides:
        side.heard(side.machine.run("lock", "--no-input"))
    rest(instances)
    for side in (*sides, sides[0]):
        side.opens = side.open()
        if side.opens:
            side.adopt()
        side.heard(side.machine.run("lock", "--no-input"))
        rest(instances)


def judged(sides, programs, scratch):
    """Where each acknowledged text and file is."""
    counts, faults = collections.Counter(trials=1), []
    texts, files, said = set(), set(), ""
    for side in sides:
        side.opens = side.open()
        if not side.opens:
            counts["vaults that do not open"] += 1
            faults.append(f"{side.name} does not open: {side.said[-4:]}")
            said += " ".join(side.said)
            continue
        side.adopt()
        more, others_files = side.found()
        texts, files = texts | more, files | others_files
        said += side.told() + " ".join(side.said)
    wanted = {text for side in sides for text in side.saved}
    copies, end = set(), time.monotonic() + SECONDS_FOR_COPIES
    for side in sides:
        side.machine.run("lock", "--no-input")
        for copy in others(side.machine.vault):
            counts["copies"] += 1
            is_named = copy.name in said
            counts["copies not named"] += not is_named
            if is_named and wanted - texts - copies and time.monotonic() < end:
                copies |= salvaged(side.machine, copy, scratch)
    for side in sides:
        for word, number in side.counts.items():
            counts[word] += number
        for code, number in side.outcomes.items():
            counts[f"unlock ended with {code}" if isinstance(code, int) else code] += number
        for text, kind in side.saved.items():
            tell(counts, faults, kind, text, text in texts, text in copies, side)
        for digest, text in side.files.items():
            tell(counts, faults, "attach", text, digest in files, False, side)
    return counts, faults


def tell(counts, faults, kind, text, is_found, is_named, side):
    counts[f"{kind} acknowledged"] += 1
    place = "found" if is_found else "in a named copy" if is_named else "lost"
    counts[f"{kind} {place}"] += 1
    if place == "lost":
        faults.append(f"lost: {text}")
