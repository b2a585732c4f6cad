// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSandboxAttempts.h"

#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

char ca_secret[16] = "only the parent";

static const ca_attempt *attempt_at(int index) {
    const ca_attempt *const lists[] = {ca_file_attempts, ca_descriptor_attempts, ca_process_attempts, ca_kernel_attempts};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        for (const ca_attempt *attempt = lists[list]; attempt->name != NULL; attempt++) {
            if (index-- == 0) return attempt;
        }
    }
    return NULL;
}

const char *ca_name(int index) {
    const ca_attempt *attempt = attempt_at(index);
    return attempt == NULL ? NULL : attempt->name;
}

int ca_succeeds_unconfined(int index) {
    const ca_attempt *attempt = attempt_at(index);
    return attempt != NULL && attempt->succeedsUnconfined;
}

static void say(const char *text) {
    if (write(STDOUT_FILENO, text, strlen(text)) < 0) _exit(70);
}

// An agent's socket as the vault has one: anyone with a socket may connect.
static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4) != 0) return -1;
    return listener;
}

static int send_descriptor(int socket, int descriptor) {
    char byte = 'x';
    struct iovec part = {&byte, 1};
    union { struct cmsghdr aligned; char bytes[CMSG_SPACE(sizeof(int))]; } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

static int make_input(const ca_attempt *attempt, const ca_scene *scene) {
    int ends[2], input = -1;
    switch (attempt->input) {
    case 0: return 0;
    case 'f': input = open(scene->file, O_RDWR); break;
    case 's': input = socket(AF_UNIX, SOCK_STREAM, 0); break;
    case 'p':
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || send_descriptor(ends[1], STDERR_FILENO) != 0) return -1;
        input = ends[0];
        break;
    }
    return input < 0 || dup2(input, STDIN_FILENO) != STDIN_FILENO ? -1 : 0;
}

static int set_scene(ca_scene *scene, const char *folder) {
    scene->parent = getpid();
    snprintf(scene->file, sizeof scene->file, "%s/file", folder);
    snprintf(scene->missing, sizeof scene->missing, "%s/missing", folder);
    snprintf(scene->socket, sizeof scene->socket, "%s/agent", folder);
    scene->held = open(scene->file, O_CREAT | O_RDWR | O_TRUNC, 0600);
    return scene->held < 0 || write(scene->held, "text", 4) != 4 || lseek(scene->held, 0, SEEK_SET) != 0 ? -1 : 0;
}

static void run_child(const ca_attempt *attempt, const ca_scene *scene, int (*confine)(void)) {
    char line[128];
    memset(ca_secret, 0, sizeof ca_secret);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (make_input(attempt, scene) != 0) {
        snprintf(line, sizeof line, "%s without a scene\n", attempt->name);
    } else if (confine != NULL && confine() != 0) {
        snprintf(line, sizeof line, "%s not confined\n", attempt->name);
    } else {
        errno = 0;
        long result = attempt->run(scene);
        snprintf(line, sizeof line, "%s returned %ld errno %d\n", attempt->name, result, result == -1 ? errno : 0);
    }
    say(line);
    _exit(0);
}

int ca_try(int index, const char *folder, int (*confine)(void)) {
    const ca_attempt *attempt = attempt_at(index);
    ca_scene scene;
    if (attempt == NULL || set_scene(&scene, folder) != 0) return -1;
    int listener = listen_at(scene.socket);
    if (listener < 0) return -1;
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) run_child(attempt, &scene, confine);
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    close(listener);
    close(scene.held);
    if (WIFSIGNALED(status)) {
        char line[128];
        snprintf(line, sizeof line, "%s signal %d\n", attempt->name, WTERMSIG(status));
        say(line);
    }
    return 0;
}
