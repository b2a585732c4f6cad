// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

extension VaultStore {
    /// Makes lists, tags and search words again from the revisions, in one transaction: the old index stays until the new one is whole.
    ///
    /// - Returns: how many notes there are.
    /// - Throws: `VaultError.integrity` when a head cannot be opened.
    public func rebuildIndex() throws(VaultError) -> Int {
        try write { database in
            // The chain names each note's head; the list that is to be replaced is not asked.
            let heads = try self.headsOfChain(database)
            try Schema.recreateProjection(database)
            var state = try IndexState.fetch(database)
            state.live = 0
            state.trashed = 0
            state.fold = try Self.foldDigest()
            for (note, revision) in heads {
                guard let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([revision.bytes.blob])
                else { throw VaultError(.integrity) }
                let record = try self.records.open(try row.bytes("sealed"), note: note, revision: revision)
                try Self.insertProjection(database, &state, record, head: revision)
            }
            try state.save(database)
            return heads.count
        }
    }

    /// Each note's last revision in the order of the chain, so that the newest change gets the highest row.
    private func headsOfChain(_ database: Database) throws -> [(NoteID, RevisionID)] {
        var order: [NoteID: (position: Int, revision: RevisionID)] = [:]
        var position = 0
        let rows = try Row.fetchCursor(database, sql: "SELECT bytes FROM entry ORDER BY device, sequence")
        while let row = try rows.next() {
            let entry = try Entry(parsing: try row.bytes("bytes"))
            position += 1
            order[entry.noteID] = entry.operation == .purge ? nil : (position, entry.revisionID)
        }
        return order.sorted { $0.value.position < $1.value.position }.map { ($0.key, $0.value.revision) }
    }
}
