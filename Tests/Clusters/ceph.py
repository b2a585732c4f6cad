# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Ceph with one monitor, one manager, three OSDs whose disks are files, and one S3 gateway, on the loopback interface.

Scripts/setup.sh clusters unpacks the programs; as packages they would become services of this machine. Three copies of
everything, of which two must be there: without one OSD all goes on, without two every request waits.
"""

import json, os, subprocess, time, uuid

import rights
from processes import ROOT, Cluster, free_block

UNPACKED = ROOT / "bench-out/ceph"
CONFIGURATION = """[global]
fsid = {fsid}
mon_host = [v1:127.0.0.1:{first}]
public_network = 127.0.0.0/8
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = {folder}/run
admin_socket = {folder}/run/$name.asok
log_file = {folder}/log/$name.log
pid_file = {folder}/run/$name.pid
crash_dir = {folder}/run
plugin_dir = {libraries}/ceph
erasure_code_dir = {libraries}/ceph/erasure-code
osd_class_dir = {libraries}/rados-classes
mgr_module_path = {unpacked}/usr/share/ceph/mgr
ms_bind_port_min = {least}
ms_bind_port_max = {most}
osd_pool_default_size = 3
osd_pool_default_min_size = 2
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_objectstore = bluestore
bluestore_block_size = 4294967296
bluestore_block_db_create = false
bluestore_block_wal_create = false
bluestore_cache_autotune = false
bluestore_cache_size = 67108864
osd_memory_target = 939524096
osd_heartbeat_interval = 2
osd_heartbeat_grace = 6
mon_osd_down_out_interval = 600
mon_osd_min_down_reporters = 1
mon_data_avail_warn = 1
mon_data_avail_crit = 0
mon_max_pg_per_osd = 1000
rgw_thread_pool_size = 64
rgw_frontends = beast endpoint=127.0.0.1:{gateway}
[mon.a]
mon_data = {folder}/mon
[mgr.x]
mgr_data = {folder}/mgr
"""


class Ceph(Cluster):
    name = "ceph"

    def __init__(self, folder):
        super().__init__(folder)
        if not (UNPACKED / "unpacked").exists():
            raise OSError("Ceph is missing: Scripts/setup.sh clusters")
        self.libraries = next((UNPACKED / "usr/lib").glob("*-linux-gnu"))

    @property
    def environment(self):
        places = [self.libraries, UNPACKED / "lib" / self.libraries.name, self.libraries / "ceph"]
        return {
            **os.environ, "LD_LIBRARY_PATH": ":".join(map(str, places)), "CEPH_ARGS": "",
            "PYTHONPATH": str(UNPACKED / "usr/lib/python3/dist-packages"), "PYTHONDONTWRITEBYTECODE": "1"}

    def tool(self, name, *words, seconds=60, tries=1):
        """One of Ceph's own commands. Returns what it prints."""
        program = [str(UNPACKED / "usr/bin" / name)]
        # This one is a script of the system's Python.
        if name == "ceph":
            program = ["/usr/bin/python3", *program]
        settings = [] if name == "monmaptool" else ["-c", str(self.folder / "ceph.conf")]
        for number in range(tries):
            time.sleep(number)
            done = subprocess.run(
                [*program, *settings, *map(str, words)], env=self.environment, cwd=self.folder, capture_output=True,
                text=True, timeout=seconds)
            if done.returncode == 0:
                return done.stdout
        raise OSError(f"{name} {words[0]} ended with {done.returncode}: {done.stderr[-300:]}")

    def ask(self, *words):
        """A monitor that has just begun, or has much to do, may refuse to say which commands it knows."""
        return self.tool("ceph", *words, tries=8)

    def daemon(self, name, program, *words):
        self.launch(name, UNPACKED / "usr/bin" / program, "-c", self.folder / "ceph.conf", *words, "-f")

    def start(self):
        for name in ("mon", "mgr", "osd0", "osd1", "osd2", "run"):
            (self.folder / name).mkdir()
        first, fsid = free_block(60), uuid.uuid4()
        self.gateway = first + 1
        text = CONFIGURATION.format(
            fsid=fsid, first=first, least=first + 2, most=first + 59, gateway=self.gateway, folder=self.folder,
            libraries=self.libraries, unpacked=UNPACKED)
        text += "".join(f"[osd.{number}]\nosd_data = {self.folder}/osd{number}\n" for number in range(3))
        (self.folder / "ceph.conf").write_text(text)
        self.tool("monmaptool", "--create", "--addv", "a", f"[v1:127.0.0.1:{first}]", "--fsid", fsid, "monmap")
        self.tool("ceph-mon", "--mkfs", "-i", "a", "--monmap", "monmap")
        self.daemon("mon", "ceph-mon", "-i", "a")
        self.wait_for(first, "mon")
        self.daemon("mgr", "ceph-mgr", "-i", "x")
        for number in range(3):
            disk = uuid.uuid4()
            self.ask("osd", "new", disk, number)
            self.tool("ceph-osd", "-i", number, "--mkfs", "--osd-uuid", disk)
            self.daemon(f"osd{number}", "ceph-osd", "-i", number)
        self.wait_for_osds(3)
        self.daemon("gateway", "radosgw", "-n", "client.rgw.a")
        self.wait_for(self.gateway, "gateway", 180)
        self.user("vault", *self.keys)

    def user(self, name, access, secret, *more):
        self.tool("radosgw-admin", "user", "create", "--uid", name, "--display-name", name, "--access-key", access,
                  "--secret-key", secret, *more, seconds=120)

    def wait_for_osds(self, count, seconds=90):
        """An OSD that is started for the first time without keys may find another's map, and ends: it is started
        again."""
        until = time.monotonic() + seconds
        while json.loads(self.ask("osd", "stat", "--format", "json"))["num_up_osds"] != count:
            for name in [one for one in self.running if one.startswith("osd")]:
                if self.running[name].poll() is not None:
                    self.again(name)
            if time.monotonic() > until:
                raise OSError(f"ceph: not {count} OSDs: {self.said('osd0')}")
            time.sleep(0.3)

    def address(self, device):
        return f"http://127.0.0.1:{self.gateway}"

    def fault(self):
        self.kill("osd1")
        return "1 of 3 OSDs killed"

    def mend(self):
        self.again("osd1")
        self.wait_for_osds(3)
        return "the OSD is back"

    def hang(self):
        """Two of three: what is asked of them waits, with an open connection and without an answer."""
        self.kill("osd1")
        self.kill("osd2")
        self.wait_for_osds(1)
        return "2 of 3 OSDs killed"

    def revive(self):
        for name in ("osd1", "osd2"):
            self.again(name)
        self.wait_for_osds(3)
        until = time.monotonic() + 90
        while '"active+clean"' not in self.ask("pg", "stat", "--format", "json"):
            if time.monotonic() > until:
                break
            time.sleep(0.5)
        return "both OSDs are back"

    def least_rights(self, bucket):
        """Keys of another user, who may do what a policy of the bucket says."""
        self.user("devices", *rights.KEYS)
        return rights.bucket_policy(bucket, "devices", "vault")
