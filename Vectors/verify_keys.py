#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""The ways to a vault key, read a second time from docs/format.md §5, §6 and §20 alone: header, keyslots, recovery keys, key files, and the key
of the epoch before. verify.py runs it; none of vault's code takes part.
"""
import hmac
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from verify_formats import HEX, Reader, Refused, be, context, open_sealed, runner, seal, subkey

BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
PASSWORD, RECOVERY_KEY, PASSWORD_AND_KEY_FILE = 1, 2, 3

# §5: the header and its keyslots
def parse_header(data):
    r = Reader(data)
    magic = r.take(4)
    r.expect(magic in (b"VLT1", b"VLC1"), "badMagic")
    r.expect(r.number(2) == 1, "unknownVersion")
    head = dict(vaultID=r.identity(16), copyID=r.identity(16) if magic == b"VLC1" else None, flags=r.number(4))
    r.expect(head["flags"] == 0, "unknownFeature")
    head.update(epoch=r.number(4), counter=r.number(8))
    r.expect(head["epoch"] >= 1 and head["counter"] >= 1, "notCanonical")
    count = r.number(1)
    r.expect(1 <= count <= 8, "tooLarge")
    head["slots"] = [parse_slot(r) for _ in range(count)]
    r.expect(len({slot["slotID"] for slot in head["slots"]}) == count, "duplicate")
    head.update(covered=data[:r.at], mac=r.take(64))
    r.end()
    return head

def parse_slot(r):
    begin, slot = r.at, dict(kind=r.number(1))
    r.expect(slot["kind"] in (PASSWORD, RECOVERY_KEY, PASSWORD_AND_KEY_FILE), "unknownKind")
    slot.update(slotID=r.identity(16), cost=tuple(r.number(4) for _ in range(3)), salt=r.take(32))
    slot.update(clear=r.data[begin:r.at], wrapped=r.take(104))
    r.expect(slot["kind"] != RECOVERY_KEY or slot["cost"] == (0, 0, 0), "notCanonical")
    return slot

def acceptable(cost):
    m, t, p = cost
    return 65536 <= m <= 4194304 and 3 <= t <= 64 and 1 <= p <= 16

def slot_context(head, slot):
    return context("keyslot", head["vaultID"], head["epoch"], slot["slotID"], be(1, 2) + be(head["flags"], 4) + slot["clear"])

def header_mac(covered, vault_key): return hmac.digest(subkey(vault_key, b"header mac"), covered, "sha512")

# §6: what a credential derives
def password_kek(password, slot, secret=None):
    m, t, p = slot["cost"]
    return Argon2id(salt=slot["salt"], length=32, iterations=t, lanes=p, memory_cost=m, secret=secret).derive(password)

def base32(data):
    """Five bits to a character; a last partial group is filled with zero bits."""
    count = (8 * len(data) + 4) // 5
    number = int.from_bytes(data, "big") << 5 * count - 8 * len(data)
    return "".join(BASE32[number >> 5 * i & 31] for i in reversed(range(count)))

def number_of(digits):
    number = 0
    for digit in digits: number = number << 5 | BASE32.index(digit)
    return number

def recovery_check(secret): return base32(hmac.digest(secret, b"vault/v1 recovery checksum", "sha256")[:3])[:4]

def recovery_secret(text):
    plain = text.lower().translate(str.maketrans("018", "oib", " -"))
    if len(plain) != 36 or not text.isascii() or set(plain) - set(BASE32): raise Refused("recoveryKey")
    secret = be(number_of(plain[:32]), 20)
    if recovery_check(secret) != plain[32:]: raise Refused("recoveryKey")
    return secret

def recovery_kek(secret, slot): return HKDF(hashes.SHA512(), 32, slot["salt"], b"vault/v1 recovery keyslot").derive(secret)

def key_file_text(secret):
    check = hmac.digest(secret, b"vault/v1 key file checksum", "sha256")[:5]
    return f"vkf1-{base32(secret)}-{base32(check)}\n".encode()

def key_file_secret(file):
    """Exactly the text of one key, with its line feed or without."""
    digits = file[5:57].decode("latin-1")
    if len(digits) != 52 or set(digits) - set(BASE32): raise Refused("keyFile")
    secret = be(number_of(digits) >> 4, 32)
    if file not in (key_file_text(secret), key_file_text(secret)[:-1]): raise Refused("keyFile")
    return secret

def derived_kek(test, slot):
    """What the test's credential gives; without one, its kek as it stands."""
    if "recoveryKey" in test: return recovery_kek(recovery_secret(test["recoveryKey"]), slot)
    if "password" not in test: return HEX(test["kek"])
    return password_kek(HEX(test["password"]), slot, key_file_secret(test["keyFile"].encode()) if "keyFile" in test else None)

def header(test):
    head = parse_header(HEX(test["header"]))
    if not all(slot["kind"] == RECOVERY_KEY or acceptable(slot["cost"]) for slot in head["slots"]): raise Refused("cost")
    slot, kek = head["slots"][test["slot"]], HEX(test["kek"])
    if derived_kek(test, slot) != kek: return False
    try: vault_key = open_sealed(slot["wrapped"], kek, slot_context(head, slot))
    except Refused: raise Refused("unwrap") from None
    if not hmac.compare_digest(header_mac(head["covered"], vault_key), head["mac"]): raise Refused("mac")
    return vault_key == HEX(test["vaultKey"])

def key_file(test):
    file = HEX(test["file"])
    secret = key_file_secret(file)
    return secret.hex() == test["key"] and key_file_text(secret)[:len(file)] == file

def key_file_kek(test):
    slot = dict(cost=(test["memoryKiB"], test["iterations"], test["parallelism"]), salt=HEX(test["salt"]))
    return derived_kek(test, slot).hex() == test["kek"]

# §20: the key of the epoch before
def rotation_place(vault_key, vault_id, epoch, counter):
    if epoch < 2: raise Refused("unwrap")  # nothing was before the first
    return subkey(vault_key, b"rotation"), context("rotation", vault_id, epoch, b"", be(epoch - 1, 4) + be(counter, 8))

def key_before(wrapped, vault_key, vault_id, epoch, counter):
    """What the row of `rotation` holds, under the key and the epoch that the header has now."""
    try: key = open_sealed(wrapped, *rotation_place(vault_key, vault_id, epoch, counter))
    except Refused: raise Refused("unwrap") from None
    if len(key) != 32: raise Refused("unwrap")
    return key

def wrapped_vault_key(test):
    place = HEX(test["vaultKey"]), HEX(test["vaultID"]), test["epoch"], test["counter"]
    key = key_before(HEX(test["wrapped"]), *place)
    return key.hex() == test["vaultKeyBefore"] and seal(key, *rotation_place(*place), HEX(test["salt"])).hex() == test["wrapped"]

def former_remote_key(test):
    """§20: one of the two keys of the epoch before that open what lies in a remote."""
    epoch, use = test["epoch"], test["use"]
    if epoch < 2 or use not in (1, 2): raise Refused("unwrap")
    place = subkey(HEX(test["vaultKey"]), b"rotation"), context("formerRemoteKey", HEX(test["vaultID"]), epoch, b"", be(epoch - 1, 4) + be(use, 1))
    try: key = open_sealed(HEX(test["wrapped"]), *place)
    except Refused: raise Refused("unwrap") from None
    if len(key) != 32: raise Refused("unwrap")
    right = subkey(HEX(test["vaultKeyBefore"]), {1: b"sync", 2: b"names in a remote"}[use])
    return key == right and seal(key, *place, HEX(test["salt"])) == HEX(test["wrapped"])

RUNNERS = dict(HeaderTest=runner(header), KeyFileTest=runner(key_file), KeyFileKekTest=runner(key_file_kek),
               WrappedVaultKeyTest=runner(wrapped_vault_key),
               FormerRemoteKeyTest=runner(former_remote_key))
