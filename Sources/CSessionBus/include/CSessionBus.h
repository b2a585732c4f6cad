// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// The part of sd-bus that listening to logind needs, from a library that is loaded when it is first wanted. Calls return 0 or
// more, or a negative errno. Nothing here waits.
#ifndef C_SESSION_BUS_H
#define C_SESSION_BUS_H

#include <stddef.h>
#include <stdint.h>

struct sd_bus;
struct sd_bus_message;

enum { SESSION_BUS_SIGNAL = 1, SESSION_BUS_REPLY = 2, SESSION_BUS_ERROR = 3, SESSION_BUS_OTHER = 0 };

/// Loads libsystemd.so.0 unless that is done; -ENOENT where it is missing or too old.
int session_bus_load(void);

/// Begins to connect. Authentication and greeting go on in `session_bus_process`, behind whatever is sent meanwhile.
int session_bus_open(const char *address, struct sd_bus **bus);
/// Hangs up without sending what is still queued.
void session_bus_close(struct sd_bus *bus);

int session_bus_descriptor(struct sd_bus *bus);
/// What to poll(2) for.
int session_bus_events(struct sd_bus *bus);
/// When to process without being polled, in microseconds of CLOCK_MONOTONIC; UINT64_MAX for never.
int session_bus_deadline(struct sd_bus *bus, uint64_t *deadline);
/// One step. 0 when nothing is left to do; else 1, with a message to look at and release, or NULL.
int session_bus_process(struct sd_bus *bus, struct sd_bus_message **message);

/// Queues a method call whose arguments are all strings. Without `cookie` no answer is asked for.
int session_bus_call(struct sd_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
                     const char *const *arguments, size_t count, uint64_t *cookie);

int session_bus_message_kind(struct sd_bus_message *message);
int session_bus_is_signal(struct sd_bus_message *message, const char *interface, const char *member);
/// The cookie of the call that this answers, or 0.
uint64_t session_bus_answered(struct sd_bus_message *message);
/// Both live as long as the message; NULL where it has none.
const char *session_bus_sender(struct sd_bus_message *message);
const char *session_bus_path(struct sd_bus_message *message);
void session_bus_release(struct sd_bus_message *message);

/// The next argument; a negative value when it is of another type. A string lives as long as the message.
int session_bus_read_boolean(struct sd_bus_message *message, int *value);
int session_bus_read_string(struct sd_bus_message *message, const char **value);
/// A copy of the next argument, a descriptor, that is closed on exec.
int session_bus_read_descriptor(struct sd_bus_message *message);
/// The number in a variant that holds (uo): a logind user.
int session_bus_read_user(struct sd_bus_message *message, uint32_t *user);

#endif
