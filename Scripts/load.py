#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Many clients at one agent: load.py --bin FOLDER [--seconds N] [--clients N] [--connections N] [--thread-sanitizer]

Real `vault` processes write, read, search and list at once, while others send half a frame, a huge length, nonsense, or one byte at a time, and
three open connections without end. Every acknowledged write must be there afterwards, `vault check` must find nothing, and nobody may wait long.
Everything happens in a folder of its own, over a Unix socket; it ends by itself. Exit code 1 when something of this does not hold.
"""
import argparse, json, os, pathlib, random, resource, shutil, socket, struct, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAP_MAX = 10.0
# Sealed on threads of their own, some twenty chunks.
CONTENT = "an attachment of some size\n" * 12_000


class World:
    """A vault of its own, unlocked, with the programs that are tested."""

    def __init__(self, programs, sanitized):
        above = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="vault-load-", dir=above))
        for name in ("home", "run", "state", "bin"): (self.root / name).mkdir(mode=0o700)
        self.reports = self.root / "race"
        for name in ("vault", "vault-agent", "vault-parse"): shutil.copy2(programs / name, self.root / "bin" / name)
        if sanitized: self.wrap_agent()
        self.environment = {"HOME": str(self.root / "home"), "XDG_RUNTIME_DIR": str(self.root / "run"), "PATH": "/usr/bin:/bin",
                            "XDG_STATE_HOME": str(self.root / "state"), "NOTEVAULT_DIR": str(self.root / "vault"), "TERM": "dumb"}
        password = self.root / "password"
        password.write_bytes(b"velvet thunder pickle")
        password.chmod(0o600)
        self.file = self.root / "attached.txt"
        self.file.write_text(CONTENT)
        self.must("init", "--kdf-target", "0", "--no-recovery", "--password-file", str(password))
        self.must("unlock", "--password-file", str(password))
        self.agent = json.loads(self.must("status", "--json"))["agentPID"]
        self.socket = str(next((self.root / "run" / "notevault").glob("*.sock"), None) or next(
            path for path in (self.root / "run" / "notevault").iterdir() if path.is_socket()))

    def wrap_agent(self):
        """The agent gets no environment from its client, so a script tells the sanitizer where to write."""
        agent = self.root / "bin" / "vault-agent"
        agent.rename(self.root / "bin" / "agent-itself")
        agent.write_text(f"#!/bin/sh\nTSAN_OPTIONS='log_path={self.reports} exitcode=66' exec {self.root}/bin/agent-itself \"$@\"\n")
        agent.chmod(0o700)

    def vault(self, *arguments, text=None):
        return subprocess.run([str(self.root / "bin/vault"), *arguments], env=self.environment, input=text, capture_output=True, timeout=120)

    def must(self, *arguments):
        done = self.vault(*arguments)
        if done.returncode != 0: raise SystemExit(f"vault {arguments[0]}: {done.returncode} {done.stderr.decode()}")
        return done.stdout.decode()

    def agent_kib(self):
        for line in pathlib.Path(f"/proc/{self.agent}/status").read_text().splitlines():
            if line.startswith("VmRSS:"): return int(line.split()[1])
        return 0


class Load:
    def __init__(self, world, seconds):
        self.world, self.end = world, time.monotonic() + seconds
        self.lock, self.done, self.failures, self.texts, self.trashed, self.attached = threading.Lock(), [], [], {}, set(), set()

    def is_over(self): return time.monotonic() >= self.end or len(self.failures) > 20

    def ask(self, *arguments, text=None):
        begin = time.monotonic()
        try: done = self.world.vault(*arguments, text=text)
        except subprocess.TimeoutExpired:
            with self.lock: self.failures.append(f"{arguments[0]}: no answer")
            return None
        with self.lock:
            self.done.append((time.monotonic(), time.monotonic() - begin))
            if done.returncode != 0: self.failures.append(f"{arguments[0]}: {done.returncode} {done.stderr.decode()[:200]}")
        return done.stdout.decode() if done.returncode == 0 else None

    def client(self, number):
        """Owns its notes, so it knows what must be in them."""
        chance, mine = random.Random(number), []
        while not self.is_over():
            kind = chance.choice(["new", "append", "append", "show", "show", "show", "search", "ls", "tag", "rm", "attach", "get"])
            if kind == "new" or not mine:
                text = f"client{number} note{len(mine)} " + "word " * chance.randrange(400)
                made = self.ask("new", "-", "--json", text=text.encode())
                if made:
                    mine.append(json.loads(made)["notes"][0]["id"])
                    self.texts[mine[-1]] = text
            else:
                self.use(kind, chance.choice(mine), number)

    def use(self, kind, note, number):
        if note in self.trashed and kind != "ls": return
        if kind == "append":
            if self.ask("append", note, "and more") is not None: self.texts[note] = self.texts[note].rstrip("\n") + "\nand more"
        elif kind == "show":
            seen = self.ask("cat", note)
            if seen is not None and seen.rstrip() != self.texts[note].rstrip():
                with self.lock: self.failures.append(f"a note reads differently: {seen[:60]!r}")
        elif kind == "search":
            if not self.ask("search", f"client{number}"): self.failures.append("search finds nothing")
        elif kind == "ls": self.ask("ls")
        elif kind == "tag": self.ask("tag", "add", note, f"tag{number}")
        elif kind == "attach":
            if self.ask("attach", "add", note, str(self.world.file)) is not None: self.attached.add(note)
        elif kind == "get" and note in self.attached:
            seen = self.ask("attach", "get", note, "1", "-o", "-")
            if seen is not None and seen != CONTENT: self.failures.append("an attachment reads differently")
        elif kind == "rm":
            if self.ask("rm", note) is not None: self.trashed.add(note)

    def judge(self):
        """What was acknowledged is there, in the live vault and after a lock."""
        for note in random.Random(1).sample(sorted(self.texts), min(len(self.texts), 200)):
            seen = self.world.vault("cat", note).stdout.decode()
            if seen.rstrip() != self.texts[note].rstrip(): self.failures.append("an acknowledged text is not there")
        live = int(self.world.must("ls", "--count"))
        if live != len(self.texts) - len(self.trashed): self.failures.append(f"{live} notes, not {len(self.texts) - len(self.trashed)}")
        if self.world.vault("check").returncode != 0: self.failures.append("vault check found something")


class Rude:
    """Clients that mean harm, or are broken. None of them may be noticed by the others."""

    def __init__(self, load, connections):
        self.load, self.connections, self.opened, self.closed = load, connections, 0, 0

    def line(self):
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.settimeout(2)
        line.connect(self.load.world.socket)
        return line

    def send(self, *parts, pause=0.0):
        while not self.load.is_over():
            try:
                with self.line() as line:
                    for part in parts:
                        line.sendall(part)
                        time.sleep(pause)
                        if self.load.is_over(): return
                    while line.recv(4096): pass
                    self.closed += 1
            except OSError: self.closed += 1
            time.sleep(0.01)

    def flood(self):
        held = []
        while not self.load.is_over() and self.opened < self.connections:
            line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            line.setblocking(False)
            try:
                line.connect(self.load.world.socket)
                self.opened += 1
                held.append(line)
            except OSError:
                line.close()
                time.sleep(0.002)
            if len(held) >= 1500: held = [held.pop() for _ in range(500)]
        while not self.load.is_over(): time.sleep(0.1)

    def all(self):
        hello = struct.pack(">IBHI", 12, 1, 5, 5) + b"0.1.0"
        noise = random.Random(7).randbytes(100_000)
        return [
            lambda: self.send(hello[:7], pause=1), lambda: self.send(hello, struct.pack(">IB", 1 << 20, 2) + b"half", pause=1),
            lambda: self.send(struct.pack(">IB", 0xFFFFFFFF, 2) + b"x"), lambda: self.send(hello, struct.pack(">IB", 0x7FFFFFFF, 3)),
            lambda: self.send(hello, struct.pack(">IB", 17 << 20, 2), noise, pause=0.2), lambda: self.send(noise),
            lambda: self.send(*[hello[at:at + 1] for at in range(len(hello))], pause=0.2), self.flood, self.flood, self.flood,
        ]


def longest_gap(times, begin, end):
    points = [begin] + sorted(times) + [end]
    return max(later - sooner for sooner, later in zip(points, points[1:]))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--bin", type=pathlib.Path, required=True)
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--connections", type=int, default=10_000)
    options.add_argument("--no-record", action="store_true", help="leave bench-out/audit alone")
    options.add_argument("--thread-sanitizer", action="store_true", help="the agent in --bin was built with it; its reports are failures")
    chosen = options.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else 8192, hard))
    world = World(chosen.bin.resolve(), chosen.thread_sanitizer)
    try: report(run(world, chosen), chosen)
    finally:
        world.vault("lock")
        shutil.rmtree(world.root, ignore_errors=True)


def run(world, chosen):
    load = Load(world, chosen.seconds)
    rude = Rude(load, chosen.connections)
    begin = time.monotonic()
    # The hostile ones first: a thread that starts late among fifty others may find the time over.
    threads = [threading.Thread(target=work) for work in rude.all()]
    threads += [threading.Thread(target=load.client, args=(number,)) for number in range(chosen.clients)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    gap = longest_gap([moment for moment, _ in load.done], begin, load.end)
    if gap > GAP_MAX: load.failures.append(f"nobody was served for {gap:.1f} s")
    if rude.opened == 0 or rude.closed == 0: load.failures.append("no hostile client got through: nothing was shown")
    size = world.agent_kib()
    load.judge()
    world.vault("lock")
    for _ in range(100):
        if not pathlib.Path(f"/proc/{world.agent}").exists(): break
        time.sleep(0.1)
    races = [path.read_text(errors="replace") for path in world.root.glob("race.*")]
    load.failures += [f"thread sanitizer: {text[:2000]}" for text in races if text.strip()]
    waits = sorted(seconds for _, seconds in load.done)
    return load, [["clients at once", chosen.clients], ["seconds", round(chosen.seconds)], ["requests answered", len(waits)],
                  ["median ms", round(waits[len(waits) // 2] * 1000, 1) if waits else 0], ["longest ms", round(waits[-1] * 1000) if waits else 0],
                  ["longest time in which nobody was served, ms", round(gap * 1000)], ["connections opened only to be there", rude.opened],
                  ["hostile connections that were closed", rude.closed], ["notes written", len(load.texts)], ["agent MiB", size // 1024],
                  ["data races", len([text for text in races if text.strip()]) if chosen.thread_sanitizer else "not looked for"],
                  ["failures", len(load.failures)]]


def report(result, chosen):
    load, figures = result
    for name, value in figures: print(f"{name:45} {value}")
    for failure in load.failures[:10]: print(f"  {failure}")
    if not chosen.no_record:
        audit = ROOT / "bench-out/audit"
        audit.mkdir(parents=True, exist_ok=True)
        (audit / "load.json").write_text(json.dumps({"name": "load", "ok": not load.failures, "figures": figures, "failures": load.failures[:10]}))
    if load.failures: sys.exit(1)


if __name__ == "__main__": main()
