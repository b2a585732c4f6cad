// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t vs_send_with_descriptor(int socket, const void *bytes, size_t byteCount, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = byteCount};
    union { struct cmsghdr aligned; char bytes[CMSG_SPACE(sizeof(int))]; } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Every descriptor that arrives is either handed over or closed, also those that are too many or of a message that was cut.
ssize_t vs_receive_with_descriptors(int socket, void *buffer, size_t byteCount, int descriptors[2], int *count) {
    struct iovec part = {.iov_base = buffer, .iov_len = byteCount};
    // Room for more than we take, so that what is too much is seen and closed.
    union { struct cmsghdr aligned; char bytes[CMSG_SPACE(16 * sizeof(int))]; } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *count = 0;
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) return got;
    int surplus = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < number; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (*count < 2) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
                surplus = 1;
            }
        }
    }
    if (!surplus) return got;
    for (int index = 0; index < *count; index++) close(descriptors[index]);
    *count = 0;
    errno = EBADMSG;
    return -1;
}

ssize_t vs_read_now(int descriptor, void *buffer, size_t byteCount) {
    struct iovec part = {.iov_base = buffer, .iov_len = byteCount};
    ssize_t got = preadv2(descriptor, &part, 1, -1, RWF_NOWAIT);
    if (got >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return got;
    return read(descriptor, buffer, byteCount);
}

ssize_t vs_write_now(int descriptor, const void *bytes, size_t byteCount) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = byteCount};
    ssize_t put = pwritev2(descriptor, &part, 1, -1, RWF_NOWAIT);
    if (put >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return put;
    // A pipe that poll(2) calls writable has room for one page.
    return write(descriptor, bytes, byteCount < 4096 ? byteCount : 4096);
}

int vs_memory_file(void) { return memfd_create("vault", MFD_CLOEXEC); }

int vs_lay_room(int descriptor, off_t start, off_t byteCount) {
    int laid;
    do laid = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, start, byteCount); while (laid != 0 && errno == EINTR);
    return laid;
}

ssize_t vs_tee(int from, int to, size_t byteCount) {
    ssize_t copied;
    do copied = tee(from, to, byteCount, 0); while (copied < 0 && errno == EINTR);
    return copied;
}

int vs_open_unnamed(int directory) { return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }

int vs_name_descriptor(int descriptor, int directory, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

int vs_sync_whole_disk(int descriptor) { return syncfs(descriptor); }

int vs_write_whole(int descriptor, const void *bytes, size_t byteCount) {
    const char *cursor = bytes;
    while (byteCount > 0) {
        ssize_t put = write(descriptor, cursor, byteCount);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return -1;
        cursor += put;
        byteCount -= (size_t)put;
    }
    return 0;
}

// Inside the kernel: on some file systems the copy shares its blocks, on none does it pass through this process.
ssize_t vs_copy_some(int from, int to, size_t byteCount) {
    ssize_t copied;
    do copied = copy_file_range(from, NULL, to, NULL, byteCount, 0); while (copied < 0 && errno == EINTR);
    // Some file systems cannot, and some say 0 where the other call copies.
    if (copied > 0 || (copied < 0 && (errno == ENOSPC || errno == EIO || errno == EDQUOT))) return copied;
    do copied = sendfile(to, from, NULL, byteCount); while (copied < 0 && errno == EINTR);
    return copied;
}
