# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One thing that is taken out of a source, or changed in it, for each that is counted."""

import json, os, re, shutil, zipfile
from pathlib import Path

from count import evernote as count_evernote, folder as count_folder, joplin as count_joplin, journal as count_journal
from count import passwordstore as count_passwordstore, standardnotes as count_standardnotes
from generate import evernote, journal, joplin, nb, obsidian, passwordstore, standardnotes


def first(folder, ending, pattern, kinds=("",)):
    """The first file of a folder whose text has the pattern."""
    for path in sorted(Path(folder).rglob("*" + ending)):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        if re.search(pattern, path.read_text(encoding="utf-8", errors="replace"), re.M):
            return path
    raise SystemExit(f"no file with {pattern} in {folder}: the generator changed")


def edit(path, pattern, replacement):
    """Replaces the first place, and nothing else of the file: its times stay."""
    status, text = os.stat(path), Path(path).read_bytes().decode()
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.M)
    assert count == 1, (path, pattern)
    Path(path).write_bytes(changed.encode())
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def spoil(path):
    """One bit of a file's last byte but three."""
    status, data = os.stat(path), bytearray(Path(path).read_bytes())
    data[-4] ^= 1
    Path(path).write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def in_zip(path, change):
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = next(name for name in files if "/" not in name)
    document = json.loads(files[name])
    change(document["items"])
    files[name] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def notes(items):
    return [item for item in items if item["content_type"] == "Note" and isinstance(item["content"], dict)]


def set_in(item, **values):
    item["content"].update(values)


def move(path, to):
    target = to / path.name
    os.rename(path, target)


def unlink(items):
    for item in notes(items):
        if "snbubble" in item["content"]["text"]:
            document = json.loads(item["content"]["text"])
            document["root"]["children"].pop(
                next(place for place, child in enumerate(document["root"]["children"]) if "snbubble" in json.dumps(child))
            )
            item["content"]["text"] = json.dumps(document)
            return


def of_obsidian(root):
    def vault(at):
        obsidian.make(at, 24)

    for aspect, act in [
        ("notes", lambda at: first(at, ".md", "inline").unlink()),
        ("words", lambda at: edit(first(at, ".md", "^# "), r"^(# \S+) \S+", r"\1")),
        ("tags", lambda at: edit(first(at, ".md", "^  - inbox$"), r"^  - inbox\n", "")),
        (
            "created",
            lambda at: edit(
                first(at, ".md", r"^created: 2"),
                r"^(created: \d{4}-\d\d-\d\dT\d\d:\d\d:)\d\d",
                lambda match: match.group(1) + ("01" if not match.group(0).endswith("01") else "02"),
            ),
        ),
        ("modified", lambda at: os.utime(first(at, ".md", r"\A# "), ns=(0, 10**18))),
        ("links", lambda at: edit(first(at, ".md", r"(?<!!)\[\[[^\]|#]+\|"), r"(?<!!)\[\[[^\]|#]+\|([^\]]+)\]\]", r"\1")),
        (
            "attachments",
            lambda at: spoil(
                next(path for path in sorted((at / "Attachments").iterdir()) if path.name in first(at, ".md", re.escape(path.name)).read_text())
            ),
        ),
        ("titles", lambda at: edit(first(at, ".md", "^title: "), r"^title: .*", "title: Quite another")),
        ("notebooks", lambda at: move(first(at / "Daily", ".md", ""), at)),
    ]:
        yield "obsidian", vault, count_folder.obsidian, aspect, act


def of_joplin(root):
    def raw(at):
        joplin.make_raw(at, 20)

    for aspect, act in [
        ("notes", lambda at: first(at, ".md", r"^type_: 1$").unlink()),
        ("tags", lambda at: first(at, ".md", r"^type_: 6$").unlink()),
        ("links", lambda at: edit(first(at, ".md", r"^See \["), r"^See \[([^\]]*)\]\(:/\w+\)", r"See \1")),
        ("attachments", lambda at: spoil(sorted((at / "resources").glob("*.pdf"))[0])),
        (
            "created",
            lambda at: edit(
                first(at, ".md", r"\ntype_: 1$"),
                r"^(user_created_time: \d{4})",
                lambda match: match.group(1)[:-1] + ("1" if match.group(1)[-1] != "1" else "2"),
            ),
        ),
        ("flags", lambda at: edit(first(at, ".md", r"^deleted_time: 1719"), r"^deleted_time: \d+", "deleted_time: 0")),
        ("notebooks", lambda at: edit(first(at, ".md", r"^Recipes$"), r"^Recipes$", "Receipts")),
        ("words", lambda at: edit(first(at, ".md", r"^- \[ \] milk"), "milk", "silk")),
    ]:
        yield "joplin", raw, count_joplin.census, aspect, act


def of_evernote(root):
    def enex(at):
        evernote.make(at, 0.05)

    web, phone = "Web clips.enex", "Téléphone.enex"
    for aspect, act in [
        ("notes", lambda at: edit(at / web, r"<note>[\s\S]*?</note>", "")),
        ("tags", lambda at: edit(at / web, r"<tag>clip</tag>", "")),
        ("modified", lambda at: edit(at / web, r"<updated>\d{4}", "<updated>1999")),
        ("attachments", lambda at: edit(at / web, r'base64">iVBOR(.{40})[A-Y]', lambda match: f'base64">iVBOR{match.group(1)}Z')),
        ("words", lambda at: edit(at / web, "<li><div>first</div></li>", "")),
        ("links", lambda at: edit(at / phone, r'<a href="evernote:[^"]*">([^<]*)</a></div></en-note>', r"\1</div></en-note>")),
    ]:
        yield "evernote", enex, count_evernote.census, aspect, act


def of_standard_notes(root):
    def zipped(at):
        standardnotes.make_today(at, 20)

    for aspect, act in [
        ("notes", lambda at: in_zip(at, lambda items: items.remove(notes(items)[1]))),
        ("tags", lambda at: in_zip(at, lambda items: next(item for item in items if item["content_type"] == "Tag")["content"]["references"].pop(0))),
        (
            "flags",
            lambda at: in_zip(at, lambda items: next(item for item in notes(items) if item["content"].get("trashed"))["content"].pop("trashed")),
        ),
        ("titles", lambda at: in_zip(at, lambda items: set_in(notes(items)[1], title="Quite another"))),
        ("words", lambda at: in_zip(at, lambda items: set_in(notes(items)[2], text=notes(items)[2]["content"]["text"] + " onemore"))),
        (
            "modified",
            lambda at: in_zip(
                at, lambda items: notes(items)[2]["content"]["appData"]["org.standardnotes.sn"].update(client_updated_at="2001-01-01T00:00:00.000Z")
            ),
        ),
        ("links", lambda at: in_zip(at, lambda items: unlink(items))),
    ]:
        yield "standardnotes", zipped, count_standardnotes.census, aspect, act


def of_jrnl(root):
    def diary(at):
        journal.make(root / "journals", 12)
        os.replace(root / "journals/diary.txt", at)

    def berlin(at):
        return count_journal.census(at, "Europe/Berlin")

    for aspect, act in [
        ("notes", lambda at: edit(at, r"^\[2024-06-30 23:58\].*\n", "")),
        ("created", lambda at: edit(at, r"^\[2024-06-30 23:58\]", "[2024-06-30 23:57]")),
        (
            "tags",
            lambda at: edit(at, r"^\[2024-06-30 23:58\] .*", lambda match: match.group(0).removesuffix(" *") + " *" * (match.group(0)[-1] != "*")),
        ),
    ]:
        yield "jrnl", diary, berlin, aspect, act


def of_pass(root):
    def store(at):
        if not (root / "store").exists():
            passwordstore.make(root / "store", root / "gpg/home", 5)
        shutil.copytree(root / "store", at, copy_function=shutil.copy2)

    def entries(at):
        return count_passwordstore.census(at, root / "gpg/home")

    def other(at):
        """An entry with another's content, the times kept."""
        one, two = sorted(at.rglob("*.gpg"))[:2]
        status = os.stat(one)
        shutil.copyfile(two, one)
        os.utime(one, ns=(status.st_atime_ns, status.st_mtime_ns))

    yield "pass", store, entries, "words", other
    yield "pass", store, entries, "notes", lambda at: sorted(at.rglob("*.gpg"))[0].unlink()


def of_nb(root):
    def notebook(at):
        nb.make(at, 16)

    yield "nb", notebook, count_folder.nb, "tags", lambda at: edit(first(at, ".md", r"^tags: \["), r"yaml-tag, ", "")
    yield "nb", notebook, count_folder.nb, "links", lambda at: edit(first(at, ".md", r"^- \[\[note 4\]\]"), r"^- \[\[note 4\]\]", "- note 4")
    yield "nb", notebook, count_folder.nb, "attachments", lambda at: spoil(at / "photo 1.png")


def trials(root):
    """(name, make, count, the aspect that has to differ, what to do to the copy)"""
    for part in (of_obsidian, of_joplin, of_evernote, of_standard_notes, of_jrnl, of_pass, of_nb):
        yield from part(root)
