#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Has the programs of a release write a vault, and keeps it in vaults.json, where each later program must open it: keep_vault.py --bin DIR --schema N --name RELEASE

To be run once for each release, and for each schema of the index that one brings. What the vault holds is told here, not read back from it.
"""
import argparse, base64, hashlib, json, os, subprocess, tempfile
from pathlib import Path

FILE = Path(__file__).resolve().parent / "vaults.json"
PASSWORD, NOTE_PASSWORD = b"correct horse battery staple", b"seven lanterns rosebud"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--schema", type=int, required=True, help="of the index: Schema.version")
    parser.add_argument("--name", required=True, help="of the release")
    chosen = parser.parse_args()
    programs = chosen.bin.resolve()
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        (home / "run").mkdir(mode=0o700)
        for name, secret in (("password", PASSWORD), ("other", NOTE_PASSWORD)):
            (home / name).write_bytes(secret + b"\n")
            (home / name).chmod(0o600)
        (home / "plain.txt").write_bytes(b"bytes of a file\n")
        environment = {"HOME": place, "XDG_RUNTIME_DIR": str(home / "run"), "PATH": "/usr/bin:/bin", "TZ": "UTC"}

        def vault(*words): return subprocess.run([programs / "vault", *words], env=environment, cwd=home, capture_output=True, check=True, text=True).stdout

        def new(*words): return json.loads(vault("new", *words, "--json"))["notes"][0]["id"]

        def note(identifier, title, text, **more):
            return {"id": identifier, "title": title, "text": text, "notebook": "", "tags": [], "place": "live", "private": False, "olderTexts": [], "attachments": [], **more}

        vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", "password")
        vault("unlock", "--password-file", "password")
        try:
            notes = []
            first = new("first line\nsecond line", "-t", "food", "-b", "home/garden")
            vault("append", first, "third line")
            notes.append(note(first, "first line", "first line\nsecond line\nthird line", tags=["food"], notebook="home/garden", olderTexts=["first line\nsecond line"]))
            trashed = new("thrown away")
            vault("rm", trashed)
            notes.append(note(trashed, "thrown away", "thrown away", place="trash", olderTexts=["thrown away"]))
            archived = new("kept away")
            vault("archive", archived)
            notes.append(note(archived, "kept away", "kept away", place="archive", olderTexts=["kept away"]))
            filed = new("with files", "--title", "Files", "--attach", "plain.txt")
            content = (home / "plain.txt").read_bytes()
            attachment = ["plain.txt", "text/plain", len(content), hashlib.sha256(content).hexdigest()]
            notes.append(note(filed, "Files", "with files", attachments=[attachment], olderTexts=["with files"]))
            private = new("a secret of its own", "--private", "--note-password-file", "other")
            notes.append(note(private, "a secret of its own", "a secret of its own", private=True))
        finally: vault("lock")
        folder = home / ".local/share/notevault/default"
        files = {str(path.relative_to(folder)): base64.b64encode(path.read_bytes()).decode() for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in ("lock", "reserve")}
    text = FILE.read_text()
    numbers = [test["tcId"] for group in json.loads(text)["testGroups"] for test in group["tests"]]
    number = max(numbers) + 1
    comment = f"a closed vault as {chosen.name} wrote it: index schema {chosen.schema}"
    test = {"tcId": number, "comment": comment, "flags": ["Released"], "files": files, "password": PASSWORD.hex(), "notePassword": NOTE_PASSWORD.hex(),
            "notes": sorted(notes, key=lambda one: one["id"]), "drafts": [], "result": "valid"}
    # One test a line, as the others stand there.
    head, end = text.rsplit("\n  ]}\n", 1)
    text = head.replace(f'"numberOfTests": {len(numbers)}', f'"numberOfTests": {len(numbers) + 1}') + ",\n   " + json.dumps(test, ensure_ascii=False) + "\n  ]}\n" + end
    FILE.write_text(text)
    print(f"test {number}: {comment}, {sum(map(len, files.values()))} characters")


if __name__ == "__main__":
    main()
