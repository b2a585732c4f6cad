// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// What code that has taken over a decoder might try: system calls, each made directly, so that no library stands between.
#ifndef C_CONFINEMENT_ATTEMPTS_H
#define C_CONFINEMENT_ATTEMPTS_H

/// The name of an attempt; NULL behind the last.
const char *ca_name(int index);

/// Whether an unconfined process of any user succeeds with it, on every kernel that we support. Of others only the way to the kernel is sure.
int ca_succeeds_unconfined(int index);

/// Forks, lets the child confine itself and try, and says what became of it in one line on standard output: "NAME signal NUMBER",
/// "NAME returned VALUE errno NUMBER" or "NAME not confined". The parent is the process that attempts on others are aimed at.
///
/// `folder` is one that only this attempt uses. A NULL `confine` is the control. Returns 0, or -1 when there could be no attempt.
int ca_try(int index, const char *folder, int (*confine)(void));

/// Makes this process one in which no filter can be set, as a system without seccomp would be. 0, or -1.
int ca_forbid_filters(void);

#endif
