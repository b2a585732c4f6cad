#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Runs every vector of this folder through PyPI cryptography (50 or later) and argon2-cffi; none of vault's code takes part.
Exit code 1 if a test fails, a count or a file differs, or nothing ran.
"""
import argparse, base64, hashlib, json, pathlib, platform, re, sys, zlib
from importlib import metadata
from argon2.low_level import Type, VerifyMismatchError, hash_secret_raw, verify_secret
from cryptography.cobblestone import Cobblestone256Decryptor
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from cryptography.hazmat.primitives.kdf.kbkdf import CounterLocation, KBKDFCMAC, Mode
import verify_archives, verify_attachments, verify_drafts, verify_formats, verify_keys, verify_map, verify_private, verify_remote, verify_vaults
from compare import OURS_ONLY
from verify_formats import CHUNK, edited

FOLDER, HEX = pathlib.Path(__file__).resolve().parent, bytes.fromhex
AEADS = {"AES-GCM": [96, 256, 128], "AES-256-GCM": [96, 256, 128], "XAES-256-GCM": [192, 256, 128], "CHACHA20-POLY1305": [96, 256, 128]}
HASHES = {"SHA256": hashes.SHA256, "SHA512": hashes.SHA512}
PHC = re.compile(r"\$argon2id\$v=19\$m=([1-9][0-9]{0,9}),t=([1-9][0-9]{0,9}),p=([1-9][0-9]{0,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)")

def hash_of(group, data):
    """The group's hash, or the one in the algorithm's name, as in Wycheproof's HMACSHA256; nothing for one that is not ours."""
    name = group.get("hash", data["algorithm"]).upper().replace("-", "")
    return None if name.endswith("512/256") or "SHA3" in name else next((kind for end, kind in HASHES.items() if name.endswith(end)), None)

# Each runner answers one question: does a correct and strict implementation accept this test?
def hkdf(test, group, data):
    size, info, kind = test["size"], HEX(test["info"]), hash_of(group, data)
    if not 0 < size <= 255 * kind.digest_size: return False
    if "ikm" not in test: return HKDFExpand(kind(), size, info).derive(HEX(test["prk"])) == HEX(test["okm"])
    salt, ikm = HEX(test["salt"]), HEX(test["ikm"])
    extracted = HKDF.extract(kind(), salt, ikm) == HEX(test["prk"]) if "prk" in test else True
    return extracted and HKDF(kind(), size, salt, info).derive(ikm) == HEX(test["okm"])

def mac(test, group, data):
    code = hmac.HMAC(HEX(test["key"]), hash_of(group, data)())
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
    if sizes != AEADS[data["algorithm"]]: return False
    box, nonce = (ChaCha20Poly1305 if data["algorithm"] == "CHACHA20-POLY1305" else AESGCM)(xaes_key(key, nonce) if extended else key), nonce[-12:]
    try: opened = box.decrypt(nonce, ct + tag, ad)
    except InvalidTag: return False
    return opened == msg and box.encrypt(nonce, msg, ad) == ct + tag

def exchange(test, _, __):
    mine, point, shared = (HEX(test[k]) for k in ("private", "public", "shared"))
    if len(mine) != 32 or len(point) != 32: return False
    try: return X25519PrivateKey.from_private_bytes(mine).exchange(X25519PublicKey.from_public_bytes(point)) == shared
    except ValueError: return False  # the library's word for a shared secret of zeros

def demanded(test, group):
    """Wycheproof leaves points of X25519 that are not canonical, on the twist or of low order to the protocol; age forbids a shared secret of zeros."""
    if test["result"] != "acceptable" or group["type"] != "XdhComp": return test["result"]
    return "valid" if any(HEX(test["shared"])) else "invalid"

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

def wycheproof_chunked(test, group, _):
    """Chunked encryption in Wycheproof's own schema: the ciphertext is compressed, the message a digest."""
    ct = zlib.decompress(HEX(test["ct"]))
    try:
        box = Cobblestone256Decryptor(HEX(test["key"]), HEX(test["ctx"]))
        opened = box.update(ct) + box.finalize()
    except (InvalidTag, ValueError): return False
    return len(opened) == test["msgLength"] and hashlib.sha512(opened).hexdigest() == test["msgSha512"]

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

RUNNERS = dict(HkdfTest=hkdf, HkdfExpandTest=hkdf, MacTest=mac, AeadTest=aead, XdhComp=exchange, AccumulatedTest=accumulated, Argon2Test=argon2,
               ChunkedEncryptionTest=chunked, ChunkedEncryption=wycheproof_chunked, PhcTest=phc, PadmeTest=padme, **verify_formats.RUNNERS, **verify_keys.RUNNERS,
               **verify_drafts.RUNNERS, **verify_private.RUNNERS, **verify_attachments.RUNNERS, **verify_archives.RUNNERS,
               **verify_map.RUNNERS, **verify_remote.RUNNERS, **verify_vaults.RUNNERS)

def judge(test, group, data):
    """An empty string if the test came out as its result says, otherwise what went wrong."""
    try: accepted = RUNNERS[group["type"]](test, group, data)
    except Exception as error: return f"{type(error).__name__}: {error}"
    if not set(test["flags"]) <= set(data["notes"]): return "a flag is not explained in notes"
    wanted = demanded(test, group)
    return "" if wanted == ("valid" if accepted else "invalid") else f"not {wanted}"

def left_out(test, group, data, quick):
    """Why a test is not run, or nothing."""
    kind, sizes = group["type"], AEADS.get(data["algorithm"])
    if kind not in RUNNERS: return f"no test of ours is called {kind!r}"
    if kind in ("HkdfTest", "MacTest") and not hash_of(group, data): return "neither SHA-256 nor SHA-512"
    if kind == "AeadTest" and not sizes: return "none of AES-256-GCM, XAES-256-GCM and ChaCha20-Poly1305"
    if kind == "AeadTest" and test["result"] == "valid" and [group["ivSize"], group["keySize"], group["tagSize"]] != sizes:
        return "sizes that are refused by design"
    if kind == "ChunkedEncryption" and (group["aead"], group["sha"]) != ("AEAD_AES_256_GCM", "SHA-512"): return "not Cobblestone-256"
    if kind == "XdhComp" and group["curve"] != "curve25519": return "another curve than X25519 has"
    if demanded(test, group) == "acceptable": return "either outcome is allowed"
    if quick and test.get("iterations", 0) > 100_000: return f"--quick: {test['iterations']} iterations"
    return verify_vaults.skipped(test)

def result(path, quick, digest=None):
    """What came of a file, with the members of `vault-audit vectors --json`."""
    raw = path.read_bytes()
    data, actual = json.loads(raw), hashlib.sha256(raw).hexdigest()
    tests = [(test, group) for group in data["testGroups"] for test in group["tests"]]
    skipped = {test["tcId"]: why for test, group in tests if (why := left_out(test, group, data, quick))}
    outcomes = {test["tcId"]: judge(test, group, data) for test, group in tests if test["tcId"] not in skipped}
    failed = {number: trouble for number, trouble in outcomes.items() if trouble}
    problems = []
    if [test["tcId"] for test, _ in tests] != list(range(1, data["numberOfTests"] + 1)): problems.append("its numbers are not 1 to numberOfTests")
    if digest not in (None, actual): problems.append("differs from SHA256SUMS")
    if not outcomes: problems.append("nothing ran")
    return dict(path=str(path), sha256=actual, numberOfTests=len(tests), passed=len(outcomes) - len(failed), failed=remarks(failed),
                skipped=remarks(skipped), problems=problems)

def remarks(found): return [dict(tcId=number, reason=reason) for number, reason in found.items()]

def report(paths, quick):
    """All of the files that are named, or those of this folder, which must be those of SHA256SUMS."""
    libraries = dict(openSSL=backend.openssl_version_text(), argon2=f"argon2-cffi {metadata.version('argon2-cffi')}",
                     files=[f"cryptography {metadata.version('cryptography')}", f"Python {platform.python_version()}"])
    if paths: return dict(schema=1, quick=quick, files=[result(path, quick) for path in paths], libraries=libraries, problems=[])
    sums = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    present = {path.name for path in FOLDER.glob("*.json")}
    problems = [f"{name} is only in the folder, or only in SHA256SUMS" for name in sorted(present ^ set(sums))]
    files = [result(FOLDER / name, quick, sums[name]) for name in sorted((present & set(sums)) - OURS_ONLY)]
    return dict(schema=1, quick=quick, files=files, libraries=libraries, problems=problems)

def show(found):
    for file in found["files"]:
        name, failed, skipped = pathlib.Path(file["path"]).name, file["failed"], file["skipped"]
        print(f"{name}\n  sha256 {file['sha256']}")
        print(f"  tests {file['numberOfTests']}  passed {file['passed']}  failed {len(failed)}  skipped {len(skipped)}")
        for problem in file["problems"]: print(f"  FAILED: {problem}")
        for remark in failed: print(f"  FAILED: test {remark['tcId']}: {remark['reason']}")
        for remark in skipped: print(f"  skipped: test {remark['tcId']}: {remark['reason']}")
    for problem in found["problems"]: print("FAILED:", problem)
    print(", ".join([found["libraries"]["openSSL"], found["libraries"]["argon2"], *found["libraries"]["files"]]))

if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="*", type=pathlib.Path, help="other files of vectors; without one, those of this folder")
    arguments.add_argument("--quick", action="store_true", help="leave out the 1,000,000 iterations")
    arguments.add_argument("--json", action="store_true", help="one object, with the members of vault-audit vectors --json")
    given = arguments.parse_args()
    found = report(given.files, given.quick)
    print(json.dumps(found, sort_keys=True)) if given.json else show(found)
    good = found["files"] and not found["problems"] and not any(file["failed"] or file["problems"] for file in found["files"])
    sys.exit(0 if good else 1)
