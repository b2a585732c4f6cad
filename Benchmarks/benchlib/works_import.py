# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Bulk import of Markdown files: ours against databases that read the same files and keep the same rows."""
import json
import pathlib
import resource
import shutil
import sys
import time
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import Series
from .spawn import Failure
from .vault import Vault

if typing.TYPE_CHECKING:
    from .run import Run

WORKER = str(pathlib.Path(__file__).with_name("sqlite_worker.py"))
SLACK = 12_000  # bytes of disk for one note: its file, the vault, three peers' databases


def measure(run: "Run") -> None:
    """Fills the vaults that later works read, and compares at one size."""
    need = max(run.plan.sizes) * SLACK
    if shutil.disk_usage(run.space.disk).free < need:
        run.results.failures.append(f"import: needs {need >> 30} GiB of free disk")
        return
    for size in run.plan.sizes:
        with run.guarded(f"import of {size:,} notes"):
            if size == run.plan.import_size and run.plan.compares_import:
                compare(run, size)
            if size not in run.vaults or run.keeper:
                fill(run, size)


def fill(run: "Run", size: int) -> None:
    """A vault to read from, made of one file in vault's own JSON form; or a copy of one that an earlier run has kept."""
    if not run.has_vault:
        return
    if run.keeper and run.keeper.has(size):
        run.drop_vault(size)
        run.vaults[size] = run.keeper.copy(run, size)
        return
    source = run.export_file(size)
    series = Series("s", [ours(run, size, "json", source)])
    run.results.add(Row(f"import {size:,} from one JSON file, whole process", series))
    run.results.point("import of one JSON file", size, series)
    if run.keeper:
        run.keeper.keep(run.vaults[size], size)


def compare(run: "Run", size: int) -> None:
    folder = run.folder(size)
    contenders = []
    if run.has_vault:
        contenders.append(Contender("vault", lambda: ours(run, size, "markdown", folder)))
    if run.bench_tool:
        for kind in ("plain", "sealed"):
            command = [run.bench_tool, "import", kind, str(folder)]
            contenders.append(Contender(kind, lambda kind=kind, command=command: peer(run, kind, command, size)))
    for name, python in interpreters(run).items():
        command = [python, WORKER, name, "import", str(folder)]
        contenders.append(Contender(name, lambda name=name, command=command: peer(run, name, command, size)))
    processor = {contender.name: Series("s") for contender in contenders}
    for contender in contenders:
        contender.run = with_processor_time(run, contender, processor[contender.name], size)
    series = interleave(contenders, run.plan.import_rounds, run.results.failures, warm_ups=0)
    report(run, f"import {size:,}", series, {name: processor[name] for name in series})


def with_processor_time(run: "Run", contender: Contender, series: Series, size: int) -> "typing.Callable[[], float]":
    """Notes the processor time besides, which other work on the machine moves less than the clock's."""
    measured = contender.run

    def both() -> float:
        before = children_seconds()
        figure = measured()
        agent = run.vaults[size].processor_seconds() if contender.name == "vault" else 0
        series.add(children_seconds() - before + agent)
        return figure
    return both


def children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def interpreters(run: "Run") -> "dict[str, str]":
    """Python programs that stand for a plain and for an encrypted database with FTS5's own trigram index.

    The plain one takes half a minute at 100,000 notes and has no target: with vault-bench the usual run does without.
    """
    found = {"cipher-trigram": run.peers.sqlcipher_python, "plain-trigram": sys.executable}
    if run.bench_tool and not run.plan.both_plain_peers:
        del found["plain-trigram"]
    return {name: python for name, python in found.items() if python}


def ours(run: "Run", size: int, form: str, source: pathlib.Path) -> float:
    """A new vault each time; the last one stays for the works that follow."""
    run.drop_vault(size)
    vault = Vault(run.programs / "vault", run.space, run.launcher, f"vault-{size}-{time.monotonic_ns()}")
    vault.unlock()
    seconds = vault.import_seconds(form, source)
    if vault.count() != size:
        raise Failure(f"vault import: {vault.count():,} of {size:,} notes are there")
    run.vaults[size] = vault
    return seconds


def peer(run: "Run", name: str, command: "list[str]", size: int) -> float:
    """A new database each time; the last one stays for the commits."""
    database = database_path(run, name)
    for old in database.parent.glob(database.name + "*"):
        run.space.drop(old)
    answer = json.loads(run.launcher.output(command + [str(database)], limit=3_600))
    if answer["notes"] != size:
        raise Failure(f"{name}: {answer['notes']:,} of {size:,} notes are there")
    run.results.facts.setdefault("databaseBytes", {})[name] = sum(
        part.stat().st_size for part in database.parent.glob(database.name + "*") if part.is_file())
    return float(answer["seconds"])


def database_path(run: "Run", name: str) -> pathlib.Path:
    return run.space.disk / f"peer-{name}.db"


def report(run: "Run", work: str, series: "dict[str, Series]", processor: "dict[str, Series]") -> None:
    whole, inside = f"{work}, whole process", f"{work}, database alone"
    vault, sealed, plain = series.get("vault"), series.get("sealed"), series.get("plain")
    trigram, cipher = series.get("plain-trigram"), series.get("cipher-trigram")
    used = f"{work}, processor time"
    run.results.add(
        Row(whole, vault, "SQLite, our tokenizer", plain, ratio_max=1.15,
            note="" if run.bench_tool else "vault-bench is not built, which has the peer with our tokenizer"),
        Row(whole, vault, "SQLCipher trigram", cipher, ratio_max=1.0),
        Row(whole, vault, "SQLite FTS5 trigram", trigram),
        Row(used, processor.get("vault"), "SQLite, our tokenizer", processor.get("plain")),
        Row(used, processor.get("vault"), "SQLCipher trigram", processor.get("cipher-trigram")),
        Row(inside, sealed, "SQLite, our tokenizer", plain, ratio_max=1.15),
        Row(inside, sealed, "SQLCipher trigram", cipher, ratio_max=1.0),
    )
