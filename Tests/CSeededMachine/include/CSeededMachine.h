// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Chance and time that follow from a seed: the program that links this has its own getrandom and clock_gettime. Simulation only: no key that such a
// program makes is a secret.
#ifndef C_SEEDED_MACHINE_H
#define C_SEEDED_MACHINE_H

#include <stdint.h>

/// From now on random bytes follow from this number.
void sm_seed(uint64_t seed);

/// All clocks go on by so many milliseconds.
void sm_wait(int64_t milliseconds);

/// Each look at a clock that goes on while the machine sleeps takes so many milliseconds: a program that works until a time is over does a countable
/// piece of work.
void sm_tick(int64_t milliseconds);

/// Milliseconds since 1970 by the simulated clock.
int64_t sm_now(void);

/// Seconds of the machine's own clock, to say how fast a run was.
double sm_real_seconds(void);

#endif
