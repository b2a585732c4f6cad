// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Waits; only on the connection that an agent was started with, before it serves anybody else.
func pause(_ seconds: Double) {
    var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    var left = timespec()
    while unsafe nanosleep(&wanted, &left) != 0 && errno == EINTR { wanted = left }
}
