// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Locked memory for many small blocks: where libcrypto puts its contexts, and with them what it makes of our keys.
#ifndef VS_KEY_ARENA_H
#define VS_KEY_ARENA_H

#include <stddef.h>
#include <stdint.h>

/// A bounded stretch of pages: left out of core files, cleared in a forked child, locked as far as the limit goes, and wiped block by block.
typedef struct vs_arena vs_arena;

/// What has become of an arena.
struct vs_arena_state {
    size_t byteCount;
    /// From its beginning on; blocks are taken from there first.
    size_t lockedByteCount;
    /// In blocks that are taken, and the most that ever were.
    size_t usedByteCount, peakByteCount;
    /// Blocks that may reach swap: taken beyond the locked part, or refused because the arena was full.
    uint64_t unlockedCount;
    /// Requests for more than a page, which are refused.
    uint64_t largeCount;
    /// Blocks that were given back twice or never taken; nothing was done.
    uint64_t strayCount;
};

/// Maps an arena of `byteCount` bytes, at most 1 MiB, and locks up to `lockedMax` of them. NULL on failure.
vs_arena *vs_arena_make(size_t byteCount, size_t lockedMax);
void vs_arena_end(vs_arena *arena);

/// A block of zeros of at least `byteCount` bytes, aligned for anything up to 16; NULL when it is too large, zero, or nothing is left.
void *vs_arena_take(vs_arena *arena, size_t byteCount);
/// Wipes a block and gives it back. 0 for what is no block that is taken: then nothing was done.
int vs_arena_give(vs_arena *arena, void *block);
/// Bytes that may be used of a block that is taken; 0 for anything else.
size_t vs_arena_block_size(vs_arena *arena, const void *block);
/// Whether an address lies in the arena's pages.
int vs_arena_holds(const vs_arena *arena, const void *address);
struct vs_arena_state vs_arena_state(vs_arena *arena);

/// The three functions that libcrypto is given (CRYPTO_set_mem_functions). Until `vs_libcrypto_arena_begin` all of it is ordinary memory.
void *vs_libcrypto_malloc(size_t byteCount, const char *file, int line);
void *vs_libcrypto_realloc(void *block, size_t byteCount, const char *file, int line);
void vs_libcrypto_free(void *block, const char *file, int line);

/// The same for libcurl (curl_global_init_mem), in whose blocks a credential lies.
void *vs_locked_malloc(size_t byteCount);
void *vs_locked_realloc(void *block, size_t byteCount);
void *vs_locked_calloc(size_t count, size_t byteCount);
char *vs_locked_strdup(const char *text);
void vs_locked_free(void *block);

/// From now on small blocks come from an arena of this size. -1 where it cannot be mapped; 0 also when it was there already.
int vs_libcrypto_arena_begin(size_t byteCount);
/// Its state; all zero as long as there is none.
struct vs_arena_state vs_libcrypto_arena_state(void);

#endif
