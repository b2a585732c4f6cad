# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A file is moved at one step of one command; then its owner does what the programs say, and reads everything."""

import collections, itertools, shutil, time

from jobs import COMMANDS
from machine import Machine, ended
from moves import FILES, WAYS, Move
from steps import CALLS, Tracer, at_step


class Known:
    """What was acknowledged: the last text of each note, and attached files."""

    def __init__(self, texts, files, first):
        self.texts, self.files, self.first = dict(texts), dict(files), first

    def __len__(self):
        return len(self.texts) + len(self.files)


class Bench:
    """A closed vault and an older copy of it; each trial begins with them."""

    def __init__(self, programs, scratch):
        self.scratch = scratch
        self.machine = Machine(programs, scratch / "machine")
        self.steps = {}
        machine = self.machine
        machine.need("init", "--no-recovery", "--kdf-target", "0", *machine.password)
        machine.unlock()
        written = [f"note {number}" + " word" * number for number in range(6)]
        texts = {machine.new(text)[0]: text for text in written}
        first = list(texts)[0]
        file = machine.scratch / "first.bin"
        file.write_bytes(b"first" * 5000)
        machine.need("attach", "add", first, str(file))
        files = {(first, file.name): file.read_bytes()}
        self.keep_draft(list(texts)[1])
        machine.end()
        shutil.copytree(machine.vault, scratch / "older")
        machine.unlock()
        for number in range(4):
            texts[machine.new(f"later {number}")[0]] = f"later {number}"
        machine.end()
        self.known = Known(texts, files, first)
        shutil.copytree(machine.home, scratch / "home", symlinks=True)

    def keep_draft(self, note):
        """An edit that was never ended: its draft stays."""
        machine = self.machine
        machine.text.write_text("unfinished")
        process = machine.start_edit(note)
        end = time.monotonic() + 10
        while not machine.ready.exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.3)
        process.kill()
        ended(process)
        machine.go.touch()

    def begin(self):
        """The vault, open, with a note that no checkpoint has taken into the index. Returns what is known."""
        machine = self.machine
        machine.end()
        shutil.rmtree(machine.home)
        shutil.rmtree(self.scratch / "aside", ignore_errors=True)
        (self.scratch / "aside").mkdir()
        shutil.copytree(self.scratch / "home", machine.home, symlinks=True)
        # Where one lies it is renewed, whatever the file system.
        (machine.vault / "lease").write_text("")
        unlock = machine.unlock()
        if unlock.returncode != 0:
            raise RuntimeError(f"the vault does not open: {unlock.stderr}")
        known = Known(self.known.texts, self.known.files, self.known.first)
        known.texts[machine.new("in the log")[0]] = "in the log"
        return known

    def count_steps(self, name):
        """The calls that a command makes, found out once."""
        if name not in self.steps:
            command = COMMANDS[name](self.machine, self.begin())
            tracer = Tracer(self.machine.agent, self.scratch / "trace")
            process = command.start()
            while not command.is_over(process):
                time.sleep(0.005)
            command.finish(process)
            tracer.end()
            counts = tracer.calls()
            self.steps[name] = [(call, when) for call in CALLS for when in range(1, counts[call] + 1)]
        return self.steps[name]

    def trial(self, name, move_name, way, step, can_trace):
        """Returns counts and faults."""
        known = self.begin()
        machine = self.machine
        move = Move(move_name, way, machine.vault, self.scratch / "older", self.scratch / "aside")
        command = COMMANDS[name](machine, known)
        agent = machine.agent
        if step == "editor":
            command.action = lambda: move.apply(agent)
            process = command.start()
            while not command.is_over(process):
                time.sleep(0.005)
            answer = command.finish(process)
        elif isinstance(step, float) or not can_trace:
            answer = self.timed(command, move, agent, step)
        else:
            log = self.scratch / "trace"
            answer, came = at_step(agent, log, step, command, lambda: move.apply(agent))
            # Nobody saves what is moved after the last look at it, when the files are being closed.
            if came and name == "lock" and '"index-' not in log.read_text(errors="replace").split("by SIGSTOP", 1)[-1]:
                move.was_held = False
        if not move.moved and move.path is None:
            return None
        return Aftermath(machine, known, move, command, answer).judge()

    def timed(self, command, move, agent, seconds):
        """The move comes some time after the beginning of the command."""
        if seconds == 0:
            move.apply(agent)
            process = command.start()
        else:
            process = command.start()
            time.sleep(seconds)
            move.apply(agent)
        while not command.is_over(process):
            time.sleep(0.002)
        return command.finish(process)


class Aftermath:
    """What the owner does after a move, and what is left."""

    def __init__(self, machine, known, move, command, answer):
        self.machine, self.known, self.move, self.command = machine, known, move, command
        self.said, self.hints = [], []
        self.counts, self.faults = collections.Counter(trials=1), []
        self.answer = answer

    def note(self, answer):
        """Keeps what a command said."""
        self.said.append(f"{answer.args[1]} {answer.returncode} {answer.stderr.strip()}")
        if "rescued" in answer.stderr:
            self.hints.append(answer.stderr)
        return answer

    def judge(self):
        answer = self.note(self.answer)
        # As the refusal says: once more.
        if answer.returncode == 7 and "rewritten" in answer.stderr and self.command.name != "edit":
            process = self.command.start()
            answer = self.note(self.command.finish(process))
        if answer.returncode == 0:
            self.command.acknowledged(answer)
            self.counts["answered"] += 1
        self.counts["acknowledged"] += len(self.known)
        opening = self.open()
        self.counts[opening] += 1
        if opening == "refused":
            return self.refused()
        missing = self.missing()
        if missing and self.put_back():
            self.counts["undone"] += 1
            missing = self.missing()
        if missing:
            self.lose(missing)
        return self.counts, self.faults

    def open(self):
        """Locks, unlocks, and does what a refusal says, at most three times."""
        way = "opened"
        for _ in range(4):
            lock = self.note(self.machine.run("lock", "--no-input"))
            if "there is no vault" in lock.stderr:
                # No command reaches its agent; the end of the session does.
                self.machine.log_out()
                self.note(self.machine.run("lock", "--no-input"))
            # What was said first counts too, and is done once.
            hints, self.hints = self.hints, []
            for hint in hints:
                if self.machine.follow(hint):
                    way = "rescued"
                    break
            unlock = self.note(self.machine.unlock())
            if unlock.returncode == 0:
                if self.machine.texts() is not None:
                    return way
                continue
        return "refused"

    def put_back(self):
        if not self.move.can_undo:
            return False
        self.machine.end()
        self.move.undo()
        return self.open() != "refused"

    def refused(self):
        """The vault does not open; what was moved goes back, and then it must."""
        if self.put_back():
            self.counts["undone"] += 1
            missing = self.missing()
            if missing:
                self.lose(missing)
        elif self.move.was_held:
            self.counts["lost"] += len(self.known)
            self.faults.append(f"the vault does not open: {self.said}")
        else:
            self.counts["named"] += len(self.known)
        return self.counts, self.faults

    def missing(self):
        """Acknowledged writes that are not there."""
        texts = self.machine.texts() or {}
        left = [
            note for note, text in self.known.texts.items()
            if texts.get(note) != text and not self.is_below_an_edit(note, text, texts.get(note))]
        for (note, name), content in self.known.files.items():
            if self.machine.file(note, name) != content:
                left.append((note, name))
        return left

    def is_below_an_edit(self, note, text, shown):
        """An edit that was refused after its commit may be saved all the same; what was acknowledged is below it."""
        if self.command.name != "edit" or shown != self.machine.text.read_text().rstrip("\n"):
            return False
        older = self.machine.run("show", f"{note}@1", "--no-input")
        return older.returncode == 0 and text in older.stdout.splitlines()

    def lose(self, missing):
        """What is gone must have been only in a file that no program had open, and it must be said."""
        check = self.note(self.machine.run("check", "--no-input"))
        is_said = check.returncode == 13 or any(f" {code} " in line[:12] for line in self.said for code in (11, 12, 13))
        if not is_said:
            self.counts["silent"] += len(missing)
            self.faults.append(f"gone without a word: {missing}: {self.said}")
            return
        lost = [one for one in missing if self.was_in_hand(one)]
        self.counts["lost"] += len(lost)
        self.counts["named"] += len(missing) - len(lost)
        if lost:
            self.faults.append(f"lost: {lost}: {self.said}")

    def was_in_hand(self, one):
        """Whether an agent held what is missing: notes by the index and its log, attachments not."""
        if isinstance(one, tuple):
            return self.move.name not in ("object", "everything", "folder")
        return self.move.was_held or self.move.name not in ("index-1.db", "index-1.db-wal", "everything", "folder")


def plan(bench, chance, can_trace):
    """Every file and way at sampled steps of each command, in a random order."""
    shares = []
    for name in COMMANDS:
        steps = bench.count_steps(name) if can_trace else [0.0, 0.005, 0.01, 0.02, 0.05, 0.1]
        # Looks and page writes are many of a kind; each other step counts.
        many = [step for step in steps if not isinstance(step, float) and step[0] in ("newfstatat", "pwrite64")]
        steps = [step for step in steps if step not in many] + chance.sample(many, min(len(many), 24))
        steps += ["editor"] * 6 if name == "edit" else []
        trials = [(name, file, way, step) for file in FILES for way in WAYS for step in [0.0, *steps]]
        chance.shuffle(trials)
        shares.append(trials)
    # Each command in its turn, since one has ten times as many steps as another.
    return [trial for turn in itertools.zip_longest(*shares) for trial in turn if trial]
