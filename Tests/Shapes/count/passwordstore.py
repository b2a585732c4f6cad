# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A store of pass, decrypted by gpg itself."""

import os, subprocess
from census import Census, Note, words


def census(place, home):
    result = Census()
    for base, _, names in os.walk(place):
        for name in names:
            if not name.endswith(".gpg"):
                continue
            path = os.path.join(base, name)
            data = subprocess.run(["gpg", "--homedir", str(home), "--batch", "--quiet", "--decrypt", path], check=True, capture_output=True).stdout
            folder = os.path.relpath(base, place)
            note = Note(os.path.relpath(path, place)[:-4], name[:-4], "" if folder == "." else folder, flags={"private"})
            note.modified = os.stat(path).st_mtime_ns // 1_000_000
            note.words = words(data.decode("utf-8", "surrogateescape"))
            result.notes.append(note)
    return result
