// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `FoundIndex` is an index that was opened, with the manifest that it was opened by.
struct FoundIndex {
    let database: SealedDatabase
    var manifest: Manifest
    let device: [UInt8]
    let generation: UInt64
    /// Nil for a whole vault.
    var loss: OpeningLoss?
    /// What the generation must rise above, so that what was lost does not count as newer for ever.
    var generationToPass: UInt64?
    var header = HeaderAtOpening()
    var chain = ChainFinding()
}

/// A `HeaderAtOpening` holds what the sealed state knows of a header that was accepted.
struct HeaderAtOpening {
    /// On the owner's word the header may be older than this counter, and is raised above it; else 0.
    var counterToPass: UInt64 = 0
    /// The index does not know it yet: a crash came between the header and what follows it.
    var isUnrecorded = false
}

extension OpenVault {
    /// Opens the index that the manifest speaks of. By itself nothing that was saved is ever given up.
    ///
    /// - Parameter acceptingLoss: the owner's word that a vault without a manifest, or with a damaged log, is opened as
    ///   far as it is whole.
    /// - Throws: `VaultError.integrity`, with what is damaged where that word would help; `.rollback`, `.oldHeader`,
    ///   `.otherHistory`, `.newerFormat`.
    static func openIndex(
        _ probe: VaultProbe, _ header: Header, _ keys: VaultKeys, acceptingLoss: Bool
    ) throws(VaultError) -> FoundIndex {
        // A repair that a crash has ended behind its commit.
        try IndexSwitch(directory: probe.directory, epoch: header.epoch, lease: probe.lease)
            .finishProven(header, keys, pin: probe.acceptsRollback ? nil : probe.pin)
        let (manifest, wasMade) = try manifest(probe, header, keys, acceptingLoss: acceptingLoss)
        // One that was made knows nothing: then the index itself is compared, below.
        if !wasMade, let pin = probe.pin, manifest.generation < pin.generation, !probe.acceptsRollback {
            throw VaultError(.rollback, found: manifest.generation, expected: pin.generation)
        }
        for known in ManifestFile(probe.directory, keys: keys, header: header).knownHeaders {
            try requireNewest(header, known, probe)
        }
        // Where SQLite cannot open the index at all, an index made of its salvaged cells belongs here.
        let database = try IndexFile.open(
            probe.directory, header: header, keys: keys, manifest: manifest, acceptingLoss: acceptingLoss)
        let (device, generation) = try IndexFile.check(database, against: manifest, acceptingLoss: acceptingLoss)
        var found = FoundIndex(database: database, manifest: manifest, device: device, generation: generation)
        found.header = try known(header, in: database, manifest, probe)
        let isCutShort = wasMade || database.logDamage != nil || generation < manifest.generation
        found.chain = try chain(of: database, probe, endIsLost: acceptingLoss && isCutShort)
        _ = try RotationState.previousKeys(database, keys, header)
        // What was found is refused no more, and none of it was written until here.
        try VaultError.translating { () throws in try database.beginWriting() }
        guard acceptingLoss else { return found }
        let oldPageCount = database.storage.settleMap()
        // What they are is made a map of as soon as something may be written.
        if oldPageCount > 0 { found.manifest.map = nil }
        let seen = wasMade && !probe.acceptsRollback ? probe.pin?.generation ?? 0 : 0
        let known = max(manifest.generation, seen)
        guard wasMade || database.logDamage != nil || generation < known || oldPageCount > 0 else { return found }
        found.loss = try loss(in: database, missing: known > generation ? known - generation : 0)
        found.loss?.manifestWasMade = wasMade
        found.loss?.oldPageCount = oldPageCount
        found.generationToPass = known
        if database.logDamage != nil, database.storage.isWritable {
            found.loss?.keptLog = try keepLog(in: probe.directory, epoch: header.epoch)
        }
        return found
    }

    /// Refuses a header that is older than one the vault had, or another one of the same age.
    ///
    /// - Throws: `VaultError.oldHeader`.
    private static func requireNewest(
        _ header: Header, _ known: KnownHeader?, _ probe: VaultProbe
    ) throws(VaultError) {
        guard let known, !probe.acceptsRollback, try !known.isReached(by: header) else { return }
        throw VaultError(.oldHeader, found: header.counter, expected: known.counter)
    }

    /// Refuses it too by what the index knows: an older manifest does not help an older header.
    private static func known(
        _ header: Header, in database: SealedDatabase, _ manifest: Manifest, _ probe: VaultProbe
    ) throws(VaultError) -> HeaderAtOpening {
        let stored: KnownHeader?
        do throws(VaultError) {
            stored = try VaultError.translating { try database.queue.inDatabase { try KnownHeader.fetch($0) } }
        } catch {
            // The manifest says it too, unless it is one without a map: one of those could be of any time.
            guard manifest.map != nil || probe.acceptsLoss || probe.acceptsRollback else { throw error }
            stored = nil
        }
        try requireNewest(header, stored, probe)
        var found = HeaderAtOpening()
        if probe.acceptsRollback {
            for known in [stored, KnownHeader(manifest)] {
                guard let known, try !known.isReached(by: header) else { continue }
                found.counterToPass = max(found.counterToPass, known.counter)
            }
        }
        found.isUnrecorded = header.counter > stored?.counter ?? 1
        return found
    }

    /// Compares the index with what this account saw of the vault's own entries.
    ///
    /// - Parameter endIsLost: the owner knows that it is.
    /// - Throws: `VaultError.otherHistory`.
    private static func chain(
        of database: SealedDatabase, _ probe: VaultProbe, endIsLost: Bool
    ) throws(VaultError) -> ChainFinding {
        let state = try VaultError.translating { try database.queue.inDatabase { try IndexState.fetch($0) } }
        var found = ChainFinding(database, state)
        guard let pin = probe.pin, !probe.acceptsRollback,
            !probe.pins.isRestored(probe.identity, at: probe.directory.canonicalPath)
        else { return found }
        switch PinnedChain(pin, database, state) {
        case .goesOn: break
        case .isUnread: (found.isDamaged, found.pinIsUnread) = (true, true)
        // On the owner's word.
        case .isShorter where endIsLost: break
        // As new as what was seen, by its generation, and without its entries: it went on from somewhere before them.
        case .isOther, .isShorter: throw VaultError(.otherHistory, found: state.sequence, expected: pin.sequence)
        }
        return found
    }

    /// Returns the manifest that is there; on the owner's word one that fits every index and no log.
    private static func manifest(
        _ probe: VaultProbe, _ header: Header, _ keys: VaultKeys, acceptingLoss: Bool
    ) throws(VaultError) -> (Manifest, wasMade: Bool) {
        do throws(VaultError) {
            return (try ManifestFile(probe.directory, keys: keys, header: header).read(), false)
        } catch {
            guard acceptingLoss, error.damage == .manifest else { throw error }
        }
        let salt = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(Manifest.logSaltByteCount)
        }
        return (Manifest(generation: 0, pageCount: 0, logSalt: salt, syncedByteCount: 0, isOpen: true), true)
    }

    /// Returns what a vault was opened without.
    ///
    /// - Parameter missing: how many transactions the manifest or the pin knows and the index does not.
    private static func loss(in database: SealedDatabase, missing: UInt64) throws(VaultError) -> OpeningLoss {
        var loss = OpeningLoss()
        loss.hasLostChanges = missing > 0 || database.logDamage != nil
        loss.commitCount = missing
        guard let damage = database.logDamage else { return loss }
        loss.commitCount = max(missing, UInt64(damage.commitCount))
        let state = try VaultError.translating { try database.queue.inDatabase { try IndexState.fetch($0) } }
        var entries = LostEntries(after: state)
        database.storage.forEachLostPage(damage) { entries.look(at: $0) }
        loss.notes = entries.notes
        return loss
    }

    /// Copies the log as it is before anything is written into it. Nobody but its owner removes the copy.
    ///
    /// - Returns: its name; it is durable.
    private static func keepLog(in directory: VaultDirectory, epoch: UInt32) throws(VaultError) -> String {
        let log = IndexFile.name(epoch: epoch) + "-wal"
        let source = directory.open(log, O_RDONLY | O_NONBLOCK)
        guard source >= 0 else { throw VaultDirectory.failure() }
        defer { Glibc.close(source) }
        var name = log + IndexFile.damagedLogMark + Machine.stamp
        while directory.identity(name) != nil { name += "-2" }
        try directory.copy(name, from: source, byteCount: directory.byteCount(log)) { _ in }
        let copy = directory.open(name, O_RDONLY | O_NONBLOCK)
        guard copy >= 0 else { throw VaultDirectory.failure() }
        defer { Glibc.close(copy) }
        guard fsync(copy) == 0, directory.sync() else { throw VaultDirectory.failure() }
        return name
    }
}
