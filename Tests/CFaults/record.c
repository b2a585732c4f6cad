// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CFaults.h"

static int log_file = -1;
static dev_t device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct entry {
    uint64_t kind, inode, other, offset, size, second;
};

int cf_record(int to, const char *root) {
    struct stat status;
    if (syscall(SYS_newfstatat, AT_FDCWD, root, &status, 0) != 0) return -1;
    device = status.st_dev;
    log_file = to;
    return 0;
}

void cf_record_end(void) { log_file = -1; }
int rec_is_on(void) { return log_file >= 0; }
void rec_lock(void) { if (rec_is_on()) pthread_mutex_lock(&lock); }
void rec_unlock(void) { if (rec_is_on()) pthread_mutex_unlock(&lock); }

static void put(struct entry entry, const void *bytes, const void *second) {
    int before = errno;
    syscall(SYS_write, log_file, &entry, sizeof entry);
    if (entry.size > 0) syscall(SYS_write, log_file, bytes, entry.size);
    if (entry.second > 0) syscall(SYS_write, log_file, second, entry.second);
    errno = before;
}

static uint64_t inode_of(int descriptor) {
    struct stat status;
    int before = errno;
    uint64_t inode = syscall(SYS_fstat, descriptor, &status) == 0 && status.st_dev == device ? status.st_ino : 0;
    errno = before;
    return inode;
}

/// The inode of what a path leads to, 0 if there is nothing; links are not followed.
static uint64_t inode_at(int directory, const char *path) {
    struct stat status;
    int before = errno;
    int flags = AT_SYMLINK_NOFOLLOW | (*path == 0 ? AT_EMPTY_PATH : 0);
    uint64_t inode = syscall(SYS_newfstatat, directory, path, &status, flags) == 0 && status.st_dev == device ? status.st_ino : 0;
    errno = before;
    return inode;
}

/// The directory that a path's last part stands in, and that part.
static uint64_t place(int directory, const char *path, const char **name) {
    char above[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (slash) {
        size_t count = slash == path ? 1 : (size_t)(slash - path);
        if (count >= sizeof above) return 0;
        memcpy(above, path, count);
        above[count] = 0;
    }
    return inode_at(directory, above);
}

void cf_mark(long number) {
    if (!rec_is_on()) return;
    rec_lock();
    put((struct entry){.kind = REC_MARK, .offset = (uint64_t)number}, 0, 0);
    rec_unlock();
}

int rec_exists(int directory, const char *path) { return rec_is_on() && inode_at(directory, path) != 0; }

void rec_write(int descriptor, const void *bytes, ssize_t count, int64_t offset) {
    uint64_t inode = rec_is_on() && count > 0 ? inode_of(descriptor) : 0;
    if (inode) put((struct entry){.kind = REC_WRITE, .inode = inode, .offset = (uint64_t)offset, .size = (uint64_t)count}, bytes, 0);
}

void rec_truncate(int descriptor, int64_t size) {
    uint64_t inode = rec_is_on() ? inode_of(descriptor) : 0;
    if (inode) put((struct entry){.kind = REC_TRUNCATE, .inode = inode, .offset = (uint64_t)size}, 0, 0);
}

void rec_sync(int descriptor) {
    uint64_t inode = rec_is_on() ? inode_of(descriptor) : 0;
    if (inode) put((struct entry){.kind = REC_SYNC, .inode = inode}, 0, 0);
}

void rec_sync_all(void) {
    if (rec_is_on()) put((struct entry){.kind = REC_SYNC_ALL}, 0, 0);
}

void rec_unnamed(int descriptor) {
    uint64_t inode = rec_is_on() ? inode_of(descriptor) : 0;
    if (inode) put((struct entry){.kind = REC_UNNAMED, .inode = inode}, 0, 0);
}

void rec_name(int directory, const char *path, int kind) {
    if (!rec_is_on()) return;
    const char *name;
    uint64_t above = place(directory, path, &name), inode = inode_at(directory, path);
    if (above && inode) put((struct entry){.kind = (uint64_t)kind, .inode = inode, .other = above, .size = strlen(name)}, name, 0);
}

void rec_rename(int from_directory, const char *from, int to_directory, const char *to) {
    if (!rec_is_on()) return;
    const char *old, *new;
    uint64_t source = place(from_directory, from, &old), target = place(to_directory, to, &new);
    if (!source || !target) return;
    put((struct entry){.kind = REC_RENAME, .inode = source, .other = target, .size = strlen(old), .second = strlen(new)}, old, new);
}

void rec_remove(int directory, const char *path) {
    if (!rec_is_on()) return;
    const char *name;
    uint64_t above = place(directory, path, &name);
    if (above) put((struct entry){.kind = REC_REMOVE, .other = above, .size = strlen(name)}, name, 0);
}
