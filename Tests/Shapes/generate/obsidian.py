# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A vault of Obsidian: front matter, aliases, nested tags, embeds with sizes, links by name, by path, relative and with %20, block references, a
folder of attachments, a board, and names that are hard on programs."""

import json, urllib.parse
from pathlib import PurePosixPath
from .material import Material, ODD_NAMES, put, iso

FOLDERS = ["", "Projects", "Projects/House & garden", "Projects/2024", "Daily", "Área/Ünder", "Reference/Deep/Deeper/Deepest", "Zettel"]


class Vault:
    def __init__(self, folder, count, seed):
        self.folder, self.m = folder, Material(seed)
        self.notes = self.names(count)
        self.pictures, self.files = [], []

    def names(self, count):
        names, m = [], self.m
        for number in range(count):
            name = ODD_NAMES[number] if number < min(len(ODD_NAMES), count // 2) else m.title().replace("?", "").replace("/", "-")
            names.append(str(PurePosixPath(FOLDERS[number % len(FOLDERS)]) / (name + ".md")))
        # Two of one name: Obsidian writes their paths into links.
        names += ["Projects/Twin.md", "Reference/Twin.md"]
        return names

    def make(self):
        put(self.folder / ".obsidian/app.json", json.dumps({"attachmentFolderPath": "Attachments", "alwaysUpdateLinks": True}))
        put(self.folder / ".obsidian/workspace.json", json.dumps({"main": {"id": self.m.identifier()[:16], "type": "split"}}))
        put(self.folder / ".trash/Old.md", "gone\n")
        self.attachments()
        for number, path in enumerate(self.notes):
            put(self.folder / path, self.note(number, path), self.m.time())
        put(
            self.folder / "Projects/Board.canvas",
            json.dumps(
                {
                    "nodes": [
                        {"id": "a1", "type": "text", "text": "A card", "x": 0, "y": 0, "width": 250, "height": 60},
                        {"id": "b2", "type": "file", "file": self.notes[0], "x": 300, "y": 0, "width": 400, "height": 400},
                    ],
                    "edges": [{"id": "e1", "fromNode": "a1", "fromSide": "right", "toNode": "b2", "toSide": "left"}],
                },
                indent="\t",
            ),
            self.m.time(),
        )

    def attachments(self):
        m, folder = self.m, self.folder
        for number in range(max(4, len(self.notes) // 8)):
            when = m.time()
            name = [
                "Pasted image 2024051%d.png" % (number % 10) if number < 10 else f"Pasted image 202406{number}.png",
                f"foto {number} ü.png",
                f"scan-{number}.pdf",
            ][number % 3]
            path = f"Attachments/{name}"
            put(folder / path, m.pdf() if name.endswith("pdf") else m.png(6 + number % 5), when)
            (self.files if name.endswith("pdf") else self.pictures).append(path)
        put(folder / "Projects/2024/plan beside.png", m.png(), m.time())
        put(folder / "Attachments/voice.m4a", m.noise(700), m.time())
        put(folder / "Attachments/never shown.bin", m.noise(300), m.time())

    def front_matter(self, number):
        m, kind = self.m, number % 7
        if kind in (0, 3):
            return ""
        made, changed = m.time(), m.time()
        lines = []
        if kind == 1:
            lines += ["aliases:", f"  - {m.title()}", f"  - How to/{m.title()}", "cssclasses:", "  - soft-embed"]
        if kind in (1, 2):
            lines += ["tags:", f"  - area/part{number % 5}", "  - inbox"]
        if kind == 4:
            lines += [f"tags: [reading, area/part{number % 3}]", f"created: {iso(made)}", f"updated: {iso(changed)}"]
        if kind == 5:
            lines += [f"date: {made:%Y-%m-%d}", f'description: "{m.title()}: with a colon"', "publish: true"]
        if kind == 6:
            lines += [f"permalink: p/{number}", f"title: {m.title()}", "rating: 4.5", "related:", "  - none"]
        if kind == 2:
            lines += [f"created: {made:%Y-%m-%dT%H:%M:%S}Z"]
        return "---\n" + "\n".join(lines) + "\n---\n"

    def link(self, path, number):
        m, target = self.m, self.m.random.choice([note for note in self.notes if note != path])
        name = PurePosixPath(target).name[:-3]
        twin = name == "Twin"
        wiki = target[:-3] if twin or number % 9 == 4 else name
        label = " ".join(m.words(1, 3))
        up = "../" * (len(PurePosixPath(path).parts) - 1)
        return [
            f"[[{wiki}]]",
            f"[[{wiki}|{label}]]",
            f"[{label}]({up}{urllib.parse.quote(target)})",
            f"[[{wiki}#Details|{label}]]",
            f"[{label}]({urllib.parse.quote(target)})",
            f"[[{wiki}#^b15695|{label}]]",
            f"![[{wiki}]]",
            f"[{label}](<{up}{target}>)",
        ][number % 8]

    def embed(self, path, number):
        picture, file = self.m.random.choice(self.pictures), self.m.random.choice(self.files)
        name, up = PurePosixPath(picture).name, "../" * (len(PurePosixPath(path).parts) - 1)
        return [
            f"![[{name}]]",
            f"![[{name}|300]]",
            f"![[{name}|300x200]]",
            f"![a caption]({up}{urllib.parse.quote(picture)})",
            f"![[{PurePosixPath(file).name}#page=2]]",
            f"[the scan]({up}{urllib.parse.quote(file)})",
            f"![[{picture}]]",
        ][number % 7]

    def note(self, number, path):
        m = self.m
        parts = []
        if number % 3:
            parts.append(f"# {m.title()}")
        for place in range(m.random.randint(1, 4)):
            parts.append(m.paragraph() + " " + self.link(path, number + place) + " " + m.sentence())
            if m.random.random() < 0.3:
                parts.append(f"## Details\n\n{m.sentence()} #inline{number % 6}/sub{place} {m.words(1)[0]} ^b15695")
        if number % 2 == 0:
            parts.append(self.embed(path, number // 2))
        if number % 5 == 0:
            parts.append(
                "- [ ] open task\n- [x] done task 📅 2024-05-01\n\t1. nested\n\t2. **bold** and *slant* and ~~gone~~ and `code [[not a link]]`"
            )
        if number % 11 == 3:
            parts.append("```dataview\nTABLE rating FROM #notatag\nWHERE file.link = [[nor this]]\n```")
        if number % 13 == 5:
            parts.append(
                "> [!tip]- Callout title\n> inside ==marked== text %%comment%%\n\n| a | b |\n| --- | --- |\n| 1 | two |\n\n"
                "$$x^2$$ [^1]\n\n[^1]: a footnote"
            )
        if number % 17 == 6:
            parts.append("[web](https://example.org/a_(b)) <https://example.org/c> https://example.org/d #1234 [[No such note]]")
        if path.endswith("2024/" + PurePosixPath(path).name):
            parts.append("![beside](plan%20beside.png)")
        if number == 1:
            parts.append("![[voice.m4a]] [[Board.canvas]]")
        text = self.front_matter(number) + "\n\n".join(parts) + "\n"
        return text.replace("\n", "\r\n") if number % 19 == 7 else text


def make(folder, count=170, seed=1):
    Vault(folder, count, seed).make()
