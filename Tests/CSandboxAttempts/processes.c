// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// A second process would write a second line; it ends at once.
static long forked(long result) {
    if (result == 0) _exit(0);
    return result;
}
static long fork_process(const ca_scene *s) { (void)s; return forked(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static long fork_third(const ca_scene *s) {
    struct clone_args how = {.exit_signal = SIGCHLD};
    (void)s;
    return forked(syscall(SYS_clone3, &how, sizeof how));
}
static long fork_namespace(const ca_scene *s) { (void)s; return forked(syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0)); }
// The other program writes the line that says it ran.
static long execute(const ca_scene *s) {
    char *const words[] = {"echo", "exec returned 0 errno 0", NULL}, *const environment[] = {NULL};
    (void)s;
    return syscall(SYS_execve, "/bin/echo", words, environment);
}
// Of a file that nobody may execute.
static long execute_at(const ca_scene *s) { (void)s; return syscall(SYS_execveat, 0, "", NULL, NULL, 0x1000); }
static long seize_parent(const ca_scene *s) { return syscall(SYS_ptrace, PTRACE_SEIZE, s->parent, 0, 0); }
static long be_traced(const ca_scene *s) { (void)s; return syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0); }

static long read_parent(const ca_scene *s) {
    char copy[sizeof ca_secret] = {0};
    struct iovec here = {copy, sizeof copy}, there = {ca_secret, sizeof ca_secret};
    long count = syscall(SYS_process_vm_readv, s->parent, &here, 1, &there, 1, 0);
    if (count >= 0 && strcmp(copy, "only the parent") != 0) {
        errno = EIO;
        return -1;
    }
    return count;
}
static long write_parent(const ca_scene *s) {
    char letter = 'o';
    struct iovec here = {&letter, 1}, there = {ca_secret, 1};
    return syscall(SYS_process_vm_writev, s->parent, &here, 1, &there, 1, 0);
}
// SIGCONT does nothing to a process that runs.
static long signal_parent(const ca_scene *s) { return syscall(SYS_kill, s->parent, SIGCONT); }
static long signal_thread(const ca_scene *s) { return syscall(SYS_tgkill, s->parent, s->parent, SIGCONT); }
static long queue_signal(const ca_scene *s) {
    siginfo_t details = {.si_code = SI_QUEUE};
    return syscall(SYS_rt_sigqueueinfo, s->parent, SIGCONT, &details);
}
static long open_process(const ca_scene *s) { return syscall(SYS_pidfd_open, s->parent, 0); }
static long signal_by_descriptor(const ca_scene *s) { (void)s; return syscall(SYS_pidfd_send_signal, -1, SIGCONT, NULL, 0); }
static long take_descriptor(const ca_scene *s) { (void)s; return syscall(SYS_pidfd_getfd, -1, 0, 0); }
static long advise_parent(const ca_scene *s) { (void)s; return syscall(SYS_process_madvise, -1, NULL, 0, 0, 0); }
static long compare(const ca_scene *s) { return syscall(SYS_kcmp, s->parent, s->parent, 0, 0, 0); }
static long lower_parent(const ca_scene *s) { return syscall(SYS_setpriority, PRIO_PROCESS, s->parent, 1); }
static long become_dumpable(const ca_scene *s) { (void)s; return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }
static long let_anyone_trace(const ca_scene *s) { (void)s; return syscall(SYS_prctl, PR_SET_PTRACER, -1L, 0, 0, 0); }
static long ask_filter(const ca_scene *s) { (void)s; return syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0); }
static long put_filter(const ca_scene *s) { (void)s; return syscall(SYS_seccomp, 1, 0, NULL); }

static long set_limit(pid_t process, int resource) {
    struct rlimit limit;
    if (syscall(SYS_prlimit64, process, resource, NULL, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    return syscall(SYS_prlimit64, process, resource, &limit, NULL);
}
static long raise_files(const ca_scene *s) { (void)s; return set_limit(0, RLIMIT_NOFILE); }
static long raise_memory(const ca_scene *s) { (void)s; return set_limit(0, RLIMIT_AS); }
static long raise_processes(const ca_scene *s) { (void)s; return set_limit(0, RLIMIT_NPROC); }
static long limit_parent(const ca_scene *s) { return set_limit(s->parent, RLIMIT_CPU); }
static long change_user(const ca_scene *s) { (void)s; return syscall(SYS_setresuid, -1, -1, -1); }
static long set_capabilities(const ca_scene *s) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    (void)s;
    return syscall(SYS_capset, &head, none);
}
static long change_personality(const ca_scene *s) { (void)s; return syscall(SYS_personality, 0xFFFFFFFFul); }
static long new_session(const ca_scene *s) { (void)s; return syscall(SYS_setsid); }
static long handle_signal(const ca_scene *s) { (void)s; return syscall(SYS_rt_sigaction, SIGUSR1, NULL, NULL, 8); }

const ca_attempt ca_process_attempts[] = {
    {"fork", fork_process, 1, 0}, {"clone3", fork_third, 0, 0}, {"clone-namespace", fork_namespace, 0, 0}, {"exec", execute, 1, 0},
    {"execveat", execute_at, 0, 'f'}, {"ptrace-parent", seize_parent, 0, 0}, {"ptrace-traceme", be_traced, 0, 0},
    {"read-parent", read_parent, 0, 0}, {"write-parent", write_parent, 0, 0}, {"kill-parent", signal_parent, 1, 0},
    {"tgkill-parent", signal_thread, 1, 0}, {"sigqueue-parent", queue_signal, 1, 0}, {"pidfd-open", open_process, 0, 0},
    {"pidfd-signal", signal_by_descriptor, 0, 0}, {"pidfd-getfd", take_descriptor, 0, 0}, {"process-madvise", advise_parent, 0, 0},
    {"kcmp", compare, 0, 0}, {"setpriority-parent", lower_parent, 1, 0}, {"prctl-dumpable", become_dumpable, 1, 0},
    {"prctl-ptracer", let_anyone_trace, 0, 0}, {"prctl-seccomp", ask_filter, 1, 0}, {"seccomp", put_filter, 0, 0},
    {"raise-files", raise_files, 1, 0}, {"raise-memory", raise_memory, 1, 0}, {"raise-processes", raise_processes, 1, 0},
    {"limit-parent", limit_parent, 1, 0}, {"setresuid", change_user, 1, 0}, {"capset", set_capabilities, 1, 0},
    {"personality", change_personality, 1, 0}, {"setsid", new_session, 1, 0}, {"sigaction", handle_signal, 1, 0}, {0},
};
