#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""OpenStack Swift with three nodes and three copies of everything, spoken to by S3: openstack.py PORT FOLDER, or openstack.py ROLE PART FILE

A node is a server of objects, one of containers, one of accounts, and what brings late rows into the containers' lists; FOLDER/node-N has their process
numbers, so that a test can kill one. Scripts/setup.sh stores unpacks the servers; as packages they would become services of this machine. Swift reads its
one common file from /etc, so each server here is told of another place before it begins.
"""
import ctypes
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
UNPACKED = ROOT / "bench-out/openstack"
PARTS = ("object", "container", "account")
PROXY = """catch_errors gatekeeper healthcheck proxy-logging cache s3api tempauth copy slo dlo proxy-logging proxy-server"""


def run(role, part, file):
    """One server, in a process of its own. Swift's servers leave the group of who started them: so the kernel ends them with it."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    from swift.common import utils
    utils.SWIFT_CONF_FILE = str(pathlib.Path(file).parent / "swift.conf")
    if role == "server":
        from swift.common.wsgi import run_wsgi
        return run_wsgi(file, f"{part}-server")
    from swift.common.daemon import run_daemon
    from swift.obj.updater import ObjectUpdater
    run_daemon(ObjectUpdater, file, section="object-updater", once=False)


def ring(folder, part, ports):
    from swift.common.ring import RingBuilder
    builder = RingBuilder(6, 3, 0)
    for number, port in enumerate(ports):
        builder.add_dev({"region": 1, "zone": number, "ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port,
                         "device": f"d{number}", "weight": 1.0, "meta": ""})
    builder.rebalance()
    builder.get_ring().save(str(folder / f"{part}.ring.gz"))


def written(folder, name, text):
    (folder / name).write_text(text)
    return str(folder / name)


def node_file(folder, number, part, port):
    (folder / f"node{number}/d{number}").mkdir(parents=True, exist_ok=True)
    return written(folder, f"{part}-{number}.conf", f"""[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user()}
swift_dir = {folder}
devices = {folder}/node{number}
mount_check = false
log_level = WARNING
recon_cache_path = {folder}
[pipeline:main]
pipeline = {part}-server
[app:{part}-server]
use = egg:swift#{part}
[object-updater]
interval = 2
""")


def proxy_file(folder, port, cache, key):
    sections = "".join(f"[filter:{name}]\nuse = egg:swift#{name.replace('-', '_')}\n" for name in ("healthcheck", "catch_errors", "gatekeeper", "proxy-logging", "copy", "slo", "dlo"))
    return written(folder, "proxy.conf", f"""[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user()}
swift_dir = {folder}
log_level = WARNING
[pipeline:main]
pipeline = {PROXY}
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
node_timeout = 5
conn_timeout = 0.5
[filter:tempauth]
use = egg:swift#tempauth
user_notes_owner = {key} .admin
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{cache}
{sections}""")


def user():
    import pwd
    return pwd.getpwuid(os.getuid()).pw_name


def main(port, folder):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    from servers import KEYS, answers, free_block
    folder.mkdir(parents=True, exist_ok=True)
    written(folder, "swift.conf", f"[swift-hash]\nswift_hash_path_prefix = {secrets.token_hex(8)}\nswift_hash_path_suffix = {secrets.token_hex(8)}\n"
            "[storage-policy:0]\nname = Policy-0\ndefault = yes\n")
    first = free_block(10)
    ports = {part: [first + 3 * index + number for number in range(3)] for index, part in enumerate(PARTS)}
    for part in PARTS: ring(folder, part, ports[part])
    output = open(folder / "servers", "ab")

    def start(*words): return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    memory = ["-u", user()] if os.getuid() == 0 else []
    start(UNPACKED / "usr/bin/memcached", *memory, "-l", "127.0.0.1", "-p", first + 9, "-m", "32")
    for number in range(3):
        files = {part: node_file(folder, number, part, ports[part][number]) for part in PARTS}
        started = [start(sys.executable, "-B", __file__, "server", part, files[part]) for part in PARTS]
        started.append(start(sys.executable, "-B", __file__, "updater", "object", files["object"]))
        written(folder, f"node-{number}", " ".join(str(one.pid) for one in started))
    for part in PARTS:
        for one in ports[part]:
            for _ in range(600):
                if answers(one): break
                time.sleep(0.05)
    proxy = start(sys.executable, "-B", __file__, "server", "proxy", proxy_file(folder, port, first + 9, KEYS[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    sys.exit(proxy.wait())


if __name__ == "__main__":
    if "swift" not in sys.modules and os.environ.get("NOTEVAULT_OPENSTACK") is None:
        # The programs that are unpacked find their modules and libraries by the environment alone.
        environment = {**os.environ, "NOTEVAULT_OPENSTACK": "1", "PYTHONPATH": str(UNPACKED / "usr/lib/python3/dist-packages"),
                       "LD_LIBRARY_PATH": str(UNPACKED / "usr/lib/x86_64-linux-gnu")}
        os.execve("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv], environment)
    if sys.argv[1] in ("server", "updater"): run(*sys.argv[1:4])
    else: main(int(sys.argv[1]), pathlib.Path(sys.argv[2]))
