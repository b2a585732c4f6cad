#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Attachment records, objects and thumbnails, read a second time from docs/format.md §19 alone. verify.py runs it; none of vault's code
takes part. Ranges are opened chunk by chunk with AES-256-GCM, because a range must not need the rest of its object.
"""
import hashlib
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from verify_formats import CHUNK, HEX, Reader, Refused, be, edited, open_sealed, pad, padded_size, runner, seal, unpad
from verify_private import Place, opened_inner, unpadded

# The record
def parse_details(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    value = dict(kind=r.number(1))
    r.expect(value["kind"] <= 4, "unknownKind")
    value["name"] = r.text(255)
    r.expect(value["name"] != "", "notCanonical")
    value.update(caption=r.text(4096), mediaType=r.text(255), size=r.number(8), created=r.signed(), width=r.number(4), height=r.number(4))
    value["isStripped"] = r.flag()
    r.end()
    return value

def parse_attachment_record(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    value = dict(attachmentID=r.identity(16).hex(), noteID=r.identity(10).hex(), objectName=r.identity(32).hex(), fileSize=r.number(8))
    value.update(commitment=r.take(32).hex(), isPrivate=r.flag(), details=r.string(65536).hex())
    r.end()
    return value

def inner_place(place, attachment_id): return place.inner(b"inner details", "innerDetails", attachment_id, place.note_id)
def outer_place(place, attachment_id): return place.outer(b"details of an attachment", "attachment", attachment_id, place.note_id)

def open_attachment_record(sealed, place, attachment_id, object_name):
    """What the vault key alone opens; of a private note `details` is sealed still."""
    value = parse_attachment_record(unpad(open_sealed(sealed, *outer_place(place, attachment_id))))
    named = value["attachmentID"], value["noteID"], value["objectName"], value["isPrivate"]
    if named != (attachment_id.hex(), place.note_id.hex(), object_name.hex(), bool(place.key_epoch)): raise Refused("place")
    return value

def open_details(value, place, attachment_id):
    sealed = HEX(value["details"])
    return opened_inner(sealed, *inner_place(place, attachment_id)) if value["isPrivate"] else sealed

def details(test):
    value = parse_details(HEX(test["details"]))
    return all(test[name] == value[name] for name in value)

def attachment_record(test):
    value = parse_attachment_record(HEX(test["record"]))
    return all(test[name] == value[name] for name in value)

def sealed_attachment_record(test):
    place, attachment_id, name = Place.of(test), *(Reader(HEX(test[n])).identity(s) for n, s in (("attachmentID", 16), ("objectName", 32)))
    value = open_attachment_record(HEX(test["sealed"]), place, attachment_id, name)
    content = open_details(value, place, attachment_id)
    parse_details(content)
    padded = open_sealed(HEX(test["sealed"]), *outer_place(place, attachment_id))
    same = content.hex() == test["details"] and unpad(padded).hex() == test["record"]
    if value["isPrivate"]: same = same and seal(pad(content), *inner_place(place, attachment_id), HEX(test["innerSalt"])).hex() == value["details"]
    return same and seal(padded, *outer_place(place, attachment_id), HEX(test["salt"])).hex() == test["sealed"]

# The object
def sealed_size(size): return 56 + size + 16 * (size // CHUNK + 1)
def layer_size(size): return sealed_size(padded_size(size + 8))

class Layer:
    """One Cobblestone object of known plaintext size, opened where it is asked for. `read(begin, end)` gives sealed bytes."""
    def __init__(self, read, plain_size, key, bound, stage):
        head = read(0, 56)
        info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + head[:24] + bound
        made = HKDFExpand(hashes.SHA512(), 76, info).derive(key)
        if made[44:] != head[24:]: raise Refused(stage)
        self.read, self.size, self.stage = read, plain_size, stage
        self.box, self.base = AESGCM(made[:32]), int.from_bytes(made[32:44], "big")
    def chunk(self, i):
        """i-th chunk; the last one is shorter than the others, and may be empty."""
        begin, size = 56 + (CHUNK + 16) * i, min(CHUNK, self.size - CHUNK * i)
        try: return self.box.decrypt(be(self.base ^ i, 12), self.read(begin, begin + size + 16), b"")
        except InvalidTag: raise Refused(self.stage) from None
    def part(self, begin, end):
        if begin >= end: return b""
        first = begin // CHUNK
        return b"".join(self.chunk(i) for i in range(first, (end - 1) // CHUNK + 1))[begin - first * CHUNK:end - first * CHUNK]
    def whole(self): return b"".join(self.chunk(i) for i in range(self.size // CHUNK + 1))

class Object:
    """A sealed file with what its record says: `file_size`, `commitment`, and the size of the content."""
    def __init__(self, file, place, attachment_id, name, file_size, commitment, size):
        outer_content = layer_size(size) if place.key_epoch else size
        if len(file) != file_size or file_size != layer_size(outer_content): raise Refused("size")
        if file[24:56] != commitment: raise Refused("commitment")
        self.size, self.place, self.attachment_id, self.outer_content = size, place, attachment_id, outer_content
        key, bound = place.outer(b"attachment", "object", name, attachment_id)
        self.outer = Layer(lambda a, b: file[a:b], padded_size(outer_content + 8), key, bound, "open")
    def inner(self, read):
        key, bound = self.place.inner(b"inner attachment", "innerObject", self.attachment_id, self.place.note_id)
        return Layer(read, padded_size(self.size + 8), key, bound, "innerOpen")
    def part(self, begin, end):
        if end > self.size: raise ValueError("beyond the content")
        return (self.inner(self.outer.part) if self.place.key_epoch else self.outer).part(begin, end)
    def content(self):
        """All of it, with its padding."""
        within = self.unpad(self.outer.whole(), self.outer_content, "padding")
        if not self.place.key_epoch: return within
        return self.unpad(self.inner(lambda a, b: within[a:b]).whole(), self.size, "innerPadding")
    @staticmethod
    def unpad(padded, size, stage):
        content = unpadded(padded, stage)
        if len(content) != size: raise Refused(stage)
        return content

def content_of(test):
    return HEX(test["content"]) if "content" in test else bytes((7 * i + test["size"]) % 256 for i in range(test["size"]))

def seal_object(test, edits):
    """The file that this test describes; an invalid test may change what is within a layer before that layer is sealed."""
    place, attachment_id, name = Place.of(test), HEX(test["attachmentID"]), HEX(test["objectName"])
    content = content_of(test)
    if place.key_epoch:
        padded = change(pad(content), edits.get("innerPaddedEdit", []))
        content = seal(padded, *place.inner(b"inner attachment", "innerObject", attachment_id, place.note_id), HEX(test["innerSalt"]))
        content = change(content, edits.get("innerEdit", []))
    padded = change(pad(content), edits.get("paddedEdit", []))
    file = seal(padded, *place.outer(b"attachment", "object", name, attachment_id), HEX(test["salt"]))
    return change(file, edits.get("edit", []))

def change(data, edits):
    for edit in edits: data = edited(data, edit)
    return data

def open_object(file, test):
    place, attachment_id, name = Place.of(test), *(Reader(HEX(test[n])).identity(s) for n, s in (("attachmentID", 16), ("objectName", 32)))
    return Object(file, place, attachment_id, name, test["fileSize"], HEX(test["commitment"]), test["size"])

def sealed_object(test, data):
    if "base" in test:
        base = next(t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test["base"])
        return open_object(seal_object(base, test), test).content() is not None
    file, content = seal_object(test, {}), content_of(test)
    same = file.hex() == test["sealed"] if "sealed" in test else hashlib.sha256(file).hexdigest() == test["sealedSha256"]
    found = open_object(file, test)
    ranges = all(found.part(begin, begin + size) == content[begin:begin + size] for begin, size in test["ranges"])
    return same and ranges and found.content() == content

def object_range(test, data):
    """Only this part is opened: what is wrong elsewhere does not matter to it, what is wrong in its chunks does."""
    base = next(t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test["base"])
    begin, size = test["range"]
    return open_object(seal_object(base, test), test).part(begin, begin + size) == content_of(base)[begin:begin + size]

# The thumbnail
def open_thumbnail(sealed, place, attachment_id):
    content = unpad(open_sealed(sealed, *place.outer(b"thumbnail", "thumbnail", attachment_id, place.note_id)))
    if not place.key_epoch: return content
    return opened_inner(content, *place.inner(b"inner thumbnail", "innerThumbnail", attachment_id, place.note_id))

def thumbnail(test):
    place, attachment_id = Place.of(test), Reader(HEX(test["attachmentID"])).identity(16)
    content = open_thumbnail(HEX(test["sealed"]), place, attachment_id)
    layer = content
    if place.key_epoch:
        layer = seal(pad(content), *place.inner(b"inner thumbnail", "innerThumbnail", attachment_id, place.note_id), HEX(test["innerSalt"]))
    again = seal(pad(layer), *place.outer(b"thumbnail", "thumbnail", attachment_id, place.note_id), HEX(test["salt"]))
    return content.hex() == test["thumbnail"] and again.hex() == test["sealed"]

RUNNERS = dict(AttachmentDetailsTest=runner(details), AttachmentRecordTest=runner(attachment_record),
               SealedAttachmentRecordTest=runner(sealed_attachment_record), ObjectTest=runner(sealed_object, True),
               ObjectRangeTest=runner(object_range, True), ThumbnailTest=runner(thumbnail))
