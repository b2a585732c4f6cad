#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""vault's own formats, read a second time from docs/format.md alone: manifest, note record, index page, log frame.
verify.py runs it. None of vault's code takes part; Refused names the stage and, in parsing, the error.
"""
import hashlib
from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.kbkdf import CounterLocation, KBKDFCMAC, Mode

HEX = bytes.fromhex
KIND = dict(keyslot=1, manifest=2, indexPage=3, indexLog=4, record=5, draftKey=6, draft=7, privateRecord=8, innerRecord=9, noteKeyslot=10, noteKey=11,
            innerDraftKey=12, attachment=13, innerDetails=14, object=15, innerObject=16, thumbnail=17, innerThumbnail=18, innerDraftFields=19,
            rotation=20, archive=21, snapshot=22, segment=23, span=24, card=25, objectPart=26, formerRemoteKey=27)
CHUNK = 16384

class Refused(Exception):
    def __init__(self, stage, error=""):
        super().__init__(stage, error)
        self.stage, self.error = stage, error

def be(value, size): return value.to_bytes(size, "big")
def prefixed(value): return be(len(value), 4) + value

class Reader:
    """§2: numbers big-endian, byte strings after their length; nothing past the end, nothing left over."""
    def __init__(self, data): self.data, self.at = data, 0
    def take(self, count):
        if count > len(self.data) - self.at: raise Refused("parse", "truncated")
        self.at += count
        return self.data[self.at - count:self.at]
    def number(self, size): return int.from_bytes(self.take(size), "big")
    def signed(self): return int.from_bytes(self.take(8), "big", signed=True)
    def flag(self):
        value = self.number(1)
        if value > 1: raise Refused("parse", "notCanonical")
        return value == 1
    def identity(self, size):
        value = self.take(size)
        if not any(value): raise Refused("parse", "allZero")
        return value
    def string(self, most):
        size = self.number(4)
        if size > most: raise Refused("parse", "tooLarge")
        return self.take(size)
    def text(self, most):
        try: return self.string(most).decode("utf-8", "strict")
        except UnicodeDecodeError: raise Refused("parse", "notUTF8") from None
    def expect(self, condition, error):
        if not condition: raise Refused("parse", error)
    def end(self): self.expect(self.at == len(self.data), "trailingBytes")

# §3 and §4: keys, contexts, sealed objects, padding
def subkey(vault_key, label): return HKDFExpand(hashes.SHA512(), 32, b"vault/v1 " + label).derive(vault_key)

def context(kind, vault_id, epoch, object_id=b"", role=b""):
    fields = (b"vault/v1", bytes([KIND[kind]]), vault_id, object_id, role, be(epoch, 4))
    return b"".join(prefixed(field) for field in fields)

def open_sealed(sealed, key, bound):
    try:
        box = Cobblestone256Decryptor(key, bound)
        return box.update(sealed) + box.finalize()
    except (InvalidTag, ValueError): raise Refused("open") from None

def seal(plain, key, bound, salt):
    made = HKDFExpand(hashes.SHA512(), 76, b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt + bound).derive(key)
    box, base, out = AESGCM(made[:32]), int.from_bytes(made[32:44], "big"), salt + made[44:]
    for i in range(len(plain) // 16384 + 1): out += box.encrypt(be(base ^ i, 12), plain[i * 16384:(i + 1) * 16384], b"")
    return out

def padded_size(size):
    e = size.bit_length() - 1
    mask = (1 << e - e.bit_length()) - 1
    return max((size + mask) & ~mask, 256)

def pad(content): return content + bytes(padded_size(len(content) + 8) - len(content) - 8) + be(len(content), 8)

def unpad(padded):
    size = int.from_bytes(padded[-8:], "big")
    if len(padded) < 256 or size > len(padded) - 8 or pad(padded[:size]) != padded: raise Refused("padding")
    return padded[:size]

# §7 and §9: manifest and note record
def parse_manifest(data):
    r, version = Reader(data), int.from_bytes(data[:2], "big")
    r.expect(r.number(2) in (1, 2), "unknownVersion")
    value = dict(version=version, generation=r.number(8), pageCount=r.number(4), logSalt=r.take(32).hex(), syncedByteCount=r.number(8), isOpen=r.flag())
    if version == 2:  # of version 1 nothing is known of the header, and there is no map
        value.update(headerCounter=r.number(8), headerDigest=r.take(32).hex(), hasMap=r.flag(), mapSlot=int(r.flag()), mapHash=r.take(32).hex())
        r.expect(value["hasMap"] or value["mapSlot"] == 0 and not any(HEX(value["mapHash"])), "notCanonical")
    r.end()
    return value

def manifest(test):
    key, bound = subkey(HEX(test["vaultKey"]), b"manifest"), context("manifest", HEX(test["vaultID"]), test["epoch"])
    padded = open_sealed(HEX(test["sealed"]), key, bound)
    value = parse_manifest(unpad(padded))
    same = all(test[name] == value[name] for name in value) and padded.hex() == test["padded"]
    return same and seal(padded, key, bound, HEX(test["salt"])).hex() == test["sealed"]

def parse_record(data):
    r, version = Reader(data), int.from_bytes(data[:2], "big")
    r.expect(r.number(2) in (1, 2, 3), "unknownVersion")
    value = dict(noteID=r.identity(10).hex(), created=r.signed(), modified=r.signed(), flags=r.number(4))
    r.expect(value["flags"] & ~31 == 0, "unknownFeature")  # trashed 1, pinned 2, archived 4, template 8, book 16
    value.update(title=r.text(4096) if r.flag() else None, notebook=r.text(4096))
    count = r.number(4)
    r.expect(count <= 256, "tooLarge")
    value["tags"] = [r.text(4096) for _ in range(count)]
    value.update(source=r.text(8192) if r.flag() else None, attachments=attachment_list(r, version) if version > 1 else [])
    role = r.number(1) if version == 3 else 0
    r.expect(version < 3 or role in (1, 2), "unknownKind")
    r.expect((role == 2) == (value["flags"] & 16 != 0), "notCanonical")
    value.update(role=(None, "place", "book")[role], place=parse_place(r) if role == 1 else None)
    value.update(book=parse_book(r, value["attachments"]) if role == 2 else None, body=r.text(16 << 20))
    r.end()
    return value

def attachment_list(r, version):
    """Version 2 without any is version 1, so that there is one encoding; version 3 has a role and needs none."""
    count = r.number(4)
    r.expect(count != 0 or version == 3, "notCanonical")
    r.expect(count <= 16384, "tooLarge")
    found = [r.identity(16).hex() for _ in range(count)]
    r.expect(len(set(found)) == count, "notCanonical")
    return found

# §9.1: where a note stands in a book, and a book
def parse_place(r):
    return dict(book=r.identity(10).hex(), chapter=r.identity(8).hex() if r.flag() else None, position=r.signed())

def parse_book(r, attachments):
    shelf = r.number(1)
    r.expect(1 <= shelf <= 3, "unknownKind")
    book = dict(shelf=shelf, subtitle=r.text(1024), authors=listed(r, 64, line), publishers=listed(r, 64, line), published=r.text(1024))
    book["identifiers"] = listed(r, 64, identifier)
    unlike(r, map(tuple, book["identifiers"]))
    book.update(pages=r.number(4), language=r.text(1024), cover=r.identity(16).hex() if r.flag() else None)
    r.expect(book["cover"] is None or book["cover"] in attachments, "notCanonical")
    book.update(added=r.signed(), rating=r.number(1))
    r.expect(book["rating"] <= 20, "notCanonical")
    book["readings"] = listed(r, 256, lambda r: [r.number(4), r.number(4)])
    book["chapters"] = listed(r, 1024, lambda r: [r.identity(8).hex(), r.text(4096)])
    unlike(r, (chapter for chapter, _ in book["chapters"]))
    book["log"] = listed(r, 4096, log_entry)
    unlike(r, (entry[0] for entry in book["log"]))
    return book

def listed(r, most, element):
    count = r.number(4)
    r.expect(count <= most, "tooLarge")
    return [element(r) for _ in range(count)]

def unlike(r, items):
    items = list(items)
    r.expect(len(set(items)) == len(items), "notCanonical")

def line(r): return r.text(1024)

def identifier(r):
    kind, value = r.text(32), r.text(1024)
    r.expect(kind and value and not kind.strip("abcdefghijklmnopqrstuvwxyz0123456789"), "notCanonical")
    return [kind, value]

def log_entry(r):
    """Kind 0 has no amount, 1 a page, 2 percent, 3 minutes."""
    name, day, kind, amount = r.identity(8).hex(), r.number(4), r.number(1), r.number(4)
    r.expect(kind < 4, "unknownKind")
    r.expect(kind != 0 or amount == 0, "notCanonical")
    r.expect(kind != 2 or amount <= 100, "notCanonical")
    return [name, day, kind, amount, r.text(1024)]

def encode_record(value):
    """The one encoding of a record's fields."""
    attachments, role = value["attachments"], value["role"]
    version = 3 if role else 2 if attachments else 1
    data = be(version, 2) + HEX(value["noteID"]) + signed(value["created"]) + signed(value["modified"]) + be(value["flags"], 4)
    data += optional(value["title"], encode_text) + encode_text(value["notebook"]) + encode_list(value["tags"], encode_text)
    data += optional(value["source"], encode_text) + (encode_list(attachments, HEX) if version > 1 else b"")
    if role == "place": data += b"\x01" + encode_place(value["place"])
    if role == "book": data += b"\x02" + encode_book(value["book"])
    return data + encode_text(value["body"])

def signed(number): return number.to_bytes(8, "big", signed=True)
def encode_text(text): return prefixed(text.encode())
def optional(value, encode): return b"\0" if value is None else b"\x01" + encode(value)
def encode_list(items, encode): return be(len(items), 4) + b"".join(map(encode, items))

def encode_place(place): return HEX(place["book"]) + optional(place["chapter"], HEX) + signed(place["position"])

def encode_book(book):
    data = be(book["shelf"], 1) + encode_text(book["subtitle"])
    data += encode_list(book["authors"], encode_text) + encode_list(book["publishers"], encode_text) + encode_text(book["published"])
    data += encode_list(book["identifiers"], lambda pair: b"".join(map(encode_text, pair))) + be(book["pages"], 4)
    data += encode_text(book["language"]) + optional(book["cover"], HEX) + signed(book["added"]) + be(book["rating"], 1)
    data += encode_list(book["readings"], lambda days: b"".join(be(day, 4) for day in days))
    data += encode_list(book["chapters"], lambda chapter: HEX(chapter[0]) + encode_text(chapter[1]))
    return data + encode_list(book["log"], lambda one: HEX(one[0]) + be(one[1], 4) + be(one[2], 1) + be(one[3], 4) + encode_text(one[4]))

def record(test):
    value = parse_record(HEX(test["record"]))
    missing = dict(attachments=[], role=None, place=None, book=None)
    expected = missing | {name: test[name] for name in test if name in value} | dict(flags=test["recordFlags"])
    return expected == value and encode_record(expected).hex() == test["record"]

def sealed_record(test):
    key = subkey(HEX(test["vaultKey"]), b"record")
    bound = context("record", HEX(test["vaultID"]), test["epoch"], HEX(test["revisionID"]), HEX(test["noteID"]))
    padded = open_sealed(HEX(test["sealed"]), key, bound)
    content = unpad(padded)
    if parse_record(content)["noteID"] != test["noteID"]: raise Refused("place")
    return content.hex() == test["record"] and seal(padded, key, bound, HEX(test["salt"])).hex() == test["sealed"]

# §11 and §12: index page and log frame
def xaes(key, nonce):
    fixed = b"X\0" + nonce[:12]
    return AESGCM(KBKDFCMAC(algorithms.AES, Mode.CounterMode, 32, 2, None, CounterLocation.BeforeFixed, None, None, fixed).derive(key))

def place(test):
    kind = "indexLog" if "frame" in test else "indexPage"
    key = subkey(HEX(test["vaultKey"]), b"index log" if kind == "indexLog" else b"index page")
    bound = context(kind, HEX(test["vaultID"]), test["epoch"])
    if kind == "indexPage": return key, bound + be(test["pageNumber"], 4)
    return key, bound + HEX(test["logSalt"]) + be(test["frame"], 8) + (HEX(test["sqliteSalts"]) if test["frame"] else bytes(8))

def page_file(test):
    """A page is ciphertext, nonce, tag; a frame of the log is nonce, ciphertext, tag."""
    key, data = place(test)
    nonce, plain = HEX(test["nonce"]), bytes((7 * i + test["seed"]) % 256 for i in range(test["size"]))
    box = xaes(key, nonce).encrypt(nonce[12:], plain, data)
    return plain, (nonce + box if "frame" in test else box[:-16] + nonce + box[-16:])

def open_page(data, test):
    size = {0: 72}.get(test["frame"], 4120) if "frame" in test else 4096
    if len(data) != size: raise Refused("open")
    nonce, box = (data[:24], data[24:]) if "frame" in test else (data[4056:4080], data[:4056] + data[4080:])
    key, associated = place(test)
    try: return xaes(key, nonce).decrypt(nonce[12:], box, associated)
    except InvalidTag: raise Refused("open") from None

def index_page(test, data):
    if "base" not in test:
        plain, made = page_file(test)
        return open_page(made, test) == plain and hashlib.sha256(made).hexdigest() == test["sealedSha256"]
    _, made = page_file(next(t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test["base"]))
    for edit in test["edit"]:
        if edit["op"] == "flip": made = made[:edit["offset"]] + bytes([made[edit["offset"]] ^ 1 << edit["bit"]]) + made[edit["offset"] + 1:]
        elif edit["op"] == "truncate": made = made[:edit["size"]]
        else: raise ValueError("unknown edit")
    return bool(open_page(made, test))

# Vectors/README.md: what an attacker does to sealed bytes
def edited(file, edit):
    op, at = edit["op"], edit.get("offset", edit.get("index"))
    head, rest = file[:56], [file[i:i + CHUNK + 16] for i in range(56, len(file), CHUNK + 16)]
    if op == "flip": return file[:at] + bytes([file[at] ^ 1 << edit["bit"]]) + file[at + 1:]
    if op == "zero": return file[:at] + bytes(edit["size"]) + file[at + edit["size"]:]
    if op == "truncate": return file[:edit["size"]]
    if op == "append": return file + HEX(edit["hex"])
    if op == "dropChunk": del rest[at]
    elif op == "duplicateChunk": rest.insert(at, rest[at])
    elif op == "swapChunks": rest[edit["a"]], rest[edit["b"]] = rest[edit["b"]], rest[edit["a"]]
    else: raise ValueError("unknown edit")
    return head + b"".join(rest)

def runner(check, *more):
    def run(test, _, data):
        try: accepted = check(test, data) if more else check(test)
        except Refused as refused:
            said = (refused.stage, refused.error)
            if said != (test.get("stage"), test.get("error", "")): raise ValueError(f"refused elsewhere: {said}") from None
            return False
        return accepted
    return run

RUNNERS = dict(ManifestTest=runner(manifest), RecordTest=runner(record), SealedRecordTest=runner(sealed_record),
               IndexPageTest=runner(index_page, True), LogFrameTest=runner(index_page, True))
