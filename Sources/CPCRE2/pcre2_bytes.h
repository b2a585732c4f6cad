// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// PCRE2's functions for text in bytes.
#ifndef PCRE2_BYTES_H
#define PCRE2_BYTES_H
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
