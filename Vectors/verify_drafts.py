#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Drafts and their wrapped keys, read a second time from docs/format.md §17 alone. verify.py runs it; none of vault's code takes part."""
from verify_formats import HEX, Reader, Refused, context, open_sealed, runner, seal, subkey, unpad

def parse_draft(data):
    r = Reader(data)
    r.expect(r.number(2) == 1, "unknownVersion")
    value = dict(sequence=r.number(8), saved=r.signed(), body=r.string(16 << 20).hex())
    r.end()
    return value

def draft(test):
    value = parse_draft(HEX(test["draft"]))
    return all(test[name] == value[name] for name in value)

def draft_context(test, kind, epoch): return context(kind, HEX(test["vaultID"]), epoch, Reader(HEX(test["draftID"])).identity(16))

def sealed_draft(test):
    key, bound = HEX(test["draftKey"]), draft_context(test, "draft", 0)
    padded = open_sealed(HEX(test["sealed"]), key, bound)
    content = unpad(padded)
    parse_draft(content)
    return content.hex() == test["draft"] and seal(padded, key, bound, HEX(test["salt"])).hex() == test["sealed"]

def wrapped_draft_key(test):
    key, bound = subkey(HEX(test["vaultKey"]), b"draft key"), draft_context(test, "draftKey", test["epoch"])
    try: plain = open_sealed(HEX(test["wrapped"]), key, bound)
    except Refused: raise Refused("unwrap") from None
    if len(plain) != 32: raise Refused("unwrap")
    return plain.hex() == test["draftKey"] and seal(plain, key, bound, HEX(test["salt"])).hex() == test["wrapped"]

RUNNERS = dict(DraftTest=runner(draft), SealedDraftTest=runner(sealed_draft), WrappedDraftKeyTest=runner(wrapped_draft_key))
