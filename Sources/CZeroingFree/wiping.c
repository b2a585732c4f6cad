// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CZeroingFree.h"

#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

// The C library's own entry points, which its malloc keeps under these names for such replacements.
extern void __libc_free(void *block);
extern void *__libc_malloc(size_t byteCount);

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED
// A sanitizer brings its own allocator, which must not be mixed with the C library's.
int wiping_memory_is_linked(void) { return 0; }
// A confined process has no sigaltstack(2), and no file to write a list of leaks to.
const char *__asan_default_options(void) { return "use_sigaltstack=0:detect_leaks=0"; }
#else
void free(void *block);

int wiping_memory_is_linked(void) {
    // Linked in is not enough: libraries must find this one first.
    return dlsym(RTLD_DEFAULT, "free") == (void *)free;
}

// A block that is a map of its own goes back to the kernel, which clears its pages: wiping Argon2's memory once more took 15 ms of each unlock. Its
// size does not tell, for a large one may be cut from free memory; the second lowest bit of what stands before it does (glibc malloc.c, IS_MMAPPED).
static int is_map(const void *block) { return (((const size_t *)block)[-1] & 2) != 0; }

// The C library raises the bound from which blocks are maps by itself up to 32 MiB, and keeps twice as much for later: then a few notes of 10 MB leave
// an idle agent with 100 MiB. A bound that is set stays.
static const size_t mapped_byte_count = (size_t)4 << 20;

__attribute__((constructor)) static void set_bounds(void) {
    mallopt(M_MMAP_THRESHOLD, (int)mapped_byte_count);
    mallopt(M_TRIM_THRESHOLD, (int)mapped_byte_count);
}

// Above this a block is moved as seldom as it doubles, and half as much again would be felt.
static const size_t growing_byte_count = (size_t)1 << 20;

void free(void *block) {
    if (block == NULL) return;
    size_t byteCount = malloc_usable_size(block);
    if (!is_map(block)) explicit_bzero(block, byteCount);
    __libc_free(block);
}

// A grown block may move and leave its old bytes behind: so it always moves through our own free.
void *realloc(void *block, size_t byteCount) {
    if (block == NULL) return malloc(byteCount);
    if (byteCount == 0) { free(block); return NULL; }
    size_t had = malloc_usable_size(block);
    if (byteCount <= had && byteCount >= had / 2) return block;
    // What has grown once will grow again: with room behind it it need not move, and be wiped, each time.
    size_t room = byteCount > had && byteCount < growing_byte_count ? byteCount / 2 : 0;
    void *moved = __libc_malloc(byteCount + room);
    if (moved == NULL) return NULL;
    memcpy(moved, block, had < byteCount ? had : byteCount);
    free(block);
    return moved;
}
#endif
