// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// The functions of PCRE2 for text in bytes: its header asks for the width before it is read.
#ifndef PCRE2_BYTES_H
#define PCRE2_BYTES_H
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
