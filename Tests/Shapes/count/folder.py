# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A folder of Markdown: Obsidian's vaults, nb's notebooks, and what `vault export markdown` writes."""

import collections, hashlib, os, posixpath, re, zoneinfo
from census import Census, Note, plain, words
from . import body, markdown

CREATED, MODIFIED = ("created", "created_at", "date"), ("updated", "updated_at", "modified", "lastmod")


class Folder:
    """`notes` are endings of names that are notes, `boards` those of files that count as a note with themselves attached."""

    def __init__(self, root, boards=(), wiki=True, own=False, zone="UTC", by_heading=False):
        self.root, self.boards, self.wiki, self.own = os.fspath(root), boards, wiki, own
        self.files = sorted(os.path.relpath(os.path.join(base, name), self.root) for base, _, names in os.walk(self.root) for name in names)
        self.files = [path for path in self.files if not any(part.startswith(".") for part in path.split("/"))]
        self.lower = {plain(path).lower(): path for path in self.files}
        self.names = collections.defaultdict(list)
        for path in self.files:
            self.names[plain(posixpath.basename(path)).lower()].append(path)
        self.by_heading, self.headings = by_heading, {}
        self.zone = zoneinfo.ZoneInfo(zone)
        self.used, self.identifiers, self.texts = set(), {}, {}

    def is_note(self, path):
        return path.lower().endswith(".md")

    def find(self, target, folder, by_name):
        """As Obsidian finds it: a path from the top, from here, or the end of one; a name anywhere."""
        target = plain(target).lower()
        if not target:
            return None
        beside_its_note = None
        for ending in ("", ".md"):
            for base in ("", plain(folder).lower()):
                path = posixpath.normpath(posixpath.join(base, target.lstrip("/") + ending))
                if path in self.lower:
                    return self.lower[path]
            if not by_name:
                continue
            named = [
                path
                for path in self.names[posixpath.basename(target) + ending]
                if plain(path).lower().endswith("/" + target + ending) or "/" not in target
            ]
            first = min(named, key=lambda path: (".files/" in path, len(path), path), default=None)
            if first and ".files/" not in first:
                return first
            # What a note has beside itself is meant where no note is called so.
            beside_its_note = beside_its_note or first
        return beside_its_note

    def title(self, path, properties):
        for key, value, _ in properties:
            if key.lower() == "title" and value and isinstance(value, str):
                return value
        # Without one in it, a note that vault wrote is called what its first line says.
        if self.own:
            return None
        return posixpath.basename(path)[:-3]

    def census(self):
        census, read = Census(), {}
        for path in self.files:
            if self.is_note(path):
                with open(os.path.join(self.root, path), encoding="utf-8", newline="") as file:
                    read[path] = markdown.front_matter(file.read())
        for path, (_, text) in read.items() if self.by_heading else ():
            if match := re.match(r"\s*# (?:\[[ x]\] )?(.+)", text):
                self.headings.setdefault(plain(match.group(1)).lower(), path)
        self.titles = {path: self.title(path, properties) for path, (properties, _) in read.items()}
        for path in self.files:
            if self.boards and path.endswith(self.boards):
                self.titles[path] = posixpath.basename(path)
        for path, (properties, body) in read.items():
            census.notes.append(self.note(path, properties, body))
        for path in self.files:
            if self.boards and path.endswith(self.boards):
                census.notes.append(self.board(path))
        for path in self.files:
            if path not in self.titles and path not in self.used:
                census.left_out.append(path)
        return census

    def board(self, path):
        note = Note(path, posixpath.basename(path), posixpath.dirname(path), modified=self.time(path))
        note.attachments[self.digest(path)] += 1
        return note

    def time(self, path):
        return os.stat(os.path.join(self.root, path)).st_mtime_ns // 1_000_000 if not self.own else None

    def digest(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def note(self, path, properties, text):
        note = Note(path, self.titles[path], posixpath.dirname(path), modified=self.time(path))
        kept = self.properties(note, properties)
        self.texts[path] = text
        note.tags |= markdown.tags(text)
        folder, attached = posixpath.dirname(path), set()
        for piece, is_code in markdown.split_code(text):
            if is_code:
                continue
            for _, is_embed, is_wiki, target, _ in markdown.links(piece):
                if "://" in target[:16] or target.startswith(("mailto:", "#")):
                    continue
                found = self.target(target, folder, is_wiki)
                if found in self.titles:
                    if found != path:
                        note.links.add(found)
                elif found:
                    attached.add(found)
        beside = path[:-3] + ".files/"
        attached |= {file for file in self.files if file.startswith(beside)}
        for file in attached:
            note.attachments[self.digest(file)] += 1
        self.used |= attached

        def file_name(target, is_wiki):
            found = self.target(target, folder, is_wiki)
            return posixpath.basename(found) if found is not None and found not in self.titles else None

        note.words = words(kept + "\n" + markdown.seen(text, file_name))
        return note

    def target(self, target, folder, is_wiki):
        target = target.partition("#")[0]
        found = self.find(target if is_wiki else markdown.unquoted(target), folder, by_name=self.wiki)
        return found or (self.headings.get(plain(target).lower()) if is_wiki else None)

    def properties(self, note, properties):
        """Takes what has a place in a note, and returns the lines of the rest."""
        kept, ranks = "", {"created": 9, "modified": 9}
        times = {}
        for key, value, lines in properties:
            for aspect, keys in (("created", CREATED), ("modified", MODIFIED)):
                if key.lower() in keys and (time := markdown.milliseconds(value, self.zone)) is not None and keys.index(key.lower()) < ranks[aspect]:
                    ranks[aspect], times[aspect] = keys.index(key.lower()), time
        for key, value, lines in properties:
            low = key.lower()
            if low == "title" and isinstance(value, str):
                continue
            if low in ("tags", "tag", "keywords"):
                for tag in value if isinstance(value, list) else re.split(r"[,\s]+", value):
                    note.tags.add(tag.strip("#/ "))
                note.tags.discard("")
            elif low in CREATED + MODIFIED and markdown.milliseconds(value, self.zone) in times.values():
                pass
            elif low in ("pinned", "archived", "trashed", "template") and value == "true":
                note.flags.add(low)
            elif low == "attachments" and self.own:
                pass
            elif low in ("id", "imported-from") and '"' in lines:
                if low == "id":
                    self.identifiers[note.key] = value
            else:
                kept += lines + "\n"
        note.created = times.get("created")
        note.modified = times.get("modified", note.modified)
        return kept


def obsidian(root, zone="UTC"):
    return Folder(root, boards=(".canvas", ".base", ".excalidraw"), zone=zone).census()


def nb(root):
    """Its links name a note by path, file or heading."""
    return Folder(root, by_heading=True).census()


def export(root):
    """What `vault export markdown` wrote: its links name notes by title or identifier."""
    folder = Folder(root, wiki=False, own=True)
    census = folder.census()
    leading = body.links([(Note(folder.identifiers.get(note.key, note.key), note.title), folder.texts[note.key]) for note in census.notes])
    keys = {identifier: path for path, identifier in folder.identifiers.items()}
    for note in census.notes:
        note.links |= {keys[key] for key in leading[folder.identifiers[note.key]]}
    return census
