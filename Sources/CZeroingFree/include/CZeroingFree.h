// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// A program that links this clears every block of heap memory as it is freed, whichever library frees it: Swift,
// Foundation and SQLite release strings and pages unwiped (228 copies of a marker were counted after one function).
#ifndef C_WIPING_MEMORY_H
#define C_WIPING_MEMORY_H

/// 1 when this program's `free` clears. Referring to it is what links the replacement in.
int wiping_memory_is_linked(void);

#endif
