# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What the tests of remotes start already: OpenStack Swift with three nodes, and SeaweedFS as one process."""

import os, signal, sys, time

from processes import ROOT, Cluster

sys.path.insert(0, str(ROOT / "Tests/Homes"))
from store import Store  # noqa: E402

NODES = ROOT / "Tests/RemoteStoresTests/Support/openstack.py"


class Served(Cluster):
    """Of servers.py, which ends it when its standard input is closed."""

    def start(self):
        self.store = Store(self.name, self.folder / "store", self.folder)
        self.keys = self.store.said.get("keys", self.keys)

    @property
    def bucket(self):
        return self.store.said["bucket"]

    def address(self, device):
        return self.store.said["url"]

    def end(self):
        super().end()
        if hasattr(self, "store"):
            self.store.end()


class OpenStack(Served):
    """Three copies of everything; listings that may lack what was acknowledged."""

    name = "openstack"

    def fault(self):
        self.store.lose_node()
        return "1 of 3 nodes killed: its servers of objects, containers and accounts"

    def mend(self):
        """The node as it was: with its disk, and without what came while it was away."""
        for part in ("object", "container", "account"):
            self.launch(part, sys.executable, "-B", NODES, "server", part, self.store.folder / f"{part}-1.conf")
        self.launch("updater", sys.executable, "-B", NODES, "updater", "object", self.store.folder / "object-1.conf")
        time.sleep(3)
        if any(process.poll() is not None for process in self.running.values()):
            raise OSError(f"openstack: the node does not start: {self.said('object')}")
        return "the node is back, with the disk that it had"


class Small(Served):
    """One process, which stands still for a moment, and two devices."""

    name, devices, stands_still = "seaweedfs", "ab", True

    @property
    def process(self):
        return self.store.said["pid"]

    def fault(self):
        os.kill(self.process, signal.SIGSTOP)
        return "the server stands still"

    def mend(self):
        os.kill(self.process, signal.SIGCONT)
        return "it goes on"

    def end(self):
        if hasattr(self, "store"):
            self.mend()
        super().end()
