#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Opens a vault, an archive, a snapshot or the files of a remote; written from docs/format.md alone (§). Needs Python
3.11, cryptography and argon2-cffi, memory for an attachment or an archive. Exits with 0, 4 (wrong password), 13
(damage), or others. With --salvage it reads what is whole in a damaged vault. It exits with 12 when something in that
is lost, or when something that a remote should hold is not there."""
import argparse, base64, collections, contextlib, fcntl, functools, getpass, hashlib, hmac, itertools, json, math, os, re
import sqlite3, stat, struct, sys, tempfile, time
from pathlib import Path; from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
CHUNK, PAGE, FRAME, PIECE, BODY, ITEM, LOG = 16384, 4096, 4120, 65536, 16 << 20, 22 << 20, 8 << 30
LOCK = (1 << 30) // PAGE + 1            # the page that is never used (§11)
MANIFESTS = [one + end for end in ("", ".next", ".new") for one in ("manifest", "manifest.2")]
Header = collections.namedtuple("Header", "vault epoch counter slots data identity")
Manifest = collections.namedtuple("Manifest", "generation pages salt synced open counter digest root slot")

class Refused(Exception): "What the document says a reader refuses: exit 13."

class NoFit(Refused): "A commitment is of another key or context (§4.1)."

class Failed(Exception): "Another failure: the code to exit with, and a text."

def need(condition, text):
    if not condition: raise Refused(text)

def base32(data): return data and base64.b32encode(data).decode().lower().rstrip("=")

class Fields:
    """Reads a record's fields one by one, and refuses what §2 says. A word names each: u4 is a number of 4 bytes, i8 an
    Int64, b9 bytes, x16 an identifier, v2 a version that is 1, f1 a flag, s9 and t9 a byte string and a text of at most
    9 bytes, l9x16 a list of at most 9 identifiers; what follows ? is there when a flag before it is 1."""
    def __init__(self, data): self.data, self.at = data, 0
    def take(self, count):
        need(count <= len(self.data) - self.at, "a record ends early")
        self.at += count; return bytes(self.data[self.at - count:self.at])
    def one(self, word):
        if word[0] == "?": return self.one(word[1:]) if self.one("f1") else None
        kind, cap, element = re.fullmatch("([a-z])([0-9]+)(.*)", word).groups()
        size = self.one("u4") if kind in "stl" else int(cap)
        need(size <= int(cap), "a length or count is above its cap")
        if kind == "l": return [self.one(element) for _ in range(size)]
        data = self.take(size); number = int.from_bytes(data, "big", signed=kind == "i") if kind in "uivf" else None
        need(kind != "v" or number == 1, "a newer format")
        need(kind not in "xf" or (any(data) if kind == "x" else number < 2), "an identifier or a flag is not right")
        return number == 1 if kind == "f" else data.decode() if kind == "t" else data if number is None else number
    def all(self, words): return [self.one(word) for word in words.split()]
    def many(self, most, words):
        """A list of at most so many groups of fields."""
        count = self.one("u4"); need(count <= most, "a length or count is above its cap")
        return [self.all(words) for _ in range(count)]
    def end(self, words=""):
        values = self.all(words)
        need(self.at == len(self.data), "a record goes on after its last field"); return values

class Key:
    """A key with the vault ID and the epoch of its contexts: a vault's, a note's, a draft's or a KEK (§3, §4.2)."""
    def __init__(self, key, vault, epoch):
        need(len(key) == 32, "a key has not 32 bytes"); self.key, self.vault, self.epoch = key, vault, epoch
    def subkey(self, label):
        return HKDFExpand(SHA512(), 32, b"vault/v1 " + label.encode()).derive(self.key) if label else self.key
    def context(self, kind, subject=b"", role=b""):
        parts = (b"vault/v1", bytes([kind]), self.vault, subject, role, struct.pack(">I", self.epoch))
        return b"".join(struct.pack(">I", len(part)) + part for part in parts)
    def unseal(self, label, kind, subject, role, data, padded=True, size=None, floor=256):
        """A sealed object (§4) without its padding; without a label under the key itself; with a size, of a file."""
        read, size = (data.read, size) if size else (Fields(data).take, len(data))
        plain = unseal(read, size, self.subkey(label), self.context(kind, subject, role))
        if not padded: return plain
        count = int.from_bytes(plain[-8:], "big"); e = (count + 8).bit_length() - 1
        mask = (1 << max(0, e - e.bit_length())) - 1                    # §4.3
        need(count + 8 <= len(plain) == max(floor, (count + 8 + mask) & ~mask), "a padded size is not right")
        need(plain.count(0, count, len(plain) - 8) == len(plain) - 8 - count, "a filling is not zero")
        return plain[:count]

def unseal(read, size, key, bound):
    """Cobblestone-256 (§4.1) of `size` sealed bytes."""
    full, rest = divmod(size - 56, CHUNK + 16); need(size >= 72 and rest >= 16, "a sealed object has no last chunk")
    salt, commitment, plain = read(24), read(32), bytearray()
    info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt + bound
    derived = HKDFExpand(SHA512(), 76, info).derive(key)
    if not hmac.compare_digest(derived[44:], commitment): raise NoFit("a sealed object does not open")
    cipher, nonce = aead.AESGCM(derived[:32]), int.from_bytes(derived[32:44], "big")
    try:
        for number in range(full + 1):
            sealed = read(CHUNK + 16 if number < full else rest)
            plain += cipher.decrypt((nonce ^ number).to_bytes(12, "big"), sealed, None)
    except InvalidTag: raise Refused("a sealed object is damaged") from None
    return plain

def xaes(key):
    """XAES-256-GCM (§11): what opens nonce ‖ ciphertext ‖ tag, and gives None when that is not authentic."""
    block = lambda number: Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(number.to_bytes(16, "big"))
    doubled = int.from_bytes(block(0), "big") << 1
    k1 = (doubled ^ 0x87 if doubled >> 128 else doubled) & (1 << 128) - 1
    def opened(data, bound):
        halves = [block(int.from_bytes(bytes([0, i, 88, 0]) + data[:12], "big") ^ k1) for i in (1, 2)]
        with contextlib.suppress(InvalidTag):
            return aead.AESGCM(b"".join(halves)).decrypt(data[12:24], data[24:], bound)
    return opened

def check_costs(m, t, p):
    """§5, before any memory is taken."""
    need(65536 <= m <= 4194304 and 3 <= t <= 64 and 1 <= p <= 16, "costs are out of bounds")
def fits(m): return m <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2048
@functools.lru_cache                    # private notes of one import may share their salt (§18)
def argon2id(password, salt, m, t, p, secret=None):
    """§6; argon2-cffi takes no key file, and not every `cryptography` has Argon2id."""
    if not secret: return hash_secret_raw(password, salt, t, m, p, 32, Type.ID)
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
    return Argon2id(salt=salt, length=32, iterations=t, lanes=p, memory_cost=m, secret=secret).derive(password)

def read_password(path):
    """§6: the bytes without the line feed at their end."""
    typed = Path(path).read_bytes().removesuffix(b"\n") if path else os.fsencode(getpass.getpass("Password: "))
    if 1 <= len(typed) <= 4096: return typed
    raise Failed(2, "a password has 1 to 4096 bytes")

def read_secret(path, recovery):
    """A recovery key or a key file (§6); one that was mistyped is refused before a slot is tried."""
    text, form, label = Path(path).read_text("latin-1"), "vkf1-([a-z2-7]{52})-([a-z2-7]{8})\n?", b"key file"
    if recovery:
        text = re.sub("[ \n-]", "", text).lower().translate(str.maketrans("018", "oib"))
        form, label = "([a-z2-7]{32})([a-z2-7]{4})", b"recovery"
    match = re.fullmatch(form, text); need(match, "this is not a recovery key, or not a key file")
    secret = base64.b32decode(match[1].upper() + "=" * (-len(match[1]) % 8))
    checksum = base32(hmac.digest(secret, b"vault/v1 " + label + b" checksum", "sha256")[:5])[:len(match[2])]
    need(hmac.compare_digest(base32(secret) + checksum, match[1] + match[2]), "the key was mistyped"); return secret

def parse_header(data):
    """§5, steps 1 and 2: one copy."""
    f = Fields(data); magic = f.take(4); need(magic in (b"VLT1", b"VLC1"), "this is not a vault's header")
    _, vault, *_ = f.all("v2 x16 x16" if magic == b"VLC1" else "v2 x16")
    flags, epoch, counter, count = f.all("u4 u4 u8 u1")
    need(flags == 0, "a newer format"); slots = [f.all("u1 x16 u4 u4 u4 b32 b104") for _ in range(count)]
    f.end("b64"); unique = len({slot[1] for slot in slots}) == count
    need(epoch and counter and 1 <= count <= 8 and unique, "a header's numbers or slot IDs are not right")
    for kind, _, *costs, _, _ in slots:
        need(1 <= kind <= 3 and (kind != 2 or costs == [0, 0, 0]), "a keyslot's kind is not right")
        if kind != 2: check_costs(*costs)
    return Header(vault, epoch, counter, slots, data, data[:38 if magic == b"VLC1" else 22])

def unlock(headers, options, there=lambda name: False):
    """§5, steps 4 and 5, with the KEK of §6: the newest authentic header, which must have the slot that opened, and its
    key. A salvage goes without the MAC: the slot's context holds vault ID and epoch (§4.2)."""
    def is_past(header):                # a rotation has left it, or somebody has put it back
        later = [one for one in headers if one.identity == header.identity and one.epoch > header.epoch]
        names = {slot[1] for slot in header.slots}
        return any(there(f"index-{one.epoch}.db") and names.isdisjoint(slot[1] for slot in one.slots) for one in later)
    recovery = options.recovery_key_file and read_secret(options.recovery_key_file, True)
    secret, changed = options.key_file and read_secret(options.key_file, False), False
    password, wanted = recovery or read_password(options.password_file), 2 if recovery else 3 if secret else 1
    for header in headers:
        for kind, name, *costs, salt, wrapped in (slot for slot in header.slots if slot[0] == wanted):
            if not fits(costs[0]): print(f"a key needs {costs[0] >> 10} MiB: not tried", file=sys.stderr); continue
            kek = (HKDF(SHA512(), 32, salt, b"vault/v1 recovery keyslot").derive(recovery) if recovery
                   else argon2id(password, salt, *costs, secret))
            outer, role = Key(kek, *header[:2]), struct.pack(">HIB16sIII32s", 1, 0, kind, name, *costs, salt)
            with contextlib.suppress(Refused):
                key = Key(bytes(outer.unseal(None, 1, name, role, wrapped, padded=False)), *header[:2])
                label, same = key.subkey("header mac"), [one for one in headers if one[-1] == header[-1]]
                same = [one for one in same if one.epoch == header.epoch and hmac.compare_digest(
                    hmac.digest(label, one.data[:-64], "sha512"), one.data[-64:])]
                newest = max(same, key=lambda one: one.counter, default=header if options.salvage else None)
                if not newest: changed = True; break
                if [kind, name, *costs, salt, wrapped] in newest.slots and not is_past(newest):
                    options.slot = name; return newest, key
    need(not changed, "the header was changed")
    raise Failed(4, "wrong password or key, or the vault is damaged")

def parse_place(f):
    """Where a note stands in a book (§9.1)."""
    book, chapter, position = f.all("x10 ?x8 i8")
    return {"book": base32(book), "chapter": chapter and chapter.hex(), "position": position}

def parse_book(f, attachments):
    """A book (§9.1)."""
    names = "shelf subtitle authors publishers published identifiers pages language cover added rating readings"
    unlike = lambda items: len({*items}) == len(items)
    shelf, *texts = f.all("u1 t1024 l64t1024 l64t1024 t1024"); identifiers = f.many(64, "t32 t1024")
    *more, cover, added, rating = f.all("u4 t1024 ?x16 i8 u1"); readings = f.many(256, "u4 u4")
    chapters, log = f.many(1024, "x8 t4096"), f.many(4096, "x8 u4 u1 u4 t1024")
    right = all(re.fullmatch("[a-z0-9]+", kind) and value for kind, value in identifiers)
    right = right and unlike([*map(tuple, identifiers)]) and unlike([one[0] for one in chapters])
    right = right and unlike([one[0] for one in log]) and (cover is None or cover in attachments)
    need(right and 1 <= shelf <= 3 and rating <= 20, "a bad book")
    right = all(kind < 4 and (kind or not amount) and (kind != 2 or amount <= 100) for _, _, kind, amount, _ in log)
    need(right, "a bad book"); lists = [[[one.hex(), *rest] for one, *rest in items] for items in (chapters, log)]
    values = (shelf, *texts, identifiers, *more, base32(cover), added, rating, readings, *lists)
    return dict(zip(f"{names} chapters log".split(), values))

def parse_record(data, note):
    """A note record (§9)."""
    f = Fields(data)
    version, own, created, modified, flags, title, notebook, tags, source = f.all(
        "u2 x10 i8 i8 u4 ?t4096 t4096 l256t4096 ?t8192")
    need(version in (1, 2, 3), "a newer format")
    attachments = f.one("l16384x16") if version > 1 else []; role = f.one("u1") if version == 3 else 0
    need(flags < 32 and (flags > 15) == (role == 2) and (version == 3) == (0 < role < 3), "a bad record")
    place, book = parse_place(f) if role == 1 else None, parse_book(f, attachments) if role == 2 else None
    (body,) = f.end(f"t{BODY}"); right = len({*attachments}) == len(attachments) and (attachments or version != 2)
    need(own == note and right, "a bad record")
    return {"title": body.split("\n", 1)[0] if title is None else title, "titleIsSet": title is not None, "body": body,
            "notebook": notebook, "tags": tags, "created": created, "modified": modified, "flags": flags,
            "source": source, "attachments": attachments, "book": book, "bookPlace": place}

def split_tags(text):                   # joined by line feeds (§13, §21), with the caps of §9
    tags = text.split("\n") if text else []
    need(len(tags) <= 256 and all(len(tag.encode()) <= 4096 for tag in tags), "a draft's tags are not right")
    return tags

class Content:
    """What a vault or an archive holds. Note keyslots come before what they open."""
    def __init__(self, vault, options):
        self.vault, self.folder = vault, options.parts
        self.password = options.note_password_file and read_password(options.note_password_file)
        self.entries, self.slots, self.keys, self.revisions, self.attachments, self.drafts = [], {}, {}, {}, {}, {}
    def check(self, name, known, note, private):
        need(name not in known and private == (note in self.slots), "an ID comes twice, or is not of its note's kind")
    def counts(self, changes):
        return [*map(len, (self.entries, self.slots, self.revisions, self.attachments, self.drafts)), changes]
    def add_slot(self, data, row=None):
        """The keyslot of a private note (§18)."""
        _, note, epoch, _, *costs, salt, wrapped, _ = Fields(data).end("v2 x10 u4 f1 u4 u4 u4 b32 b104 t256")
        need(epoch and row in (None, note) and note not in self.slots, "a note's keyslot is not right")
        check_costs(*costs); need(fits(costs[0]), "a note's key needs more memory"); self.slots[note] = epoch
        if self.password:
            role = struct.pack(">III", *costs) + salt
            outer = Key(argon2id(self.password, salt, *costs), self.vault, epoch)
            with contextlib.suppress(Refused):
                key = outer.unseal(None, 11, note, role, wrapped, padded=False)
                self.keys[note] = Key(bytes(key), self.vault, epoch)
    def add_revision(self, revision, note, made, private, data):
        """A note record (§9), or the outer content of a private note's revision (§18)."""
        self.check(revision, self.revisions, note, private)
        if private:
            words = "v2 x10 i8 i8 u4 ?t4096 u4 x16 s20971520"
            _, own, created, modified, flags, title, epoch, at, inner = Fields(data).end(words)
            need(own == note and flags < 16 and epoch == self.slots[note], "a private revision is not right")
            record = {"title": title, "titleIsSet": title is not None, "body": None, "notebook": "", "tags": [],
                      "created": created, "source": None, "attachments": [], "book": None, "bookPlace": None}
            if note in self.keys:
                record = parse_record(self.keys[note].unseal("inner record", 9, at, note, inner), note)
            record |= {"modified": modified, "flags": flags}
        else: record = parse_record(data, note)
        self.revisions[revision] = note, record | {"private": private, "locked": private and note not in self.keys}
    def add_attachment(self, attachment, note, private, details, content):
        """An attachment (§19); of a private note its inner layer."""
        self.check(attachment, self.attachments, note, private)
        names = ("kind", "name", "caption", "mediaType", "size", "created", "width", "height", "isStripped")
        info, key = dict.fromkeys((*names[:5], "sha256")), self.keys.get(note)
        if key:
            details = key.unseal("inner details", 14, attachment, note, details)
            content = key.unseal("inner attachment", 16, attachment, note, content)
        if key or not private:
            info = dict(zip(names, Fields(details).end("v2 u1 t255 t4096 t255 u8 i8 u4 u4 f1")[1:]))
            need(info["kind"] < 5 and info["name"] and len(content) == info["size"] <= 1 << 40, "details are not right")
            info["kind"] = ("file", "photo", "video", "audio", "sketch")[info["kind"]]
            info["sha256"] = hashlib.sha256(content).hexdigest()
            if self.folder: Path(self.folder, base32(attachment)).write_bytes(content)
        info |= {"id": base32(attachment), "locked": private and not key}; self.attachments[attachment] = note, info
    def add_draft(self, draft, info, private, inner, key, data):
        """A draft (§17): its content or, with a key or an inner layer (§18), its file as it lies there."""
        note, locked = info["note"], private and info["note"] not in self.keys
        self.check(draft, self.drafts, note, private)
        if private: wrapped, names = Fields(inner).end("s256 s2097152")
        if private and not locked:
            own = self.keys[note]
            key = Key(own.unseal("inner draft key", 12, draft, note, wrapped, padded=False), self.vault, 0)
            names = Fields(own.unseal("inner draft fields", 19, draft, note, names)).end("?t4096 t4096 l256t4096")
            info |= zip(("title", "notebook", "tags"), names)
        content = {"sequence": None, "saved": None, "body": None, "locked": locked, "private": private}
        if data is not None and not locked:
            data = key.unseal(None, 7, draft, b"", data) if key else data
            _, content["sequence"], content["saved"], body = Fields(data).end(f"v2 u8 i8 s{BODY}")
            try: content["body"] = body.decode()
            except UnicodeDecodeError: content["bodyBase64"] = base64.b64encode(body).decode()
        names = {"note": base32(note), "base": base32(info["base"]), "joins": [base32(join) for join in info["joins"]]}
        self.drafts[draft] = {"id": base32(draft), **info, **names, **content}
    def check_chain(self, device, waiting=(), alone=False):
        """§10, §13: each note's heads, its revisions in the graph's order, and each device's (sequence, digest). The own
        chain has no gap; of other devices some entries may be missing."""
        found, made, dropped, chains, kept = {}, {}, set(), {}, {}
        for data in self.entries:
            e = entry_in(data); own, sequence = place = e["device"], e["sequence"]
            last, digest = chains.get(own, (0, bytes(32)))
            follows = sequence == last + 1 and e["previous"] == digest or own != device and sequence > last + 1
            need(follows, "the chain of entries has a gap")
            chains[own] = (sequence, hashlib.sha256(data).digest())
            if e["operation"] == 6: dropped.add((e["name"], e["note"]))
            elif e["operation"] != 9: found[place] = e
            if e["operation"] in REVISIONS:
                need(made.setdefault(e["name"], e["note"]) == e["note"], "an entry makes a revision again")
        need(all(made.get(revision) == note for revision, note in dropped), "an entry drops what it cannot")
        links, rank = graph_of(found); check_makers(links)
        missing = {revision for revision, _ in dropped} | set(waiting)
        ends = {note: heads_of(own, rank, set()) for note, own in links.items()}
        bad = alone and any(missing & set(heads) for heads, *_ in ends.values())
        need(not bad, "an entry drops what it cannot")
        ends = {note: heads_of(own, rank, missing) for note, own in links.items()}
        for note, (heads, _, order) in ends.items(): kept[note] = [r for r in order if r not in missing]
        right = {r: note for note, there in kept.items() for r in there} == \
            {r: note for r, (note, _) in self.revisions.items()}
        need(right, "entries and revisions do not fit")
        return {note: heads for note, (heads, *_) in ends.items() if heads}, kept, chains
    def report(self, heads, kept, epoch, generation):
        """The JSON document."""
        notes, homes, by_id = [], {}, lambda item: item["id"]
        for attachment, (note, _) in sorted(self.attachments.items()): homes.setdefault(note, []).append(attachment)
        for note, found in heads.items():
            records, own = {r: self.revisions[r][1] for r in kept[note]}, homes.pop(note, [])
            shown, named = records[found[-1]], {a for record in records.values() for a in record["attachments"]}
            listed = own if shown["locked"] else shown["attachments"]   # one may have its home in another note (§19)
            right = (shown["locked"] or named.issuperset(own)) and self.attachments.keys() >= set(listed)
            need(right, "an attachment is missing, or is named by no revision of its note")
            older = [{"id": base32(r), **record, "attachments": [base32(a) for a in record["attachments"]],
                      "isHead": r in found} for r, record in records.items() if r != found[-1]]
            notes.append({"id": base32(note), **shown, "head": base32(found[-1]), "revisions": older,
                          "attachments": [self.attachments[a][1] for a in listed],
                          "olderAttachments": [self.attachments[a][1] for a in own if a not in listed]})
        need(not homes, "an attachment has no note")
        return {"vault": self.vault.hex(), "epoch": epoch, "generation": generation,
                "notes": sorted(notes, key=by_id), "drafts": sorted(self.drafts.values(), key=by_id)}

def manifest_of(key, raw):
    """§7: version 1, which says nothing of header and map, or 2."""
    f = Fields(key.unseal("manifest", 2, b"", b"", raw)); version, *values = f.all("u2 u8 u4 b32 u8 f1")
    need(version in (1, 2), "a newer format")
    counter, digest, mapped, slot, root = f.all("u8 b32 f1 f1 b32") if version == 2 else (0, bytes(32), 0, 0, b"")
    f.end(); need(mapped or not slot and not any(root), "a manifest without a map has a root")
    return Manifest(*values, counter, digest, root if mapped else None, int(slot))

def check_header(header, known):
    """§5: the header is not older than what manifests and the index (§7, §13) know of it."""
    for counter, digest in known:
        need(header.counter >= counter, "the header is older than the vault: it was put back")
        right = header.counter > counter or hashlib.sha256(header.data).digest() == digest
        need(right, "the header is not the one that the vault knows")

class Map:
    """§11.1: the tags of the pages that belong into the database file. A node that is damaged is made anew of them."""
    def __init__(self, data, file, manifest):
        self.data, self.file, self.manifest, self.nodes = data, file, manifest, {}
    def is_new(self, number, sealed):
        """Whether this sealed page is the one that was written last."""
        leaf, place = divmod(number - 1, 64); return self.node(0, leaf)[16 * place:16 * place + 16] == sealed[-16:]
    def at(self, level, index, slot):
        first = index * 31 ** level
        place = 2 * (first + sum(first // 31 ** m + (m > level) for m in range(1, 6))) + slot
        return self.data[1024 * place:1024 * place + 1024]
    @staticmethod
    def digest(level, index, node):
        """The places of an inner node's children are no part of it: they only say where to look first."""
        start = b"vault/v1 map" + struct.pack(">BI", level, index)
        return hashlib.sha256(start + node[:992 if level else 1024]).digest()
    def hash(self, level, index, node):
        """As its parent has it."""
        return self.digest(level, index, node) if any(node[:992 if level else 1024]) else bytes(32)
    def node(self, level, index):
        """A node that has the hash that its parent says, or the manifest."""
        if (level, index) not in self.nodes:
            wanted, slot, i = self.manifest.root, self.manifest.slot, index % 31
            if level < 5:
                above = self.node(level + 1, index // 31)
                wanted, slot = above[32 * i:32 * i + 32], above[995 - i // 8] >> i % 8 & 1
            found = itertools.chain((self.at(level, index, s) for s in (slot, 1 - slot)), self.made(level, index))
            right = next((node for node in found if self.digest(level, index, node) == wanted), None)
            self.nodes[level, index] = right if any(wanted) else bytes(1024)
        need(self.nodes[level, index], "the map of pages is damaged, and does not fit the pages")
        return self.nodes[level, index]
    @functools.cache
    def of_pages(self, level, index):
        """What a node holds by the pages as they lie there."""
        if level == 0:
            tags = [self.file[PAGE * n - 16:PAGE * n].ljust(16, b"\0") for n in range(64 * index + 1, 64 * index + 65)]
            return b"".join(tags)
        end = min(31 * index + 31, -(-len(self.file) // (64 * PAGE * 31 ** (level - 1))))
        children = [self.hash(level - 1, child, self.of_pages(level - 1, child)) for child in range(31 * index, end)]
        return b"".join(children).ljust(1024, b"\0")
    def made(self, level, index):
        """The same, and an inner node of what lies in its children's places, where the pages are not as they were."""
        own, choices = self.of_pages(level, index), []; yield own
        for i in range(31 if level else 0):
            lying = [self.at(level - 1, 31 * index + i, slot) for slot in (0, 1)]
            hashes = {self.hash(level - 1, 31 * index + i, node) for node in lying if len(node) == 1024}
            said = own[32 * i:32 * i + 32]; choices.append([said] if said in hashes or not hashes else [*hashes])
        if math.prod(map(len, choices)) <= 1024:
            for chosen in itertools.product(*choices): yield b"".join(chosen).ljust(1024, b"\0")

def read_log(key, log, manifest):
    """§12: the number of pages after the last commit that counts, and the log's pages; (None, {}) without one."""
    opened = xaes(key.subkey("index log"))
    bound = lambda number, salts: key.context(4) + manifest.salt + struct.pack(">Q", number) + salts
    header = opened(log[:72], bound(0, bytes(8))) if len(log) >= 72 else None
    if not log or header is None and len(log) <= 72 and not manifest.synced: return None, {}
    need(header, "the log does not open"); magic, version, size = struct.unpack(">III", header[:12])
    need(magic >> 1 == 0x377f0682 >> 1 and (version, size) == (3007000, PAGE), "the log's header is not right")
    def checksum(data, start=bytes(8)):
        s, t = struct.unpack(">II", start); words = struct.unpack(f"{'<>'[magic & 1]}{len(data) // 4}I", data)
        for a, b in zip(words[::2], words[1::2]): s = s + a + t & 0xffffffff; t = t + b + s & 0xffffffff
        return struct.pack(">II", s, t)
    def has_zeros(at):                  # a sector of them, or at least 32 bytes of one at the frame's ends (step 4)
        edges = [at, *range(at + -at % 512, at + FRAME, 512), at + FRAME]
        return any(b - a >= 32 and not any(log[a:b]) for a, b in zip(edges, edges[1:]))
    salts, starts, running, good = header[16:24], range(72, len(log) - FRAME + 1, FRAME), checksum(header[:24]), 0
    frames = [opened(log[at:at + FRAME], bound(i, bytes(8))) or opened(log[at:at + FRAME], bound(i, salts))
              for i, at in enumerate(starts, 1)]
    frames = [plain if plain and plain[8:16] == salts else None for plain in frames]    # others are of the log before
    for plain in frames if running == header[24:] else []:
        running = plain and checksum(plain[:8] + plain[24:] + bytes(40), running)
        if not plain or plain[8:24] != salts + running or not any(plain[:4]): break
        good += 1
    commits = [i for i, plain in enumerate(frames) if plain and any(plain[4:8])]
    taken = max((i + 1 for i in commits if i < good), default=0)
    need(72 + FRAME * taken >= manifest.synced, "commits are missing from the log")
    for commit in [i for i in commits if i >= good][:1]:
        torn = all(frames[i] or has_zeros(starts[i]) for i in range(good, commit)) and not any(frames[commit + 1:])
        need(torn, "the log is damaged")
    pages = {int.from_bytes(plain[:4], "big"): plain[24:] for plain in frames[:taken]}
    return int.from_bytes(frames[taken - 1][4:8], "big") if taken else None, pages

def open_index(key, file, log, manifest, pages_map=None):
    """§7, §11, §16: the index as a plain database in memory."""
    need(manifest.open or not log, "the vault is closed, and its log is not empty")
    size, pages = read_log(key, log, manifest); have, rest = divmod(len(file), PAGE)
    right = have == manifest.pages or have > manifest.pages and manifest.open
    need(right and (not rest or size is not None), "the index has not its number of pages, or a torn one")
    opened, plain = xaes(key.subkey("index page")), bytearray()
    for number in range(1, (have if size is None else size) + 1):
        page, sealed = pages.get(number), file[PAGE * (number - 1):PAGE * number]
        if page is None:
            need(len(sealed) == PAGE, "the index ends early")
            if number == LOCK: plain += sealed; continue
            page = opened(sealed[4056:4080] + sealed[:4056] + sealed[4080:], key.context(3) + struct.pack(">I", number))
            need(page, f"page {number} of the index is damaged")
            new = not pages_map or pages_map.is_new(number, sealed)
            need(new, f"page {number} of the index is older than the vault: it was put back")
        plain += page + bytes(40)
    plain[18:20] = b"\1\1"; database = sqlite3.connect(":memory:"); database.deserialize(bytes(plain))
    database.executescript("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON"); return database

def read_index(database, key, header, manifest, options, open_object, read_draft):
    """Everything in the opened tables (§13, §16): the report, and the numbers of §22."""
    rows, content, keys = database.execute, Content(key.vault, options), {key.epoch: key}
    ((schema, generation, device, *last),) = rows("SELECT schema, generation, device, sequence, chain FROM state")
    need(4 <= schema <= 10, "an index of another schema: unlock it once with the program")
    need(generation >= manifest.generation, "the index is older than its manifest")
    if rows("SELECT 1 FROM sqlite_master WHERE name = 'knownHeader'").fetchone():
        check_header(header, rows("SELECT counter, digest FROM knownHeader"))
    for wrapped, counter in rows("SELECT wrapped, counter FROM rotation WHERE counter>=?", (header.counter,)):  # §20
        need(key.epoch > 1, "a rotation in epoch 1"); role = struct.pack(">IQ", key.epoch - 1, counter)
        old = key.unseal("rotation", 20, b"", role, wrapped, padded=False)
        keys[key.epoch - 1] = Key(bytes(old), key.vault, key.epoch - 1)
    def unsealed(*what, padded=True):
        for one in keys.values():
            with contextlib.suppress(NoFit): return one.unseal(*what, padded)
        raise Refused("something in the index does not open")
    for note, data in rows("SELECT note, sealed FROM noteKey"):
        content.add_slot(unsealed("note keyslot", 10, note, b"", data), note)
    content.entries = [data for (data,) in rows("SELECT bytes FROM entry ORDER BY device, sequence")]
    for revision, note, data in rows("SELECT id, note, sealed FROM revision"):
        label, kind = ("private record", 8) if note in content.slots else ("record", 5)
        content.add_revision(revision, note, 0, kind == 8, unsealed(label, kind, revision, note, data))
    waiting = [revision for (revision,) in rows("SELECT revision FROM waiting")] if schema > 6 else []
    said = rows("SELECT name, kind, bytes FROM statement").fetchall() if schema > 7 else []
    named = {e["name"] for e in map(entry_in, content.entries) if e["operation"] == 9}
    right = all(name in named and fact_of(Fields(data))[0] == kind for name, kind, data in said)
    need(right, "what an entry says is not right")
    heads, kept, chains = content.check_chain(device, {r for r in waiting if r not in content.revisions}, schema < 7)
    need(chains.get(device, (0, bytes(32))) == tuple(last), "the index does not end with its chain")
    for attachment, note, name, data, epoch in rows("SELECT id, note, object, sealed, epoch FROM attachment"):
        need(epoch in keys, "an attachment is under another epoch")
        record = Fields(keys[epoch].unseal("details of an attachment", 13, attachment, note, data))
        _, *same, size, commitment, private, details = record.end("v2 x16 x10 x32 u8 b32 f1 s65536")
        need(same == [attachment, note, name], "an attachment's record is of another")
        with open_object(name) as file:
            right = os.fstat(file.fileno()).st_size == size and hmac.compare_digest(file.read(56)[24:], commitment)
            need(right and file.seek(0) == 0, "an attachment's file is another one")
            plain = keys[epoch].unseal("attachment", 15, name, attachment, file, size=size)
        content.add_attachment(attachment, note, private, details, plain)
    names = ("note", "base", "created", "discarded", "title", "notebook", "flags", "joins", "tags")
    for draft, wrapped, *values in rows(f"SELECT id, wrapped, {', '.join(names)} FROM draft"):
        info, private, joins = dict(zip(names, values)), values[0] in content.slots, values[7] or b""
        for size, value in (16, draft), (10, info["note"]), (16, info["base"]):
            need(value is None or len(value) == size and any(value), "a draft's row is not right")
        info["joins"], info["tags"] = Fields(joins).end("x16 " * (len(joins) // 16)), split_tags(info["tags"])
        info["flags"], inner = 8 if info["flags"] else 0, unsealed("draft key", 6, draft, b"", wrapped, padded=False)
        own = None if private else Key(inner, key.vault, 0)
        content.add_draft(draft, info, private, inner, own, read_draft(draft))
    numbers = [generation, *content.counts(rows("SELECT count(*) FROM change").fetchone()[0])]
    return content.report(heads, kept, key.epoch, generation), numbers

def open_file(root, *parts):
    """A file in a vault's directory or a backup folder, as §2 wants it and its folders."""
    try:
        folders = [os.lstat(os.path.join(root, *parts[:depth]).rstrip("/")) for depth in range(len(parts))]
        file = open(os.open(os.path.join(root, *parts), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except OSError as error: raise Refused(f"{'/'.join(parts)}: {error.strerror}") from None
    info = os.fstat(file.fileno())
    right = all(stat.S_ISDIR(one.st_mode) and not one.st_mode & 0o022 for one in folders) and stat.S_ISREG(info.st_mode)
    right = right and info.st_nlink == 1 and {one.st_uid for one in (*folders, info)} == {os.geteuid()}
    need(right, "a file or folder is a link, of another kind, another user's, open to others, or has two names")
    return file

def read_file(root, *parts, cap=1 << 50):
    with open_file(root, *parts) as file:
        need(os.fstat(file.fileno()).st_size <= cap, f"{'/'.join(parts)} is too large"); return file.read()

def attempts(make, *names):
    """What can be made of these files; the first refusal when that is nothing."""
    made = []
    for name in names:
        with contextlib.suppress(Refused): made.append(make(name))
    return made or [make(names[0])]

def varint(data, at):
    """One of SQLite's numbers of 1 to 9 bytes, and where it ends."""
    number = 0
    for count in range(9):
        need(at + count < len(data), "a number ends early"); byte = data[at + count]
        if count == 8: return number << 8 | byte, at + 9
        number = number << 7 | byte & 127
        if byte < 128: return number, at + count + 1

def values_of(row):
    """The columns of a row, as sqlite.org/fileformat2.html §2.1 has them."""
    size, at = varint(row, 0); types, values = [], []; need(at <= size <= len(row), "a row ends early")
    while at < size: kind, at = varint(row, at); types.append(kind)
    for kind in types:
        need(kind not in (10, 11), "a column's type is not right")
        width = (kind - 12) // 2 if kind > 11 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
        data = row[at:at + width]; at += width; need(len(data) == width, "a row ends early")
        values.append(None if kind in (0, 7) else kind - 8 if kind in (8, 9) else data if kind > 11 and kind % 2 == 0
                      else data.decode("utf-8", "replace") if kind > 11 else int.from_bytes(data, "big", signed=True))
    return values

class Pages:
    """Every page of an index that is authentic, from the file and from the log, each with when it was written: 0 is the
    file, i + 1 the log's frame i, and -1 an old page that was put back into the file. A page has more than one state
    when the log has more of it."""
    def __init__(self, key, file, log, salts, pages_map):
        self.states, self.damaged, self.old, self.frames, self.total, self.taken = {}, [], [], 0, 0, 0
        self.log_lost, self.end_lost = len(log) > 72, False     # until something opens; no frame behind a commit
        opened, last = xaes(key.subkey("index page")), len(file) // PAGE
        for number in range(1, last + 1):
            sealed = file[PAGE * (number - 1):PAGE * number]
            if number == LOCK: continue
            page = opened(sealed[4056:4080] + sealed[:4056] + sealed[4080:], key.context(3) + struct.pack(">I", number))
            if not page: self.damaged.append(number); continue
            new = True                  # also where the map does not say
            with contextlib.suppress(Refused): new = not pages_map or pages_map.is_new(number, sealed)
            self.states[number] = [(0 if new else -1, page)]
            if not new: self.old.append(number)
        opened = xaes(key.subkey("index log"))
        for salt in salts if self.log_lost else []:
            bound = lambda number, own: key.context(4) + salt + struct.pack(">Q", number) + own
            if self.log_lost: self.read_log(log, opened, bound)
        self.damaged = [number for number in self.damaged if number not in self.states]
        self.old = [number for number in self.old if len(self.states[number]) == 1]
    def read_log(self, log, opened, bound):
        header = opened(log[:72], bound(0, bytes(8))); self.log_lost, self.end_lost = not header, len(log) > LOG
        self.total, salts = (min(len(log), LOG) - 72) // FRAME, header and header[16:24]
        for i in range(self.total):
            frame, ways = log[72 + FRAME * i:72 + FRAME * (i + 1)], [bytes(8)] + ([header[16:24]] if header else [])
            if not (plain := next(filter(None, (opened(frame, bound(i + 1, way)) for way in ways)), None)):
                self.end_lost = True; continue
            self.log_lost, salts = False, salts or plain[8:16]; self.frames += 1
            if plain[8:16] != salts: continue           # of a log that this one was begun over
            number, size = struct.unpack(">II", plain[:8])
            if size: self.taken, self.end_lost = i + 1, len(log) > LOG  # what lies behind the last never counted
            if number: self.states.setdefault(number, []).append((i + 1, plain[24:]))
    def state(self, number, time):
        """A page as it was then."""
        return next((page for at, page in reversed(self.states.get(number, [])) if at <= time), None)
    def rows(self):
        """The columns of each row on each leaf: (rank, values). Rank 0 is the newest state of a page, 1 an older one,
        2 what was not committed; these are of use only where something is damaged. A row that goes on elsewhere comes
        twice: with the pages of its time, and with the newest ones. Who opens it finds out which is right."""
        found, whole = [], not self.damaged and not self.old and self.frames == self.total
        for number, states in self.states.items():
            newest = max((at for at, _ in states if 0 <= at <= self.taken), default=None)
            for at, page in states:
                rank = 2 if at > self.taken else 0 if at == newest else 1
                if rank and whole: continue
                for start in self.cells(page, 100 if number == 1 else 0):
                    for time in (at, 1 << 60):
                        with contextlib.suppress(Refused): found.append((rank, -at, values_of(self.row(*start, time))))
                        if start[2] is None: break
        return [(rank, values) for rank, _, values in sorted(found, key=lambda row: row[:2])]
    def cells(self, page, base):
        """What lies on a leaf of a table, or on any page of a table WITHOUT ROWID: (size, begin of the row, the page
        that it goes on at)."""
        kind = page[base]
        if kind not in (13, 10, 2): return
        usable = PAGE - 40; least = (usable - 12) * 32 // 255 - 23
        most = usable - 35 if kind == 13 else (usable - 12) * 64 // 255 - 23
        for i in range(int.from_bytes(page[base + 3:base + 5], "big")):
            place = base + (12 if kind == 2 else 8) + 2 * i
            with contextlib.suppress(Refused):
                size, at = varint(page, int.from_bytes(page[place:place + 2], "big") + (4 if kind == 2 else 0))
                if kind == 13: _, at = varint(page, at)
                here = least + (size - least) % (usable - 4)
                here = size if size <= most else here if here <= most else least
                need(at + here + (4 if here < size else 0) <= usable, "a row ends early")
                following = int.from_bytes(page[at + here:at + here + 4], "big") if here < size else None
                yield size, page[at:at + here], following
    def row(self, size, begin, following, time):
        row = bytearray(begin)
        while len(row) < size:
            page = self.state(following, time); need(page, "a row goes on at a page that is not there")
            row += page[4:4 + size - len(row)]; following = int.from_bytes(page[:4], "big")
        return bytes(row)

class Salvage:
    """What can be had of a damaged vault: rows are known by their columns' sizes, and count when they open."""
    def __init__(self, key, header, pages, manifest, options, open_object, read_draft):
        self.pages, self.manifest, self.keys = pages, manifest, {key.epoch: key}
        self.content = Content(key.vault, options)
        self.open_object, self.read_draft, self.rows, self.lost_files = open_object, read_draft, {}, {}
        sizes = {"revision": (16, 10, -1), "entry": (16, 0, -1), "noteKey": (10, -1), "attachment": (16, 10, 32, -1),
                 "draft": (16, -1, None, None, -1, 0), "note": (None, 10, 16, 0, 0), "rotation": (None, 104, 0, 0, -1),
                 "state": (None, 0, 0, 16, 0, 32)}
        counts = {"revision": (3, 4), "entry": (3,), "noteKey": (2,), "attachment": (4, 5), "draft": (12,),
                  "note": (15,), "rotation": (3, 7), "state": range(9, 20)}
        def fits(value, size):          # None: anything; 0: a number; -1: bytes; above: so many bytes
            if size is None: return True
            return isinstance(value, int) if size == 0 else isinstance(value, bytes) and size in (-1, len(value))
        for rank, values in pages.rows():
            for table, wanted in sizes.items():
                if len(values) in counts[table] and all(map(fits, values, wanted)):
                    self.rows.setdefault(table, []).append((rank, values))
        for _, (_, wrapped, counter, *_) in self.rows.get("rotation", []):  # §20
            role = struct.pack(">IQ", key.epoch - 1, max(counter, 0))
            if key.epoch > 1 and counter >= header.counter and key.epoch - 1 not in self.keys:
                with contextlib.suppress(Refused):
                    old = key.unseal("rotation", 20, b"", role, wrapped, padded=False)
                    self.keys[key.epoch - 1] = Key(bytes(old), key.vault, key.epoch - 1)
    def unsealed(self, *what, padded=True):
        for one in self.keys.values():
            with contextlib.suppress(Refused): return one.unseal(*what, padded)
    def table(self, name): return self.rows.get(name, [])
    def read_entries(self):
        """§10 without a whole chain: what each entry says. Nothing that was not committed purges or drops."""
        entries, generation, own = {}, 0, None
        for rank, (device, sequence, data) in self.table("entry"):
            with contextlib.suppress(Refused):
                e = entry_in(data)
                if [e["device"], e["sequence"]] != [device, sequence] or rank == 2 and e["operation"] in (5, 6): continue
                entries.setdefault((device, sequence), e)
        self.entries = [entries[place] for place in sorted(entries)]
        last = dict(sorted(entries))    # the last sequence of each device, or what the state says
        for rank, (_, _, number, device, sequence, *_) in self.table("state"):
            if rank == 0: own = device; last[device] = max(last.get(device, 0), sequence); generation = max(generation, number)
        self.knows_end = generation > 0 and not self.pages.log_lost and not self.pages.end_lost
        self.knows_end &= not self.manifest or generation >= self.manifest.generation
        own = own or max(last, key=lambda device: sum(e["device"] == device for e in self.entries), default=None)
        self.missing_entries = last.get(own, 0) - sum(e["device"] == own for e in self.entries)     # others have gaps
        links, rank = graph_of({place: e for place, e in entries.items() if e["operation"] not in (6, 9)})
        self.heads = {note: heads_of(linked, rank, set())[0] for note, linked in links.items()}
        self.dropped = {e["name"] for e in self.entries if e["operation"] == 6}
        purges = {}     # where entries are lost: what a device made of a note before its purge was taken with it (§23)
        for e in self.entries:
            if e["operation"] == 5: purges.setdefault(e["note"], {})[e["device"]] = e["sequence"]
        for note, linked in links.items(): self.dropped |= gone_of(linked)
        made = [e for e in self.entries if e["operation"] in REVISIONS]
        self.dropped |= {e["name"] for e in made if e["sequence"] < purges.get(e["note"], {}).get(e["device"], 0)}
        self.purged = purges.keys() - {e["note"] for e in made if e["name"] not in self.dropped}
        self.followed = {parent for e in self.entries if e["operation"] != 9 for parent in e["parents"]}
        self.order = {name: place for place, name in enumerate(sorted(rank, key=lambda name: rank[name]))}
    def read_notes(self):
        """Keyslots and revisions. A note is private when it has a keyslot, and then only what has two layers counts: an
        older state of a page may hold what it was before."""
        slots, found, self.made, private = {}, {}, {}, {}
        for rank, (note, sealed) in self.table("noteKey"):
            data = self.unsealed("note keyslot", 10, note, b"", sealed)
            if data and note not in slots and note not in self.purged: slots[note] = rank, data
        for rank, (revision, note, sealed, *made) in self.table("revision"):
            if note in self.purged or revision in self.dropped: continue
            for kind, label in ((5, "record"), (8, "private record")):
                if (revision, kind) in found: continue
                if data := self.unsealed(label, kind, revision, note, sealed):
                    found[revision, kind] = note, data; self.made.setdefault(revision, made[0] if made else 0)
                    private.setdefault(note, (rank, kind == 8))
        self.hidden = {note for note, (rank, data) in slots.items() if rank == 0 or private.get(note, (1, True))[1]}
        for note in self.hidden:
            with contextlib.suppress(Refused): self.content.add_slot(slots[note][1], note)
        for (revision, kind), (note, data) in found.items():
            with contextlib.suppress(Refused, UnicodeDecodeError):
                if (kind == 8) == (note in self.hidden): self.content.add_revision(revision, note, 0, kind == 8, data)
        self.sealed = {note for (_, kind), (note, _) in found.items() if kind == 8}     # also without its keyslot
    def read_attachments(self):
        for rank, (attachment, note, name, data, *_) in self.table("attachment"):
            if attachment in self.content.attachments or note in self.purged: continue
            for epoch, key in self.keys.items():
                with contextlib.suppress(Refused, UnicodeDecodeError):
                    record = Fields(key.unseal("details of an attachment", 13, attachment, note, data))
                    _, *same, size, commitment, private, details = record.end("v2 x16 x10 x32 u8 b32 f1 s65536")
                    need(same == [attachment, note, name] and private == (note in self.hidden), "another's record")
                    if rank == 0: self.lost_files[attachment] = note
                    with self.open_object(name) as file:
                        right = os.fstat(file.fileno()).st_size == size and file.read(56)[24:] == commitment
                        need(right and file.seek(0) == 0, "an attachment's file is another one")
                        plain = key.unseal("attachment", 15, name, attachment, file, size=size)
                    self.content.add_attachment(attachment, note, private, details, plain); break
        for attachment in self.content.attachments: self.lost_files.pop(attachment, None)
    def read_drafts(self):
        self.lost_drafts, names = set(), ("note", "base", "joins", "created", "discarded", "title", "notebook", "tags")
        for rank, (draft, wrapped, *values) in self.table("draft"):
            info, file = dict(zip((*names, "flags"), values)), None
            if draft in self.content.drafts or info["note"] in self.purged: continue
            try:
                file = self.read_draft(draft); need(rank == 0 or file, "an edit that was finished")
                inner, joins = self.unsealed("draft key", 6, draft, b"", wrapped, padded=False), info["joins"]
                need(inner, "a draft's key does not open"); private = info["note"] in self.hidden
                info["joins"], info["tags"] = Fields(joins).end("x16 " * (len(joins) // 16)), split_tags(info["tags"])
                info["flags"], own = 8 if info["flags"] else 0, None if private else Key(inner, self.content.vault, 0)
                self.content.add_draft(draft, info, private, inner, own, file); self.lost_drafts.discard(draft)
            except Refused:
                if rank == 0: self.lost_drafts.add(draft)
    def add_lost_drafts(self, names):
        """Files that no row names, where pages or the log are lost; else a crash has left them."""
        named = {*self.content.drafts, *(row[1][0] for row in self.table("draft"))}
        lost = self.pages.damaged or self.pages.old or self.pages.frames < self.pages.total or self.pages.log_lost
        for name in names if lost else []:
            if re.fullmatch("[0-9a-f]{32}", name) and bytes.fromhex(name) not in named:
                self.lost_drafts.add(bytes.fromhex(name))
    def report(self):
        """Each note as whole, with an older text, or lost."""
        listed, seen, notes, lost = {}, {}, [], []
        for rank, (_, note, head, *more) in self.table("note"):
            if rank == 0 and note not in self.purged: listed.setdefault(note, (head, more[6]))
        for revision, (note, _) in self.content.revisions.items(): seen.setdefault(note, []).append(revision)
        heads, by_note = self.heads, {}
        for _, (note, info) in sorted(self.content.attachments.items()): by_note.setdefault(note, []).append(info)
        for note in sorted({*listed, *seen, *heads} - self.purged):
            opened = sorted(seen.get(note, []), key=lambda r: (r in self.order, self.order.get(r, 0)))
            opened.sort(key=lambda r: self.made[r])     # stable: by time, then by the chain
            expected = (heads.get(note) or [None])[-1]; head, title = listed.get(note, (expected, ""))
            if head not in self.followed and head not in self.dropped: expected = head
            if not opened: lost.append({"id": base32(note), "title": title}); continue
            ends = {*heads.get(note, []), expected} - {None}
            shown = expected if expected in opened else opened[-1]
            # Where entries are missing, the list of notes alone says which text is the newest.
            known = self.knows_end and not self.missing_entries or listed.get(note, (None,))[0] == expected
            whole = expected is not None and ends <= {*opened} and known
            records = [(r, self.content.revisions[r][1]) for r in opened]
            for attachment in [a for r, record in records if r == shown or r in ends for a in record["attachments"]]:
                if attachment not in self.content.attachments: self.lost_files.setdefault(attachment, note)
            older = [{"id": base32(r), **record, "attachments": [base32(a) for a in record["attachments"]],
                      "isHead": r in ends} for r, record in records if r != shown]
            notes.append({"id": base32(note), **self.content.revisions[shown][1], "head": base32(shown),
                          "state": "whole" if whole else "older", "revisions": older,
                          "attachments": by_note.pop(note, []), "olderAttachments": []})
        homeless = [info for found in by_note.values() for info in found]
        files = [{"id": base32(a), "note": base32(note)} for a, note in sorted(self.lost_files.items())]
        drafts = sorted(self.content.drafts.values(), key=lambda draft: draft["id"])
        return {"vault": self.content.vault.hex(), "epoch": max(self.keys), "notes": notes, "drafts": drafts,
                "attachmentsWithoutNote": homeless, "lost": lost, "lostAttachments": files,
                "lostDrafts": sorted(map(base32, self.lost_drafts)), "missingEntries": self.missing_entries,
                "knowsEnd": self.knows_end, "logLost": self.pages.log_lost,
                "pages": len(self.pages.states), "damagedPages": self.pages.damaged, "oldPages": self.pages.old,
                "logFrames": self.pages.frames}

def read_map(path, key, file, manifest, there):
    """The map that the manifest vouches for; without its file everything in it counts as damaged."""
    if not manifest or not manifest.root: return None
    name = f"index-{key.epoch}.map"; return Map(read_file(path, name) if there(name) else b"", file, manifest)

def salvage_vault(path, options, header, key, there):
    """The report by note. A manifest is asked for the log's salt, without which it does not open (§12), and whether
    what is there is as new as it says (§23)."""
    index = f"index-{key.epoch}.db"; has_log = there(index + "-wal")
    log, found = read_file(path, index + "-wal") if has_log else b"", []
    for name in MANIFESTS:
        with contextlib.suppress(Refused): found.append(manifest_of(key, read_file(path, name, cap=328)))
    manifest = max(found, key=lambda one: one.generation, default=None)
    file = read_file(path, index) if there(index) else b""
    pages = Pages(key, file, log, {one.salt: None for one in found}, read_map(path, key, file, manifest, there))
    if not has_log: pages.log_lost = not manifest or manifest.open
    elif manifest and len(log) < manifest.synced: pages.log_lost = True
    open_object = lambda name: open_file(path, "objects", name.hex()[:2], name.hex())
    read_draft = lambda d: read_file(path, "drafts", d.hex(), cap=ITEM) if there("drafts", d.hex()) else None
    salvage = Salvage(key, header, pages, manifest, options, open_object, read_draft)
    salvage.read_entries(); salvage.read_notes(); salvage.read_attachments(); salvage.read_drafts()
    salvage.add_lost_drafts(os.listdir(os.path.join(path, "drafts")) if there("drafts") else [])
    report = salvage.report(); need(report["notes"] or report["drafts"], "no note and no draft opens")
    for note in report["notes"] if options.parts and not options.json else []:
        tags = f"title: {json.dumps(note['title'])}\ntags: {json.dumps(note['tags'])}\nstate: {note['state']}"
        Path(options.parts, note["id"] + ".md").write_text(f"---\n{tags}\n---\n{note['body'] or ''}")
    return report

def read_vault(path, options):
    """A vault's directory (§2, §16)."""
    there = lambda *parts: os.path.lexists(os.path.join(path, *parts))
    if there("lock"): lock = open_file(path, "lock"); fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    headers = attempts(lambda name: parse_header(read_file(path, name, cap=1439)), "header", "header.2")
    header, key = unlock(sorted(headers, key=lambda header: -header.counter), options, there)
    if options.salvage: return salvage_vault(path, options, header, key, there)
    read = lambda name: manifest_of(key, read_file(path, name, cap=328))
    try: found = attempts(read, "manifest", "manifest.2")  # §7
    except Refused:
        if not there("manifest.next") and not there("manifest.2.next"): raise
        found = attempts(read, "manifest.next", "manifest.2.next")  # §20
    manifest = max(found, key=lambda one: one.generation); check_header(header, [one[5:7] for one in found])
    index = f"index-{key.epoch}.db"; log = read_file(path, index + "-wal") if there(index + "-wal") else b""
    file = read_file(path, index)
    database = open_index(key, file, log, manifest, read_map(path, key, file, manifest, there))
    open_object = lambda name: open_file(path, "objects", name.hex()[:2], name.hex())
    read_draft = lambda d: read_file(path, "drafts", d.hex(), cap=ITEM) if there("drafts", d.hex()) else None
    return read_index(database, key, header, manifest, options, open_object, read_draft)[0]

def read_snapshot(path, options):
    """A snapshot in a backup folder (§22)."""
    folder, name = os.path.split(os.path.abspath(path)); root = os.path.dirname(folder)
    f = Fields(read_file(root, os.path.basename(folder), name))
    _, snapshot, count = f.all("b4 x16 u2"); raw = f.take(count); header, key = unlock([parse_header(raw)], options)
    f = Fields(key.unseal("backup", 22, snapshot, hashlib.sha256(raw).digest(), f.data[f.at:]))
    version, made, *numbers, manifest, size = f.all("u2 i8" + " u8" * 7 + " s328 u8")
    need(version != 2, "this is the snapshot of a damaged vault: only vault backup restore --salvage reads it")
    need(version == 1, "a newer format")
    pieces, manifest = f.one(f"l{size // PIECE + 1}b32"), manifest_of(key, manifest)
    objects = dict(f.all("x32 u8") for _ in range(f.one("u4")))
    drafts = dict(f.all("x16 b32") for _ in range(f.one("u4"))); f.end()
    right = time.strftime("%Y%m%dT%H%M%SZ-", time.gmtime(made // 1000)) + snapshot[:4].hex()
    need(name == right and not manifest.open, "a snapshot has another's name, or an open manifest")
    def piece(digest):
        data = read_file(root, "pieces", digest.hex()[:2], digest.hex(), cap=ITEM)
        need(hashlib.sha256(data).digest() == digest, "a piece was changed"); return data
    def open_object(name):
        file = open_file(root, "objects", name.hex()[:2], name.hex())
        need(objects.get(name) == os.fstat(file.fileno()).st_size, "an object is not the snapshot's"); return file
    index, sizes = [piece(digest) for digest in pieces], [min(PIECE, size - at) for at in range(0, size, PIECE)]
    need([len(data) for data in index] == sizes, "the pieces do not make the index")
    check_header(header, [manifest[5:7]]); database = open_index(key, b"".join(index), b"", manifest)
    read_draft = lambda draft: piece(drafts[draft]) if draft in drafts else None
    report, found = read_index(database, key, header, manifest, options, open_object, read_draft)
    need(numbers == found, "a snapshot's numbers are not those of its index"); return report

def read_archive(path, options):
    """An archive (§21)."""
    with open(path, "rb") as file:
        header, key = unlock([parse_header(file.read(int.from_bytes(file.read(6)[4:], "big")))], options)
        need(header.data[:4] == b"VLT1", "an archive's header is not right")
        need(header.epoch == header.counter == 1, "an archive's header is not right")
        size, last, changes, own = os.fstat(file.fileno()).st_size - file.tell(), 0, set(), 0
        stream = Fields(memoryview(key.unseal("export", 21, b"", b"", file, size=size)))
    while last != 8:
        kind, data = stream.all(f"u1 s{ITEM}")
        need(max(last, 1) <= kind <= 8 and (kind == 1) == (last == 0), "an archive's items are out of order")
        f, last = Fields(data), kind
        if kind == 1:
            version, vault, epoch, counter, generation, _, device = f.all("u2 x16 u4 u8 u8 i8 x16")
            right = 0 < version < 3 and 0 < epoch < 1 << 31 and 0 < counter < 1 << 62 and 0 < generation < 1 << 62
            need(right, "an archive's numbers are out of bounds"); content = Content(vault, options)
        elif kind == 2:
            content.entries.append(f.take(len(data))); own += data[2:18] == device
            need(version == 2 or data[2:18] == device and data[26] < 8, "an entry is of another device")
        elif kind == 3: content.add_slot(f.take(len(data)))
        elif kind == 4: content.add_revision(*f.all(f"x16 x10 i8 f1 s{ITEM}"))
        elif kind == 5:
            *what, size = f.all("x16 x10 f1 s65536 u8"); need(size <= 1 << 41, "an attachment is too large")
            content.add_attachment(*what, stream.take(size))
        elif kind == 6:
            names = ("id", "note", "base", "joins", "created", "discarded", "flags", "title", "notebook", "tags")
            *values, private = f.all("x16 ?x10 ?x16 l200x16 i8 ?i8 f1 ?t4096 t4096 t1048831 f1")
            info, inner = dict(zip(names, values)), f.one("s2097416") if private else None
            draft, info["flags"], info["tags"] = info.pop("id"), 8 * info["flags"], split_tags(info["tags"])
            content.add_draft(draft, info, private, inner, None, f.one(f"?s{ITEM}"))
        elif kind == 7:
            change, command, _, _, first, until = f.all("i8 i8 t64 i8 i8 i8")
            right = change > 0 < command and change not in changes and 1 <= first <= until <= own
            need(right, "a change is not right"); changes.add(change)
        else: need(f.all("u8 " * 6) == content.counts(len(changes)), "an archive's numbers are not what came")
        f.end()
    stream.end(); heads, kept, _ = content.check_chain(device, alone=version == 1); return content.report(heads, kept, epoch, generation)

class Remote:
    """The files of a remote (§25), read by names that are computed. What does not open is not there."""
    def __init__(self, path, header, key):
        self.path, self.key, self.namer = path, key, key.subkey("names in a remote")
        self.role = header.data[22:38] if header.data[:4] == b"VLC1" else bytes(16)
        self.chains, self.packed, self.unpacked, self.newer, self.damaged = {}, {}, set(), [], []
        self.unread = set()
    def name(self, kind, subject, more=b""):
        return hmac.digest(self.namer, self.key.context(kind, subject, self.role + more), "sha256")
    def get(self, folder, name, cap=38835272):
        parts = (folder, name.hex()) if folder == "d" else (folder, name.hex()[:2], name.hex())
        with contextlib.suppress(Refused): return read_file(self.path, *parts, cap=cap)
    def opened(self, folder, kind, subject, name, floor=4096):
        data = self.get(folder, name)
        with contextlib.suppress(Refused):
            return data and (data, bytes(self.key.unseal("sync", kind, subject, self.role, data, floor=floor)))
        if folder == "s": self.unread.add(name.hex())
    def names(self, folder, form, most):
        """Names of the one form (§25.1), the last ones of their order."""
        path = os.path.join(self.path, folder)
        listed = os.listdir(path) if os.path.isdir(path) else []
        return sorted(name for name in listed if re.fullmatch(form, name, re.ASCII))[-most:]
    def devices(self):
        """§25.4: cards of this epoch, each under the name that its device has."""
        for name in map(bytes.fromhex, self.names("d", "[0-9a-f]{64}", 1024)):
            if card := self.opened("d", 25, name, name, floor=256):
                try: device = card_of(card[1])
                except Refused as error: self.refuse(name, 0, error); continue
                if self.name(25, device) == name: yield device
    def segment(self, device, number):
        """A segment's content and the hash of it as it lies: by itself, or out of a span."""
        subject = device + struct.pack(">Q", number)
        if found := self.opened("s", 23, subject, self.name(23, subject)):
            return found[1], hashlib.sha256(found[0]).digest()
        for level in (1, 2, 3):
            place = device, (number - 1) // 64 ** level + 1, level
            if (device, number) in self.packed or place in self.unpacked: continue
            self.unpacked.add(place)
            try: self.unpack(*place)
            except Refused as error: self.refuse(device, number, error)
        return self.packed.get((device, number))
    def unpack(self, device, number, level):
        """§25.5: a span. Each segment in it is padded and sealed again, which gives the bytes that lay there."""
        subject, width = device + struct.pack(">BQ", level, number), 64 ** level
        if not (found := self.opened("s", 24, subject, self.name(24, subject))): return
        f = Fields(found[1]); _, flags, count = f.all("v2 u4 u4"); need(flags == 0, "a newer format")
        need(count == width, "a span has not its width")
        for at in range((number - 1) * width + 1, number * width + 1):
            if f.one("f1"):
                salt, content = f.all("b24 s37748736"); subject = device + struct.pack(">Q", at)
                sealed = reseal(content, self.key.subkey("sync"), salt, self.key.context(23, subject, self.role))
                self.packed.setdefault((device, at), (content, hashlib.sha256(sealed).digest()))
        f.end()
    def read(self):
        """Every chain that a card or a vector names; through gaps, as far as somebody has read it and a little further,
        since what is kept back may be its begin."""
        known, at, misses, ended = dict.fromkeys(self.devices(), 0), {}, collections.Counter(), set()
        while todo := [d for d in known if d not in ended and (d not in at or at[d] <= known[d])]:
            for device in todo:
                number = at.get(device, 1); self.chains.setdefault(device, {})
                while number <= known[device] + 64 and device not in ended:
                    if found := self.segment(device, number):
                        if not (segment := self.take(device, number, *found)): ended.add(device); break
                        quoted = [mark[:2] for mark in segment["vector"]] + [(device, number)]
                        for one, last in quoted: known[one] = max(known.get(one, 0), last)
                    elif number <= known[device]:
                        misses[device] += 1
                        if misses[device] > 1000: ended.add(device)
                    number += 1
                at[device] = known[device] + 1
        return known
    def take(self, device, number, content, digest):
        """§25.9: what opens and is not understood, or is malformed, ends its chain."""
        try: segment = segment_of(content, device, number) | {"digest": digest}
        except Refused as error: self.refuse(device, number, error); return None
        self.chains[device][number] = segment; return segment
    def refuse(self, device, number, error):
        (self.newer if "newer" in str(error) else self.damaged).append([device.hex(), number])
    def object(self, attachment, name, size, commitment):
        """§25.7: an attachment's object out of its parts."""
        count, data = max(1, -(-((size - 56) // 16400) // 1024)), b""
        for part in range(count):
            end = size if part == count - 1 else 56 + 16793600 * (part + 1)
            found = self.get("o", self.name(26, name, struct.pack(">I", part)), cap=16810055)
            if not found or len(found) != end - len(data): return None
            data += found
        with contextlib.suppress(Refused):
            right = hmac.compare_digest(data[24:56], commitment)
            return bytes(self.key.unseal("attachment", 15, name, attachment, data)) if right else None

def reseal(content, key, salt, bound):
    """§25.5 and §4.1: a segment's sealed bytes, from its content and its salt."""
    e = (len(content) + 8).bit_length() - 1; mask = (1 << max(0, e - e.bit_length())) - 1
    size = max(4096, (len(content) + 8 + mask) & ~mask)
    plain = content + bytes(size - len(content) - 8) + struct.pack(">Q", len(content))
    info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt + bound
    made = HKDFExpand(SHA512(), 76, info).derive(key); nonce = int.from_bytes(made[32:44], "big")
    cipher = aead.AESGCM(made[:32])
    chunks = [cipher.encrypt((nonce ^ i).to_bytes(12, "big"), plain[CHUNK * i:CHUNK * (i + 1)], None)
              for i in range(size // CHUNK + 1)]
    return salt + made[44:] + b"".join(chunks)

def card_of(content):
    """§25.4: whose card it is."""
    _, flags, device, _ = Fields(content).end("v2 u4 x16 i8"); need(flags == 0, "a newer format"); return device

def elsewhere(f):
    """§25.5: how far the writer has spoken over other remotes."""
    count = f.one("u4"); need(0 < count <= 4096, "a list is not right")
    marks = [f.all("b16 x16 u8 b32") for _ in range(count)]; places = [mark[0] for mark in marks]
    need(places == sorted(set(places)) and all(0 < mark[2] <= 1 << 62 for mark in marks), "a list is not right")
    return marks

def segment_of(content, device, number):
    """§25.5: a segment."""
    f = Fields(content); _, flags, previous, _, counter, _ = f.all("v2 u4 b32 i8 u8 b32")
    need(flags < 16, "a newer format")
    segment = {"flags": flags, "previous": previous, "counter": counter, "next": None}
    if flags & 4: segment["next"] = f.all("u8 b32")
    count = f.one("u4"); need(count <= 4096, "a list is too long")
    segment["vector"] = [f.all("x16 u8 b32") for _ in range(count)]; f.all("l4096x16 l4096x16")
    if flags & 8: segment["elsewhere"] = elsewhere(f)
    need((number == 1) == (not any(previous)), "a segment is not of its place")
    need(all(mark != device and 0 < at <= 1 << 62 for mark, at, _ in segment["vector"]), "a vector is not right")
    segment["entries"] = [f.one("s33554432") for _ in range(f.one("u4"))]; f.end(); return segment

def entry_of(body):
    """§21.1: an entry, and the items of each kind with it. Of a private revision `key` says under which key it is."""
    f = Fields(body); kind, data = f.all(f"u1 s{ITEM}"); need(kind == 2, "an entry does not come first")
    entry = entry_in(data); operation, note, name = (entry[field] for field in ("operation", "note", "name"))
    entry |= {"revision": None, "key": None, "fact": None, "attachments": []}
    while f.at < len(f.data):
        kind, data = f.all(f"u1 s{ITEM}"); need(kind in (4, 9, 10, 11), "a newer format"); item = Fields(data)
        if kind == 4:
            same, own, *revision = item.end(f"x16 x10 i8 f1 s{ITEM}"); need([same, own] == [name, note], "another's")
            entry["revision"] = revision
        elif kind == 9:
            entry["fact"] = fact_of(item); said = b"".join(sorted(entry["parents"])) + data
            entry["right"] = hashlib.sha256(b"vault/v1 statement" + said).digest()[:16]
            need((entry["fact"][0] < 4) == (not any(note)), "a statement of another note")
        elif kind == 10: entry["key"], = item.end("b16")
        elif kind == 11: entry["attachments"].append(record_of(data, note))
    need((entry["fact"] is not None) == (operation == 9), "an entry is not right"); return entry

def record_of(data, note):
    """An attachment record (§19): ID, object, size, commitment, whether it is private, details."""
    _, attachment, own, *rest = Fields(data).end("v2 x16 x10 x32 u8 b32 f1 s65536")
    need(own == note, "an attachment of another note"); return attachment, rest

def fact_of(f):
    """§10: what an entry says besides revisions, as its kind and its fields."""
    _, kind = f.all("v2 u1"); need(kind < 7, "a newer format")
    need(kind not in (0, 5), "a newer format")
    if kind == 1: fields = f.all("x16 t256 t256 l64x16") + (f.all("x16 u8 b32") if f.one("f1") else [])
    else: fields = f.all([0, 0, "u4 u1 x16 u4 u4 u4 b32 b104 t256 u4", "u4 b16", "b16 ?s1024", 0, "s131072"][kind])
    f.end(); return kind, fields

class Told:
    """What the entries of all chains come to (§10, §25.8)."""
    def __init__(self): self.entries, self.bodies = {}, {}
    def take(self, body):
        entry = entry_of(body)
        if entry["operation"] == 6: return      # what one device has thinned out is its own business
        self.entries.setdefault((entry["device"], entry["sequence"]), entry)
        if entry["fact"] and entry["fact"][0] != 4 and entry["name"] != entry["right"]: return   # counts nowhere (§10)
        if entry["revision"] or entry["name"] not in self.bodies: self.bodies[entry["name"]] = entry
    def facts(self, kind):
        return [(e, e["fact"][1]) for e in self.bodies.values() if e["fact"] and e["fact"][0] == kind]
    def keys(self):
        """The note keyslots by note and key, and the key that a private note has now: a keyslot counts before none, of
        two that nobody has replaced the one with the smaller hash."""
        slots, open_ones = {}, {}
        replaced = {parent for e, _ in self.facts(4) for parent in e["parents"]}
        for e, (key, slot) in sorted(self.facts(4), key=lambda told: told[0]["name"] not in replaced):
            if slot: slots[e["note"], key] = slot
            if e["name"] not in replaced:
                rank = (slot is None, hashlib.sha256(slot or b"").digest(), e["name"])
                open_ones.setdefault(e["note"], []).append((rank, key if slot else None))
        return slots, {note: min(found)[1] for note, found in open_ones.items()}
    def names(self):
        """What devices are called, by the names that they speak under: the last statement about each counts."""
        facts, called, found = sorted(self.facts(1), key=lambda told: told[0]["name"]), {}, {}
        replaced = {p for e in self.entries.values() if e["operation"] == 9 for p in e["parents"]}
        for e, (device, name, *_) in facts:
            if e["name"] not in replaced: called[device] = name
        for _, (device, _, _, chains, *_) in facts: found |= dict.fromkeys([device, *chains], called.get(device))
        return found
    def graph(self): return graph_of({place: e for place, e in self.entries.items() if e["operation"] != 9})

REVISIONS = (1, 2, 3, 4, 7, 8)

def entry_in(data):
    """§10: an entry."""
    f = Fields(data); _, device, sequence, operation, note, name, count = f.all("v2 x16 u8 u1 b10 x16 u1")
    *parents, previous = f.end("x16 " * count + "b32"); need(operation < 10, "a newer format")
    right = sequence and operation and (any(note) or operation == 9) and not (parents and operation in (1, 6))
    need(right, "an entry is not right")
    return {"device": device, "sequence": sequence, "operation": operation, "note": note, "name": name,
            "parents": parents, "previous": previous}

def graph_of(entries):
    """§10: the links of each note, and of each revision its place in the order of heads: depth and name."""
    links, makers, before = {}, {}, {}
    for place, e in sorted(entries.items()):
        links.setdefault(e["note"], []).append(e)
        if e["operation"] != 5: makers.setdefault(e["name"], []).append(place)
    for own in links.values():
        for a, b in zip(own, own[1:]):
            if a["device"] == b["device"] and b["operation"] != 8: before[b["device"], b["sequence"]] = a
    needs, children, depth = {}, {}, {}
    for own in links.values():
        for e in own:
            place = e["device"], e["sequence"]; above = before.get(place)
            under = {maker for parent in e["parents"] for maker in makers.get(parent, [])}
            needs[place] = under | ({(above["device"], above["sequence"])} if above else set())
            for one in needs[place]: children.setdefault(one, []).append(place)
    left = {place: len(under) for place, under in needs.items()}; ready = [p for p in left if not left[p]]
    def least(name): return min((depth.get(maker, 0) for maker in makers.get(name, [])), default=0)
    while ready:
        place = ready.pop(); e, above = entries[place], before.get(place)
        own = [least(parent) for parent in e["parents"]]
        if above: own.append(depth.get((above["device"], above["sequence"]), 0))
        depth[place] = 1 + max(own, default=0)
        for child in children.get(place, []):
            left[child] -= 1
            if not left[child]: ready.append(child)
    return links, {name: (least(name), name) for name in makers}

def check_makers(links):
    """§10: no device makes a revision twice, or one of nothing but what it has purged."""
    for own in links.values():
        made = [(e["device"], e["name"]) for e in own if e["operation"] != 5]
        need(len(made) == len(set(made)), "an entry makes a revision again")
        under, reached = {e["name"]: e["parents"] for e in own if e["operation"] != 5}, {}
        for e in own:
            taken = reached.get(e["device"])
            if e["operation"] != 5:
                need(taken is None or not taken.issuperset(e["parents"]), "an entry makes a revision again")
                continue
            left = list(e["parents"]); taken = reached.setdefault(e["device"], set())
            while left:
                if (at := left.pop()) not in taken: taken.add(at); left += under.get(at, [])

def gone_of(links):
    """§10: what purges took."""
    gone, reached, under = set(), [p for e in links if e["operation"] == 5 for p in e["parents"]], {}
    for e in links:
        if e["operation"] != 5: under.setdefault(e["name"], []).extend(e["parents"])
    while reached:
        if (at := reached.pop()) not in gone: gone.add(at); reached += under.get(at, [])
    return gone

def heads_of(links, rank, missing):
    """§10: heads by depth and name; one whose record is not there is passed over, and with it what it came after counts
    again. What purges reach is gone."""
    gone, under = gone_of(links), {e["name"] for e in links if e["operation"] != 5}
    passed = set()
    while True:
        covered = {p for e in links if e["name"] not in passed for p in e["parents"]}
        heads = sorted(under - covered - passed - gone, key=lambda name: rank[name])
        if not missing & {*heads}: return heads, passed, sorted(under - gone, key=lambda name: rank[name])
        passed |= missing & {*heads}

def remote_root(path):
    """The folder of one vault (§25.1), which may lie below the one that was named."""
    below = [path] if os.path.basename(os.path.abspath(path)) == "notevault-1" else [os.path.join(path, "notevault-1")]
    for one in filter(os.path.isdir, below):
        vaults = [name for name in os.listdir(one) if re.fullmatch("[0-9a-f]{32}", name)]
        if len(vaults) != 1: raise Failed(2, "name the folder of one vault: " + " ".join(sorted(vaults)))
        return os.path.join(one, vaults[0])
    return path

def read_remote(path, options):
    """A vault out of a remote alone (§25)."""
    path = remote_root(path); identity, found = os.path.basename(os.path.abspath(path)), []
    for name in sorted(os.listdir(os.path.join(path, "h")), reverse=True):
        if len(found) < 16 and re.fullmatch("[0-9]{20}-[0-9a-f]{8}", name, re.ASCII):
            with contextlib.suppress(Refused):
                header = parse_header(read_file(path, "h", name, cap=1439))
                own = header.data[22:38] if header.data[:4] == b"VLC1" else header.vault
                right = name == f"{header.counter:020}-{hashlib.sha256(header.data).hexdigest()[:8]}"
                if right and own.hex() == identity: found.append(header)
    need(found, "there is no header of this vault"); header, key = unlock(found, options)
    remote = Remote(path, header, key); known = remote.read(); told, cut, beyond, newest = Told(), None, [], 0
    ends = [(s["next"][1], d, n) for d, chain in remote.chains.items() for n, s in chain.items() if s["next"]]
    if ends:                            # of two endings the one whose next header has the smaller hash (§25.8)
        _, device, number = min(ends)
        cut = {d: n for d, n, _ in remote.chains[device][number]["vector"]} | {device: number}
    for device, chain in sorted(remote.chains.items()):
        for number, segment in sorted(chain.items()):
            if cut is not None and number > cut.get(device, 0): beyond.append([device.hex(), number]); continue
            newest = max(newest, segment["counter"])
            for body in segment["entries"]:
                try: told.take(body)
                except (Refused, UnicodeDecodeError) as error: remote.refuse(device, number, error)
    removed = [slot for _, (epoch, slot) in told.facts(3) if epoch == key.epoch]
    if options.slot in removed: raise Failed(4, "wrong password or key, or the vault is damaged")
    need(header.counter >= newest, "the remote holds the newest header back: this one is older than what it opens")
    report = report_remote(remote, told, options)
    whole = key.epoch == 1 or any(s["flags"] & 2 for chain in remote.chains.values() for s in chain.values())
    names = told.names()
    devices = [{"id": d.hex(), "name": names.get(d), "segments": len(chain)}
               for d, chain in sorted(remote.chains.items())]
    return report | {"vault": key.vault.hex(), "epoch": key.epoch, "devices": devices, "wholeState": whole,
                     "missingSegments": [*gaps(remote, known)], "forked": forks(remote), "beyondTheCut": beyond,
                     "newerSegments": sorted(remote.newer), "damagedSegments": sorted(remote.damaged),
                     "unreadObjects": sorted(remote.unread),
                     "epochHasEnded": cut is not None}

def gaps(remote, known):
    """Runs of segments that somebody has read, or that others follow, and that are not there: device, first, last. What
    a whole state covers is said elsewhere."""
    covered = {}
    for segment in (s for chain in remote.chains.values() for s in chain.values() if s["flags"] & 2):
        for device, at, _ in segment["vector"]: covered[device] = max(covered.get(device, 0), at)
    for device, last in sorted(known.items()):
        refused = [n for d, n in remote.newer + remote.damaged if d == device.hex()]
        there = [0, *sorted({*remote.chains[device], *refused}), max(last, *refused, 0) + 1]
        runs = ((max(a, covered.get(device, 0)) + 1, b - 1) for a, b in zip(there, there[1:]))
        yield from ([device.hex(), a, b] for a, b in runs if a <= b)

def forks(remote):
    """Devices whose chains say two things (§25.8)."""
    found = set()
    for device, chain in remote.chains.items():
        found |= {device for n, s in chain.items() if n - 1 in chain and s["previous"] != chain[n - 1]["digest"]}
        found |= {mark for s in chain.values() for mark, n, digest in s["vector"]
                  if n in remote.chains.get(mark, {}) and remote.chains[mark][n]["digest"] != digest}
    return sorted(device.hex() for device in found)

def report_remote(remote, told, options):
    """Every note that a head of the graph shows, as far as its records are there."""
    content, (links, rank), (slots, now), left_out = Content(remote.key.vault, options), told.graph(), told.keys(), 0
    def take(adding, note, key, *what):
        """Adds something of a note that is under one of its keys; one note may have had several."""
        content.slots.pop(note, None); content.keys.pop(note, None)
        try:
            if key is not None: content.add_slot(slots[note, key], note)
            adding(*what); return 0
        except (Refused, UnicodeDecodeError, KeyError): return 1
    found = {}
    for name in sorted(rank, key=lambda name: rank[name]):
        e = told.bodies[name]
        if e["revision"]:
            made, private, record = e["revision"]; key = e["key"] if private else None
            left_out += take(content.add_revision, e["note"], key, name, e["note"], made, private, record)
        for attachment, rest in e["attachments"]: found.setdefault((e["note"], attachment), []).append((e["key"], rest))
    for e, (data,) in sorted(told.facts(6), key=lambda told: told[0]["sequence"]):
        attachment, rest = record_of(data, e["note"])
        found.setdefault((e["note"], attachment), []).append((now.get(e["note"]), rest))
    notes, lost, homes, named, missing = [], [], {}, set(), rank.keys() - content.revisions.keys()
    ends = {note: heads_of(own, rank, missing) for note, own in sorted(links.items())}
    for note, (heads, passed, order) in ends.items():
        records = {r: content.revisions[r][1] for r in order if r in content.revisions}
        named |= {a for record in records.values() for a in record["attachments"]}
        if heads and any(record["locked"] for record in records.values()):
            named |= {attachment for home, attachment in found if home == note}
    lost_files = []
    for (note, attachment), records in sorted(found.items()):
        if attachment not in named or not ends.get(note, [0])[0]: continue
        # What was said last counts; any object that somebody has put holds the same content.
        objects = (remote.object(attachment, *rest[:3]) for _, rest in reversed(records)); key, rest = records[-1]
        plain = next((one for one in objects if one is not None), None)
        key = key if rest[3] else None
        if plain is None or take(content.add_attachment, note, key, attachment, note, rest[3], rest[4], plain):
            lost_files.append({"id": base32(attachment), "note": base32(note)})
        else: homes.setdefault(note, []).append(attachment)
    untold = {base32(a) for a in named - content.attachments.keys()} - {one["id"] for one in lost_files}
    lost_files += [{"id": one, "note": None} for one in sorted(untold)]
    for note, (heads, passed, order) in ends.items():
        if not heads and passed: lost.append({"id": base32(note), "title": ""})
        if not heads: continue
        records, own = {r: content.revisions[r][1] for r in order if r in content.revisions}, homes.get(note, [])
        shown = heads[-1]; listed = own if records[shown]["locked"] else records[shown]["attachments"]
        older = [{"id": base32(r), **record, "attachments": [base32(a) for a in record["attachments"]],
                  "isHead": r in heads} for r, record in records.items() if r != shown]
        notes.append({"id": base32(note), **records[shown], "head": base32(shown), "revisions": older,
                      "state": "older" if passed else "whole",
                      "attachments": [content.attachments[a][1] for a in listed if a in content.attachments],
                      "olderAttachments": [content.attachments[a][1] for a in own if a not in listed]})
    return {"notes": notes, "drafts": [], "lost": lost, "lostAttachments": lost_files, "revisionsLeftOut": left_out}

def run(options):
    """Reads, and moves the attachments into --out once everything was right."""
    if not hasattr(sqlite3.Connection, "deserialize"): raise Failed(1, "it needs Python 3.11")
    if options.out: os.makedirs(options.out, exist_ok=True)
    holder = tempfile.TemporaryDirectory(prefix=".part-", dir=options.out) if options.out else contextlib.nullcontext()
    with holder as parts:
        start, options.parts = b"" if os.path.isdir(options.path) else Path(options.path).open("rb").read(4), parts
        reader = {b"": read_vault, b"VLA1": read_archive, b"VLB1": read_snapshot}.get(start)
        if start == b"" and os.path.isdir(os.path.join(remote_root(options.path), "h")): reader = read_remote
        need(reader, "this is neither an archive nor a snapshot"); report = reader(options.path, options)
        need(not options.salvage or reader == read_vault, "--salvage reads a vault's folder")
        moves = [(one, Path(options.out, one.name)) for one in Path(parts).iterdir()] if parts else []
        if any(os.path.lexists(target) for _, target in moves): raise Failed(7, "an attachment's file exists already")
        for one, target in moves: one.rename(target)
    return report

def show(report):
    """Every note and draft with its text, its attachments and how many older texts it has."""
    for one in report["notes"] + report["drafts"]:
        if one.get("state") == "older": print(f"== {one['id']} has an older text, or may have")
        text = f"== {one['id']} {one['title'] or ''}{' (locked)' if one['locked'] else ''}\n{one['body'] or ''}"
        for file in [] if one["locked"] else one.get("attachments") or []:
            size = f"{file['mediaType']}, {file['size']} bytes, SHA-256 {file['sha256']}"
            text += f"\n-- attachment {file['name']}, {size}"
        if one.get("revisions"): text += f"\n-- {len(one['revisions'])} older texts: --json has them"
        say(text)
    if "lost" not in report: return
    for note in report["lost"]: say(f"== {note['id']} {note['title']}: lost")
    for file in report["lostAttachments"]: say(f"-- attachment {file['id']} of {file['note']}: lost")
    if "devices" in report: return show_remote(report)
    for draft in report["lostDrafts"]: say(f"-- draft {draft}: lost")
    if not report["knowsEnd"]: say("-- the last changes may be lost" + (": the log is" if report["logLost"] else ""))
    whole = sum(note["state"] == "whole" for note in report["notes"]); damaged = len(report["damagedPages"])
    say(f"-- {whole} notes are whole, {len(report['notes']) - whole} have an older text, {len(report['lost'])} are lost"
        f"; {damaged} pages do not open, {len(report['oldPages'])} are older than the vault, "
        f"{report['missingEntries']} entries of the history are missing")

def show_remote(report):
    """Who has said how much, and what is not there."""
    for one in report["devices"]: say(f"-- device {one['id']} {one['name'] or ''}: {one['segments']} segments")
    for device, first, last in report["missingSegments"]: say(f"-- {device}: segments {first} to {last} are missing")
    for name in report["unreadObjects"]: say(f"-- s/{name[:2]}/{name} does not open: it is cut, or was changed")
    words = {"newerSegments": "was made by a newer program",
             "damagedSegments": "is malformed", "beyondTheCut": "was said after the epoch's end, and does not count"}
    for name, what in words.items():
        for device, number in report[name]: say(f"-- segment {number} of device {device} {what}")
    for device in report["forked"]: say(f"-- device {device} says two things: it was set back, or the remote lies")
    if not report["wholeState"]: say("-- nobody has said all that was there when the epoch began")
    if report["epochHasEnded"]: say("-- the key was changed since: what is newer opens with the new password")

def say(text): print(re.sub(r"[\0-\x08\x0b-\x1f\x7f-\x9f]", lambda c: f"\\x{ord(c[0]):02x}", text))

def is_whole(report):
    """Whether nothing that the history names is lost (§23), or not there (§25)."""
    names = "lost lostAttachments lostDrafts missingEntries missingSegments newerSegments damagedSegments forked"
    gone = [report.get(name) for name in (names + " unreadObjects epochHasEnded").split()]
    known = report.get("knowsEnd", True) and report.get("wholeState", True)
    return known and not any(gone) and all(note.get("state") != "older" for note in report["notes"])

def main():
    parser = argparse.ArgumentParser(description="Opens a vault, an archive, a snapshot or the files of a remote.")
    parser.add_argument("path", metavar="VAULT|ARCHIVE|SNAPSHOT|REMOTE")
    for name in ("password-file", "recovery-key-file", "key-file", "note-password-file"):
        parser.add_argument("--" + name, metavar="FILE")
    parser.add_argument("--out", metavar="DIR", help="where attachments are written to")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--salvage", action="store_true", help="read what is whole in a damaged vault")
    options = parser.parse_args()
    if options.recovery_key_file and (options.password_file or options.key_file): parser.error("the recovery key alone")
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        report = run(options)
        print(json.dumps(report, indent=1), flush=True) if options.json else show(report)
        return 0 if is_whole(report) else 12
    except Failed as error: code, text = error.args
    except BlockingIOError: code, text = 1, "another program has the vault open: lock it first"
    except (OSError, ImportError, MemoryError) as error: code, text = 1, str(error) or "not enough memory"
    except (EOFError, KeyboardInterrupt): code, text = 130, "stopped"
    except Refused as error: code, text = 13, error
    except Exception as error: code, text = 13, f"damaged: {type(error).__name__}"
    print(f"decrypt.py: {text}", file=sys.stderr); return code

if __name__ == "__main__": sys.exit(main())
