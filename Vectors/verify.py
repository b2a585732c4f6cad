#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Runs every vector of this folder through PyPI cryptography (50 or later) and argon2-cffi; none of vault's code takes part.
Exit code 1 if a test fails, a count or a file differs, or nothing ran. --quick leaves out the 1,000,000 iterations.
"""
import base64, hashlib, json, pathlib, re, sys
from argon2.low_level import Type, VerifyMismatchError, hash_secret_raw, verify_secret
from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from cryptography.hazmat.primitives.kdf.kbkdf import CounterLocation, KBKDFCMAC, Mode
import verify_archives, verify_attachments, verify_drafts, verify_formats, verify_keys, verify_private, verify_vaults
from verify_formats import CHUNK, edited

FOLDER, HEX = pathlib.Path(__file__).resolve().parent, bytes.fromhex
HASHES = {"SHA-256": hashes.SHA256, "SHA-512": hashes.SHA512}
PHC = re.compile(r"\$argon2id\$v=19\$m=([1-9][0-9]{0,9}),t=([1-9][0-9]{0,9}),p=([1-9][0-9]{0,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)")

# Each runner answers one question: does a correct and strict implementation accept this test?
def hkdf(test, group, _):
    size, info, kind = test["size"], HEX(test["info"]), HASHES[group["hash"]]
    if not 0 < size <= 255 * kind.digest_size: return False
    if "ikm" not in test: return HKDFExpand(kind(), size, info).derive(HEX(test["prk"])) == HEX(test["okm"])
    salt, ikm = HEX(test["salt"]), HEX(test["ikm"])
    extracted = HKDF.extract(kind(), salt, ikm) == HEX(test["prk"])
    return extracted and HKDF(kind(), size, salt, info).derive(ikm) == HEX(test["okm"])

def mac(test, group, _):
    code = hmac.HMAC(HEX(test["key"]), HASHES[group["hash"]]())
    code.update(HEX(test["msg"]))
    return code.finalize()[:group["tagSize"] // 8] == HEX(test["tag"])

def xaes_key(key, nonce):
    fixed = b"X\0" + nonce[:12]  # label, separator, context; no length field
    return KBKDFCMAC(algorithms.AES, Mode.CounterMode, 32, 2, None, CounterLocation.BeforeFixed, None, None, fixed).derive(key)

def aead(test, group, data):
    key, nonce, ad, msg, ct, tag = (HEX(test[k]) for k in ("key", "iv", "aad", "msg", "ct", "tag"))
    extended = data["algorithm"] == "XAES-256-GCM"
    sizes = [8 * len(nonce), 8 * len(key), 8 * len(tag)]
    if sizes != [group["ivSize"], group["keySize"], group["tagSize"]]: raise ValueError("sizes differ from the group's")
    if sizes != [192 if extended else 96, 256, 128]: return False
    box, nonce = AESGCM(xaes_key(key, nonce) if extended else key), nonce[-12:]
    try: opened = box.decrypt(nonce, ct + tag, ad)
    except InvalidTag: return False
    return opened == msg and box.encrypt(nonce, msg, ad) == ct + tag

def accumulated(test, _, __):
    stream, result = hashes.XOFHash(hashes.SHAKE128(1 << 40)), hashes.XOFHash(hashes.SHAKE128(32))
    for _ in range(test["iterations"]):
        key, nonce = stream.squeeze(32), stream.squeeze(24)
        msg, ad = (stream.squeeze(stream.squeeze(1)[0]) for _ in range(2))
        result.update(AESGCM(xaes_key(key, nonce)).encrypt(nonce[12:], msg, ad))
    return result.squeeze(32) == HEX(test["hash"])

def argon2(test, _, __):
    password, salt, secret, ad, tag = (HEX(test[k]) for k in ("password", "salt", "secret", "ad", "tag"))
    m, t, p, size = test["memoryKiB"], test["iterations"], test["parallelism"], test["size"]
    if test["version"] != 19 or len(salt) < 8 or size < 4 or t < 1 or p < 1 or m < 8 * p: return False
    derived = Argon2id(salt=salt, length=size, iterations=t, lanes=p, memory_cost=m, secret=secret or None, ad=ad or None).derive(password)
    reference = derived if secret or ad else hash_secret_raw(password, salt, t, m, p, size, Type.ID)
    return derived == reference == tag

def sealed(test):
    key, salt, size, context = HEX(test["key"]), HEX(test["salt"]), test.get("msgSize"), HEX(test["context"])
    msg = HEX(test["msg"]) if size is None else bytes((i * 7 + size) % 256 for i in range(size))
    info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0" + salt + context
    made = HKDFExpand(hashes.SHA512(), 76, info).derive(key)
    box, base, file = AESGCM(made[:32]), int.from_bytes(made[32:44], "big"), salt + made[44:]
    for i in range(len(msg) // CHUNK + 1):
        file += box.encrypt((base ^ i).to_bytes(12, "big"), msg[i * CHUNK:(i + 1) * CHUNK], b"")
    return msg, file

def chunked(test, group, data):
    key, msg, file = HEX(test["key"]), None, HEX(test.get("ct", ""))
    if "salt" in test:
        msg, file = sealed(test)
        same = file.hex() == test["ct"] if "ct" in test else hashlib.sha256(file).hexdigest() == test["ctSha256"]
        if not same or file[24:56] != HEX(test["commitment"]): return False
    elif "base" in test:
        _, file = sealed(next(t for g in data["testGroups"] for t in g["tests"] if t["tcId"] == test["base"]))
        for edit in test["edit"]: file = edited(file, edit)
    try:
        box = Cobblestone256Decryptor(key, HEX(test["context"]))
        opened = box.update(file) + box.finalize()
    except (InvalidTag, ValueError): return False
    return msg is None or opened == msg

def phc(test, _, __):
    match = PHC.fullmatch(test["phc"])
    if not match: return False
    m, t, p = (int(n) for n in match.groups()[:3])
    try: salt, tag = (base64.b64decode(s + "=" * (-len(s) % 4), validate=True) for s in match.groups()[3:])
    except ValueError: return False
    if [base64.b64encode(b).decode().rstrip("=") for b in (salt, tag)] != list(match.groups()[3:]): return False
    if not (8 <= len(salt) <= 48 and 12 <= len(tag) <= 64 and 8 * p <= m <= 4_194_304 and t <= 64 and p <= 16): return False
    try: return verify_secret(test["phc"].encode(), HEX(test["password"]), Type.ID)
    except VerifyMismatchError: return False

def padme(test, _, __):
    size, e = test["size"], test["size"].bit_length() - 1
    mask = (1 << (e - e.bit_length())) - 1 if size > 1 else 0
    padded = max((size + mask) & ~mask, 256)
    return padded < 1 << 63 and padded == test["paddedSize"]

RUNNERS = dict(HkdfTest=hkdf, HkdfExpandTest=hkdf, MacTest=mac, AeadTest=aead, AccumulatedTest=accumulated, Argon2Test=argon2,
               ChunkedEncryptionTest=chunked, PhcTest=phc, PadmeTest=padme, **verify_formats.RUNNERS, **verify_keys.RUNNERS,
               **verify_drafts.RUNNERS, **verify_private.RUNNERS, **verify_attachments.RUNNERS, **verify_archives.RUNNERS,
               **verify_vaults.RUNNERS)

def judge(test, group, data):
    """An empty string if the test came out as its result says, otherwise what went wrong."""
    try: accepted = RUNNERS[group["type"]](test, group, data)
    except Exception as error: return f"{type(error).__name__}: {error}"
    if not set(test["flags"]) <= set(data["notes"]): return "unknown flag"
    return "" if test["result"] == ("valid" if accepted else "invalid") else f"not {test['result']}"

def run(path, digest):
    raw, quick = path.read_bytes(), "--quick" in sys.argv
    data, actual = json.loads(raw), hashlib.sha256(raw).hexdigest()
    tests = [(test, group) for group in data["testGroups"] for test in group["tests"]]
    skipped = {test["tcId"]: "--quick" for test, _ in tests if quick and test.get("iterations", 0) > 10_000}
    skipped |= {test["tcId"]: why for test, _ in tests if (why := verify_vaults.skipped(test))}
    outcomes = {test["tcId"]: judge(test, group, data) for test, group in tests if test["tcId"] not in skipped}
    failed = {number: trouble for number, trouble in outcomes.items() if trouble}
    passed = len(outcomes) - len(failed)
    counted = [test["tcId"] for test, _ in tests] == list(range(1, data["numberOfTests"] + 1))
    print(f"{path.name}\n  sha256 {actual}{'' if actual == digest else '  DIFFERS from SHA256SUMS'}")
    print(f"  tests {len(tests)}{'' if counted else ' COUNT DIFFERS'}  passed {passed}  failed {failed}  skipped {skipped}")
    return passed > 0 and not failed and counted and actual == digest

if __name__ == "__main__":
    sums = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    present = {path.name for path in FOLDER.glob("*.json")}
    if present != set(sums): print("files differ from SHA256SUMS:", sorted(present ^ set(sums)))
    # age's format is not ours: vault-audit runs it, and the tests run the age program against it.
    good = [run(FOLDER / name, sums[name]) for name in sorted((present & set(sums)) - {"age.json"})]
    sys.exit(0 if good and all(good) and present == set(sums) else 1)
