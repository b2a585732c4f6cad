# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Energy and wear: reading writes nothing to disk, an idle agent sleeps, a small edit of a large vault writes little."""
import pathlib
import statistics
import time
import typing

from .results import Row
from .series import Series
from .vault import Vault
from .works_unlock import note

if typing.TYPE_CHECKING:
    from .run import Run

SHOWS = 100
WAKES_MAX = 1            # a minute
LOG_MAX = 100            # KiB of log for a line more in a note of 1 KB
OUTLIER = 3              # a commit of so many times the median has merged a part of the search index
SETTLE = 5.0             # seconds; what is written back after the last change


def measure(run: "Run") -> None:
    if not run.vaults:
        return
    size = max(run.vaults)
    vault = run.vaults[size]
    with run.guarded("what a show writes"):
        reading(run, vault, size)
    with run.guarded(f"an idle agent, {run.plan.idle_seconds} s"):
        idle(run, vault, size)
    with run.guarded("what an edit writes"):
        edits(run, vault, size)


def written(vault: Vault) -> "int | None":
    """Bytes that the agent has had written to a disk; None where the kernel does not tell this user."""
    try:
        lines = pathlib.Path(f"/proc/{vault.agent}/io").read_text().splitlines()
    except OSError:
        return None
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


def stamps(vault: Vault) -> "dict[str, tuple[int, int]]":
    found = {str(place): place.stat() for place in vault.directory.rglob("*")}
    return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in found.items()}


def reading(run: "Run", vault: Vault, size: int) -> None:
    command = vault.command("show", note(vault))
    run.launcher.seconds(command)
    time.sleep(SETTLE)
    before, files = written(vault), stamps(vault)
    for _ in range(SHOWS):
        run.launcher.seconds(command)
    after = written(vault)
    series = None if before is None or after is None else Series("bytes", [after - before])
    changed = [name for name, stamp in stamps(vault).items() if files.get(name) != stamp]
    run.results.add(Row(f"bytes written to disk by {SHOWS} shows {size:,}", series, figure_max=0, unit="bytes"),
                    Row(f"files of the vault touched by {SHOWS} shows {size:,}", Series("count", [len(changed)]), figure_max=0, unit="count"))


def switches(vault: Vault) -> int:
    """How often any thread of the agent has gone to sleep by itself, which is how often it was awake."""
    total = 0
    for task in pathlib.Path(f"/proc/{vault.agent}/task").iterdir():
        lines = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)
        total += int(lines["voluntary_ctxt_switches"])
    return total


def idle(run: "Run", vault: Vault, size: int) -> None:
    time.sleep(SETTLE)
    before = switches(vault)
    time.sleep(run.plan.idle_seconds)
    wakes = (switches(vault) - before) * 60 / run.plan.idle_seconds
    run.results.facts["idle agent, wake-ups counted over seconds"] = run.plan.idle_seconds
    run.results.add(Row(f"wake-ups of an idle agent a minute {size:,}", Series("count", [wakes]), figure_max=WAKES_MAX, unit="count"))


def edits(run: "Run", vault: Vault, size: int) -> None:
    """The log grows by what a change writes; where it became shorter it was written back meanwhile, and that edit is no sample."""
    text = run.collection.text(7).split("\n---\n", 1)[1][:1_000]
    samples, passes = [], 0
    while len(samples) < run.plan.wear_edits and passes < run.plan.wear_edits * 2:
        if passes % 50 == 0:  # so that the note stays at about 1 KB
            changed = run.launcher.output(vault.text_command("new", text)).split()[-1]
        before = vault.log_bytes()
        run.launcher.seconds(vault.text_command("append", changed, f"line {passes} of it"))
        grown = vault.log_bytes() - before
        passes += 1
        if grown > 0:
            samples.append(grown / 1024)
    median = statistics.median(samples)
    plain = [sample for sample in samples if sample <= OUTLIER * median]
    merges = [sample for sample in samples if sample > OUTLIER * median]
    run.results.facts["log of edits"] = {"samples": len(samples), "merges": len(merges), "KiB of merges in all": round(sum(merges)),
                                         "largest KiB": round(max(samples)), "KiB in all": round(sum(samples))}
    run.results.add(Row(f"log of a line more in a note of 1 KB {size:,}", Series("KiB", plain), figure_max=LOG_MAX, unit="KiB"))
    if merges:
        run.results.add(Row(f"log of the edits that merged a part of the index {size:,}, {len(merges)} of {len(samples)}", Series("KiB", merges), unit="KiB"))
