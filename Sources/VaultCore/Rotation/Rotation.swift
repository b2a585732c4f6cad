// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `Rotation` does what a rotation has to do after its commit, in small durable steps: rows, then attachments' files,
/// then all of it read back.
public struct Rotation {
    let vault: OpenVault

    /// A `RotationStep` says what a step left to do.
    public enum RotationStep {
        case more
        /// A file to be sealed anew and read back, on another thread; then `replace`.
        case file(RotatingFile)
        /// All is under the new key, has been read, and the old one is forgotten.
        case done
    }

    /// Does a little: at most 200 rows, or about 15 ms.
    ///
    /// - Throws: `VaultError.integrity` at the end for what opens under neither key; all else is sealed anew then, and
    ///   the old one is kept. `.readOnly`, `.saveFailed`.
    public func step() throws(VaultError) -> RotationStep {
        guard vault.isRotating else { return .done }
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        guard let state = try vault.read({ try RotationState.fetch($0.database) }) else { throw VaultError(.integrity) }
        do throws(VaultError) {
            switch state.stage {
            case .rows: try resealRows(state)
            case .objects: if let file = try nextFile(state) { return .file(file) }
            case .pagesBack: try readPagesBack(state)
            case .rowsBack: try readRowsBack(state)
            case .objectsBack: try lookAtFiles(state)
            case .done: if try forgetOldKey() { return .done }
            }
        } catch {
            if error.code == .integrity { try beginAgain() }
            throw error
        }
        return .more
    }

    /// Begins the rotation again where something was not as it should be: whether it was the disk for a moment, or is
    /// mended meanwhile, the next try sees all of it again.
    private func beginAgain() throws(VaultError) {
        try vault.write { transaction in
            guard var state = try RotationState.fetch(transaction.database) else { return }
            (state.stage, state.place, state.done) = (.rows, [], 0)
            try state.save(transaction.database)
        }
    }

    /// Returns how far it is, in bytes: of the index once for sealing and once for reading back, of attachments' files
    /// once for both.
    public func progress() -> (done: UInt64, total: UInt64, label: String)? {
        guard vault.isRotating, let state = try? vault.read({ try RotationState.fetch($0.database) }) else {
            return nil
        }
        let index = UInt64(vault.database.storage.pageCount) * 4096
        // A row of sizes that somebody made up must not trap.
        let files = min(state.total, 1 << 60)
        let (before, share): (UInt64, UInt64) =
            switch state.stage {
            case .rows: (0, rowShare(state, index))
            case .objects: (index, min(state.done, files))
            case .pagesBack: (index + files, UInt64(clamping: max(0, min(state.number, 1 << 40))) * 2048)
            case .rowsBack: (index + files + index / 2, rowShare(state, index) / 2)
            case .objectsBack, .done: (2 * index + files, 0)
            }
        let isBack = state.stage.rawValue >= RotationState.Stage.pagesBack.rawValue
        return (min(before + share, 2 * index + files), 2 * index + files, isBack ? "reading back" : "re-encrypting")
    }

    private func rowShare(_ state: RotationState, _ index: UInt64) -> UInt64 {
        guard let table = state.place.first.flatMap(SealedRows.init(rawValue:)) else { return 0 }
        guard table == .revisions,
            let last = try? vault.read({ try Int64.fetchOne($0.database, sql: "SELECT max(rowid) FROM revision") }),
            last > 0
        else {
            return index
        }
        let row = Int64.fromDatabaseValue(table.place(Array(state.place.dropFirst()))) ?? 0
        return UInt64(Double(index) * Double(max(0, min(row, last))) / Double(last))
    }

    // MARK: Rows

    /// Sealed bytes of one step: a row may have many megabytes.
    private static let rowByteCountMax = 4 << 20

    private func resealRows(_ state: RotationState) throws(VaultError) {
        try walkRows(state, to: .attachments, rowCountMax: 200) { database, table, value in
            // What opens under neither key is found again when all is read back; everything else must not wait for it.
            guard let sealed = try? vault.layer.renewed(value.sealed, value.layerPlaces) else { return }
            try table.update(database, value, sealed)
        }
    }

    private func readRowsBack(_ state: RotationState) throws(VaultError) {
        // Nothing is changed, so many rows wait for the disk once.
        try walkRows(state, to: nil, rowCountMax: 5000) { _, _, value in
            guard value.layerPlaces.contains(where: { vault.layer.isCurrent(value.sealed, $0) }) else {
                throw VaultError(.integrity)
            }
        }
    }

    /// Goes through some rows of the stage's table, one at a time.
    ///
    /// - Parameter end: the table that ends the stage; nil for the last.
    private func walkRows(
        _ state: RotationState, to end: SealedRows?, rowCountMax: Int,
        _ body: (Database, SealedRows, SealedRows.Value) throws -> Void
    ) throws(VaultError) {
        try vault.write { transaction in
            var state = state
            var (table, place) = state.rows
            guard let current = table, current != end else {
                state.advance()
                return try state.save(transaction.database)
            }
            if place == current.begin { try current.removeOrphans(transaction.database) }
            let deadline = Machine.now + 12
            var byteCount = 0
            for _ in 0..<rowCountMax {
                guard let value = try current.value(transaction.database, after: place) else {
                    table = nil
                    break
                }
                try body(transaction.database, current, value)
                place = value.place
                byteCount += value.sealed.count
                if Machine.now > deadline || byteCount > Self.rowByteCountMax { break }
            }
            state.place = table == nil ? [current.rawValue + 1] : [current.rawValue] + current.encoded(place)
            try state.save(transaction.database)
        }
    }

    // MARK: Pages

    private static let pageCount: UInt32 = 2000

    private func readPagesBack(_ state: RotationState) throws(VaultError) {
        var state = state
        let storage = vault.database.storage
        let before = UInt32(clamping: state.number)
        let last = min(storage.pageCount, before.addingReportingOverflow(Self.pageCount).partialValue)
        guard before < last else {
            state.advance()
            return try vault.write { try state.save($0.database) }
        }
        for number in (before + 1)...last where !storage.pageIsAuthentic(number) { throw VaultError(.integrity) }
        if last >= storage.pageCount { state.advance() } else { state.number = Int64(last) }
        try vault.write { try state.save($0.database) }
    }

    // MARK: The end

    private static let removedCountMax = 100

    /// Forgets the old key when everything has been read under the new one, and removes every file that only it could
    /// open, some at a time.
    ///
    /// - Returns: whether it is gone.
    private func forgetOldKey() throws(VaultError) -> Bool {
        if try vault.attachments.removePending(limit: Self.removedCountMax) { return false }
        if try sweepObjects() { return false }
        let left = try vault.read {
            try Int64.fetchOne($0.database, sql: "SELECT count(*) FROM attachment WHERE epoch <> \(vault.header.epoch)")
                ?? 0
        }
        guard left == 0 else { throw VaultError(.integrity) }
        try vault.forgetPreviousKey()
        return true
    }

    /// Removes files that no row names. They are under the old key or only half written, those in quarantine too:
    /// nobody could open them any more. Where an index that names them may have been lost they stay: some may be under
    /// the new key.
    ///
    /// - Returns: whether there are more.
    private func sweepObjects() throws(VaultError) -> Bool {
        try vault.requireOurHeader()
        guard try vault.whyUnnamedFilesStay() == nil else { return false }
        let known = try vault.read { index in
            Set(try Row.fetchAll(index.database, sql: "SELECT object FROM attachment").map { try $0.bytes("object") })
        }
        let orphans = try vault.objects.all().objects.filter {
            !known.contains($0.bytes) && !vault.unfinished.contains($0)
        }
        for object in orphans.prefix(Self.removedCountMax) { vault.objects.remove(object) }
        guard orphans.count <= Self.removedCountMax else { return true }
        return try vault.objects.removeQuarantine(limit: Self.removedCountMax)
    }
}

extension OpenVault {
    /// Whether something may still be under the key of the epoch before.
    public var isRotating: Bool { layer.previous != nil }

    /// Removes the row of a rotation that has ended, and the log that may still hold it.
    func dropEndedRotation() throws(VaultError) {
        guard !isRotating, !isReadOnly, try read({ try RotationState.fetch($0.database) }) != nil else { return }
        try write { try $0.database.execute(sql: "DELETE FROM rotation") }
        try startNewLog(isOpen: true)
        recordPin()
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
