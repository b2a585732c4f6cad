# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One trial: something is put back, the owner opens the vault and reads it, and what came of it is judged."""

import collections, shutil

from attacks import Attack
from reading import Reading, restored, second_reader
from scenes import LAPTOP, LOG, NEW, OLD, copied


def known(world, name):
    """The lists of a moment that nobody changed, and its fingerprint."""
    if name not in world.lists:
        state = world.states[name]
        world.take(world.states["b"])
        shutil.rmtree(world.vault)
        shutil.copytree(state.vault, world.vault)
        world.forget()
        world.now = OLD if name == "a" else NEW
        world.open_vault()
        faults = []
        reading = Reading(world, state.notes, collections.Counter(), faults).run()
        if faults or reading.refused:
            raise RuntimeError(f"moment {name} is not whole: {faults}")
        world.lists[name], state.fingerprint = reading.seen_lists, world.fingerprint()
        world.now = NEW
    return world.lists[name]


class Trial:
    def __init__(self, world, attack: Attack):
        self.world, self.attack = world, attack
        self.counts, self.faults = collections.Counter(trials=1), []
        self.moment, self.is_clean = None, False

    def run(self):
        world, attack = self.world, self.attack
        known(world, attack.base)
        if attack.is_folder or LOG in attack.files or "manifest" in attack.files:
            known(world, attack.source)
        world.now = NEW
        world.take(world.states[attack.base])
        if attack.is_running:
            self.under_an_agent()
        else:
            if not attack.has_pin:
                world.forget()
            attack.apply(world, world.vault)
            self.at_rest()
        world.end()
        return self.counts, self.faults

    # A vault at rest

    def at_rest(self):
        world, attack = self.world, self.attack
        folder = world.scratch / "second"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(world.vault, folder)
        self.moment = attack.moment_of(world, folder)
        headers_are_old = attack.has_only_old_headers(world, folder)
        touches_header = attack.is_folder or any(name.startswith("header") for name in attack.files)
        laptop = (LAPTOP,) if len(attack.files) < 3 else ()
        opening = self.open((OLD, *laptop, NEW) if touches_header else (NEW,))
        if opening == 0:
            self.judge_opened(headers_are_old)
        else:
            self.judge_refused()
        if not attack.has_pin or attack.row.startswith("one page"):
            self.judge_second(folder, opening)

    def open(self, passwords):
        """Tries them one after the other. Returns the exit code of the last; `now` is the one that opened."""
        for password in passwords:
            self.world.now = password
            answer = self.world.run("unlock", "--idle", "1h", "--no-input", *self.world.password)
            if answer.returncode == 0:
                break
            if not answer.stderr.strip():
                self.faults.append(f"unlock ended with {answer.returncode} without a word")
        return self.note_opening(answer)

    def note_opening(self, answer):
        code = answer.returncode
        if code not in (0, 4, 11, 13):
            self.faults.append(f"unlock ended with {code}: {answer.stderr.strip()[:200]}")
        self.counts["opened" if code == 0 else f"refused {code}"] += 1
        return code

    def judge_opened(self, headers_are_old):
        world, attack = self.world, self.attack
        is_other = self.moment is not None and not attack.has_pin
        if world.now != NEW and not (is_other and headers_are_old):
            self.faults.append(f"a password opens it that was changed or removed ({world.now})")
        name = self.moment if is_other else attack.base
        if is_other:
            self.counts["silent"] += 1
            if world.fingerprint() in (None, world.states[attack.base].fingerprint):
                self.faults.append("a vault of another moment has the same fingerprint")
        lists = dict(world.lists[name])
        if is_other and not headers_are_old:
            # Keys are those of the newer header.
            lists.pop("key ls --json")
        self.read(copied(world.states[name].notes), lists)

    def judge_refused(self):
        """A check opens the vault for itself, and must not find that all is well either."""
        answer = self.world.run("check", "--no-input", *self.world.password)
        if answer.returncode == 0 or not answer.stderr.strip():
            self.faults.append(f"unlock refuses it, and check ended with {answer.returncode}: {answer.stderr.strip()}")
        else:
            self.counts["check named"] += 1

    def read(self, notes, lists=None):
        """Everything, and a check; where the check finds nothing, nothing may be refused any more."""
        world = self.world
        reading = Reading(world, notes, self.counts, self.faults, lists).run()
        check = world.run("check", "--no-input")
        # Where headers were exchanged under an open vault it is refused as changed by another program.
        is_refused = check.returncode == 7 and "were changed by another program" in check.stderr
        if check.returncode not in (0, 11, 13) and not is_refused:
            self.faults.append(f"check ended with {check.returncode}: {check.stderr.strip()[:200]}")
        if check.returncode == 0:
            self.counts["check clean"] += 1
            # What was refused may have been written anew since.
            if reading.refused and Reading(world, notes, collections.Counter(), self.faults, lists).run().refused:
                self.faults.append("something is refused, and check finds nothing")
        else:
            self.counts["check named"] += 1
            said = check.stdout + check.stderr
            if self.attack.pages and "older than the vault" not in said and "problem:" not in said:
                self.faults.append(f"check ended with {check.returncode} and names no page: {said[:200]}")
        self.is_clean = check.returncode == 0 and not reading.refused
        self.back_up(notes, check.returncode == 0)

    def back_up(self, notes, is_clean):
        """A snapshot that is called whole has all the newest texts, and so has one whose lists alone are damaged."""
        world, folder = self.world, self.world.scratch / "backup"
        shutil.rmtree(folder, ignore_errors=True)
        answer = world.run("backup", "create", str(folder), "--no-input")
        self.counts["backup whole" if answer.returncode == 0 else "backup refused"] += 1
        # A restore takes longer than all the rest: where nothing is damaged others try it, and of many some will do.
        if is_clean or answer.returncode != 0 and sum(self.attack.pages) % 6:
            return
        texts = restored(world, folder)
        if texts is None:
            if answer.returncode == 0:
                self.faults.append("backup create ended with 0, and what it made does not restore")
            return
        for name, note in notes.items():
            if not note.private and texts.get(name) != note.texts[-1].rstrip("\n"):
                self.faults.append(f"a snapshot restores, and has not the newest text of {name}")

    def judge_second(self, folder, opening):
        """The other reader, of what lay in the folder before it was opened."""
        world, attack = self.world, self.attack
        code, texts = second_reader(world, folder)
        self.counts["second refused" if code else "second newest"] += 1
        if code == 0:
            notes = world.states[self.moment or attack.base].notes
            if texts != {name: note.texts[-1].rstrip("\n") for name, note in notes.items()}:
                self.faults.append("docs/decrypt.py shows other texts")
        if (code == 0) != (opening == 0 and self.is_clean):
            self.faults.append(f"docs/decrypt.py ended with {code}, and unlock with {opening}, clean: {self.is_clean}")

    # A vault that is open

    def under_an_agent(self):
        """Read from caches or from the files, then written, closed and opened again."""
        world, attack = self.world, self.attack
        world.open_vault()
        notes, lists, source = copied(world.states[attack.base].notes), world.lists[attack.base], None
        if LOG in attack.files:
            world.notes, lists = notes, None
            source = self.earlier()
        attack.apply(world, world.vault, source)
        self.counts["opened"] += 1
        self.read(notes, lists)
        text = world.text(500)
        for name in (world.plain[23], world.plain[0]):
            if world.run("replace", name, "-", "--no-input", stdin=text).returncode == 0:
                notes[name].texts.append(text)
        lock = world.run("lock", "--no-input")
        if lock.returncode != 0 and not lock.stderr.strip():
            self.faults.append(f"lock ended with {lock.returncode} without a word")
        if self.open((NEW,)) == 0:
            self.read(notes)
        else:
            self.judge_refused()

    def earlier(self):
        """Writes twice, and returns a copy of the files as they were between."""
        world, source = self.world, self.world.scratch / "earlier"
        world.settle()
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree(world.vault, source)
        world.replace(world.plain[0])
        world.settle()
        return source
