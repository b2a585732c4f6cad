// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Faults at the seam to the system: the program that links this has its own write, fsync, rename, open and unlink, which do what the system's do
// until the one call that was chosen. Tests only.
#ifndef C_FAULTS_H
#define C_FAULTS_H

#include <sys/types.h>

enum {
    /// The call does nothing and reports EIO; what follows works again.
    CF_ERROR = 1,
    /// The call and all that follow report ENOSPC where something would be written.
    CF_FULL = 2,
    /// A write takes half of its bytes; any other call reports EIO.
    CF_SHORT = 3,
    /// The process ends before the call, as by kill -9.
    CF_KILL = 4,
    /// The process ends after the call.
    CF_KILL_AFTER = 5,
};

/// From now on calls are counted, and number `at` (from 1) has the fault; 0 only counts.
void cf_arm(long at, int kind);

/// From now on renameat2(2) knows no flags, as on NFS and most of FUSE, and, if told so, link(2) is refused.
void cf_refuse_flags(int flags, int links);

/// Stops counting. Returns how many calls there were.
long cf_disarm(void);

/// Whether the chosen call was reached.
int cf_was_hit(void);

/// fork(2), which Swift does not let itself call: for a process without other threads.
pid_t cf_fork(void);

/// Ends a forked process without anything that would be run at its end.
void cf_leave(int status);

/// From now on what is done to files of the file system that `root` is on is written to a descriptor: see record.h. -1 where there is no such folder.
int cf_record(int to, const char *root);

/// Puts a number between the entries: all that was acknowledged so far.
void cf_mark(long number);

void cf_record_end(void);

/// Exit code of a process that a fault has ended.
enum { CF_KILLED = 97 };

#endif
