# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What the figures were measured on; without it they mean nothing."""
import os
import pathlib
import platform

from .plan import Plan
from .workspace import Workspace


def facts(plan: Plan, space: Workspace) -> "dict[str, object]":
    """Processor, memory, kernel and file system; nothing that names the machine or its owner."""
    return {
        "plan": plan.name, "processor": first("/proc/cpuinfo", "model name"), "cores": len(os.sched_getaffinity(0)),
        "memoryMiB": int(first("/proc/meminfo", "MemTotal").split()[0]) // 1024,
        "kernel": platform.release(), "python": platform.python_version(),
        "fileSystem": file_system(space.disk), "loadBefore": load(),
    }


def first(path: str, name: str) -> str:
    """Value of the first line of that name."""
    for line in pathlib.Path(path).read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return "0"


def file_system(place: pathlib.Path) -> str:
    """Kind of the file system that holds `place`: fsync's price is its."""
    best = ("", "unknown")
    for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
        _, point, kind, *_ = line.split()
        if f"{place}/".startswith(point.rstrip("/") + "/") and len(point) >= len(best[0]):
            best = (point, kind)
    return best[1]


def load() -> float:
    """Runnable processes in the last minute: far above 1, and the figures are of little worth."""
    return round(os.getloadavg()[0], 2)
