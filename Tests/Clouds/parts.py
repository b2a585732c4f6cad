# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What trials of clouds are made of: homes that sign in by themselves, servers that end with them, and counts."""

import json, subprocess, sys, time, urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Homes"))
from home import Home  # noqa: E402
from machine import Machine  # noqa: E402

RCLONE = HERE.parent.parent / "bench-out/venv/bin/rclone"
SERVERS = HERE.parent / "RemoteStoresTests/Support/servers.py"


class Server:
    """A program that prints one line of JSON when it is ready, and ends with its standard input."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-B", *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.said = json.loads(self.process.stdout.readline())
        self.url = self.said["url"]

    def control(self, body=None):
        request = urllib.request.Request(f"{self.url}/control", data=body, method="POST" if body else "GET")
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def fault(self, **fields):
        return self.control(json.dumps(fields).encode())

    def end(self):
        self.process.stdin.close()
        self.process.wait(20)


class Device(Home):
    """A home with a secret file for each remote that asks for one."""

    def secret_file(self, name, text):
        path = self.scratch / name
        path.write_text(text + "\n")
        path.chmod(0o600)
        return ["--secret-file", str(path)]

    def new_vault(self):
        self.need("init", "--no-recovery", "--no-input", *self.password)
        self.open()

    def reopen(self):
        self.run("lock", "--no-input")
        self.open()

    def shown(self):
        """Notes as the vault shows them: texts by identifier."""
        return Machine.texts(self)

    def alarms(self):
        status = json.loads(self.need("sync", "status", "--json", "--no-input"))
        return [(remote["remote"]["name"], alarm) for remote in status["remotes"] for alarm in remote["alarms"]]

    def states(self):
        """The word for where each note is, by its identifier."""
        rows = json.loads(self.need("ls", "--all", "--json", "--no-input"))["notes"]
        return {row["id"]: row.get("upload", row.get("state")) for row in rows}

    def end(self):
        self.run("lock", "--no-input")


def sentence(answer):
    """What a person reads: the answer, then what was said about it."""
    return " / ".join(line for line in (answer.stdout + answer.stderr).splitlines() if line)


def eventually(seconds, look):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := look():
            return value
        time.sleep(0.3)
    return look()
