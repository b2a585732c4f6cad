#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Clouds, by the real programs: several remotes at once, a fake of Dropbox with each of its faults and what a person
reads then, and rclone as a child.

clouds.py [--bin DIR] [several] [dropbox] [rclone] [--short]
"""

import argparse, sys, tempfile, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from several import Several  # noqa: E402


def walks():
    from dropbox_walk import DropboxWalk
    from rclone_walk import RcloneWalk
    return {"several": Several, "dropbox": DropboxWalk, "rclone": RcloneWalk}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=".build/release", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--short", action="store_true", help="less of each, in some 20 seconds")
    parser.add_argument("names", nargs="*", default=[])
    arguments = parser.parse_args()
    wrong = 0
    for name in arguments.names or walks():
        with tempfile.TemporaryDirectory(prefix="clouds-") as scratch:
            begin = time.monotonic()
            walk = Several if name == "several" else walks()[name]
            trial = walk(arguments.bin, scratch, arguments.short)
            try:
                counts, faults = trial.run()
            except (OSError, RuntimeError) as error:
                counts, faults = trial.counts, [*trial.faults, f"it ended: {error}"]
            seconds = time.monotonic() - begin
        print(f"{name}: {seconds:.0f} s", flush=True)
        for what, count in counts.items():
            print(f"    {what}: {count}", flush=True)
        print(*(f"    WRONG: {fault}" for fault in faults), sep="\n", end="\n" if faults else "", flush=True)
        wrong += len(faults)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
