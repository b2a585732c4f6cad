# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Where a run keeps its files, and that none of them stays."""
import contextlib
import os
import pathlib
import shutil
import signal
import tempfile


class Workspace:
    """A private directory on a real disk (so that fsync costs what it costs) and a runtime directory on tmpfs.

    Both are removed at the end, also after Ctrl-C or SIGTERM; whatever was started is ended first, last one first.
    """

    def __init__(self, root: pathlib.Path):
        root.mkdir(parents=True, exist_ok=True)
        self._closers: "list" = []
        self.disk = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=root))
        shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        # A short name: a socket's whole path may have 107 bytes.
        self.runtime = pathlib.Path(tempfile.mkdtemp(prefix="vb-", dir=shared))

    def __enter__(self) -> "Workspace":
        signal.signal(signal.SIGTERM, self._interrupted)
        return self

    def __exit__(self, *_) -> None:
        # A second Ctrl-C must not leave an agent or a gigabyte behind.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for close in reversed(self._closers):
            try:
                close()
            except Exception as error:  # the remaining ones have to be closed anyway
                print(f"bench: clean-up: {error}")
        for directory in (self.runtime, self.disk):
            shutil.rmtree(directory, ignore_errors=True)
        signal.signal(signal.SIGINT, before)

    def on_close(self, close) -> None:
        """Calls `close` before the directories are removed."""
        self._closers.append(close)

    def environment(self) -> "dict[str, str]":
        """An environment in which nothing of the person's own home is read or written."""
        homes = {"HOME": self.disk / "home", "XDG_DATA_HOME": self.disk / "home/data",
                 "XDG_STATE_HOME": self.disk / "home/state", "XDG_CONFIG_HOME": self.disk / "home/config",
                 "XDG_CACHE_HOME": self.disk / "home/cache", "XDG_RUNTIME_DIR": self.runtime / "run"}
        for place in homes.values():
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = os.environ.get("PATH", "/usr/bin:/bin")
        return {name: str(place) for name, place in homes.items()} | {
            "PATH": path, "LANG": "C.UTF-8", "NO_COLOR": "1", "TERM": "dumb"}

    def drop(self, directory: pathlib.Path) -> None:
        """Frees the space of something that is no longer needed."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(directory) if directory.is_dir() else directory.unlink()

    @staticmethod
    def _interrupted(_signal, _frame):
        raise KeyboardInterrupt
