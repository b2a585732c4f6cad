# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Vaults that stay between runs, so that a second run on the same machine need not import a million notes again."""
import pathlib
import shutil
import typing

from .vault import Vault

if typing.TYPE_CHECKING:
    from .run import Run


class Keeper:
    """A folder with the notes as files of the JSON form, and with a vault made of each; runs work on copies."""

    def __init__(self, place: pathlib.Path):
        self.place = place
        place.mkdir(mode=0o700, parents=True, exist_ok=True)

    def notes(self, size: int) -> pathlib.Path:
        return self.place / f"notes-{size}.json"

    def vault(self, size: int) -> pathlib.Path:
        return self.place / f"vault-{size}"

    def has(self, size: int) -> bool:
        return (self.vault(size) / "header").exists()

    def keep(self, vault: Vault, size: int) -> None:
        """Locked meanwhile, so that everything is in its files."""
        vault.lock()
        unfinished = self.vault(size).with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(vault.directory, unfinished)
        unfinished.rename(self.vault(size))
        vault.unlock()

    def copy(self, run: "Run", size: int) -> Vault:
        vault = Vault(run.programs / "vault", run.space, run.launcher, f"vault-{size}", self.vault(size))
        vault.unlock()
        return vault
