# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Which differences a named loss explains, and no others: code -> {aspect: "-" something is missing, "+" something came in its place, "±" both}."""

IMPORT = {
    "linkPartLost": {"words": "±"},
    "noteShownAsLink": {"words": "+"},
    "unsupportedMarkup": {"words": "-"},
    "damagedMarkup": {"words": "±"},
    "linkTargetMissing": {"links": "-"},
    "ambiguousLink": {"links": "±"},
    "attachmentMissing": {"attachments": "-", "words": "±"},
    "attachmentDamaged": {"attachments": "±"},
    "attachmentRenamed": {"words": "+"},
    "originalKept": {"attachments": "+"},
    "encryptedItem": {"words": "+", "attachments": "+"},
    "dateReplaced": {"created": "+", "modified": "+"},
    "unreadableDate": {"created": "+", "modified": "+", "words": "+"},
    "unknownFrontMatterKey": {},
    "aliasesKept": {},
    "notUTF8": {"words": "±"},
    "textDamaged": {"words": "±"},
    "titleTooLong": {"titles": "±", "words": "+"},
    "controlCharactersInTitle": {"titles": "±"},
    "flagNotCarried": {"flags": "-"},
    "tagTooLong": {"tags": "-"},
    "tooManyTags": {"tags": "-"},
}
# What an export names it does not name note by note (docs/export.md §3).
EXPORT = {
    "markdown": {"renamedNotebooks": {"notebooks": "±"}, "protection": {"flags": "-"}},
    "json": {},
    "jex": {"flags": {"flags": "-"}, "noteLinks": {"links": "-"}, "captions": {}, "protection": {"flags": "-"}},
}


def allows(code, aspect, sign, table=IMPORT):
    return table.get(code, {}).get(aspect, "") in (sign, "±")
