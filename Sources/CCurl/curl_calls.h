// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// libcurl, and its functions with a variable list of arguments once more for each type of argument: Swift cannot call the others.
#ifndef CURL_CALLS_H
#define CURL_CALLS_H
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <string.h>
#include <sys/socket.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or newer is needed (Debian 12, Ubuntu 24.04)"
#endif

typedef size_t (*cc_bytes)(char *bytes, size_t size, size_t count, void *transfer);

static inline CURLcode cc_number(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode cc_size(CURL *easy, CURLoption option, curl_off_t value) { return curl_easy_setopt(easy, option, value); }
/// Text is copied; blobs too when they say so.
static inline CURLcode cc_text(CURL *easy, CURLoption option, const char *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode cc_pointer(CURL *easy, CURLoption option, const void *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode cc_callback(CURL *easy, CURLoption option, cc_bytes value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode cc_seek(CURL *easy, int (*value)(void *, curl_off_t, int)) { return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value); }
static inline CURLcode cc_opensocket(CURL *easy, curl_opensocket_callback value) { return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value); }
/// Asks a porter, who alone may connect, for a connection: a byte, and a descriptor comes back.
static inline curl_socket_t cc_ask_porter(void *porter, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    (void)address;
    char byte = 1;
    union { char space[CMSG_SPACE(sizeof(int))]; struct cmsghdr aligned; } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    int asked = *(int *)porter, taken = -1;
    if (send(asked, &byte, 1, MSG_NOSIGNAL) != 1 || recvmsg(asked, &message, MSG_CMSG_CLOEXEC) != 1) return CURL_SOCKET_BAD;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof taken)) return CURL_SOCKET_BAD;
    memcpy(&taken, CMSG_DATA(head), sizeof taken);
    return taken;
}
static inline int cc_is_connected(void *given, curl_socket_t descriptor, curlsocktype purpose) {
    (void)given;
    (void)descriptor;
    (void)purpose;
    return CURL_SOCKOPT_ALREADY_CONNECTED;
}
/// Uses the connections of a porter. `porter` is read whenever one is wanted.
static inline void cc_use_porter(CURL *easy, int *porter) {
    curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, "/porter");
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, cc_ask_porter);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, porter);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, cc_is_connected);
}
/// A form with one file in it, which `read` gives. Freed by the caller after the transfer.
static inline curl_mime *cc_file_form(CURL *easy, const char *name, curl_off_t size, curl_read_callback read, curl_seek_callback seek, void *given) {
    curl_mime *form = curl_mime_init(easy);
    curl_mimepart *part = form == NULL ? NULL : curl_mime_addpart(form);
    if (part == NULL) return form;
    curl_mime_name(part, "file0");
    curl_mime_filename(part, name);
    curl_mime_type(part, "application/octet-stream");
    curl_mime_data_cb(part, size, read, seek, NULL, given);
    curl_easy_setopt(easy, CURLOPT_MIMEPOST, form);
    return form;
}
static inline CURLMcode cc_multi_number(CURLM *multi, CURLMoption option, long value) { return curl_multi_setopt(multi, option, value); }

static inline long cc_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
/// What Retry-After said, in seconds from now; 0 when it was not there.
static inline curl_off_t cc_retry_after(CURL *easy) {
    curl_off_t seconds = 0;
    return curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? seconds : 0;
}

/// Where a redirect leads, as a whole address that the handle keeps; NULL when the answer was none.
static inline const char *cc_redirect(CURL *easy) {
    char *address = NULL;
    return curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &address) == CURLE_OK ? address : NULL;
}
/// The address behind the head of a socket address, of which libcurl's type shows no more than the beginning.
static inline const unsigned char *cc_socket_address(const struct curl_sockaddr *address) { return (const unsigned char *)&address->addr; }

static inline CURLcode cc_certificates(CURL *easy, const void *bytes, size_t byteCount) {
    struct curl_blob blob = {(void *)bytes, byteCount, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

/// The result of a transfer that has ended; NULL when none has.
static inline CURL *cc_next_done(CURLM *multi, CURLcode *result) {
    int left;
    struct CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
#endif
