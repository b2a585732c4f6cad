// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSQLiteShims.h"

#include <string.h>

static sqlite3_mem_methods original;

static void wiping_free(void *block) {
    if (block == NULL) return;
    explicit_bzero(block, (size_t)original.xSize(block));
    original.xFree(block);
}

// The original may move a block and free the old place unwiped: so it is moved here.
static void *wiping_realloc(void *block, int byteCount) {
    int had = original.xSize(block);
    if (byteCount <= had) return block;
    void *moved = original.xMalloc(byteCount);
    if (moved == NULL) return NULL;
    memcpy(moved, block, (size_t)had);
    wiping_free(block);
    return moved;
}

// In the agent the C library's own free wipes every block, SQLite's too: wiping them twice was a third of a search.
extern int wiping_memory_is_linked(void) __attribute__((weak));

int cs_configure(void) {
    int result = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    if (result != SQLITE_OK) return result;
    if (wiping_memory_is_linked == NULL || !wiping_memory_is_linked()) {
        sqlite3_mem_methods wiping = original;
        wiping.xFree = wiping_free;
        wiping.xRealloc = wiping_realloc;
        result = sqlite3_config(SQLITE_CONFIG_MALLOC, &wiping);
        if (result != SQLITE_OK) return result;
    }
    // Nobody asks how much memory SQLite has: counting it takes a lock at each allocation.
    result = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (result != SQLITE_OK) return result;
    // A connection's pool of small blocks is reused without a word to the allocator, and so never wiped.
    result = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    if (result != SQLITE_OK) return result;
    return sqlite3_config(SQLITE_CONFIG_URI, 1);
}

int cs_harden(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
