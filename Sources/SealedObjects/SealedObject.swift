// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a record must keep of an object that was written, so that its reader knows it again before it uses a chunk.
public struct SealedObject: Sendable, Equatable {
    /// True length of the content, in bytes.
    public let contentByteCount: UInt64
    /// Exact size of the file, in bytes.
    public let fileByteCount: UInt64
    /// Of the outer layer, 32 bytes.
    public let commitment: [UInt8]
    /// Of the inner layer, 32 bytes; nil when there is none.
    public let innerCommitment: [UInt8]?
}
