// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

int vs_no_new_privs(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
int vs_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
int vs_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

int vs_random(void *buffer, size_t byteCount) {
    unsigned char *cursor = buffer;
    while (byteCount > 0) {
        ssize_t got = getrandom(cursor, byteCount, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        cursor += got;
        byteCount -= (size_t)got;
    }
    return 0;
}

// Frames that have returned lie below this one's; what they held is overwritten.
__attribute__((noinline)) void vs_wipe_stack(void) {
    char below[384 << 10];
    explicit_bzero(below, sizeof below);
}

void vs_wipe(void *buffer, size_t byteCount) { explicit_bzero(buffer, byteCount); }

void *vs_secret_map(size_t byteCount, int *locked) {
    void *pages = mmap(NULL, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    *locked = mlock(pages, byteCount) == 0;
    // A core file or a forked child must not carry the secret; kernels without these flags refuse harmlessly.
    madvise(pages, byteCount, MADV_DONTDUMP);
    madvise(pages, byteCount, MADV_WIPEONFORK);
    return pages;
}

void vs_secret_unmap(void *pages, size_t byteCount) {
    explicit_bzero(pages, byteCount);
    munmap(pages, byteCount);
}

int vs_peer(int socket, pid_t *pid, uid_t *uid) {
    struct ucred credentials;
    socklen_t byteCount = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &byteCount) != 0) return -1;
    if (byteCount != sizeof credentials) { errno = EPROTO; return -1; }
    *pid = credentials.pid;
    *uid = credentials.uid;
    return 0;
}

// The child must begin with default signals: a handler or an ignored SIGPIPE inherited from a caller changes behaviour.
static void set_clean_signals(posix_spawnattr_t *attributes, short flags) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

static int spawn(const char *path, char *const argv[], char *const envp[],
                 posix_spawn_file_actions_t *actions, short flags, pid_t *pid) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    set_clean_signals(&attributes, flags);
    int failure = posix_spawn(pid, path, actions, &attributes, argv, envp);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(actions);
    if (failure != 0) { errno = failure; return -1; }
    return 0;
}

int vs_spawn_agent(const char *path, char *const argv[], char *const envp[], int channel, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel, 3);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    return spawn(path, argv, envp, &actions, POSIX_SPAWN_SETSID, pid);
}

int vs_spawn_server(const char *path, char *const argv[], char *const envp[], const int *passed, int count, pid_t *pid) {
    int moved[8];
    if (count > 8) { errno = EINVAL; return -1; }
    // Above the numbers that they get: none may be overwritten before it has moved.
    for (int i = 0; i < count; i++) moved[i] = fcntl(passed[i], F_DUPFD_CLOEXEC, 3 + count);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < count; i++) posix_spawn_file_actions_adddup2(&actions, moved[i], 3 + i);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3 + count);
    int result = spawn(path, argv, envp, &actions, 0, pid);
    int reason = errno;
    for (int i = 0; i < count; i++) if (moved[i] >= 0) close(moved[i]);
    errno = reason;
    return result;
}

int vs_spawn_filter(const char *path, char *const argv[], char *const envp[], int input, int output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    return spawn(path, argv, envp, &actions, 0, pid);
}

int vs_spawn_opener(const char *path, char *const argv[], char *const envp[], int input, int output, int held, pid_t *pid) {
    // The numbers below 4 are taken one after the other: none of the three may be overwritten before it has moved.
    if (input < 4 || output < 4 || held < 4) {
        int moved[3] = { fcntl(input, F_DUPFD_CLOEXEC, 4), fcntl(output, F_DUPFD_CLOEXEC, 4), fcntl(held, F_DUPFD_CLOEXEC, 4) };
        int result = -1;
        if (moved[0] >= 0 && moved[1] >= 0 && moved[2] >= 0) {
            result = vs_spawn_opener(path, argv, envp, moved[0], moved[1], moved[2], pid);
        }
        int reason = errno;
        for (int i = 0; i < 3; i++) if (moved[i] >= 0) close(moved[i]);
        errno = reason;
        return result;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, held, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    return spawn(path, argv, envp, &actions, 0, pid);
}

int vs_spawn_apart(const char *path, char *const argv[], char *const envp[], int input, int output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    return spawn(path, argv, envp, &actions, POSIX_SPAWN_SETSID, pid);
}

int vs_open_at(int directory, const char *name, int flags, mode_t mode) {
    return openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
}

int vs_rename_new(const char *from, const char *to) {
    if (vs_rename_new_at(AT_FDCWD, from, to) != 0) return -1;
    char above[4096];
    if (strlen(to) >= sizeof above) { errno = ENAMETOOLONG; return -1; }
    strcpy(above, to);
    int directory = open(dirname(above), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return -1;
    int result = fsync(directory);
    close(directory);
    return result;
}

int vs_rename_new_at(int directory, const char *from, const char *to) {
    if (renameat2(directory, from, directory, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
    // A file system without that flag (NFS, most of FUSE). A file gets a second name, which replaces nothing, and loses
    // the first one. A new empty directory takes the name, and renaming replaces only an empty one.
    struct stat status;
    if (fstatat(directory, from, &status, AT_SYMLINK_NOFOLLOW) != 0) return -1;
    if (!S_ISDIR(status.st_mode)) {
        if (linkat(directory, from, directory, to, 0) == 0) return unlinkat(directory, from, 0);
        if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
        // Without second names: an empty file of ours takes the name first.
        int place = openat(directory, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (place < 0) return -1;
        close(place);
        return renameat(directory, from, directory, to);
    }
    if (mkdirat(directory, to, 0700) != 0) return -1;
    if (renameat(directory, from, directory, to) == 0) return 0;
    int reason = errno;
    unlinkat(directory, to, AT_REMOVEDIR);
    // Some (sshfs) replace not even an empty folder. Renaming a folder replaces nothing that holds anything.
    if ((reason == EEXIST || reason == ENOTEMPTY || reason == EPERM || reason == EIO) &&
        renameat(directory, from, directory, to) == 0)
        return 0;
    errno = reason;
    return -1;
}

int vs_signal_descriptor(void) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGINT);
    if (sigprocmask(SIG_BLOCK, &ends, NULL) != 0) return -1;
    return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

void vs_default_fatal_signals(void) {
    const int fatal[] = {SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE};
    for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) signal(fatal[index], SIG_DFL);
}

int vs_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int64_t vs_file_system_type(int descriptor) {
    struct statfs details;
    return fstatfs(descriptor, &details) == 0 ? (int64_t)details.f_type : -1;
}

int vs_spawn_editor(const char *path, char *const argv[], char *const envp[], int held, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // Duplicated, also onto itself, a descriptor loses its close-on-exec flag.
    if (held > 2) posix_spawn_file_actions_adddup2(&actions, held, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions, held > 2 ? 4 : 3);
    return spawn(path, argv, envp, &actions, 0, pid);
}

int vs_process_descriptor(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int vs_watch_folder(const char *path) {
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch < 0) return -1;
    const uint32_t events = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW;
    if (inotify_add_watch(watch, path, events) < 0) {
        close(watch);
        return -1;
    }
    return watch;
}

int vs_watch_events(int watch, const char *name) {
    _Alignas(struct inotify_event) char buffer[4096];
    int state = 0;
    for (;;) {
        ssize_t got = read(watch, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return state;
        for (const char *at = buffer; at < buffer + got;) {
            const struct inotify_event *event = (const void *)at;
            // After too many events nobody knows what happened: the file is looked at.
            if (event->mask & IN_Q_OVERFLOW) state = 2;
            else if (event->len > 0 && strcmp(event->name, name) == 0) state = event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO) ? 2 : 1;
            at += sizeof *event + event->len;
        }
    }
}

pid_t vs_start_pump(int from, int to, int unused) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    // Nothing but system calls from here on: the other threads, and their locks, are not here.
    if (dup2(from, 0) < 0 || dup2(to, 1) < 0) _exit(EBADF);
    from = 0;
    to = 1;
    (void)unused;
    closefrom(3);
    static char buffer[65536];
    for (;;) {
        ssize_t got = read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, buffer + done, (size_t)(got - done));
            if (put < 0 && errno == EINTR) continue;
            // The reason, for who waits: with a small text nobody else hears of it.
            if (put <= 0) _exit(put < 0 && errno > 0 && errno < 256 ? errno : EIO);
            done += put;
        }
    }
    explicit_bzero(buffer, sizeof buffer);
    _exit(0);
}

int vs_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int vs_end_signal_descriptor(void) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &ends, NULL) != 0) return -1;
    return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

int vs_take_signal(int descriptor) {
    struct signalfd_siginfo details;
    return read(descriptor, &details, sizeof details) == sizeof details ? (int)details.ssi_signo : 0;
}

void vs_default_quit(void) {
    struct sigaction now;
    if (sigaction(SIGQUIT, NULL, &now) == 0 && now.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
}
