# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Servers of a cluster, each a process of its own that the kernel ends when whoever started it ends."""

import os, signal, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/RemoteStoresTests/Support"))
from servers import KEYS, answers, free_block  # noqa: E402, F401

BUCKET = "vaultcluster"
# Another one, for keys that cannot delete.
LEAST = "vaultleast"


class Cluster:
    """Starts, kills and ends its servers by their process numbers.

    Start them from a thread that lives as long as they shall: the kernel ends them with it.
    """

    name, keys, devices, stands_still = "", KEYS, "abc", False

    def __init__(self, folder):
        self.folder, self.running, self.commands = Path(folder).resolve(), {}, {}
        (self.folder / "log").mkdir(parents=True, exist_ok=True)

    @property
    def environment(self):
        return dict(os.environ)

    def launch(self, name, *words, cwd=None):
        """A server under a name, with which it is started again by `again`."""
        self.commands[name] = (words, cwd)
        with open(self.folder / "log" / f"{name}.out", "ab") as output:
            self.running[name] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *map(str, words)], stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, env=self.environment, cwd=cwd or self.folder)

    def again(self, name):
        words, cwd = self.commands[name]
        self.launch(name, *words, cwd=cwd)

    def kill(self, name):
        """As a machine that loses its power: nothing is said goodbye to."""
        process = self.running.pop(name)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def end(self):
        for name in list(self.running):
            self.kill(name)

    def said(self, name):
        return (self.folder / "log" / f"{name}.out").read_text(errors="replace")[-500:]

    def wait_for(self, port, name, seconds=60):
        until = time.monotonic() + seconds
        while not answers(port):
            process = self.running.get(name)
            if process is None or process.poll() is not None or time.monotonic() > until:
                raise OSError(f"{self.name}: {name} does not answer: {self.said(name)}")
            time.sleep(0.1)

    # What each kind of cluster says of itself

    def start(self):
        raise NotImplementedError

    def address(self, device):
        """Where the device with this number reaches the cluster."""
        raise NotImplementedError

    def fault(self):
        """Takes a part of the cluster away. Returns what was done, in words."""
        raise NotImplementedError

    def mend(self):
        """Brings back what can be brought back. Returns what was done, in words."""
        raise NotImplementedError
