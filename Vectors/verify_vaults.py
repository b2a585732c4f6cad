#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Whole vaults, archives and backups, opened by docs/decrypt.py, which was written from docs/format.md alone. verify.py runs it.

A reader of files knows less than the programs: what only an account's memory tells (`needs`: pins), or what is no part of any note
(`needs`: store), is skipped with that reason.
"""
import base64, contextlib, importlib.util, io, json, pathlib, sys, tempfile
from compare import NEEDS

DECRYPT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "decrypt.py"
MEMORY = pathlib.Path("/dev/shm")
PLACES = [(1, "trash"), (8, "template"), (4, "archive")]

def load_decrypt():
    spec = importlib.util.spec_from_file_location("decrypt", DECRYPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

decrypt = load_decrypt()

def skipped(test):
    """Why this test cannot be run here, or nothing."""
    return NEEDS.get(test.get("needs"))

def altered(data, edit):
    op, data = edit["op"], bytearray(data)
    if op == "flip": data[edit["offset"]] ^= 1 << edit["bit"]
    elif op == "zero": data[edit["offset"]:edit["offset"] + edit["size"]] = bytes(edit["size"])
    elif op == "truncate": data = data[:edit["size"]]
    elif op == "append": data += bytes.fromhex(edit["hex"])
    elif op == "insert": data[edit["offset"]:edit["offset"]] = bytes.fromhex(edit["hex"])
    elif op == "replace": data[edit["offset"]:edit["offset"] + len(edit["hex"]) // 2] = bytes.fromhex(edit["hex"])
    elif op == "exchange":
        a, b = (slice(edit[at], edit[at] + edit["size"]) for at in "ab")
        data[a], data[b] = data[b], data[a]
    else: raise ValueError(f"an edit that is not known: {op}")
    return bytes(data)

def files_of(test, tests):
    """Its base's files, its own over them, then its edits."""
    files = dict(files_of(tests[test["base"]], tests)) if "base" in test else {}
    files.update((path, base64.b64decode(data, validate=True)) for path, data in test.get("files", {}).items())
    for edit in test.get("edit", []):
        path, op = edit["file"], edit["op"]
        if op == "take": files[path] = files_of(tests[edit["base"]], tests)[edit.get("name", path)]
        elif op == "remove": del files[path]
        elif op == "exchangeFiles": files[path], files[edit["with"]] = files[edit["with"]], files[path]
        else: files[path] = altered(files[path], edit)
    return files

def write(folder, files):
    for path, data in files.items():
        file = folder / path
        if ".." in file.parts or folder not in file.parents: raise ValueError("a path that leads out")
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(0o600)

def options(folder, test):
    """The command line: what is secret is in files."""
    given = {"--password-file": bytes.fromhex(test.get("password", "")) + b"\n", "--recovery-key-file": test.get("recoveryKey", "").encode(),
             "--key-file": test.get("keyFile", "").encode(), "--note-password-file": bytes.fromhex(test.get("notePassword", "")) + b"\n"}
    for name, secret in given.items():
        if not secret.strip(b"\n"): continue
        file = folder / name.strip("-")
        file.write_bytes(secret)
        yield from (name, str(file))

def subject(vault, form):
    """What decrypt.py is to open."""
    if form == "archive": return vault / "archive"
    return max((vault / "snapshots").iterdir()) if form == "backup" else vault

def run(test, tests):
    """The exit code, and what was found."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        place = pathlib.Path(place)
        vault = place / "given"
        vault.mkdir(mode=0o700)
        write(vault, files_of(test, tests))
        printed, arguments = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), sys.argv
        sys.argv = ["decrypt.py", str(subject(vault, test.get("form", "vault"))), *options(place, test), "--json"]
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()): code = decrypt.main()
        finally: sys.argv = arguments
        return code, json.loads(printed.buffer.getvalue()) if code == 0 else None

def shown(note):
    place = next((name for bit, name in PLACES if note["flags"] & bit), "live")
    if note["locked"]: return dict(id=note["id"], place=place, private=True, text=None)
    files = sorted([file["name"], file["mediaType"], file["size"], file["sha256"]] for file in note["attachments"])
    return dict(id=note["id"], title=note["title"], text=note["body"], notebook=note["notebook"], tags=note["tags"], place=place,
                private=note["private"], olderTexts=[older["body"] for older in note["revisions"]], attachments=files)

def vault(test, _, data):
    tests = {test["tcId"]: test for group in data["testGroups"] for test in group["tests"]}
    code, report = run(test, tests)
    if code == 0:
        drafts = [dict(id=draft["id"], note=draft["note"], text=draft["body"]) for draft in report["drafts"]]
        if "stage" in test: return True
        return [shown(note) for note in report["notes"]] == test["notes"] and drafts == test["drafts"]
    # It tells a wrong password from damage, and has one code for all damage.
    if code != (4 if test.get("exitCode") == 4 else 13): raise ValueError(f"exit code {code}")
    return False

RUNNERS = dict(VaultTest=vault)
