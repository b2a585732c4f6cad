// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include <sys/types.h>

/// What an attempt may use; made before the child confines itself.
typedef struct {
    pid_t parent;
    /// A descriptor that was left open by mistake.
    int held;
    char file[512], missing[512], socket[512];
} ca_scene;

typedef struct {
    const char *name;
    long (*run)(const ca_scene *);
    int succeedsUnconfined;
    /// What standard input is, when it matters: 'f' a file, 's' a Unix socket that is not connected, 'p' one of a pair with a descriptor on its way.
    char input;
} ca_attempt;

extern const ca_attempt ca_file_attempts[], ca_descriptor_attempts[], ca_process_attempts[], ca_kernel_attempts[];

/// Text that only the parent has in its memory: the child clears its own.
extern char ca_secret[16];

#endif
