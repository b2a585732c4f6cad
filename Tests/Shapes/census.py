# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What is counted of notes, and how two counts differ.

The rule of words: a note's words are the runs of letters, digits and marks in the text that a reader sees, in NFC and
without regard to case, after the characters * ~ ` _ \\ = are taken out (emphasis may stand within a word). Seen are
labels of links, captions and all of a code block; not seen are addresses of links with a label, marks of lists, tick
boxes, tags of HTML, and a label that is nothing but the name of the file that it leads to.
"""

import collections, dataclasses, html, re, unicodedata

ASPECTS = ("notes", "titles", "notebooks", "words", "tags", "created", "modified", "flags", "links", "attachments")


@dataclasses.dataclass
class Note:
    key: str  # what the source calls it; the import's report names it so
    title: str | None  # empty where the source has none, None where the first line is it
    notebook: str = ""
    words: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    tags: set = dataclasses.field(default_factory=set)
    created: int | None = None  # milliseconds since 1970, None where the source does not know
    modified: int | None = None
    flags: set = dataclasses.field(default_factory=set)
    links: set = dataclasses.field(default_factory=set)  # keys of the notes that its links lead to
    attachments: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # SHA-256


@dataclasses.dataclass
class Census:
    notes: list = dataclasses.field(default_factory=list)
    # What is no note here and must not vanish without a word: parts of names that the report has to have.
    left_out: list = dataclasses.field(default_factory=list)

    def total(self, aspect):
        return len(self.notes) if aspect in ("notes", "titles", "notebooks") else sum(sum(values(note, aspect).values()) for note in self.notes)


def values(note, aspect, names={}):
    """What a note has of one aspect. `names` says what the other side calls the notes that links lead to."""
    if aspect == "notes":
        return collections.Counter()
    if aspect == "titles":
        return collections.Counter([plain(note.title)])
    if aspect == "notebooks":
        return collections.Counter([plain(note.notebook)])
    if aspect == "words":
        return note.words
    if aspect == "tags":
        return collections.Counter({plain(tag).casefold() for tag in note.tags})
    if aspect in ("created", "modified"):
        return collections.Counter(time for time in [getattr(note, aspect)] if time is not None)
    if aspect == "flags":
        return collections.Counter(note.flags)
    if aspect == "links":
        return collections.Counter({names.get(key, key) for key in note.links})
    return note.attachments


def plain(text):
    return unicodedata.normalize("NFC", text or "").strip()


def words(text):
    text = unicodedata.normalize("NFC", html.unescape(text)).casefold()
    text = re.sub(r"[*~`_\\=\u00ad\u200b]", "", text)
    return collections.Counter(re.findall(r"[^\W]+(?:[\u0300-\u036f\u0e30-\u0e4f]+\w*)*", text))


def likeness(one, other):
    """How much two notes have in common, from 0 to 1."""
    first, second = one.words + one.attachments, other.words + other.attachments
    either = sum((first | second).values())
    return sum((first & second).values()) / either if either else 1


def pairs(before, after):
    """Which note became which: by title, notebook and dates, then by less, at last by what is in them. None where there is no other."""
    left, right, found = list(before.notes), list(after.notes), []
    rules = [
        lambda note: (plain(note.title), plain(note.notebook), note.created),
        lambda note: (plain(note.title), plain(note.notebook)),
        lambda note: plain(note.title),
        lambda note: None,
    ]
    for number, rule in enumerate(rules):
        candidates = collections.defaultdict(list)
        for note in right:
            candidates[rule(note)].append(note)
        for note in list(left):
            others = candidates[rule(note)]
            if not others:
                continue
            best = max(others, key=lambda other: likeness(note, other))
            if number == len(rules) - 1 and likeness(note, best) < 0.4:
                continue
            others.remove(best)
            left.remove(note)
            right.remove(best)
            found.append((note, best))
    return found + [(note, None) for note in left] + [(None, note) for note in right]


def differences(before, after):
    """(aspect, sign, count, note before, value) of all that is missing or came besides; a note that is missing is one difference."""
    matched = pairs(before, after)
    names = {other.key: note.key for note, other in matched if note and other}
    for note, other in matched:
        if other is None or note is None:
            yield "notes", "-" if other is None else "+", 1, note or other, ""
            continue
        for aspect in ASPECTS:
            first, second = values(note, aspect), values(other, aspect, names)
            # Where the source does not know the time, nothing can be compared; a title that is made up has to have a word.
            if aspect in ("created", "modified") and not first:
                continue
            if aspect == "titles" and (not note.title and words(other.title or "") or other.title is None):
                continue
            for sign, rest in (("-", first - second), ("+", second - first)):
                for value, count in rest.items():
                    yield aspect, sign, count, note, value
