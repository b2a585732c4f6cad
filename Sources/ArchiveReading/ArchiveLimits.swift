// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How much an archive may hold. What goes beyond ends the import before a note was delivered.
public struct ArchiveLimits: Sendable {
    /// Entries of all kinds.
    public var entryCountMax = 2_000_000
    /// Unpacked, in bytes: what fits on the disks that notes are kept on.
    public var byteCountMax: UInt64 = 1 << 40
    /// Unpacked bytes for each packed one, once `byteCountFree` is passed. Text packs ten times, rarely thirty.
    public var ratioMax: UInt64 = 100
    /// Below it no ratio is asked, in bytes: a small file of one letter packs a thousand times.
    public var byteCountFree: UInt64 = 32 << 20
    /// Parts of a path.
    public var depthMax = 64

    public init() {}
}
