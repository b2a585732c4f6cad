# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What goes through the whole vault, at each size: check, export, a new key for everything. The physical limit is one pass of AES over its bytes."""
import shutil
import typing

from .results import Row
from .rounds import Contender, interleave
from .series import Series
from .vault import Vault
from .works_attach import cipher_speed

if typing.TYPE_CHECKING:
    from .run import Run

SINGLE_FROM = 100_000  # notes; from here on one sample
LIMIT = 7_200


def measure(run: "Run") -> None:
    speed = cipher_speed(run)
    for size, vault in run.vaults.items():
        if size > run.plan.whole_max:
            continue
        with run.guarded(f"check, export and rotate {size:,} notes"):
            work = Whole(run, vault)
            aes = Series("s", [vault.bytes_on_disk() / speed]) if speed else None
            contenders = [Contender("check", work.check), Contender("export json", work.export), Contender("cp", work.copy)]
            rounds = run.plan.whole_rounds if size < SINGLE_FROM else 1
            series = interleave(contenders, rounds, run.results.failures, warm_ups=0)
            series |= interleave([Contender("rotate", work.rotate)], rounds, run.results.failures, warm_ups=0)
            for name in ("check", "export json", "rotate"):
                run.results.point(name, size, series.get(name))
                run.results.add(Row(f"{name} {size:,}, whole process", series.get(name), "cp of the vault", series.get("cp"), limit=aes,
                                    limit_name="AES-256-GCM of its bytes"))


class Whole:
    """The commands, and what has to be put away after each."""

    def __init__(self, run: "Run", vault: Vault):
        self.run, self.vault = run, vault

    def check(self) -> float:
        return self.run.launcher.seconds(self.vault.command("check", "--quiet"), limit=LIMIT)

    def export(self) -> float:
        target = self.run.space.disk / "whole-export.json"
        seconds = self.run.launcher.seconds(
            self.vault.command("export", "json", "-o", str(target), "--plaintext", "--quiet"), limit=LIMIT)
        self.run.space.drop(target)
        return seconds

    def rotate(self) -> float:
        return self.run.launcher.seconds(
            self.vault.command("rotate", "--kdf-target", "0", "--password-file", str(self.vault.password), "--quiet"), limit=LIMIT)

    def copy(self) -> float:
        target = self.run.space.disk / "whole-copy"
        seconds = self.run.launcher.seconds([shutil.which("cp"), "-r", str(self.vault.directory), str(target)], limit=LIMIT)
        self.run.space.drop(target)
        return seconds
