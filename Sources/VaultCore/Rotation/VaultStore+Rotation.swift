// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A rotation after its commit, in small durable steps: rows, then attachments' files, then all of it read back.
extension VaultStore {
    /// Whether something may still be under the key of the epoch before.
    public var isRotating: Bool { layer.previous != nil }

    /// What a step left to do.
    public enum RotationStep {
        case more
        /// A file to be sealed anew, on another thread; then `replace`.
        case file(RotatingFile)
        /// A file to be read back, on another thread; then `isReadBack`.
        case fileBack(RotatingFile)
        /// All is under the new key, has been read, and the old one is forgotten.
        case done
    }

    /// Does a little: at most 200 rows, or about 15 ms.
    ///
    /// - Throws: `VaultError.integrity` for what opens under neither key; the old one is kept then. `.readOnly`, `.saveFailed`.
    public func rotationStep() throws(VaultError) -> RotationStep {
        guard isRotating, let state = try read({ try RotationState.fetch($0) }) else { return .done }
        switch state.stage {
        case .rows: try resealRows(state)
        case .objects: if let file = try nextFile(state, isBack: false) { return .file(file) }
        case .pagesBack: try readPagesBack(state)
        case .rowsBack: try readRowsBack(state)
        case .objectsBack: if let file = try nextFile(state, isBack: true) { return .fileBack(file) }
        case .done:
            try forgetOldKey()
            return .done
        }
        return .more
    }

    /// How far it is: bytes, of the index and of attachments' files, each counted once for sealing and once for reading back.
    public func rotationProgress() -> (done: UInt64, total: UInt64, label: String)? {
        guard isRotating, let state = try? read({ try RotationState.fetch($0) }) else { return nil }
        let index = UInt64(database.storage.pageCount) * 4096
        let (before, share): (UInt64, UInt64) =
            switch state.stage {
            case .rows: (0, rowShare(state, index))
            case .objects: (index, min(state.done, state.total))
            case .pagesBack: (index + state.total, UInt64(clamping: state.number) * 2048)
            case .rowsBack: (index + state.total + index / 2, rowShare(state, index) / 2)
            case .objectsBack: (2 * index + state.total, min(state.done, state.total))
            case .done: (2 * (index + state.total), 0)
            }
        let isBack = state.stage.rawValue >= RotationState.Stage.pagesBack.rawValue
        return (min(before + share, 2 * (index + state.total)), 2 * (index + state.total), isBack ? "reading back" : "re-encrypting")
    }

    private func rowShare(_ state: RotationState, _ index: UInt64) -> UInt64 {
        guard let table = state.place.first.flatMap(SealedRows.init(rawValue:)) else { return 0 }
        guard table == .revisions, let last = try? read({ try Int64.fetchOne($0, sql: "SELECT max(rowid) FROM revision") }), last > 0 else {
            return index
        }
        let row = Int64.fromDatabaseValue(table.place(Array(state.place.dropFirst()))) ?? 0
        return UInt64(Double(index) * Double(max(0, min(row, last))) / Double(last))
    }

    // MARK: Rows

    private static let rowCountMax = 200

    private func resealRows(_ state: RotationState) throws(VaultError) {
        try write { database in
            var state = state
            let (table, after) = state.rows
            // The table that follows the files' own is theirs.
            guard let table, table != .attachments else {
                state.advance()
                return try state.save(database)
            }
            let values = try table.values(database, after: after, limit: Self.rowCountMax)
            let deadline = Machine.now + 12
            var last = after
            for value in values {
                if let sealed = try self.layer.renewed(value.sealed, value.layerPlaces) { try table.update(database, value, sealed) }
                last = value.place
                if Machine.now > deadline { break }
            }
            state.place = values.isEmpty ? [table.rawValue + 1] : [table.rawValue] + table.encoded(last)
            try state.save(database)
        }
    }

    private func readRowsBack(_ state: RotationState) throws(VaultError) {
        try write { database in
            var state = state
            let (table, after) = state.rows
            guard let table else {
                state.advance()
                return try state.save(database)
            }
            let values = try table.values(database, after: after, limit: 5 * Self.rowCountMax)
            let deadline = Machine.now + 12
            var last = after
            for value in values {
                guard value.layerPlaces.contains(where: { self.layer.openCurrent(value.sealed, $0) != nil }) else { throw VaultError(.integrity) }
                last = value.place
                if Machine.now > deadline { break }
            }
            state.place = values.isEmpty ? [table.rawValue + 1] : [table.rawValue] + table.encoded(last)
            try state.save(database)
        }
    }

    // MARK: Pages

    private static let pageCount: UInt32 = 2000

    private func readPagesBack(_ state: RotationState) throws(VaultError) {
        var state = state
        let storage = database.storage
        let first = UInt32(clamping: state.number) + 1
        let last = min(storage.pageCount, first &+ Self.pageCount)
        if first <= last { for number in first...last where !storage.pageIsAuthentic(number) { throw VaultError(.integrity) } }
        if last >= storage.pageCount { state.advance() } else { state.number = Int64(last) }
        try write { try state.save($0) }
    }

    // MARK: The end

    /// Everything has been read under the new key: the old one goes, and with it every file that only it could open.
    private func forgetOldKey() throws(VaultError) {
        while try removePendingObjects() {}
        try sweepObjects()
        try write { try $0.execute(sql: "DELETE FROM rotation") }
        let alone = try Self.mapErrors { try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch) }
        records = try Self.mapErrors { try RecordSealer(alone, keyring: records.keyring) }
        layer = alone
        // The log may still hold the page that the key's row was on.
        try startNewLog(isOpen: true)
        recordPin()
    }

    /// Files that no row names are under the old key or only half written, those in quarantine too: nobody could open them any more.
    private func sweepObjects() throws(VaultError) {
        let known = try read { database in
            Set(try Row.fetchAll(database, sql: "SELECT object FROM attachment").map { try $0.bytes("object") })
        }
        for object in objects.all().objects where !known.contains(object.bytes) && !unfinished.contains(object) { objects.remove(object) }
        objects.removeQuarantine()
    }
}

extension RotationState {
    /// The table and the row where the stage goes on; no table at its end.
    fileprivate var rows: (SealedRows?, DatabaseValue) {
        guard let first = place.first else { return (.revisions, SealedRows.revisions.begin) }
        guard let table = SealedRows(rawValue: first) else { return (nil, .null) }
        return (table, place.count == 1 ? table.begin : table.place(Array(place.dropFirst())))
    }

    /// The stage's place as a number; 0 is before the first.
    var number: Int64 {
        get { Int64(clamping: place.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
        set { place = (0..<8).map { UInt8(truncatingIfNeeded: newValue >> Int64(56 - 8 * $0)) } }
    }
}
