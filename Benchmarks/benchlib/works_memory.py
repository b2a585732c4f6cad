# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Resident memory of an idle agent: just unlocked, and again when much has been read."""
import time
import typing

from .results import Row
from .series import Series

if typing.TYPE_CHECKING:
    from .run import Run

IDLE_MIB_MAX = 64
SETTLE = 1.0  # seconds; what runs in the background after an unlock belongs to it


def fresh(run: "Run") -> None:
    """A new agent for each vault: the one that has imported is not what a person has at hand."""
    for size, vault in run.vaults.items():
        run.results.facts.setdefault("agentPeakMiBInImport", {})[str(size)] = round(vault.memory()["peak"], 1)
        vault.lock()
        run.results.facts.setdefault("vaultBytes", {})[str(size)] = vault.bytes_on_disk()
        vault.unlock()
    time.sleep(SETTLE if run.vaults else 0)
    report(run, "after unlock")


def used(run: "Run") -> None:
    time.sleep(SETTLE if run.vaults else 0)
    report(run, "after reading")


def report(run: "Run", when: str) -> None:
    for size in run.plan.sizes:
        vault = run.vaults.get(size)
        series = Series("MiB", [vault.memory()["resident"]]) if vault else None
        run.results.point(f"agent's memory, {when}", size, series)
        run.results.add(Row(f"agent's resident memory {size:,}, {when}", series, figure_max=IDLE_MIB_MAX, unit="MiB"))
