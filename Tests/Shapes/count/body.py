# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A note's text in the vault: what it shows, and which notes its links lead to (docs/cli.md: `[[its title]]` or `[[its identifier]]`)."""

import collections, datetime
from census import plain, words
from . import markdown


def time(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def text_words(body):
    def file_name(target, _):
        return markdown.unquoted(target.removeprefix("att:")) if target.startswith("att:") else None

    # What stands at the head of a text as front matter is text of the note.
    return words(markdown.seen(body, file_name))


def links(read):
    """Keys of the notes that the links of (note, body) lead to."""
    titles, identifiers = collections.defaultdict(list), {note.key for note, _ in read}
    for note, _ in read:
        titles[plain(note.title).casefold()].append(note.key)
    found = {}
    for note, body in read:
        targets = [
            target.partition("#")[0].strip()
            for piece, is_code in markdown.split_code(body)
            if not is_code
            for _, _, is_wiki, target, _ in markdown.links(piece)
            if is_wiki
        ]
        found[note.key] = {
            key for target in targets for key in ([target] if target in identifiers else titles[plain(target).casefold()]) if key != note.key
        }
    return found
