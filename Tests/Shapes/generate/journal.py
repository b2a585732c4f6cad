# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""jrnl: a text file, the output of `jrnl --format json`, and a folder of days. None of them says a zone; some entries lie where clocks change."""

import datetime, json
from .material import Material, put

# A clock that goes back shows one hour twice, one that goes forward leaves one out: Berlin and Auckland, each within
# that hour and beside it.
EDGES = [
    "2024-03-31 01:59",
    "2024-03-31 02:30",
    "2024-03-31 03:00",
    "2024-10-27 01:30",
    "2024-10-27 02:30",
    "2024-10-27 03:30",
    "2024-04-07 01:30",
    "2024-04-07 02:30",
    "2024-04-07 04:10",
    "2024-09-29 01:59",
    "2024-09-29 02:30",
    "2024-09-29 03:05",
    "2023-12-31 23:59",
    "2024-01-01 00:00",
    "2024-02-29 00:01",
    "2024-06-30 23:58",
]


def entries(count, seed):
    m = Material(seed)
    begin = datetime.datetime(2021, 1, 1, 6, 0)
    times = [begin + datetime.timedelta(minutes=m.random.randrange(3 * 365 * 24 * 60)) for _ in range(count)]
    # Not in an hour that a zone leaves out or has twice: these are tried by name.
    times = [time for time in times if not (time.month in (3, 4, 9, 10) and time.weekday() == 6 and time.hour < 5)]
    times += [datetime.datetime.strptime(text, "%Y-%m-%d %H:%M") for text in EDGES]
    result = []
    for number, time in enumerate(sorted(set(times))):
        body = "\n\n".join(m.paragraph().replace("@", "") for _ in range(number % 3))
        if number % 4 == 1:
            body = (body + " and @kitchen with @Mara/old, done.").strip()
        if number % 9 == 2:
            body += "\n[not a date] begins this line\n2024 is no head either"
        result.append((time, m.title() + (" @errand" if number % 8 == 5 else "") + ".", body.strip("\n"), number % 6 == 3))
    return result


def text(rows, form="%Y-%m-%d %H:%M"):
    return "\n".join(f"[{time.strftime(form)}] {title}{' *' if star else ''}{chr(10) if body else ''}{body}\n" for time, title, body, star in rows)


def tags(row):
    import re

    return list(dict.fromkeys(tag.lower() for tag in re.findall(r"(?<!\S)(@[-+*#/\w]+)", f"{row[1]} {row[2]}")))


def make(folder, count=80, seed=9):
    put(folder / "diary.txt", text(entries(count, seed)))
    put(folder / "morning.txt", text(entries(count // 2, seed + 1), "%Y-%m-%d %I:%M:%S %p"))
    rows = entries(count // 2, seed + 2)
    listed = [
        {"title": title, "body": body, "date": f"{time:%Y-%m-%d}", "time": f"{time:%H:%M}", "tags": tags((time, title, body)), "starred": star}
        for time, title, body, star in rows
    ]
    counted = {}
    for row in listed:
        for tag in row["tags"]:
            counted[tag] = counted.get(tag, 0) + 1
    put(folder / "work.json", json.dumps({"tags": counted, "entries": listed}, indent=2))
    days = {}
    for row in entries(count, seed + 3):
        days.setdefault(row[0].date(), []).append(row)
    for day, rows in days.items():
        put(folder / f"days/{day:%Y/%m/%d}.txt", text(rows))
