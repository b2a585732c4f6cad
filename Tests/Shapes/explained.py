# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Which differences a named loss explains, and no others: code -> {aspect: "-" something is missing, "+" something came in its place, "±" both}."""

IMPORT = {
    "linkPartLost": {"words": "±"},
    "unsupportedMarkup": {"words": "-"},
    # A picture's size is no word.
    ("unsupportedMarkup", "size"): {},
    "damagedMarkup": {"words": "±"},
    "ambiguousLink": {"links": "±"},
    "attachmentDamaged": {"attachments": "±"},
    "attachmentRenamed": {"words": "+"},
    "originalKept": {"attachments": "+"},
    "encryptedItem": {"words": "+", "attachments": "+"},
    "dateReplaced": {"created": "+", "modified": "+"},
    "unreadableDate": {"created": "+", "modified": "+", "words": "+"},
    "notUTF8": {"words": "±"},
    "textDamaged": {"words": "±"},
    "titleTooLong": {"titles": "±", "words": "+"},
    "controlCharactersInTitle": {"titles": "±"},
    "tagTooLong": {"tags": "-"},
    "tooManyTags": {"tags": "-"},
}
# What an export names it does not name note by note (docs/export.md §3).
EXPORT = {
    "markdown": {"renamedNotebooks": {"notebooks": "±"}, "protection": {"flags": "-"}},
    "json": {},
    "jex": {"flags": {"flags": "-"}, "noteLinks": {"links": "-"}, "captions": {}, "protection": {"flags": "-"}},
}


def allows(loss, aspect, sign, table=IMPORT):
    """Whether a loss of (code, detail) may make a difference."""
    return table.get(loss, table.get(loss[0], {})).get(aspect, "") in (sign, "±")
