# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Journals of jrnl: text, JSON, and folders YYYY/MM/DD.txt. What time an entry is of depends on the zone in which it was written."""

import datetime, json, os, re, zoneinfo
from census import Census, Note, words
from . import markdown

HEAD = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d?:\d\d(?::\d\d)?(?: [AP]M)?)\] ?(.*)$")
FORMS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %I:%M:%S %p", "%Y-%m-%d %I:%M %p")


def moment(text, zone):
    for form in FORMS:
        try:
            return round(datetime.datetime.strptime(text, form).replace(tzinfo=zone).timestamp() * 1000)
        except ValueError:
            pass
    return None


def note(stamp, title, body, tags, star, zone, notebook):
    note = Note(stamp + "/" + title, title, notebook, words(markdown.seen(body)))
    note.tags = {tag.removeprefix("@") for tag in tags} | ({"starred"} if star else set())
    note.created = note.modified = moment(stamp, zone)
    return note


def read_text(path, zone, notebook):
    entries = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if match := HEAD.match(line):
                entries.append([match.group(1), match.group(2), []])
            elif entries:
                entries[-1][2].append(line)
    for stamp, title, lines in entries:
        star = title.endswith("*")
        title, body = title.strip("* ") if star else title.strip(), "\n".join(lines)
        tags = re.findall(r"(?<!\S)@[-+*#/\w]+", title + "\n" + body)
        yield note(stamp, title, body, tags, star, zone, notebook)


def census(place, zone_name):
    zone, result = zoneinfo.ZoneInfo(zone_name), Census()
    if os.path.isdir(place):
        for base, _, names in sorted(os.walk(place)):
            for name in sorted(names):
                path = os.path.join(base, name)
                if re.search(r"/\d{4}/\d\d/\d\d\.txt$", path):
                    result.notes += read_text(path, zone, "")
                else:
                    result.left_out.append(os.path.relpath(path, place))
    elif str(place).endswith(".json"):
        with open(place, encoding="utf-8") as file:
            entries = json.load(file)["entries"]
        for entry in entries:
            result.notes.append(
                note(
                    f"{entry['date']} {entry['time']}",
                    entry["title"].strip(),
                    entry["body"],
                    entry["tags"],
                    entry["starred"],
                    zone,
                    os.path.basename(place)[:-5],
                )
            )
    else:
        result.notes += read_text(place, zone, os.path.splitext(os.path.basename(place))[0])
    return result
