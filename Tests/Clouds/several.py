# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Several remotes at once: a fork that one store hides is found by the other, what comes over one is told over the
others, a second remote is a mirror, and moving from one to another sends nothing twice."""

import json, time
from pathlib import Path

from parts import HERE, Device, Server, sentence


class Several:
    def __init__(self, programs, scratch, short=False):
        self.programs, self.scratch, self.counts, self.faults = programs, Path(scratch), {}, []
        self.short = short
        self.devices = []

    def device(self, name):
        device = Device(name, self.programs, self.scratch)
        self.devices.append(device)
        return device

    def folder(self, name):
        folder = self.scratch / name
        folder.mkdir()
        return folder

    def expect(self, holds, what):
        if not holds:
            self.faults.append(what)

    def pair(self, one, two, folder):
        one.new_vault()
        one.need("remote", "add", "folder", str(folder), "--name", "disk", "--no-input")
        one.need_sync()
        two.need("clone", str(folder), "--name", "disk", "--no-input", *two.password)
        two.open()

    def run(self):
        try:
            for walk in (self.relay, self.move) if self.short else (self.fork, self.relay, self.move, self.rotate):
                walk()
        finally:
            for device in self.devices:
                device.end()
        return self.counts, self.faults

    def fork(self):
        """Both devices have both remotes; then one of these shows each of them another world."""
        server = Server(HERE / "forking.py", self.scratch / "forking")
        one, two, disk = self.device("one"), self.device("two"), self.folder("disk")
        try:
            self.pair(one, two, disk)
            for device, user in ((one, "anna"), (two, "bert")):
                device.need("remote", "add", "webdav", server.url, "--name", "cloud", "--user", user, "--no-input",
                            *device.secret_file("cloud", "secret"))
            for device in (one, two, one, two):
                device.need_sync()
            self.expect(not one.alarms() and not two.alarms(), f"alarms of honest remotes: {one.alarms() + two.alarms()}")
            server.control(b"apart")
            begin, texts = time.monotonic(), ["# One\nof the first world", "# Two\nof the second world"]
            one.write(texts[0]), two.write(texts[1])
            one.sync(), two.sync()
            # What was stored in one remote is said in the other with whatever is written next.
            one.write("# Three\nof the first world"), two.write("# Four\nof the second world")
            found = None
            while time.monotonic() - begin < 150 and not found:
                for device in (one, two):
                    answer = device.sync()
                    if answer.returncode == 13:
                        found = device, answer
                        break
                time.sleep(1)
            self.counts["seconds until the fork was found"] = round(time.monotonic() - begin)
            if not found:
                return self.faults.append("the fork was not found")
            device, answer = found
            self.counts["what is said of it"] = sentence(answer)
            kinds = [(name, alarm["kind"], alarm["other"]) for name, alarm in device.alarms()]
            self.expect(kinds == [("cloud", "withheld", "disk")], f"the alarms are {kinds}")
            for device in (one, two):
                shown = set(device.shown().values())
                self.expect(set(texts) <= shown, f"{device.name} lacks a text")
            # A fork that ends is no more than a delay.
            server.control(b"together")
            for device in (one, two, one, two, one, two):
                device.sync()
            self.expect(not one.alarms() and not two.alarms(), f"alarms that stay: {one.alarms() + two.alarms()}")
        finally:
            server.end()

    def relay(self):
        """The one in the middle has both remotes; the others have one each."""
        left, middle, right = self.device("left"), self.device("middle"), self.device("right")
        disk, stick = self.folder("relay-disk"), self.folder("relay-stick")
        self.pair(left, middle, disk)
        middle.need("remote", "add", "folder", str(stick), "--name", "stick", "--no-input")
        middle.need_sync()
        right.need("clone", str(stick), "--name", "stick", "--no-input", *right.password)
        right.open()
        note, far = left.write("# Left\nwritten on the left"), right.write("# Right\nwritten on the right")
        left.need_sync(), right.need_sync()
        middle.need_sync()
        middle.reopen()
        middle.need_sync()
        middle.need_sync()
        left.need_sync(), right.need_sync()
        self.expect(note in right.shown() and far in left.shown(), "what came over one remote did not go over the other")
        state = {row: word for row, word in middle.states().items() if word != "uploaded"}
        self.expect(not state, f"the one in the middle says {state}")
        heads = [json.loads(device.need("ls", "--all", "--json", "--no-input"))["notes"] for device in (left, right)]
        forms = {json.dumps(sorted((note["id"], note["revision"]) for note in notes)) for notes in heads}
        self.expect(len(forms) == 1, "left and right have other heads")
        # Who gives a remote up has first told what came over it alone.
        last = left.write("# Last\nbefore the disk goes")
        left.need_sync(), middle.need_sync("disk")
        middle.need("remote", "rm", "disk", "--no-input")
        middle.need_sync(), right.need_sync()
        self.expect(last in right.shown(), "what came over a remote that was given up is lost to the other")

    def move(self):
        """From one remote to another: the second device finds all of it there."""
        one, two = self.device("mover"), self.device("follower")
        old, new = self.folder("old"), self.folder("new")
        self.pair(one, two, old)
        notes = [one.write(f"# Note {number}\n" + "text " * 200) for number in range(12 if self.short else 40)]
        one.attach(notes[0], 300_000)
        for device in (one, two, one):
            device.need_sync()
        one.need("remote", "add", "folder", str(new), "--name", "new", "--no-input")
        one.need_sync()
        first = self.bytes(new)
        two.need("remote", "add", "folder", str(new), "--name", "new", "--no-input")
        two.need_sync()
        second = self.bytes(new)
        self.counts["bytes of the move, first device"] = first
        self.counts["bytes of the move, second device"] = second - first
        self.expect(first > 300_000 and second - first < 16_000, f"the second device sent {second - first} bytes")
        for device in (one, two):
            device.need("remote", "rm", "disk", "--no-input")
        last = one.write("# After the move\ntext")
        one.need_sync(), two.need_sync()
        self.expect(last in two.shown() and set(notes) <= set(two.shown()), "something is missing after the move")
        _, files = two.read()
        two.open()
        self.expect(set(one.files) <= files, "the file did not come along")

    def rotate(self):
        """A new key ends the old one over both remotes, and the other device takes it over once."""
        one, two = self.device("rotator"), self.device("taker")
        disk, stick = self.folder("rotate-disk"), self.folder("rotate-stick")
        self.pair(one, two, disk)
        for device in (one, two):
            device.need("remote", "add", "folder", str(stick), "--name", "stick", "--no-input")
            device.need_sync()
        before = one.write("# Before\ntext")
        for device in (one, two, one, two):
            device.need_sync()
        one.need("rotate", "--kdf-target", "0", "--no-input", *one.password, seconds=300)
        for _ in range(3):
            one.sync()
        ended = two.sync()
        self.expect(ended.returncode == 7, f"the end of the key gave {ended.returncode}")
        two.need("sync", "follow", "disk", "--no-input", *two.password, seconds=300)
        after = two.write("# After\ntext")
        for device in (two, one, two, one, two):
            answer = device.sync()
        self.expect(answer.returncode == 0, f"after the new key: {sentence(answer)}")
        for device in (one, two):
            self.expect({before, after} <= set(device.shown()), f"{device.name} lacks a note after the new key")
            self.expect(not device.alarms(), f"{device.name}: {device.alarms()}")

    def bytes(self, folder):
        return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
