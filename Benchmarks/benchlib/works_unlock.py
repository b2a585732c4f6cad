# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""`vault unlock` beyond the time that Argon2id itself takes at this vault's cost, at each size; the first command after it; and after a crash."""
import json
import pathlib
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import Series, difference
from .vault import Vault

if typing.TYPE_CHECKING:
    from .run import Run

WORKER = str(pathlib.Path(__file__).with_name("argon2_worker.py"))
BEYOND_MAX = 0.030  # seconds
CRASHES = 3


def measure(run: "Run") -> None:
    """All sizes and the derivation alone take turns, since Argon2's time on shared cores moves by more than what is looked for."""
    with run.guarded("unlock"):
        contenders, first = [], {}
        for size, vault in run.vaults.items():
            first[size] = Series("s")
            contenders.append(Contender(f"unlock {size}", Unlocking(run, vault, first[size]).seconds))
        if run.peers.argon2_python and run.vaults:
            cost = next(iter(run.vaults.values())).status()["kdf"]
            run.results.facts["kdf"] = cost
            command = [run.peers.argon2_python, WORKER, *(str(cost[name]) for name in ("memoryKiB", "iterations", "parallelism"))]
            contenders.append(Contender("Argon2id", lambda: float(run.launcher.output(command))))
        series = interleave(contenders, run.plan.unlock_rounds, run.results.failures, warm_ups=1)
        for size in run.plan.sizes:
            report(run, size, series.get(f"unlock {size}"), series.get("Argon2id"), first.get(size))
        if run.plan.sizes[-1] > run.plan.small:
            run.results.growth(["unlock", "first show after unlock"], run.plan.small, run.plan.sizes[-1], 1.5)
    with run.guarded("unlock after a crash"):
        after_crash(run)


def report(run: "Run", size: int, unlock: "Series | None", argon2: "Series | None", first: "Series | None") -> None:
    beyond = difference(unlock, argon2) if unlock and argon2 else None
    run.results.point("unlock", size, unlock)
    run.results.point("unlock beyond Argon2id", size, beyond)
    run.results.point("first show after unlock", size, first)
    warm = run.results.curves.get("show", {}).get(size)
    run.results.add(Row(f"unlock {size:,}, whole process", unlock, "Argon2id alone", argon2, limit=argon2, limit_name="Argon2id"),
                    Row(f"unlock {size:,}, beyond Argon2id", beyond, figure_max=BEYOND_MAX, limit=argon2, limit_name="Argon2id"),
                    Row(f"first show after unlock {size:,}", first, "a warm show", warm))


class Unlocking:
    """From a locked vault to an agent that answers; then the first command. Locking before and looking after are not timed."""

    def __init__(self, run: "Run", vault: Vault, first: Series):
        self.run, self.vault, self.first = run, vault, first
        self.show = vault.command("show", note(vault))

    def seconds(self) -> float:
        self.vault.lock()
        seconds = self.run.launcher.seconds(self.vault.unlock_command)
        self.first.add(self.run.launcher.seconds(self.show))
        self.vault.learn_agent()
        return seconds


def note(vault: Vault) -> str:
    return json.loads(vault.launcher.output(vault.command("ls", "--json", "-n", "1")))["notes"][0]["id"]


def after_crash(run: "Run") -> None:
    """The agent is killed with a long log; the next unlock has to read it."""
    figures = {}
    for size in {run.plan.small, run.plan.sizes[-1]} & run.vaults.keys():
        vault = run.vaults[size]
        crashes = [crash(run, vault) for _ in range(CRASHES)]
        figures[size] = Series("s", [seconds for seconds, _ in crashes])
        run.results.facts.setdefault("logBytesAtTheCrash", {})[str(size)] = max(log for _, log in crashes)
    for size in sorted(figures):
        run.results.point("unlock after a crash", size, figures[size])
        run.results.add(Row(f"unlock after a crash {size:,}, {run.plan.crash_writes} writes in the log", figures[size], "unlock after a lock",
                            run.results.curves.get("unlock", {}).get(size)))
    if run.plan.sizes[-1] > run.plan.small:
        run.results.growth(["unlock after a crash"], run.plan.small, run.plan.sizes[-1], 1.5)


def crash(run: "Run", vault: Vault) -> "tuple[float, int]":
    text = run.collection.text(11).split("\n---\n", 1)[1]
    for number in range(run.plan.crash_writes):
        run.launcher.seconds(vault.text_command("new", f"{number} {text}"))
    log = vault.log_bytes()
    vault.kill()
    seconds = run.launcher.seconds(vault.unlock_command, limit=600)
    vault.learn_agent()
    return seconds, log
