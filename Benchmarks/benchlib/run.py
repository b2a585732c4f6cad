# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One whole run: set up, the works one after the other, clean up. A work that fails does not stop the next."""
import contextlib
import dataclasses
import json
import pathlib
import subprocess
import time

import corpus

from . import (machine, notesfile, peers, works_attach, works_commands, works_commit, works_export, works_import, works_life, works_rotate,
               works_sizes, works_unlock, works_wear, works_whole, works_worst, works_write)
from .agepass import PassStore
from .keeper import Keeper
from .plan import Plan
from .results import Results
from .rounds import say
from .spawn import Failure, Launcher
from .vault import Vault
from .workspace import Workspace

HANDLED = (Failure, OSError, ValueError, KeyError, IndexError, TypeError, subprocess.SubprocessError)


@dataclasses.dataclass
class Run:
    """What every work gets."""
    plan: Plan
    space: Workspace
    launcher: Launcher
    peers: peers.Peers
    programs: pathlib.Path            # where vault, vault-agent and vault-bench are
    collection: corpus.Corpus
    results: Results
    vaults: "dict[int, Vault]" = dataclasses.field(default_factory=dict)  # unlocked, by number of notes
    folders: "dict[int, pathlib.Path]" = dataclasses.field(default_factory=dict)
    keeper: "Keeper | None" = None
    pass_store: "PassStore | None" = None
    stores: dict = dataclasses.field(default_factory=dict)  # of other programs, by name

    @property
    def bench_tool(self) -> "str | None":
        """Our own database engine without the vault around it; built for benchmarks only."""
        tool = self.programs / "vault-bench"
        return str(tool) if tool.exists() else None

    @property
    def has_vault(self) -> bool:
        return all((self.programs / name).exists() for name in ("vault", "vault-agent"))

    def folder(self, count: int) -> pathlib.Path:
        """A folder with that many notes."""
        if count not in self.folders:
            say(f"bench: writing {count:,} notes")
            self.collection.write(self.space.disk / f"notes-{count}", count)
            self.folders[count] = self.space.disk / f"notes-{count}"
        return self.folders[count]

    def export_file(self, count: int) -> pathlib.Path:
        """The same notes in one file of vault's JSON form."""
        place = self.keeper.notes(count) if self.keeper else self.space.disk / f"notes-{count}.json"
        if not place.exists():
            say(f"bench: writing {count:,} notes as JSON")
            notesfile.write(place, count)
        return place

    def drop_vault(self, size: int) -> None:
        if size in self.vaults:
            old = self.vaults.pop(size)
            old.close()
            self.space.drop(old.directory)

    @contextlib.contextmanager
    def guarded(self, work: str):
        """Notes a failure and goes on."""
        say(f"bench: {work}")
        begin = time.monotonic()
        try:
            yield
        except json.JSONDecodeError as error:
            self.results.failures.append(f"{work}: not JSON: {error.msg}")
        except HANDLED as error:
            self.results.failures.append(f"{work}: {type(error).__name__}: {error}")
        say(f"bench: {work}: {time.monotonic() - begin:.0f} s")


# In this order: what changes a vault for good comes last.
PARTS = {
    "import": works_import, "commands": works_commands, "unlock": works_unlock, "life": works_life, "write": works_write, "worst": works_worst,
    "wear": works_wear, "sizes": works_sizes, "commit": works_commit, "attach": works_attach, "rotate": works_rotate, "export": works_export,
    "whole": works_whole,
}


def run(plan: Plan, programs: pathlib.Path, output: pathlib.Path, install: bool, parts: "list[str]", keep: "pathlib.Path | None" = None) -> Results:
    """Everything of one plan, or some parts of it."""
    results = Results()
    found = peers.find(output / "peers", install and plan.install)
    with Workspace(output) as space:
        launcher = Launcher(space.environment(), space.runtime / "talk")
        this = Run(plan, space, launcher, found, programs, corpus.Corpus(), results)
        this.keeper = Keeper(keep) if keep else None
        results.facts = machine.facts(plan, space) | {"peers": found.versions(), "queries": this.collection.queries()}
        if not this.has_vault:
            results.failures.append(f"vault or vault-agent is not in {programs.name}: build first, or say --bin")
        for name, part in PARTS.items():
            if name in parts:
                results.part = name
                part.measure(this)
        results.facts["loadAfter"] = machine.load()
    return results
