#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Three homes and one store, by the real programs: everything that many devices are for, one step after the other.

Enrol by clone and by pairing code; write on all while none hears of another; meet, join, resolve; passwords of notes
and files; a new key while one is away; a backup put back on one; a device given up; processes killed at random. In the
end each home is read by docs/decrypt.py: equal heads, equal texts, everything that was acknowledged, `check` clean, and
no byte of any of it in the store.

homes.py [--bin DIR] [--kinds folder nginx apache seaweedfs openstack] [--kills N] [--segments N] [--full] [--seed N]
         [--audit FILE] [--verbose]
"""

import argparse, json, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from full import FullStore
from journey import Journey
from store import KINDS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--segments", type=int, default=20, help="what is sent while one home is away")
    parser.add_argument("--full", action="store_true", help="also stores that have no room, which takes root")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--audit", metavar="FILE")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    wrong, report = 0, {}
    walks = [(kind, Journey, kind) for kind in arguments.kinds]
    if arguments.full:
        walks += [(f"{kind}, full", FullStore, kind) for kind in ("folder", "nginx") if kind in arguments.kinds]
    for name, walk, kind in walks:
        with tempfile.TemporaryDirectory(prefix="homes-") as scratch:
            begin = time.monotonic()
            try:
                counts, faults = walk(kind, arguments, scratch).run()
            except OSError as error:
                print(f"{name}: not run: {error}", flush=True)
                wrong += 1
                continue
            seconds = time.monotonic() - begin
        print(f"{name}: {seconds:.0f} s, {dict(counts)}", *faults, sep="\n    ", flush=True)
        report[name] = {"seconds": round(seconds), "counts": dict(counts), "faults": faults}
        wrong += len(faults)
    if arguments.audit:
        Path(arguments.audit).write_text(json.dumps(report, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
