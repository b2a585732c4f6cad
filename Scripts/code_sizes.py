#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Lines of code of each module, without blank lines and lines that are comment alone; and how many files of it are marked `unsafe`."""
from pathlib import Path

ROOT = Path(__file__).parent.parent


def is_code(line):
    text = line.strip()
    return bool(text) and not text.startswith(("//", "/*", "*"))


def size(folder, endings):
    files = [path for path in folder.rglob("*") if path.suffix in endings]
    lines = sum(is_code(line) for path in files for line in path.read_text().splitlines())
    return len(files), lines, sum("unsafe " in path.read_text() for path in files)


def main():
    total = 0
    print(f"{'module':24}{'files':>6}{'lines':>8}{'unsafe':>8}")
    for folder in sorted(path for path in (ROOT / "Sources").iterdir() if path.is_dir()):
        files, lines, unsafe = size(folder, {".swift", ".c", ".h"})
        total += lines
        print(f"{folder.name:24}{files:6}{lines:8}{unsafe:8}")
    files, lines, _ = size(ROOT / "Tests", {".swift", ".c", ".h"})
    print(f"{'all sources':24}{'':6}{total:8}\n{'Tests':24}{files:6}{lines:8}")


if __name__ == "__main__":
    main()
