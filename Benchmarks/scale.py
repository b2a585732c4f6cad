#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What syncing takes on paper: segments, spans, requests, bytes, money and limits: scale.py [--json]

Three cases: one person, a heavy one, and 10 devices with 1,000,000 notes and 1 TB of attachments after ten years. What
is assumed stands in the tables below; the rules are those of SyncTiming, SyncHost and SyncEngine, the sizes those of
docs/format.md §25. docs/scale.md has the result beside simulated years (`sync-simulator year`).
"""
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# ---- Assumptions ----

HOURS = 8  # A device is unlocked for so long on each day of the year,
SESSIONS = 2  # in so many sessions.
TEXT = 1000  # Bytes of a note in the mean; an edit says the whole note again.
MERGED = 3.0  # Seconds within which edits are one segment (SyncTiming.afterChange).
FIRST, GROWTH, LONGEST = 15.0, 1.5, 600.0  # Seconds between looks (SyncTiming.pollsFirst, ended, pollsLongest).
LISTED = 300.0  # Seconds between lists of cards (SyncHost.begin).
WIDTH = 64  # Segments of a span (SyncEngine.Limits.spanWidth).
AIMED = 8 << 20  # Bytes of a segment of many entries (RemoteSegment.aimedByteCountMax).
TRIP = 0.05  # Seconds of a request that waits for the one before.
NOTES_A_SECOND = 3500  # Taken over to the list (docs/performance.md §8: 100,000 in 27.7 to 29.9 s),
WORDS_A_SECOND = 1700  # and to words of the search table (55 to 63 s).

# shares: of the edits, by device. The person sits at one device for an hour, then perhaps at another.
CASES = {
    "person": dict(devices=3, edits=40, shares=[.6, .25, .15], notes=2000, files=0, file=0, days=365, rotations=0),
    "heavy": dict(devices=5, edits=400, shares=[.4, .25, .15, .1, .1], notes=20_000, files=40 / 7, file=5_000_000,
                  days=365, rotations=0),
    "large": dict(devices=10, edits=400, shares=[.1] * 10, notes=1_000_000, files=500_000 / 3650, file=2_000_000,
                  days=3650, rotations=10),
}

# Dollars: GB-month; a million puts, lists, gets; a GB out; free of each (GB, puts and lists, gets a month, GB out).
# Seen names where and as of when; "primary" is the provider's own page. None of the stores was asked for a bill.
PRICES = {
    "S3 Standard, us-east-1": dict(gb=.023, put=5.0, list=5.0, get=.40, out=.09, free=(0, 0, 0, 100), seen="2026-05, "
        "youngju.dev and usage.ai; that 404s are billed: docs.aws.amazon.com, primary"),
    "Backblaze B2": dict(gb=.006, put=0, list=4.0, get=.40, out=.01, free=(10, 75_000, 75_000, None), seen="2026-04, "
        "leanopstech.com; classes of calls: backblaze.com, primary, undated. Out is free up to 3 x what lies there"),
    "Cloudflare R2": dict(gb=.015, put=4.5, list=4.5, get=.36, out=0, free=(10, 1_000_000, 10_000_000, None), seen=
        "2026, cloudflare-docs r2/pricing.mdx, primary"),
    "Wasabi": dict(gb=.00683, put=0, list=0, get=0, out=0, free=(0, 0, 0, None), least=6.99, seen="2024-06, "
        "docs.wasabi.com, primary, a sample bill; 2026 sources differ: NOT CONFIRMED. 1 TB and 90 days at least"),
    "Dropbox Plus": dict(plans=[(2, 0), (2000, 11.99)], seen="2026, dropboxwatchdog.com; more than 2 TB NOT CONFIRMED"),
    "Google One": dict(plans=[(15, 0), (100, 1.99), (2000, 9.99)], seen="2026-02, lowermysubs.com; larger plans NOT "
        "CONFIRMED"),
    "iCloud+": dict(plans=[(5, 0), (50, .99), (200, 2.99), (2000, 9.99)], seen="2026, visualfoodie.com; another "
        "page says 1.29 for 50 GB; NOT CONFIRMED at Apple"),
    "own disk": dict(plans=[(4000, 3.0)], seen="ASSUMED: 100 dollars of disk in five years, 6 W at 0.30 a kWh"),
}


# ---- Sizes (docs/format.md §25.5, §25.7) ----

def padme(size):
    exponent = size.bit_length() - 1
    mask = (1 << (exponent - exponent.bit_length())) - 1
    return (size + mask) & ~mask


def sealed(content):
    size = max(4096, padme(content + 8))
    return 56 + size + 16 * (size // 16384 + 1)


def entry(text, parents=1):
    return 4 + 5 + 86 + 16 * parents + 5 + 155 + text


def part_sizes(file):
    padded = padme(max(file, 2))
    size = 56 + padded + 16 * (padded // 16384 + 1)
    count = max(1, -(-((size - 56) // 16400) // 1024))
    return count, size


assert sealed(433) == 4168 and sealed(36 << 20) == 38_835_272, "the worked sizes of docs/format.md"


# ---- Rules ----

def looks_in(seconds):
    """How many looks a quiet stretch has that begins with a change: after 15 s, then 15, 22.5, 33.8 s and so on."""
    at, pause, count = FIRST, FIRST, 0
    while at <= seconds:
        count += 1
        at += pause
        pause = min(pause * GROWTH, LONGEST)
    return count


def looks_after(mean):
    """The mean of `looks_in` where the stretch's length is left to chance (exponential)."""
    at, pause, total = FIRST, FIRST, 0.0
    while math.exp(-at / mean) > 1e-9:
        total += math.exp(-at / mean)
        at += pause
        pause = min(pause * GROWTH, LONGEST)
    return total


def model(devices, edits, shares, notes, files, file, days, rotations):
    per_hour = edits / HOURS
    gap = 3600 / per_hour
    segments = edits * math.exp(-MERGED / gap)
    # Hours without a word, in which 64 segments of others are read (LastWords).
    words = sum(HOURS * share * sum((1 - share) ** (WIDTH * k / (segments / HOURS)) for k in range(1, 200))
                for share in shares)
    looks = lists = 0.0
    for share in shares:
        stretches = HOURS * share * (1 - share) + SESSIONS
        quiet = HOURS * (1 - share) / stretches * 3600
        mine = HOURS * share * per_hour * looks_after(gap) + stretches * looks_in(quiet)
        looks += mine
        # A list is made by the first look that comes 300 s after the last one.
        lists += HOURS * share * 3600 / (LISTED + gap / 2) + HOURS * (1 - share) * 3600 / LONGEST + SESSIONS
    others = devices - 1
    sessions = devices * SESSIONS
    sending = sum(min(SESSIONS, edits * share) for share in shares)
    lists += sending
    all_segments = segments + words
    count, file_size = part_sizes(int(file)) if file else (0, 0)
    spans = all_segments / WIDTH
    vector = 102 + 56 * others
    content = vector + edits / segments * entry(TEXT)
    span_size = sealed(int(10 + WIDTH * 29 + WIDTH * (content * segments + vector * words) / all_segments))
    first = math.ceil(notes * entry(TEXT, 0) / AIMED)
    found = all_segments * others + sessions * (devices + 1 + 7) + sending + spans + files * count * others
    absent = looks * others + sessions * (4 + 3 * others)
    one = sealed(int(content))
    up = segments * one + words * 4168 + spans * span_size + files * file_size + sending * 351
    down = (all_segments * one + files * file_size) * others + spans * span_size + sessions * devices * 328
    rest_spans = spans * days
    rest_bytes = rest_spans * span_size + first * AIMED + files * file_size * days
    entries = notes + edits * days
    left = devices * WIDTH * 1.5
    chains = rest_spans * span_size + first * AIMED
    requests = found + absent + 2 * all_segments + spans + files * count + sending + lists
    return {
        "segments a day": all_segments, "segments in all": all_segments * days + first,
        "of a chain": all_segments * days / devices, "spans of level 1": rest_spans,
        "of level 2": rest_spans / WIDTH, "of level 3": rest_spans / WIDTH ** 2,
        "objects at rest": rest_spans * (1 + 1 / WIDTH) + first + left + files * count * days,
        "parts at rest": files * count * days, "bytes at rest": rest_bytes, "of these chains": chains,
        "looks a day": looks, "GET found a day": found, "GET absent a day": absent,
        "PUT a day": all_segments + spans + files * count + sending, "LIST a day": lists,
        "DELETE a day": all_segments, "requests in all": requests * days, "bytes up a day": up,
        "bytes down a day": down, "first segments": first, "entries": entries,
        "clone: objects, each twice": 2 * (rest_spans + first + left) + files * count * days,
        "clone: not there": rest_spans,
        "clone: one after the other": 4 * rest_spans / devices + files * count * days,
        "clone: bytes": 2 * chains + files * file_size * days, "clone: bytes without files": 2 * chains,
        "edit, content": content, "edit, sealed": one, "span, sealed": span_size, "devices": devices,
        "days": days, "rotations": rotations, "files": files * days, "notes": notes,
    }


def clone_times(figures):
    rows = []
    for rate in (10, 100):
        for label, key in (("texts", "clone: bytes without files"), ("all", "clone: bytes")):
            rows.append((f"{label} at {rate} Mbit/s", figures[key] * 8 / rate / 1e6))
    trips = figures["clone: one after the other"] - figures["parts at rest"]
    rows += [("answers waited for, texts", trips * TRIP),
             ("and for files, one at a time", figures["parts at rest"] * TRIP),
             ("taken over, to the list", figures["entries"] / NOTES_A_SECOND),
             ("taken over, with words", figures["entries"] / WORDS_A_SECOND)]
    return rows


def money(price, figures):
    """Dollars a month, at the end of the time."""
    gigabytes, month = figures["bytes at rest"] / 1e9, 30
    if "plans" in price:
        return next((dollars for size, dollars in price["plans"] if gigabytes <= size), None)
    out = figures["bytes down a day"] * month / 1e9
    free = price["free"]
    free_out = 3 * gigabytes if price["out"] and free[3] is None else free[3] or 0
    writes = figures["PUT a day"] * price["put"] + figures["LIST a day"] * price["list"]
    share = max(0.0, 1 - free[1] / max(1, (figures["PUT a day"] + figures["LIST a day"]) * month))
    reads = max(0, (figures["GET found a day"] + figures["GET absent a day"]) * month - free[2])
    total = max(0, gigabytes - free[0]) * price["gb"] + writes * month / 1e6 * share + reads / 1e6 * price["get"]
    return max(price.get("least", 0), total + max(0, out - free_out) * price["out"])


# ---- Limits: what the code says now, beside what the case needs ----

def constant(path, pattern):
    text = (ROOT / "Sources" / path).read_text()
    found = re.search(pattern + r"[^=\n{]*[={] ([0-9_]+(?: << [0-9]+)?)", text)
    if not found:
        sys.exit(f"scale.py: {path} has no {pattern} any more")
    number, _, shift = found.group(1).replace("_", "").partition(" << ")
    return int(number) << int(shift or 0)


def limits(figures):
    devices, parts = figures["devices"], figures["parts at rest"]
    level2 = WIDTH ** 2 * figures["edit, content"]
    rotated = devices * figures["rotations"]
    rows = [
        ("names of a shard, o/", "SyncProtocol/StoreName.swift", "nameCountMax", parts / 256),
        ("the same, sealed anew by each device", "SyncProtocol/StoreName.swift", "nameCountMax", parts / 256 * devices),
        ("names of a shard, s/", "SyncProtocol/StoreName.swift", "nameCountMax", figures["spans of level 1"] / 256),
        ("cards, one rotation a year", "VaultFormat/Remote/RemoteName.swift", "listedMax", rotated),
        ("cards, one a month", "VaultFormat/Remote/RemoteName.swift", "listedMax", 12 * rotated),
        ("pages of a list", "RemoteStores/S3Store.swift", "pageCountMax", parts / 256 / 1000),
        ("contents of a span, level 2", "VaultCore/Remote/SegmentSealer+Spans.swift", "packedByteCountMax", level2),
        ("contents of a span, level 3", "VaultCore/Remote/SegmentSealer+Spans.swift", "packedByteCountMax",
         level2 * WIDTH),
        ("opened for a span of an import", "VaultCore/Remote/SegmentSealer+Spans.swift", "packedByteCountMax",
         min(WIDTH, figures["first segments"]) * AIMED),
        ("read ahead by a clone", "SyncEngine/SyncEngine.swift", "aheadMax", figures["of these chains"]),
        ("entries told at once", "SyncEngine/SyncEngine.swift", "entriesMax", figures["notes"]),
        ("devices of a vector", "VaultFormat/Remote/RemoteSegment.swift", "deviceCountMax", devices),
        ("arrivals that watchers hear", "VaultCore/History/History+Changes.swift", "arrivalCountMax", figures["notes"]),
        ("objects removed in a round, after a rotation", "VaultAgent/Syncing/ReadingByAll.swift", "countMax",
         figures["files"]),
        ("list of a snapshot, bytes", "VaultFormat/Backup/SnapshotList.swift", "byteCountMax", figures["files"] * 40),
    ]
    out = []
    for name, path, pattern, needed in rows:
        limit = constant(path, pattern)
        out.append((name, path, pattern, limit, needed, needed / limit))
    return out


def short(value):
    if value is None:
        return "–"
    for size, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (size if unit != 'k' else 1e3):,.1f} {unit}"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2f}"


def main():
    all_figures = {name: model(**case) for name, case in CASES.items()}
    if "--json" in sys.argv[1:]:
        print(json.dumps(all_figures, indent=1))
        return
    for key in all_figures["person"]:
        print(f"{key:34}" + "".join(f"{short(figures[key]):>14}" for figures in all_figures.values()))
    print("\nclone, seconds" + " " * 20 + "".join(f"{name:>14}" for name in CASES))
    for rows in zip(*(clone_times(figures) for figures in all_figures.values())):
        print(f"{rows[0][0]:34}" + "".join(f"{short(row[1]):>14}" for row in rows))
    print("\ndollars a month, at the end" + " " * 7 + "".join(f"{name:>14}" for name in CASES))
    for store, price in PRICES.items():
        values = [money(price, figures) for figures in all_figures.values()]
        print(f"{store:34}" + "".join(f"{'–' if value is None else format(value, '.2f'):>14}" for value in values))
    print("\nlimits, of the large case")
    for name, path, pattern, limit, needed, ratio in limits(all_figures["large"]):
        word = "EXCEEDED" if ratio > 1 else "near" if ratio > 0.3 else ""
        print(f"{name:46}{short(limit):>10}{short(needed):>10}{ratio:>10.3f}  {word:9}{path} {pattern}")


main()
