// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#include "CSystemShims.h"

#include <stdio.h>
#include <sys/inotify.h>

int vs_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

// The folder is in hand already; the path through /proc leads to just that one, whatever its own path leads to by now.
int vs_inotify_add(int watch, int folder) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    const unsigned events = IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE_SELF | IN_ONLYDIR;
    return inotify_add_watch(watch, path, events) < 0 ? -1 : 0;
}
