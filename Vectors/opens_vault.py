#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Opens a whole vault by hand, as docs/format.md §16 says: notes, drafts, attachments, and private notes whose password is given.
None of vault's code takes part, and nothing is written: the opened index stays in memory.

    opens_vault.py VAULT --password-file FILE [--note-password-file FILE …]          exit code 1 when anything does not open
"""
import argparse, hashlib, hmac, json, pathlib, sqlite3, struct, sys
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
import verify_attachments as attachments, verify_formats as formats, verify_private as private
from verify_drafts import parse_draft
from verify_formats import HEX, Refused, be, context, open_sealed, subkey, unpad

PAGE, FRAME = 4096, 4120

def checksum(start, data, order):
    s, t = start
    for a, b in struct.iter_unpack(order + "II", data): s = (s + a + t) & 0xffffffff; t = (t + b + s) & 0xffffffff
    return s, t

class Vault:
    def __init__(self, folder, password):
        self.folder = pathlib.Path(folder)
        head = max((formats.parse_header(self.read(name)) for name in ("header", "header.2")), key=lambda head: head["counter"])
        self.key, self.id, self.epoch = self.unwrap(head, password), head["vaultID"], head["epoch"]
        if not hmac.compare_digest(formats.header_mac(head["covered"], self.key), head["mac"]): raise Refused("mac")
        sealed = open_sealed(self.read("manifest"), self.subkey(b"manifest"), context("manifest", self.id, self.epoch))
        self.manifest = formats.parse_manifest(unpad(sealed))
        self.index, self.note_places = self.open_index(), {}
    def read(self, name): return (self.folder / name).read_bytes()
    def subkey(self, label): return subkey(self.key, label)
    def rows(self, query): return self.index.execute(query).fetchall()
    def unwrap(self, head, password):
        for slot in head["slots"]:
            if slot["kind"] != 1 or not formats.acceptable(slot["cost"]): continue
            try: return open_sealed(slot["wrapped"], formats.password_kek(password, slot), formats.slot_context(head, slot))
            except Refused: pass
        raise Refused("unwrap")

    # §11, §12: pages, then those of the log over them
    def open_index(self):
        key, bound = self.subkey(b"index page"), context("indexPage", self.id, self.epoch)
        raw, pages = self.read(f"index-{self.epoch}.db"), {}
        for n in range(1, len(raw) // PAGE + 1):
            page = raw[(n - 1) * PAGE:n * PAGE]
            plain = formats.xaes(key, page[4056:4080]).decrypt(page[4068:4080], page[:4056] + page[4080:], bound + be(n, 4))
            pages[n] = plain + bytes(40)
        count = self.take_log(pages, len(pages))
        data = b"".join(pages[n] for n in range(1, count + 1))
        index = sqlite3.connect(":memory:")
        index.deserialize(data[:18] + b"\1\1" + data[20:])
        return index
    def take_log(self, pages, count):
        log = self.read(f"index-{self.epoch}.db-wal")
        if not log: return count
        key, bound = self.subkey(b"index log"), context("indexLog", self.id, self.epoch) + HEX(self.manifest["logSalt"])
        def opened(part, number, salts): return formats.xaes(key, part[:24]).decrypt(part[12:24], part[24:], bound + be(number, 8) + salts)
        head = opened(log[:72], 0, bytes(8))
        order = ">" if head[3] & 1 else "<"
        state, pending, end = checksum((0, 0), head[:24], order), {}, 72
        if struct.pack(">II", *state) != head[24:32]: raise Refused("log")
        for i in range((len(log) - 72) // FRAME):
            frame = opened(log[72 + FRAME * i:72 + FRAME * (i + 1)], i + 1, head[16:24])
            state = checksum(state, frame[:8] + frame[24:] + bytes(40), order)
            if frame[8:16] != head[16:24] or struct.pack(">II", *state) != frame[16:24]: raise Refused("log")
            pending[int.from_bytes(frame[:4], "big")] = frame[24:] + bytes(40)
            committed = int.from_bytes(frame[4:8], "big")
            if committed: count, end = committed, 72 + FRAME * (i + 1); pages.update(pending); pending = {}
        if end < self.manifest["syncedByteCount"]: raise Refused("log")
        return count

    # §18: a note's place has its key as soon as one of the passwords opens its slot
    def open_slots(self, passwords):
        for note_id, sealed in self.rows("SELECT note, sealed FROM noteKey"):
            place = private.Place(self.key, self.id, self.epoch, note_id)
            _, slot = private.open_note_keyslot(sealed, place)
            place.key_epoch, verified = slot["keyEpoch"], False
            for password in passwords:
                try: place.note_key = private.note_key(slot, private.note_kek(password, slot), self.id)
                except Refused: continue
                verified = PasswordHasher().verify(slot["passwordHash"], password)
                break
            mistaken = is_taken(slot["passwordHash"], b"not " + (passwords or [b"it"])[0])
            yield dict(note=note_id.hex(), isOpen=bool(place.note_key), hash=slot["passwordHash"].rsplit("$", 2)[0], verified=verified, takesAnother=mistaken)
            self.note_places[note_id] = place
    def place(self, note_id): return self.note_places.get(note_id) or private.Place(self.key, self.id, self.epoch, note_id)

    def revisions(self):
        heads = {head for head, in self.rows("SELECT head FROM note")}
        for revision, note_id, sealed in self.rows("SELECT id, note, sealed FROM revision ORDER BY rowid"):
            place, found = self.place(note_id), dict(revision=revision.hex(), note=note_id.hex(), isHead=revision in heads)
            if note_id not in self.note_places:
                record = formats.parse_record(unpad(open_sealed(sealed, self.subkey(b"record"), context("record", self.id, self.epoch, revision, note_id))))
                if record["noteID"] != note_id.hex(): raise Refused("place")
                yield {**found, **shown(record)}
                continue
            _, outer = private.open_private_record(sealed, place, revision)
            found["outside"] = dict(title=outer["title"], flags=outer["flags"], keyEpoch=outer["keyEpoch"], contentRevision=outer["contentRevision"])
            if place.note_key: found.update(shown(private.open_inner_record(outer, place)[1]))
            yield found

    # §19
    def attachments(self):
        for attachment_id, note_id, name, sealed in self.rows("SELECT id, note, object, sealed FROM attachment ORDER BY rowid"):
            place = self.place(note_id)
            record = attachments.open_attachment_record(sealed, place, attachment_id, name)
            file = self.read(f"objects/{name.hex()[:2]}/{name.hex()}")
            if (len(file), file[24:56].hex()) != (record["fileSize"], record["commitment"]): raise Refused("size")
            found = dict(attachment=attachment_id.hex(), note=note_id.hex(), isPrivate=record["isPrivate"], fileSize=len(file))
            if place.key_epoch and not place.note_key:
                open_sealed(file, *place.outer(b"attachment", "object", name, attachment_id))
                yield found
                continue
            details = attachments.parse_details(attachments.open_details(record, place, attachment_id))
            whole = attachments.Object(file, place, attachment_id, name, record["fileSize"], HEX(record["commitment"]), details["size"])
            content, middle = whole.content(), details["size"] // 2
            if whole.part(middle, len(content)) != content[middle:]: raise Refused("range")
            yield {**found, **details, "sha256": hashlib.sha256(content).hexdigest()}
    def thumbnails(self):
        notes = dict(self.rows("SELECT id, note FROM attachment"))
        for attachment_id, sealed in self.rows("SELECT attachment, sealed FROM thumbnail"):
            place = self.place(notes[attachment_id])
            if place.key_epoch and not place.note_key: continue
            yield dict(thumbnail=attachment_id.hex(), size=len(attachments.open_thumbnail(sealed, place, attachment_id)))

    # §17, §18
    def drafts(self):
        for draft_id, wrapped, note_id, title in self.rows("SELECT id, wrapped, note, title FROM draft"):
            place, found = self.place(note_id), dict(draft=draft_id.hex(), note=note_id and note_id.hex(), title=title)
            if note_id in self.note_places:
                if not place.note_key: yield found; continue
                key, _, fields = private.open_private_draft_key(wrapped, place, draft_id)
                found["fields"] = fields
            else: key = open_sealed(wrapped, self.subkey(b"draft key"), context("draftKey", self.id, self.epoch, draft_id))
            path = self.folder / "drafts" / draft_id.hex()
            if path.exists():
                saved = parse_draft(unpad(open_sealed(path.read_bytes(), key, context("draft", self.id, 0, draft_id))))
                found.update(sequence=saved["sequence"], body=HEX(saved["body"]).decode("utf-8", "replace"))
            yield found

def is_taken(text, password):
    try: return PasswordHasher().verify(text, password)
    except VerifyMismatchError: return False

def shown(record): return {name: record[name] for name in ("title", "notebook", "tags", "attachments", "body")}

def password_in(path): return pathlib.Path(path).read_bytes().split(b"\n")[0]

if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("vault")
    options.add_argument("--password-file", required=True)
    options.add_argument("--note-password-file", action="append", default=[])
    given = options.parse_args()
    try:
        vault = Vault(given.vault, password_in(given.password_file))
        print(json.dumps(vault.manifest))
        for kind in (vault.open_slots([password_in(path) for path in given.note_password_file]), vault.revisions(), vault.attachments(),
                     vault.thumbnails(), vault.drafts()):
            for item in kind: print(json.dumps(item, ensure_ascii=False))
    except (Refused, formats.InvalidTag, OSError) as error:
        print(f"refused: {type(error).__name__} {error}", file=sys.stderr)
        sys.exit(1)
