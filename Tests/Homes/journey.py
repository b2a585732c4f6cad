# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Three homes and one store: everything that many devices are for, one step after the other."""

import collections, json, os, random, shutil, signal, time
from pathlib import Path

from home import MARK, Home
from store import Store

LINES = ["one", "two", "three", "four", "five", "six"]


class Journey:
    """One walk over one store."""

    def __init__(self, kind, arguments, scratch):
        self.kind, self.programs, self.scratch = kind, str(Path(arguments.bin).resolve()), Path(scratch)
        self.kills, self.segments, self.verbose = arguments.kills, arguments.segments, arguments.verbose
        self.chance = random.Random(f"{arguments.seed} {kind}")
        self.counts, self.faults, self.seen = collections.Counter(), [], set()
        self.homes = []

    def run(self):
        self.store = Store(self.kind, self.scratch / "store", self.scratch)
        try:
            for step in self.walk:
                begin = time.monotonic()
                step()
                self.look_for_marks()
                if self.verbose:
                    print(f"  {self.kind}: {step.__name__} {time.monotonic() - begin:.1f} s", flush=True)
        except RuntimeError as error:
            self.faults.append(str(error))
        finally:
            for home in self.homes:
                home.end()
            self.store.end()
        return self.counts, self.faults

    @property
    def walk(self):
        return (
            self.enrol, self.write_apart, self.meet, self.resolve, self.private, self.rotate, self.restore, self.kill,
            self.be_away, self.revoke, self.judge)

    def home(self, name):
        home = Home(name, self.programs, self.scratch)
        self.homes.append(home)
        return home

    def sync_all(self, *homes):
        """Until nobody has anything to say: twice, and once more after what was joined."""
        for _ in range(3):
            for home in homes or self.homes:
                home.need_sync()

    def expect(self, holds, fault):
        self.counts["looked at"] += 1
        if not holds:
            self.faults.append(fault)

    # The steps

    def enrol(self):
        self.a = self.home("a")
        self.a.need("init", "--no-recovery", "--kdf-target", "0", *self.a.password)
        self.a.open()
        self.shared = [self.a.write(f"{MARK} shared {number}") for number in range(6)]
        for number, note in enumerate(self.shared):
            self.a.replace(note, "\n".join([f"{MARK} shared {number}", "", *LINES]))
        self.a.attach(self.shared[0])
        self.a.need("remote", "add", *self.store.words)
        self.a.need_sync()
        self.b = self.home("b")
        vault = json.loads(self.a.need("status", "--json"))["vaultID"]
        self.b.need("clone", *self.store.place, "--vault-id", vault, "--no-input", *self.b.password)
        code = self.scratch / "code"
        code.write_text(self.a.need("device", "pair", "--no-input"))
        self.c = self.home("c")
        login = self.store.place[1:] if self.kind != "folder" else []
        self.c.need("clone", "--code-file", str(code), *login, "--no-input", *self.c.password)
        for home in (self.b, self.c):
            home.open()
            home.texts, home.files = dict(self.a.texts), {}
        self.sync_all()

    def write_apart(self):
        """Nobody hears of another: what syncs by itself is paused."""
        for home in self.homes:
            home.need("sync", "pause")
        for number, home in enumerate(self.homes):
            for part in range(4):
                home.write(f"{MARK} new {home.name} {part}")
            # The same note, each another line: these join by themselves.
            changed = list(LINES)
            changed[2 * number] = f"{LINES[2 * number]} of {home.name}"
            home.replace(self.shared[0], "\n".join([f"{MARK} shared 0", "", *changed]))
            # The same line: these are a conflict.
            home.replace(self.shared[1], f"{MARK} shared 1\n\nall by {home.name}")
            home.run("tag", self.shared[2], f"{MARK}-{home.name}", "--no-input")
            home.attach(self.shared[3])
        self.c.run("rm", self.shared[4], "--no-input")
        self.b.replace(self.shared[4], f"{MARK} shared 4\n\nwritten while another threw it away")
        self.a.run("mv", self.shared[5], MARK + "book", "--no-input")

    def meet(self):
        for home in self.homes:
            home.need("sync", "resume")
        self.sync_all()
        shown = [json.loads(home.need("ls", "--all", "--json"))["notes"] for home in self.homes]
        self.expect(
            len({json.dumps(sorted((n["id"], n["revision"], n["title"], n["tags"], n["notebook"]) for n in one))
                 for one in shown}) == 1, "lists differ after meeting")
        first = self.a.need("cat", self.shared[0])
        self.expect("one of a" in first and "three of b" in first and "five of c" in first, f"not joined: {first!r}")
        tags = next(n["tags"] for n in shown[0] if n["id"] == self.shared[2])
        self.expect(len(tags) == 3, f"tags {tags}")
        self.expect(any(n["id"] == self.shared[4] for n in shown[1]), "an edit lost against the trash")
        states = {n["state"] for one in shown for n in one}
        self.expect(states == {"uploaded"}, f"states {states}")

    def resolve(self):
        conflicts = json.loads(self.b.need("conflict", "ls", "--json"))["conflicts"]
        self.counts["conflicts"] += len(conflicts)
        self.expect([one["note"]["id"] for one in conflicts] == [self.shared[1]], f"conflicts {conflicts}")
        self.expect("all by" in self.b.need("conflict", "show", self.shared[1]), "a conflict shows nothing")
        self.b.need("conflict", "resolve", self.shared[1], "--both", "--yes")
        self.sync_all()
        self.expect(json.loads(self.c.need("conflict", "ls", "--json"))["conflicts"] == [], "a conflict is left")

    def private(self):
        """A note gets a password on one home while another one, which knows nothing of it, writes in it."""
        note = self.a.write(f"{MARK} secret\n\nof all")
        self.sync_all()
        self.b.need("sync", "pause")
        self.a.need("note", "lock", note, *self.a.note_password)
        self.a.need_sync()
        self.b.replace(note, f"{MARK} secret\n\nof all, and b")
        self.b.attach(note)
        self.b.need("sync", "resume")
        self.b.need_sync()
        self.a.need_sync()
        self.a.need("note", "unlock", note, *self.a.note_password)
        self.sync_all()
        for home in self.homes:
            state = json.loads(home.need("ls", "--all", "--json"))["notes"]
            self.expect(all(n["private"] for n in state if n["id"] == note), f"{home.name} has it as an ordinary note")
            home.run("note", "unlock", note, *home.note_password)
            self.expect(", and b" in home.run("cat", note).stdout, f"{home.name} lacks the edit")
        self.sync_all()

    def rotate(self):
        """A new key while one home is away, which goes on writing under the one of before."""
        self.c.need("sync", "pause")
        self.c.write(f"{MARK} while away")
        self.a.need("rotate", "--kdf-target", "0", "--no-input", *self.a.password)
        self.a.write(f"{MARK} under the new key")
        self.a.need_sync()
        self.c.write(f"{MARK} while away, later")
        self.c.need("sync", "resume")
        for home in (self.b, self.c):
            home.sync()
            self.follow(home)
        self.sync_all()

    def follow(self, home):
        """Takes the new key over. A store that has lost a machine may list a card late: till then it is said that something is missing."""
        answer = home.run("sync", "follow", "--no-input", *home.password)
        until = time.monotonic() + (120 if self.kind == "openstack" else 0)
        while answer.returncode == 7 and time.monotonic() < until:
            self.counts["waited for a listing"] += 1
            time.sleep(2)
            answer = home.sync()
        if answer.returncode != 0:
            raise RuntimeError(f"{home.name}: following ended with {answer.returncode}: {answer.stdout}{answer.stderr}")

    def restore(self):
        """A backup of yesterday takes the place of one home's vault: nothing that was written since is lost."""
        place = self.scratch / "backup"
        # A note that became private a moment ago has words that are still being removed: it says to try again.
        for _ in range(50):
            answer = self.b.run("backup", "create", str(place), "--no-input")
            if answer.returncode != 7:
                break
            time.sleep(0.2)
        self.expect(answer.returncode == 0, f"backup create: {answer.stderr}")
        self.b.write(f"{MARK} since the backup")
        self.b.need_sync()
        self.a.write(f"{MARK} of a since the backup")
        self.a.need_sync()
        self.b.need("lock")
        shutil.rmtree(self.b.vault)
        self.b.need("backup", "restore", str(place), "--replace", "--no-input", *self.b.password)
        self.b.open()
        self.b.write(f"{MARK} after the restore")
        self.sync_all()
        self.expect(f"{MARK} since the backup" in self.b.need("ls", "--all"), "the restored home lacks what it wrote")

    def kill(self):
        """Agents and carriers are killed at random moments while two homes write, and a machine of the store with them."""
        if self.store.lose_node():
            self.counts["machines of the store killed"] += 1
        for number in range(self.kills):
            home = self.chance.choice(self.homes[:2])
            note = self.chance.choice(self.shared[2:])
            kind = self.chance.choice(("sync", "sync", "new", "replace", "attach"))
            if kind == "sync":
                process = home.start("sync", "now", "--no-input")
                time.sleep(self.chance.uniform(0, 0.06))
                self.strike(home)
                process.communicate(timeout=60)
            elif kind == "new":
                home.write(f"{MARK} round {number} by {home.name}")
                self.strike(home)
            elif kind == "replace":
                home.replace(note, f"{MARK} round {number} replaced by {home.name}")
                self.strike(home)
            else:
                home.attach(note, self.chance.choice((900, 30_000, 400_000)))
                self.strike(home)
            home.unlock()
            if self.chance.random() < 0.5:
                home.sync()
            self.counts["kills"] += 1
        for home in self.homes:
            home.unlock()
        self.sync_all()

    def strike(self, home):
        """Ends one process of a home at once: its agent, or what carries its files."""
        wanted = self.chance.choice(("vault-agent", "vault-sync"))
        for agent in home.agents():
            victims = [agent] if wanted == "vault-agent" else children(agent)
            for victim in victims:
                try:
                    os.kill(victim, signal.SIGKILL)
                    self.counts[f"killed {wanted}"] += 1
                except ProcessLookupError:
                    pass

    def be_away(self):
        """One home is away for a long time, in which another one says a thing and sends it, again and again."""
        self.c.need("sync", "pause")
        for number in range(self.segments):
            self.a.replace(self.shared[5], f"{MARK} shared 5\n\nday {number}")
            self.a.need_sync()
        self.c.need("sync", "resume")
        begin = time.monotonic()
        self.c.need_sync()
        self.counts["ms to read all that was missed"] = round(1000 * (time.monotonic() - begin))
        self.expect(f"day {self.segments - 1}" in self.c.need("cat", self.shared[5]), "the last word did not arrive")
        self.sync_all()

    def revoke(self):
        """A device is given up: what it writes afterwards counts nowhere, and it is refused."""
        devices = json.loads(self.a.need("device", "ls", "--json"))["devices"]
        status = json.loads(self.c.need("sync", "status", "--json"))["remotes"][0]["devices"]
        own = next(one["device"] for one in status if one["this"])
        self.a.need("device", "revoke", own, "--yes", "--kdf-target", "0", "--no-input", *self.a.password)
        late = f"{MARK} by a device that was given up"
        note, _ = self.c.new(late)
        answer = self.c.sync()
        self.expect(answer.returncode != 0, "a device that was given up syncs")
        self.counts[f"refused with {answer.returncode}"] += 1
        self.b.sync()
        self.follow(self.b)
        self.homes_left = [self.a, self.b]
        self.sync_all(self.a, self.b)
        self.expect(note is not None and late not in self.b.need("ls", "--all"), "what it wrote counts")
        self.expect(len(devices) >= 3, f"devices {devices}")

    # In the end

    def judge(self):
        found = {}
        for home in self.homes_left:
            check = home.run("check", "--no-input")
            self.expect(check.returncode == 0, f"{home.name}: check: {check.stdout}")
            found[home.name] = home.read()
        (notes, files), (others, other_files) = found["a"], found["b"]
        heads = [{note["id"]: note["head"] for note in one} for one in (notes, others)]
        self.counts["notes"], self.counts["files"] = len(notes), len(files)
        self.expect(heads[0] == heads[1], "heads differ")
        self.expect(shown(notes) == shown(others), "texts differ")
        self.expect(files == other_files, f"files differ: {len(files)} and {len(other_files)}")
        known = set()
        for note in notes:
            known |= {note["body"].rstrip("\n"), *(one["body"].rstrip("\n") for one in note["revisions"])}
        for home in self.homes:
            for text in home.texts:
                self.counts["acknowledged"] += 1
                self.expect(text in known, f"lost: {text!r} of {home.name}")
            for digest in home.files:
                self.counts["acknowledged"] += 1
                self.expect(digest in files, f"lost: a file of {home.name}")
        self.expect(is_marked(shown(notes).popitem()[1].encode()) and len(files) > 1, "the reader found too little to judge")

    def look_for_marks(self):
        """No byte of a text, a title, a tag or a name is in what the store keeps, its logs included: after each step,
        since some of it is removed again."""
        for path, content in self.store.bytes():
            known = (path, hash(content))
            if known in self.seen:
                continue
            self.seen.add(known)
            self.counts["bytes in the store"] += len(content)
            if is_marked(content):
                self.faults.append(f"in the open: {path.name}")


def is_marked(content):
    mark = MARK.encode()
    forms = (mark, mark.upper(), mark.hex().encode(), MARK.encode("utf-16-le"), b"correct horse", b"rosebud")
    return any(form in content for form in forms)


def shown(notes):
    return {note["id"]: note["body"] for note in notes}


def children(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
