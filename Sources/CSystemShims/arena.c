// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "KeyArena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

// Each page holds blocks of one size, a power of two; one bit a block says whether it is taken. All of this stands outside of the arena: there a block
// that is written past its end can break its neighbours and nothing else, and a forked child, whose arena is cleared, reads no garbage from it.
enum { page_byte_count = 4096, smallest = 32, blocks_max = page_byte_count / smallest, words = blocks_max / 64, pages_max = 256 };

struct page {
    size_t size; // of its blocks; 0 while nothing of it is taken
    unsigned taken_count;
    uint64_t taken[words];
};

struct vs_arena {
    pthread_mutex_t mutex;
    unsigned char *base;
    size_t page_count;
    struct vs_arena_state state;
    struct page pages[pages_max];
};

vs_arena *vs_arena_make(size_t byteCount, size_t lockedMax) {
    size_t page_count = byteCount / page_byte_count;
    if (page_count == 0 || page_count > pages_max) return NULL;
    vs_arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) return NULL;
    byteCount = page_count * page_byte_count;
    void *base = mmap(NULL, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) { free(arena); return NULL; }
    madvise(base, byteCount, MADV_DONTDUMP);
    madvise(base, byteCount, MADV_WIPEONFORK);
    pthread_mutex_init(&arena->mutex, NULL);
    arena->base = base;
    arena->page_count = page_count;
    arena->state.byteCount = byteCount;
    // As much as the kernel agrees to, by halves: a limit may be nearly used up.
    size_t locked = (lockedMax < byteCount ? lockedMax : byteCount) / page_byte_count * page_byte_count;
    while (locked > 0 && mlock(base, locked) != 0) locked = locked / 2 / page_byte_count * page_byte_count;
    arena->state.lockedByteCount = locked;
    return arena;
}

void vs_arena_end(vs_arena *arena) {
    explicit_bzero(arena->base, arena->state.byteCount);
    munmap(arena->base, arena->state.byteCount);
    pthread_mutex_destroy(&arena->mutex);
    free(arena);
}

int vs_arena_holds(const vs_arena *arena, const void *address) {
    uintptr_t at = (uintptr_t)address, base = (uintptr_t)arena->base;
    return at >= base && at - base < arena->state.byteCount;
}

// A page with room for such a block: one of its size before a fresh one, and any locked page before those that are not.
static struct page *page_with_room(vs_arena *arena, size_t size) {
    size_t locked_count = arena->state.lockedByteCount / page_byte_count;
    struct page *fresh = NULL;
    for (size_t index = 0; index < arena->page_count; index++) {
        struct page *page = &arena->pages[index];
        // Whatever is fresh and was met before the locked part ended is locked.
        if (index == locked_count && fresh != NULL) break;
        if (page->size == size && page->taken_count < page_byte_count / size) return page;
        if (page->size == 0 && fresh == NULL) fresh = page;
    }
    if (fresh != NULL) fresh->size = size;
    return fresh;
}

static size_t rounded(size_t byteCount) {
    size_t size = smallest;
    while (size < byteCount) size *= 2;
    return size;
}

static unsigned char *take_from(vs_arena *arena, struct page *page) {
    size_t number = 0;
    while (page->taken[number / 64] >> (number % 64) & 1) number++;
    page->taken[number / 64] |= (uint64_t)1 << (number % 64);
    page->taken_count++;
    size_t offset = (size_t)(page - arena->pages) * page_byte_count + number * page->size;
    struct vs_arena_state *state = &arena->state;
    state->usedByteCount += page->size;
    if (state->usedByteCount > state->peakByteCount) state->peakByteCount = state->usedByteCount;
    if (offset + page->size > state->lockedByteCount) state->unlockedCount++;
    return arena->base + offset;
}

void *vs_arena_take(vs_arena *arena, size_t byteCount) {
    if (byteCount == 0) return NULL;
    pthread_mutex_lock(&arena->mutex);
    unsigned char *block = NULL;
    if (byteCount > page_byte_count) {
        arena->state.largeCount++;
    } else {
        struct page *page = page_with_room(arena, rounded(byteCount));
        if (page == NULL) arena->state.unlockedCount++;
        else block = take_from(arena, page);
    }
    pthread_mutex_unlock(&arena->mutex);
    return block;
}

// The page of a block that is taken, and its number there; NULL for any other address. With the mutex held.
static struct page *page_of(vs_arena *arena, const void *block, size_t *number) {
    if (!vs_arena_holds(arena, block)) return NULL;
    size_t offset = (size_t)((const unsigned char *)block - arena->base);
    struct page *page = &arena->pages[offset / page_byte_count];
    if (page->size == 0 || offset % page_byte_count % page->size != 0) return NULL;
    *number = offset % page_byte_count / page->size;
    return page->taken[*number / 64] >> (*number % 64) & 1 ? page : NULL;
}

int vs_arena_give(vs_arena *arena, void *block) {
    size_t number;
    pthread_mutex_lock(&arena->mutex);
    struct page *page = page_of(arena, block, &number);
    if (page == NULL) {
        arena->state.strayCount++;
    } else {
        explicit_bzero(block, page->size);
        page->taken[number / 64] &= ~((uint64_t)1 << (number % 64));
        arena->state.usedByteCount -= page->size;
        if (--page->taken_count == 0) page->size = 0;
    }
    pthread_mutex_unlock(&arena->mutex);
    return page != NULL;
}

size_t vs_arena_block_size(vs_arena *arena, const void *block) {
    size_t number;
    pthread_mutex_lock(&arena->mutex);
    struct page *page = page_of(arena, block, &number);
    size_t size = page == NULL ? 0 : page->size;
    pthread_mutex_unlock(&arena->mutex);
    return size;
}

struct vs_arena_state vs_arena_state(vs_arena *arena) {
    pthread_mutex_lock(&arena->mutex);
    struct vs_arena_state state = arena->state;
    pthread_mutex_unlock(&arena->mutex);
    return state;
}

// MARK: libcrypto

static vs_arena *_Atomic keys;

// Keys have pages of their own besides (vs_secret_map): half of a small limit is left to them.
static size_t share_of_limit(size_t byteCount) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return byteCount;
    return limit.rlim_cur / 2 < byteCount ? (size_t)(limit.rlim_cur / 2) : byteCount;
}

int vs_libcrypto_arena_begin(size_t byteCount) {
    if (keys != NULL) return 0;
    vs_arena *arena = vs_arena_make(byteCount, share_of_limit(byteCount));
    if (arena == NULL) return -1;
    keys = arena;
    return 0;
}

struct vs_arena_state vs_libcrypto_arena_state(void) {
    vs_arena *arena = keys;
    return arena == NULL ? (struct vs_arena_state){0} : vs_arena_state(arena);
}

void *vs_libcrypto_malloc(size_t byteCount, const char *file, int line) {
    (void)file, (void)line;
    if (byteCount == 0) return NULL;
    vs_arena *arena = keys;
    void *block = arena == NULL ? NULL : vs_arena_take(arena, byteCount);
    return block != NULL ? block : malloc(byteCount);
}

void vs_libcrypto_free(void *block, const char *file, int line) {
    (void)file, (void)line;
    vs_arena *arena = keys;
    if (arena != NULL && vs_arena_holds(arena, block)) vs_arena_give(arena, block);
    else free(block);
}

// What was ordinary stays so, as a table that grows does. A block of the arena that outgrows a page takes what it holds along.
void *vs_libcrypto_realloc(void *block, size_t byteCount, const char *file, int line) {
    if (block == NULL) return vs_libcrypto_malloc(byteCount, file, line);
    if (byteCount == 0) { vs_libcrypto_free(block, file, line); return NULL; }
    vs_arena *arena = keys;
    if (arena == NULL || !vs_arena_holds(arena, block)) return realloc(block, byteCount);
    size_t had = vs_arena_block_size(arena, block);
    if (had == 0 || byteCount <= had) return had == 0 ? NULL : block;
    void *moved = vs_libcrypto_malloc(byteCount, file, line);
    if (moved == NULL) return NULL;
    memcpy(moved, block, had);
    vs_arena_give(arena, block);
    return moved;
}

// MARK: libraries whose functions have no place in the source among their arguments

void *vs_locked_malloc(size_t byteCount) { return vs_libcrypto_malloc(byteCount != 0 ? byteCount : 1, NULL, 0); }
void *vs_locked_realloc(void *block, size_t byteCount) { return vs_libcrypto_realloc(block, byteCount != 0 ? byteCount : 1, NULL, 0); }
void vs_locked_free(void *block) { vs_libcrypto_free(block, NULL, 0); }

void *vs_locked_calloc(size_t count, size_t byteCount) {
    size_t all;
    if (__builtin_mul_overflow(count, byteCount, &all)) return NULL;
    void *block = vs_locked_malloc(all);
    if (block != NULL) memset(block, 0, all);
    return block;
}

char *vs_locked_strdup(const char *text) {
    size_t byteCount = strlen(text) + 1;
    void *block = vs_locked_malloc(byteCount);
    return block == NULL ? NULL : memcpy(block, text, byteCount);
}
