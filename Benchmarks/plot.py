#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Draws the curves of docs/performance from one or two runs' JSON, and writes their tables into docs/performance.md.

    plot.py FIRST.json [MORE.json …] [--second SECOND.json …]

Several files of one run are parts of it (bench.py --only): what a later one has replaces what an earlier one has.
"""
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from benchlib import chart, table  # noqa: E402

PAGE = ROOT.parent / "docs/performance.md"
BEGIN, END = "<!-- tables: begin; written by Benchmarks/plot.py -->", "<!-- tables: end -->"
NOTES, BYTES = "notes in the vault", "bytes of a note"
# File, title, x, unit, and how the names of the works begin.
CHARTS = (
    ("reading", "Warm reading, whole processes", NOTES, "s", ("show", "ls", "search")),
    ("writing", "One change, acknowledged, whole processes", NOTES, "s", ("new", "append", "edit", "tag")),
    ("unlocking", "Unlocking", NOTES, "s", ("unlock", "first show")),
    ("whole", "What goes through the whole vault", NOTES, "s", ("import", "check", "export", "rotate")),
    ("memory", "Resident memory of the agent", NOTES, "MiB", ("agent's memory",)),
    ("note-size", "By the size of a note", BYTES, "s", ("by note size",)),
)
TITLES = {"import": "Import", "commands": "Reading, warm", "unlock": "Unlock", "life": "Init", "write": "Writing", "worst": "The worst searches and lists",
          "wear": "Energy and wear", "sizes": "Notes of 1 KB, 100 KB and 10 MB", "commit": "One note's transaction", "attach": "Attachments",
          "rotate": "Rotation of attachments", "export": "Export and backup", "whole": "Through the whole vault"}


def merged(paths: "list[pathlib.Path]") -> dict:
    """One run of several files."""
    run = {"rows": {}, "curves": {}, "facts": {}, "failures": []}
    for path in paths:
        part = json.loads(path.read_text())
        for row in part["rows"]:
            run["rows"][row["part"], row["work"], row["peer"]] = row
        for work, points in part["curves"].items():
            run["curves"].setdefault(work, {}).update(points)
        run["facts"] |= part["facts"]
        run["failures"] += part["failures"]
    return run


def charts(first: dict, second: dict, folder: pathlib.Path) -> "list[str]":
    """Writes them; returns the names of those that there was something for."""
    folder.mkdir(exist_ok=True)
    drawn = []
    for name, title, x_name, unit, beginnings in CHARTS:
        lines = []
        for work, points in first["curves"].items():
            if not work.startswith(beginnings) or len(points) < 2:
                continue
            known = {float(x): spread(figures) for x, figures in points.items() if figures["median"] and figures["median"] > 0}
            again = {float(x): figures["median"] for x, figures in second["curves"].get(work, {}).items() if float(x) in known}
            if known:
                lines.append(chart.Line(work.removeprefix("by note size: "), known, {x: y for x, y in again.items() if y and y > 0}))
        if lines:
            (folder / f"{name}.svg").write_text(chart.Chart(title, x_name, unit, lines).svg())
            drawn.append(name)
    return drawn


def spread(figures: dict) -> "tuple[float, float, float]":
    low, high = figures["quartiles"] or (figures["median"], figures["median"])
    return max(low, figures["median"] / 100), figures["median"], high


def tables(first: dict, second: dict) -> str:
    """One table for each part, in the order of the run."""
    parts: "dict[str, list[str]]" = {}
    for key, row in first["rows"].items():
        parts.setdefault(row["part"], []).append(line(row, second["rows"].get(key)))
    text = []
    for part, lines in parts.items():
        text.append(f"### {TITLES.get(part, part)}\n\n| work | ours, first run | second run | between | beside | its figure | ratio | second | target | met | physical limit |\n"
                    "|---|---|---|---|---|---|---|---|---|---|---|\n" + "\n".join(lines) + "\n")
    return "\n".join(text)


def line(row: dict, again: "dict | None") -> str:
    unit = row["unit"]
    ours, theirs, limit = row["ours"], row["theirs"], row["limit"]
    second = again["ours"] if again else None
    between = table.NONE
    if ours and second and ours["median"] and second["median"]:
        between = f"{(second['median'] / ours['median'] - 1) * 100:+.0f} %"
    ratios = [table.NONE if not each or each["ratio"] is None else table.number(each["ratio"]) + " ×" for each in (row, again)]
    target = f"≤ {table.figure(row['figureMax'], unit)}" if row["figureMax"] is not None else \
        f"≤ {table.number(row['ratioMax'])} ×" if row["ratioMax"] is not None else table.NONE
    met = "/".join(table.NONE if not each or each["met"] is None else "yes" if each["met"] else "**no**" for each in (row, again) if each)
    physical = f"{row['limitName']} {table.figure(limit['median'], limit['unit'])}" if limit and limit["median"] is not None else table.NONE
    cells = [row["work"], figure(ours), figure(second), between, row["peer"] or table.NONE, figure(theirs), *ratios, target, met, physical]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def figure(figures: "dict | None") -> str:
    """Median, and the quartiles around it."""
    if not figures or figures["median"] is None:
        return table.NONE
    text = table.figure(figures["median"], figures["unit"])
    if not figures["quartiles"]:
        return text
    low, high = (table.figure(value, figures["unit"]) for value in figures["quartiles"])
    return f"{text} ({low}–{high})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=pathlib.Path, nargs="+")
    parser.add_argument("--second", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--page", type=pathlib.Path, default=PAGE)
    chosen = parser.parse_args()
    first, second = merged(chosen.first), merged(chosen.second)
    drawn = charts(first, second, chosen.page.with_suffix(""))
    text = chosen.page.read_text()
    if BEGIN not in text or END not in text:
        print(f"plot: {chosen.page.name} has no place for the tables", file=sys.stderr)
        return 1
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    chosen.page.write_text(f"{before}{BEGIN}\n\n{tables(first, second)}\n{END}{after}")
    print("drawn:", " ".join(drawn))
    return 0


if __name__ == "__main__":
    sys.exit(main())
