// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSessionBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <systemd/sd-bus.h>

// Every function that is used, once: the table's types come from the library's own header, so a wrong call does not compile.
#define FUNCTIONS(USE) \
    USE(sd_bus_new) USE(sd_bus_set_address) USE(sd_bus_set_bus_client) USE(sd_bus_start) USE(sd_bus_close) USE(sd_bus_unref) \
    USE(sd_bus_get_fd) USE(sd_bus_get_events) USE(sd_bus_get_timeout) USE(sd_bus_process) USE(sd_bus_send) \
    USE(sd_bus_message_new_method_call) USE(sd_bus_message_append_basic) USE(sd_bus_message_unref) USE(sd_bus_message_get_type) \
    USE(sd_bus_message_get_reply_cookie) USE(sd_bus_message_get_sender) USE(sd_bus_message_get_path) \
    USE(sd_bus_message_is_signal) USE(sd_bus_message_read_basic) USE(sd_bus_message_enter_container)

#define MEMBER(name) __typeof__(&name) name;
static struct { FUNCTIONS(MEMBER) } library;

int session_bus_load(void) {
    static int loaded;
    if (loaded) return 0;
    void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return -ENOENT;
#define FIND(name) \
    library.name = (__typeof__(&name))dlsym(handle, #name); \
    if (library.name == NULL) return dlclose(handle), -ENOENT;
    FUNCTIONS(FIND)
    loaded = 1;
    return 0;
}

int session_bus_open(const char *address, struct sd_bus **bus) {
    sd_bus *made = NULL;
    int result = library.sd_bus_new(&made);
    if (result >= 0) result = library.sd_bus_set_address(made, address);
    if (result >= 0) result = library.sd_bus_set_bus_client(made, 1);
    if (result >= 0) result = library.sd_bus_start(made);
    if (result >= 0) *bus = made;
    else if (made != NULL) library.sd_bus_unref(made);
    return result;
}

void session_bus_close(struct sd_bus *bus) {
    library.sd_bus_close(bus);
    library.sd_bus_unref(bus);
}

int session_bus_descriptor(struct sd_bus *bus) { return library.sd_bus_get_fd(bus); }
int session_bus_events(struct sd_bus *bus) { return library.sd_bus_get_events(bus); }
int session_bus_deadline(struct sd_bus *bus, uint64_t *deadline) { return library.sd_bus_get_timeout(bus, deadline); }
int session_bus_process(struct sd_bus *bus, struct sd_bus_message **message) { return library.sd_bus_process(bus, message); }

int session_bus_call(struct sd_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
                     const char *const *arguments, size_t count, uint64_t *cookie) {
    sd_bus_message *call = NULL;
    int result = library.sd_bus_message_new_method_call(bus, &call, destination, path, interface, member);
    for (size_t index = 0; index < count && result >= 0; index++)
        result = library.sd_bus_message_append_basic(call, SD_BUS_TYPE_STRING, arguments[index]);
    if (result >= 0) result = library.sd_bus_send(bus, call, cookie);
    if (call != NULL) library.sd_bus_message_unref(call);
    return result;
}

int session_bus_message_kind(struct sd_bus_message *message) {
    uint8_t type = 0;
    if (library.sd_bus_message_get_type(message, &type) < 0) return SESSION_BUS_OTHER;
    switch (type) {
    case SD_BUS_MESSAGE_SIGNAL: return SESSION_BUS_SIGNAL;
    case SD_BUS_MESSAGE_METHOD_RETURN: return SESSION_BUS_REPLY;
    case SD_BUS_MESSAGE_METHOD_ERROR: return SESSION_BUS_ERROR;
    default: return SESSION_BUS_OTHER;
    }
}

int session_bus_is_signal(struct sd_bus_message *message, const char *interface, const char *member) {
    return library.sd_bus_message_is_signal(message, interface, member) > 0;
}

uint64_t session_bus_answered(struct sd_bus_message *message) {
    uint64_t cookie = 0;
    return library.sd_bus_message_get_reply_cookie(message, &cookie) < 0 ? 0 : cookie;
}

const char *session_bus_sender(struct sd_bus_message *message) { return library.sd_bus_message_get_sender(message); }
const char *session_bus_path(struct sd_bus_message *message) { return library.sd_bus_message_get_path(message); }
void session_bus_release(struct sd_bus_message *message) { library.sd_bus_message_unref(message); }

static int read_basic(struct sd_bus_message *message, char type, void *value) {
    int result = library.sd_bus_message_read_basic(message, type, value);
    // 0 is the end of the message: an argument that is missing is as bad as a wrong one.
    return result > 0 ? 0 : result < 0 ? result : -ENODATA;
}

int session_bus_read_boolean(struct sd_bus_message *message, int *value) {
    return read_basic(message, SD_BUS_TYPE_BOOLEAN, value);
}

int session_bus_read_string(struct sd_bus_message *message, const char **value) {
    return read_basic(message, SD_BUS_TYPE_STRING, value);
}

int session_bus_read_descriptor(struct sd_bus_message *message) {
    int borrowed = -1;
    int result = read_basic(message, SD_BUS_TYPE_UNIX_FD, &borrowed);
    if (result < 0) return result;
    int own = fcntl(borrowed, F_DUPFD_CLOEXEC, 3);
    return own < 0 ? -errno : own;
}

int session_bus_read_user(struct sd_bus_message *message, uint32_t *user) {
    int result = library.sd_bus_message_enter_container(message, SD_BUS_TYPE_VARIANT, "(uo)");
    if (result > 0) result = library.sd_bus_message_enter_container(message, SD_BUS_TYPE_STRUCT, "uo");
    if (result <= 0) return result < 0 ? result : -ENODATA;
    return read_basic(message, SD_BUS_TYPE_UINT32, user);
}
