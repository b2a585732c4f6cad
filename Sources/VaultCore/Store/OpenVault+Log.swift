// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// These functions empty the log, and write what vouches for the pages that it is emptied into. Spec: docs/format.md
/// §14.
///
/// Whenever the power goes, what counts is the old map with the whole log, or the new map with the whole log, or the
/// new map with an empty one. With the old map each page that does not fit it is in the log.
extension OpenVault {
    /// Empties the log and writes a manifest with a new salt: in this order, and only while the log's length is 0.
    func startNewLog(isOpen: Bool) throws(VaultError) {
        try requireOurHeader()
        // Somebody reads the file that the log would be emptied into.
        guard !isFrozen else { throw VaultError(.exportRuns) }
        if manifest.map == nil {
            // Of the manifests without a map none is to count any more once there is one: they would take any page.
            try VaultError.translating {
                try database.queue.write { try IndexState.raiseGeneration($0, above: recordedGeneration) }
            }
            try countAgain()
        }
        let generation = try generation()
        try VaultError.translating { try database.emptyLog() }
        do throws(VaultError) { try vouchForPages(generation) } catch {
            // SQLite begins an emptied log anew with the next write, and the map that counts needs what it holds.
            refuseWrites(error.systemError)
            throw error
        }
        try VaultError.translating { try database.cutLog() }
        let salt = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(Manifest.logSaltByteCount)
        }
        var next = manifest
        next.map = try mapOfPages()
        (next.generation, next.pageCount, next.logSalt) = (generation, database.storage.pageCount, salt)
        (next.syncedByteCount, next.isOpen) = (0, isOpen)
        try vouch(next)
        try VaultError.translating { try database.storage.renewLogSalt(salt) }
    }

    /// Writes what has changed of the map, and a manifest that names it and claims nothing of the log. The log is still
    /// whole; it is about to be shorter than the manifest says, which must not look like a cut.
    private func vouchForPages(_ generation: UInt64) throws(VaultError) {
        let hasChanges = database.storage.mapHasChanges
        guard hasChanges || manifest.syncedByteCount > 0 else { return }
        var next = manifest
        // On the owner's word the index may be behind; of two copies the newer one must count anyway.
        (next.generation, next.syncedByteCount) = (max(generation, manifest.generation), 0)
        guard hasChanges else { return try vouch(next) }
        // The nodes that are written now lie where those of the map before were, which another copy may still name.
        if !isMapInBothManifests { try vouch(next) }
        let root = try VaultError.translating { try database.storage.flushMap() }
        next.map = root.map { MapRoot($0) } ?? manifest.map
        try vouch(next)
        database.storage.adoptMap()
    }

    private var isMapInBothManifests: Bool {
        if let known = mapIsInBothManifests { return known }
        let isInBoth = manifestFile.isMapInBoth(manifest.map)
        mapIsInBothManifests = isInBoth
        return isInBoth
    }

    /// Returns what vouches for the pages once the log is empty: where nothing did, a map of them as they are. Without
    /// room for one there is none, and the next new log tries again.
    ///
    /// - Throws: what else keeps it from being made: somebody may have put something in its place.
    private func mapOfPages() throws(VaultError) -> MapRoot? {
        if let map = manifest.map { return map }
        let name = IndexFile.mapName(epoch: header.epoch)
        // Nothing vouches for what lies there.
        directory.remove(name)
        do throws(VaultError) {
            return MapRoot(try VaultError.translating { try database.storage.buildMap(name) })
        } catch {
            guard error.code == .readOnly else { throw error }
            return nil
        }
    }
}

extension MapRoot {
    init(_ root: PageMapRoot) { self.init(slot: root.slot, hash: root.hash) }
}

extension PageMapRoot {
    init(_ root: MapRoot) { self.init(slot: root.slot, hash: root.hash) }
}
