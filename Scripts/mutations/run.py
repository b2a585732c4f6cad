# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Builds the copy once and runs chosen tests of it, each time in a new process."""
import ctypes
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass(frozen=True)
class Result:
    """What a run of some tests came to: passed, failed, crashed, hung, or nothing ran."""

    verdict: str
    count: int
    failed: tuple
    seconds: float
    text: str


class Tests:
    """The test program of a built copy."""

    def __init__(self, tree):
        self.tree = tree
        self.output = tree.scratch / "output"
        # Agents leave their starters; what a hung test leaves behind must be ours to end.
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def build(self, log):
        """True when the copy compiles; the compiler's words are in `log`."""
        with open(log, "wb") as output:
            command = ["swift", "build", "-Xswiftc", "-index-ignore-system-modules", "--build-tests", "-j", str(min(os.cpu_count() or 2, 4))]
            return subprocess.run(command, cwd=self.tree.path, stdout=output, stderr=subprocess.STDOUT).returncode == 0

    def run(self, pattern, seconds, parallel=True):
        """Runs the tests whose identifiers fit the pattern."""
        program = next(pathlib.Path(self.tree.path, ".build/debug").glob("*.xctest"))
        command = [program, "--testing-library", "swift-testing", "--filter", pattern] + ([] if parallel else ["--no-parallel"])
        start = time.monotonic()
        with open(self.output, "wb") as output:
            process = subprocess.Popen(command, cwd=self.tree.path, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True)
        try:
            status = self._wait(process, start + seconds)
        finally:
            _end_descendants()
        return _judge(status, self.output.read_text(errors="replace"), time.monotonic() - start)

    @staticmethod
    def _wait(process, limit):
        """The exit status, or None for one that hung. Orphans that end meanwhile are collected, so that tests see them gone."""
        while time.monotonic() < limit:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == process.pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode
            if pid == 0:
                time.sleep(0.02)
        return None


def _end_descendants():
    """Ends what a run has left running: only processes that are children of this one, or become so when their parent ends."""
    limit = time.monotonic() + 20
    while time.monotonic() < limit:
        children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if not children:
            return
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        for child in children:
            os.waitpid(int(child), 0)


def _judge(status, text, seconds):
    summary = re.search(r"^. Test run with (\d+) tests?\b.* (passed|failed) after", text, re.MULTILINE)
    count = int(summary[1]) if summary else 0
    names = re.findall(r"^. Test ([A-Za-z0-9_]+)\([^\n]*\) (?:failed after|recorded an issue)", text, re.MULTILINE)
    if status is None:
        verdict = "hung"
    elif status < 0:
        verdict = "crashed"
    elif not count:
        verdict = "nothing ran"
    else:
        verdict = "passed" if status == 0 and summary[2] == "passed" else "failed"
    return Result(verdict, count, tuple(dict.fromkeys(names)), seconds, text)
