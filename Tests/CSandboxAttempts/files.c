// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "attempts.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long open_with(const char *path, int flags) { return syscall(SYS_openat, AT_FDCWD, path, flags, 0600); }

static long open_read(const ca_scene *s) { return open_with(s->file, O_RDONLY); }
static long open_write(const ca_scene *s) { return open_with(s->file, O_WRONLY); }
static long open_new(const ca_scene *s) { return open_with(s->missing, O_CREAT | O_WRONLY); }
static long open_tmpfile(const ca_scene *s) { (void)s; return open_with("/tmp", O_TMPFILE | O_RDWR); }
static long open_path(const ca_scene *s) { return open_with(s->file, O_PATH); }
static long open_own_memory(const ca_scene *s) { (void)s; return open_with("/proc/self/mem", O_RDWR); }
static long reopen_output(const ca_scene *s) { (void)s; return open_with("/proc/self/fd/1", O_WRONLY); }
static long open_terminal(const ca_scene *s) { (void)s; return open_with("/dev/tty", O_RDWR); }
static long open_parent_memory(const ca_scene *s) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", s->parent);
    return open_with(path, O_RDONLY);
}
static long open_second(const ca_scene *s) {
    struct open_how how = {.flags = O_RDONLY};
    return syscall(SYS_openat2, AT_FDCWD, s->file, &how, sizeof how);
}
static long make_memfd(const ca_scene *s) { (void)s; return syscall(SYS_memfd_create, "x", 0); }
static long make_secret_memory(const ca_scene *s) { (void)s; return syscall(SYS_memfd_secret, 0); }
static long look_at(const ca_scene *s) {
    struct stat details;
    return syscall(SYS_newfstatat, AT_FDCWD, s->file, &details, 0);
}
static long look_at_more(const ca_scene *s) {
    struct statx details;
    return syscall(SYS_statx, AT_FDCWD, s->file, 0, STATX_BASIC_STATS, &details);
}
static long ask_access(const ca_scene *s) { return syscall(SYS_faccessat, AT_FDCWD, s->file, R_OK); }
static long read_link(const ca_scene *s) {
    char target[64];
    (void)s;
    return syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", target, sizeof target);
}
static long remove_file(const ca_scene *s) { return syscall(SYS_unlinkat, AT_FDCWD, s->file, 0); }
static long rename_file(const ca_scene *s) { return syscall(SYS_renameat2, AT_FDCWD, s->file, AT_FDCWD, s->missing, 0); }
static long link_file(const ca_scene *s) { return syscall(SYS_linkat, AT_FDCWD, s->file, AT_FDCWD, s->missing, 0); }
static long link_symbolically(const ca_scene *s) { return syscall(SYS_symlinkat, s->file, AT_FDCWD, s->missing); }
static long make_folder(const ca_scene *s) { return syscall(SYS_mkdirat, AT_FDCWD, s->missing, 0700); }
static long make_fifo(const ca_scene *s) { return syscall(SYS_mknodat, AT_FDCWD, s->missing, S_IFIFO | 0600, 0); }
static long change_mode(const ca_scene *s) { return syscall(SYS_fchmodat, AT_FDCWD, s->file, 0777); }
static long change_owner(const ca_scene *s) { return syscall(SYS_fchownat, AT_FDCWD, s->file, getuid(), -1, 0); }
static long cut_file(const ca_scene *s) { return syscall(SYS_truncate, s->file, 0); }
static long set_times(const ca_scene *s) { return syscall(SYS_utimensat, AT_FDCWD, s->file, NULL, 0); }
static long set_attribute(const ca_scene *s) { return syscall(SYS_setxattr, s->file, "user.x", "y", 1, 0); }
static long change_folder(const ca_scene *s) { (void)s; return syscall(SYS_chdir, "/"); }
static long change_root(const ca_scene *s) { (void)s; return syscall(SYS_chroot, "/"); }
static long watch_files(const ca_scene *s) { (void)s; return syscall(SYS_inotify_init1, 0); }
static long name_handle(const ca_scene *s) { return syscall(SYS_name_to_handle_at, AT_FDCWD, s->file, NULL, NULL, 0); }
static long open_handle(const ca_scene *s) { (void)s; return syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY); }

const ca_attempt ca_file_attempts[] = {
    {"open-read", open_read, 1, 0}, {"open-write", open_write, 1, 0}, {"open-new", open_new, 1, 0}, {"open-tmpfile", open_tmpfile, 0, 0},
    {"open-path", open_path, 1, 0}, {"open-own-memory", open_own_memory, 1, 0}, {"reopen-output", reopen_output, 0, 0},
    {"open-terminal", open_terminal, 0, 0}, {"open-parent-memory", open_parent_memory, 0, 0}, {"openat2", open_second, 1, 0},
    {"memfd", make_memfd, 1, 0}, {"memfd-secret", make_secret_memory, 0, 0}, {"stat", look_at, 1, 0}, {"statx", look_at_more, 1, 0},
    {"access", ask_access, 1, 0}, {"readlink", read_link, 1, 0}, {"unlink", remove_file, 1, 0}, {"rename", rename_file, 1, 0},
    {"link", link_file, 1, 0}, {"symlink", link_symbolically, 1, 0}, {"mkdir", make_folder, 1, 0}, {"mkfifo", make_fifo, 1, 0},
    {"chmod", change_mode, 1, 0}, {"chown", change_owner, 1, 0}, {"truncate", cut_file, 1, 0}, {"utimens", set_times, 1, 0},
    {"setxattr", set_attribute, 0, 0}, {"chdir", change_folder, 1, 0}, {"chroot", change_root, 0, 0}, {"inotify", watch_files, 1, 0},
    {"name-to-handle", name_handle, 0, 0}, {"open-by-handle", open_handle, 0, 0}, {0},
};
