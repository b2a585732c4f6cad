// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Writes down what was done to files, for a replay of what a power cut leaves. Each entry is six UInt64 of this machine (kind, inode, other
// inode, offset, two sizes) and the bytes of these sizes.
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>
#include <sys/types.h>

enum { REC_WRITE = 1, REC_TRUNCATE, REC_SYNC, REC_FILE, REC_FOLDER, REC_LINK, REC_RENAME, REC_REMOVE, REC_SYNC_ALL, REC_MARK, REC_UNNAMED };

int rec_is_on(void);
/// Around a call and what is written of it, so that the order is that of the calls.
void rec_lock(void);
void rec_unlock(void);
int rec_exists(int directory, const char *path);
void rec_write(int descriptor, const void *bytes, ssize_t count, int64_t offset);
void rec_truncate(int descriptor, int64_t size);
void rec_sync(int descriptor);
void rec_sync_all(void);
void rec_unnamed(int descriptor);
void rec_name(int directory, const char *path, int kind);
void rec_rename(int from_directory, const char *from, int to_directory, const char *to);
void rec_remove(int directory, const char *path);

#endif
