# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A home, runtime directory and vault of its own, and the programs in it. Its agent is ended by its own number."""

import json, os, signal, subprocess, time
from pathlib import Path

PASSWORD, NOTE_PASSWORD = "corduroy bramble osprey teak nine", "a long phrase for all entries"


class Failed(Exception):
    pass


class World:
    def __init__(self, root, programs, zone="UTC", gnupg=None):
        self.root, self.programs = Path(root), Path(programs)
        for name in ("home", "run", "state"):
            (self.root / name).mkdir(parents=True, mode=0o700)
        self.password, self.note_password = self.secret("password", PASSWORD), self.secret("note-password", NOTE_PASSWORD)
        self.environment = {
            "HOME": str(self.root / "home"),
            "XDG_RUNTIME_DIR": str(self.root / "run"),
            "XDG_STATE_HOME": str(self.root / "state"),
            "NOTEVAULT_DIR": str(self.root / "vault"),
            "PATH": "/usr/bin:/bin",
            "TZ": zone,
            "LC_ALL": "C.UTF-8",
        }
        if gnupg:
            self.environment["GNUPGHOME"] = str(gnupg)
        self.agent = None

    def secret(self, name, text):
        path = self.root / name
        path.write_text(text)
        path.chmod(0o600)
        return str(path)

    def __enter__(self):
        self.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", self.password)
        self.vault("unlock", "--password-file", self.password)
        self.agent = self.json("status")["agentPID"]
        return self

    def __exit__(self, *_):
        if self.agent and "vault-agent" in self.command_line():
            os.kill(self.agent, signal.SIGTERM)
            # What it still writes while it ends would outlive its folder.
            for _ in range(500):
                if "vault-agent" not in self.command_line():
                    break
                time.sleep(0.01)

    def command_line(self):
        try:
            return Path(f"/proc/{self.agent}/cmdline").read_text()
        except OSError:
            return ""

    def run(self, *arguments):
        return subprocess.run(
            [str(self.programs / "vault"), *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True
        )

    def vault(self, *arguments, codes=(0,)):
        ended = self.run(*arguments)
        if ended.returncode not in codes:
            raise Failed(f"vault {' '.join(map(str, arguments[:4]))}: exit code {ended.returncode}: {ended.stderr.decode(errors='replace')[-1500:]}")
        return ended

    def json(self, *arguments, codes=(0,)):
        return json.loads(self.vault(*arguments, "--json", codes=codes).stdout)

    def take(self, format, source, *options):
        """Imports, and returns what the report names: (path, code, detail) of each."""
        report = self.root / f"report-{len(list(self.root.glob('report-*')))}.json"
        ended = self.vault("import", format, source, "--json", "--report", report, *options, codes=(0, 12))
        told = json.loads(report.read_text())
        named = [(loss["path"], loss["code"], loss["detail"]) for loss in told["losses"]]
        if ended.returncode == 0 and named:
            named.append(("", NOTHING_SAID, ""))
        return named

    def give(self, format, place, *options):
        """Exports, and returns the codes of what it says is not carried over."""
        told = self.json("export", format, "-o", place, "--plaintext", "--trash", *options, codes=(0, 12))
        return [("", loss["code"], "") for loss in told["losses"]]


NOTHING_SAID = "exit code 0 in spite of losses"
