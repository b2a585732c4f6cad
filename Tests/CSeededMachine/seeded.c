// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSeededMachine.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_uint_fast64_t chance = 1;
// 2026-01-01, UTC.
static atomic_int_fast64_t now = 1767225600000;
static atomic_int_fast64_t tick = 0;

void sm_seed(uint64_t seed) { chance = seed; }
void sm_wait(int64_t milliseconds) { now += milliseconds; }
void sm_tick(int64_t milliseconds) { tick = milliseconds; }
int64_t sm_now(void) { return now; }

double sm_real_seconds(void) {
    struct timespec time;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// SplitMix64.
static uint64_t next_word(void) {
    uint64_t word = atomic_fetch_add(&chance, 0x9E3779B97F4A7C15u) + 0x9E3779B97F4A7C15u;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

ssize_t getrandom(void *buffer, size_t count, unsigned int flags) {
    (void)flags;
    unsigned char *cursor = buffer;
    for (size_t done = 0; done < count;) {
        uint64_t word = next_word();
        size_t part = count - done < sizeof word ? count - done : sizeof word;
        memcpy(cursor + done, &word, part);
        done += part;
    }
    return (ssize_t)count;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) return (int)syscall(SYS_clock_gettime, clock, time);
    int64_t milliseconds = clock == CLOCK_BOOTTIME ? atomic_fetch_add(&now, tick) : now;
    time->tv_sec = milliseconds / 1000;
    time->tv_nsec = milliseconds % 1000 * 1000000;
    return 0;
}
