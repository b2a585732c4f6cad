// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ForeignRecords

/// Why a whole container was given up.
public struct ImportFailure: Error, Sendable, Equatable {
    public let reason: RefusedEntry.Reason
    /// The entry that did it, if it was one; any bytes.
    public let path: [UInt8]

    public init(_ reason: RefusedEntry.Reason, path: [UInt8] = []) {
        self.reason = reason
        self.path = path
    }
}
