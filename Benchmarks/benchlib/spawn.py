# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Starts programs and times them from outside: posix_spawn to wait4, on the monotonic clock.

glibc's posix_spawn shares the memory until exec, so the size of this Python process does not enter the time. What
starting any process costs is the same for every contender; "an empty process" in the report shows it.
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import time


class Failure(Exception):
    """A program did not do its work; the text says which and what it wrote."""


class Launcher:
    """Runs programs with one fixed environment."""

    def __init__(self, environment: "dict[str, str]", talk: pathlib.Path):
        self.environment = environment
        self.talk = talk  # standard error of timed programs; on tmpfs
        self._actions = [
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.fspath(talk), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        ]

    def seconds(self, arguments: "list[str]", good: "frozenset[int]" = frozenset({0}), limit: float = 60,
                source: str = os.devnull) -> float:
        """Wall time of one whole process, its output thrown away.

        The limit is no measurement: it only ends a program that hangs. `source` is a file for it to read as standard input.
        """
        actions = [(os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0), *self._actions]
        with deadline(limit):
            begin = time.monotonic_ns()
            pid = os.posix_spawn(arguments[0], arguments, self.environment, file_actions=actions,
                                 setsigdef=[signal.SIGPIPE])
            try:
                _, status, _ = os.wait4(pid, 0)
            except BaseException:
                self._end(pid)
                raise
            elapsed = time.monotonic_ns() - begin
        code = os.waitstatus_to_exitcode(status)
        if code not in good:
            raise Failure(f"{pathlib.Path(arguments[0]).name} {' '.join(arguments[1:3])}: exit code {code}: {self._last()}")
        return elapsed / 1e9

    def output(self, arguments: "list[str]", good: "frozenset[int]" = frozenset({0}), limit: float = 60,
               text: str = "") -> str:
        """Standard output of a program whose time does not matter."""
        try:
            done = subprocess.run(arguments, env=self.environment, input=text, capture_output=True, text=True, timeout=limit)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failure(f"{pathlib.Path(arguments[0]).name}: {error}") from error
        if done.returncode not in good:
            last = done.stderr.strip().splitlines()[-2:]
            raise Failure(f"{pathlib.Path(arguments[0]).name} {' '.join(arguments[1:3])}: exit code {done.returncode}: "
                          + " / ".join(last))
        return done.stdout

    def _last(self) -> str:
        with contextlib.suppress(OSError):
            return " / ".join(self.talk.read_text(errors="replace").strip().splitlines()[-2:])
        return ""

    @staticmethod
    def _end(pid: int) -> None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGTERM)
            os.wait4(pid, 0)


@contextlib.contextmanager
def deadline(limit: float):
    """Raises `Failure` inside the block when the time is over."""
    def over(_signal, _frame):
        raise Failure(f"not done after {limit:.0f} s")
    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
