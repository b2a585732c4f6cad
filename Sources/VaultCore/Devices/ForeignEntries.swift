// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// `AppliedEntries` says what became of entries that other devices made.
public struct AppliedEntries: Sendable, Equatable {
    /// Notes that changed, or of which more is known; each once.
    public internal(set) var notes: [NoteID] = []
    /// Entries that were not known.
    public internal(set) var entryCount = 0
    /// Records that wait for their note to be unlocked.
    public internal(set) var waitingCount = 0
    /// Devices whose entries contradict those that are known: their chains say two things.
    public internal(set) var forked: Set<DeviceID> = []
    /// Notes of which something outlives a purge.
    public internal(set) var outlived: [NoteID] = []
}

/// `Devices` is the exchange between this vault and its other devices: entries of theirs are taken over, own ones
/// are told.
public struct Devices {
    let vault: OpenVault
    /// Notes of one transaction at most, and bytes of bodies.
    static let batchNoteCount = 200
    static let batchByteCount = 16 << 20

    /// Takes entries over, and records how far a device's chain was read.
    ///
    /// Everything is parsed before anything is written. There are at most 200 notes in a transaction; the last one has
    /// the mark, so that a crash repeats work and skips none.
    ///
    /// - Parameters:
    ///   - bodies: as segments hold them (docs/format.md §21.1), in their order. Entries that are known already change
    ///     nothing.
    ///   - mark: the segment that they came with; nil for entries that came some other way.
    ///   - state: the state of the work with a remote, stored in the same transaction as the mark.
    ///   - heard: when the sending device sealed them.
    ///   - remote: over which they came.
    /// - Throws: `VaultError.newerFormat`, `.integrity` for what no program writes: then nothing of it was taken over;
    ///   `.readOnly`, `.saveFailed`.
    @discardableResult
    public func apply(
        _ bodies: [[UInt8]], readThrough mark: ChainMark? = nil, state: RemoteState? = nil, heard: HeardDevice? = nil,
        over remote: String? = nil
    ) throws(VaultError) -> AppliedEntries {
        let parsed = try bodies.map { bytes throws(VaultError) in (try Self.parsed(bytes), bytes) }
        var applied = AppliedEntries()
        let objects = vault.objects
        for batch in Self.batches(parsed) {
            let isLast = batch.upperBound == parsed.count
            let isLarge = batch.count >= Transaction.putOffCountMin
            let part = try vault.write { transaction in
                try transaction.tellNoteKeys()
                var transaction = transaction
                transaction.putsWordsOff = try isLarge && transaction.hasUnindexedTable()
                var applying = Applying(transaction) { objects.contains($0) }
                for (body, bytes) in parsed[batch] { try applying.take(body, bytes) }
                try applying.finish()
                if let remote {
                    try transaction.tellLate(applying.inserted, but: remote)
                    try transaction.remember(parsed[batch].lazy.map(\.0.entry), over: remote)
                }
                if isLast, let mark { try transaction.record(mark) }
                if isLast, let heard { try transaction.record(heard) }
                if isLast, let state { try transaction.save(state) }
                return applying.applied
            }
            vault.arrivedEntryCount += part.entryCount
            if isLarge { vault.mayHaveUnindexed = true }
            applied.add(part)
        }
        return applied
    }

    /// Reads the body of an entry.
    ///
    /// - Throws: `VaultError.newerFormat`, `.integrity`.
    private static func parsed(_ bytes: [UInt8]) throws(VaultError) -> EntryBody {
        do throws(FormatError) { return try EntryBody(parsing: bytes) } catch {
            throw VaultError(
                [.unknownVersion, .unknownFeature, .unknownKind].contains(error.code) ? .newerFormat : .integrity)
        }
    }

    /// Returns the parts that are written one after the other: at least one, also without entries, because the mark is
    /// recorded all the same.
    private static func batches(_ bodies: [(body: EntryBody, bytes: [UInt8])]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var (start, byteCount, notes) = (0, 0, Set<NoteID>())
        for (place, (body, bytes)) in bodies.enumerated() {
            notes.insert(body.entry.noteID)
            byteCount += bytes.count
            guard place > start, notes.count > batchNoteCount || byteCount > batchByteCount else { continue }
            batches.append(start..<place)
            (start, byteCount, notes) = (place, bytes.count, [body.entry.noteID])
        }
        return batches + [start..<bodies.count]
    }

    /// Returns how far the chain of a device was read; nil when nothing of it was.
    ///
    /// - Throws: `VaultError.integrity`.
    public func mark(of device: DeviceID) throws(VaultError) -> ChainMark? {
        try vault.read { index in
            let row = try index.database.cachedStatement("SELECT number, digest FROM device WHERE id = ?")
                .row([device.bytes.blob])
            guard let row, try row.integer("number") > 0 else { return nil }
            return ChainMark(
                device: device, number: UInt64(clamping: try row.integer("number")), digest: try row.bytes("digest"))
        }
    }
}

extension OpenVault {
    /// The exchange between this vault and its other devices.
    public var devices: Devices { Devices(vault: self) }
}

extension AppliedEntries {
    fileprivate mutating func add(_ part: AppliedEntries) {
        let known = Set(notes)
        notes += part.notes.filter { !known.contains($0) }
        entryCount += part.entryCount
        waitingCount = part.waitingCount
        forked.formUnion(part.forked)
        outlived += part.outlived
    }
}

extension Transaction {
    /// Writes down how far a device's chain was read.
    func record(_ mark: ChainMark) throws {
        try database.cachedStatement(
            """
            INSERT INTO device(id, name, number, digest, sequence, chain, state) VALUES(?, '', ?, ?, 0, zeroblob(32), 0)
            ON CONFLICT(id) DO UPDATE SET number = excluded.number, digest = excluded.digest
            """
        ).execute(arguments: [mark.device.bytes.blob, Int64(clamping: mark.number), mark.digest.blob])
    }

    /// Writes down the newest entry of a device that is known.
    func recordEntry(of device: [UInt8], sequence: UInt64, digest: [UInt8]) throws {
        try database.cachedStatement(
            """
            INSERT INTO device(id, name, number, digest, sequence, chain, state) VALUES(?, '', 0, zeroblob(32), ?, ?, 0)
            ON CONFLICT(id) DO UPDATE SET sequence = excluded.sequence, chain = excluded.chain
            WHERE excluded.sequence > device.sequence
            """
        ).execute(arguments: [device.blob, Int64(clamping: sequence), digest.blob])
    }
}
