# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The collection as one file in vault's own JSON form (docs/export-json.md): a million notes without a million files."""
import base64
import json
import multiprocessing
import os
import pathlib
import signal

import corpus

BATCH = 2_000  # notes that one process makes at a time
WHOLE = None   # a process's own corpus; made once


def write(path: pathlib.Path, count: int) -> None:
    """The first `count` notes. Every processor makes some; the file is under its name only when all of it is there."""
    unfinished = path.with_name(path.name + ".part")
    starts = range(0, count, BATCH)
    with open(unfinished, "w", encoding="utf-8") as file, multiprocessing.Pool(len(os.sched_getaffinity(0)), begin) as pool:
        file.write('{"format":"vault-export","schema":1,"part":1,"notes":[\n')
        for number, lines in enumerate(pool.imap(batch, [(start, min(start + BATCH, count)) for start in starts])):
            file.write((",\n" if number else "") + lines)
        file.write(f'\n],"noteCount":{count},"last":true,"totalNoteCount":{count},"privateNotesLeftOut":0}}\n')
    unfinished.rename(path)


def begin() -> None:
    global WHOLE
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the pool ends its processes with it
    WHOLE = corpus.Corpus()


def batch(ends: "tuple[int, int]") -> str:
    return ",\n".join(line(WHOLE, number) for number in range(*ends))


def line(collection: corpus.Corpus, number: int) -> str:
    """One note with every member that the form wants, in its order."""
    head, _, body = collection.text(number).removeprefix("---\n").partition("\n---\n")
    fields = dict(row.split(": ", 1) for row in head.splitlines())
    note = {
        "id": base64.b32encode(number.to_bytes(10, "big")).decode().lower(), "title": body.split("\n", 1)[0].removeprefix("# "),
        "titleIsSet": False, "body": body, "tags": fields["tags"].strip("[]").split(", "),
        "notebook": collection.path(number).rpartition("/")[0], "created": date(fields["created"]), "modified": date(fields["updated"]),
        "pinned": False, "archived": False, "trashed": False, "template": False, "private": False, "revisions": [], "attachments": []}
    return json.dumps(note, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def date(text: str) -> str:
    return text.removesuffix("Z") + ".000Z"
