# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One machine: a home with its state directory, and the real programs. Several may reach the same vault."""

import fcntl, json, os, re, signal, subprocess, termios, time
from pathlib import Path

PASSWORD = "correct horse battery"
# The editor of a command that waits: it writes, says so, and ends when it may.
EDITOR = """#!/bin/sh
cat "$MOVED_TEXT" > "$1"
: > "$MOVED_READY"
n=0
while [ ! -e "$MOVED_GO" ] && [ $n -lt 1500 ]; do sleep 0.02; n=$((n + 1)); done
"""


class Machine:
    """Runs `vault` as an account of this machine; each has another state directory, and so another identity."""

    def __init__(self, programs, scratch, vault=None):
        self.programs, self.scratch = programs, Path(scratch)
        self.home, self.runtime = self.scratch / "home", self.scratch / "run"
        self.vault = Path(vault) if vault else self.home / ".local/share/notevault/default"
        for folder in (self.home, self.runtime):
            folder.mkdir(parents=True, mode=0o700)
        self.secret = self.scratch / "password"
        self.secret.write_text(PASSWORD + "\n")
        self.secret.chmod(0o600)
        self.editor = self.scratch / "editor"
        self.editor.write_text(EDITOR)
        self.editor.chmod(0o700)
        self.text, self.ready, self.go = (self.scratch / name for name in ("text", "ready", "go"))

    @property
    def environment(self):
        return {
            "PATH": "/usr/bin:/bin", "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "LANG": "C.UTF-8",
            "TERM": "xterm",
            "NOTEVAULT_DIR": str(self.vault), "EDITOR": str(self.editor), "MOVED_TEXT": str(self.text),
            "MOVED_READY": str(self.ready), "MOVED_GO": str(self.go),
        }

    @property
    def password(self):
        return ["--password-file", str(self.secret)]

    def start(self, *words):
        """A command under way."""
        return subprocess.Popen(
            [f"{self.programs}/vault", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=self.environment)

    def start_edit(self, note):
        """`vault edit` on a terminal of its own."""
        for mark in (self.ready, self.go):
            mark.unlink(missing_ok=True)
        leader, terminal = os.openpty()
        process = subprocess.Popen(
            [f"{self.programs}/vault", "edit", note, "--allow-unknown-editor", "--yes"], stdin=terminal, stdout=terminal, stderr=subprocess.PIPE,
            env=self.environment, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)
        process.terminal = leader
        return process

    def run(self, *words, seconds=120):
        return ended(self.start(*words), seconds)

    def need(self, *words, seconds=120):
        answer = self.run(*words, seconds=seconds)
        if answer.returncode != 0:
            raise RuntimeError(f"vault {' '.join(words)} ended with {answer.returncode}: {answer.stderr}")
        return answer.stdout

    def unlock(self, *more):
        return self.run("unlock", "--idle", "1h", "--no-input", *self.password, *more)

    def new(self, text):
        """Writes a note.

        - Returns: its ID when it was acknowledged, and the answer."""
        answer = self.run("new", text, "--json", "--no-input")
        if answer.returncode != 0:
            return None, answer
        return json.loads(answer.stdout)["notes"][0]["id"], answer

    def texts(self):
        """All notes as the vault shows them; None when it shows none."""
        export = self.run("export", "json", "--plaintext", "-o", "-", "--no-input")
        try:
            return {note["id"]: note["body"].rstrip("\n") for note in json.loads(export.stdout)["notes"]}
        except (ValueError, KeyError):
            pass
        rows = self.run("ls", "--all", "--json", "--no-input")
        if rows.returncode != 0:
            return None
        names = [note["id"] for note in json.loads(rows.stdout)["notes"]]
        shown = {name: self.run("cat", name, "--no-input") for name in names}
        return {name: cat.stdout.rstrip("\n") for name, cat in shown.items() if cat.returncode == 0}

    def file(self, note, name):
        """An attachment's bytes; None when it does not open."""
        process = self.start("attach", "get", note, name, "-o", "-", "--no-input")
        out, _ = process.communicate(timeout=60)
        return out if process.returncode == 0 else None

    # The agent

    def agents(self):
        """The agents of this machine's account, by its runtime folder."""
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                if not os.readlink(f"/proc/{name}/exe").split(" ")[0].endswith("vault-agent"):
                    continue
                if f"XDG_RUNTIME_DIR={self.runtime}\0".encode() in Path(f"/proc/{name}/environ").read_bytes():
                    yield int(name)
            except OSError:
                continue

    @property
    def agent(self):
        return next(iter(self.agents()), None)

    def log_out(self):
        """Ends the agents as the end of a session does."""
        for agent in list(self.agents()):
            os.kill(agent, signal.SIGTERM)
        end = time.monotonic() + 10
        while list(self.agents()) and time.monotonic() < end:
            time.sleep(0.02)

    def end(self):
        """Locks, and ends what is left of our agents."""
        for agent in self.agents():
            os.kill(agent, signal.SIGCONT)
        self.run("lock", "--no-input")
        end = time.monotonic() + 5
        while (left := list(self.agents())) and time.monotonic() < end:
            time.sleep(0.02)
        for agent in left:
            os.kill(agent, signal.SIGKILL)

    # What the product says to do

    def follow(self, said):
        """Does what a hint says with `mv`, in the vault's folder or with both files copied there.

        - Returns: whether there was such a hint."""
        if "puts back what was saved of it" in said:
            line = said.split("puts back what was saved of it: ", 1)[1].splitlines()[0]
            return subprocess.run(line, shell=True, stderr=subprocess.DEVNULL).returncode == 0
        if "then in the vault's folder" not in said:
            return False
        lines = [line.strip() for line in re.findall(r"(?:mv|cp) -n [^;]+", said)]
        if "in the state directory" in said:
            self.vault.mkdir(parents=True, exist_ok=True, mode=0o700)
            for file in (self.home / ".local/state/notevault/rescued").iterdir():
                lines.insert(0, f"cp -n {file} .")
        for line in lines:
            subprocess.run(line, shell=True, cwd=self.vault, stderr=subprocess.DEVNULL)
        return True


def ended(process, seconds=120):
    """The end of a command, with its texts."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err += b"(it did not end)"
    if hasattr(process, "terminal"):
        os.close(process.terminal)
    return subprocess.CompletedProcess(
        process.args, process.returncode, (out or b"").decode(errors="replace"), err.decode(errors="replace"))
