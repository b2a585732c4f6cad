#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Objects of a remote, read a second time from docs/format.md §25 alone: names, cards, segments, spans, parts. verify.py runs it; none of vault's
code takes part.
"""
import hashlib, hmac, re, zlib
from verify_formats import CHUNK, HEX, Reader, Refused, be, context, edited, open_sealed, padded_size, runner, seal, subkey
from verify_keys import acceptable, parse_header

ENTRY_CAP, CONTENT_CAP, LIST_CAP, FLOOR, WIDTH, PART, PREFIX = 32 << 20, 36 << 20, 4096, 4096, 64, 1024, 56
ENDS, ELSEWHERE, HIGHEST = 4, 8, 1 << 62

# §4.2 and §25.2: contexts and names
class Place:
    """Where a test's object belongs."""
    def __init__(self, test):
        self.key, self.vault, self.epoch = HEX(test["vaultKey"]), HEX(test["vaultID"]), test["epoch"]
        self.role = HEX(test.get("copyID", "")) or bytes(16)
        self.device, self.number, self.level = HEX(test.get("device", "")), test.get("number", 0), test.get("level", 1)
    def context(self, kind, object_id, more=b""): return context(kind, self.vault, self.epoch, object_id, self.role + more)
    def card(self): return self.context("card", self.device)
    def segment(self, number): return self.context("segment", self.device + be(number, 8))
    def span(self): return self.context("span", self.device + be(self.level, 1) + be(self.number, 8))
    def part(self, object_name, part): return self.context("objectPart", object_name, be(part, 4))
    def name(self, bound): return hmac.digest(subkey(self.key, b"names in a remote"), bound, "sha256")
    def key_of_seals(self): return subkey(self.key, b"sync")

def bound(place, test):
    kind = test["kind"]
    if kind == "part": return place.part(HEX(test["objectName"]), test["part"])
    return dict(card=place.card, span=place.span, segment=lambda: place.segment(place.number))[kind]()

def path_of(kind, name):
    text = name.hex()
    return f"d/{text}" if kind == "card" else f"{'o' if kind == 'part' else 's'}/{text[:2]}/{text}"

def name(test):
    place = Place(test)
    if test["kind"] == "span" and not (1 <= place.level <= 3 and place.number * WIDTH ** place.level <= HIGHEST): raise Refused("place")
    if (test["kind"] in ("segment", "span")) != (place.number > 0) or place.number > HIGHEST: raise Refused("place")
    found = place.name(bound(place, test))
    return found.hex() == test["name"] and path_of(test["kind"], found) == test["path"]

def listed(test):
    """§25.1: names that a store lists; anything else is not looked at."""
    form = "[0-9]{20}-[0-9a-f]{8}" if test["folder"] == "h" else "[0-9a-f]{64}"
    if not re.fullmatch(form, test["listed"], re.ASCII): raise Refused("place")
    if test["folder"] == "h" and int(test["listed"][:20]) >= 1 << 64: raise Refused("place")
    if test["folder"] != "h" and not any(HEX(test["listed"])): raise Refused("place")
    return True

def header(test):
    """§25.3: a header under its name."""
    data = HEX(test["header"])
    if len(data) > 1439: raise Refused("size")
    head = parse_header(data)
    if not all(slot["kind"] == 2 or acceptable(slot["cost"]) for slot in head["slots"]): raise Refused("cost")
    identity = (head["copyID"] or head["vaultID"]).hex() == test["identity"]
    if not identity or test["name"] != f"{head['counter']:020}-{hashlib.sha256(data).hexdigest()[:8]}": raise Refused("place")
    return True

# §4.3 with the floor of §25.5
def pad_to(content, floor):
    size = max(floor, padded_size(len(content) + 8))
    return content + bytes(size - len(content) - 8) + be(len(content), 8)

def unpad_from(padded, floor):
    size = int.from_bytes(padded[-8:], "big")
    if len(padded) < floor or size > len(padded) - 8 or pad_to(padded[:size], floor) != padded: raise Refused("padding")
    return padded[:size]

# §25.5: segments
def ascending(r, read, key):
    count = r.number(4)
    r.expect(count <= LIST_CAP, "tooLarge")
    found = []
    for _ in range(count):
        found.append(read())
        r.expect(len(found) < 2 or key(found[-2]) < key(found[-1]), "notCanonical")
    return found

def parse_mark(r):
    value = [r.identity(16).hex(), r.number(8)]
    r.expect(0 < value[1] <= HIGHEST, "notCanonical")
    return [*value, r.take(32).hex()]

def elsewhere(r):
    count = r.number(4)
    r.expect(0 < count <= LIST_CAP, "notCanonical")
    found = [[r.take(16).hex(), *parse_mark(r)] for _ in range(count)]
    places = [mark[0] for mark in found]
    r.expect(places == sorted(set(places)), "notCanonical")
    return found

def parse_segment(data):
    r = Reader(data)
    r.expect(len(data) <= CONTENT_CAP, "tooLarge")
    r.expect(r.number(2) == 1, "unknownVersion")
    flags = r.number(4)
    r.expect(flags < 16, "unknownFeature")
    value = dict(segmentFlags=flags, previous=r.take(32).hex(), made=r.signed(), header=[r.number(8), r.take(32).hex()])
    value["nextHeader"] = [r.number(8), r.take(32).hex()] if flags & ENDS else []
    value["vector"] = ascending(r, lambda: parse_mark(r), lambda mark: mark[0])
    for name in ("forked", "retired"): value[name] = ascending(r, lambda: r.identity(16).hex(), lambda device: device)
    value["elsewhere"] = elsewhere(r) if flags & ELSEWHERE else []
    value["entries"] = [r.string(ENTRY_CAP) for _ in range(r.number(4))]
    r.expect(all(value["entries"]), "notCanonical")
    value["entries"] = [entry.hex() for entry in value["entries"]]
    r.end()
    return value

def fits(value, place, number):
    """What the content alone cannot say."""
    own = place.device.hex()
    first = not any(HEX(value["previous"]))
    return first == (number == 1) and all(mark[0] != own for mark in value["vector"])

def segment(test):
    value = parse_segment(HEX(test["content"]))
    return all(test[name] == value[name] for name in value)

def sealed_bytes(test, data):
    if "base" not in test: return HEX(test["sealed"])
    made = HEX(next(t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test["base"])["sealed"])
    for edit in test["edit"]: made = edited(made, edit)
    return made

def sealed_segment(test, data):
    place, sealed = Place(test), sealed_bytes(test, data)
    padded = open_sealed(sealed, place.key_of_seals(), place.segment(place.number))
    content = unpad_from(padded, FLOOR)
    if not fits(parse_segment(content), place, place.number): raise Refused("place")
    if "salt" not in test: return True
    same = content.hex() == test["content"] and hashlib.sha256(sealed).hexdigest() == test["digest"]
    return same and seal(padded, place.key_of_seals(), place.segment(place.number), HEX(test["salt"])) == sealed

def parse_span(data):
    r = Reader(data)
    r.expect(len(data) <= CONTENT_CAP, "tooLarge")
    r.expect(r.number(2) == 1, "unknownVersion")
    r.expect(r.number(4) == 0, "unknownFeature")
    count = r.number(4)
    r.expect(count <= WIDTH ** 3, "tooLarge")
    found = [(r.take(24), r.string(CONTENT_CAP)) if r.flag() else None for _ in range(count)]
    r.end()
    return found

def sealed_span(test, data):
    place, sealed = Place(test), sealed_bytes(test, data)
    padded = open_sealed(sealed, place.key_of_seals(), place.span())
    content = unpad_from(padded, FLOOR)
    packed, width, digests = parse_span(content), WIDTH ** place.level, []
    if len(packed) != width: raise Refused("place")
    for number, one in enumerate(packed, (place.number - 1) * width + 1):
        if one is None: continue
        if not fits(parse_segment(one[1]), place, number): raise Refused("place")
        again = seal(pad_to(one[1], FLOOR), place.key_of_seals(), place.segment(number), one[0])
        digests.append([number, hashlib.sha256(again).hexdigest()])
    if "salt" not in test: return True
    same = content.hex() == test["content"] and digests == test["digests"]
    return same and seal(padded, place.key_of_seals(), place.span(), HEX(test["salt"])) == sealed

# §25.4: cards
def parse_card(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    r.expect(r.number(4) == 0, "unknownFeature")
    value = dict(device=r.identity(16).hex(), made=r.signed())
    r.end()
    return value

def sealed_card(test, data):
    place, sealed = Place(dict(test, device="")), sealed_bytes(test, data)
    own = place.context("card", HEX(test["name"]))
    if len(sealed) != 328: raise Refused("size")
    padded = open_sealed(sealed, place.key_of_seals(), own)
    value = parse_card(unpad_from(padded, 256))
    place.device = HEX(value["device"])
    if place.name(place.card()).hex() != test["name"]: raise Refused("place")
    if "salt" not in test: return True
    return all(test[name] == value[name] for name in value) and seal(padded, place.key_of_seals(), own, HEX(test["salt"])) == sealed

# §25.7: parts
def parts_of(size):
    full, rest = divmod(size - PREFIX, CHUNK + 16)
    if size < PREFIX + 16 or size > 1 << 42 or rest < 16: return None
    count = max(1, -(-full // PART))
    begins = [PREFIX + PART * (CHUNK + 16) * i if i else 0 for i in range(count)]
    return [[begin, end] for begin, end in zip(begins, [*begins[1:], size])]

def parts(test):
    found = parts_of(test["fileSize"])
    if found is None: raise Refused("size")
    return len(found) == test["count"] and [found[0], found[-1]] == test["firstAndLast"]

# §25.11: pairing codes, as letters
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

def doubled(value): return (value << 1 ^ (0x25 if value & 16 else 0)) & 31

def check_letter(group, data):
    value = group & 31
    for digit in data: value = doubled(value) ^ digit
    return doubled(value)

def letters_of(code):
    data = code + be(zlib.crc32(code), 4)
    bits = "".join(f"{byte:08b}" for byte in data)
    digits = [int(bits[at:at + 5].ljust(5, "0"), 2) for at in range(0, len(bits), 5)]
    groups = [digits[at:at + 7] for at in range(0, len(digits), 7)]
    return ["".join(LETTERS[digit] for digit in [*group, check_letter(number, group)]) for number, group in enumerate(groups)]

def code_of(letters):
    typed = re.sub(r"[\s-]", "", letters).lower().translate(str.maketrans("018", "oib"))
    data = []
    for number, at in enumerate(range(0, len(typed), 8)):
        group = [LETTERS.find(letter) for letter in typed[at:at + 8]]
        if -1 in group or len(group) < 2 or group[-1] != check_letter(number, group[:-1]): raise Refused("group", str(number + 1))
        data += group[:-1]
    bits = "".join(f"{digit:05b}" for digit in data)
    found = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8))
    if len(found) < 5 or be(zlib.crc32(found[:-4]), 4) != found[-4:]: raise Refused("whole")
    return found[:-4]

def short(r, cap):
    size = r.number(2)
    r.expect(size <= cap, "tooLarge")
    return r.take(size)

def parse_code(data):
    r = Reader(data)
    r.expect(r.number(1) == 1, "unknownVersion")
    value = dict(vault=r.identity(16).hex(), headerCounter=r.number(8), headerDigest=r.take(16).hex(), epoch=r.number(4))
    value |= dict(device=r.identity(16).hex(), number=r.number(8), digest=r.take(16).hex(), kind=r.number(1))
    r.expect(value["epoch"] > 0 and 1 <= value["number"] <= HIGHEST, "notCanonical")
    r.expect(1 <= value["kind"] <= 5, "unknownKind")
    value["place"] = short(r, 512).hex()
    r.expect(value["place"], "notCanonical")
    for name, cap in (("region", 64), ("bucket", 63), ("prefix", 512)): value[name] = short(r, cap).decode() if value["kind"] == 3 else ""
    r.end()
    return value

def pairing(test):
    code = code_of(test["letters"])
    try: value = parse_code(code)
    except Refused as refused: raise Refused("newer" if refused.error in ("unknownVersion", "unknownKind") else "whole") from None
    typed = re.sub(r"[\s-]", "", test["letters"]).lower().translate(str.maketrans("018", "oib"))
    if "".join(letters_of(code)) != typed: raise Refused("whole")
    return all(test[name] == value[name] for name in value) and "".join(letters_of(code)) == test["canonical"]

RUNNERS = dict(PairingCodeTest=runner(pairing), RemoteNameTest=runner(name), ListedNameTest=runner(listed), RemoteHeaderTest=runner(header), SegmentTest=runner(segment),
               SealedSegmentTest=runner(sealed_segment, True), SealedSpanTest=runner(sealed_span, True), SealedCardTest=runner(sealed_card, True),
               PartListTest=runner(parts))
