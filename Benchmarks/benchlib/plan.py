# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""How much is measured: a smoke run for the tests, the usual one, the long one."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Plan:
    """Sizes in notes, and how often each thing is done."""
    name: str
    sizes: "tuple[int, ...]"      # vaults to measure on, smallest first
    import_size: int              # import and commit are compared at this size
    import_rounds: int
    command_rounds: int           # show, ls, search
    write_rounds: int             # new, append, edit, tag
    pass_entries: int             # pass and gopass open each for a grep
    store_notes: int              # in the stores of KeePassXC and jrnl, which open all of them for anything
    commit_rounds: int
    commits_a_round: int
    unlock_rounds: int
    crash_writes: int             # in the log when the agent is killed
    worst_rounds: int
    whole_rounds: int             # check, export, rotate; one at 100,000 notes and more
    whole_max: int                # notes of the largest vault for these
    note_sizes: "tuple[tuple[int, int], ...]"  # bytes of a note, and how many of them
    wear_edits: int
    idle_seconds: int             # in which the agent's wake-ups are counted
    attach_bytes: int             # of one attachment, in memory
    attach_rounds: int
    export_rounds: int
    install: bool
    both_plain_peers: bool        # FTS5's own trigram index in plain SQLite, also when vault-bench has a plain peer
    compares_import: bool = True

    @property
    def small(self) -> int:
        """What the growth with the number of notes is held against."""
        return 10_000 if 10_000 in self.sizes else self.sizes[0]


KB, MB, GIB = 1_000, 1_000_000, 1 << 30

PLANS = {plan.name: plan for plan in (
    Plan("quick", sizes=(150, 300), import_size=300, import_rounds=1, command_rounds=5, write_rounds=3, pass_entries=5, store_notes=30,
         commit_rounds=2, commits_a_round=20, unlock_rounds=3, crash_writes=20, worst_rounds=1, whole_rounds=1, whole_max=300,
         note_sizes=((KB, 20), (100 * KB, 3)), wear_edits=20, idle_seconds=2, attach_bytes=8 << 20, attach_rounds=2, export_rounds=1,
         install=False, both_plain_peers=True),
    Plan("default", sizes=(10_000, 100_000), import_size=100_000, import_rounds=1, command_rounds=30, write_rounds=15, pass_entries=30, store_notes=1_000,
         commit_rounds=5, commits_a_round=60, unlock_rounds=5, crash_writes=300, worst_rounds=2, whole_rounds=1, whole_max=10_000,
         note_sizes=((KB, 1_000), (100 * KB, 200), (10 * MB, 5)), wear_edits=300, idle_seconds=65, attach_bytes=GIB, attach_rounds=3, export_rounds=1,
         install=True, both_plain_peers=False),
    Plan("full", sizes=(1_000, 10_000, 100_000, 1_000_000), import_size=10_000, import_rounds=3, command_rounds=60, write_rounds=30, pass_entries=30,
         store_notes=1_000, commit_rounds=11, commits_a_round=100, unlock_rounds=11, crash_writes=500, worst_rounds=3, whole_rounds=1, whole_max=1_000_000,
         note_sizes=((KB, 1_000), (100 * KB, 1_000), (10 * MB, 20)), wear_edits=1_000, idle_seconds=125, attach_bytes=GIB, attach_rounds=5, export_rounds=2,
         install=True, both_plain_peers=True),
)}
