# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What may happen to one file: flipped bits, holes of zeros, cuts, extensions, removal."""

import dataclasses, os, random

PAGE = 4096
DAMAGES = ("flip", "byte", "hole512", "hole4096", "cut", "extension", "removal")
# What a program of ours made, and what it needs no longer, is not worth a trial for each place.
UNINTERESTING = {"lock", "reserve"}


@dataclasses.dataclass
class Damage:
    kind: str
    path: str
    offset: int = 0
    value: int = 1

    @property
    def place(self):
        folder = self.path.split("/")[0]
        return f"{folder}/…" if folder in ("objects", "drafts") else self.path

    def __str__(self):
        return f"{self.kind} of {self.path} at {self.offset}"

    def another(self, chance):
        """The same kind of damage somewhere else in the file."""
        return dataclasses.replace(self, offset=None, value=chance.randrange(1, 256))

    def apply(self, vault):
        path = vault / self.path
        size = path.stat().st_size
        offset = self.offset
        if offset is None:
            offset = random.Random(f"{self.path} {self.kind} {self.value}").randrange(max(size, 1))
            offset -= offset % {"hole512": 512, "hole4096": PAGE}.get(self.kind, 1)
            self.offset = offset
        if self.kind == "removal":
            path.unlink()
            return
        with open(path, "r+b") as file:
            if self.kind == "cut":
                file.truncate(offset)
            elif self.kind == "extension":
                file.seek(0, os.SEEK_END)
                file.write(random.Random(self.value).randbytes(self.value * 37))
            elif self.kind in ("flip", "byte"):
                file.seek(offset)
                old = file.read(1)
                file.seek(offset)
                file.write(bytes([old[0] ^ (1 << self.value % 8 if self.kind == "flip" else self.value)]))
            else:
                count = 512 if self.kind == "hole512" else PAGE
                file.seek(offset)
                file.write(bytes(min(count, size - offset)))


def damages_of(state, seed):
    """Every kind of damage for every file, each page of the index and of its log among them, in a fixed order."""
    chance = random.Random(f"{seed} {state.name}")
    plan = []
    for path, size in state.files:
        if path.split("/")[-1] in UNINTERESTING:
            continue
        plan.append(Damage("removal", path))
        plan += [Damage("extension", path, value=value) for value in (1, 100)]
        if size == 0:
            continue
        cuts = {0, size // 3, size // 2, size - 1, max(0, size - PAGE), size - size % PAGE}
        plan += [Damage("cut", path, offset) for offset in sorted(cuts) if offset < size]
        places = range(0, size, PAGE)
        for start in places if len(places) <= 400 else sorted(chance.sample(list(places), 400)):
            end = min(start + PAGE, size)
            plan.append(Damage("hole4096", path, start))
            plan.append(Damage("hole512", path, start + chance.randrange(0, end - start) // 512 * 512))
            plan.append(Damage("flip", path, chance.randrange(start, end), chance.randrange(8)))
            plan.append(Damage("byte", path, chance.randrange(start, end), chance.randrange(1, 256)))
    chance.shuffle(plan)
    return plan
