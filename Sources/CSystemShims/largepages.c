// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <stdint.h>
#include <sys/mman.h>

enum { large_page = 2 << 20, small_page = 4096 };

// What is smaller than one large page is rounded to small ones.
static size_t mapped(size_t byteCount) {
    size_t page = byteCount < large_page ? small_page : large_page;
    return byteCount > SIZE_MAX - 2 * (size_t)large_page ? 0 : (byteCount + page - 1) / page * page;
}

int vs_large_pages_map(uint8_t **memory, size_t byteCount) {
    size_t size = mapped(byteCount), spare = size < large_page ? 0 : large_page;
    *memory = NULL;
    if (size == 0) return -1;
    unsigned char *base = mmap(NULL, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return -1;
    // Large pages begin at multiples of their size: what lies before the first and after the last goes back.
    size_t before = spare == 0 ? 0 : (large_page - (uintptr_t)base % large_page) % large_page;
    if (before > 0) munmap(base, before);
    if (spare > before) munmap(base + before + size, spare - before);
    // Kernels without one of these refuse harmlessly.
    if (spare > 0) madvise(base + before, size, MADV_HUGEPAGE);
    madvise(base + before, size, MADV_DONTDUMP);
    madvise(base + before, size, MADV_WIPEONFORK);
    *memory = base + before;
    return 0;
}

void vs_large_pages_unmap(uint8_t *memory, size_t byteCount) {
    if (memory != NULL) munmap(memory, mapped(byteCount));
}
