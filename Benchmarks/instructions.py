#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Counts instructions, which stay the same where seconds do not, and compares them with Benchmarks/instructions.json.

`vault show`, `ls` and `search` run under valgrind's callgrind against an unlocked vault of 300 notes; then the agent itself does, while the same
requests and an append come in. The counts are those of the release programs: a debug build has others. Exit code 1 when one has grown by more than
the tolerance, 2 when nothing could be counted. After a change that is meant to cost more (or less): --update.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

import corpus  # noqa: E402
from benchlib import notesfile, spawn, vault, workspace  # noqa: E402

BASELINE = ROOT / "instructions.json"
TOLERANCE = 0.05
NOTES = 300
REPEATS = 5  # of one request; the count is of one


def requests(note: str, collection: corpus.Corpus) -> "dict[str, list[str]]":
    asked = collection.queries()
    return {"show": ["show", note], "ls": ["ls"], "search, rare word": ["search", asked["rare word"]],
            "search, common word": ["search", asked["common word"]], "search, no hit, grams known": ["search", asked["no hit, grams known"]]}


class Counting:
    """A filled vault, and copies of the programs that valgrind can read: it gives up on some of Swift's debug information."""

    def __init__(self, space: workspace.Workspace, programs: pathlib.Path):
        self.space, self.valgrind = space, shutil.which("valgrind")
        self.folder = space.runtime / "bin"
        self.folder.mkdir(mode=0o700)
        for name in ("vault", "vault-agent", "vault-parse"):
            shutil.copy2(programs / name, self.folder / name)
            if name != "vault-parse":
                subprocess.run([shutil.which("strip"), "-g", str(self.folder / name)], check=True)
        self.launcher = spawn.Launcher(space.environment(), space.runtime / "talk")
        self.collection = corpus.Corpus()
        self.vault = vault.Vault(self.folder / "vault", space, self.launcher, "counted")
        self.vault.unlock()
        source = space.runtime / "notes.json"
        notesfile.write(source, NOTES)
        self.vault.import_seconds("json", source)
        self.note = self.launcher.output(self.vault.text_command("new", self.collection.text(7).split("\n---\n", 1)[1])).split()[-1]

    def client(self) -> "dict[str, int]":
        """Of the client alone: the agent runs as ever."""
        found = {}
        for name, words in requests(self.note, self.collection).items():
            command = self.vault.command(*words)
            self.launcher.output(command)
            found[f"client: {name}"] = self.collected([self.valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", *command])
        return found

    def collected(self, command: "list[str]") -> int:
        done = subprocess.run(command, env=self.launcher.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        counted = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or not counted:
            raise spawn.Failure(f"valgrind: {done.stderr.strip()[-300:]}")
        return int(counted[1])

    def agent(self) -> "dict[str, int]":
        """Of the agent: a script in its place starts it under callgrind, since it takes no option or variable from its client."""
        self.vault.lock()
        self.dumps = self.space.runtime / "dumps"
        self.dumps.mkdir(mode=0o700)
        agent = self.folder / "vault-agent"
        agent.rename(self.folder / "agent-itself")
        agent.write_text(f'#!/bin/sh\nexec {self.valgrind} -q --tool=callgrind --callgrind-out-file={self.dumps}/out '
                         f'{self.folder}/agent-itself "$@" 2>{self.dumps}/talk\n')
        agent.chmod(0o700)
        self.launcher.output(self.vault.unlock_command, limit=300)
        self.vault.learn_agent()
        found = {}
        for name, words in (requests(self.note, self.collection) | {"append": ["append", self.note, "a line more"]}).items():
            command = self.vault.command(*words)
            self.launcher.output(command)
            self.control("-z")
            for _ in range(REPEATS):
                self.launcher.output(command)
            found[f"agent: {name}"] = self.dumped() // REPEATS
        self.launcher.output(self.vault.command("lock"), limit=60)
        return found

    def control(self, option: str) -> None:
        self.launcher.output(["/usr/bin/env", "callgrind_control", option, str(self.vault.agent)])

    def dumped(self) -> int:
        before = set(self.dumps.glob("out*"))
        self.control("-d")
        for file in set(self.dumps.glob("out*")) - before:
            counted = re.search(r"^(?:totals|summary): (\d+)", file.read_text(errors="replace"), re.MULTILINE)
            if counted:
                return int(counted[1])
        raise spawn.Failure("callgrind: no dump was written")


def compare(counts: "dict[str, int]", baseline: "dict[str, int]", tolerance: float) -> "tuple[str, list[str]]":
    """A table, and the names of what has grown by more than the tolerance."""
    lines, grown = [f"{'instructions':45} {'now':>14} {'baseline':>14} {'change':>8}"], []
    for name, count in counts.items():
        known = baseline.get(name)
        change = f"{(count / known - 1) * 100:+.1f} %" if known else "new"
        lines.append(f"{name:45} {count:14,} {known or 0:14,} {change:>8}")
        if known and count > known * (1 + tolerance):
            grown.append(name)
    return "\n".join(lines), grown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT.parent / ".build/release", metavar="DIR")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT.parent / "bench-out", metavar="DIR")
    parser.add_argument("--client-only", action="store_true", help="not the agent: some seconds instead of half a minute")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="SHARE")
    parser.add_argument("--update", action="store_true", help="the counts of now become the baseline")
    chosen = parser.parse_args()
    if not shutil.which("valgrind") or not (chosen.bin / "vault-agent").exists():
        print("instructions: needs valgrind and the release programs", file=sys.stderr)
        return 2
    with workspace.Workspace(chosen.out.resolve()) as space:
        try:
            counting = Counting(space, chosen.bin.resolve())
            counts = counting.client()
            if not chosen.client_only:
                counts |= counting.agent()
        except (spawn.Failure, OSError, subprocess.SubprocessError) as error:
            print(f"instructions: {error}", file=sys.stderr)
            return 2
    baseline = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    text, grown = compare(counts, baseline, chosen.tolerance)
    print(text)
    if chosen.update:
        BASELINE.write_text(json.dumps(baseline | counts, indent=1) + "\n")
    elif grown:
        print(f"instructions: grown by more than {chosen.tolerance:.0%}: {', '.join(grown)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
