# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A backup of three snapshots, the second with parity, of which one file is damaged at a time.

Every snapshot that `backup verify --all` calls whole is restored and compared with what the vault held when it was
made. Every other one must be named, and `backup restore --salvage` takes what opens of it, which must be right."""

import collections, json, random, shutil, time

from damage import damages_of
from world import State, World

COLUMNS = {
    "trials": "damages tried",
    "whole": "snapshots that `verify --all` called whole",
    "restored": "of them restored, and equal to the vault of their time",
    "broken": "called whole, and not restored or not equal",
    "named": "snapshots that it named as damaged",
    "unnamed": "snapshots that it neither called whole nor named",
    "absent": "snapshots whose own file was removed",
    "salvaged": "damaged snapshots of which `restore --salvage` made a vault",
    "notes": "notes in them",
    "lost": "notes not in them, each restore ending with 12 or 13",
    "wrong": "notes that came back with a text that they never had, or lost without a word",
}


class DamagedBackup(World):
    """The vault stays open and whole; only its backup is damaged.

    What a trial costs is derivations of keys: the recovery key opens the restored vaults, and the password those of
    every eighth trial."""

    evidence = ("backup", "new")

    def __init__(self, arguments, scratch):
        super().__init__(arguments.bin, scratch, random.Random(arguments.seed))
        self.seed = arguments.seed

    def prepare(self):
        self.plan = spread(damages_of(self.make(), self.seed))

    def one(self, index):
        damage = self.plan[index % len(self.plan)]
        if index >= len(self.plan):
            damage = damage.another(random.Random(f"{self.seed} {index}"))
        self.use_recovery_key(index % 8 != 0)
        self.stuck = []
        counts, faults = self.trial(damage)
        return "backup", damage, damage.path.split("/")[0], counts, faults + self.stuck

    def written(self):
        return {name: sorted(texts) for name, texts in self.texts.items()}

    def make(self):
        self.need("init", "--recovery-file", str(self.secrets["recovery"]), "--kdf-target", "0", *self.password)
        self.need("unlock", "--idle", "8h", *self.password)
        self.master, self.folder = self.scratch / "master", self.scratch / "backup"
        self.notes, self.texts, self.snapshots = {}, collections.defaultdict(set), {}
        for number in range(24):
            self.write_one(self.text(number, 2000 if number % 9 == 0 else 40))
        plain = list(self.notes)
        for name in plain[:3]:
            path = self.scratch / f"file-{name}.bin"
            path.write_bytes(self.chance.randbytes(self.chance.choice((900, 30_000, 90_000))))
            self.need("attach", "add", name, str(path))
        for number, parity in enumerate((None, "20%", None)):
            if number:
                for _ in range(4):
                    self.write_one(self.text(100 * number))
                for name in self.chance.sample(plain, 4):
                    self.need("append", name, self.text(number))
                    self.remember(name)
            if parity:
                self.need("config", "set", "durability.parity", parity)
            before = set(self.names())
            time.sleep(1.1)
            self.need("backup", "create", str(self.master))
            if parity:
                self.need("config", "unset", "durability.parity")
            (made,) = set(self.names()) - before
            self.snapshots[made] = dict(self.notes)
        files = [(str(path.relative_to(self.master)), path.stat().st_size)
            for path in sorted(self.master.rglob("*")) if path.is_file() and path.name != "lock"]
        return State("backup", self.master, files, {})

    def names(self):
        if not self.master.exists():
            return []
        rows = json.loads(self.need("backup", "ls", str(self.master), "--json"))["snapshots"]
        return [row["snapshot"] for row in rows]

    def write_one(self, text):
        answer = json.loads(self.need("new", "-", "--json", stdin=text))
        self.remember(answer["notes"][0]["id"])

    def remember(self, name):
        self.notes[name] = self.need("cat", name).rstrip("\n")
        self.texts[name].add(self.notes[name])

    def restore(self, name, *more):
        """Makes a vault of a snapshot.

        - Returns: the answer, and the texts of the vault; None where there is none."""
        target = self.scratch / "new"
        shutil.rmtree(target, ignore_errors=True)
        answer = self.run("backup", "restore", str(self.folder), name, "--as-copy", "--no-input", *more, *self.key,
            "--kdf-target", "0", vault=target)
        if answer.returncode not in (0, 12) or self.run("unlock", "--no-input", *self.key, vault=target).returncode:
            return answer, None
        export = self.run("export", "json", "--plaintext", "-o", "-", "--no-input", vault=target)
        self.run("lock", vault=target)
        try:
            notes = json.loads(export.stdout)["notes"]
        except (ValueError, KeyError):
            return answer, None
        return answer, {note["id"]: note["body"].rstrip("\n") for note in notes}

    def trial(self, damage):
        counts, faults = collections.Counter(trials=1), []
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.master, self.folder)
        damage.apply(self.folder)
        verify = self.run("backup", "verify", "--all", str(self.folder), "--json", "--no-input")
        said = self.answers(verify.stdout, faults)
        for name, notes in self.snapshots.items():
            if damage.kind == "removal" and damage.path.startswith("snapshots/") and name in damage.path:
                counts["absent"] += 1
            elif said.get(name, {}).get("whole"):
                self.take_whole(name, notes, counts, faults)
            elif name in verify.stderr and verify.returncode != 0 and name in said:
                counts["named"] += 1
                self.take_what_opens(name, notes, counts, faults)
            else:
                counts["unnamed"] += 1
                faults.append(f"{name} is neither whole nor named: {verify.returncode} {verify.stderr.strip()[:300]}")
        return counts, faults

    @staticmethod
    def answers(text, faults):
        """An object for each snapshot."""
        found = {}
        for line in text.splitlines():
            try:
                answer = json.loads(line)
                found[answer["snapshot"]] = answer
            except (ValueError, KeyError):
                faults.append(f"no JSON object: {line[:100]}")
        return found

    def take_whole(self, name, notes, counts, faults):
        counts["whole"] += 1
        answer, texts = self.restore(name)
        if answer.returncode == 0 and texts == notes:
            counts["restored"] += 1
        else:
            counts["broken"] += 1
            faults.append(f"{name} was called whole: {len(texts or {})} of {len(notes)}: {answer.stderr.strip()[:200]}")

    def take_what_opens(self, name, notes, counts, faults):
        answer, texts = self.restore(name, "--salvage")
        if texts is None:
            counts["lost"] += len(notes)
            if answer.returncode in (0, 12):
                faults.append(f"{name}: a salvaged vault does not open: {answer.stderr.strip()[:200]}")
            return
        counts["salvaged"] += 1
        counts["notes"] += len(texts)
        for note in set(texts) | set(notes):
            if note in texts and texts[note] not in self.texts[note]:
                counts["wrong"] += 1
                faults.append(f"{name}: {note} has a text that was never written")
            elif texts.get(note) != notes.get(note):
                counts["lost"] += 1
                if answer.returncode == 0:
                    counts["wrong"] += 1
                    faults.append(f"{name}: {note} is not as it was, and salvage ended with 0")


def spread(plan):
    """Each folder of the backup in its turn: pages are many, and lists few."""
    shares = collections.defaultdict(list)
    for damage in plan:
        shares[damage.path.split("/")[0]].append(damage)
    turns = max(len(share) for share in shares.values())
    return [share[turn] for turn in range(turns) for share in shares.values() if turn < len(share)]
