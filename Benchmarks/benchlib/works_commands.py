# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Warm reading, whole processes: show, ls and search, beside other programs; and what the idle agent holds in memory."""
import typing

from . import stores, works_memory
from .agepass import AgeFile, PassStore
from .results import Row
from .rounds import Contender, interleave
from .series import Series
from .spawn import Failure
from .vault import SEARCHED, Vault

if typing.TYPE_CHECKING:
    from .run import Run

SAMPLE = 3_000  # notes in which each query is looked for by plain means, to know whether it must hit
SLOW_EVERY = 15  # rounds in which a program takes part that opens all of its notes for one
FOUND = frozenset({0})
# What the other programs look for in their few notes stands beside this search of ours.
GREPPED = "common word"


def measure(run: "Run") -> None:
    """Reads from all vaults in one interleaved run, so that sizes can be compared too."""
    for size in run.plan.sizes:
        if run.has_vault and size not in run.vaults:
            run.results.failures.append(f"show, ls, search: there is no vault of {size:,} notes")
    with run.guarded("memory after unlock"):
        works_memory.fresh(run)
    with run.guarded("show, ls, search"):
        contenders = []
        for size, vault in run.vaults.items():
            contenders += readers(run, vault, size)
        contenders += peers(run)
        report(run, interleave(contenders, run.plan.command_rounds, run.results.failures))
    with run.guarded("memory after reading"):
        works_memory.used(run)


def readers(run: "Run", vault: Vault, size: int) -> "list[Contender]":
    """What is timed on one vault, after a look that it gives the right answers."""
    seconds = run.launcher.seconds
    queries = run.collection.queries()
    commands = {f"show {size:,}": vault.command("show", chosen(run, vault)), f"ls {size:,}": vault.command("ls")}
    sample = min(SAMPLE, size)
    expected = run.collection.frequencies(sample)
    run.results.facts["queryHits"] = {"ofNotes": sample} | expected
    for name, query in queries.items():
        hits = len(vault.found(query))
        if (hits == 0) != (expected[name] == 0):
            run.results.failures.append(f"search {size:,}, {name}: {hits} hits, plain search in {sample:,}: {expected[name]}")
        commands[f"search {size:,}, {name}"] = vault.text_command("search", query)
    return [Contender(name, lambda command=command: seconds(command, SEARCHED if "search" in command else FOUND))
            for name, command in commands.items()]


def chosen(run: "Run", vault: Vault) -> str:
    """ID of the note that is shown: the one with the rare word."""
    notes = vault.found(run.collection.queries()["rare word"])
    if not notes:
        raise Failure("search: the note with the rare word is not found")
    return notes[-1]["id"]


def peers(run: "Run") -> "list[Contender]":
    """age on one note of the same text, the stores of other programs, and an empty process as the floor."""
    first = next(iter(run.vaults.values()), None)
    text = first.body(chosen(run, first)) if first else run.collection.text(100)
    found = [Contender("true", lambda: run.launcher.seconds(["/bin/true"]))]
    if run.peers.age and run.peers.age_keygen:
        age = AgeFile(run.peers, run.space, run.launcher, text)
        found.append(Contender("age -d", lambda: run.launcher.seconds(age.command)))
    if run.peers.pass_ and run.peers.gpg and run.peers.gpg_connect:
        texts = [text] + [run.collection.text(number) for number in range(run.plan.pass_entries - 1)]
        store = run.pass_store = PassStore(run.peers, run.space, run.launcher.environment, texts)
        grep = store.grep(run.collection.queries()[GREPPED])
        found += [Contender("pass show", lambda: store.launcher.seconds(store.show), every=3),
                  Contender("pass ls", lambda: store.launcher.seconds([run.peers.pass_, "ls"]), every=3),
                  Contender("pass search", lambda: store.launcher.seconds(grep, frozenset({0, 1})), every=SLOW_EVERY)]
    run.stores = stores.make(run, run.pass_store)
    for name, other in run.stores.items():
        found += [Contender(f"{name} {work}", getattr(other, work), every=3 if name == "gopass" and work != "search" else SLOW_EVERY)
                  for work in ("show", "ls", "search") if getattr(other, work)]
    return found


def report(run: "Run", series: "dict[str, Series]") -> None:
    rows = run.results
    empty = {"limit": series.get("true"), "limit_name": "an empty process"}
    rows.add(Row("an empty process", None, "true", series.get("true")))
    for size in run.plan.sizes:
        for work in ("show", "ls", *(f"search, {name}" for name in run.collection.queries())):
            rows.point(work, size, series.get(named(work, size)))
        show = series.get(f"show {size:,}")
        rows.add(Row(f"show {size:,}", show, "age -d -i KEY", series.get("age -d"), ratio_max=1.25, **empty),
                 Row(f"show {size:,}", show, "pass show", series.get("pass show"), ratio_max=1 / 7, **empty),
                 Row(f"ls {size:,}", series.get(f"ls {size:,}"), "vault show", show, ratio_max=2, **empty))
        for name in run.collection.queries():
            work = f"search {size:,}, {name}"
            rows.add(Row(work, series.get(work), "vault show", show, ratio_max=3, **empty))
    beside(run, series)
    if run.plan.sizes[-1] > run.plan.small:
        rows.growth([work for work in rows.curves if work.startswith(("show", "ls", "search"))], run.plan.small, run.plan.sizes[-1],
                    1.5 if run.plan.sizes[-1] >= 1_000_000 else None)


def beside(run: "Run", series: "dict[str, Series]") -> None:
    """The largest vault that other programs stand beside; theirs are far smaller, and their names say how small."""
    last = max(size for size in run.plan.sizes if size <= run.plan.import_size)
    for work, ours in (("show", f"show {last:,}"), ("ls", f"ls {last:,}"), ("search", f"search {last:,}, {GREPPED}")):
        if work != "show":
            run.results.add(Row(ours, series.get(ours), f"pass {'grep' if work == 'search' else work}, {run.plan.pass_entries} entries", series.get(f"pass {work}")))
        for name in ("gopass", "keepassxc-cli", "jrnl", "ripgrep"):
            if name == "ripgrep" and work != "search":
                continue
            store = run.stores.get(name)
            run.results.add(Row(ours, series.get(ours), store.name if store else name, series.get(f"{name} {work}")))


def named(work: str, size: int) -> str:
    """A contender's name: the size stands behind the command."""
    command, comma, query = work.partition(", ")
    return f"{command} {size:,}{comma}{query}"
