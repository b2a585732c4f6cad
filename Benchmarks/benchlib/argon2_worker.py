# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Times one Argon2id derivation with libargon2's own code and prints its seconds.

    argon2_worker.py MEMORY_KIB ITERATIONS PARALLELISM
"""
import sys
import time

from argon2.low_level import Type, hash_secret_raw


def derive(memory: int, iterations: int, parallelism: int) -> None:
    hash_secret_raw(b"a password of the bench", bytes(16), time_cost=iterations, memory_cost=memory,
                    parallelism=parallelism, hash_len=32, type=Type.ID)


if __name__ == "__main__":
    cost = [int(word) for word in sys.argv[1:]]
    derive(1024, 1, 1)  # the library is loaded and bound before the clock starts
    begin = time.monotonic()
    derive(*cost)
    print(time.monotonic() - begin)
