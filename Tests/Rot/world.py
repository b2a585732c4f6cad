# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A vault of the real programs in a home of its own: made, and copied for each trial (owner.py: asked).

It is as small as it can be with each kind of file and page: 46 notes, of one line up to several pages, ten with an
earlier text; attachments of one chunk and of two; a draft; a private note with an earlier text, an attachment and a
draft. One private note, since each look at one costs a derivation, and each trial looks four times. An index of about
130 pages, and behind the killed agent a log of about 400 frames."""

import dataclasses, json, os, pty, select, shutil, signal, subprocess, time
from pathlib import Path

NOTE_PASSWORD = "another horse"
WORDS = "river stone cloud paper night table window garden letter morning copper violet harbour engine".split()


@dataclasses.dataclass
class Written:
    """What was written to a note, oldest text first."""

    texts: list
    private: bool = False
    files: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class State:
    """A vault at rest: a copy of its home, the names and sizes of its files, and what it holds. Of the notes in `late`
    all that there is lies in the log."""

    name: str
    home: Path
    files: list
    notes: dict
    late: set = dataclasses.field(default_factory=set)


class World:
    """Everything lies at one path, since a pin knows a vault by its path; a state is copied there for each trial."""

    def __init__(self, programs, scratch, chance):
        self.programs, self.scratch, self.chance = programs, scratch, chance
        self.home, self.runtime = scratch / "home", scratch / "run"
        self.vault = self.home / ".local/share/notevault/default"
        # Commands that did not end, since the trial began.
        self.stuck, self.state = [], None
        for folder in (self.home, self.runtime):
            folder.mkdir(parents=True, mode=0o700)
        self.secrets = {"recovery": scratch / "recovery"}
        self.add_secret("password", "correct horse battery")
        self.add_secret("note-password", NOTE_PASSWORD)
        self.use_recovery_key(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def add_secret(self, name, text):
        path = self.secrets[name] = self.scratch / name
        path.write_text(text + "\n")
        path.chmod(0o600)

    def use_recovery_key(self, recovery):
        """What opens the vault from now on: its recovery key, which costs no derivation, or its password."""
        self.recovery = recovery
        self.key = ["--recovery", "--password-file", str(self.secrets["recovery"])] if recovery else self.password

    def run(self, *words, stdin=None, vault=None):
        """A command of vault's. One that does not end within two minutes ends with -9, and is a fault of its trial."""
        where = ["--vault", str(vault)] if vault else []
        line = [f"{self.programs}/vault", *words, *where]
        try:
            return subprocess.run(
                line, input=stdin, capture_output=True, text=True, env=self.environment, timeout=120,
                stdin=None if stdin is not None else subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.stuck.append(f"vault {' '.join(words[:2])} did not end within 120 s")
            return subprocess.CompletedProcess(line, -9, "", "it did not end")

    @property
    def environment(self):
        return {
            "PATH": "/usr/bin:/bin", "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "LANG": "C.UTF-8",
        }

    def need(self, *words, **options):
        answer = self.run(*words, **options)
        if answer.returncode != 0:
            raise RuntimeError(f"vault {' '.join(words)} ended with {answer.returncode}: {answer.stderr}")
        return answer.stdout

    @property
    def password(self):
        return ["--password-file", str(self.secrets["password"])]

    @property
    def note_password(self):
        return ["--note-password-file", str(self.secrets["note-password"])]

    # Making it

    def make_clean(self):
        notes = self.write()
        self.need("lock")
        return self.keep("closed", notes)

    def make_killed(self):
        """Commits in the log that no checkpoint has taken into the index yet."""
        self.need("unlock", "--idle", "1h", *self.password)
        notes = {name: Written(list(note.texts), note.private, dict(note.files)) for name, note in self.notes.items()}
        plain = [name for name, note in notes.items() if not note.private]
        for name in self.chance.sample(plain, 12):
            self.append(notes[name], name, self.text(len(notes)))
        earlier = set(notes)
        for number in range(6):
            self.add(notes, self.text(100 + number))
        self.wait_for_manifest()
        self.kill()
        state = self.keep("killed", notes)
        state.late = set(notes) - earlier
        return state

    def wait_for_manifest(self):
        """Until the manifest vouches for the log: zeros in a last commit before that look like a torn write."""
        manifest, end = self.vault / "manifest", time.monotonic() + 20
        written = manifest.stat().st_mtime_ns
        while manifest.stat().st_mtime_ns == written and time.monotonic() < end:
            time.sleep(0.1)

    def write(self):
        self.need("init", "--recovery-file", str(self.secrets["recovery"]), "--kdf-target", "0", *self.password)
        self.need("unlock", "--idle", "1h", *self.password)
        notes = {}
        for number in range(46):
            size = 4 if number % 9 == 0 else 3000 if number % 11 == 0 else self.chance.randrange(10, 200)
            self.add(notes, self.text(number, size), "-t", self.chance.choice(WORDS), "-b", self.chance.choice(WORDS))
        self.add(notes, self.text(60), "--private", *self.note_password)
        private = list(notes)[-1]
        notes[private].private = True
        self.need("note", "unlock", private, *self.note_password)
        plain = [name for name in notes if name != private]
        for name in [*plain[:10], private]:
            self.append(notes[name], name, self.text(200))
        for name, size in zip([*plain[10:14], private], (900, 90_000, 30_000, 900, 30_000)):
            path = self.scratch / f"file-{name}.bin"
            path.write_bytes(self.chance.randbytes(size))
            self.need("attach", "add", name, str(path))
            notes[name].files[path.name] = path.read_bytes()
        for name in (plain[20], private):
            self.leave_draft(name)
        self.need("note", "lock", private)
        self.notes = notes
        return notes

    def text(self, number, words=40):
        return f"note {number} " + " ".join(self.chance.choice(WORDS) for _ in range(words))

    def append(self, note, name, text):
        self.need("append", name, text)
        note.texts.append(self.need("cat", name).rstrip("\n"))

    def leave_draft(self, name):
        """An editor that saves, and kills the client that waits for it."""
        editor = self.scratch / "editor"
        editor.write_text('#!/bin/sh\necho "a text that was not finished" >> "$1"\nsleep 0.3\nkill -9 $PPID\n')
        editor.chmod(0o700)
        terminal, end = pty.openpty()
        words = ["edit", name, "--allow-unknown-editor", "--allow-disk-temp", "--yes"]
        try:
            subprocess.run([f"{self.programs}/vault", *words], stdin=end, stdout=end, stderr=end, timeout=60,
                env={**self.environment, "EDITOR": str(editor), "TERM": "xterm"}, start_new_session=True)
        finally:
            os.close(end)
            os.close(terminal)
        if name not in [draft["note"] for draft in json.loads(self.need("draft", "ls", "--json"))["drafts"]]:
            raise RuntimeError("an edit that was broken off left no draft")

    def add(self, notes, text, *options):
        answer = json.loads(self.need("new", "-", "--json", *options, stdin=text))
        notes[answer["notes"][0]["id"]] = Written([text])

    def keep(self, name, notes):
        self.notes = notes
        home = self.scratch / f"state-{name}"
        shutil.copytree(self.home, home, symlinks=True)
        vault = home / self.vault.relative_to(self.home)
        files = [
            (str(path.relative_to(vault)), path.stat().st_size) for path in sorted(vault.rglob("*")) if path.is_file()
        ]
        return State(name, home, files, notes)

    # A trial

    def take(self, state):
        self.end()
        self.stuck = []
        shutil.rmtree(self.home)
        for name in ("new", "salvaged", "backup"):
            shutil.rmtree(self.scratch / name, ignore_errors=True)
        shutil.copytree(state.home, self.home, symlinks=True)
        self.state = state

    def agents(self):
        """The agents of this home, by their runtime folder."""
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                if not os.readlink(f"/proc/{name}/exe").endswith("vault-agent"):
                    continue
                if str(self.runtime).encode() in Path(f"/proc/{name}/environ").read_bytes():
                    yield int(name)
            except OSError:
                continue

    def kill(self):
        """Until each has ended; whoever adopted it may take a second to ask for its exit code."""
        for agent in list(self.agents()):
            try:
                watch = os.pidfd_open(agent)
            except ProcessLookupError:
                continue
            signal.pidfd_send_signal(watch, signal.SIGKILL)
            select.select([watch], [], [], 30)
            os.close(watch)

    def end(self):
        self.run("lock")
        self.kill()

    def written(self):
        """What was written to each note of the state, oldest text first."""
        return {name: note.texts for name, note in self.state.notes.items()} if self.state else {}
