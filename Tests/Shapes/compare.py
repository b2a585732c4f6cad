#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Sources as other programs write them, into a vault and out again, counted at every step.

Each source is made in a temporary folder, counted there, imported into a new vault, counted, exported to Markdown, JSON
and JEX, imported into another vault each time, and counted again. Counters are in count/; they share no code with vault.
Ends with 1 at any difference that no report names.

compare.py [--small] [--bin DIR] [--only NAME]… [--verbose]
"""

import argparse, collections, json, os, re, shutil, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import census, explained
from census import ASPECTS, plain
from count import (
    decrypted as count_decrypted,
    evernote as count_evernote,
    folder as count_folder,
    joplin as count_joplin,
    journal as count_journal,
    passwordstore as count_passwordstore,
)
from count import standardnotes as count_standardnotes, vault as count_vault, vaultjson as count_vaultjson
from generate import evernote, journal, joplin, nb, obsidian, passwordstore, standardnotes
from world import Failed, NOTHING_SAID, World

ZONES = ("UTC", "Europe/Berlin", "Pacific/Auckland")
SMALL_JOURNALS = (("diary.txt", "UTC"), ("days", "Europe/Berlin"), ("work.json", "Pacific/Auckland"), ("morning.txt", "Pacific/Auckland"))


# Stands for the path of a file with the password of private notes.
NOTE_PASSWORD = object()


class Shape:
    """One source: how it is made, what it is called, and how it is counted."""

    def __init__(self, name, format, make, count, zone="UTC", options=(), gnupg=None, exports=True):
        self.name, self.format, self.make, self.count, self.zone = name, format, make, count, zone
        self.options, self.gnupg, self.exports = options, gnupg, exports


def shapes(small, root):
    def size(full, little):
        return little if small else full

    result = [
        Shape(
            "obsidian",
            "obsidian",
            lambda at: obsidian.make(at, size(170, 13)),
            lambda at: count_folder.obsidian(at, "Europe/Berlin"),
            zone="Europe/Berlin",
        ),
        Shape("joplin-raw", "joplin", lambda at: joplin.make_raw(at, size(120, 14)), count_joplin.census),
        Shape("joplin-jex", "joplin", lambda at: joplin.make_jex(at, size(120, 14)), count_joplin.census),
        Shape("enex", "enex", lambda at: evernote.make(at, size(1.0, 0.03)), count_evernote.census),
        Shape("standardnotes", "standardnotes", lambda at: standardnotes.make_today(at, size(60, 17)), count_standardnotes.census),
        Shape("standardnotes-early", "standardnotes", lambda at: standardnotes.make_early(at, size(40, 10)), count_standardnotes.census),
        Shape("nb", "markdown", lambda at: nb.make(at, size(60, 9), by_heading=not small), count_folder.nb),
        Shape(
            "pass",
            "pass",
            lambda at: passwordstore.make(at, root / "gpg/home", size(200, 6)),
            lambda at: count_passwordstore.census(at, root / "gpg/home"),
            options=("--note-password-file", NOTE_PASSWORD),
            gnupg=root / "gpg/home",
        ),
    ]
    for zone in ZONES:
        for part in ("diary.txt", "morning.txt", "work.json", "days"):
            if small and (part, zone) not in SMALL_JOURNALS:
                continue
            # The zone is the environment's, for one part that of an option.
            named = part == "morning.txt"
            result.append(
                Shape(
                    f"jrnl {part} {zone}",
                    "jrnl",
                    lambda at, part=part: make_journal(at, part, size(80, 3)),
                    lambda at, zone=zone: count_journal.census(at, zone),
                    zone="UTC" if named else zone,
                    options=("--timezone", zone) if named else (),
                    exports=not small or (part, zone) == ("days", "Europe/Berlin"),
                )
            )
    return result


def make_journal(at, part, count):
    journal.make(at.parent / "journals", count)
    os.replace(at.parent / "journals" / part, at)


ENDINGS = {
    "joplin-jex": "Export 2024.jex",
    "standardnotes": "Standard Notes Backup.zip",
    "standardnotes-early": "SN Archive.zip",
    "pass": ".password-store",
}


class Trial:
    def __init__(self, shape, root, programs, python=None):
        self.shape, self.root, self.programs, self.problems, self.rows, self.explained = shape, root, programs, [], {}, collections.Counter()
        self.python = python
        name = ENDINGS.get(shape.name) or (shape.name.split(" ")[1] if shape.name.startswith("jrnl") else "Notes of " + shape.name)
        self.source = root / "source" / name
        self.source.parent.mkdir(parents=True)

    def world(self, name, gnupg=None):
        return World(self.root / name, self.programs, self.shape.zone, gnupg)

    def run(self):
        self.shape.make(self.source)
        source = self.shape.count(self.source)
        self.rows["source"] = source
        with self.world("first", self.shape.gnupg) as first:
            options = [first.note_password if option == NOTE_PASSWORD else option for option in self.shape.options]
            named = first.take(self.shape.format, self.source, *options)
            stored = self.rows["vault"] = count_vault.census(first)
            self.compare("vault", source, stored, named)
            self.left_out(source, named)
            # A second import locks private notes again: it is tried where there are none.
            if not self.shape.gnupg:
                first.take(self.shape.format, self.source, *options)
            if (twice := len(first.json("ls", "--all")["notes"])) != (once := self.live(stored)):
                self.problems.append(("twice", "notes", f"{once} notes became {twice} by a second import"))
            if self.shape.exports:
                self.exports(first, stored)
            if self.python:
                self.rows["by docs/decrypt.py"] = count_decrypted.census(self.python, first)
                self.compare("by docs/decrypt.py", stored, self.rows["by docs/decrypt.py"], [])
        return self

    def live(self, counted):
        return sum(not note.flags & {"archived", "trashed", "template"} for note in counted.notes)

    def exports(self, first, stored):
        for format, ending in (("markdown", ""), ("json", ".json"), ("jex", ".jex")):
            place = self.root / f"Out {format}{ending}"
            try:
                said = first.give(format, place)
                read = {"markdown": count_folder.export, "json": count_vaultjson.census, "jex": count_joplin.census}[format](place)
                self.rows["in " + format] = read
                self.compare("in " + format, stored, read, said, explained.EXPORT[format])
                with self.world("after " + format) as second:
                    private = format == "json" and any("private" in note.flags for note in stored.notes)
                    named = second.take(
                        {"jex": "joplin"}.get(format, format), place, *(("--note-password-file", second.note_password) if private else ())
                    )
                    # The report calls a note what the export calls it.
                    names = {plain(other.key): note.key for note, other in census.pairs(stored, read) if note and other}
                    named = [(names.get(plain(path), path), code, detail) for path, code, detail in named]
                    back = self.rows["after " + format] = count_vault.census(second)
                    self.compare("after " + format, stored, back, named + said, explained.EXPORT[format])
            except (Failed, OSError, ValueError, KeyError) as error:
                self.problems.append((format, "failed", f"{type(error).__name__}: {error}"))

    def compare(self, step, before, after, named, by_export=None):
        codes = collections.defaultdict(set)
        for path, code, detail in named:
            codes[plain(path)].add((code, detail))
        if any(code == NOTHING_SAID for code, _ in codes[""]):
            self.problems.append((step, "exit code", "0 although the report names losses"))
        for aspect, sign, count, note, value in census.differences(before, after):
            of_note = codes[plain(note.key)] | codes[plain(note.title)]
            if any(explained.allows(loss, aspect, sign) for loss in of_note):
                self.explained[step, aspect] += count
            elif by_export and any(explained.allows(loss, aspect, sign, by_export) for loss in codes[""]):
                self.explained[step, aspect] += count
            else:
                self.problems.append((step, aspect, f"{sign}{count} {(note.title or '')[:60]!r}: {str(value)[:100]!r}"))

    def left_out(self, source, named):
        """What the source holds besides notes must stand in the report by its name."""
        for name in source.left_out:
            if not any(
                plain(str(name)) in plain(path) or plain(os.path.basename(str(name))) == plain(os.path.basename(path)) for path, _, _ in named
            ):
                self.problems.append(("report", "left out", f"nothing names {name!r}"))

    def table(self):
        width = max(map(len, self.rows))
        lines = [f"{self.shape.name}", " " * width + "".join(f"{aspect:>12}" for aspect in ASPECTS)]
        for step, counted in self.rows.items():
            cells = []
            for aspect in ASPECTS:
                wrong = sum(1 for at, what, _ in self.problems if (at, what) == (step, aspect))
                cells.append(f"{counted.total(aspect)}{'~' if self.explained[step, aspect] else ''}{'!' if wrong else ''}")
            lines.append(f"{step:<{width}}" + "".join(f"{cell:>12}" for cell in cells))
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--small", action="store_true", help="a few seconds for each source")
    parser.add_argument("--bin", default=str(Path(__file__).parents[2] / ".build/debug"), help="where the programs lie")
    parser.add_argument("--python", default=str(Path(__file__).parents[2] / "bench-out/venv/bin/python"), help="for docs/decrypt.py")
    parser.add_argument("--only", action="append", default=[], help="the beginning of a source's name")
    parser.add_argument("--verbose", action="store_true", help="every difference, not the first ten of a kind")
    parser.add_argument("--keep", help="a new folder for sources and vaults, which stays")
    options = parser.parse_args()
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = Path(options.keep or tempfile.mkdtemp(prefix="vault-shapes.", dir=base))
    root.mkdir(mode=0o700, exist_ok=True)
    wrong = 0
    try:
        chosen = [shape for shape in shapes(options.small, root) if not options.only or any(shape.name.startswith(name) for name in options.only)]
        if not chosen:
            parser.error(f"no source begins with {options.only}")
        for number, shape in enumerate(chosen):
            begin = time.monotonic()
            trial = Trial(shape, root / str(number), options.bin, None if options.small else options.python)
            try:
                trial.run()
            except Failed as error:
                trial.problems.append(("vault", "failed", str(error)))
            print(trial.table(), f"\n{time.monotonic() - begin:.1f} s", sep="")
            shown = collections.Counter()
            for step, aspect, text in trial.problems:
                shown[step, aspect] += 1
                if options.verbose or shown[step, aspect] <= 10:
                    print(f"  {step}: {aspect}: {text}"[:1000])
            for (step, aspect), count in shown.items():
                if count > 10 and not options.verbose:
                    print(f"  {step}: {aspect}: {count} in all")
            print(flush=True)
            wrong += len(trial.problems)
            if not options.keep:
                shutil.rmtree(trial.root)
    finally:
        passwordstore.end(root / "gpg/home")
        if not options.keep:
            shutil.rmtree(root, ignore_errors=True)
    print(f"{len(chosen)} sources, {wrong} differences that nothing names ('~' named in a report, '!' not)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
