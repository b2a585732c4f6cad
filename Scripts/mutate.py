#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Takes each defence of the list in Tests/Mutations out of a copy of the sources, one at a time: a test of its row must turn red.

All removals are compiled into one copy, switched off; a number in a file switches one on. First all tests that the list names run with none
switched on: they must pass. Then each entry's own tests run with its defence gone. A removal that no test sees is a finding.
"""
import argparse
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))

from mutations import entries as listing  # noqa: E402
from mutations.run import Tests  # noqa: E402
from mutations.tree import Tree  # noqa: E402

REPORT = ROOT / "bench-out/audit/mutations.json"
CAUGHT = {"failed": "caught", "crashed": "caught (the program ended)", "hung": "caught (a test never ended)"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="ID", nargs="+", default=[], help="entries or rows, such as A02.1 or A02")
    parser.add_argument("--list", action="store_true", help="print the list and end")
    parser.add_argument("--check", action="store_true", help="look whether the list fits the sources, without building")
    parser.add_argument("--scratch", default=ROOT / ".build-mutants", help="folder of the copy; kept, so that the next build is short")
    parser.add_argument("--no-baseline", action="store_true", help="do not run the tests with all defences in place first")
    parser.add_argument("--issues", action="store_true", help="print what the tests said of each removal")
    return parser.parse_args()


def chosen(entries, only):
    found = [entry for entry in entries if not only or entry.id in only or entry.row in only]
    unknown = [word for word in only if not any(word in (entry.id, entry.row) for entry in entries)]
    if unknown:
        sys.exit(f"mutate: no entry is called {', '.join(unknown)}; --list shows them")
    return found


def baseline(tests, entries):
    """Names of tests that fail although nothing was removed; once more alone, as a busy machine makes waits too short."""
    pattern = "|".join(dict.fromkeys(entry.filter for entry in entries))
    result = tests.run(pattern, 1200)
    if result.verdict == "failed":
        again = "|".join(f"[/.]{name}\\(" for name in result.failed)
        result = tests.run(again, 600, parallel=False) if result.failed else result
    if result.verdict == "passed":
        return []
    print("\n".join(line for line in result.text.splitlines() if line.startswith("✘"))[:4000])
    return list(result.failed) or [f"the tests {result.verdict}"]


def judged(tree, tests, entry, issues):
    """One line of the report: what came of one removal."""
    if entry.source:
        with tree.rewritten(entry):
            result = tests.run(entry.filter, entry.seconds)
    else:
        tree.choose(entry.number)
        result = tests.run(entry.filter, entry.seconds)
        tree.choose(0)
    verdict = CAUGHT.get(result.verdict, "SURVIVED" if result.verdict == "passed" else "NOT RUN")
    seen = ", ".join(result.failed) or (f"{result.count} tests passed" if result.count else "no verdict")
    print(f"{entry.id:8} {verdict:9} {result.seconds:5.1f} s  {entry.defence}: {seen if verdict != 'NOT RUN' else 'no test ran'}", flush=True)
    if issues:
        said = [line for line in result.text.splitlines() if "recorded an issue" in line]
        print("\n".join("    " + line[:300] for line in said[:5]), flush=True)
    return verdict


def report(entries, verdicts, failures):
    caught = [entry for entry in entries if verdicts[entry.id].startswith("caught")]
    figures = [["removals", len(entries)], ["caught", len(caught)], ["survived", sum(v == "SURVIVED" for v in verdicts.values())],
               ["not run", sum(v == "NOT RUN" for v in verdicts.values())], ["rows with a removal", len({entry.row for entry in entries})]]
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(json.dumps({"name": "mutations", "ok": not failures, "figures": figures, "failures": failures}, indent=1) + "\n")
    return figures


def mutate(options, entries):
    selected = chosen(entries, options.only)
    tree = Tree(ROOT, options.scratch)
    with tree.alone():
        tree.write(entries)
        tests = Tests(tree)
        log = tree.scratch / "build.log"
        print(f"building the copy with {len(entries)} removals; the compiler's words go to {log}", flush=True)
        if not tests.build(log):
            sys.exit("\n".join(line for line in log.read_text().splitlines() if "error:" in line) + f"\nmutate: the copy does not compile: {log}")
        red = [] if options.no_baseline else baseline(tests, selected)
        if red:
            sys.exit(f"mutate: red with every defence in place, so that nothing can be said: {', '.join(red)}")
        verdicts = {entry.id: judged(tree, tests, entry, options.issues) for entry in selected}
    failures = [f"{entry.id} {verdicts[entry.id]}: {entry.defence}" for entry in selected if not verdicts[entry.id].startswith("caught")]
    caught = len(selected) - len(failures)
    if not options.only:
        print("; ".join(f"{what}: {count}" for what, count in report(entries, verdicts, failures)))
    print("\n".join(failures + [f"{caught} of {len(selected)} removals were caught"]))
    return 1 if failures else 0


def main():
    options = arguments()
    os.umask(0o022)
    entries = listing.load(ROOT)
    if options.list:
        print("\n".join(f"{entry.id:8} {entry.defence} [{entry.tests}]" + (f" Also: {entry.also}" if entry.also else "") for entry in entries))
        return 0
    problems = listing.problems(ROOT, entries)
    for problem in problems:
        print(f"mutate: {problem}", file=sys.stderr)
    if options.check:
        print(f"{len(entries)} removals of {len({entry.row for entry in entries})} rows")
        return 1 if problems else 0
    if any("mitigated, and nothing" not in problem for problem in problems):
        return 1
    return mutate(options, entries)


if __name__ == "__main__":
    sys.exit(main())
