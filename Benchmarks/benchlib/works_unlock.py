# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""`vault unlock` beyond the time that Argon2id itself takes at this vault's cost."""
import pathlib
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import difference
from .vault import Vault

if typing.TYPE_CHECKING:
    from .run import Run

WORKER = str(pathlib.Path(__file__).with_name("argon2_worker.py"))
BEYOND_MAX = 0.030  # seconds


def measure(run: "Run") -> None:
    """The two take turns, since Argon2's time on shared cores moves by more than what is looked for."""
    size = run.plan.import_size
    vault = run.vaults.get(size)
    if vault is None:
        run.results.add(Row(f"unlock {size:,}, whole process", None, "Argon2id alone", None),
                        Row(f"unlock {size:,}, beyond Argon2id", None, figure_max=BEYOND_MAX))
        return
    with run.guarded("unlock"):
        contenders = [Contender("unlock", lambda: unlock_seconds(run, vault))]
        if run.peers.argon2_python:
            cost = vault.status()["kdf"]
            run.results.facts["kdf"] = cost
            command = [run.peers.argon2_python, WORKER, *(str(cost[name]) for name in ("memoryKiB", "iterations", "parallelism"))]
            contenders.append(Contender("Argon2id", lambda: float(run.launcher.output(command))))
        series = interleave(contenders, run.plan.unlock_rounds, run.results.failures, warm_ups=1)
        unlock, argon2 = series.get("unlock"), series.get("Argon2id")
        beyond = difference(unlock, argon2) if unlock and argon2 else None
        run.results.add(Row(f"unlock {size:,}, whole process", unlock, "Argon2id alone", argon2),
                        Row(f"unlock {size:,}, beyond Argon2id", beyond, figure_max=BEYOND_MAX))


def unlock_seconds(run: "Run", vault: Vault) -> float:
    """From a locked vault to an agent that answers; locking before and looking after are not timed."""
    vault.lock()
    seconds = run.launcher.seconds(vault.unlock_command)
    vault.learn_agent()
    return seconds
