// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { established = 1 };

int vs_diagnosis_socket(void) {
    int diagnosis = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (diagnosis < 0) return -1;
    // The kernel answers within the call; one that does not must not keep the server.
    struct timeval limit = {.tv_sec = 1};
    if (setsockopt(diagnosis, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0) return diagnosis;
    close(diagnosis);
    return -1;
}

// One question for one connection, by its exact four numbers; no list is asked for.
static int ask(int diagnosis, uint32_t number, const struct sockaddr_in *peer, const struct sockaddr_in *own) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = number},
        .request = {.sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = 1 << established},
    };
    question.request.id.idiag_sport = peer->sin_port;
    question.request.id.idiag_dport = own->sin_port;
    question.request.id.idiag_src[0] = peer->sin_addr.s_addr;
    question.request.id.idiag_dst[0] = own->sin_addr.s_addr;
    question.request.id.idiag_cookie[0] = question.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent = sendto(diagnosis, &question, sizeof question, 0, (struct sockaddr *)&kernel, sizeof kernel);
    return sent == sizeof question ? 0 : -1;
}

int vs_peer_user(int diagnosis, const void *peer_end, const void *own_end, uid_t *uid) {
    const struct sockaddr_in *peer = peer_end, *own = own_end;
    if (peer->sin_family != AF_INET || own->sin_family != AF_INET) return -1;
    static uint32_t last;
    uint32_t number = ++last;
    if (ask(diagnosis, number, peer, own) != 0) return -1;
    // Answers to questions that were given up may still lie in front.
    for (int looks = 0; looks < 8; looks++) {
        union {
            struct nlmsghdr header;
            char bytes[4096];
        } answer;
        struct sockaddr_nl from = {0};
        socklen_t size = sizeof from;
        ssize_t got = recvfrom(diagnosis, &answer, sizeof answer, 0, (struct sockaddr *)&from, &size);
        if (got < 0 && errno == EINTR) continue;
        if (got < (ssize_t)sizeof answer.header || from.nl_pid != 0) return -1;
        if (answer.header.nlmsg_seq != number) continue;
        if (answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || (size_t)got < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) return -1;
        struct inet_diag_msg found;
        memcpy(&found, NLMSG_DATA(&answer.header), sizeof found);
        if (found.idiag_family != AF_INET || found.idiag_state != established || found.id.idiag_sport != peer->sin_port ||
            found.id.idiag_dport != own->sin_port || found.id.idiag_src[0] != peer->sin_addr.s_addr || found.id.idiag_dst[0] != own->sin_addr.s_addr)
            return -1;
        *uid = found.idiag_uid;
        return 0;
    }
    return -1;
}
