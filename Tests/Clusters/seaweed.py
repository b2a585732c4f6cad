# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""SeaweedFS with three masters, three volume servers and two filers that speak S3; two copies of everything.

Each device reaches a filer by a name of its own, as behind a load balancer: when a filer is gone for good, somebody
points its name at the other one.
"""

import json, shutil, socket, threading, time

import rights
from processes import LEAST, ROOT, Cluster, free_block

WEED = ROOT / "bench-out/venv/bin/weed"


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False


class Name:
    """Passes connections on to a port that can be changed while it serves."""

    def __init__(self, target):
        self.target, self.listener = target, socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def end(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class SeaweedFS(Cluster):
    name = "seaweedfs"

    def __init__(self, folder):
        super().__init__(folder)
        if not WEED.exists():
            raise OSError("SeaweedFS is missing: Scripts/setup.sh clusters")
        self.names = []

    def settings(self):
        """Who may do what. The action Write is also a right to delete, so the devices have a policy instead."""
        credentials = lambda keys: [{"accessKey": keys[0], "secretKey": keys[1]}]
        owner = {"name": "owner", "credentials": credentials(self.keys), "actions": ["Admin", "Read", "Write", "List"]}
        devices = {"name": "devices", "credentials": credentials(rights.KEYS), "policyNames": ["append"]}
        policies = [{"name": "append", "content": json.dumps(rights.policy(LEAST))}]
        return {"identities": [owner, devices], "policies": policies}

    def least_rights(self, bucket):
        return None

    def start(self):
        # With a `-port.grpc` of its own a filer of version 4.48 starts no S3 gateway: it takes the port 10,000 above.
        first = free_block(18)
        while not (is_free(first + 10000) and is_free(first + 10001)):
            first = free_block(18)
        pairs = lambda begin, count: [(first + begin + 2 * one, first + begin + 2 * one + 1) for one in range(count)]
        filers, masters, volumes, gateways = (first, first + 1), pairs(2, 3), pairs(8, 3), pairs(14, 2)
        self.gateways = [port for port, _ in gateways]
        peers = ",".join(f"127.0.0.1:{port}.{grpc}" for port, grpc in masters)
        weed = (WEED, f"-logdir={self.folder}/log")
        here = ("-ip=127.0.0.1", "-ip.bind=127.0.0.1")
        (self.folder / "s3.json").write_text(json.dumps(self.settings()))
        for number, (port, grpc) in enumerate(masters):
            (self.folder / f"master{number}").mkdir()
            self.launch(f"master{number}", *weed, "master", *here, f"-port={port}", f"-port.grpc={grpc}",
                        f"-mdir={self.folder}/master{number}", f"-peers={peers}", "-defaultReplication=001",
                        "-volumeSizeLimitMB=128")
        for number, (port, grpc) in enumerate(volumes):
            (self.folder / f"volume{number}").mkdir()
            self.launch(f"volume{number}", *weed, "volume", *here, f"-port={port}", f"-port.grpc={grpc}",
                        f"-dir={self.folder}/volume{number}", "-max=40", f"-master={peers}")
        self.wait_for(masters[0][0], "master0")
        self.wait_for(volumes[2][0], "volume2")
        for number, (port, (gateway, other)) in enumerate(zip(filers, gateways)):
            self.make_disk(number)
            self.launch(f"filer{number}", *weed, "filer", *here, f"-port={port}", f"-master={peers}",
                        "-defaultReplicaPlacement=001", "-s3", f"-s3.port={gateway}", f"-s3.port.grpc={other}",
                        "-s3.port.iceberg=0", "-s3.port.lance=0", f"-s3.config={self.folder}/s3.json",
                        cwd=self.folder / f"filer{number}")
            self.wait_for(gateway, f"filer{number}", 90)
        self.names = [Name(gateway) for gateway in self.gateways]

    def make_disk(self, number):
        """Where a filer keeps the names of all files: on a disk of its own."""
        disk = self.folder / f"filer{number}"
        (disk / "names").mkdir(parents=True)
        (disk / "filer.toml").write_text('[leveldb2]\nenabled = true\ndir = "./names"\n')

    def address(self, device):
        return f"http://127.0.0.1:{self.names[device % 2].port}"

    def fault(self):
        self.kill("filer0")
        shutil.rmtree(self.folder / "filer0")
        return "1 of 2 filers killed, and its disk removed"

    def turn(self):
        """What somebody does who sees that the machine will not come back."""
        self.names[0].target = self.gateways[1]
        return "its name points at the other filer"

    def mend(self):
        """A new machine in the old one's place, with an empty disk: it reads all names from the other filer."""
        self.make_disk(0)
        self.again("filer0")
        self.wait_for(self.gateways[0], "filer0", 90)
        time.sleep(5)
        self.names[0].target = self.gateways[0]
        return "a filer with an empty disk in its place, which its name points at again"

    def end(self):
        for name in self.names:
            name.end()
        super().end()
