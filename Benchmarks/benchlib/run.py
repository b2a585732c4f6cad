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

from . import machine, peers, works_attach, works_commands, works_commit, works_export, works_import, works_rotate, works_unlock
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


def run(plan: Plan, programs: pathlib.Path, output: pathlib.Path, install: bool) -> Results:
    """Everything of one plan."""
    results = Results()
    found = peers.find(output / "peers", install and plan.install)
    with Workspace(output) as space:
        launcher = Launcher(space.environment(), space.runtime / "talk")
        this = Run(plan, space, launcher, found, programs, corpus.Corpus(), results)
        results.facts = machine.facts(plan, space) | {"peers": found.versions(), "queries": this.collection.queries()}
        if not this.has_vault:
            results.failures.append(f"vault or vault-agent is not in {programs.name}: build first, or say --bin")
        works_import.measure(this)
        works_commands.measure(this)
        works_commit.measure(this)
        works_unlock.measure(this)
        works_attach.measure(this)
        works_rotate.measure(this)
        works_export.measure(this)
        results.facts["loadAfter"] = machine.load()
    return results
