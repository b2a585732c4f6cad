# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Joplin's items, in a folder or a tar file: also what `vault export jex` writes."""

import collections, datetime, hashlib, html.parser, os, re, tarfile
from census import Census, Note, words
from . import markdown

LEFT_OUT = {13: "a revision"}
SHOWN = ("source_url", "author", "latitude", "longitude", "altitude", "todo_due", "todo_completed")


def read(place):
    """Each file's bytes by its path."""
    if os.path.isdir(place):
        return {
            os.path.relpath(path := os.path.join(base, name), place): open(path, "rb").read() for base, _, names in os.walk(place) for name in names
        }
    with tarfile.open(place) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def item(data):
    text = data.decode().replace("\r\n", "\n")
    head, _, tail = text.rpartition("\n\n")
    pairs = dict(re.split(r": ?", line, maxsplit=1) for line in tail.strip().split("\n"))
    title, _, body = head.partition("\n\n")
    # A note without a title begins with the blank line itself.
    if head.startswith("\n"):
        title, body = "", head[2:] if head.startswith("\n\n") else head[1:]
    return pairs, title.replace("\\\\n", "\\n").replace("\\\\r", "\\r"), body


def time(text):
    if not text or text == "0":
        return None
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return round(moment.timestamp() * 1000) or None


class Visible(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attributes):
        if tag in ("p", "div", "br", "h1", "h2", "li", "td", "tr"):
            self.text += "\n"


def census(place):
    files, result = read(place), Census()
    items = {}
    for path, data in files.items():
        if re.fullmatch(r"(.*/)?[0-9a-f]{32}\.md", path):
            items[os.path.basename(path)[:32]] = item(data)
    contents = {os.path.basename(path)[:32]: (path, data) for path, data in files.items() if "resources/" in path}
    kinds = {identifier: int(pairs["type_"]) for identifier, (pairs, _, _) in items.items()}
    sealed = {identifier for identifier, (pairs, _, _) in items.items() if pairs.get("encryption_applied") == "1"}
    notes = {identifier for identifier, kind in kinds.items() if kind == 1 and identifier not in sealed}
    tags = collections.defaultdict(set)
    for identifier, (pairs, _, _) in items.items():
        if kinds[identifier] == 6 and pairs["tag_id"] in items:
            tags[pairs["note_id"]].add(items[pairs["tag_id"]][1])
    used = set()
    for identifier in notes:
        pairs, title, body = items[identifier]
        note = Note(identifier, title, notebook(pairs.get("parent_id"), items), tags=tags[identifier])
        note.created = time(pairs.get("user_created_time") or pairs["created_time"])
        note.modified = time(pairs.get("user_updated_time") or pairs["updated_time"])
        if pairs.get("deleted_time", "0") not in ("", "0"):
            note.flags.add("trashed")
        named = set(re.findall(r":/([0-9a-f]{32})", body))
        for other in named & contents.keys():
            note.attachments[hashlib.sha256(contents[other][1]).hexdigest()] += 1
        used |= named
        note.links = {other for other in named & notes if other != identifier}

        def file_name(target, _):
            found = re.match(r":/([0-9a-f]{32})", target)
            return items[found.group(1)][1] if found and kinds.get(found.group(1)) == 4 else None

        if pairs.get("markup_language") == "2":
            visible = Visible()
            visible.feed(body)
            seen = visible.text
        else:
            seen = markdown.seen(body, file_name)
        note.words = words(seen)
        for key in SHOWN:
            if pairs.get(key, "").strip("0."):
                note.words += words(key + " " + pairs[key])
        # The vault has no to-dos: one stands in its text as a task.
        if pairs.get("is_todo") == "1":
            note.words += words(title)
        result.notes.append(note)
    result.left_out = sorted(sealed) + [identifier for identifier, kind in kinds.items() if kind in LEFT_OUT]
    result.left_out += [path for identifier, (path, _) in contents.items() if identifier not in used]
    return result


def notebook(identifier, items):
    parts = []
    while identifier in items and len(parts) < 20:
        pairs, title, _ = items[identifier]
        parts.insert(0, title.replace("/", "-"))
        identifier = pairs.get("parent_id")
    return "/".join(parts)
