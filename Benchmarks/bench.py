#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Measures vault beside what people use instead, on this machine, and prints a table.

A missed target is a line in the table, never a failure: exit code 1 means that something did not run.
"""
import argparse
import dataclasses
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
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="where the figures go as JSON (default: bench.json in --out)")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT.parent / ".build/release", metavar="DIR",
                        help="where vault and vault-agent are (default: .build/release)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT.parent / "bench-out", metavar="DIR",
                        help="a directory on the disk to measure; only the installed peers stay there")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                        help="keep the filled vaults there (twice the disk), and take those of an earlier run: a second run is shorter")
    parser.add_argument("--only", nargs="+", choices=list(run.PARTS), metavar="PART", help="only these of: " + " ".join(run.PARTS))
    parser.add_argument("--no-install", action="store_true", help="do not install missing peers")
    return parser.parse_args()


def main() -> int:
    chosen = options()
    name = "quick" if chosen.quick else "full" if chosen.full else "default"
    try:
        chosen_plan = plan.PLANS[name]
        parts = chosen.only or list(run.PARTS)
        if "import" not in parts:  # the vaults are needed anyway, but not the peers'
            chosen_plan, parts = dataclasses.replace(chosen_plan, compares_import=False), ["import", *parts]
        results = run.run(chosen_plan, chosen.bin.resolve(), chosen.out.resolve(), not chosen.no_install, parts, chosen.keep and chosen.keep.resolve())
    except KeyboardInterrupt:
        print("bench: interrupted; everything temporary is removed", file=sys.stderr)
        return 130
    print(table.render(results))
    target = chosen.json or chosen.out / "bench.json"
    target.write_text(json.dumps(results.summary(), indent=1, ensure_ascii=False) + "\n")
    return 1 if results.failures else 0


if __name__ == "__main__":
    sys.exit(main())
