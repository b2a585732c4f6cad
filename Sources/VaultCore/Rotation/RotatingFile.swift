// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import Glibc
public import SealedObjects
internal import VaultCrypto
public import VaultFormat

/// An attachment's file on its way to the next key, or to be read back under it: the vault's layer alone, so no note's password is needed.
public final class RotatingFile: @unchecked Sendable {
    public let note: NoteID
    public let byteCount: UInt64
    fileprivate let row: Int64
    fileprivate let record: AttachmentRecord
    /// The new file; nil when it is only read.
    fileprivate let target: NewObject?
    private let source: Int32
    private let layer: SealLayer

    fileprivate init(_ row: Int64, _ record: AttachmentRecord, _ source: Int32, _ layer: SealLayer, _ target: NewObject?) {
        (self.row, self.record, self.source, self.layer, self.target) = (row, record, source, layer, target)
        (note, byteCount) = (record.noteID, record.fileByteCount)
    }

    deinit { close(source) }

    /// Seals it anew, or reads it back. On any thread.
    ///
    /// - Returns: the new file's commitment; empty when it was only read.
    public func work(_ goesOn: (UInt64) -> Bool) -> Result<[UInt8], ObjectError> {
        do throws(ObjectError) {
            guard let target else {
                let reader = try ObjectReader(outerLayerOf: source, layer, fileByteCount: record.fileByteCount, commitment: record.commitment)
                try reader.readWhole(progress: goesOn)
                return .success([])
            }
            return .success(
                try ObjectRenewal.copy(
                    source, layer, fileByteCount: record.fileByteCount, commitment: record.commitment, to: target.descriptor, target.layers[0],
                    progress: goesOn))
        } catch { return .failure(error) }
    }
}

extension VaultStore {
    /// The next attachment of a stage; nil when there is none, and then the next stage is begun.
    func nextFile(_ state: RotationState, isBack: Bool) throws(VaultError) -> RotatingFile? {
        let found = try read { database in
            let condition = isBack ? "" : "AND epoch < \(self.header.epoch)"
            return try Row.fetchOne(
                database, sql: "SELECT rowid, id, note FROM attachment WHERE rowid > ? \(condition) ORDER BY rowid LIMIT 1",
                arguments: [state.number])
        }
        guard let found else {
            var next = state
            next.advance()
            try write { try next.save($0) }
            return nil
        }
        return try read { database in
            let (id, note) = (try AttachmentID(try found.bytes("id")), try NoteID(try found.bytes("note")))
            let (record, _, epoch) = try self.stored(database, id, of: note)
            guard let source = try self.objects.open(record.object) else { throw VaultError(.integrity) }
            let target: NewObject?
            let layer: SealLayer
            do {
                layer = try self.sealer.outerLayer(record.object, id, epoch: isBack ? self.header.epoch : epoch)
                target = isBack ? nil : try NewObject(id, note: note, in: self.objects, self.unfinished, self.sealer, nil)
            } catch {
                Glibc.close(source)
                throw error
            }
            return RotatingFile(found["rowid"], record, source, layer, target)
        }
    }

    /// Puts a file that is sealed anew in the place of its old one, which is removed after the transaction.
    public func replace(_ file: RotatingFile, commitment: [UInt8]) throws(VaultError) {
        guard let target = file.target else { return }
        try target.sync()
        let isKept = try write { database -> Bool in
            guard var state = try RotationState.fetch(database) else { throw VaultError(.noRotation) }
            state.number = file.row
            state.done += file.byteCount
            try state.save(database)
            // It may have gone meanwhile, or come under another key of its note; then it is under the vault's new key already.
            let row = try database.cachedStatement("SELECT note, object FROM attachment WHERE id = ?").row([file.record.id.bytes.blob])
            guard let row, try row.bytes("object") == file.record.object.bytes else { return false }
            var (record, _, _) = try self.stored(database, file.record.id, of: NoteID(try row.bytes("note")))
            record.object = target.object
            record.commitment = commitment
            try self.unlinkLater(database, file.record.object.bytes)
            // Its place in the table stays: the next one is found by it.
            try database.cachedStatement("UPDATE attachment SET object = ?, sealed = ?, epoch = ? WHERE id = ?").execute(arguments: [
                record.object.bytes.blob, try self.sealer.seal(record).blob, Int64(target.epoch), record.id.bytes.blob,
            ])
            return true
        }
        if isKept { target.keep() }
        // Not after each one: a removal waits for the disk twice.
        if file.row % 16 == 0 { try removePendingObjects() }
    }

    /// A file has been read to its end under the new key.
    public func isReadBack(_ file: RotatingFile) throws(VaultError) {
        try write { database in
            guard var state = try RotationState.fetch(database) else { throw VaultError(.noRotation) }
            state.number = file.row
            state.done += file.byteCount
            try state.save(database)
        }
    }
}
