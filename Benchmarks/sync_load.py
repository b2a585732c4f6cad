#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""How fast `vault-sync` carries files to servers on this machine, beside rclone: sync_load.py [--bin FOLDER] [--gigabyte] [KIND ...]

2,000 puts of 1 KiB, the same read back, 32 puts of 16 MiB, and 1 GiB in parts of 16 MiB (with --gigabyte) against `rclone copy` of the same files to
the same server; then the processor's wake-ups of a minute in which nothing is asked. It speaks the packets of docs/sync-protocol.md by itself.
"""
import argparse
import array
import hashlib
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RCLONE = ROOT / "bench-out/venv/bin/rclone"


class Server:
    def __init__(self, kind, folder):
        script = ROOT / "Tests/RemoteStoresTests/Support/servers.py"
        self.process = subprocess.Popen([sys.executable, "-B", script, kind, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line: sys.exit(f"sync_load: {kind} does not start")
        self.said = json.loads(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def text(value): return struct.pack(">I", len(value)) + value.encode()


class Sync:
    """The agent's side of one vault-sync."""

    def __init__(self, program, kind, server, folder):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket, self.ticket = ours, 0
        def take_three():
            os.dup2(theirs.fileno(), 3)
        self.process = subprocess.Popen([program], env={}, pass_fds=(3, theirs.fileno()) if theirs.fileno() != 3 else (3,), preexec_fn=take_three,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=True)
        theirs.close()
        head = struct.pack(">BH", 1, 1) + bytes(range(16)) + struct.pack(">BIIII", 1, 15, 30, 1024, 60)
        if kind == "folder":
            directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            socket.send_fds(ours, [head + b"\x01" + text("")], [directory])
            os.close(directory)
        elif "bucket" in server:
            ours.send(head + b"\x03" + text(server["url"]) + text("us-east-1") + text(server["bucket"]) + text("") + text(""))
            ours.send("\0".join(server["keys"]).encode() + b"\0")
        else:
            ours.send(head + b"\x02" + text(server["url"] + "/notes") + text(""))
            ours.send("\0".join(server["user"]).encode() + b"\0")
        if ours.recv(100) != struct.pack(">BH", 33, 1): sys.exit("sync_load: vault-sync does not start")

    def run(self, verb, items):
        """All items, at most sixteen at once. An item: a name, a descriptor, a size and a digest."""
        started, open_count, items = time.perf_counter(), 0, iter(items)
        more = True
        while more or open_count:
            while more and open_count < 16:
                item = next(items, None)
                if item is None:
                    more = False
                    break
                name, descriptor, size, digest = item
                self.ticket += 1
                packet = struct.pack(">BIB", verb, self.ticket, 3) + text(name) + struct.pack(">Q", size) + (digest if verb == 4 else b"")
                socket.send_fds(self.socket, [packet], [descriptor])
                open_count += 1
            if not open_count: break
            answer = self.socket.recv(100)
            if not answer or answer[0] != 34: sys.exit(f"sync_load: a request failed: {answer}")
            open_count -= 1
        return time.perf_counter() - started

    def end(self):
        self.socket.close()
        self.process.wait()


def memory_file(content):
    descriptor = os.memfd_create("load")
    os.write(descriptor, content)
    return descriptor


def processor(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(pid):
    return next(int(line.split()[1]) // 1024 for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))


def switches(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)


def name(label): return hashlib.sha256(label.encode()).hexdigest()


def gigabyte(sync, kind, server, folder):
    """The same 64 files by both, each from a cold connection; the better of two runs of each."""
    files = pathlib.Path(folder, "parts")
    files.mkdir()
    items = []
    for index in range(64):
        content = os.urandom(16 << 20)
        file = files / name(f"part {index}")
        file.write_bytes(content)
        items.append((file.name, os.open(file, os.O_RDONLY), len(content), hashlib.sha256(content).digest()))
    ours = min(sync.run(4, items) for _ in range(2))
    remote = target(kind, server, folder)
    peer = min(copy(files, remote + f"/{run}") for run in range(2))
    for item in items: os.close(item[1])
    return ours, peer


def target(kind, server, folder):
    if kind == "folder": return os.path.join(folder, "peer")
    if "bucket" in server:
        options = f"provider=Other,access_key_id={server['keys'][0]},secret_access_key='{server['keys'][1]}',endpoint='{server['url']}'"
        return f":s3,{options}:{server['bucket']}/peer"
    hidden = subprocess.run([RCLONE, "obscure", "-"], input=server["user"][1], capture_output=True, text=True, check=True).stdout.strip()
    return f":webdav,url='{server['url']}/notes',user={server['user'][0]},pass={hidden}:peer"


def copy(files, remote):
    started = time.perf_counter()
    subprocess.run([RCLONE, "copy", "--config", "/dev/null", "--transfers", "4", files, remote], check=True, capture_output=True)
    return time.perf_counter() - started


def measure(kind, options):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = None if kind == "folder" else Server(kind, os.path.join(folder, "server"))
        remote = os.path.join(folder, "remote")
        os.mkdir(remote)
        sync = Sync(str(options.bin / "vault-sync"), kind, server.said if server else {}, remote)
        small = memory_file(os.urandom(1024))
        digest = hashlib.sha256(os.pread(small, 1024, 0)).digest()
        before = processor(sync.process.pid)
        items = [(name(f"small {index}"), small, 1024, digest) for index in range(2000)]
        put = sync.run(4, items)
        spent = processor(sync.process.pid) - before
        again = sync.run(4, items)
        sink = os.memfd_create("sink")
        got = sync.run(3, [(item[0], sink, 1024, b"") for item in items])
        large = memory_file(os.urandom(16 << 20))
        digest = hashlib.sha256(os.pread(large, 16 << 20, 0)).digest()
        big = sync.run(4, [(name(f"large {index}"), large, 16 << 20, digest) for index in range(32)])
        print(f"{kind}: 2,000 puts of 1 KiB {put:.2f} s (processor {spent:.2f} s), again {again:.2f} s; 2,000 gets {got:.2f} s; 32 puts of 16 MiB {big:.2f} s "
              f"({512 / big:.0f} MiB/s); {peak(sync.process.pid)} MiB at most", flush=True)
        if options.gigabyte:
            ours, peer = gigabyte(sync, kind, server.said if server else {}, folder)
            print(f"{kind}: 1 GiB in 64 parts {ours:.2f} s, rclone copy {peer:.2f} s: {peer / ours:.2f} of its speed; {peak(sync.process.pid)} MiB at most", flush=True)
        if options.idle:
            time.sleep(1)
            before = switches(sync.process.pid)
            time.sleep(options.idle)
            print(f"{kind}: {switches(sync.process.pid) - before} wake-ups in {options.idle} s without a request", flush=True)
        sync.end()
        if server: server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--gigabyte", action="store_true")
    parser.add_argument("--idle", type=int, default=0, metavar="SECONDS")
    parser.add_argument("kinds", nargs="*", default=["folder", "nginx", "apache", "seaweedfs"])
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    for kind in options.kinds: measure(kind, options)


if __name__ == "__main__": main()
