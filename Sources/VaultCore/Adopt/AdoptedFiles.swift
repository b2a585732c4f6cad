// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedObjects
internal import VaultFormat

/// `AdoptedFiles` copies the files of one note's attachments into this vault: they are read in the other copy without
/// its layer, and sealed under this vault's layer. What a note's own password protects stays under it. The work may run
/// on another thread.
public final class AdoptedFiles: @unchecked Sendable {
    /// A `File` is one attachment that is copied.
    struct File {
        let found: SalvagedIndex.FoundAttachment
        /// Where it goes; it goes away with this value unless a note takes it.
        let object: NewObject
        var sealed: SealedObject?
    }

    private let other: OtherCopy
    private(set) var files: [File]
    /// Whose files do not open.
    private(set) var lost: Set<AttachmentID> = []
    private(set) var failure: VaultError?
    /// Size in bytes of all of them.
    public var byteCount: UInt64 { files.reduce(0) { $0 + min($1.found.record.fileByteCount, 1 << 50) } }

    init(_ other: OtherCopy, _ files: [File]) {
        self.other = other
        self.files = files
    }

    /// Copies them.
    ///
    /// - Parameter goesOn: told how many bytes are done; false ends the work.
    public func run(goesOn: (UInt64) -> Bool) {
        let reader = ArchiveContent()
        var done: UInt64 = 0
        for place in files.indices {
            do throws(VaultError) {
                files[place].sealed = try copy(files[place], reader) { byteCount in
                    done += byteCount
                    return goesOn(done)
                }
            } catch {
                guard error.code == .integrity || error.code == .notOurs else {
                    failure = error
                    return
                }
                lost.insert(files[place].found.record.id)
            }
        }
    }

    /// Copies the file of one attachment and waits until the copy is on disk.
    ///
    /// - Throws: `VaultError.integrity` for a file that does not open, or is not there.
    private func copy(
        _ file: File, _ reader: ArchiveContent, _ goesOn: (UInt64) -> Bool
    ) throws(VaultError) -> SealedObject {
        let record = file.found.record
        return try VaultError.translating {
            let layer = try AttachmentSealer(layer: other.index.layer).outerLayer(
                record.object, record.id, epoch: file.found.epoch)
            let sealing = try Self.written { () throws(ObjectError) in
                try StreamSealing(file.object.layers[0], to: file.object.descriptor) { _ in true }
            }
            try unsafe reader.read(record, layer, in: ObjectFolder(other.damaged.directory)) { _ in
            } content: { bytes in
                try Self.written { () throws(ObjectError) in try unsafe sealing.append(bytes) }
                guard goesOn(UInt64(bytes.count)) else { throw VaultError(.cancelled) }
            }
            let sealed = try Self.written { () throws(ObjectError) in try sealing.finish() }
            try file.object.sync()
            return sealed
        }
    }

    /// Runs a write into this vault and throws what fails there as an error of this vault, not of the copy that is
    /// read.
    private static func written<Value>(_ body: () throws(ObjectError) -> Value) throws(VaultError) -> Value {
        do throws(ObjectError) { return try body() } catch {
            throw VaultError(error.code == .noRoom ? .readOnly : .saveFailed)
        }
    }
}

extension Transaction {
    /// Writes the rows of attachments that came, in the transaction that saves their note.
    ///
    /// - Throws: `VaultError.attachmentsChanged` when the vault has another key than it had.
    func insert(_ came: AdoptedFiles, to note: NoteID) throws {
        for file in came.files {
            let old = file.found.record
            if let sealed = file.sealed {
                guard file.object.epoch == layer.epoch else { throw VaultError(.attachmentsChanged) }
                let record = AttachmentRecord(
                    id: file.object.id, noteID: note, object: file.object.object, fileByteCount: sealed.fileByteCount,
                    commitment: sealed.commitment, isPrivate: old.isPrivate, details: old.details)
                try insert(record, epoch: file.object.epoch)
            } else if old.isPrivate {
                // Its note's sealed record names it, and nobody could list the others without it. A check tells that
                // the file is gone.
                let record = AttachmentRecord(
                    id: file.object.id, noteID: note, object: file.object.object, fileByteCount: old.fileByteCount,
                    commitment: old.commitment, isPrivate: true, details: old.details)
                try insert(record, epoch: file.object.epoch)
            }
        }
    }
}
