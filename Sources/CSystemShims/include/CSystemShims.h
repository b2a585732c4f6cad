// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// The few Linux calls that Swift cannot see. Each returns 0 or a value, or -1 with errno set.
#ifndef C_SYSTEM_SHIMS_H
#define C_SYSTEM_SHIMS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "KeyArena.h"

/// Where this build's users find help, as the build was told (Package.swift); empty when it was told nothing.
const char *vs_website(void);
const char *vs_support_email(void);

/// Takes the handler of SIGQUIT that the language's runtime has put there; one that is ignored stays ignored.
void vs_default_quit(void);

int vs_no_new_privs(void);
int vs_not_dumpable(void);
int vs_is_dumpable(void);

/// Fills `buffer` from the kernel's random generator; loops until all of it is filled. -1 on failure.
int vs_random(void *buffer, size_t byteCount);

/// Clears memory in a way that no optimiser removes.
void vs_wipe(void *buffer, size_t byteCount);
void vs_wipe_stack(void);

/// Maps zeroed pages that are locked when possible, left out of core files and cleared in a forked child.
/// `*locked` says whether the kernel agreed to lock them. NULL on failure.
void *vs_secret_map(size_t byteCount, int *locked);
void vs_secret_unmap(void *pages, size_t byteCount);

/// Maps zeroed pages of 2 MiB where the kernel has such (MADV_HUGEPAGE), left out of core files and cleared in a forked child.
/// In the form that argon2_context.allocate_cbk and free_cbk have: `*memory` is NULL and the result -1 on failure.
int vs_large_pages_map(uint8_t **memory, size_t byteCount);
void vs_large_pages_unmap(uint8_t *memory, size_t byteCount);

/// Credentials of the process at the other end of a Unix socket.
int vs_peer(int socket, pid_t *pid, uid_t *uid);

/// Starts `path` with only the `count` descriptors of `passed` (as 3, 4, …), standard streams on /dev/null, in our session.
int vs_spawn_server(const char *path, char *const argv[], char *const envp[], const int *passed, int count, pid_t *pid);

/// Starts `path` with only descriptor `channel` (as 3), standard streams on /dev/null or inherited as told, in a new session.
int vs_spawn_agent(const char *path, char *const argv[], char *const envp[], int channel, pid_t *pid);

/// Starts `path` with `input` and `output` as 0 and 1; standard error is inherited, all else is closed.
int vs_spawn_filter(const char *path, char *const argv[], char *const envp[], int input, int output, pid_t *pid);

/// Starts `path` with `input` and `output` as 0 and 1 and `held` as 3; standard error is inherited, all else is closed.
int vs_spawn_opener(const char *path, char *const argv[], char *const envp[], int input, int output, int held, pid_t *pid);

/// Starts `path` in a new session with `input` and `output` as 0 and 1, standard error on /dev/null, and nothing else.
int vs_spawn_apart(const char *path, char *const argv[], char *const envp[], int input, int output, pid_t *pid);

/// open(2) beneath a directory without following any symbolic link in the last component.
int vs_open_at(int directory, const char *name, int flags, mode_t mode);

/// rename(2) that refuses to replace anything, then makes the directory above durable.
int vs_rename_new(const char *from, const char *to);

/// Gives a file or folder another name in the same directory, and replaces nothing there; also where the file system has no way of its own for that.
int vs_rename_new_at(int directory, const char *from, const char *to);

/// Blocks SIGTERM, SIGHUP and SIGINT and returns a descriptor that becomes readable when one arrives.
int vs_signal_descriptor(void);

/// Default action for the signals that a crash raises: no handler of a run-time library prints memory.
void vs_default_fatal_signals(void);

/// A pipe whose ends are closed on exec.
int vs_pipe(int ends[2]);

/// fstatfs(2)'s type of file system, e.g. 0x01021994 for tmpfs.
int64_t vs_file_system_type(int descriptor);

/// syncfs(2): makes all that was written to a file's file system durable; since Linux 5.8 it reports errors of writing back.
int vs_sync_whole_disk(int descriptor);

/// Starts a program on this terminal with default signals and the standard streams; `held`, when above 2, becomes its 3, all else is closed.
int vs_spawn_editor(const char *path, char *const argv[], char *const envp[], int held, pid_t *pid);

/// A descriptor that becomes readable when a child has ended.
int vs_process_descriptor(pid_t pid);

/// A descriptor that becomes readable when a file in a folder is made, written, closed after that, moved or removed.
int vs_watch_folder(const char *path);

/// Takes all events of a watch: 0 when none was about `name`, 2 when the last of them left it whole (closed after writing, or moved there), 1
/// when it is being written or away.
int vs_watch_events(int watch, const char *name);

/// A descriptor that tells of folders, and nothing yet.
int vs_inotify(void);

/// Adds a folder, by a descriptor of it, to those that are told of. 0, or -1.
int vs_inotify_add(int watch, int folder);

/// The version of Landlock's interface that the kernel has; below 1 it has none.
int vs_landlock_version(void);

/// Leaves this process one folder to read and write in, and no other file. 0, or -1 where the kernel cannot; for good, and only after
/// `vs_no_new_privs`.
int vs_landlock_folder(int folder);

/// Leaves this process files below `folders` (ends with NULL) to read, none to write, and TCP connections to `ports` alone where the kernel can say so.
int vs_landlock_network(const char *const *folders, const uint16_t *ports, size_t count);

/// Leaves this process no file and no TCP connection of its own at all: what is open stays open. 0, or -1.
int vs_landlock_nothing(void);
/// The same, but for processes that end with this one (vs_end_with_parent): the kernel asks whether it may signal them.
int vs_landlock_kin(void);
/// Starts a process that does nothing but connect to a socket whose file is open (O_PATH), each time a byte comes over `control`, and pass the
/// connection back. It ends when this process does. 0, or -1.
int vs_start_porter(int socketFile, int *control);
/// This process ends with the one that has started it, which must still be `parent`. 0, or -1.
int vs_end_with_parent(int parent);
/// Leaves one program to be run and read, and these folders to be read; connections stay.
int vs_landlock_program(int program, const char *const *folders);

/// A socket that answers `vs_peer_user` (sock_diag(7)), or -1.
int vs_diagnosis_socket(void);

/// Asks the kernel which user has the other end of a TCP connection on this machine, of which `peer` and `own` are the two ends (`struct sockaddr_in`).
/// 0, or -1 where nobody has it: then nothing is known of who that is. Called by one thread.
int vs_peer_user(int diagnosis, const void *peer, const void *own, uid_t *uid);

/// Blocks SIGTERM and SIGHUP and returns a descriptor that becomes readable when one arrives.
ssize_t vs_send_with_descriptor(int socket, const void *bytes, size_t byteCount, int descriptor);

ssize_t vs_receive_with_descriptors(int socket, void *buffer, size_t byteCount, int descriptors[2], int *count);

ssize_t vs_read_now(int descriptor, void *buffer, size_t byteCount);

ssize_t vs_write_now(int descriptor, const void *bytes, size_t byteCount);

int vs_memory_file(void);

/// Has the file system keep room for bytes, also behind the end of the file, which stays where it is; 0, or -1 and errno.
int vs_lay_room(int descriptor, off_t start, off_t byteCount);

ssize_t vs_tee(int from, int to, size_t byteCount);

int vs_open_unnamed(int directory);

int vs_name_descriptor(int descriptor, int directory, const char *name);

pid_t vs_start_pump(int from, int to, int unused);

int vs_event_descriptor(void);

int vs_end_signal_descriptor(void);

/// Takes a signal from such a descriptor: its number, or 0 when there is none.
int vs_take_signal(int descriptor);

/// Holds back the signals that end, stop or continue a process, but for those that it ignores; a descriptor that becomes readable when one
/// arrives. `before` gets the mask to give back.
int vs_hold_prompt_signals(sigset_t *before);

/// They act again; one that waits does so now.
void vs_release_prompt_signals(int descriptor, const sigset_t *before);

/// Lets a signal that was taken act as it would have without being held. Returns when it did not end this process.
void vs_act_on_signal(int number, const sigset_t *before);

/// Takes a held SIGCONT that waits: who has just been continued need not be told.
void vs_forget_continuing(void);

/// Sends a signal to the process behind a descriptor of `vs_process_descriptor`: never to another one that got its number.
int vs_signal_process(int process, int number);

/// Writes all of it from the descriptor's offset on; 0, or -1 with errno.
int vs_write_whole(int descriptor, const void *bytes, size_t byteCount);

/// Copies up to `byteCount` bytes of a regular file from its offset on to another one: how many, 0 at its end, or -1 with errno.
ssize_t vs_copy_some(int from, int to, size_t byteCount);

#endif
