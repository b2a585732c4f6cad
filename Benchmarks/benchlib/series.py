# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Measured numbers and what is said of them: medians, spread, ratios of pairs."""
import dataclasses
import statistics


@dataclasses.dataclass
class Series:
    """One contender's figures for one work, in the order in which they were measured.

    A figure is None where its round left this contender out, so that two series of one run can be paired.
    """
    unit: str  # "s", "MiB", "count"
    figures: "list[float | None]" = dataclasses.field(default_factory=list)

    def add(self, figure: "float | None") -> None:
        self.figures.append(figure)

    @property
    def known(self) -> "list[float]":
        return [figure for figure in self.figures if figure is not None]

    @property
    def median(self) -> "float | None":
        return statistics.median(self.known) if self.known else None

    @property
    def quartiles(self) -> "tuple[float, float] | None":
        """First and third quartile; the extremes when there are fewer than four figures."""
        known = sorted(self.known)
        if len(known) < 2:
            return None
        if len(known) < 4:
            return known[0], known[-1]
        low, _, high = statistics.quantiles(known, n=4, method="inclusive")
        return low, high

    def summary(self) -> dict:
        """For the JSON report."""
        known = self.known
        quartiles = self.quartiles
        return {
            "unit": self.unit, "samples": len(known), "median": self.median,
            "minimum": min(known, default=None), "maximum": max(known, default=None),
            "quartiles": list(quartiles) if quartiles else None,
        }


def pair_ratio(ours: Series, theirs: Series) -> "float | None":
    """Median of ours ÷ theirs, round by round: what slows a whole round down cancels out.

    Falls back to the ratio of the medians when the two were not measured in the same rounds.
    """
    pairs = [(a, b) for a, b in zip(ours.figures, theirs.figures) if a is not None and b]
    if pairs:
        return statistics.median(a / b for a, b in pairs)
    if ours.median is None or not theirs.median:
        return None
    return ours.median / theirs.median


def difference(ours: Series, theirs: Series) -> Series:
    """Ours − theirs, round by round."""
    result = Series(ours.unit)
    for a, b in zip(ours.figures, theirs.figures):
        result.add(None if a is None or b is None else a - b)
    return result
