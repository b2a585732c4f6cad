# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What the owner's commands say of a vault into which something was put back, beside what was written to it."""

import json, shutil, subprocess, sys

from scenes import NEW, OLD
from reader import ROOT


def lists(world):
    """Commands whose answer must be complete, or refused."""
    one, other = world.plain[0], world.plain[8]
    return (
        ["ls", "--all", "--json"], ["trash", "ls", "--json"], ["tag", "ls", "--json"], ["notebook", "ls", "--json"],
        ["search", "stone", "--all", "--json"], ["history", one, "--json"], ["attach", "ls", other, "--json"],
        ["backlinks", world.plain[3], "--json"], ["key", "ls", "--json"],
    )


class Reading:
    """Reads everything once, and counts."""

    def __init__(self, world, notes, counts, faults, known_lists=None):
        self.world, self.notes, self.counts, self.faults = world, notes, counts, faults
        self.known_lists, self.seen_lists, self.refused = known_lists, {}, False

    def run(self):
        for _ in range(2):
            # 7 says that a small file was written anew, once.
            unlock = self.world.run("note", "unlock", self.world.private, "--no-input", *self.world.note_password)
            if unlock.returncode != 7:
                break
        self.judge_end(unlock)
        self.lists()
        self.texts()
        self.attachments()
        self.export()
        return self

    def answer(self, *words):
        answer = self.world.run(*words, "--no-input")
        if answer.returncode != 0:
            self.refused = True
            if not answer.stderr.strip():
                self.faults.append(f"{words} ended with {answer.returncode} without a word")
        self.judge_end(answer)
        return answer

    def judge_end(self, answer):
        """Nothing that lies in a file may end an agent."""
        if "the agent ended" in answer.stderr or answer.returncode < 0:
            self.faults.append(f"{answer.args[1]} ended with {answer.returncode}: {answer.stderr.strip()[:200]}")

    def lists(self):
        for words in lists(self.world):
            answer = self.answer(*words)
            self.seen_lists[" ".join(words)] = answer.stdout
            if answer.returncode != 0:
                self.counts["lists refused"] += 1
            elif self.is_complete(words, answer.stdout):
                self.counts["lists complete"] += 1
            elif self.is_marked(words, answer.stdout):
                self.counts["lists marked"] += 1
                self.refused = True
            else:
                self.counts["lists short"] += 1
                self.faults.append(f"{' '.join(words[:2])} ended with 0 and is not complete")

    def is_complete(self, words, text):
        if self.known_lists is not None:
            return text == self.known_lists.get(" ".join(words), text)
        if words[0] != "ls":
            return True
        # What was written in this trial is in no list of before.
        listed = {note["id"] for note in json.loads(text)["notes"]}
        return set(self.notes) - {self.world.plain[12]} <= listed

    def is_marked(self, words, text):
        """Whether each row that is not as it was says that it is damaged, and none is missing."""
        if self.known_lists is None:
            return False
        lists = [next(value for value in json.loads(one).values() if isinstance(value, list))
            for one in (text, self.known_lists.get(" ".join(words), text))]
        return len(lists[0]) == len(lists[1]) and all(
            row == known or row.get("damaged") is True for row, known in zip(*lists))

    def texts(self):
        """Some that were written early, late or twice; the export has the others."""
        plain = self.world.plain
        some = {plain[0], plain[7], plain[9], plain[13], plain[18], plain[23], self.world.private, list(self.notes)[-1]}
        for name in some:
            note = self.notes[name]
            answer = self.answer("cat", name)
            text = answer.stdout.rstrip("\n")
            if answer.returncode == 0 and text == note.texts[-1].rstrip("\n"):
                self.counts["texts newest"] += 1
            elif answer.returncode == 5:
                self.counts["texts old"] += 1
                self.faults.append(f"cat {name}: no such note")
            elif answer.returncode == 0 or text:
                self.counts["texts old"] += 1
                known = [one.rstrip("\n") for one in note.texts]
                which = f"another text: {text[:60]!r}"
                if text in known:
                    which = f"text {known.index(text) + 1} of {len(known)}"
                self.faults.append(f"cat {name} ended with {answer.returncode} and showed {which}")
            else:
                self.counts["texts refused"] += 1

    def attachments(self):
        for name, note in self.notes.items():
            for file, content in note.files.items():
                answer = subprocess.run(
                    [f"{self.world.programs}/vault", "attach", "get", name, file, "-o", "-", "--no-input"],
                    capture_output=True, stdin=subprocess.DEVNULL, timeout=60, env=environment(self.world))
                self.refused |= answer.returncode != 0
                if answer.returncode == 0 and answer.stdout != content:
                    self.faults.append(f"attach get {name} {file} ended with 0 and gave other bytes")

    def export(self):
        answer = self.answer("export", "json", "--plaintext", "--trash", "-o", "-")
        self.counts["export whole" if answer.returncode == 0 else "export refused"] += 1
        texts = exported(answer.stdout)
        for name, text in (texts or {}).items():
            self.counts["texts newest"] += 1
            if name not in self.notes or text != self.notes[name].texts[-1].rstrip("\n"):
                self.counts.update({"texts old": 1, "texts newest": -1})
                self.faults.append(f"export ended with {answer.returncode} and has another text of {name}")
        if answer.returncode == 0 and set(texts or {}) != set(self.notes):
            self.counts["lists short"] += 1
            self.faults.append(f"export ended with 0 and has {len(texts or {})} of {len(self.notes)} notes")


def exported(text):
    """A text of each note; None when it is no export."""
    try:
        return {note["id"]: (note["body"] or "").rstrip("\n") for note in json.loads(text)["notes"]}
    except (ValueError, KeyError):
        return None


def environment(world):
    return {"PATH": "/usr/bin:/bin", "HOME": str(world.home), "XDG_RUNTIME_DIR": str(world.runtime), "LANG": "C.UTF-8"}


def restored(world, folder):
    """The texts of a snapshot's vault, and the exit code of its verification and restore; no texts where it is
    refused."""
    target = world.scratch / "new"
    shutil.rmtree(target, ignore_errors=True)
    for words in (["backup", "verify", str(folder)], ["backup", "restore", str(folder), "--as-copy", *world.password]):
        vault = target if words[1] == "restore" else None
        answer = world.run(*words, "--no-input", vault=vault)
        if answer.returncode != 0:
            return None
    if world.run("unlock", "--no-input", *world.password, vault=target).returncode != 0:
        return None
    answer = world.run("export", "json", "--plaintext", "--trash", "-o", "-", "--no-input", vault=target)
    world.run("lock", vault=target)
    return exported(answer.stdout)


def second_reader(world, folder):
    """What docs/decrypt.py, which shares no code with vault, makes of a folder: its exit code and its texts. It knows
    no pins."""
    for password in (NEW, OLD):
        answer = subprocess.run(
            [sys.executable, "-B", str(ROOT / "docs/decrypt.py"), "--json", "--password-file",
                str(world.scratch / password), *world.note_password, str(folder)],
            capture_output=True, text=True, timeout=120)
        if answer.returncode != 4:
            break
    if answer.returncode not in (0, 4, 13):
        raise RuntimeError(f"docs/decrypt.py ended with {answer.returncode}: {answer.stderr.strip()[:300]}")
    if answer.returncode:
        return answer.returncode, {}
    notes = json.loads(answer.stdout)["notes"]
    return 0, {note["id"]: (note["body"] or "").rstrip("\n") for note in notes}
