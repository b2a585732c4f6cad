# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The list of defence removals in Tests/Mutations, and what must be true of it before anything is built."""
import dataclasses
import json
import pathlib
import re
import zlib

SECONDS = 90


@dataclasses.dataclass(frozen=True)
class Edit:
    """One piece of text that stands once in its file, and what stands there when the defence is gone."""

    file: str
    find: str
    replace: str


@dataclasses.dataclass(frozen=True)
class Entry:
    """One defence, the edits that remove it, and the tests that must see it."""

    id: str
    row: str
    defence: str
    edits: tuple
    tests: str
    also: str
    seconds: int
    source: bool

    @property
    def number(self):
        """The same for an ID whatever the list around it is, so that a new entry changes no other file."""
        return zlib.crc32(self.id.encode()) | 1

    @property
    def filter(self):
        """Matches `Module.Suite/function(` where the function's name begins with one of the patterns."""
        return f"[/.](?:{self.tests})[A-Za-z0-9_]*\\("


def _entry(record):
    edits = record.get("edits") or [record]
    known = {"id", "row", "defence", "edits", "file", "find", "replace", "tests", "also", "seconds", "source"}
    if set(record) - known:
        raise ValueError(f"{record.get('id')}: unknown fields {sorted(set(record) - known)}")
    return Entry(
        id=record["id"], row=record["row"], defence=record["defence"],
        edits=tuple(Edit(edit["file"], edit["find"], edit["replace"]) for edit in edits),
        tests=record["tests"], also=record.get("also", ""), seconds=record.get("seconds", SECONDS), source=record.get("source", False))


def load(root):
    """All entries, by file and in the order in which they stand there."""
    entries = []
    for path in sorted(pathlib.Path(root, "Tests/Mutations").glob("*.json")):
        entries += [_entry(record) for record in json.loads(path.read_text())]
    return entries


def test_names(root):
    """Names of all test functions."""
    names = set()
    for path in pathlib.Path(root, "Tests").rglob("*.swift"):
        names.update(re.findall(r"\bfunc ([A-Za-z0-9_]+)\(", path.read_text()))
    return names


def _edit_problems(entry, edit, texts):
    count = texts.get(edit.file, "").count(edit.find)
    if edit.file not in texts:
        yield f"{entry.id}: there is no {edit.file}"
    elif count != 1:
        yield f"{entry.id}: the text stands {count} times in {edit.file}: {edit.find}"


def _overlaps(entries, texts):
    """Two removals of the same words cannot both be compiled in."""
    places = {}
    for entry in entries:
        for edit in () if entry.source else entry.edits:
            start = texts.get(edit.file, "").find(edit.find)
            places.setdefault(edit.file, []).append((start, start + len(edit.find), entry.id))
    for file, spans in places.items():
        spans.sort()
        for before, after in zip(spans, spans[1:]):
            if after[0] < before[1]:
                yield f"{before[2]} and {after[2]} change the same words of {file}"


def _carries(part, threat):
    """Tests of a published attack have its ID in their names; those of the other rows are named in the row."""
    return threat["id"] in part or any(test.startswith(part) for test in threat["tests"])


def _test_problems(entry, names, rows):
    if any("MUTANT" in edit.replace for edit in entry.edits) == entry.source:
        yield f"{entry.id}: MUTANT stands in the replacement, but in that of a test that reads the sources it does not"
    if re.search(r"[^A-Za-z0-9_|]", entry.tests):
        yield f"{entry.id}: tests are beginnings of function names with | between them"
        return
    for part in entry.tests.split("|"):
        if not any(name.startswith(part) for name in names):
            yield f"{entry.id}: no test is called {part}"
    if entry.row in rows and not any(_carries(part, rows[entry.row]) for part in entry.tests.split("|")):
        yield f"{entry.id}: no test carries the name of row {entry.row}"


def problems(root, entries):
    """What is wrong with the list, as sentences; empty when it can be run."""
    root = pathlib.Path(root)
    found = []
    files = {edit.file for entry in entries for edit in entry.edits}
    texts = {file: (root / file).read_text() for file in files if (root / file).is_file()}
    threats = json.loads((root / "ThreatModel/threats.json").read_text())["threats"]
    rows = {threat["id"]: threat for threat in threats}
    names = test_names(root)
    for entry in entries:
        for edit in entry.edits:
            found += _edit_problems(entry, edit, texts)
        found += _test_problems(entry, names, rows)
    found += _overlaps(entries, texts)
    for mark in ("id", "number"):
        values = [getattr(entry, mark) for entry in entries]
        found += [f"{value} is the {mark} of two entries" for value in sorted({v for v in values if values.count(v) > 1})]
    # One removal may stand for two rows that name its test.
    covered = {entry.row for entry in entries} | {
        threat["id"] for threat in threats for entry in entries if any(test.startswith(tuple(entry.tests.split("|"))) for test in threat["tests"])}
    found += [f"{row['id']}: mitigated, and nothing removes its defence" for row in threats
              if row["status"] == "mitigated" and row["id"] not in covered]
    return found
