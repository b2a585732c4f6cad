# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A vault, through what its programs answer: ls, trash ls, template ls, show, backlinks and attach get."""

import concurrent.futures, hashlib
from census import Census, Note
from . import body

PLACES = {"live": set(), "archive": {"archived"}, "trash": {"trashed"}, "template": {"template"}}


def census(world):
    rows = {}
    for row in world.json("ls", "--all", "state:live|archived|trashed|template")["notes"]:
        rows[row["id"]] = row
    locked = [row for row in rows.values() if row.get("locked")]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda row: world.vault("note", "unlock", row["id"], "--note-password-file", world.note_password), locked))
        ids = list(rows)
        shown = [note for part in pool.map(lambda at: world.json("show", *ids[at : at + 50])["notes"], range(0, len(ids), 50)) for note in part]
        # The texts say which notes may be led to; whether they are, the program says.
        reading = body.links([(Note(row["id"], row["title"]), row["body"]) for row in shown])
        targets = sorted(set().union(*reading.values())) if shown else []
        leading = dict(zip(targets, pool.map(lambda key: world.json("backlinks", key)["notes"], targets)))
        wanted = [(index, identifier) for index, row in enumerate(shown) for identifier in [file["id"] for file in row["attachments"] or []]]
        digests = list(
            pool.map(lambda pair: hashlib.sha256(world.vault("attach", "get", shown[pair[0]]["id"], pair[1], "-o", "-").stdout).hexdigest(), wanted)
        )
    notes = []
    for row in shown:
        note = Note(
            row["id"],
            row["title"],
            row["notebook"] or "",
            tags=set(row["tags"]),
            created=body.time(row["created"]),
            modified=body.time(row["updated"]),
        )
        note.flags = {flag for flag in ("pinned", "private") if row[flag]} | PLACES[row["place"]]
        note.words = body.text_words(row["body"])
        notes.append(note)
    for (index, _), digest in zip(wanted, digests):
        notes[index].attachments[digest] += 1
    by_id = {note.key: note for note in notes}
    # What lies in the trash leads nowhere until it is taken out: there the text has to say it.
    for note in notes:
        if "trashed" in note.flags:
            note.links |= reading[note.key]
    for target, sources in leading.items():
        for source in sources:
            if source["id"] != target and source["id"] in by_id:
                by_id[source["id"]].links.add(target)
    return Census(notes)
