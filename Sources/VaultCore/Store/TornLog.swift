// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite

/// A `TornLog` is the end of a log that was not whole when the vault was opened: a change that was begun, and is not
/// there.
///
/// A crash leaves it before a change is acknowledged, and then nothing is missing. Somebody who damages the end of the
/// log leaves the same (docs/decisions/0003-torn-last-transaction.md): so the owner is told. Spec: docs/format.md §12.
public struct TornLog: Sendable, Equatable {
    /// Frames that were dropped, the last of them perhaps in part; 0 where the log had not even a whole header.
    public let frameCount: Int
    public let byteCount: Int
    /// When the log was written last, in milliseconds since 1970, UTC, as the file system has it; 0 where it does not.
    public let lastWritten: Int64

    init?(_ tail: TornTail?) {
        guard let tail else { return nil }
        (frameCount, byteCount, lastWritten) = (tail.frameCount, tail.byteCount, tail.lastWritten)
    }
}
