# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The table that a person reads."""
import unicodedata

from .results import Results, Row
from .series import Series

HEADINGS = ("work", "ours", "peer", "its figure", "ratio", "target", "met", "physical limit")
NONE = "–"


def figure(value: float, unit: str) -> str:
    """A figure with three digits that mean something and a unit that fits."""
    if unit == "MiB":
        return f"{value:.1f} MiB"
    if unit == "KiB":
        return f"{value:.1f} KiB"
    if unit != "s":
        return f"{value:.0f}"
    size = abs(value)
    if size >= 1:
        return f"{value:.1f} s" if size >= 10 else f"{value:.2f} s"
    if size >= 0.001:
        digits = 0 if size >= 0.1 else 1 if size >= 0.01 else 2
        return f"{value * 1e3:.{digits}f} ms"
    return f"{value * 1e6:.0f} µs"


def spread(series: "Series | None") -> str:
    """Median, and the quartiles around it in parentheses."""
    if series is None or series.median is None:
        return NONE
    text = figure(series.median, series.unit)
    if series.quartiles is None:
        return text
    low, high = (figure(value, series.unit) for value in series.quartiles)
    number, _, unit = low.partition(" ")
    return f"{text} ({number if high.endswith(' ' + unit) else low}–{high})"


def target(row: Row) -> str:
    if row.figure_max is not None:
        return "≤ " + figure(row.figure_max, row.unit)
    return NONE if row.ratio_max is None else f"≤ {number(row.ratio_max)} ×"


def number(ratio: float) -> str:
    if ratio >= 100:
        return f"{ratio:.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}" if ratio >= 0.001 else f"{ratio:.1g}"


def cells(row: Row) -> "tuple[str, ...]":
    ratio = NONE if row.ratio is None else number(row.ratio) + " ×"
    met = NONE if row.met is None else "yes" if row.met else "NO"
    limit = NONE if row.limit is None or row.limit.median is None else f"{row.limit_name} {figure(row.limit.median, row.limit.unit)}"
    return row.work, spread(row.ours), row.peer or NONE, spread(row.theirs), ratio, target(row), met, limit


def width(text: str) -> int:
    """Columns on a terminal: combining marks take none, East Asian wide letters two."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def render(results: Results) -> str:
    """All rows below their headings, then the notes and what failed."""
    lines = [HEADINGS] + [cells(row) for row in results.rows]
    widths = [max(width(line[column]) for line in lines) for column in range(len(HEADINGS))]
    def joined(line):
        return "  ".join(cell + " " * (space - width(cell)) for cell, space in zip(line, widths)).rstrip()
    text = [joined(HEADINGS), "  ".join("─" * space for space in widths)] + [joined(line) for line in lines[1:]]
    notes = dict.fromkeys(f"{row.work}, {row.peer}: {row.note}" if row.peer else f"{row.work}: {row.note}"
                          for row in results.rows if row.note)
    text += [""] * bool(notes) + [f"note: {note}" for note in notes]
    text += ["", "Figures are medians (first to third quartile; least to most below four samples). Ratios are ours ÷ the",
             "peer's, the median over the pairs of one interleaved run. – means not measured here, never zero."]
    text += [f"failed: {failure}" for failure in results.failures]
    return "\n".join(text)
