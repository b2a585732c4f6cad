# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Two backups of Standard Notes: one of today with "super" notes (Lexical), tags with references and files; one of an early version, whose file ends
in .txt.txt, with trashed, archived and pinned notes."""

import json, zipfile
from .material import Material, iso


def text_node(text, mark=0):
    return {"detail": 0, "format": mark, "mode": "normal", "style": "", "text": text, "type": "text", "version": 1}


def block(kind, children, **more):
    return {"children": children, "direction": "ltr", "format": "", "indent": 0, "type": kind, "version": 1, **more}


def lexical(m, bubble, lost):
    items = [block("listitem", [text_node(m.sentence())], checked=number == 1, value=number + 1) for number in range(3)]
    children = [
        block("heading", [text_node(m.title())], tag="h2"),
        block(
            "paragraph",
            [
                text_node(m.sentence() + " "),
                text_node("bold", 1),
                text_node(" and "),
                text_node("slanted", 2),
                {"type": "linebreak", "version": 1},
                text_node(m.sentence()),
                {**block("link", [text_node(m.title())]), "rel": "noopener", "target": None, "title": None, "url": "https://example.org/x"},
            ],
        ),
        block("list", items, listType="check", start=1, tag="ul"),
        block("list", items[:2], listType="number", start=1, tag="ol"),
        block("quote", [text_node(m.sentence())]),
        block(
            "code",
            [
                {**text_node("let a = 1"), "type": "code-highlight"},
                {"type": "linebreak", "version": 1},
                {**text_node("print(a)"), "type": "code-highlight"},
            ],
            language="swift",
        ),
        {"type": "horizontalrule", "version": 1},
    ]
    if bubble:
        children.append(block("paragraph", [text_node("see "), {"itemUuid": bubble, "type": "snbubble", "version": 1}]))
    if lost:
        children.append(
            {
                "type": "collapsible-container",
                "version": 1,
                "open": True,
                "children": [
                    block("collapsible-title", [text_node(m.sentence())]),
                    block("collapsible-content", [block("paragraph", [text_node(m.sentence())])]),
                ],
            }
        )
    return json.dumps({"root": block("root", children)}, ensure_ascii=False)


class Backup:
    def __init__(self, seed):
        self.m, self.items = Material(seed), []

    def item(self, kind, content, references=(), uuid=None, **more):
        made = self.m.time(2017)
        uuid = uuid or self.m.uuid()
        self.items.append(
            {
                "uuid": uuid,
                "content_type": kind,
                "content": {**content, "references": list(references)},
                "created_at": iso(made),
                "updated_at": iso(max(made, self.m.time(2017))),
                "duplicate_of": None,
                **more,
            }
        )
        return uuid

    def document(self, version):
        return json.dumps({"version": version, "items": self.items}, indent=2, ensure_ascii=False)


def make_today(path, count=60, seed=7):
    b = Backup(seed)
    m, notes = b.m, []
    for number in range(count):
        app = {"client_updated_at": iso(m.time(2020))}
        content = {
            "title": m.title(),
            "text": "\n\n".join(m.paragraph() for _ in range(2)),
            "noteType": ["plain-text", "markdown", "code", "unknown"][number % 4],
            "preview_plain": "…",
            "spellcheck": True,
            "editorIdentifier": "com.standardnotes.plain-text",
            "appData": {"org.standardnotes.sn": app},
        }
        if number % 3 == 0:
            content.update(
                noteType="super",
                editorIdentifier="com.standardnotes.super-editor",
                text=lexical(m, notes[-1] if notes and number % 2 else None, number % 9 == 6),
            )
        if number % 10 == 1:
            content.update(noteType="rich-text", text=f"<p>{m.sentence()} <strong>strong</strong> &amp; <u>under</u></p><ul><li>item</li></ul>")
        if number % 10 == 4:
            content["starred"] = True
        if number % 12 == 5:
            app["pinned"] = True
        if number % 14 == 7:
            app["archived"] = True
        if number % 16 == 8:
            content["trashed"] = True
        if number == 11:
            content["protected"] = True
        if number == 13:
            content["title"] = ""
        if number == 14:
            content.update(
                noteType="task",
                text=json.dumps(
                    {
                        "schemaVersion": "1.0.0",
                        "groups": [{"name": "errands", "tasks": [{"id": "1", "description": "buy twine", "completed": False}]}],
                    }
                ),
            )
        notes.append(b.item("Note", content))
    one = b.item(
        "Tag",
        {"title": "work", "expanded": True, "iconString": "hashtag", "appData": {}},
        [{"uuid": note, "content_type": "Note"} for note in notes[::4]],
    )
    b.item(
        "Tag",
        {"title": "côté", "expanded": True, "appData": {}},
        [{"uuid": one, "content_type": "Tag", "reference_type": "TagToParentTag"}] + [{"uuid": note, "content_type": "Note"} for note in notes[1::5]],
    )
    b.item("Tag", {"title": "empty tag", "appData": {}})
    b.item("SN|UserPreferences", {"sortBy": "created_at", "appData": {}})
    b.item("SN|Theme", {"name": "Dark", "package_info": {}, "appData": {}})
    b.item(
        "SN|File",
        {
            "name": "photo.png",
            "mimeType": "image/png",
            "remoteIdentifier": m.uuid(),
            "key": "00",
            "encryptionHeader": "x",
            "encryptedChunkSizes": [99],
            "appData": {},
        },
    )
    names = ["Standard Notes Backup and Import File.txt"] + [
        f"Items/Note/{item['content'].get('title') or 'x'}-{item['uuid'][:8]}.txt".replace("?", "")
        for item in b.items
        if item["content_type"] == "Note"
    ]
    texts = [b.document("004")] + [item["content"]["text"] for item in b.items if item["content_type"] == "Note"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in zip(names, texts):
            archive.writestr(zipfile.ZipInfo(name, (2024, 5, 1, 8, 0, 0)), text)


def make_early(path, count=40, seed=8):
    b = Backup(seed)
    m, notes = b.m, []
    for number in range(count):
        app = {}
        if number % 5 == 0:
            app["pinned"] = True
        if number % 5 == 1:
            app["archived"] = True
        content = {"title": m.title(), "text": m.paragraph() + f"\n\n* star\n* list {number}\n", "appData": {"org.standardnotes.sn": app}}
        if number % 5 == 2:
            content["trashed"] = True
        if number % 7 == 3:
            content["appData"]["org.standardnotes.sn"]["client_updated_at"] = iso(m.time(2018))
        more = {"deleted": False, "auth_hash": None, "enc_item_key": None}
        notes.append(b.item("Note", content, **more))
    for title, step in [("home", 3), ("home.garden", 6), ("été", 7)]:
        b.item("Tag", {"title": title, "appData": {}}, [{"uuid": note, "content_type": "Note"} for note in notes[::step]])
    b.items[2].update(created_at="1970-01-01T00:00:00.000Z")
    b.items.append(
        {"uuid": m.uuid(), "content_type": "Note", "content": None, "created_at": iso(m.time()), "updated_at": iso(m.time()), "deleted": True}
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo("Standard Notes Backup and Import File.txt.txt", (2019, 5, 1, 8, 0, 0)), b.document("003"))
