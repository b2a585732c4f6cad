# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""How much is measured: a smoke run for the tests, the usual one, the long one."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Plan:
    """Sizes in notes, and how often each thing is done."""
    name: str
    sizes: "tuple[int, ...]"      # vaults to measure reading on, smallest first
    import_size: int              # import and commit are compared at this size
    import_rounds: int
    command_rounds: int           # show, ls, search
    pass_entries: int             # pass opens each for a grep
    commit_rounds: int
    commits_a_round: int
    unlock_rounds: int
    attach_bytes: int             # of one attachment, in memory
    attach_rounds: int
    install: bool
    both_plain_peers: bool        # FTS5's own trigram index in plain SQLite, also when vault-bench has a plain peer


PLANS = {plan.name: plan for plan in (
    Plan("quick", (300,), 300, 1, 5, 5, 2, 20, 3, 8 << 20, 2, install=False, both_plain_peers=True),
    Plan("default", (10_000, 100_000), 100_000, 1, 60, 30, 5, 60, 9, 1 << 30, 5, install=True, both_plain_peers=False),
    Plan("full", (10_000, 100_000, 1_000_000), 100_000, 3, 200, 30, 11, 100, 25, 1 << 30, 11, install=True, both_plain_peers=True),
)}
