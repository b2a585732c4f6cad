// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// Which notes of the vault an import has to do with.
extension VaultStore {
    /// Notes that an import of this format took over when its keys still held the place that the export lay in: by their own names there.
    ///
    /// - Parameter place: where two imports took over one note, the one from here counts.
    public func importedNotes(withPlacesIn format: String, preferring place: String) throws(VaultError) -> [String: NoteID] {
        try read { database in
            let beginning = format + "\n" + place + "\n"
            var found: [String: NoteID] = [:]
            func take(_ source: String, _ note: NoteID) {
                guard source.utf8.starts(with: (format + "\n/").utf8), let cut = source.utf8.lastIndex(of: 0x0A) else { return }
                let name = String(source[source.utf8.index(after: cut)...])
                if found[name] == nil || source == beginning + name { found[name] = note }
            }
            // A place is a full path, so that they all lie beside each other in the index.
            let rows = try Row.fetchCursor(
                database, sql: "SELECT id, source FROM note WHERE source >= ? AND source < ?", arguments: [format + "\n/", format + "\n0"])
            while let row = try rows.next() { take(try row.text("source"), try NoteID(try row.bytes("id"))) }
            for (source, note) in try self.unlockedSources(database) { take(source, note) }
            return found
        }
    }

    /// Of these notes, the ones that the vault has.
    public func present(_ notes: some Collection<NoteID>) throws(VaultError) -> Set<NoteID> {
        try read { database in try Set(notes.filter { try self.isPresent(database, $0) }) }
    }

    func isPresent(_ database: Database, _ note: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM note WHERE id = ?").row([note.bytes.blob]) != nil
    }
}
