# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The searches and lists that cost the most: each must answer within a bounded time, and say so when it has not looked at everything."""
import subprocess
import time
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import Series
from .spawn import Failure
from .vault import SEARCHED

if typing.TYPE_CHECKING:
    from .run import Run

ANSWER_MAX = 1.0  # seconds: longer would be waiting. Less is the usual targets' business
GIVE_UP = 20.0    # seconds; what has not answered by then counts as this, is not asked again, and says so
# 2: a pattern that takes too long is refused, which is an answer.
ANSWERED = SEARCHED | {2}


def queries(run: "Run") -> "dict[str, list[str]]":
    """What to type, by what it is."""
    known, words = run.collection.queries(), run.collection.latin
    absent = known["no hit, grams known"]
    return {
        "one character": ["search", "e"],
        "one character of another script": ["search", known["two characters, Chinese"][0]],
        "the commonest two characters": ["search", "th"],
        "the commonest word": ["search", words[0]],
        "phrase of the commonest words, no hit": ["search", '"' + " ".join(words[:5]) + '"'],
        "ten common words, no hit as a phrase": ["search", '"' + " ".join(reversed(words[:10])) + '"'],
        "no hit of common grams": ["search", absent],
        "eight of them or-ed": ["search", *" OR ".join(absent[at:] + absent[:at] for at in range(8)).split()],
        "16 common words": ["search", *words[:16]],
        "a phrase of 900 bytes": ["search", '"' + " ".join(words[:600]).encode()[:900].decode(errors="ignore") + '"'],
        "4,000 characters, refused": ["search", " ".join(words[:600])[:4000]],
        "page 500": ["search", words[0], "--page", "500"],
        "page 100,000": ["search", words[0], "--page", "100000"],
        "1,000 rows": ["search", words[0], "-n", "1000"],
        "a common word without another": ["search", words[0], "--", "-" + words[1]],
        "a word without itself, no hit": ["search", words[0], "--", "-" + words[0]],
        "no hit with a tag": ["search", absent, "tag:work"],
        "no hit in a title": ["search", "title:" + absent],
        "no hit since a day, by size": ["search", absent, "created:>2016-01-01", "--sort", "size"],
        "pattern, no hit": ["search", "--regex", "zzzqqqxxx[0-9]{9}"],
        "pattern with backtracking": ["search", "--regex", "(a|a|ae|e)*(\\w+\\s?)+zqzq$"],
        "pattern that matches everything": ["search", "--regex", "."],
        "ls by title": ["ls", "--sort", "title"],
        "ls by size": ["ls", "--sort", "size"],
        "ls of a tag": ["ls", "--tag", "work"],
        "ls of what links": ["ls", "has:link"],
        "ls, page 40,000": ["ls", "--page", "40000"],
        "ls of words": ["ls", absent],
    }


def measure(run: "Run") -> None:
    if not run.vaults:
        return
    size = max(run.vaults)
    with run.guarded(f"the worst searches of {size:,} notes"):
        vault, asked = run.vaults[size], queries(run)
        commands = {name: [vault.program, words[0], "--vault", str(vault.directory), *words[1:]] for name, words in asked.items()}
        asking = {name: Asking(run, command) for name, command in commands.items()}
        contenders = [Contender(name, each.seconds) for name, each in asking.items()]
        series = interleave(contenders, run.plan.worst_rounds, run.results.failures, warm_ups=0)
        said = {name: f"no answer after {GIVE_UP:.0f} s" if asking[name].is_hopeless else hint(command, run) for name, command in commands.items()}
        run.results.facts["hintsOfTheWorstSearches"] = said
        for name, figures in series.items():
            run.results.add(Row(f"worst {size:,}, {name}", figures, figure_max=ANSWER_MAX, note=said[name]))
        longest = max(max(figures.known) for figures in series.values() if figures.known)
        run.results.add(Row(f"worst {size:,}, the longest of all", Series("s", [longest]), figure_max=ANSWER_MAX))


class Asking:
    """One query, which is given up when it takes too long."""

    def __init__(self, run: "Run", command: "list[str]"):
        self.run, self.command, self.is_hopeless = run, command, False

    def seconds(self) -> float:
        if self.is_hopeless:
            return GIVE_UP
        begin = time.monotonic()
        try:
            return self.run.launcher.seconds(self.command, ANSWERED, limit=GIVE_UP)
        except Failure:
            if time.monotonic() - begin < GIVE_UP:
                raise
            self.is_hopeless = True
            return GIVE_UP


def hint(command: "list[str]", run: "Run") -> str:
    """What the command says beside its answer."""
    done = subprocess.run(command, env=run.launcher.environment, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    lines = done.stderr.strip().splitlines()
    return " / ".join(lines[-2:])[:200] if lines else ""
