#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Archives and snapshots of backups, read a second time from docs/format.md §21 and §22 alone. verify.py runs it; none of vault's code takes part.
What an archive's items say of each other is asked after all of them were read, each rule under a name of its own.
"""
import hashlib, hmac
from verify_attachments import parse_details
from verify_drafts import parse_draft
from verify_formats import HEX, Reader, Refused, context, edited, open_sealed, pad, parse_record, runner, seal, subkey, unpad
from verify_keys import RECOVERY_KEY, acceptable, derived_kek, header_mac, parse_header, slot_context
from verify_private import parse_note_keyslot, parse_private_draft_key, parse_private_record

HEADER_CAP, ARCHIVE_HEADER_CAP, ITEM_CAP, FILE_CAP, SIZE_CAP, PIECE = 1439, 1423, 23_068_672, 20 << 20, 1 << 41, 65536
VAULT, ENTRY, KEYSLOT, REVISION, ATTACHMENT, DRAFT, CHANGE, END = range(1, 9)
PURGE, DROP, FORK, STATEMENT = 5, 6, 7, 9

def step(condition, stage):
    if not condition: raise Refused(stage)

def rule(condition, name):
    if not condition: raise Refused("content", name)

def rest(r): return r.data[r.at:]

# The frame around either: magic, header, and what is sealed under a subkey of the header's key
def header_key(head, test):
    """Costs of all slots first, then the slots of the credential's kind, then the MAC (5)."""
    if not all(slot["kind"] == RECOVERY_KEY or acceptable(slot["cost"]) for slot in head["slots"]): raise Refused("cost")
    for slot in head["slots"]:
        if (slot["kind"] == RECOVERY_KEY) != ("recoveryKey" in test): continue
        try: key = open_sealed(slot["wrapped"], derived_kek(test, slot), slot_context(head, slot))
        except Refused as refused:
            if refused.stage == "recoveryKey": raise
            continue
        if not hmac.compare_digest(header_mac(head["covered"], key), head["mac"]): raise Refused("mac")
        return key
    raise Refused("unwrap")

def stream_place(head, key): return subkey(key, b"export"), context("archive", head["vaultID"], head["epoch"])

def header_bytes(r, cap=HEADER_CAP):
    size = r.number(2)
    r.expect(size <= cap, "tooLarge")
    return r.take(size)

def open_archive(file, test):
    r = Reader(file)
    r.expect(r.take(4) == b"VLA1", "badMagic")
    head = parse_header(header_bytes(r, ARCHIVE_HEADER_CAP))
    r.expect(head["copyID"] is None, "badMagic")
    key = header_key(head, test)
    return key, unpad(open_sealed(rest(r), *stream_place(head, key)))

# §21: one parser for each kind of item
def parse_vault(r):
    version = r.number(2)
    r.expect(version in (1, 2), "unknownVersion")
    value = dict(version=version, vaultID=r.identity(16), epoch=r.number(4), counter=r.number(8), generation=r.number(8), made=r.signed(), device=r.identity(16))
    r.expect(1 <= value["epoch"] < 1 << 31 and 1 <= value["counter"] < 1 << 62 and value["generation"] < 1 << 62, "notCanonical")
    return value

def parse_entry(r):
    r.expect(r.number(2) == 1, "unknownVersion")
    value = dict(bytes=r.data, device=r.identity(16), sequence=r.number(8), operation=r.number(1), note=r.identity(10))
    r.expect(1 <= value["operation"] <= STATEMENT, "unknownKind")
    value["revision"] = r.identity(16)
    value.update(parents=[r.identity(16) for _ in range(r.number(1))], previous=r.take(32))
    return value

def parse_keyslot(r):
    value = parse_note_keyslot(r.take(len(r.data)))
    return dict(id=HEX(value["noteID"]), note=HEX(value["noteID"]), keyEpoch=value["keyEpoch"])

def parse_revision(r):
    value = dict(id=r.identity(16), note=r.identity(10), made=r.signed(), isPrivate=r.flag())
    record = (parse_private_record if value["isPrivate"] else parse_record)(r.string(ITEM_CAP))
    rule(HEX(record["noteID"]) == value["note"], "place")
    return dict(value, attachments=record.get("attachments", []), keyEpoch=record.get("keyEpoch"))

def parse_attachment(r):
    value = dict(id=r.identity(16), note=r.identity(10), isPrivate=r.flag())
    details = r.string(65536)
    value["size"] = r.number(8)
    r.expect(value["size"] <= SIZE_CAP, "tooLarge")
    if not value["isPrivate"]: rule(parse_details(details)["size"] == value["size"], "size")
    return value

def parse_draft_item(r):
    value = dict(id=r.identity(16), note=r.identity(10) if r.flag() else None, base=r.identity(16) if r.flag() else None)
    count = r.number(4)
    r.expect(count <= 200, "tooLarge")
    value.update(joins=[r.identity(16) for _ in range(count)], created=r.signed(), discarded=r.signed() if r.flag() else None)
    value.update(isTemplate=r.flag(), title=r.text(4096) if r.flag() else None, notebook=r.text(4096), tags=r.text(256 * 4097))
    tags = value["tags"].split("\n") if value["tags"] else []
    r.expect(len(tags) <= 256 and all(len(tag.encode()) <= 4096 for tag in tags), "tooLarge")
    value["isPrivate"] = r.flag()
    rule(not value["isPrivate"] or (value["title"], value["notebook"], tags) == (None, "", []), "privacy")
    if value["isPrivate"]: parse_private_draft_key(r.string((2 << 20) + 264))
    if r.flag():
        file = r.string(FILE_CAP)
        if not value["isPrivate"]: parse_draft(file)
    return value

def parse_change(r):
    value = dict(id=r.signed(), command=r.signed(), kind=r.text(64), made=r.signed(), first=r.signed(), last=r.signed())
    rule(value["id"] > 0 and value["command"] > 0 and 1 <= value["first"] <= value["last"], "change")
    return value

def parse_end(r): return dict(numbers=[r.number(8) for _ in range(6)])

PARSERS = {VAULT: parse_vault, ENTRY: parse_entry, KEYSLOT: parse_keyslot, REVISION: parse_revision, ATTACHMENT: parse_attachment,
           DRAFT: parse_draft_item, CHANGE: parse_change, END: parse_end}

def read_items(content):
    """The items by kind; the kinds never fall, and nothing is after the end."""
    r, found, last = Reader(content), {kind: [] for kind in PARSERS}, 0
    while last != END:
        kind = r.number(1) if rest(r) else 0  # what a reader of a stream finds there: the padding
        r.expect(kind in PARSERS, "unknownKind")
        payload = Reader(r.string(ITEM_CAP))
        found[kind].append(PARSERS[kind](payload))
        payload.end()
        step(kind >= last and kind != VAULT if last else kind == VAULT, "order")
        last = kind
        if kind == ATTACHMENT: r.take(found[kind][-1]["size"])
    step(found[END][0]["numbers"] == [len(found[kind]) for kind in range(ENTRY, END)], "numbers")
    step(not rest(r), "padding")
    return found

# §21 and §10: what the items say of each other
def check_chain(entries, device, version):
    """The own chain has no gap; those of other devices, which version 2 alone may have, fit as far as they are there."""
    rule(version == 2 or all(entry["operation"] <= FORK for entry in entries), "chain")
    ends = {}
    for entry in entries:
        own = entry["device"] == device
        rule(own or version == 2, "chain")
        last, digest = ends.get(entry["device"], (0, bytes(32)))
        follows = entry["sequence"] == last + 1 and entry["previous"] == digest
        rule(follows or not own and entry["sequence"] > last + 1, "chain")
        ends[entry["device"]] = entry["sequence"], hashlib.sha256(entry["bytes"]).digest()
    return ends.get(device, (0, None))[0]

def made_by(entries): return [entry for entry in entries if entry["operation"] not in (PURGE, DROP, STATEMENT)]

def taken_by_purges(entries):
    """What purges name, and all that it came from."""
    under, taken = {}, set()
    for entry in made_by(entries): under.setdefault(entry["revision"], []).extend(entry["parents"])
    left = [parent for entry in entries if entry["operation"] == PURGE for parent in entry["parents"]]
    while left:
        if (at := left.pop()) not in taken: taken.add(at); left += under.get(at, [])
    return taken

def heads_of(entries, version):
    """Which revisions are heads; in what order does not matter here. With several devices one that was let go of is passed over."""
    made, passed = {entry["revision"] for entry in made_by(entries)} - taken_by_purges(entries), set()
    dropped = {entry["revision"] for entry in entries if entry["operation"] == DROP and version == 2}
    while True:
        named = [entry for entry in entries if entry["operation"] not in (DROP, STATEMENT) and entry["revision"] not in passed]
        heads = made - passed - {parent for entry in named for parent in entry["parents"]}
        if not heads & dropped: return heads
        passed |= heads & dropped

def check_revisions(entries, revisions):
    made = [(entry["revision"], entry["note"]) for entry in made_by(entries)]
    by_device = [(entry["revision"], entry["device"]) for entry in made_by(entries)]
    dropped = {entry["revision"] for entry in entries if entry["operation"] == DROP}
    taken = taken_by_purges(entries)
    rule(len(set(by_device)) == len(made) and len({revision for revision, _ in made}) == len(set(made)), "twice")
    wanted = {pair for pair in made if pair[0] not in dropped | taken}
    came = {(revision["id"], revision["note"]) for revision in revisions}
    rule(came <= wanted, "revisionWithoutEntry")
    rule(wanted <= came, "entryWithoutRevision")

def check_privacy(found):
    keys = {slot["note"]: slot["keyEpoch"] for slot in found[KEYSLOT]}
    for kind in (REVISION, ATTACHMENT, DRAFT):
        for item in found[kind]: rule(item["isPrivate"] == (item["note"] in keys), "privacy")
    rule(all(item["keyEpoch"] == keys[item["note"]] for item in found[REVISION] if item["isPrivate"]), "keyEpoch")

def check_attachments(found):
    there = {item["id"].hex() for item in found[ATTACHMENT]}
    revisions = {item["id"]: item for item in found[REVISION]}
    for head in heads_of(found[ENTRY], found[VAULT][0]["version"]):
        rule(head in revisions, "head")
        rule(set(revisions[head]["attachments"]) <= there, "attachments")

def check_items(found):
    entries = found[ENTRY]
    own = check_chain(entries, found[VAULT][0]["device"], found[VAULT][0]["version"])
    for kind in (KEYSLOT, REVISION, ATTACHMENT, DRAFT, CHANGE):
        rule(len({item["id"] for item in found[kind]}) == len(found[kind]), "twice")
    check_revisions(entries, found[REVISION])
    check_privacy(found)
    check_attachments(found)
    rule(all(change["last"] <= own for change in found[CHANGE]), "change")

def archive(test, data):
    base = next((t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test.get("base")), test)
    file = HEX(base["archive"])
    at = 6 + int.from_bytes(file[4:6], "big")
    stream = file[at:]
    for edit in test.get("edit", []): stream = edited(stream, edit)
    key, content = open_archive(file[:at] + stream, test)
    found = read_items(content)
    check_items(found)
    if "salt" not in test: return True
    stream_key, bound = stream_place(parse_header(file[6:at]), key)
    same = content.hex() == test["content"] if "content" in test else hashlib.sha256(content).hexdigest() == test["contentSha256"]
    same = same and found[END][0]["numbers"] == test["numbers"]
    return same and key.hex() == test["archiveKey"] and seal(pad(content), stream_key, bound, HEX(test["salt"])) == stream

# §22: a snapshot
def parse_list(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    value = dict(made=r.signed(), generation=r.number(8), numbers=[r.number(8) for _ in range(6)], manifest=r.string(65536).hex())
    value["indexSize"] = r.number(8)
    def rows(read):
        count = r.number(4)
        r.expect(count <= len(data) - r.at, "truncated")
        return [read() for _ in range(count)]
    value["pieces"] = rows(lambda: r.take(32).hex())
    r.expect(len(value["pieces"]) == -(-value["indexSize"] // PIECE), "notCanonical")  # more or fewer than the index needs
    value["objects"] = rows(lambda: [r.identity(32).hex(), r.number(8)])
    value["drafts"] = rows(lambda: [r.identity(16).hex(), r.take(32).hex()])
    r.end()
    return value

def snapshot_list(test):
    value = parse_list(HEX(test["list"]))
    return all(test[name] == value[name] for name in value)

def snapshot(test):
    r = Reader(HEX(test["snapshot"]))
    r.expect(r.take(4) == b"VLB1", "badMagic")
    snapshot_id, header = r.identity(16), header_bytes(r)
    head = parse_header(header)
    key = header_key(head, test)
    list_place = subkey(key, b"backup"), context("snapshot", head["vaultID"], head["epoch"], snapshot_id, hashlib.sha256(header).digest())
    padded = open_sealed(rest(r), *list_place)
    content = unpad(padded)
    parse_list(content)
    if "salt" not in test: return True
    same = (snapshot_id.hex(), key.hex(), content.hex()) == (test["snapshotID"], test["vaultKey"], test["list"])
    return same and seal(padded, *list_place, HEX(test["salt"])) == rest(r)

RUNNERS = dict(ArchiveTest=runner(archive, True), ArchiveContentTest=runner(archive, True), SnapshotListTest=runner(snapshot_list),
               SnapshotTest=runner(snapshot))
