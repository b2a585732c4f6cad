// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BackupMemory` remembers when this account has made a snapshot of a vault last, and when a drill has last succeeded.
/// It lies beside the pins, not in the vault: a backup changes nothing in what it copies.
///
/// ```
/// "VLK1" | Int64 first | Int64 created | Int64 drilled
/// ```
/// Milliseconds since 1970, UTC; 0 for never. Spec: docs/format.md §8.
public struct BackupMemory: Sendable, Equatable {
    private static let magic = Array("VLK1".utf8)
    /// Milliseconds after which a drill is due again: thirty days.
    public static let drillMillisecondsMax: Int64 = 30 * 24 * 3600 * 1000

    /// When the first snapshot was made.
    public var first: Int64 = 0
    /// When the last one was.
    public var created: Int64 = 0
    public var drilled: Int64 = 0

    public init() {}

    public init?(parsing bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard (try? reader.bytes(4)) == Self.magic, let first = try? reader.i64(), let created = try? reader.i64(),
            let drilled = try? reader.i64(), (try? reader.end()) != nil
        else { return nil }
        (self.first, self.created, self.drilled) = (first, created, drilled)
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.i64(first)
        writer.i64(created)
        writer.i64(drilled)
        return writer.bytes
    }

    /// The file's name beside the pins, after the vault's or the copy's identifier in hexadecimal.
    public static let fileNamePrefix = "backups-"
    public static let byteCount = 28

    /// Returns whether there is a backup, and for thirty days no drill of it has succeeded. A backup that is younger
    /// than that needs none yet.
    public func isDrillDue(now: Int64) -> Bool {
        guard created > 0 else { return false }
        let since = drilled > 0 ? drilled : first
        return now.subtractingReportingOverflow(since).partialValue > Self.drillMillisecondsMax
    }
}
