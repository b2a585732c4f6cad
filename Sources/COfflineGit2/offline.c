// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#include "COfflineGit2.h"

#include <git2/common.h>
#include <git2/config.h>
#include <git2/global.h>
#include <stdatomic.h>

static atomic_int refusals;

int offline_git2_refusals(void) { return atomic_load(&refusals); }

// libgit2 prepares for HTTPS as it starts: its TLS library reads and parses all certificates of the system (0.2 MB, 4 ms). This program
// speaks no TLS, so this definition goes before that library's own and says that the file cannot be read; libgit2 goes on without.
int mbedtls_x509_crt_parse_file(void *chain, const char *path);
int mbedtls_x509_crt_parse_file(void *chain, const char *path) {
    (void)chain;
    (void)path;
    atomic_fetch_add(&refusals, 1);
    return -0x2900; // MBEDTLS_ERR_X509_FILE_IO_ERROR
}

int offline_git2_start(void) {
    int started = git_libgit2_init();
    if (started < 0) return started;
    // Merging buffers reads no settings. Should a later release look for some, it finds no place to look in.
    for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL; level++) {
        int failure = git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
        if (failure < 0) return failure;
    }
    return git_libgit2_opts(GIT_OPT_SET_TEMPLATE_PATH, "");
}
