// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import Glibc
public import SealedObjects
internal import VaultCrypto
public import VaultFormat

/// A `RotatingFile` is an attachment's file on its way to the next key: the vault's layer alone, so no note's password
/// is needed.
public final class RotatingFile: @unchecked Sendable {
    public let note: NoteID
    public let byteCount: UInt64
    fileprivate let row: Int64
    fileprivate let record: AttachmentRecord
    fileprivate let target: NewObject
    private let source: Int32
    private let layer: SealLayer

    fileprivate init(_ row: Int64, _ record: AttachmentRecord, _ source: Int32, _ layer: SealLayer, _ target: NewObject)
    {
        (self.row, self.record, self.source, self.layer, self.target) = (row, record, source, layer, target)
        (note, byteCount) = (record.noteID, record.fileByteCount)
    }

    deinit { close(source) }

    /// Seals it again, waits for the disk, and reads the new file back to its end. On any thread.
    ///
    /// Only then may the old file be removed.
    ///
    /// - Returns: the new file's commitment.
    public func work(_ goesOn: (UInt64) -> Bool) -> Result<[UInt8], ObjectError> {
        do throws(ObjectError) {
            let commitment = try ObjectRenewal.copy(
                source, layer, fileByteCount: byteCount, commitment: record.commitment, to: target.descriptor,
                target.layers[0], progress: goesOn)
            guard fsync(target.descriptor) == 0 else { throw ObjectError(.io, systemError: errno) }
            // From the disk, not from what the system remembers of the writing, as far as it lets us.
            posix_fadvise(target.descriptor, 0, 0, POSIX_FADV_DONTNEED)
            let whole = byteCount
            try ObjectReader(
                outerLayerOf: target.descriptor, target.layers[0], fileByteCount: byteCount, commitment: commitment
            )
            .readWhole { _ in goesOn(whole) }
            return .success(commitment)
        } catch { return .failure(error) }
    }
}

extension Rotation {
    /// Returns the next attachment that is under the key before; nil when there is none, and then the next stage is
    /// begun.
    ///
    /// A file that is missing or not the one that its record names is passed over: it is found again when all is read
    /// back.
    func nextFile(_ state: RotationState) throws(VaultError) -> RotatingFile? {
        let found = try vault.read { index in
            try Row.fetchOne(
                index.database,
                sql: "SELECT rowid, id, note FROM attachment WHERE rowid > ? AND epoch <> ? ORDER BY rowid LIMIT 1",
                arguments: [state.number, Int64(vault.header.epoch)])
        }
        var next = state
        guard let found else {
            next.advance()
            try vault.write { try next.save($0.database) }
            return nil
        }
        let row: Int64 = found["rowid"]
        if let file = try rotatingFile(found, row) { return file }
        next.number = row
        try vault.write { transaction in
            try renewRecord(found, transaction)
            try next.save(transaction.database)
        }
        return nil
    }

    /// Seals the record of an attachment anew whose object another device has and this one never brought: there is no
    /// file to be sealed. In a vault without a remote a file that is not there is lost.
    private func renewRecord(_ found: Row, _ transaction: Transaction) throws {
        let (id, note) = (try AttachmentID(try found.bytes("id")), try NoteID(try found.bytes("note")))
        guard try Self.mayBeElsewhere(transaction.database), let (record, _, _) = try? transaction.stored(id, of: note),
            try vault.objects.open(record.object).map({ Glibc.close($0) }) == nil
        else { return }
        try transaction.insert(record, epoch: vault.header.epoch)
    }

    private static func mayBeElsewhere(_ database: Database) throws -> Bool {
        try Row.fetchOne(database, sql: "SELECT 1 FROM remote LIMIT 1") != nil
    }

    private func rotatingFile(_ found: Row, _ row: Int64) throws(VaultError) -> RotatingFile? {
        try vault.read { index in
            let (id, note) = (try AttachmentID(try found.bytes("id")), try NoteID(try found.bytes("note")))
            guard let (record, _, epoch) = try? index.stored(id, of: note),
                let layer = try? index.sealer.outerLayer(record.object, id, epoch: epoch),
                let source = try? vault.objects.open(record.object)
            else { return nil }
            do {
                let target = try NewObject(id, note: note, in: vault.objects, vault.unfinished, index.sealer, nil)
                return RotatingFile(row, record, source, layer, target)
            } catch {
                Glibc.close(source)
                throw error
            }
        }
    }

    /// Puts a file that is sealed anew in the place of its old one, which is removed after the transaction.
    public func replace(_ file: RotatingFile, commitment: [UInt8]) throws(VaultError) {
        let target = file.target
        try target.sync()
        // If the transaction fails nobody knows whether it will be there after a crash: then a file too many is better
        // than one too few.
        target.keep()
        let isNamed = try vault.write { transaction -> Bool in
            guard var state = try RotationState.fetch(transaction.database) else { throw VaultError(.noRotation) }
            state.number = file.row
            state.done += min(file.byteCount, 1 << 60)
            try state.save(transaction.database)
            // It may have gone meanwhile, or come under another key of its note; then it is under the vault's new key
            // already.
            let row = try transaction.database.cachedStatement("SELECT note, object FROM attachment WHERE id = ?").row([
                file.record.id.bytes.blob
            ])
            guard let row, try row.bytes("object") == file.record.object.bytes else { return false }
            var (record, _, _) = try transaction.stored(file.record.id, of: NoteID(try row.bytes("note")))
            record.object = target.object
            record.commitment = commitment
            try transaction.unlinkLater(file.record.object.bytes)
            // Each device puts its files again, and who ended the epoch removes those of before that it had itself.
            if try FormerEpoch.fetch(transaction.database)?.0.beginning == .own {
                try transaction.leaveObject(of: file.record, epoch: target.epoch - 1)
            }
            try transaction.insert(record, epoch: target.epoch)
            return true
        }
        guard isNamed else { return target.drop() }
        vault.replacedFiles = (
            vault.replacedFiles.count + 1, vault.replacedFiles.byteCount + min(file.byteCount, 1 << 50)
        )
        // Not after each one: a removal waits for the disk twice. But never much more than the plan has counted on.
        if vault.replacedFiles.count >= 16 || vault.replacedFiles.byteCount >= 32 << 20 {
            try vault.attachments.removePending()
            vault.replacedFiles = (0, 0)
        }
    }

    /// Passes over a file that could not be opened under the key before; it is found again when all is read back.
    public func pass(_ file: RotatingFile) throws(VaultError) {
        try vault.write { transaction in
            guard var state = try RotationState.fetch(transaction.database) else { throw VaultError(.noRotation) }
            state.number = file.row
            try state.save(transaction.database)
        }
    }

    /// Looks at some attachments once more and checks that each is under the new key, and its file is the one that was
    /// read back, by size and commitment.
    func lookAtFiles(_ state: RotationState) throws(VaultError) {
        var state = state
        let deadline = Machine.now + 12
        repeat {
            let found = try vault.read { index in
                try Row.fetchOne(
                    index.database,
                    sql: "SELECT rowid, id, note FROM attachment WHERE rowid > ? ORDER BY rowid LIMIT 1",
                    arguments: [state.number])
            }
            guard let found else {
                state.advance()
                break
            }
            try vault.read { index in
                let (id, note) = (try AttachmentID(try found.bytes("id")), try NoteID(try found.bytes("note")))
                let (record, _, epoch) = try index.stored(id, of: note)
                guard epoch == vault.header.epoch else { throw VaultError(.integrity) }
                guard let file = try vault.objects.open(record.object) else {
                    guard try Self.mayBeElsewhere(index.database) else { throw VaultError(.integrity) }
                    return
                }
                defer { Glibc.close(file) }
                let layer = try index.sealer.outerLayer(record.object, id, epoch: epoch)
                do {
                    _ = try ObjectReader(
                        outerLayerOf: file, layer, fileByteCount: record.fileByteCount, commitment: record.commitment)
                } catch { throw VaultError(.integrity) }
            }
            state.number = found["rowid"]
        } while Machine.now <= deadline
        let reached = state
        try vault.write { try reached.save($0.database) }
    }
}
