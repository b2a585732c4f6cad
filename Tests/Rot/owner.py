# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What the owner of a damaged vault runs, and what that brings back."""

import json, shutil

from world import World


# What repair and salvage say of changes that nothing names any more.
MISSING = ("may be missing", '"notesMayBeMissing":true')


class Owner(World):
    """With `reader`, a reader that shares no code with vault. `said` is what a command said that opened nothing, and
    `repaired` the answer of the repair that it took to open the vault. `is_read` says whether the other reader read
    anything of the damaged files, `is_large` whether more than 4 KiB of one are gone."""

    said, repaired, reader, is_read, is_large = "", None, None, False, False

    def open(self):
        """Which of the owner's commands opened the vault."""
        unlock = ["unlock", "--idle", "1h", "--no-input", *self.key]
        repair = ["repair", "--no-input", *self.key]
        # What is given up by the owner's word comes last.
        ways = (("opened", [unlock]), ("repaired", [repair, unlock]), ("word", [[*unlock, "--accept-loss"]]))
        self.repaired = None
        for opening, words in ways:
            for line in words:
                answer = self.run(*line)
                if line[0] == "repair":
                    self.repaired = answer
            if self.run("status", "--json").returncode == 0 and self.run("ls", "-n", "1", "--no-input").returncode == 0:
                return opening
            self.said = answer.stderr.strip()[:300]
        return "never"

    def readable_without_vault(self, counts, faults):
        """The present text of each note that an independent reader takes from the damaged files, private ones too."""
        copy = self.scratch / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.vault, copy)
        whole = self.reader.whole_notes(copy)
        self.is_read = whole is not None
        counts["unread"] += not self.is_read
        whole = whole or {}
        if self.is_large and whole and not self.reader.knows_end:
            # Where the newest text was in what is gone, the reader says that it may not be there.
            notes = self.state.notes
            whole = {
                name: text for name, text in whole.items()
                if name not in notes or text is None or text.rstrip("\n") not in notes[name].texts[:-1]}
        for name, text in whole.items():
            # Both readers go by the same document: such a text is a fault of one of them.
            written = self.state.notes[name].texts if name in self.state.notes else [""]
            if text is not None and text.rstrip("\n") != written[-1]:
                faults.append(f"docs/decrypt.py: {name} is called whole, and has another text")
        return whole

    def seen(self, when, faults, counts, vault=None):
        """The text of each note that the program shows; what is shown must be the present text, or be named."""
        export = self.run("export", "json", "--plaintext", "-o", "-", "--no-input", vault=vault)
        texts = {}
        try:
            document = json.loads(export.stdout)
            notes = document["notes"]
        except (ValueError, KeyError):
            notes = []
            if export.returncode == 0:
                faults.append(f"{when}: an export ended with 0 and is none")
        for note in notes:
            texts[note["id"]] = note["body"].rstrip("\n")
        if export.returncode == 13:
            # An attachment that does not open ends an export; each note is asked for by itself then.
            for name, note in self.state.notes.items():
                shown = self.run("cat", name, "--no-input", vault=vault)
                if shown.returncode == 0:
                    texts[name] = shown.stdout.rstrip("\n")
        for name, note in self.state.notes.items():
            if not note.private:
                continue
            unlock = self.run("note", "unlock", name, "--no-input", *self.note_password, vault=vault)
            if unlock.returncode == 0:
                shown = self.run("cat", name, "--no-input", vault=vault)
                if shown.returncode == 0:
                    texts[name] = shown.stdout.rstrip("\n")
        for name, text in texts.items():
            known = self.state.notes[name].texts if name in self.state.notes else []
            if text not in known:
                counts["wrong"] += 1
                faults.append(f"{when}: {name} has a text that was never written: {text[:80]!r}")
        return texts

    def compare(self, command, texts, whole, counts, faults, said):
        """What a command brought back, beside what was written and what lies whole in the files.

        What is lost must be named, unless its name can be lost with it: where a large part of a file is gone, and of
        notes that the log alone held. That something is missing must be said then."""
        report = said.stdout + said.stderr
        is_told = said.returncode != 0 and any(words in report for words in MISSING)
        for name, note in self.state.notes.items():
            if name in texts and texts[name] != note.texts[-1]:
                # An older text that is shown as if it were the present one is a wrong text.
                if name[:4] in report and said.returncode != 0:
                    counts["older"] += 1
                elif is_told and self.is_large:
                    counts["unnamed"] += 1
                else:
                    counts["wrong"] += 1
                    faults.append(f"{command}: {name} came back with an older text, and was not named")
            if name in whole and texts.get(name) != note.texts[-1]:
                counts["needless"] += 1
                faults.append(f"{command}: {name} lies whole in the files, and did not come back")
            if name not in texts and (name[:4] not in report or said.returncode == 0):
                if is_told and (self.is_large or name in self.state.late):
                    counts["unnamed"] += 1
                else:
                    counts["wrong"] += 1
                    faults.append(f"{command}: {name} is gone, and was not named")

    def backup(self, before, counts, faults):
        """A snapshot that is called whole restores, with everything that was there; where the damaged vault's lists hid
        notes it holds more, since a restore makes the lists anew."""
        folder, target = self.scratch / "backup", self.scratch / "new"
        create = self.run("backup", "create", str(folder), "--no-input")
        verify = self.run("backup", "verify", str(folder), "--no-input")
        if create.returncode == 0 and verify.returncode != 0:
            faults.append(f"create ended with 0 and verify with {verify.returncode}")
        if verify.returncode != 0 and not list(folder.glob("snapshots/*")):
            return
        # Of a damaged vault a snapshot has at least what the vault still shows.
        more = [] if verify.returncode == 0 else ["--salvage"]
        counts["salvaged" if more else "verified"] += 1
        restore = self.run("backup", "restore", str(folder), "--as-copy", "--no-input", *more, *self.key, vault=target)
        unlock = self.run("unlock", "--no-input", *self.key, vault=target)
        texts = self.seen("restored", faults, counts, vault=target) if unlock.returncode == 0 else {}
        fits = restore.returncode in ((0, 12) if more else (0,))
        if not fits or any(texts.get(note) != text for note, text in before.items()):
            counts["broken"] += 1
            faults.append(f"{'salvaged' if more else 'verified'}, and restored {len(texts)} of {len(before)}: "
                f"{restore.stderr.strip()[:200]}")
        self.run("lock", vault=target)

    def salvage(self, faults, counts):
        """A new vault from the damaged files, and its texts; None when nothing was taken."""
        target = self.scratch / "salvaged"
        # The new vault keeps the key that was given; behind a recovery key it needs a password, too.
        new = ["--new-password-file", str(self.secrets["password"])] if self.recovery else []
        answer = self.run("salvage", str(self.scratch / "damaged"), "-o", str(target), "--json", "--no-input",
            "--kdf-target", "0", *self.key, *new)
        if answer.returncode not in (0, 12):
            return answer, None
        unlock = self.run("unlock", "--no-input", *self.key, vault=target)
        if unlock.returncode != 0:
            faults.append(f"the salvaged vault does not open: {unlock.stderr.strip()[:200]}")
            return answer, None
        texts = self.seen("salvaged", faults, counts, vault=target)
        self.run("lock", vault=target)
        return answer, texts
