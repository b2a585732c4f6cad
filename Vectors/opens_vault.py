#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Opens a whole vault by hand, as docs/format.md §16 says, also in the middle of a rotation: notes, drafts, attachments, and private notes whose
password is given. None of vault's code takes part, and nothing is written: the opened index stays in memory.

    opens_vault.py VAULT --password-file FILE [--key-file FILE] [--note-password-file FILE …]          exit code 1 when anything does not open
"""
import argparse, hashlib, hmac, json, pathlib, sqlite3, struct, sys
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
import verify_attachments as attachments, verify_formats as formats, verify_keys as keys, verify_map, verify_private as private
from verify_drafts import parse_draft
from verify_formats import HEX, Refused, be, context, open_sealed, subkey, unpad
from verify_private import Place

PAGE, FRAME = 4096, 4120

def checksum(start, data, order):
    s, t = start
    for a, b in struct.iter_unpack(order + "II", data): s = (s + a + t) & 0xffffffff; t = (t + b + s) & 0xffffffff
    return s, t

class FilePages:
    """The pages of a database file, as a map asks for them."""
    def __init__(self, raw): self.raw, self.count = raw, len(raw) // PAGE
    def tag(self, number): return self.raw[PAGE * number - 16:PAGE * number].ljust(16, b"\0")

class Vault:
    def __init__(self, folder, password, key_file=None):
        self.folder = pathlib.Path(folder)
        name, head = max(((name, keys.parse_header(self.read(name))) for name in ("header", "header.2")), key=lambda found: found[1]["counter"])
        self.key, self.id, self.epoch, self.slots = self.unwrap(head, password, key_file), head["vaultID"], head["epoch"], head["slots"]
        if not hmac.compare_digest(keys.header_mac(head["covered"], self.key), head["mac"]): raise Refused("mac")
        self.manifest = self.open_manifest()
        known = self.manifest.get("headerCounter", 0), self.manifest.get("headerDigest")
        if head["counter"] < known[0] or head["counter"] == known[0] and hashlib.sha256(self.read(name)).hexdigest() != known[1]: raise Refused("header")
        self.index, self.note_places = self.open_index(), {}
        self.eras, self.rotation = [(self.key, self.epoch)], None
        (schema,), = self.rows("SELECT schema FROM state")
        if schema not in (3, 4, 5, 6): raise Refused("schema")
        # §13: no word of a private note is in the index
        if schema > 4 and self.rows("SELECT 1 FROM folded JOIN note USING(row) WHERE note.id IN (SELECT note FROM noteKey)"): raise Refused("folded")
        self.has_epochs = schema > 3  # schema 3 had no table of keyslots or rotations, and objects had the header's epoch
        for wrapped, counter, stage, done, total in self.rows("SELECT wrapped, counter, stage, done, total FROM rotation") if self.has_epochs else ():
            if counter < head["counter"]: continue  # of a rotation that has ended
            self.eras.append((keys.key_before(wrapped, self.key, self.id, self.epoch, counter), self.epoch - 1))
            self.rotation = dict(rotation=self.epoch, counter=counter, stage=stage, done=done, total=total)
    def read(self, name): return (self.folder / name).read_bytes()
    def subkey(self, label): return subkey(self.key, label)
    def rows(self, query): return self.index.execute(query).fetchall()
    def unwrap(self, head, password, key_file):
        secret = None if key_file is None else keys.key_file_secret(key_file)
        kind = keys.PASSWORD if secret is None else keys.PASSWORD_AND_KEY_FILE
        for slot in head["slots"]:
            if slot["kind"] != kind or not keys.acceptable(slot["cost"]): continue
            try: return open_sealed(slot["wrapped"], keys.password_kek(password, slot, secret), keys.slot_context(head, slot))
            except Refused: pass
        raise Refused("unwrap")
    def open_manifest(self):
        """§2: manifest.next counts only when manifest does not open."""
        def opened(name): return open_sealed(self.read(name), self.subkey(b"manifest"), context("manifest", self.id, self.epoch))
        try: padded = opened("manifest")
        except Refused:
            if not (self.folder / "manifest.next").exists(): raise
            padded = opened("manifest.next")
        return formats.parse_manifest(unpad(padded))

    # §20: while a rotation runs, what a row holds may be under the epoch before, and an object is under the epoch that its row names
    def either(self, place, open_it):
        refused = None
        for era in self.eras:
            try: return open_it(place.under(*era))
            except Refused as error:
                if error.stage not in ("open", "unwrap"): raise
                refused = refused or error
        raise refused
    def era(self, epoch):
        for era in self.eras:
            if era[1] == epoch: return era
        raise Refused("epoch")

    # §11, §12: pages, then those of the log over them
    def open_index(self):
        key, bound = self.subkey(b"index page"), context("indexPage", self.id, self.epoch)
        raw, pages = self.read(f"index-{self.epoch}.db"), {}
        for n in range(1, len(raw) // PAGE + 1):
            page = raw[(n - 1) * PAGE:n * PAGE]
            if n == (1 << 30) // PAGE + 1:  # §11: SQLite's lock bytes; never written
                if page.strip(b"\0"): raise Refused("page")
                pages[n] = page
                continue
            plain = formats.xaes(key, page[4056:4080]).decrypt(page[4068:4080], page[:4056] + page[4080:], bound + be(n, 4))
            pages[n] = plain + bytes(40)
        file_count, in_file = len(pages), dict(pages)
        count = self.take_log(pages, file_count)
        if self.manifest.get("hasMap"):  # §11.1: what the log does not hold must be what was written last
            path = self.folder / f"index-{self.epoch}.map"
            found = path.read_bytes() if path.exists() else b""
            page_map = verify_map.Map(FilePages(raw), found, self.manifest["mapSlot"], HEX(self.manifest["mapHash"]))
            for n in range(1, min(count, file_count) + 1):
                if pages[n] is in_file[n] and n != (1 << 30) // PAGE + 1 and not page_map.fits(n): raise Refused("page")
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

    def keyslots(self):
        kinds = {slot["slotID"]: slot["kind"] for slot in self.slots}
        found = self.rows("SELECT slot, name, made, target FROM keyslot ORDER BY slot") if self.has_epochs else ()
        for slot, name, made, target in found:
            yield dict(keyslot=slot.hex(), kind=kinds.get(slot), name=name, made=made, target=target)

    # §18: a note's place has its key as soon as one of the passwords opens its slot
    def open_slots(self, passwords):
        for note_id, sealed in self.rows("SELECT note, sealed FROM noteKey"):
            place = Place(self.key, self.id, self.epoch, note_id)
            _, slot = self.either(place, lambda at: private.open_note_keyslot(sealed, at))
            place.key_epoch, verified = slot["keyEpoch"], False
            for password in passwords:
                try: place.note_key = private.note_key(slot, private.note_kek(password, slot), self.id)
                except Refused: continue
                verified = PasswordHasher().verify(slot["passwordHash"], password)
                break
            mistaken = is_taken(slot["passwordHash"], b"not " + (passwords or [b"it"])[0])
            yield dict(note=note_id.hex(), isOpen=bool(place.note_key), hash=slot["passwordHash"].rsplit("$", 2)[0], verified=verified, takesAnother=mistaken)
            self.note_places[note_id] = place
    def place(self, note_id): return self.note_places.get(note_id) or Place(self.key, self.id, self.epoch, note_id)

    def revisions(self):
        heads = {head for head, in self.rows("SELECT head FROM note")}
        for revision, note_id, sealed in self.rows("SELECT id, note, sealed FROM revision ORDER BY rowid"):
            place, found = self.place(note_id), dict(revision=revision.hex(), note=note_id.hex(), isHead=revision in heads)
            if note_id not in self.note_places:
                padded = self.either(place, lambda at: open_sealed(sealed, *at.outer(b"record", "record", revision, note_id)))
                record = formats.parse_record(unpad(padded))
                if record["noteID"] != note_id.hex(): raise Refused("place")
                yield {**found, **shown(record)}
                continue
            _, outer = self.either(place, lambda at: private.open_private_record(sealed, at, revision))
            found["outside"] = dict(title=outer["title"], flags=outer["flags"], keyEpoch=outer["keyEpoch"], contentRevision=outer["contentRevision"])
            if place.note_key: found.update(shown(private.open_inner_record(outer, place)[1]))
            yield found

    # §19
    def attachments(self):
        epoch = "epoch" if self.has_epochs else self.epoch
        rows = self.rows(f"SELECT id, note, object, sealed, {epoch} FROM attachment ORDER BY rowid")
        for attachment_id, note_id, name, sealed, epoch in rows:
            place = self.place(note_id)
            record = self.either(place, lambda at: attachments.open_attachment_record(sealed, at, attachment_id, name))
            place = place.under(*self.era(epoch))
            file = self.read(f"objects/{name.hex()[:2]}/{name.hex()}")
            if (len(file), file[24:56].hex()) != (record["fileSize"], record["commitment"]): raise Refused("size")
            found = dict(attachment=attachment_id.hex(), note=note_id.hex(), epoch=epoch, isPrivate=record["isPrivate"],
                         fileSize=len(file))
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
            content = self.either(place, lambda at: attachments.open_thumbnail(sealed, at, attachment_id))
            yield dict(thumbnail=attachment_id.hex(), size=len(content))

    # §17, §18
    def drafts(self):
        for draft_id, wrapped, note_id, title in self.rows("SELECT id, wrapped, note, title FROM draft"):
            place, found = self.place(note_id), dict(draft=draft_id.hex(), note=note_id and note_id.hex(), title=title)
            if note_id in self.note_places:
                if not place.note_key: yield found; continue
                key, _, fields = self.either(place, lambda at: private.open_private_draft_key(wrapped, at, draft_id))
                found["fields"] = fields
            else: key = self.either(place, lambda at: open_sealed(wrapped, *at.outer(b"draft key", "draftKey", draft_id)))
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
    options.add_argument("--key-file")
    options.add_argument("--note-password-file", action="append", default=[])
    given = options.parse_args()
    try:
        key_file = pathlib.Path(given.key_file).read_bytes() if given.key_file else None
        vault = Vault(given.vault, password_in(given.password_file), key_file)
        print(json.dumps(vault.manifest))
        if vault.rotation: print(json.dumps(vault.rotation))
        note_passwords = [password_in(path) for path in given.note_password_file]
        for kind in (vault.keyslots(), vault.open_slots(note_passwords), vault.revisions(), vault.attachments(), vault.thumbnails(), vault.drafts()):
            for item in kind: print(json.dumps(item, ensure_ascii=False))
    except (Refused, formats.InvalidTag, OSError) as error:
        print(f"refused: {type(error).__name__} {error}", file=sys.stderr)
        sys.exit(1)
