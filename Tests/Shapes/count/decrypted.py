# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A locked vault, as docs/decrypt.py opens it: the second reader of the format, which has none of the programs' code."""

import json, subprocess
from pathlib import Path
from census import Census, Note
from . import body

SCRIPT = Path(__file__).parents[3] / "docs/decrypt.py"
FLAGS = ((1, "trashed"), (2, "pinned"), (4, "archived"), (8, "template"))


def census(python, world):
    world.vault("lock")
    words = [python, SCRIPT, world.root / "vault", "--password-file", world.password, "--note-password-file", world.note_password, "--json"]
    notes, read = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)["notes"], []
    for item in notes:
        title = item["title"] if item["titleIsSet"] else None
        note = Note(item["id"], title, item["notebook"], tags=set(item["tags"]), created=item["created"], modified=item["modified"])
        note.flags = {name for bit, name in FLAGS if item["flags"] & bit} | ({"private"} if item["private"] else set())
        note.words = body.text_words(item["body"])
        for file in item["attachments"]:
            note.attachments[file["sha256"]] += 1
        read.append((note, item["body"]))
    # A title that is not set is the first line, as for who follows a link.
    leading = body.links([(Note(note.key, note.title or first_line(text)), text) for note, text in read])
    for note, _ in read:
        note.links = leading[note.key]
    return Census([note for note, _ in read])


def first_line(text):
    return next((line.lstrip("#").strip() for line in text.split("\n") if line.strip()), "")
