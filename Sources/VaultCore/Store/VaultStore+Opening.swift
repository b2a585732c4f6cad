// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// What happens between a key that opened and a vault that can be used.
extension VaultStore {
    /// Brings an older index to this program's tables. Of schema 1 lists and search words are made anew; a crash in between leaves the mark
    /// that says so, an empty fold. Folded texts are made in parts; a crash in between leaves schema 4, and they are begun anew.
    func upgradeSchema() throws(VaultError) {
        let state = try read { try IndexState.fetch($0) }
        guard state.schema < Schema.version || state.fold.isEmpty else { return }
        guard !isReadOnly else { throw VaultError(.readOnly) }
        if state.schema < Schema.version {
            let fold = try Self.mapErrors { try Self.foldDigest() }
            // Where the projections are made anew below the texts are too: an empty fold may stand for lists that lack what says of a note that it is private.
            let isMadeAnew = state.schema < 2 || state.fold != fold
            try Self.mapErrors {
                try database.queue.write { try Schema.upgrade($0, from: state.schema, epoch: header.epoch, isMadeAnew: isMadeAnew) }
            }
            var last: Int64 = isMadeAnew ? .max : 0
            while last < .max { last = try addFolded(after: last) }
            try write { try $0.execute(sql: "UPDATE state SET schema = ?", arguments: [Schema.version]) }
        }
        try refreshFold()
    }

    /// The folded texts of some notes. Of a note that cannot be read there is an empty one: the vault opens, and a check names the note.
    ///
    /// - Returns: the last row; the highest there can be at the end.
    private func addFolded(after last: Int64) throws(VaultError) -> Int64 {
        let notes = try read { database in
            try Row.fetchAll(
                database, sql: "SELECT row, id, head FROM note WHERE row > ? AND features & ? = 0 ORDER BY row LIMIT 200",
                arguments: [last, NoteFeatures.isPrivate.rawValue]
            ).map { (row: try $0.integer(at: 0), id: try NoteID($0.bytes(at: 1)), head: try RevisionID($0.bytes(at: 2))) }
        }
        var texts: [(row: Int64, text: [UInt8]?)] = []
        var byteCount = 0
        // Notes may be long: a part has so many that it needs no more memory and log than they.
        for note in notes where byteCount < Self.foldedByteCountMax {
            texts.append((note.row, try foldedText(of: note.id, note.head)))
            byteCount += texts.last?.text?.count ?? 0
        }
        try write { database in
            for case (let row, let text?) in texts {
                try database.cachedStatement("INSERT INTO folded(row, text) VALUES(?, ?)")
                    .execute(arguments: [row, String(decoding: text, as: UTF8.self)])
            }
        }
        return texts.last?.row ?? .max
    }

    private static let foldedByteCountMax = 4 << 20

    /// Read outside of the transaction, which a page that does not open would end.
    ///
    /// - Returns: a line feed alone for what is damaged; nil for a private note, whatever the lists say of it.
    private func foldedText(of note: NoteID, _ head: RevisionID) throws(VaultError) -> [UInt8]? {
        do throws(VaultError) {
            let shown = try read { try self.projected($0, note, head) }
            return shown.isPrivate ? nil : NoteText(shown.record).indexed
        } catch {
            // Anything else may pass, and would be taken for a note without words for good.
            guard error.code == .integrity else { throw error }
            return [0x0A]
        }
    }

    static func openIndex(
        _ directory: VaultDirectory, header: UnverifiedHeader, keys: VaultKeys, manifest: Manifest
    ) throws(VaultError) -> SealedDatabase {
        try mapErrors {
            let storage = try Self.storage(directory, header: header, keys: keys, logSalt: manifest.logSalt, creating: false)
            // After a clean close the log is empty and the file has its size: an old or emptied file shows here.
            // It never shrinks, so after a crash it has at least the pages that it had. A part of a page may stand at its end only while
            // the log holds that page.
            let endsWell = storage.hasWholePages || storage.logByteCount > 0
            let isWhole = endsWell && storage.pageCount >= manifest.pageCount
            let isAsClosed = storage.logByteCount == 0 && storage.pageCount == manifest.pageCount
            guard isWhole, manifest.isOpen || isAsClosed else { throw VaultError(.integrity) }
            return try SealedDatabase(storage, syncedByteCount: manifest.syncedByteCount) { $0.add(tokenizer: GramTokenizer.self) }
        }
    }

    static func check(_ database: SealedDatabase, against manifest: Manifest) throws(VaultError) -> ([UInt8], UInt64) {
        // Tables that are not there mean that pages were put in their place.
        let state: IndexState
        do throws(VaultError) {
            state = try mapErrors { try database.queue.inDatabase { try IndexState.fetch($0) } }
        } catch {
            throw error.code == .system ? error : VaultError(.integrity)
        }
        guard state.schema <= Schema.version else { throw VaultError(.newerFormat) }
        // Every page may be authentic and still old: the manifest says how far this index had come.
        guard state.generation >= manifest.generation else { throw VaultError(.integrity) }
        return (state.device, state.generation)
    }

    /// Recovery is done under the old log salt; from here a new log under a new one. On a disk that refuses, the vault opens for reading.
    func begin(acceptedOver pin: Pin?) throws(VaultError) {
        guard database.storage.isWritable else {
            isReadOnly = true
            return
        }
        pinToAccept = pin
        do throws(VaultError) { try beginWriting() } catch {
            guard error.code == .readOnly || error.code == .saveFailed else { throw error }
            isReadOnly = true
            refusal = error.systemError
        }
        layReserve()
        // What was not accepted on disk is not accepted in the pin either.
        if !isReadOnly { recordPin() }
    }

    /// What must stand on disk before the first note is written.
    func beginWriting() throws(VaultError) {
        // An empty log first: whatever is written before would stand in a log that the old manifest speaks of.
        try startNewLog(isOpen: true)
        if let pin = pinToAccept {
            try acceptRollback(over: pin)
            try startNewLog(isOpen: true)
            pinToAccept = nil
        }
        try mendHeaders()
        try discardOtherEpochs()
    }

    private func acceptRollback(over pin: Pin) throws(VaultError) {
        if header.counter <= pin.counter {
            let (raised, isOver) = pin.counter.addingReportingOverflow(1)
            guard !isOver else { throw VaultError(.integrity) }
            try changeHeader { $0.counter = raised }
        }
        try Self.mapErrors {
            try database.queue.write { try IndexState.raiseGeneration($0, above: pin.generation) }
        }
        recordedGeneration = try generation()
    }

    /// Two equal copies of the header, whichever was damaged or older.
    private func mendHeaders() throws(VaultError) {
        let bytes = header.encoded
        for name in HeaderFile.names {
            let copy = try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax)
            if copy != bytes { try directory.replace(name, with: bytes) }
        }
        headerSeen = nil
    }

    /// What is looked for is folded as this program folds: another fold needs other texts and another search index, before the first write.
    func refreshFold() throws(VaultError) {
        guard !foldIsKnown else { return }
        foldIsKnown = true
        let stored = try read { try IndexState.fetch($0).fold }
        let current = try Self.mapErrors { try Self.foldDigest() }
        if stored != current { _ = try rebuildIndex() }
    }
}
