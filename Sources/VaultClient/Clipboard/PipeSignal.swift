// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// A reader that goes away is an error to be told, not the end of this process, while `body` writes.
enum PipeSignal {
    static func ignored<R>(_ body: () -> R) -> R {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        return body()
    }
}
