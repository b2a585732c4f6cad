#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Which threats had tests that passed, from the output of `swift test` (or Scripts/test.sh).

threat_tests.py LOG [--model FILE] [--tests DIR] [--output FILE]

Prints for each mitigated threat how many of its tests passed, failed and did not run. Ends with 1 when one of them has no test that passed
or one that failed. Writes the figures to bench-out/audit/threats.json, or to FILE.
"""
import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALONE = "== once more, alone"
OUTCOME = re.compile(r"^\S+ +Test `?(\w+)`?\([^)]*\)(?: with \d+ test cases?)? (passed|failed|skipped)\b", re.MULTILINE)
TOKEN = re.compile(r"(?:(?<=[a-z_])|^|(?<=[A-JMX][0-9]{2}))[A-JMX][0-9]{2}(?![0-9])")


def outcomes(log):
    """What became of each test: failed where one of that name failed. Tests that were run once more, alone, count as they did then."""
    result = {}
    for part in log.split(ALONE, 1):
        these = {}
        for name, word in OUTCOME.findall(part):
            if these.get(name) != "failed":
                these[name] = word if word == "failed" or these.get(name) != "passed" else "passed"
        result.update(these)
    return result


def names_in(folder):
    """All test functions of the tree: what stands behind `func` after each `@Test`."""
    found = set()
    for path in folder.rglob("*.swift"):
        for part in path.read_text(errors="replace").split("@Test")[1:]:
            name = re.match(r"(?:(?!\bfunc ).)*?\bfunc `?(\w+)", part, re.DOTALL)
            if name:
                found.add(name[1])
    return found


def belongs(test, threat):
    tokens = TOKEN.findall(test)
    return any(wanted == test or wanted in tokens for wanted in threat["tests"])


def judged(model, known, seen):
    """For each mitigated threat: passed, failed and unseen tests, and whether that will do."""
    for threat in model["threats"]:
        if threat["status"] != "mitigated":
            continue
        count = Counter(seen.get(test, "unseen") for test in sorted(known | set(seen)) if belongs(test, threat))
        yield threat["id"], count["passed"], count["failed"], count["unseen"] + count["skipped"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("log", type=Path)
    options.add_argument("--model", type=Path, default=ROOT / "ThreatModel/threats.json")
    options.add_argument("--tests", type=Path, default=ROOT / "Tests")
    options.add_argument("--output", type=Path, default=ROOT / "bench-out/audit/threats.json")
    chosen = options.parse_args()
    model = json.loads(chosen.model.read_text())
    rows = list(judged(model, names_in(chosen.tests), outcomes(chosen.log.read_text(errors="replace"))))
    failures = []
    print(f"{'ID':5}{'passed':>8}{'failed':>8}{'not run':>9}")
    for name, passed, failed, unseen in rows:
        bad = failed > 0 or passed == 0
        print(f"{name:5}{passed:8}{failed:8}{unseen:9}" + ("  <- " + ("a test failed" if failed else "no test passed") if bad else ""))
        if bad:
            failures.append(f"{name}: {passed} tests passed, {failed} failed, {unseen} did not run")
    status = Counter(threat["status"] for threat in model["threats"])
    figures = [["attack rows tested", len(rows) - len(failures)], ["accepted", status["accepted"]], ["out of scope", status["out of scope"]],
               ["open", len(failures) + sum(status.values()) - len(rows) - status["accepted"] - status["out of scope"]],
               ["tests of these rows that passed", sum(row[1] for row in rows)], ["that did not run", sum(row[3] for row in rows)]]
    report = {"name": "threats", "ok": not failures, "figures": figures, "failures": failures}
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    chosen.output.write_text(json.dumps(report, indent=1) + "\n")
    print(", ".join(f"{what} {number}" for what, number in figures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
