#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Measures vault beside age, pass, SQLite and SQLCipher on this machine and prints a table.

A missed target is a line in the table, never a failure: exit code 1 means that something did not run.
"""
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from benchlib import plan, run, table  # noqa: E402


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="300 notes in some 20 s: does everything run?")
    size.add_argument("--full", action="store_true", help="1,000,000 notes too, and more rounds; takes long")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures there as JSON")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT.parent / ".build/release", metavar="DIR",
                        help="where vault and vault-agent are (default: .build/release)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT.parent / "bench-out", metavar="DIR",
                        help="a directory on the disk to measure; only the installed peers stay there")
    parser.add_argument("--no-install", action="store_true", help="do not install missing peers")
    return parser.parse_args()


def main() -> int:
    chosen = options()
    name = "quick" if chosen.quick else "full" if chosen.full else "default"
    try:
        results = run.run(plan.PLANS[name], chosen.bin.resolve(), chosen.out.resolve(), not chosen.no_install)
    except KeyboardInterrupt:
        print("bench: interrupted; everything temporary is removed", file=sys.stderr)
        return 130
    print(table.render(results))
    if chosen.json:
        chosen.json.write_text(json.dumps(results.summary(), indent=1, ensure_ascii=False) + "\n")
    return 1 if results.failures else 0


if __name__ == "__main__":
    sys.exit(main())
