// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#ifndef C_WEB_PAGE_H
#define C_WEB_PAGE_H

#include <stddef.h>
#include <stdint.h>

// The page's files, as the program has them in itself.
struct vault_page_file {
    const char *name;
    const uint8_t *bytes;
    size_t byte_count;
};

extern const int vault_page_file_count;
struct vault_page_file vault_page_file(int index);

#endif
