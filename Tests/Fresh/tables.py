# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Prints what each page of a closed vault's index holds, as JSON: page, name of the table or index, kind of page.

Opens the index with docs/decrypt.py, and asks SQLite's table of pages. tables.py FOLDER PASSWORD-FILE"""

import importlib.util, json, sys
from pathlib import Path


def main():
    place = Path(__file__).parents[2] / "docs/decrypt.py"
    spec = importlib.util.spec_from_file_location("decrypt", place)
    decrypt = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(decrypt)

    def show(database, *_):
        rows = database.execute("SELECT pageno, name, pagetype FROM dbstat").fetchall()
        print(json.dumps([list(row) for row in rows]), flush=True)
        sys.exit(0)

    decrypt.read_index = show
    sys.argv = [sys.argv[0], sys.argv[1], "--password-file", sys.argv[2]]
    sys.exit(decrypt.main())


if __name__ == "__main__":
    main()
