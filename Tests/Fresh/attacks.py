# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""What is put back: files and pages of one moment into the vault of another."""

import collections, dataclasses, itertools, json, shutil, subprocess, sys
from pathlib import Path

from scenes import FILES, INDEX, LOG, MANIFESTS, MAP, OLD, PAGE, STATE, bytes_of, pages_of

WORDS = {INDEX: "all pages", MAP: "map", LOG: "log", "header": "header", "header.2": "header.2"}
# Attacks of one row, in the order of the table.
ORDER = ("nothing", "one page", "pages", "all pages but", "the whole folder", "the log", "the fork", "open")


@dataclasses.dataclass
class Attack:
    """`files` and `pages` of the moment `source` are put into the vault of the moment `base`."""

    row: str
    base: str = "b"
    source: str = "a"
    files: tuple = ()
    pages: tuple = ()
    has_pin: bool = True
    is_running: bool = False
    is_folder: bool = False

    @property
    def pin(self):
        return "yes" if self.has_pin else "no"

    def __str__(self):
        what = "the folder" if self.is_folder else [*self.files, *(f"page {page}" for page in self.pages)]
        return f"{self.row}, pin: {self.pin}: {what} of {self.source} in {self.base}"

    def apply(self, world, folder, source=None):
        """As somebody who may write to the folder: files are replaced, or under an agent written in place."""
        source = source or world.states[self.source].vault
        if self.is_folder:
            shutil.rmtree(folder)
            shutil.copytree(source, folder)
        for name in self.files:
            self.put(folder / name, bytes_of(source, name))
        old = pages_of(source)
        if self.pages:
            with open(folder / INDEX, "r+b") as file:
                for page in self.pages:
                    file.seek((page - 1) * PAGE)
                    file.write(old[page - 1])

    def put(self, path, content):
        if not self.is_running:
            path.unlink()
        with open(path, "r+b" if self.is_running else "xb") as file:
            file.truncate(0)
            file.write(content)
        path.chmod(0o600)

    def moment_of(self, world, folder):
        """The other moment that the folder now has in everything that says which state counts; None for a mixture.

        Where the log is not empty it may hold all pages in which the indexes differ. Of two manifests the later one
        counts, and of two with one generation, as the fork's are, the first."""
        for name, state in world.states.items():
            says = (LOG, "manifest") if name == "c" else STATE
            says = says if bytes_of(folder, LOG) else (INDEX, *says)
            if name != self.base and all(bytes_of(state.vault, file) == bytes_of(folder, file) for file in says):
                return name
        return None

    def has_only_old_headers(self, world, folder):
        new = bytes_of(world.states[self.base].vault, "header")
        return all(bytes_of(folder, name) != new for name in ("header", "header.2"))


def differing(world, base, source):
    """The pages, counted from 1, that both have and that differ."""
    pairs = zip(pages_of(world.states[base].vault), pages_of(world.states[source].vault))
    return [number for number, (one, other) in enumerate(pairs, 1) if one != other]


def tables(world):
    """What each page of the oldest moment holds, as the program that reads without vault tells it."""
    answer = subprocess.run(
        [sys.executable, "-B", str(Path(__file__).parent / "tables.py"), str(world.states["a"].vault),
            str(world.scratch / OLD)], capture_output=True, text=True, timeout=120)
    if answer.returncode != 0:
        raise RuntimeError(f"tables.py ended with {answer.returncode}: {answer.stderr.strip()[:300]}")
    names = {}
    for page, name, kind in json.loads(answer.stdout):
        names[page] = f"{name}, {kind}"
    return names


def label(files):
    """How a set of files is called; pairs are one thing."""
    names = [WORDS[name] for name in files if name in (INDEX, MAP, LOG)]
    for first in ("manifest", "header"):
        both = [name for name in (first, first + ".2") if name in files]
        names += [f"both {first}s"] if len(both) == 2 else both
    return " and ".join(names) if len(names) < 3 else f"other sets of {len(names)} of these"


def sets_of(world, base, source, must=()):
    """Each set of the files that differ, without the empty one."""
    folders = [world.states[name].vault for name in (base, source)]
    names = [name for name in FILES if bytes_of(folders[0], name) != bytes_of(folders[1], name)]
    for count in range(1, len(names) + 1):
        for files in itertools.combinations(names, count):
            if set(must) <= set(files):
                yield files


def plan(world, chance, small):
    """Every attack of the kit, without what takes a machine's place."""
    changed, names = differing(world, "b", "a"), tables(world)
    pages = [(f"one page: {names.get(page, 'free')}", (page,)) for page in changed]
    bases = ("b",) if small else ("b", "k")
    found = [Attack("nothing", base=base, has_pin=pin) for base in bases for pin in (True, False)]
    found += [Attack(row, pages=page) for row, page in pages]
    # A pin has no part in what is behind the opening.
    found += [Attack(row, pages=page, has_pin=False) for row, page in pages[::5]]
    for number in range(200):
        # Half of the sets are small: of a large one a page is nearly always read at the opening.
        size = chance.randrange(2, 7) if number % 2 else chance.randrange(2, len(changed))
        chosen = tuple(sorted(chance.sample(changed, min(size, len(changed)))))
        found.append(Attack("pages: a random set", pages=chosen, has_pin=number % 4 < 2))
    for page in changed:
        row = "all pages but page 2" if page == 2 else "all pages but another one"
        rest = tuple(one for one in changed if one != page)
        found += [Attack(row, pages=rest, has_pin=pin) for pin in ((True, False) if page == 2 else (page % 2 == 0,))]
    closed = [("an older moment", "b", "a", ())]
    logs = [] if small else [
        ("a log of before", "b", "l", (LOG,)), ("an earlier length of the log", "k", "m", (LOG,))]
    forks = [("the fork", "b", "c", ())]
    for row, base, source, must in closed + logs + forks:
        for files in sets_of(world, base, source, must):
            found += [Attack(f"{row}: {label(files)}", base, source, files, has_pin=pin) for pin in (True, False)]
    for page in chance.sample(differing(world, "b", "c"), min(24, len(differing(world, "b", "c")))):
        found.append(Attack("the fork: one page", source="c", pages=(page,)))
    for source in ("a", "c"):
        row = "the whole folder, older" if source == "a" else "the whole folder, the fork"
        found += [Attack(row, source=source, is_folder=True, has_pin=pin) for pin in (True, False)]
    return found + running(changed, small)


def running(changed, small):
    """The same under an agent that has the vault open: its caches know what the vault held."""
    found = [Attack("open: one page", pages=(page,), is_running=True) for page in changed]
    found.append(Attack("open: all pages", pages=tuple(changed), is_running=True))
    for files in ((MAP,), ("manifest", "manifest.2"), ("header", "header.2")):
        found.append(Attack(f"open: {label(files)}", files=files, is_running=True))
    for files in ((LOG,), (LOG, *MANIFESTS)):
        found.append(Attack(f"open: an earlier length of the {label(files)}", files=files, is_running=True))
    found.append(Attack("open: all pages and map", files=(MAP,), pages=tuple(changed), is_running=True))
    return found


def sample(attacks, count, chance):
    """A few of each kind, in a random order."""
    shares = collections.defaultdict(list)
    for attack in attacks:
        shares[attack.row.split(":")[0]].append(attack)
    for share in shares.values():
        chance.shuffle(share)
    turns = itertools.zip_longest(*shares.values())
    return [attack for turn in turns for attack in turn if attack][:count]
