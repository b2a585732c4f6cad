// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// libgit2 for buffers alone: no certificates, no settings files, no network.
#ifndef C_OFFLINE_GIT2_H
#define C_OFFLINE_GIT2_H

/// Starts libgit2 without letting it read a file. To be called once, before any other function of it.
///
/// \returns 0, or a negative error of libgit2.
int offline_git2_start(void);

/// How often this process kept a library from reading the system's certificates.
int offline_git2_refusals(void);

#endif
