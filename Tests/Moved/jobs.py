# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The commands under which files are moved, and what each of them has acknowledged when it ends with 0."""

import json

from machine import ended


class Command:
    """One command of an owner."""

    def __init__(self, machine, known):
        self.machine, self.known = machine, known

    def start(self):
        return self.machine.start(*self.words())

    def is_over(self, process):
        """Whether it has ended; one with an editor is helped to its end."""
        return process.poll() is not None

    def finish(self, process):
        return ended(process)


class New(Command):
    name = "new"

    def words(self):
        return ["new", "a note of the moment", "--json", "--no-input"]

    def acknowledged(self, answer):
        self.known.texts[json.loads(answer.stdout)["notes"][0]["id"]] = "a note of the moment"


class Attach(Command):
    name = "attach"

    def words(self):
        self.file = self.machine.scratch / "attached.bin"
        self.file.write_bytes(bytes(range(256)) * 700)
        return ["attach", "add", self.known.first, str(self.file), "--no-input"]

    def acknowledged(self, answer):
        self.known.files[(self.known.first, self.file.name)] = self.file.read_bytes()


class Edit(Command):
    name = "edit"
    action = None

    def start(self):
        self.machine.text.write_text("what the editor wrote")
        return self.machine.start_edit(self.known.first)

    def is_over(self, process):
        # With an action of its own that happens while the editor waits.
        if self.machine.ready.exists() and not self.machine.go.exists():
            if self.action:
                self.action()
                self.action = None
            self.machine.go.touch()
        return process.poll() is not None

    def acknowledged(self, answer):
        self.known.texts[self.known.first] = "what the editor wrote"


class Rotate(Command):
    name = "rotate"

    def words(self):
        return ["rotate", "--kdf-target", "0", "--no-input", *self.machine.password]

    def acknowledged(self, answer):
        pass


class Lock(Command):
    name = "lock"

    def words(self):
        return ["lock", "--no-input"]

    def acknowledged(self, answer):
        pass


COMMANDS = {command.name: command for command in (New, Edit, Attach, Rotate, Lock)}
