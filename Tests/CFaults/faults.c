// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record.h"

static atomic_long calls, chosen;
static atomic_int fault, armed, hit;

void cf_arm(long at, int kind) {
    calls = 0;
    chosen = at;
    fault = kind;
    hit = 0;
    armed = 1;
}

long cf_disarm(void) {
    armed = 0;
    return calls;
}

int cf_was_hit(void) { return hit; }
pid_t cf_fork(void) { return fork(); }
void cf_leave(int status) { _exit(status); }

/// Counts a call; what becomes of it: 0 for nothing, else the fault.
static int next_fault(void) {
    if (!armed) return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    int kind = fault;
    if (kind == CF_FULL && hit) return CF_FULL;
    if (number != chosen) return 0;
    hit = 1;
    if (kind == CF_KILL) _exit(CF_KILLED);
    return kind;
}

/// After a call that went through: the end, if it was chosen.
static long ended(int kind, long result) {
    if (kind == CF_KILL_AFTER) _exit(CF_KILLED);
    return result;
}

static long refused(int kind) {
    errno = kind == CF_FULL ? ENOSPC : EIO;
    return -1;
}

static int refuses(int kind) { return kind == CF_ERROR || kind == CF_SHORT || kind == CF_FULL; }

static int is_regular(int descriptor) {
    struct stat status;
    int before = errno;
    int regular = syscall(SYS_fstat, descriptor, &status) == 0 && S_ISREG(status.st_mode);
    errno = before;
    return regular;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    int kind = is_regular(descriptor) ? next_fault() : 0;
    if (kind == CF_SHORT && count > 1) return syscall(SYS_write, descriptor, bytes, count / 2);
    if (refuses(kind)) return refused(kind);
    rec_lock();
    off_t offset = rec_is_on() ? lseek(descriptor, 0, SEEK_CUR) : 0;
    ssize_t put = syscall(SYS_write, descriptor, bytes, count);
    rec_write(descriptor, bytes, put, offset);
    rec_unlock();
    return ended(kind, put);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    int kind = is_regular(descriptor) ? next_fault() : 0;
    if (kind == CF_SHORT && count > 1) return syscall(SYS_pwrite64, descriptor, bytes, count / 2, offset);
    if (refuses(kind)) return refused(kind);
    rec_lock();
    ssize_t put = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    rec_write(descriptor, bytes, put, offset);
    rec_unlock();
    return ended(kind, put);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return pwrite(descriptor, bytes, count, offset); }

int fsync(int descriptor) {
    int kind = next_fault();
    // A full disk shows in what is written, not in waiting for it.
    if (refuses(kind) && kind != CF_FULL) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_fsync, descriptor);
    if (result == 0) rec_sync(descriptor);
    rec_unlock();
    return (int)ended(kind, result);
}

int fdatasync(int descriptor) {
    int kind = next_fault();
    if (refuses(kind) && kind != CF_FULL) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_fdatasync, descriptor);
    if (result == 0) rec_sync(descriptor);
    rec_unlock();
    return (int)ended(kind, result);
}

int syncfs(int descriptor) {
    int kind = next_fault();
    if (refuses(kind) && kind != CF_FULL) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_syncfs, descriptor);
    if (result == 0) rec_sync_all();
    rec_unlock();
    return (int)ended(kind, result);
}

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned int flags) {
    int kind = next_fault();
    if (kind == CF_SHORT && count > 1) return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, 1000, flags);
    if (refuses(kind)) return refused(kind);
    return ended(kind, syscall(SYS_copy_file_range, from, from_offset, to, to_offset, count, flags));
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    int kind = next_fault();
    if (refuses(kind)) return refused(kind);
    return ended(kind, syscall(SYS_sendfile, to, from, offset, count));
}

int ftruncate(int descriptor, off_t size) {
    int kind = next_fault();
    if (refuses(kind) && kind != CF_FULL) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_ftruncate, descriptor, size);
    if (result == 0) rec_truncate(descriptor, size);
    rec_unlock();
    return (int)ended(kind, result);
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

static atomic_int no_flags, no_links;

void cf_refuse_flags(int flags, int links) {
    no_flags = flags;
    no_links = links;
}

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
    if (flags != 0 && no_flags) {
        errno = EINVAL;
        return -1;
    }
    int kind = next_fault();
    if (refuses(kind)) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
    if (result == 0) rec_rename(from_directory, from, to_directory, to);
    rec_unlock();
    return (int)ended(kind, result);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) { return renameat2(from_directory, from, to_directory, to, 0); }
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int directory, const char *path, int flags) {
    int kind = next_fault();
    if (refuses(kind) && kind != CF_FULL) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_unlinkat, directory, path, flags);
    if (result == 0) rec_remove(directory, path);
    rec_unlock();
    return (int)ended(kind, result);
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int mkdirat(int directory, const char *path, mode_t mode) {
    int kind = next_fault();
    if (refuses(kind)) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_mkdirat, directory, path, mode);
    if (result == 0) rec_name(directory, path, REC_FOLDER);
    rec_unlock();
    return (int)ended(kind, result);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    if (no_links) {
        errno = EPERM;
        return -1;
    }
    int kind = next_fault();
    if (refuses(kind)) return (int)refused(kind);
    rec_lock();
    int result = (int)syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
    if (result == 0) rec_name(to_directory, to, REC_LINK);
    rec_unlock();
    return (int)ended(kind, result);
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

static int opened(int directory, const char *path, int flags, mode_t mode) {
    // Reading is not what a full disk refuses.
    int kind = next_fault();
    if (refuses(kind) && !(kind == CF_FULL && !(flags & O_CREAT))) return (int)refused(kind);
    rec_lock();
    int was_there = rec_exists(directory, path);
    int result = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (result >= 0 && (flags & O_TMPFILE) == O_TMPFILE) rec_unnamed(result);
    else if (result >= 0 && (flags & O_CREAT) && !was_there) rec_name(directory, path, REC_FILE);
    else if (result >= 0 && (flags & O_TRUNC)) rec_truncate(result, 0);
    rec_unlock();
    return (int)ended(kind, result);
}

#define MODE_OF(last) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, last); \
        mode = (mode_t)va_arg(rest, int); \
        va_end(rest); \
    }

int openat(int directory, const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(directory, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(AT_FDCWD, path, flags, mode);
}
