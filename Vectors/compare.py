#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Compares what two implementations made of the same files of vectors: the reports of `vault-audit vectors --json` and `verify.py --json`.

    compare.py OURS.json THEIRS.json [-o RESULT.json]

Exit code 1 when a file was run by one of them only, a SHA-256 or a number of tests differs, a test failed in one, or was skipped for another reason
than those below and --quick. RESULT.json is what `make audit` collects.
"""
import argparse, json, pathlib, sys

# age's format is not ours; the tests run the age program against its vectors.
OURS_ONLY = {"age.json"}
# What a reader of files cannot know; a test says so in `needs`.
NEEDS = {"pins": "only an account that remembers the vault can know", "store": "no part of any note: vault check looks for it"}

def files_of(report): return {pathlib.Path(file["path"]).name: file for file in report["files"]}

def numbers(remarks): return {remark["tcId"] for remark in remarks}

def troubles(name, ours, theirs):
    """What is wrong with one file, in sentences."""
    if not ours: yield f"{name}: only verify.py ran it"
    for who, file in (("vault-audit", ours), ("verify.py", theirs)):
        for problem in file["problems"] if file else []: yield f"{name}: {who}: {problem}"
        for remark in file["failed"] if file else []: yield f"{name}: {who}: test {remark['tcId']}: {remark['reason']}"
    if ours and not theirs and name not in OURS_ONLY: yield f"{name}: only vault-audit ran it"
    if not (ours and theirs): return
    for member, words in (("sha256", "bytes"), ("numberOfTests", "numbers of tests")):
        if ours[member] != theirs[member]: yield f"{name}: the two ran different {words}"

def skips(name, ours, theirs, quick):
    """Ours runs every test of ours, theirs all but what it cannot know; only a quick run leaves out more."""
    for who, file, known in (("vault-audit", ours, set()), ("verify.py", theirs, set(NEEDS.values()))):
        for remark in file["skipped"] if file else []:
            why = remark["reason"]
            if why not in known and not (quick and why.startswith("--quick")): yield f"{name}: {who} skipped test {remark['tcId']}: {why}"

def counts(file): return f"{file['passed']:>5}/{len(file['failed'])}/{len(file['skipped'])}" if file else "    –"

def row(name, ours, theirs):
    one = ours or theirs
    return f"{name:<28} {one['sha256'][:12]:<12} {one['numberOfTests']:>5}  {counts(ours):<12} {counts(theirs):<12}"

def table(ours, theirs):
    yield f"{'file':<28} {'SHA-256':<12} tests  {'vault-audit':<12} {'verify.py':<12} (passed/failed/skipped)"
    for name in sorted(ours.keys() | theirs.keys()): yield row(name, ours.get(name), theirs.get(name))

def both(ours, theirs):
    """How many tests passed in both."""
    total = 0
    for name in ours.keys() & theirs.keys():
        left = [numbers(file["failed"]) | numbers(file["skipped"]) for file in (ours[name], theirs[name])]
        total += ours[name]["numberOfTests"] - len(left[0] | left[1])
    return total

def summary(first, second):
    ours, theirs = files_of(first), files_of(second)
    quick = first["quick"] or second["quick"]
    failures = list(second.get("problems", []))
    if first["quick"] != second["quick"]: failures.append("only one of the two left out the long tests")
    if not ours.keys() & theirs.keys(): failures.append("no file was run by both")
    for name in sorted(ours.keys() | theirs.keys()):
        pair = ours.get(name), theirs.get(name)
        failures += [*troubles(name, *pair), *skips(name, *pair, quick)]
    figures = [["files of vectors", len(ours)], ["vectors", sum(file["numberOfTests"] for file in ours.values())],
               ["passed in vault-audit", sum(file["passed"] for file in ours.values())],
               ["passed in verify.py", sum(file["passed"] for file in theirs.values())], ["passed in both", both(ours, theirs)],
               ["skipped by verify.py, with the reason", sum(len(file["skipped"]) for file in theirs.values())],
               ["run by vault-audit alone (age)", sum(ours[name]["numberOfTests"] for name in OURS_ONLY & ours.keys() - theirs.keys())]]
    return dict(name="vectors", ok=not failures, figures=figures, failures=failures)

def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ours", "theirs"): arguments.add_argument(name, type=pathlib.Path)
    arguments.add_argument("-o", dest="result", type=pathlib.Path, help="where to write the result")
    given = arguments.parse_args()
    try: first, second = (json.loads(path.read_text()) for path in (given.ours, given.theirs))
    except (OSError, ValueError) as error: sys.exit(f"compare.py: no report: {error}")
    result = summary(first, second)
    for line in table(files_of(first), files_of(second)): print(line)
    for label, report in (("vault-audit", first), ("verify.py", second)):
        print(f"{label}: {report['libraries']['openSSL']}; Argon2: {report['libraries']['argon2']}; {', '.join(report['libraries']['files'])}")
    for what, count in result["figures"]: print(f"{count:>6}  {what}")
    for failure in result["failures"]: print("FAILED:", failure)
    if given.result:
        given.result.parent.mkdir(parents=True, exist_ok=True)
        given.result.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    sys.exit(0 if result["ok"] else 1)

if __name__ == "__main__": main()
