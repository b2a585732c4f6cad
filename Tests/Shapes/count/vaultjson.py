# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The JSON export of vault, read from docs/export-json.md alone."""

import base64, hashlib, json, os
from census import Census, Note
from . import body


def documents(place):
    if os.path.isdir(place):
        return [json.load(open(os.path.join(place, name), encoding="utf-8")) for name in sorted(os.listdir(place)) if name.endswith(".json")]
    with open(place, encoding="utf-8") as file:
        return [json.load(file)]


def census(place):
    result, read = Census(), []
    for document in documents(place):
        for item in document["notes"]:
            note = Note(
                item["id"],
                item["title"],
                item["notebook"],
                tags=set(item["tags"]),
                created=body.time(item["created"]),
                modified=body.time(item["modified"]),
            )
            note.flags = {flag for flag in ("pinned", "archived", "trashed", "template", "private") if item[flag]}
            for attachment in item["attachments"]:
                data = (
                    base64.b64decode(attachment["base64"]) if "base64" in attachment else open(os.path.join(place, attachment["file"]), "rb").read()
                )
                note.attachments[hashlib.sha256(data).hexdigest()] += 1
            note.words = body.text_words(item["body"])
            read.append((note, item["body"]))
    leading = body.links(read)
    for note, _ in read:
        note.links = leading[note.key]
    result.notes = [note for note, _ in read]
    return result
