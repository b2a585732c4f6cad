#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Three devices over real clusters, of which a part fails while they write: is anything lost, or told that is untrue?

  ceph        one of three OSDs is killed and comes back; then two are, and every request hangs
  seaweedfs   one of two filers is killed with its disk; a new one takes its place
  openstack   one of three nodes of Swift is killed, and comes back with the disk that it had

Each device writes, replaces, attaches, deletes and purges at once, and syncs now and then. In the end all faults are
over, and the history of what was acknowledged, shown and said is judged (history.py).

clusters.py [--bin DIR] [--full] [--short] [--writes N] [--seed N] [--keep DIR] [--audit FILE] [--verbose] [STORE ...]
"""

import argparse, json, os, shutil, signal, sys, tempfile, time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent.parent / "bench-out/venv/bin/python3"


def walks(arguments):
    """Name, cluster, how many changes, and how many seconds a fault lasts at least."""
    from ceph import Ceph
    from seaweed import SeaweedFS
    from served import OpenStack, Small
    if arguments.short:
        return [("seaweedfs, one process", Small, 30, 2)]
    kinds = {"ceph": Ceph, "seaweedfs": SeaweedFS, "openstack": OpenStack}
    many = {"ceph": 2000 if arguments.full else 150, "seaweedfs": 150, "openstack": 150}
    return [(name, kinds[name], arguments.writes or many[name], 20) for name in arguments.stores or kinds]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="*", metavar="STORE", help="ceph, seaweedfs, openstack; all by default")
    parser.add_argument("--bin", default=".build/release")
    parser.add_argument("--full", action="store_true", help="2,000 changes over Ceph instead of 150")
    parser.add_argument("--short", action="store_true", help="the checker's own test, and 30 changes over one process")
    parser.add_argument("--writes", type=int, help="so many changes over each store")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", metavar="DIR", help="where histories are kept")
    parser.add_argument("--audit", metavar="FILE")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    # So that what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    from planted import self_test
    from trial import Trial
    wrong, report = self_test(2 if arguments.short else 5), {}
    for name, kind, wanted, seconds in walks(arguments):
        with tempfile.TemporaryDirectory(prefix="clusters-") as scratch:
            begin = time.monotonic()
            try:
                trial = Trial(kind(Path(scratch) / "cluster"), arguments, scratch, wanted, seconds)
            except OSError as error:
                print(f"{name}: not run: {error}", flush=True)
                wrong += 1
                continue
            counts, faults, told = trial.run()
            if arguments.keep:
                Path(arguments.keep).mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(scratch) / "history", Path(arguments.keep) / f"{name.split(',')[0]}.jsonl")
        seconds = round(time.monotonic() - begin)
        print(f"{name}: {seconds} s, {dict(counts)}", *told, sep="\n    ", flush=True)
        for fault, text in faults[:20]:
            print(f"    VIOLATION {fault}: {text}", flush=True)
        report[name] = {"seconds": seconds, "counts": dict(counts), "told": told, "faults": faults}
        wrong += len(faults)
    if arguments.audit:
        Path(arguments.audit).write_text(json.dumps(report, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    # botocore is in the virtual environment that Scripts/setup.sh makes.
    if PYTHON.exists() and Path(sys.executable) != PYTHON:
        os.execv(PYTHON, [str(PYTHON), "-B", *sys.argv])
    sys.path.insert(0, str(HERE))
    sys.exit(main())
