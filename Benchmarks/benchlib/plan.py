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


PLANS = {plan.name: plan for plan in (
    Plan("quick", (150, 300), 300, 1, 5, 3, 5, 30, 2, 20, 3, 20, 1, 1, 300, ((1_000, 20), (100_000, 3)), 20, 2, 8 << 20, 2, 1,
         install=False, both_plain_peers=True),
    Plan("default", (10_000, 100_000), 100_000, 1, 30, 15, 30, 1_000, 5, 60, 5, 300, 2, 1, 10_000,
         ((1_000, 1_000), (100_000, 200), (10_000_000, 5)), 300, 65, 1 << 30, 3, 1, install=True, both_plain_peers=False),
    Plan("full", (1_000, 10_000, 100_000, 1_000_000), 100_000, 1, 100, 40, 30, 1_000, 11, 100, 15, 500, 3, 3, 1_000_000,
         ((1_000, 1_000), (100_000, 1_000), (10_000_000, 20)), 1_000, 125, 1 << 30, 7, 3, install=True, both_plain_peers=True),
)}
