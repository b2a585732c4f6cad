#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""How long commands about books take beside `vault ls`, in one run: books.py [--bin FOLDER] [--books N] [--notes N] [--runs N]

Whole processes, in turns, so that what else the machine does falls on all of them alike. The vault is made anew in a folder of its own, and its
files are searched for a mark that stands in every title, text and chapter.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

MARK = "quokka5d1e"


def documents(books, notes):
    """A JSON export (docs/export-json.md) of so many books and notes, in one document."""
    def ident(number): return "".join("abcdefghijklmnopqrstuvwxyz234567"[number >> shift & 31] for shift in range(75, -1, -5))
    moment = "2026-01-02T03:04:05.000Z"
    made = []
    for number in range(books + notes):
        note = {
            "id": ident((number + 1) * 0x9E3779B97F4A7C15 & (1 << 80) - 1), "title": "", "titleIsSet": False, "body": "", "tags": [], "notebook": "",
            "created": moment, "modified": moment, "pinned": False, "archived": False, "trashed": False, "template": False, "private": False,
            "revisions": [], "attachments": []}
        if number < books:
            note |= {"title": f"{MARK} tales of house {number}", "titleIsSet": True, "body": f"{MARK} about a house"}
            note["book"] = {
                "shelf": ["reading", "wishlist", "archived"][number % 3], "subtitle": "", "authors": [f"{MARK} author {number % 700}"], "publishers": [],
                "published": "2002", "identifiers": [f"isbn13:{9780000000000 + number}"], "pages": 300, "language": "en", "added": moment,
                "rating": number % 21 * 25, "readings": [], "chapters": [f"{n}. {MARK}" for n in range(3)], "log": []}
        else:
            at = number - books
            note |= {"body": f"{MARK} note {at}\nwith a few words more"}
            note["inBook"] = {"id": made[at % books]["id"], "title": "", "chapter": f"{at % 3}. {MARK}", "position": at}
        made.append(note)
    return made


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=".build/release")
    options.add_argument("--books", type=int, default=10_000)
    options.add_argument("--notes", type=int, default=100_000)
    options.add_argument("--runs", type=int, default=40)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        environment = {
            "HOME": folder, "XDG_RUNTIME_DIR": folder, "NOTEVAULT_AGENT_DIR": folder, "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": folder + "/state",
            "XDG_DATA_HOME": folder + "/data", "XDG_CONFIG_HOME": folder + "/config", "LANG": "C.UTF-8"}
        (root / "pw").write_text("correct horse battery")
        os.chmod(root / "pw", 0o600)
        vault = str(pathlib.Path(options.bin).resolve() / "vault")

        def run(*words):
            done = subprocess.run([vault, *words], env=environment, capture_output=True, stdin=subprocess.DEVNULL)
            if done.returncode not in (0, 12): raise SystemExit(f"{words}: {done.stderr.decode()}")
            return done.stdout

        run("init", "--no-recovery", "--kdf-target", "0", "--password-file", folder + "/pw")
        run("unlock", "--password-file", folder + "/pw", "--max", "8h", "--idle", "8h")
        try:
            made = documents(options.books, options.notes)
            with open(root / "export.json", "w") as file:
                file.write('{"format":"vault-export","schema":1,"part":1,"notes":[\n' + ",\n".join(json.dumps(note) for note in made))
                count = len(made)
                file.write(f'\n],"noteCount":{count},"last":true,"totalNoteCount":{count},"privateNotesLeftOut":0}}\n')
            begun = time.monotonic()
            run("import", "json", folder + "/export.json")
            os.unlink(root / "export.json")
            print(f"import of {options.books} books and {options.notes} notes: {time.monotonic() - begun:.1f} s")
            listed = json.loads(run("book", "ls", "--json", "-n", "10"))
            assert sum(listed["counts"].values()) == options.books, listed["counts"]
            one = listed["books"][0]["id"]
            assert json.loads(run("book", "notes", one, "--json"))["total"] == options.notes // options.books
            words = {
                "ls": ["ls"], "book ls": ["book", "ls", "-n", "20"], "book ls WORDS": ["book", "ls", "house", "4711", "-n", "20"],
                "book notes": ["book", "notes", one], "book show": ["book", "show", one],
                "search book:": ["search", "book:\"house 4711\""], "search book:ID": ["search", f"book:{one}"],
                "search chapter:": ["search", f"book:{one}", "chapter:2"], "book stats": ["book", "stats"], "status": ["status"]}
            times = {name: [] for name in words}
            for _ in range(options.runs + 3):
                for name, line in words.items():
                    begun = time.perf_counter()
                    run(*line)
                    times[name].append((time.perf_counter() - begun) * 1000)
            base = statistics.median(times["ls"][3:])
            for name, each in times.items():
                each = sorted(each[3:])
                print(f"{name:16} {statistics.median(each):6.2f} ms  ({each[len(each) // 10]:.2f} to {each[-len(each) // 10 - 1]:.2f})  {statistics.median(each) / base:5.2f} x ls")
        finally:
            run("lock")
        found = [str(path) for path in root.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        print(f"files with the mark: {len(found)} of {size / 1e6:.0f} MB {found[:3]}")


main()
