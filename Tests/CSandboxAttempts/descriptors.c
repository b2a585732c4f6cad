// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "attempts.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static long copy(const ca_scene *s) { (void)s; return syscall(SYS_dup, 0); }
static long copy_over(const ca_scene *s) { (void)s; return syscall(SYS_dup3, 0, 9, 0); }
static long copy_by_fcntl(const ca_scene *s) { (void)s; return syscall(SYS_fcntl, 0, F_DUPFD, 3); }
static long set_flags(const ca_scene *s) { (void)s; return syscall(SYS_fcntl, 0, F_SETFL, O_NONBLOCK); }
static long close_input(const ca_scene *s) { (void)s; return syscall(SYS_close, 0); }
// The descriptor is closed by then as well; the filter does not even let that be found out.
static long read_held(const ca_scene *s) {
    char byte;
    return syscall(SYS_read, s->held, &byte, 1);
}
static long write_held(const ca_scene *s) { return syscall(SYS_write, s->held, "x", 1); }
static long write_input(const ca_scene *s) { (void)s; return syscall(SYS_write, 0, "x", 1); }
static long read_at(const ca_scene *s) {
    char byte;
    (void)s;
    return syscall(SYS_pread64, 0, &byte, 1, 0);
}
static long map_input(const ca_scene *s) { (void)s; return (long)syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 0); }
static long send_file(const ca_scene *s) { (void)s; return syscall(SYS_sendfile, 1, 0, NULL, 0); }
static long splice_input(const ca_scene *s) { (void)s; return syscall(SYS_splice, 0, NULL, 1, NULL, 0, 0); }
static long look_at_input(const ca_scene *s) {
    char details[512];
    (void)s;
    return syscall(SYS_newfstatat, 0, "", details, AT_EMPTY_PATH);
}
static long cut_input(const ca_scene *s) { (void)s; return syscall(SYS_ftruncate, 0, 0); }
static long change_input_mode(const ca_scene *s) { (void)s; return syscall(SYS_fchmod, 0, 0600); }
static long fake_typing(const ca_scene *s) { (void)s; return syscall(SYS_ioctl, 0, TIOCSTI, "x"); }
static long ask_terminal(const ca_scene *s) {
    int count;
    (void)s;
    return syscall(SYS_ioctl, 1, FIONREAD, &count);
}
static long make_pipe(const ca_scene *s) {
    int ends[2];
    (void)s;
    return syscall(SYS_pipe2, ends, 0);
}
static long make_event(const ca_scene *s) { (void)s; return syscall(SYS_eventfd2, 0, 0); }
static long make_poll(const ca_scene *s) { (void)s; return syscall(SYS_epoll_create1, 0); }
static long make_timer(const ca_scene *s) { (void)s; return syscall(SYS_timerfd_create, 1, 0); }

static long socket_of(int family, int type) { return syscall(SYS_socket, family, type, 0); }
static long inet(const ca_scene *s) { (void)s; return socket_of(AF_INET, SOCK_STREAM); }
static long inet6(const ca_scene *s) { (void)s; return socket_of(AF_INET6, SOCK_DGRAM); }
static long mptcp(const ca_scene *s) { (void)s; return syscall(SYS_socket, AF_INET, SOCK_STREAM, 262); }
static long unix_socket(const ca_scene *s) { (void)s; return socket_of(AF_UNIX, SOCK_STREAM); }
static long netlink(const ca_scene *s) { (void)s; return socket_of(AF_NETLINK, SOCK_RAW); }
static long vsock(const ca_scene *s) { (void)s; return socket_of(40, SOCK_STREAM); }
static long pair(const ca_scene *s) {
    int ends[2];
    (void)s;
    return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
}
static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}
static long connect_agent(const ca_scene *s) {
    struct sockaddr_un to = address(s->socket);
    return syscall(SYS_connect, 0, &to, sizeof to);
}
static long bind_socket(const ca_scene *s) {
    struct sockaddr_un to = address(s->missing);
    return syscall(SYS_bind, 0, &to, sizeof to);
}
static long send_to_agent(const ca_scene *s) {
    struct sockaddr_un to = address(s->socket);
    return syscall(SYS_sendto, 0, "x", 1, MSG_NOSIGNAL, &to, sizeof to);
}
/* MSG_FASTOPEN connects without connect(2). */
static long send_fast_open(const ca_scene *s) {
    struct sockaddr_un to = address(s->socket);
    return syscall(SYS_sendto, 0, "x", 1, MSG_NOSIGNAL | MSG_FASTOPEN, &to, sizeof to);
}
static long message_fast_open(const ca_scene *s) {
    struct sockaddr_un to = address(s->socket);
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &part, .msg_iovlen = 1};
    return syscall(SYS_sendmsg, 0, &message, MSG_NOSIGNAL | MSG_FASTOPEN);
}
static long receive_descriptor(const ca_scene *s) {
    char byte, control[64];
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    (void)s;
    return syscall(SYS_recvmsg, 0, &message, 0);
}

const ca_attempt ca_descriptor_attempts[] = {
    {"dup", copy, 1, 0}, {"dup3", copy_over, 1, 0}, {"fcntl-dupfd", copy_by_fcntl, 1, 0}, {"fcntl-setfl", set_flags, 1, 0},
    {"close-input", close_input, 1, 0}, {"read-held", read_held, 1, 0}, {"write-held", write_held, 1, 0}, {"write-input", write_input, 1, 'f'},
    {"pread-input", read_at, 1, 'f'}, {"mmap-input", map_input, 1, 'f'}, {"sendfile", send_file, 0, 'f'}, {"splice", splice_input, 0, 'f'},
    {"fstat-input", look_at_input, 1, 'f'}, {"ftruncate-input", cut_input, 1, 'f'}, {"fchmod-input", change_input_mode, 1, 'f'},
    {"ioctl-tiocsti", fake_typing, 0, 0}, {"ioctl-fionread", ask_terminal, 0, 0}, {"pipe", make_pipe, 1, 0}, {"eventfd", make_event, 1, 0},
    {"epoll", make_poll, 1, 0}, {"timerfd", make_timer, 1, 0}, {"socket-inet", inet, 0, 0}, {"socket-inet6", inet6, 0, 0},
    {"socket-mptcp", mptcp, 0, 0}, {"socket-unix", unix_socket, 1, 0}, {"socket-netlink", netlink, 0, 0}, {"socket-vsock", vsock, 0, 0}, {"socketpair", pair, 1, 0},
    {"connect-agent", connect_agent, 1, 's'}, {"bind", bind_socket, 1, 's'}, {"send-to-agent", send_to_agent, 0, 's'},
    {"send-fast-open", send_fast_open, 0, 's'}, {"message-fast-open", message_fast_open, 0, 's'},
    {"receive-descriptor", receive_descriptor, 1, 'p'}, {0},
};
