# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A plain database program to compare with: notes and FTS5's own trigram index, in SQLite or in SQLCipher.

Run as a program, so that SQLCipher's module may live in another environment:
    sqlite_worker.py plain-trigram|cipher-trigram import DIR DB    reads all files, writes all notes, closes
    sqlite_worker.py plain-trigram|cipher-trigram commit DB COUNT   COUNT single notes, each acknowledged
It prints JSON. Same rows, page size, cache and synchronous as the vault's own database; 200 rows a transaction.
"""
import functools
import json
import os
import sys
import time

ROWS_A_TRANSACTION = 200
FIRST_NEW = 5_000_000  # number of the first note that is committed alone
SCHEMA = """
CREATE TABLE note(id INTEGER PRIMARY KEY, source TEXT, notebook TEXT, title TEXT, body TEXT, created TEXT, updated TEXT);
CREATE VIRTUAL TABLE note_words USING fts5(title, body, content='note', content_rowid='id', tokenize='trigram');
"""


def connect(kind: str, path: str):
    if kind == "cipher":
        from sqlcipher3 import dbapi2 as module
    else:
        import sqlite3 as module
    connection = module.connect(path, isolation_level=None)
    if kind == "cipher":
        # A raw key: deriving one from a password is no part of what is measured here.
        connection.execute(f"PRAGMA key = \"x'{'5a' * 32}'\"")
    for pragma in ("page_size=4096", "journal_mode=WAL", "synchronous=FULL", "cache_size=-16384", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


def files(directory: str):
    """Every file's path below the directory, and its text."""
    for place, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, directory), file.read().decode()


def insert(connection, source: str, text: str) -> None:
    """One note as the vault keeps it: front matter apart, the first line as the title."""
    head, _, body = text.removeprefix("---\n").partition("\n---\n")
    dates = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    title = body.split("\n", 1)[0].removeprefix("# ")
    row = connection.execute(
        "INSERT INTO note(source, notebook, title, body, created, updated) VALUES (?, ?, ?, ?, ?, ?)",
        (source, os.path.dirname(source), title, body, dates.get("created"), dates.get("updated"))).lastrowid
    connection.execute("INSERT INTO note_words(rowid, title, body) VALUES (?, ?, ?)", (row, title, body))


def import_all(kind: str, directory: str, path: str) -> dict:
    begin = time.monotonic()
    connection = connect(kind, path)
    connection.executescript(SCHEMA)
    count = 0
    connection.execute("BEGIN")
    for source, text in files(directory):
        insert(connection, source, text)
        count += 1
        if count % ROWS_A_TRANSACTION == 0:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    return {"seconds": time.monotonic() - begin, "notes": count, "bytes": os.path.getsize(path)}


@functools.cache
def collection():
    """Real-looking notes that no import has had; one text over and over would have next to no new words."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    import corpus
    return corpus.Corpus()


def commit_each(kind: str, path: str, count: int) -> dict:
    connection = connect(kind, path)
    texts = [collection().text(FIRST_NEW + number) for number in range(count)]
    whole, alone = [], []
    for number, text in enumerate(texts):
        begin = time.monotonic_ns()
        connection.execute("BEGIN IMMEDIATE")
        insert(connection, f"typed-{number}.md", text)
        written = time.monotonic_ns()
        connection.execute("COMMIT")
        end = time.monotonic_ns()
        whole.append((end - begin) / 1e3)
        alone.append((end - written) / 1e3)
    connection.close()
    median = sorted(whole)[count // 2]
    return {"medianMicroseconds": median, "commitMedianMicroseconds": sorted(alone)[count // 2], "samples": count}


if __name__ == "__main__":
    kind, work, *rest = sys.argv[1:]
    kind = kind.removesuffix("-trigram")
    print(json.dumps(import_all(kind, *rest) if work == "import" else commit_each(kind, rest[0], int(rest[1]))))
