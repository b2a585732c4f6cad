// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// These functions do what happens between a key that opened and a vault that can be used.
extension OpenVault {
    /// Unlocks a probed vault and opens its index.
    ///
    /// - Throws: `VaultError` with `.wrongPassword` before a slot has opened, `.integrity` after, `.busy`, `.rollback`,
    ///   `.oldHeader`, `.otherHistory`.
    public convenience init(_ probe: VaultProbe, _ credential: borrowing Credential) throws(VaultError) {
        try self.init(probe) { () throws(VaultError) in try probe.unlock(credential) }
    }

    /// Opens a probed vault with keys that are known.
    ///
    /// - Parameter headerDigest: of the one header that may be there.
    /// - Throws: `VaultError.integrity` when it is another one, `.otherVault`, `.busy`, `.rollback`.
    convenience init(
        _ probe: VaultProbe, _ keys: VaultKeys, headerDigest: [UInt8], opened: OpenedKeyslot
    ) throws(VaultError) {
        try self.init(probe) { () throws(VaultError) in
            try probe.unlock(keys, headerDigest: headerDigest, opened)
        }
    }

    private convenience init(
        _ probe: VaultProbe, unlocking unlock: () throws(VaultError) -> VaultProbe.Unlocked
    ) throws(VaultError) {
        try probe.directory.lock()
        var unlocked: VaultProbe.Unlocked?
        do throws(VaultError) {
            try probe.takeLease()
            try probe.look()
            let found = try unlock()
            unlocked = found
            try self.init(probe: probe, header: found.header, keys: found.keys, opened: found.opened)
        } catch {
            // Before a slot has opened nothing tells what belongs to this vault.
            let told = unlocked.map { probe.explained(error, $0.header, $0.keys) } ?? error
            probe.giveBack()
            throw told
        }
    }

    /// Brings an older index to this program's tables. Of schema 1 lists and search words are made anew; a crash in
    /// between leaves the mark that says so, an empty fold. Folded texts are made in parts; a crash in between leaves
    /// schema 4, and they are begun anew.
    func upgradeSchema() throws(VaultError) {
        let state = try read { try IndexState.fetch($0.database) }
        guard state.schema < Schema.version || state.fold.isEmpty else { return }
        guard !isReadOnly else {
            // What schemas 5 to 8 lack nobody needs to read them.
            if state.schema >= 5, !state.fold.isEmpty { return }
            throw VaultError(.readOnly)
        }
        if state.schema < 5 {
            let fold = try VaultError.translating { try IndexFile.foldDigest() }
            // Where the projections are made anew below the texts are too: an empty fold may stand for lists that lack
            // what says of a note that it is private.
            let isMadeAnew = state.schema < 2 || state.fold != fold
            try VaultError.translating {
                try database.queue.write {
                    try Schema.upgrade($0, from: state.schema, epoch: header.epoch, isMadeAnew: isMadeAnew)
                }
            }
            var last: Int64 = isMadeAnew ? .max : 0
            while last < .max { last = try addFolded(after: last) }
        }
        if state.schema < Schema.version {
            try write { transaction in
                if state.schema < Schema.firstWithSpares { try SpareTable.create(transaction.database) }
                if state.schema < Schema.firstWithDevices { try Schema.addDevices(transaction.database) }
                try Schema.addStatements(transaction.database)
                try Schema.addUnindexed(transaction.database)
                try Schema.addBooks(transaction.database)
                try transaction.database.execute(sql: "UPDATE state SET schema = ?", arguments: [Schema.version])
            }
        }
        try refreshFold()
    }

    /// Writes the folded texts of some notes. Of a note that cannot be read there is an empty one: the vault opens, and
    /// a check names the note.
    ///
    /// - Returns: the last row; the highest there can be at the end.
    private func addFolded(after last: Int64) throws(VaultError) -> Int64 {
        let notes = try read { index in
            try Row.fetchAll(
                index.database,
                sql: "SELECT row, id, head FROM note WHERE row > ? AND features & ? = 0 ORDER BY row LIMIT 200",
                arguments: [last, NoteFeatures.isPrivate.rawValue]
            ).map {
                (row: try $0.integer(at: 0), id: try NoteID($0.bytes(at: 1)), head: try RevisionID($0.bytes(at: 2)))
            }
        }
        var texts: [(row: Int64, text: [UInt8]?)] = []
        var byteCount = 0
        // Notes may be long: a part has so many that it needs no more memory and log than they.
        for note in notes where byteCount < Self.foldedByteCountMax {
            texts.append((note.row, try foldedText(of: note.id, note.head)))
            byteCount += texts.last?.text?.count ?? 0
        }
        try write { transaction in
            for case (let row, let text?) in texts {
                try transaction.database.cachedStatement("INSERT INTO folded(row, text) VALUES(?, ?)")
                    .execute(arguments: [row, String(decoding: text, as: UTF8.self)])
            }
        }
        return texts.last?.row ?? .max
    }

    private static let foldedByteCountMax = 4 << 20

    /// Returns a note's folded text. It is read outside of the transaction, which a page that does not open would end.
    ///
    /// - Returns: a line feed alone for what is damaged; nil for a private note, whatever the lists say of it.
    private func foldedText(of note: NoteID, _ head: RevisionID) throws(VaultError) -> [UInt8]? {
        do throws(VaultError) {
            let shown = try read { try $0.projected(note, head) }
            return shown.isPrivate ? nil : NoteText(shown.record).indexed
        } catch {
            // Anything else may pass, and would be taken for a note without words for good.
            guard error.code == .integrity else { throw error }
            return [0x0A]
        }
    }

    /// Begins a new log under a new salt; recovery is done under the old one. On a disk that refuses, the vault opens
    /// for reading.
    func begin(acceptedOver pin: Pin?) throws(VaultError) {
        guard database.storage.isWritable else {
            refuseWrites()
            return
        }
        pinToAccept = pin
        do throws(VaultError) { try beginWriting() } catch {
            guard error.code == .readOnly || error.code == .saveFailed else { throw error }
            refuseWrites(error.systemError)
        }
        layReserve()
        // What was not accepted on disk is not accepted in the pin either.
        if !isReadOnly {
            recordPin()
            if pinIsRecorded { pins.endRestore(at: directory.canonicalPath) }
        }
    }

    /// Writes what must stand on disk before the first note is written.
    func beginWriting() throws(VaultError) {
        // Before the first manifest: a rotation that a crash has ended between the header's copies leaves one of the
        // epoch before, which would find no manifest of its own any more.
        try current.mendCopies(keys)
        // An empty log first: whatever is written before would stand in a log that the old manifest speaks of.
        try startNewLog(isOpen: true)
        if pinToAccept != nil || headerAtOpening.counterToPass > 0 {
            try acceptRollback()
            try startNewLog(isOpen: true)
            pinToAccept = nil
        } else if headerAtOpening.isUnrecorded {
            try recordHeaderInIndex()
            try startNewLog(isOpen: true)
        }
        headerAtOpening = HeaderAtOpening()
        if let passed = generationToPass {
            // Entries may be lost: after a crash from here on what the pin knows of them is not to keep the owner out.
            pins.forgetChain(of: header.identity)
            try VaultError.translating {
                try database.queue.write { try IndexState.raiseGeneration($0, above: passed) }
            }
            try countAgain()
            try startNewLog(isOpen: true)
            generationToPass = nil
        }
        try discardOtherEpochs()
    }

    private func acceptRollback() throws(VaultError) {
        let passed = max(pinToAccept?.counter ?? 0, headerAtOpening.counterToPass)
        if header.counter <= passed {
            let (raised, isOver) = passed.addingReportingOverflow(1)
            guard !isOver else { throw VaultError(.integrity) }
            try changeHeader { $0.counter = raised }
        }
        guard let pin = pinToAccept else { return }
        try VaultError.translating {
            try database.queue.write { try IndexState.raiseGeneration($0, above: pin.generation) }
        }
        try countAgain()
    }

    /// Makes folded texts and the search index anew where they were folded in another way. What is looked for is folded
    /// as this program folds: another fold needs other texts and another search index, before the first write.
    func refreshFold() throws(VaultError) {
        guard !foldIsKnown else { return }
        foldIsKnown = true
        let stored = try read { try IndexState.fetch($0.database).fold }
        let current = try VaultError.translating { try IndexFile.foldDigest() }
        if stored != current { _ = try checks.rebuildIndex() }
    }

    // MARK: The header on disk, and what belongs to it

    /// Refuses to go on when another program has put another header in place (`CurrentHeader`).
    ///
    /// - Throws: `VaultError.keysChanged` (ThreatModel D03); from then on nothing is written, not even at the end.
    public func requireOurHeader() throws(VaultError) {
        try requireOurIndex()
        try current.requireOurs()
    }

    /// Changes the present header, with a counter one higher.
    ///
    /// While a rotation runs its row is bound to the counter, and the row comes first: one that is ahead of the header
    /// counts, one that is behind belongs to a rotation that has ended.
    func changeHeader(bindsRotation: Bool = true, _ body: (inout UnverifiedHeader) -> Void) throws(VaultError) {
        let next = try header.changed(keys: keys, body)
        // What no reader takes would be a vault that nobody opens again.
        _ = try HeaderFile.copy(next.encoded)
        if isRotating, bindsRotation { try write { try $0.bindRotation(to: next.counter) } }
        try replaceHeader(next)
        recordHeader()
        recordPin()
    }

    /// Removes what a rotation has left of another epoch: an index that no header ever named, or the one that was
    /// replaced. Only the header says which index counts; a file alone says nothing (ThreatModel D01).
    func discardOtherEpochs() throws(VaultError) {
        let ours = IndexFile.name(epoch: header.epoch)
        let files = [ours, ours + "-wal", IndexFile.mapName(epoch: header.epoch)]
        // What cannot be listed now is removed at another opening; the vault opens anyway.
        guard let names = try? directory.names() else { return }
        let left = names.filter { name in
            // Only names of our own making, and nothing damaged that was kept: a rescued index or another machine's
            // copy may hold notes.
            (IndexFile.isOurs(name) && !files.contains(name) && !IndexFile.isKept(name))
                // A repair that did not come to its end.
                || name == ours + ".new"
                || ManifestFile.nextNames.contains(name)
        }
        guard !left.isEmpty else { return }
        try requireOurHeader()
        // The header first: after a power cut it must not be the one of before.
        guard directory.sync() else { throw VaultDirectory.failure() }
        for name in left { directory.remove(name) }
    }
}
