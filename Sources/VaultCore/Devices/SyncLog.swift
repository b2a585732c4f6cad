// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// `SyncLine` is one thing that syncing did. It has no words of notes, which the index has already. Spec:
/// docs/format.md §13.
public struct SyncLine: Sendable, Equatable {
    /// `Kind` says what was done.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// `count` changes of a device were taken over.
        case received = 1
        /// `count` changes were sent.
        case sent
        /// `count` notes were joined.
        case joined
        /// `count` notes more have several versions that do not fit together.
        case conflict
        /// The remote could not be used; `detail` says why.
        case failed
        /// Its owner had to be told something; `detail` says what.
        case alarm
    }

    /// When, in milliseconds since 1970, UTC, by this machine's clock.
    public var made: Int64 = 0
    public var remote: String
    public var kind: Kind
    /// A number of the program that writes it.
    public var detail: UInt8
    /// The device, as it speaks in the remote: 16 bytes, or none.
    public var device: [UInt8]
    public var count: Int

    public init(_ kind: Kind, over remote: String, detail: UInt8 = 0, device: [UInt8] = [], count: Int = 0) {
        (self.remote, self.kind, self.detail, self.device, self.count) = (remote, kind, detail, device, count)
    }
}

/// `SyncLog` keeps the last lines of what syncing did.
public struct SyncLog {
    let vault: OpenVault
    /// Lines that are kept.
    static let lineCountMax = 1000

    /// Adds lines, and forgets the oldest.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func add(_ lines: [SyncLine]) throws(VaultError) {
        guard !lines.isEmpty else { return }
        try vault.write { transaction in
            for line in lines {
                try transaction.database.cachedStatement(
                    "INSERT INTO syncLog(made, remote, kind, detail, device, count) VALUES(?, ?, ?, ?, ?, ?)"
                ).execute(arguments: [
                    Machine.now, line.remote, Int64(line.kind.rawValue), Int64(line.detail), line.device.blob,
                    line.count,
                ])
            }
            try transaction.database.execute(
                sql: "DELETE FROM syncLog WHERE id <= (SELECT max(id) FROM syncLog) - ?", arguments: [Self.lineCountMax]
            )
        }
    }

    /// Returns the lines, the newest last. A line of a kind that is not known is left out.
    ///
    /// - Throws: `VaultError.integrity`.
    public func lines() throws(VaultError) -> [SyncLine] {
        try vault.read { index in
            guard try IndexState.fetch(index.database).schema >= Schema.firstWithStatements else { return [] }
            return try Row.fetchAll(index.database, sql: "SELECT * FROM syncLog ORDER BY id").compactMap { row in
                guard let kind = SyncLine.Kind(rawValue: UInt8(clamping: try row.integer("kind"))) else { return nil }
                var line = SyncLine(
                    kind, over: try row.text("remote"), detail: UInt8(clamping: try row.integer("detail")),
                    device: try row.bytes("device"), count: Int(clamping: try row.integer("count")))
                line.made = try row.integer("made")
                return line
            }
        }
    }

    /// Counts the notes that have several versions now.
    ///
    /// - Throws: `VaultError.integrity`.
    public func forkedCount() throws(VaultError) -> Int {
        try vault.read { index in
            try index.database.cachedStatement("SELECT count(DISTINCT note) AS count FROM otherHead").row()?
                .count("count") ?? 0
        }
    }
}

extension OpenVault {
    /// What syncing did.
    public var syncLog: SyncLog { SyncLog(vault: self) }
}
