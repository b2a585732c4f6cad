# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Stops an agent at one system call of a command, does something to its files, and lets it go on."""

import collections, os, re, shutil, signal, subprocess, time

CALLS = (
    "openat", "newfstatat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "renameat", "unlinkat", "flock",
)


def wait(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def traced(agent):
    """Who traces a process; 0 for nobody, or when it is gone."""
    try:
        return int(re.search(r"TracerPid:\s+(\d+)", open(f"/proc/{agent}/status").read())[1])
    except OSError:
        return 0


def is_stopped(process):
    try:
        return re.search(r"State:\s+(\w)", open(f"/proc/{process}/status").read())[1] in "Tt"
    except OSError:
        return False


class Tracer:
    """strace at one agent, which it leaves as it was."""

    def __init__(self, agent, log, stop=None):
        self.agent, self.log = agent, log
        log.write_text("")
        more = ["-e", f"inject={stop[0]}:signal=SIGSTOP:when={stop[1]}"] if stop else []
        self.process = subprocess.Popen(
            ["strace", "-f", "-qq", "-s", "0", "-o", str(log), "-e", f"trace={','.join(CALLS)}", *more,
                "-p", str(agent)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.works = wait(lambda: traced(agent) or self.process.poll() is not None) and traced(agent) != 0

    @property
    def stopped(self):
        return "stopped by SIGSTOP" in self.log.read_text(errors="replace")

    def go_on(self):
        try:
            os.kill(self.agent, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def end(self):
        self.go_on()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        # What was injected at the last moment may stop it yet.
        wait(lambda: self.go_on() or not is_stopped(self.agent), 2)

    def calls(self):
        """How often each call was made."""
        return collections.Counter(re.findall(r"^\d+ +(\w+)\(", self.log.read_text(errors="replace"), re.MULTILINE))


def can_trace(agent, log):
    """Whether an agent, which nobody may look into, lets itself be stopped: root may."""
    if not shutil.which("strace"):
        return False
    tracer = Tracer(agent, log)
    tracer.end()
    return tracer.works


def at_step(agent, log, step, command, action):
    """Runs a command and an action at one step of it: after it when that step does not come.

    - Returns: the command's answer, and whether the step came."""
    tracer = Tracer(agent, log, step)
    process, acted = None, False
    try:
        process = command.start()
        while not command.is_over(process):
            if not acted and tracer.stopped:
                action()
                acted = True
            # Each of its threads counts by itself, and may be stopped later.
            if acted:
                tracer.go_on()
            time.sleep(0.002)
        answer = command.finish(process)
    finally:
        tracer.end()
    if not acted:
        action()
    return answer, acted
