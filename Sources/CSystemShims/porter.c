// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// A path leads through the descriptor, so the file itself may be gone.
static int connect_through(int file) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", file);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) return -1;
    if (connect(made, (struct sockaddr *)&address, sizeof address) == 0) return made;
    close(made);
    return -1;
}

static int pass(int control, int made) {
    char byte = 1;
    union { char space[CMSG_SPACE(sizeof(int))]; struct cmsghdr aligned; } held;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (made >= 0) {
        message.msg_control = held.space;
        message.msg_controllen = sizeof held.space;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof made);
        memcpy(CMSG_DATA(head), &made, sizeof made);
    }
    return sendmsg(control, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static void serve(int control, int file) {
    char byte;
    while (recv(control, &byte, 1, 0) == 1) {
        int made = connect_through(file), passed = pass(control, made);
        if (made >= 0) close(made);
        if (passed != 0) break;
    }
}

int vs_start_porter(int socketFile, int *control) {
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        // Two numbers are kept, above the streams.
        int kept = dup2(socketFile, 0) == 0 && dup2(ends[1], 1) == 1;
        closefrom(2);
        if (kept && vs_no_new_privs() == 0 && vs_not_dumpable() == 0 && vs_end_with_parent(parent) == 0) serve(1, 0);
        _exit(0);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return -1;
    }
    // Who asks waits for no more than a moment: a porter that is stuck must not hold up all that goes on.
    struct timeval wait = {.tv_sec = 5};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    *control = ends[0];
    return 0;
}
