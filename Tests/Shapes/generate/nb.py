# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A notebook of nb: a folder under git, each of its folders with an .index; notes, bookmarks, to-dos, an encrypted note, and files beside them."""

import subprocess
from .material import Material, put


class Notebook:
    def __init__(self, folder, seed, by_heading):
        self.folder, self.m, self.index, self.by_heading, self.headings = folder, Material(seed), {}, by_heading, []

    def put(self, path, content):
        base, _, name = path.rpartition("/")
        put(self.folder / path, content, self.m.time(2020))
        if base and base not in self.index:
            self.index.setdefault(base.rpartition("/")[0], []).append(base.rpartition("/")[2])
        self.index.setdefault(base, []).append(name)

    def note(self, number):
        m, tags = self.m, f"#tag{number % 5} #project-{number % 3}"
        body = "\n\n".join(m.paragraph() for _ in range(m.random.randint(1, 3)))
        kind = number % 4
        if kind == 0:
            self.headings.append(m.title())
            return f"note {number}.md" if number % 8 else f"2020{number:010d}.md", f"# {self.headings[-1]}\n\n{body}\n\n{tags}\n"
        if kind == 1:
            return f"2020{number:010d}.bookmark.md", (
                f"# {m.title()} (example.com)\n\n<https://example.com/{number}>\n\n## Description\n\n{m.sentence()}\n\n"
                f"## Quote\n\n> {m.sentence()}\n>\n> {m.sentence()}\n\n"
                f"## Comment\n\n{m.sentence()}\n\n## Related\n\n- <https://example.net>\n- [[note 4]]\n\n## Tags\n\n{tags}\n\n"
                f"## Content\n\n{body}\n\n[More information\\...](https://www.example.org/)\n"
            )
        if kind == 2:
            return f"task_{number}.todo.md", (
                f"# [{'x' if number % 3 else ' '}] {m.title()}\n\n## Due\n\n2100-01-01\n\n## Description\n\n{body}\n\n"
                f"## Tasks\n\n- [ ] {m.sentence()}\n- [x] two\n\n"
                f"## Related\n\n- [[2/note 12.md]]\n- [[Missing title]]\n\n## Tags\n\n{tags}\n"
            )
        heading = f"\n[[{m.random.choice(self.headings)}]]\n" if self.by_heading else ""
        return f"plain{number}.md", f"{m.sentence()}\n\n{body}\n\n[[note 4]] [with a path](note%204.md)\n{heading}"


def make(folder, count=60, seed=11, by_heading=False):
    """`by_heading`: with links that name a note by the heading of its text, as nb resolves them."""
    b = Notebook(folder, seed, by_heading)
    m, places = b.m, ["", "ideas", "ideas/Größer", "clients"]
    b.put("note 4.md", f"---\ntitle: {m.title()}\ntags: [yaml-tag, other]\nlayout: post\n---\n\n{m.paragraph()}\n")
    b.put("2/note 12.md", f"# {m.title()}\n\n{m.paragraph()}\n")
    for number in range(count):
        name, text = b.note(number)
        if name == "note 4.md":
            name = "note four.md"
        if name == "note 12.md":
            name = "note twelve.md"
        place = places[number // 4 % len(places)]
        b.put((place + "/" if place else "") + name, text)
    b.put("private.md.enc", b"Salted__" + m.noise(88))
    b.put("secret.bookmark.md.enc", b"Salted__" + m.noise(88))
    b.put("photo 1.png", m.png())
    b.put("ideas/scan.pdf", m.pdf())
    b.put("shows.md", f"# {m.title()}\n\n![a photo](photo%201.png)\n\n[the scan](ideas/scan.pdf)\n")
    for base, names in b.index.items():
        put(folder / base / ".index", "".join(name + "\n" for name in names))

    def git(*words):
        subprocess.run(["git", "-C", str(folder), "-c", "user.name=nb", "-c", "user.email=nb@example.org", *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "[nb] Initialize")
