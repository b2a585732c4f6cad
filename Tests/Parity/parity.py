# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Makes parity files a second time, from docs/format.md alone, and compares them byte for byte.

Usage: parity.py backup DIR | parity.py archive FILE. No library: GF(2^8) by tables, polynomial 0x11D.
"""
import hashlib
import os
import struct
import sys

EXP, LOG = [0] * 512, [0] * 256
value = 1
for power in range(255):
    EXP[power] = EXP[power + 255] = value
    LOG[value] = power
    value <<= 1
    if value & 0x100:
        value ^= 0x11D
PRODUCT = [bytes(0 if not a or not b else EXP[LOG[a] + LOG[b]] for b in range(256)) for a in range(256)]


def inverse(number):
    return EXP[255 - LOG[number]]


def check(block):
    return hashlib.sha256(block).digest()[:16]


def shape(blocks, percent):
    def parity(rows):
        return max(2, -(-rows * percent // 100))

    most = max(rows for rows in range(1, 255) if rows + parity(rows) <= 255)
    columns = -(-blocks // most)
    rows = -(-blocks // columns)
    return rows, parity(rows), columns


def name_of(table, at, folder):
    kind = table[at]
    if kind in (1, 2):
        digits = table[at + 1:at + 33].hex()
        return at + 33, os.path.join(folder, ["pieces", "objects"][kind - 1], digits[:2], digits)
    if kind == 3:
        count = struct.unpack_from(">I", table, at + 1)[0]
        text = table[at + 5:at + 5 + count].decode()
        return at + 5 + count, os.path.join(folder, "snapshots", text)
    assert kind == 4, kind
    return at + 1, None


def made(names, percent, size, head_of_files):
    data, checks = b"", b""
    for name in names:
        with open(name, "rb") as file:
            content = file.read()
        content += bytes(-len(content) % size)
        data += content
    blocks = len(data) // size
    rows, parities, columns = shape(blocks, percent)
    checks = b"".join(check(data[at:at + size]) for at in range(0, len(data), size))
    width = columns * size
    data += bytes(rows * width - len(data))
    parity = b""
    for number in range(rows, rows + parities):
        total = 0
        for row in range(rows):
            factor = inverse(number ^ row)
            part = data[row * width:(row + 1) * width].translate(PRODUCT[factor])
            total ^= int.from_bytes(part, "big")
        parity += total.to_bytes(width, "big")
    checks += b"".join(check(parity[at:at + size]) for at in range(0, len(parity), size))
    table = struct.pack(">HBIBBI", 1, percent, size, rows, parities, columns) + head_of_files + checks
    head = b"VLP1" + struct.pack(">Q", len(table)) + hashlib.sha256(table).digest()
    head += hashlib.sha256(head).digest()[:20]
    front = head + table
    return front + bytes(-len(front) % 4096) + parity + table + head, hashlib.sha256(table).hexdigest()


def again(parity_file, folder, archive):
    with open(parity_file, "rb") as file:
        whole = file.read()
    table = whole[64:64 + struct.unpack_from(">Q", whole, 4)[0]]
    percent, size = struct.unpack_from(">BI", table, 2)
    count = struct.unpack_from(">I", table, 13)[0]
    at, names = 17, []
    for _ in range(count):
        at, name = name_of(table, at, folder)
        names.append(name or archive)
        assert os.path.getsize(names[-1]) == struct.unpack_from(">Q", table, at)[0]
        at += 8
    wanted, name = made(names, percent, size, table[13:at])
    assert whole == wanted, parity_file + " has other bytes"
    return name, names


def main():
    kind, path = sys.argv[1:]
    if kind == "archive":
        again(path + ".parity", None, path)
        return print("1 parity file")
    covered, folder = [], os.path.join(path, "parity")
    for name in sorted(os.listdir(folder)):
        said, names = again(os.path.join(folder, name), path, None)
        assert said == name, name
        covered += names
    there = [os.path.join(at, name) for kind in ("pieces", "objects", "snapshots")
             for at, _, files in os.walk(os.path.join(path, kind)) for name in files]
    assert sorted(covered) == sorted(there), "not every file is covered once"
    print(len(os.listdir(folder)), "parity files")


main()
