# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Joplin's RAW folder and the same as JEX: nested notebooks, tags by note_tag, to-dos, resources with and without an ending, HTML notes, an
encrypted note, a conflict, revisions, a place, and keys of a later version."""

import io, tarfile
from .material import Material, put, iso

NOTE_KEYS = (
    "parent_id created_time updated_time is_conflict latitude longitude altitude author source_url is_todo todo_due todo_completed source "
    "source_application application_data order user_created_time user_updated_time encryption_cipher_text encryption_applied "
    "markup_language is_shared share_id conflict_original_id master_key_id user_data deleted_time"
).split()


class Export:
    def __init__(self, count, seed):
        self.m, self.items, self.count = Material(seed), {}, count
        self.folders, self.tags, self.notes, self.resources = [], [], [], []

    def item(self, kind, identifier, title, body, pairs):
        lines = [f"id: {identifier}"] + [f"{key}: {value}" for key, value in pairs] + [f"type_: {kind}"]
        head = ([title] if title is not None else []) + ([body] if body else [])
        self.items[identifier + ".md"] = "\n\n".join(head + ["\n".join(lines)]).encode()

    def times(self):
        made = self.m.time()
        return iso(made), iso(max(made, self.m.time()))

    def make(self):
        m = self.m
        for title, parent in [("Home", None), ("Büro/Work", None), ("Recipes", 0), ("Deep 1", 2), ("Deep 2", 3), ("📚 Reading", None)]:
            identifier, (made, changed) = m.identifier(), self.times()
            self.item(
                2,
                identifier,
                title,
                None,
                [
                    ("created_time", made),
                    ("updated_time", changed),
                    ("user_created_time", made),
                    ("user_updated_time", changed),
                    ("encryption_cipher_text", ""),
                    ("encryption_applied", 0),
                    ("parent_id", self.folders[parent] if parent is not None else ""),
                    ("is_shared", 0),
                    ("share_id", ""),
                    ("master_key_id", ""),
                    ("icon", '{"type":1,"emoji":"📁"}' if parent is None else ""),
                    ("user_data", ""),
                    ("deleted_time", 0),
                ],
            )
            self.folders.append(identifier)
        for title in ["todo-later", "reise", "naïve tag", "recipes/soup", "année"]:
            identifier, (made, changed) = m.identifier(), self.times()
            self.item(
                5,
                identifier,
                title,
                None,
                [
                    ("created_time", made),
                    ("updated_time", changed),
                    ("user_created_time", made),
                    ("user_updated_time", changed),
                    ("encryption_cipher_text", ""),
                    ("encryption_applied", 0),
                    ("is_shared", 0),
                    ("parent_id", ""),
                    ("user_data", ""),
                ],
            )
            self.tags.append(identifier)
        self.notes = [m.identifier() for _ in range(self.count)]
        for number in range(max(4, self.count // 6)):
            self.resource(number)
        for number in range(self.count):
            self.note(number)
        self.others()
        return self.items

    def resource(self, number):
        m, identifier, (made, changed) = self.m, self.m.identifier(), self.times()
        data, title, ending, mime = [
            (m.png(), f"photo {number}.png", "png", "image/png"),
            (m.pdf(), f"Rechnung Nr. {number}.pdf", "pdf", "application/pdf"),
            (m.noise(321), f"no ending {number}", "", "application/octet-stream"),
            (m.svg(), "", "svg", "image/svg+xml"),
        ][number % 4]
        pairs = [
            ("mime", mime),
            ("filename", ""),
            ("created_time", made),
            ("updated_time", changed),
            ("user_created_time", made),
            ("user_updated_time", changed),
            ("file_extension", ending),
            ("encryption_cipher_text", ""),
            ("encryption_applied", 0),
            ("encryption_blob_encrypted", 0),
            ("size", len(data)),
            ("is_shared", 0),
            ("share_id", ""),
            ("master_key_id", ""),
            ("user_data", ""),
            ("blob_updated_time", 1700000000000),
            ("ocr_text", ""),
            ("ocr_details", ""),
            ("ocr_status", 0),
            ("ocr_error", ""),
        ]
        self.item(4, identifier, title, None, pairs)
        self.items["resources/" + identifier + ("." + ending if ending else "")] = data
        self.resources.append((identifier, title, mime))

    def body(self, number):
        m, parts = self.m, []
        for _ in range(m.random.randint(1, 4)):
            parts.append(m.paragraph())
        if number % 3 == 0:
            identifier, title, mime = self.resources[number // 3 % len(self.resources)]
            parts.append(f"{'!' if mime.startswith('image') else ''}[{title}](:/{identifier})")
        if number % 4 == 1:
            parts.append(f"See [{' '.join(m.words(2))}](:/{m.random.choice(self.notes)}) and {m.sentence()}")
        if number % 8 == 2:
            parts.append(f"[part](:/{m.random.choice(self.notes)}#details) of it")
        if number % 6 == 5:
            parts.append("- [ ] milk\n- [x] bread\n\n```\nkey: value\n\ntype_: 99\n```\n\nalmost: a tail")
        if number % 10 == 7:
            identifier = self.resources[0][0]
            parts.append(f'<img src=":/{identifier}" alt="scaled" width="120"/>')
        return "\n\n".join(parts)

    def note(self, number):
        m, (made, changed) = self.m, self.times()
        values = dict.fromkeys(NOTE_KEYS, "")
        values.update(
            parent_id=self.folders[number % len(self.folders)],
            created_time=made,
            updated_time=changed,
            is_conflict=0,
            latitude="0.00000000",
            longitude="0.00000000",
            altitude="0.0000",
            is_todo=0,
            todo_due=0,
            todo_completed=0,
            source="joplin-desktop",
            source_application="net.cozic.joplin-desktop",
            order=0,
            user_created_time=made,
            user_updated_time=changed,
            encryption_applied=0,
            markup_language=1,
            is_shared=0,
            deleted_time=0,
        )
        title, body = m.title(), self.body(number)
        if number % 7 == 2:
            values.update(is_todo=1, todo_due=1717000000000 if number % 2 else 0, todo_completed=1718000000000 if number % 3 else 0)
        if number % 9 == 4:
            values.update(latitude="52.52000660", longitude="13.40495400", altitude="34.0000")
        if number % 11 == 5:
            values.update(source_url="https://example.org/a?b=c&d", author="Jo Ängström")
        if number % 13 == 6:
            values.update(user_created_time=iso(m.time(1999, 2005)))
        if number == 8:
            values.update(is_conflict=1, conflict_original_id=self.notes[0])
        if number == 9:
            values.update(deleted_time=1719000000000)
        if number % 12 == 10:
            values.update(markup_language=2)
            body = f"<h1>{' '.join(m.words(2))}</h1><p>Some <strong>bold</strong> &amp; <a href=\"https://example.org\">link</a></p>"
            body += f"<div>{m.sentence()}</div>"
        if number == 3:
            values["from_a_later_version"] = '{"a":1}'
        if number == 4:
            title = ""
        if number == 0:
            body = ""
        self.item(1, self.notes[number], title, body, values.items())
        for tag in m.random.sample(self.tags, number % 3):
            self.item(
                6,
                (link := m.identifier()),
                None,
                None,
                [
                    ("note_id", self.notes[number]),
                    ("tag_id", tag),
                    ("created_time", made),
                    ("updated_time", changed),
                    ("user_created_time", made),
                    ("user_updated_time", changed),
                    ("encryption_cipher_text", ""),
                    ("encryption_applied", 0),
                    ("is_shared", 0),
                ],
            )
            del link

    def others(self):
        m, (made, changed) = self.m, self.times()
        sealed = [
            ("parent_id", self.folders[0]),
            ("updated_time", changed),
            ("encryption_cipher_text", "JED0100002205" + m.identifier() + '0000aa{"iv":"x"}'),
            ("encryption_applied", 1),
        ]
        self.item(1, m.identifier(), None, None, sealed)
        for _ in range(2):
            self.item(
                13,
                m.identifier(),
                None,
                None,
                [
                    ("parent_id", ""),
                    ("item_type", 1),
                    ("item_id", self.notes[0]),
                    ("item_updated_time", 1700000000000),
                    ("title_diff", '"[{\\"diffs\\":[[1,\\"x\\"]],\\"start1\\":0}]"'),
                    ("body_diff", '"[]"'),
                    ("metadata_diff", '{"new":{},"deleted":[]}'),
                    ("encryption_cipher_text", ""),
                    ("encryption_applied", 0),
                    ("updated_time", changed),
                    ("created_time", made),
                ],
            )
        self.item(
            9,
            m.identifier(),
            None,
            None,
            [
                ("created_time", made),
                ("updated_time", changed),
                ("source_application", "net.cozic.joplin-desktop"),
                ("encryption_method", 8),
                ("checksum", ""),
                ("content", '{"iv":"x"}'),
                ("hasBeenUsed", 1),
            ],
        )
        # A file without an item, as a sync that broke off leaves it.
        self.items[f"resources/{m.identifier()}.jpg"] = m.noise(64)


def make_raw(folder, count=120, seed=2):
    for name, data in Export(count, seed).make().items():
        put(folder / name, data)


def make_jex(path, count=120, seed=3):
    items = Export(count, seed).make()
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in items.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.mode = len(data), 1700000000, 0o644
            archive.addfile(member, io.BytesIO(data))
