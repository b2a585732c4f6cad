// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "attempts.h"

#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static long map_with(int protection) {
    return (long)syscall(SYS_mmap, NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static long map_executable(const ca_scene *s) { (void)s; return map_with(PROT_READ | PROT_EXEC); }
static long map_everything(const ca_scene *s) { (void)s; return map_with(PROT_READ | PROT_WRITE | PROT_EXEC); }
static long make_executable(const ca_scene *s) {
    long page = map_with(PROT_READ | PROT_WRITE);
    (void)s;
    return page == -1 ? -1 : syscall(SYS_mprotect, page, 4096, PROT_READ | PROT_EXEC);
}
static long make_executable_by_key(const ca_scene *s) {
    long page = map_with(PROT_READ | PROT_WRITE);
    (void)s;
    return page == -1 ? -1 : syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1);
}
static long share_memory(const ca_scene *s) { (void)s; return syscall(SYS_shmget, IPC_PRIVATE, 0, 0); }
static long share_queue(const ca_scene *s) { (void)s; return syscall(SYS_msgget, 1, 0); }
static long open_queue(const ca_scene *s) { (void)s; return syscall(SYS_mq_open, "x", 0, 0, 0); }
static long make_ring(const ca_scene *s) {
    struct io_uring_params how = {0};
    (void)s;
    return syscall(SYS_io_uring_setup, 1, &how);
}
static long enter_ring(const ca_scene *s) { (void)s; return syscall(SYS_io_uring_enter, -1, 0, 0, 0, 0, 0); }
static long aio(const ca_scene *s) {
    unsigned long context = 0;
    (void)s;
    return syscall(SYS_io_setup, 1, &context);
}
static long find_keyring(const ca_scene *s) { (void)s; return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0); }
static long request_key(const ca_scene *s) { (void)s; return syscall(SYS_request_key, "user", "vault-no-such-key", NULL, 0); }
static long add_key(const ca_scene *s) { (void)s; return syscall(SYS_add_key, "user", "vault-test", "x", 1, KEY_SPEC_PROCESS_KEYRING); }
static long load_program(const ca_scene *s) {
    union bpf_attr how = {0};
    (void)s;
    return syscall(SYS_bpf, BPF_MAP_CREATE, &how, sizeof how);
}
static long count_events(const ca_scene *s) {
    struct perf_event_attr how = {.size = sizeof how, .exclude_kernel = 1};
    (void)s;
    return syscall(SYS_perf_event_open, &how, 0, -1, -1, 0);
}
static long fault_handler(const ca_scene *s) { (void)s; return syscall(SYS_userfaultfd, 0); }
static long enter_namespace(const ca_scene *s) { (void)s; return syscall(SYS_setns, -1, 0); }
static long leave_namespace(const ca_scene *s) { (void)s; return syscall(SYS_unshare, CLONE_NEWUSER); }
// Onto a folder that is not there: also a privileged process mounts nothing.
static long mount_system(const ca_scene *s) { return syscall(SYS_mount, "none", s->missing, "tmpfs", 0, NULL); }
static long unmount(const ca_scene *s) { return syscall(SYS_umount2, s->missing, 0); }
static long turn_root(const ca_scene *s) { return syscall(SYS_pivot_root, s->missing, s->missing); }
static long open_mounts(const ca_scene *s) { (void)s; return syscall(SYS_fsopen, "no-such-system", 0); }
static long load_module(const ca_scene *s) { (void)s; return syscall(SYS_init_module, NULL, 0, NULL); }
static long confine_otherwise(const ca_scene *s) { (void)s; return syscall(SYS_landlock_create_ruleset, NULL, 0, 1); }
static long name_system(const ca_scene *s) {
    struct utsname name;
    (void)s;
    return syscall(SYS_uname, &name);
}
static long who_am_i(const ca_scene *s) { (void)s; return syscall(SYS_getuid); }
static long unknown_call(const ca_scene *s) { (void)s; return syscall(4000); }
#ifdef __x86_64__
// The table for 32-bit pointers: there number 39 is getpid as well.
static long other_table(const ca_scene *s) { (void)s; return syscall(0x40000000 | 39); }
#endif

const ca_attempt ca_kernel_attempts[] = {
    {"mmap-exec", map_executable, 1, 0}, {"mmap-write-exec", map_everything, 0, 0}, {"mprotect-exec", make_executable, 0, 0},
    {"pkey-mprotect-exec", make_executable_by_key, 0, 0}, {"shmget", share_memory, 0, 0}, {"msgget", share_queue, 0, 0},
    {"mq-open", open_queue, 0, 0}, {"io-uring-setup", make_ring, 0, 0}, {"io-uring-enter", enter_ring, 0, 0}, {"aio", aio, 0, 0},
    {"keyctl", find_keyring, 0, 0}, {"request-key", request_key, 0, 0}, {"add-key", add_key, 0, 0}, {"bpf", load_program, 0, 0},
    {"perf-event", count_events, 0, 0}, {"userfaultfd", fault_handler, 0, 0}, {"setns", enter_namespace, 0, 0},
    {"unshare", leave_namespace, 0, 0}, {"mount", mount_system, 0, 0}, {"umount", unmount, 0, 0}, {"pivot-root", turn_root, 0, 0},
    {"fsopen", open_mounts, 0, 0}, {"init-module", load_module, 0, 0}, {"landlock", confine_otherwise, 0, 0}, {"uname", name_system, 1, 0},
    {"getuid", who_am_i, 1, 0}, {"unknown-call", unknown_call, 0, 0},
#ifdef __x86_64__
    {"x32-getpid", other_table, 0, 0},
#endif
    {0},
};
