// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// From linux/landlock.h of Linux 6.12; the numbers of the calls are the same on every architecture. What a kernel does not know is left out, by the
// version it names.
struct rules { uint64_t files, network, scopes; };
struct beneath { uint64_t allowed; int32_t folder; } __attribute__((packed));
struct to_port { uint64_t allowed, port; };
enum { create_rules = 444, add_rule = 445, restrict_self = 446, ask_version = 1, path_beneath = 1, net_port = 2 };

static const uint64_t execute_file = 1 << 0, read_file = 1 << 2, read_folder = 1 << 3, write_file = 1 << 1, make_folder = 1 << 7, make_file = 1 << 8, remove_file = 1 << 5,
                      cut_file = 1 << 14, connect_tcp = 1 << 1;

int vs_landlock_version(void) { return (int)syscall(create_rules, NULL, 0, ask_version); }

// All that the kernel can forbid: files (13 kinds, then moving between folders, cutting, device calls), TCP, signals and abstract sockets of others.
static int make_rules_of(int version, int withNetwork, int withSignals) {
    struct rules rules = {.files = (1 << 13) - 1};
    if (version >= 2) rules.files |= 1 << 13;
    if (version >= 3) rules.files |= 1 << 14;
    if (version >= 5) rules.files |= 1 << 15;
    if (version >= 4 && withNetwork) rules.network = 3;
    if (version >= 6) rules.scopes = withSignals ? 3 : 1;
    size_t known = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    return (int)syscall(create_rules, &rules, known, 0);
}

static int make_rules(int version) { return make_rules_of(version, 1, 1); }

static int allow(int rules, int folder, uint64_t access) {
    struct beneath beneath = {.allowed = access, .folder = folder};
    return (int)syscall(add_rule, rules, path_beneath, &beneath, 0);
}

// One that is not there needs no rule.
static int allow_reading(int rules, const char *const *folders) {
    for (; *folders != NULL; folders++) {
        int folder = open(*folders, O_PATH | O_CLOEXEC);
        if (folder < 0) continue;
        int result = allow(rules, folder, read_file | read_folder);
        close(folder);
        if (result != 0) return -1;
    }
    return 0;
}

static int enforce(int rules, int result) {
    if (result == 0) result = (int)syscall(restrict_self, rules, 0);
    close(rules);
    return result;
}

int vs_landlock_folder(int folder) {
    int version = vs_landlock_version();
    if (version < 1) return -1;
    int rules = make_rules(version);
    if (rules < 0) return -1;
    uint64_t access = read_file | read_folder | write_file | make_folder | make_file | remove_file;
    return enforce(rules, allow(rules, folder, version >= 3 ? access | cut_file : access));
}

int vs_landlock_network(const char *const *folders, const uint16_t *ports, size_t count) {
    int version = vs_landlock_version();
    if (version < 1) return -1;
    int rules = make_rules(version);
    if (rules < 0) return -1;
    int result = allow_reading(rules, folders);
    for (size_t index = 0; version >= 4 && result == 0 && index < count; index++) {
        struct to_port port = {.allowed = connect_tcp, .port = ports[index]};
        result = (int)syscall(add_rule, rules, net_port, &port, 0);
    }
    return enforce(rules, result);
}

int vs_end_with_parent(int parent) { return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent ? 0 : -1; }

int vs_landlock_program(int program, const char *const *folders) {
    int version = vs_landlock_version();
    if (version < 1) return -1;
    int rules = make_rules_of(version, 0, 1);
    if (rules < 0) return -1;
    int result = allow_reading(rules, folders);
    return enforce(rules, result != 0 ? result : allow(rules, program, execute_file | read_file));
}

// With the right to signal others, by which the kernel ends who was started to end with this process.
int vs_landlock_kin(void) {
    int version = vs_landlock_version();
    if (version < 1) return -1;
    int rules = make_rules_of(version, 1, 0);
    return rules < 0 ? -1 : enforce(rules, 0);
}

int vs_landlock_nothing(void) {
    int version = vs_landlock_version();
    if (version < 1) return -1;
    int rules = make_rules(version);
    return rules < 0 ? -1 : enforce(rules, 0);
}
