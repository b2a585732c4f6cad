# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""docs/decrypt.py, which shares no code with vault, as a module of this process.

A process of its own for each damage would derive each key again: its derivations are remembered by password, salt and
costs, and nothing else is."""

import argparse, importlib.util, os, sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("argon2", "cryptography")


def with_packages():
    """Starts this program again under the Python that has the packages of docs/decrypt.py, if this one does not."""
    own = ROOT / "bench-out/venv/bin/python"
    if all(map(importlib.util.find_spec, PACKAGES)):
        return
    if not own.exists() or Path(sys.executable) == own:
        sys.exit("docs/decrypt.py needs Python's argon2-cffi and cryptography: Scripts/setup.sh test installs them")
    os.execv(own, [str(own), "-B", *sys.argv])


def load():
    spec = importlib.util.spec_from_file_location("decrypt", ROOT / "docs/decrypt.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


class Reader:
    def __init__(self, password, note_password):
        self.module, self.password, self.note_password = load(), str(password), str(note_password)

    def whole_notes(self, folder):
        """The present text of each note that lies whole in the damaged bytes, by its identifier. A text may be None: a
        private note whose slot is lost.

        `knows_end` says whether the last change is known to be there: without, a whole text may not be the newest.

        - Returns: None when no note and no draft opens, in whatever state.
        - Raises: `RuntimeError` when it fails for another reason than damage, as its `main` would end with 1 to 7."""
        options = argparse.Namespace(
            path=str(folder), password_file=self.password, note_password_file=self.note_password, json=True,
            salvage=True, recovery_key_file=None, key_file=None, out=None)
        try:
            report = self.module.run(options)
        except (self.module.Failed, OSError, ImportError, MemoryError) as error:
            raise RuntimeError(f"docs/decrypt.py failed: {error.args}") from error
        except Exception:
            # What its `main` calls a refusal, or damage: 13.
            return None
        self.knows_end = report["knowsEnd"]
        return {note["id"]: note.get("body") for note in report["notes"] if note["state"] == "whole"}
