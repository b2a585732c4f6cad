# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Interleaved measurement: A B C, then C B A, and so on, so that drift and noise meet everybody alike."""
import dataclasses
import sys
import typing

from .series import Series
from .spawn import Failure


@dataclasses.dataclass
class Contender:
    """One thing to measure. `run` does it once and returns the figure."""
    name: str
    run: "typing.Callable[[], float]"
    unit: str = "s"
    every: int = 1  # takes part in each n-th round: slow contenders need fewer samples


def interleave(contenders: "list[Contender]", rounds: int, failures: "list[str]",
               warm_ups: int = 2) -> "dict[str, Series]":
    """Runs all contenders in each round, the order turned round each time.

    One that fails is left out from then on, with all of its figures, and goes into `failures`: the others still count.

    - Returns: by name, one figure (or None) for each round, so that rounds can be paired.
    """
    series = {contender.name: Series(contender.unit) for contender in contenders}

    def figure(contender: Contender) -> "float | None":
        if contender.name not in series:
            return None
        try:
            return contender.run()
        except (Failure, OSError, ValueError, KeyError) as error:
            failures.append(f"{contender.name}: {error}")
            del series[contender.name]
            return None

    for contender in contenders:
        for _ in range(warm_ups if contender.every == 1 else min(warm_ups, 1)):
            figure(contender)
    for number in range(rounds):
        for contender in contenders if number % 2 == 0 else reversed(contenders):
            measured = figure(contender) if number % contender.every == 0 else None
            if contender.name in series:
                series[contender.name].add(measured)
    return series


def say(text: str) -> None:
    """Tells the person in front of the screen what happens; standard output stays for the table."""
    print(text, file=sys.stderr, flush=True)
