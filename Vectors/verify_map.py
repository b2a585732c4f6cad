#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The map of pages and the pin, read a second time from docs/format.md §8 and §11.1 alone. verify.py runs it. None of vault's code takes part."""
import functools, hashlib, itertools, math
from verify_formats import HEX, Reader, Refused, be, context, runner, subkey, xaes

PAGE, NODE, TAG, HASH, LOCK_PAGE = 4096, 1024, 16, 32, 262145

def digest(level, index, node): return hashlib.sha256(b"vault/v1 map" + be(level, 1) + be(index, 4) + node[:NODE if level == 0 else 31 * HASH]).digest()

def position(level, index):
    """How many nodes lie before this one; each inner node lies right before its first leaf."""
    leaf = index * 31 ** level
    return leaf + sum(leaf // 31 ** m for m in range(1, level + 1)) + sum(leaf // 31 ** m + 1 for m in range(level + 1, 6))

def offset(level, index, slot): return NODE * (2 * position(level, index) + slot)

class Pages:
    """The pages of a test as they lie in the file: byte i of page n in version v is (7 i + n + v) mod 256, its nonce the first 24 bytes of
    SHA-256(n ‖ v), both UInt32."""
    def __init__(self, test):
        self.count, self.key = test["pages"], subkey(HEX(test["vaultKey"]), b"index page")
        self.bound = context("indexPage", HEX(test["vaultID"]), test["epoch"])
        self.present, self.versions = test.get("present"), dict(test.get("versions", []))
    @functools.cache
    def sealed(self, number):
        if number > self.count or self.present is not None and number not in self.present: return bytes(PAGE)
        version = self.versions.get(number, 0)
        nonce, start = hashlib.sha256(be(number, 4) + be(version, 4)).digest()[:24], (number + version) % 256
        plain = bytes((7 * i + start) % 256 for i in range(PAGE - 40))
        box = xaes(self.key, nonce).encrypt(nonce[12:], plain, self.bound + be(number, 4))
        return box[:-16] + nonce + box[-16:]
    def tag(self, number): return bytes(TAG) if number == LOCK_PAGE else self.sealed(number)[-TAG:]

class Map:
    """A map as it lies in its file, with the root that the manifest vouches for."""
    def __init__(self, pages, file, slot, root): self.pages, self.file, self.slot, self.root, self.known = pages, file, slot, root, {}
    def in_place(self, level, index, slot):
        at = offset(level, index, slot)
        return self.file[at:at + NODE]
    def for_parent(self, level, index, node):
        return digest(level, index, node) if node[:NODE if level == 0 else 31 * HASH].strip(b"\0") else bytes(HASH)
    @functools.cache
    def from_pages(self, level, index):
        if level == 0: return b"".join(self.pages.tag(n) for n in range(64 * index + 1, 64 * index + 65))
        below = 64 * 31 ** (level - 1)
        children = [i for i in range(31 * index, 31 * index + 31) if i * below < self.pages.count]
        return b"".join(self.for_parent(level - 1, i, self.from_pages(level - 1, i)) for i in children).ljust(NODE, b"\0")
    def made_again(self, level, index):
        made = self.from_pages(level, index)
        yield made
        if level == 0: return
        choices = []
        for child in range(31):
            lying = {self.in_place(level - 1, 31 * index + child, slot) for slot in (0, 1)}
            hashes = sorted(self.for_parent(level - 1, 31 * index + child, node) for node in lying if len(node) == NODE)
            own = made[HASH * child:HASH * child + HASH]
            choices.append([own] if own in hashes or not hashes else hashes)
        if math.prod(map(len, choices)) > 1024: return
        for chosen in itertools.product(*choices): yield b"".join(chosen) + bytes(32)
    def node(self, level, index):
        """The node that its parent vouches for; places are only looked into first."""
        if (level, index) not in self.known:
            wanted, first = self.root, self.slot
            if level < 5:
                parent, child = self.node(level + 1, index // 31), index % 31
                wanted, first = parent[HASH * child:HASH * child + HASH], int.from_bytes(parent[992:996], "big") >> child & 1
            tries = itertools.chain([self.in_place(level, index, first), self.in_place(level, index, 1 - first)], self.made_again(level, index))
            right = (node for node in tries if len(node) == NODE and digest(level, index, node) == wanted)
            self.known[level, index] = next(right, None) if wanted.strip(b"\0") else bytes(NODE)
        if self.known[level, index] is None: raise Refused("map")
        return self.known[level, index]
    def fits(self, number):
        leaf, place = divmod(number - 1, 64)
        return self.node(0, leaf)[TAG * place:TAG * place + TAG] == self.pages.tag(number)

def altered(file, edits):
    for edit in edits:
        at = edit.get("offset", 0)
        if edit["op"] == "flip": file = file[:at] + bytes([file[at] ^ 1 << edit["bit"]]) + file[at + 1:]
        elif edit["op"] == "zero": file = file[:at] + bytes(edit["size"]) + file[at + edit["size"]:]
        elif edit["op"] == "truncate": file = file[:edit["size"]]
        else: raise ValueError("unknown edit")
    return file

def inherited(test, name, data):
    if name in test: return test[name]
    return inherited(next(t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test["base"]), name, data)

def page_map(test, data):
    pages = Pages({name: inherited(test, name, data) for name in ("pages", "vaultKey", "vaultID", "epoch", "versions")})
    file = altered(HEX(inherited(test, "map", data)), test.get("edit", []))
    whole = Map(pages, file, inherited(test, "mapSlot", data), HEX(inherited(test, "mapHash", data)))
    refused = []
    for number in range(1, pages.count + 1):
        try: fits = whole.fits(number)
        except Refused: fits = False
        if fits: continue
        if refused and refused[-1][1] == number - 1: refused[-1][1] = number
        else: refused.append([number, number])
    if refused != test.get("refused", []): raise ValueError(f"refused pages are {refused}")
    if refused: raise Refused("page")
    return True

def build_map(test):
    """A file of which only some pages are there: where the nodes lie, and what they hash to."""
    pages = Pages(test)
    whole = Map(pages, b"", 0, b"")
    nodes = [[level, index, offset(level, index, 0), whole.for_parent(level, index, whole.from_pages(level, index)).hex()] for level, index, *_ in test["nodes"]]
    return nodes == test["nodes"] and digest(5, 0, whole.from_pages(5, 0)).hex() == test["mapHash"]

def pin(test):
    r = Reader(HEX(test["pin"]))
    magic = r.take(4)
    r.expect(magic in (b"VPN1", b"VPN2"), "badMagic")
    value = dict(vaultID=r.identity(16).hex(), epoch=r.number(4), counter=r.number(8), digest=r.take(32).hex(), generation=r.number(8))
    value.update(sequence=r.number(8) if magic == b"VPN2" else 0, chain=(r.take(32) if magic == b"VPN2" else bytes(32)).hex())
    r.end()
    return all(test[name] == value[name] for name in value)

RUNNERS = dict(PageMapTest=runner(page_map, True), PageMapBuildTest=runner(build_map), PinTest=runner(pin))
