# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What a run found: rows, each one work of ours beside one peer."""
import dataclasses

from .series import Series, pair_ratio


@dataclasses.dataclass
class Row:
    """One line of the table. A peer that cannot do the work, or is not installed, has no series: it shows as "–"."""
    work: str
    ours: "Series | None"
    peer: str = ""
    theirs: "Series | None" = None
    ratio_max: "float | None" = None   # target: ours ÷ theirs is at most this
    figure_max: "float | None" = None  # target: ours is at most this, in `unit`
    unit: str = "s"
    note: str = ""
    limit: "Series | None" = None      # what the machine takes for the least that this work has to do
    limit_name: str = ""
    part: str = ""                     # of the run; the page has a table for each

    @property
    def ratio(self) -> "float | None":
        if self.ours is None or self.theirs is None:
            return None
        return pair_ratio(self.ours, self.theirs)

    @property
    def met(self) -> "bool | None":
        """None where there is no target or nothing to hold against it."""
        if self.figure_max is not None:
            return None if self.ours is None or self.ours.median is None else self.ours.median <= self.figure_max
        if self.ratio_max is not None:
            return None if self.ratio is None else self.ratio <= self.ratio_max
        return None

    def summary(self) -> dict:
        """For the JSON report."""
        return {
            "part": self.part, "work": self.work, "unit": self.unit, "ours": self.ours.summary() if self.ours else None,
            "peer": self.peer or None, "theirs": self.theirs.summary() if self.theirs else None,
            "ratio": self.ratio, "ratioMax": self.ratio_max, "figureMax": self.figure_max,
            "met": self.met, "note": self.note or None,
            "limit": self.limit.summary() if self.limit else None, "limitName": self.limit_name or None,
        }


@dataclasses.dataclass
class Results:
    """All of one run."""
    rows: "list[Row]" = dataclasses.field(default_factory=list)
    failures: "list[str]" = dataclasses.field(default_factory=list)
    facts: "dict[str, object]" = dataclasses.field(default_factory=dict)
    part: str = ""
    curves: "dict[str, dict[int, Series]]" = dataclasses.field(default_factory=dict)  # by work, then by number of notes

    def add(self, *rows: Row) -> None:
        self.rows += [dataclasses.replace(row, part=self.part) for row in rows]

    def point(self, work: str, size: int, series: "Series | None") -> None:
        """One point of a work's curve against the size of the vault."""
        if series is not None and series.median is not None:
            self.curves.setdefault(work, {})[size] = series

    def growth(self, works: "list[str]", small: int, large: int, ratio_max: "float | None") -> None:
        """Each work in the large vault beside the same in the small one: the time must hardly grow with the number of notes."""
        for work in works:
            curve = self.curves.get(work, {})
            if small in curve and large in curve:
                self.add(Row(f"{work} {large:,}", curve[large], f"the same at {small:,}", curve[small], ratio_max=ratio_max, unit=curve[large].unit))

    def summary(self) -> dict:
        curves = {work: {str(size): series.summary() for size, series in sorted(curve.items())} for work, curve in self.curves.items()}
        return {"schema": 2, "facts": self.facts, "rows": [row.summary() for row in self.rows], "curves": curves, "failures": self.failures}
