# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The same notes in other people's encrypted stores: gopass, KeePassXC, jrnl; and as plain files for ripgrep.

Each has `show`, `ls`, `search` and `new`: a function that does the work once and returns its seconds, or None where the program has no such work.
"""
import shutil
import typing
from xml.sax.saxutils import escape

from .agepass import PassStore
from .spawn import Launcher

if typing.TYPE_CHECKING:
    from .run import Run

PASSWORD = "seven ducks of the bench walk home"
SEARCHED = frozenset({0, 1})


class Store:
    """A store with some of the notes. `name` says how many there are, since most of these programs open all of them for any work."""
    show = ls = search = new = None

    def __init__(self, run: "Run", name: str, count: int):
        self.run, self.name, self.count = run, f"{name}, {count:,} notes", count
        self.launcher = run.launcher
        self.place = run.space.disk / name
        self.place.mkdir(mode=0o700)
        self.added = 0
        self.word = run.collection.queries()["common word"]

    def texts(self) -> "list[str]":
        return [self.run.collection.text(number).split("\n---\n", 1)[1] for number in range(self.count)]

    def secret(self, name: str, text: str) -> str:
        """A file in memory with what a program wants to be typed."""
        path = self.run.space.runtime / name
        path.touch(mode=0o600)
        path.write_text(text)
        return str(path)

    def fed(self, command: "list[str]", source: str, good=frozenset({0})) -> float:
        """Seconds of a program that reads a file, as if it were typed."""
        return self.launcher.seconds(command, good, limit=300, source=source)


class Gopass(Store):
    """Debian's gopass, on pass's own store: gpg keys without a passphrase. It commits every new entry to git."""

    def __init__(self, run: "Run", store: PassStore, count: int):
        super().__init__(run, "gopass", count)
        program = run.peers.gopass
        directory = self.place / "store"
        environment = store.launcher.environment | {
            "PASSWORD_STORE_DIR": str(directory), "EDITOR": "tee", "GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "bench@example.com",
            "GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "bench@example.com"}
        self.launcher = Launcher(environment, run.space.runtime / "gopass-talk")
        self.launcher.output([program, "init", "bench"])
        for entry in store.store.glob("*.gpg"):
            shutil.copy2(entry, directory / entry.name)
        if store.text.strip() not in self.launcher.output([program, "show", "note-0"]):
            raise ValueError("gopass gave back another text")
        source = self.secret("gopass-new", store.text)
        self.show = lambda: self.launcher.seconds([program, "show", "note-0"])
        self.ls = lambda: self.launcher.seconds([program, "ls"])
        self.search = lambda: self.launcher.seconds([program, "grep", self.word], SEARCHED, limit=300)
        self.new = lambda: self.fed([program, "insert", "--multiline", self.fresh()], source)

    def fresh(self) -> str:
        self.added += 1
        return f"new-{self.added}"


class Keepass(Store):
    """A KeePass database whose key costs the least that the program offers, 100 ms: every command derives it anew."""

    def __init__(self, run: "Run", count: int):
        super().__init__(run, "keepassxc-cli", count)
        program, database = run.peers.keepassxc, str(self.place / "notes.kdbx")
        source = self.place / "notes.xml"
        entries = "".join(
            f"<Entry><UUID></UUID><String><Key>Title</Key><Value>note-{number}</Value></String><String><Key>Notes</Key><Value>{escape(text)}</Value></String></Entry>"
            for number, text in enumerate(self.texts()))
        source.write_text('<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta/><Root><Group><UUID></UUID><Name>Root</Name>'
                          f"{entries}</Group></Root></KeePassFile>")
        self.launcher.output([program, "import", "--set-password", "-t", "100", str(source), database], text=f"{PASSWORD}\n{PASSWORD}\n", limit=120)
        source.unlink()
        password = self.secret("keepass-password", PASSWORD + "\n")
        quiet = ["-q", database]
        shown = self.launcher.output([program, "show", "-a", "Notes", *quiet, "note-0"], text=PASSWORD + "\n")
        if self.texts()[0].strip()[:40] not in shown:
            raise ValueError("keepassxc-cli gave back another text")
        text = self.texts()[7]
        self.show = lambda: self.fed([program, "show", "-a", "Notes", *quiet, "note-0"], password)
        self.ls = lambda: self.fed([program, "ls", *quiet], password)
        self.search = lambda: self.fed([program, "search", *quiet, self.word], password, SEARCHED)
        self.new = lambda: self.fed([program, "add", "--notes", text, *quiet, self.fresh()], password)

    def fresh(self) -> str:
        self.added += 1
        return f"new-{self.added}"


class Jrnl(Store):
    """jrnl's encrypted journal: one file, opened and written whole by each command. The keyring is off, as it is without a desktop."""

    def __init__(self, run: "Run", count: int):
        super().__init__(run, "jrnl", count)
        journal, config = self.place / "journal.txt", self.place / "config.yaml"
        lines = [f"[2026-01-01 {number // 60 % 24:02d}:{number % 60:02d}] {text.strip()}\n" for number, text in enumerate(self.texts())]
        journal.write_text("\n".join(lines))
        config.write_text(CONFIG.format(journal=journal))
        self.launcher = Launcher(run.space.environment() | {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}, run.space.runtime / "jrnl-talk")
        command = [run.peers.jrnl, "--config-file", str(config)]
        self.launcher.output([*command, "--encrypt"], text=f"{PASSWORD}\n{PASSWORD}\nn\n", limit=120)
        if self.texts()[0].strip()[:20].encode() in journal.read_bytes():
            raise ValueError("jrnl has not encrypted its journal")
        password = self.secret("jrnl-password", PASSWORD + "\n")
        text = self.texts()[7].replace("\n", " ")
        self.show = lambda: self.fed([*command, "-1"], password)
        self.ls = lambda: self.fed([*command, "--short"], password)
        self.search = lambda: self.fed([*command, "-contains", self.word], password)
        self.new = lambda: self.fed([*command, text], password)


CONFIG = """colors: {{body: none, date: none, tags: none, title: none}}
default_hour: 9
default_minute: 0
editor: ''
encrypt: false
highlight: false
indent_character: '|'
journals:
  default:
    journal: {journal}
linewrap: 79
tagsymbols: '#@'
template: false
timeformat: '%F %H:%M'
version: v4.6
"""


class PlainFiles:
    """The bound for search: ripgrep over the notes as plain files in the page cache, neither index nor encryption."""
    show = ls = new = None

    def __init__(self, run: "Run", count: int):
        self.run, self.name, self.place = run, f"ripgrep, {count:,} plain files", run.folder(count)
        self.search = lambda: self.looking(run.collection.queries()["common word"])

    def looking(self, query: str) -> float:
        command = [self.run.peers.rg, "--ignore-case", "--fixed-strings", "--files-with-matches", query.strip('"'), str(self.place)]
        return self.run.launcher.seconds(command, SEARCHED, limit=300)


def make(run: "Run", store: "PassStore | None") -> "dict[str, Store | PlainFiles]":
    """All that are installed; one that cannot be set up is a failure that is listed, and shows –."""
    wanted = {"gopass": (run.peers.gopass and store, lambda: Gopass(run, store, run.plan.pass_entries)),
              "keepassxc-cli": (run.peers.keepassxc, lambda: Keepass(run, run.plan.store_notes)),
              "jrnl": (run.peers.jrnl, lambda: Jrnl(run, run.plan.store_notes)),
              "ripgrep": (run.peers.rg, lambda: PlainFiles(run, run.plan.import_size))}
    made = {}
    for name, (is_there, build) in wanted.items():
        if is_there:
            with run.guarded(f"set up {name}"):
                made[name] = build()
    return made
