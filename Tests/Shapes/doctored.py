#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Whether the counters see what is lost: one thing is changed in a copy of each source, and the two counts have to differ there and nowhere else.

A counter that reads nothing would find two empty vaults alike; so would one that reads the same thing twice.
"""

import collections, os, shutil, sys, tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import census, compare, damage
from count import folder as count_folder, joplin as count_joplin
from generate import joplin, nb, obsidian, passwordstore

# What another thing takes with it: a link that is gone takes the title that it showed.
BESIDE = {
    "links": {"words"},
    "titles": {"links", "words"},
    "notebooks": {"links", "attachments", "words"},
    "notes": {"links", "words"},
    "words": {"titles"},
}
EVERYTHING = {
    ("jrnl", "tags"): {"words"},
    ("jrnl", "notes"): {"words", "tags"},
    ("jrnl", "created"): {"modified"},
    ("standardnotes", "notes"): {"links", "words"},
}


def left_out(root):
    """A file that no note shows, and what is encrypted, have to be told."""
    vault = root / "left-out"
    obsidian.make(vault, 24)
    told = count_folder.obsidian(vault).left_out
    yield "obsidian names what nothing shows", told == ["Attachments/never shown.bin"] or "Attachments/never shown.bin" in told
    raw = root / "left-out-raw"
    joplin.make_raw(raw, 20)
    yield "joplin names revisions, ciphertext and stray files", len(count_joplin.census(raw).left_out) >= 4
    notebook = root / "left-out-nb"
    nb.make(notebook, 16)
    yield "nb names encrypted notes", {"private.md.enc", "secret.bookmark.md.enc"} <= set(count_folder.nb(notebook).left_out)


def excuses():
    """A named loss explains what it is about, in the note that it names, and nothing else."""

    def told(named, **changed):
        before = [census.Note("a.md", "Alpha", words=census.words("one two"), tags={"t"}), census.Note("b.md", "Beta", words=census.words("three"))]
        after = [census.Note("1", "Alpha", words=census.words("one two"), tags={"t"}), census.Note("2", "Beta", words=census.words("three"))]
        for name, value in changed.items():
            setattr(after[0], name, value)
        trial = compare.Trial.__new__(compare.Trial)
        trial.problems, trial.explained = [], collections.Counter()
        trial.compare("vault", census.Census(before), census.Census(after), named)
        return len(trial.problems)

    lost = census.words("one")
    yield "what nothing names is told", told([], words=lost) == 1 and told([], tags=set()) == 1 and told([]) == 0
    yield "a loss of the note explains it", told([("a.md", "damagedMarkup", "")], words=lost) == 0
    yield "a loss of another note does not", told([("b.md", "damagedMarkup", "")], words=lost) == 1
    yield "a loss of another kind does not", told([("a.md", "damagedMarkup", "")], tags=set()) == 1
    yield "what is missing is no excuse for more", told([("a.md", "unsupportedMarkup", "u")], words=census.words("one two four")) == 1
    yield "a title that became another is told", told([], title="Gamma") == 2


def main():
    root = Path(tempfile.mkdtemp(prefix="vault-doctored.", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    wrong = tried = 0
    try:
        for name, make, count, aspect, act in damage.trials(root):
            source = root / "source"
            make(source)
            before = count(source)
            clean = list(census.differences(before, count(source)))
            act(source)
            found = {difference[0] for difference in census.differences(before, count(source))}
            beside = BESIDE.get(aspect, set()) | EVERYTHING.get((name, aspect), set())
            tried += 1
            if clean or aspect not in found or found - beside - {aspect}:
                wrong += 1
                print(f"{name}: {aspect} was changed; the counter says {sorted(found) or 'nothing'}" + (", and differs from itself" if clean else ""))
            shutil.rmtree(source) if source.is_dir() else source.unlink()
        for name, holds in [*left_out(root), *excuses()]:
            tried += 1
            if not holds:
                wrong += 1
                print(name + ": it does not")
    finally:
        passwordstore.end(root / "gpg/home")
        shutil.rmtree(root, ignore_errors=True)
    print(f"{tried} trials, {wrong} not as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
