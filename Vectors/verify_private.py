#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Private notes: keyslots, records and draft keys of two layers, read a second time from docs/format.md §18 alone. verify.py runs it;
none of vault's code takes part. Each function that a test has is also what opens_vault.py opens a whole vault with.
"""
import copy
from argon2.low_level import Type, VerifyMismatchError, verify_secret
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from verify_formats import HEX, Reader, Refused, be, context, open_sealed, parse_record, prefixed, runner, seal, subkey, unpad
from verify_keys import acceptable

class Place:
    """Which vault, note and keys a test, or a vault, is about. A subkey of the note key is derived as one of the vault key is."""
    def __init__(self, vault_key, vault_id, epoch, note_id=b"", note_key=b"", key_epoch=0):
        self.vault_key, self.vault_id, self.epoch, self.note_key, self.key_epoch = vault_key, vault_id, epoch, note_key, key_epoch
        self.note_id = note_id
    @classmethod
    def of(cls, test):
        place = cls(*(HEX(test[name]) for name in ("vaultKey", "vaultID")), test["epoch"])
        place.note_id = Reader(HEX(test["noteID"])).identity(10)
        place.note_key, place.key_epoch = HEX(test.get("noteKey", "")), test.get("keyEpoch", 0)
        return place
    def under(self, vault_key, epoch):
        """The same place under the vault key of another epoch; a note key and its epoch stay."""
        other = copy.copy(self)
        other.vault_key, other.epoch = vault_key, epoch
        return other
    def outer(self, label, kind, object_id, role=b""):
        return subkey(self.vault_key, label), context(kind, self.vault_id, self.epoch, object_id, role)
    def inner(self, label, kind, object_id, role):
        return subkey(self.note_key, label), context(kind, self.vault_id, self.key_epoch, object_id, role)

def opened(sealed, key, bound, stage):
    try: return open_sealed(sealed, key, bound)
    except Refused: raise Refused(stage) from None

def unpadded(padded, stage):
    try: return unpad(padded)
    except Refused: raise Refused(stage) from None

def opened_inner(sealed, key, bound): return unpadded(opened(sealed, key, bound, "innerOpen"), "innerPadding")

# The keyslot
def parse_note_keyslot(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    slot = dict(noteID=r.identity(10).hex(), keyEpoch=r.number(4))
    r.expect(slot["keyEpoch"] != 0, "allZero")
    slot.update(showsTitle=r.flag(), memoryKiB=r.number(4), iterations=r.number(4), parallelism=r.number(4), slotSalt=r.take(32).hex())
    slot.update(wrapped=r.take(104).hex(), passwordHash=r.text(256))
    r.end()
    return slot

def slot_cost(slot): return slot["memoryKiB"], slot["iterations"], slot["parallelism"]

def note_kek(password, slot):
    m, t, p = slot_cost(slot)
    return Argon2id(salt=HEX(slot["slotSalt"]), length=32, iterations=t, lanes=p, memory_cost=m).derive(password)

def note_key_context(vault_id, slot):
    role = b"".join(be(number, 4) for number in slot_cost(slot)) + HEX(slot["slotSalt"])
    return context("noteKey", vault_id, slot["keyEpoch"], HEX(slot["noteID"]), role)

def note_key(slot, kek, vault_id):
    key = opened(HEX(slot["wrapped"]), kek, note_key_context(vault_id, slot), "unwrap")
    if len(key) != 32: raise Refused("unwrap")
    return key

def open_note_keyslot(sealed, place):
    padded = open_sealed(sealed, *place.outer(b"note keyslot", "noteKeyslot", place.note_id))
    slot = parse_note_keyslot(unpad(padded))
    if slot["noteID"] != place.note_id.hex(): raise Refused("place")
    if not acceptable(slot_cost(slot)): raise Refused("cost")
    return padded, slot

def is_hash_of(text, password):
    """What any program with an Argon2 library says of passwordHash."""
    try: return verify_secret(text.encode(), password, Type.ID)
    except VerifyMismatchError: return False

def note_keyslot(test):
    slot = parse_note_keyslot(HEX(test["slot"]))
    if not acceptable(slot_cost(slot)): raise Refused("cost")
    return all(test[name] == slot[name] for name in slot)

def sealed_note_keyslot(test):
    place, kek = Place.of(test), HEX(test["kek"])
    padded, slot = open_note_keyslot(HEX(test["sealed"]), place)
    password = HEX(test["password"]) if "password" in test else None
    if password is not None and not (note_kek(password, slot) == kek and is_hash_of(slot["passwordHash"], password)): return False
    key, bound = note_key(slot, kek, place.vault_id), note_key_context(place.vault_id, slot)
    same = key.hex() == test["noteKey"] and unpad(padded).hex() == test["slot"] and slot["keyEpoch"] == test["keyEpoch"]
    same = same and seal(key, kek, bound, HEX(test["wrapSalt"])).hex() == slot["wrapped"]
    again = seal(padded, *place.outer(b"note keyslot", "noteKeyslot", place.note_id), HEX(test["salt"]))
    return same and again.hex() == test["sealed"]

# A revision
def parse_private_record(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    value = dict(noteID=r.identity(10).hex(), created=r.signed(), modified=r.signed(), flags=r.number(4))
    r.expect(value["flags"] & ~15 == 0, "unknownFeature")
    value.update(title=r.text(4096) if r.flag() else None, keyEpoch=r.number(4))
    r.expect(value["keyEpoch"] != 0, "allZero")
    value.update(contentRevision=r.identity(16).hex(), inner=r.string(20 << 20).hex())
    r.end()
    return value

def open_private_record(sealed, place, revision_id):
    """What whoever has the vault key alone reads."""
    padded = open_sealed(sealed, *place.outer(b"private record", "privateRecord", revision_id, place.note_id))
    value = parse_private_record(unpad(padded))
    if value["noteID"] != place.note_id.hex(): raise Refused("place")
    return padded, value

def open_inner_record(value, place):
    if value["keyEpoch"] != place.key_epoch: raise Refused("place")
    content = opened_inner(HEX(value["inner"]), *inner_place(value, place))
    found = parse_record(content)
    if found["noteID"] != place.note_id.hex(): raise Refused("place")
    return content, found

def inner_place(value, place): return place.inner(b"inner record", "innerRecord", HEX(value["contentRevision"]), place.note_id)

def private_record(test):
    value = parse_private_record(HEX(test["record"]))
    expected = dict(test, flags=test["recordFlags"])
    return all(expected[name] == value[name] for name in value)

def sealed_private_record(test):
    place, revision_id = Place.of(test), Reader(HEX(test["revisionID"])).identity(16)
    padded, value = open_private_record(HEX(test["sealed"]), place, revision_id)
    content, _ = open_inner_record(value, place)
    inner_key, inner_bound = inner_place(value, place)
    inner_padded = open_sealed(HEX(value["inner"]), inner_key, inner_bound)
    again = seal(padded, *place.outer(b"private record", "privateRecord", revision_id, place.note_id), HEX(test["salt"]))
    inner_again = seal(inner_padded, inner_key, inner_bound, HEX(test["innerSalt"]))
    return (content.hex(), unpad(padded).hex(), again.hex(), inner_again.hex()) == (test["content"], test["record"], test["sealed"], value["inner"])

# A draft's key
def parse_draft_fields(data):
    r = Reader(data)
    value = dict(title=r.text(4096) if r.flag() else None, notebook=r.text(4096))
    count = r.number(4)
    r.expect(count <= 256, "tooLarge")
    value["tags"] = [r.text(4096) for _ in range(count)]
    r.end()
    return value

def parse_private_draft_key(data):
    r = Reader(data)
    value = dict(innerWrapped=r.string(256), sealedFields=r.string(2 << 20))
    r.end()
    return value

def open_private_draft_key(wrapped, place, draft_id):
    parts = parse_private_draft_key(opened(wrapped, *place.outer(b"draft key", "draftKey", draft_id), "unwrap"))
    key = opened(parts["innerWrapped"], *place.inner(b"inner draft key", "innerDraftKey", draft_id, place.note_id), "innerUnwrap")
    if len(key) != 32: raise Refused("innerUnwrap")
    fields = opened_inner(parts["sealedFields"], *place.inner(b"inner draft fields", "innerDraftFields", draft_id, place.note_id))
    return key, fields, parse_draft_fields(fields)

def private_draft_key(test):
    place, draft_id = Place.of(test), Reader(HEX(test["draftID"])).identity(16)
    key, content, fields = open_private_draft_key(HEX(test["wrapped"]), place, draft_id)
    if key.hex() != test["draftKey"] or not all(test[name] == fields[name] for name in fields): return False
    inner = seal(key, *place.inner(b"inner draft key", "innerDraftKey", draft_id, place.note_id), HEX(test["innerSalt"]))
    padded = opened(parse_private_draft_key(opened(HEX(test["wrapped"]), *place.outer(b"draft key", "draftKey", draft_id), ""))["sealedFields"],
                    *place.inner(b"inner draft fields", "innerDraftFields", draft_id, place.note_id), "")
    sealed_fields = seal(padded, *place.inner(b"inner draft fields", "innerDraftFields", draft_id, place.note_id), HEX(test["fieldsSalt"]))
    whole = seal(prefixed(inner) + prefixed(sealed_fields), *place.outer(b"draft key", "draftKey", draft_id), HEX(test["salt"]))
    return whole.hex() == test["wrapped"] and content == unpad(padded)

RUNNERS = dict(NoteKeyslotTest=runner(note_keyslot), SealedNoteKeyslotTest=runner(sealed_note_keyslot), PrivateRecordTest=runner(private_record),
               SealedPrivateRecordTest=runner(sealed_private_record), PrivateDraftKeyTest=runner(private_draft_key))
