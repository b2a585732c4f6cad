// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import Glibc
internal import SealedObjects
internal import VaultFormat

/// `AttachmentCheck` reads attachments' files back, about a megabyte in a step, and looks for files that no row names.
final class AttachmentCheck {
    private let note: NoteID
    private let attachment: AttachmentID
    private let file: Int32
    private let reader: ObjectReader
    private var offset = 0

    /// Takes over an open file, which is closed with this value.
    ///
    /// - Parameter file: it is closed with the value.
    private init(_ record: AttachmentRecord, _ file: Int32, _ reader: ObjectReader) {
        note = record.noteID
        attachment = record.id
        self.file = file
        self.reader = reader
    }

    deinit { close(file) }

    /// Opens the next attachment of the table. What is wrong with its row or its file's beginning goes into the report.
    ///
    /// - Returns: nil at the end; without a content when there is nothing more to read of it.
    static func next(
        _ vault: OpenVault, after row: Int64, into report: inout CheckReport
    ) throws(VaultError) -> (content: AttachmentCheck?, row: Int64)? {
        let found = try vault.read { index in
            try Row.fetchOne(
                index.database,
                sql: "SELECT rowid, id, note, object FROM attachment WHERE rowid > ? ORDER BY rowid LIMIT 1",
                arguments: [row])
        }
        guard let found else { return nil }
        let last: Int64 = found["rowid"]
        report.attachments += 1
        guard let id = try? AttachmentID(try found.bytes("id")), let note = try? NoteID(try found.bytes("note")),
            let (record, _, epoch) = try? vault.read({ try $0.stored(id, of: note) }),
            (try? found.bytes("object")) == record.object.bytes,
            (try? vault.privateNotes.isPrivate(note)) == record.isPrivate
        else {
            report.add(
                .attachmentUnreadable, (try? found.bytes("note")).flatMap { try? NoteID($0) },
                (try? found.bytes("id")).flatMap { try? AttachmentID($0) })
            return (nil, last)
        }
        let file: Int32?
        do throws(VaultError) { file = try vault.objects.open(record.object) } catch {
            if isOfTheProcess(error.systemError) { throw error }
            file = nil
        }
        guard let file else {
            report.add(.attachmentMissing, note, record.id)
            return (nil, last)
        }
        do {
            return (
                AttachmentCheck(record, file, try vault.attachments.reader(toCheck: record, file, epoch: epoch)), last
            )
        } catch {
            close(file)
            if let number = (error as? ObjectError)?.systemError, isOfTheProcess(number) {
                throw VaultError(.system, systemError: number)
            }
            report.add(.attachmentUnreadable, note, record.id)
            return (nil, last)
        }
    }

    /// Tells whether this process lacks something: that says nothing of a file, and the check cannot go on.
    private static func isOfTheProcess(_ number: Int32) -> Bool { [EMFILE, ENFILE, ENOMEM].contains(number) }

    /// Reads a little more.
    ///
    /// - Returns: false when all of it is read, or something is wrong with it.
    func step(_ vault: OpenVault, into report: inout CheckReport) -> Bool {
        do throws(ObjectError) {
            guard let next = try reader.check(from: offset) else { return false }
            offset = next
            return true
        } catch {
            report.add(.attachmentUnreadable, note, attachment)
            return false
        }
    }

    /// Puts files that no row names in quarantine, unless something is wrong with the vault: then they may be all that
    /// is left. They stay also where an index that names them may have been lost.
    static func checkFiles(_ vault: OpenVault, into report: inout CheckReport) throws(VaultError) {
        let (objects, strange) = try vault.objects.all()
        for _ in strange { report.add(.strangeFile) }
        let known = try vault.read { index in
            Set(
                try Row.fetchAll(
                    index.database, sql: "SELECT object FROM attachment UNION SELECT object FROM pendingUnlink"
                ).map {
                    try $0.bytes("object")
                }
            )
        }
        let orphans = objects.filter { !known.contains($0.bytes) && !vault.unfinished.contains($0) }
        report.orphans = orphans.count
        report.unnamedFilesStay = try vault.whyUnnamedFilesStay()
        guard report.problems.isEmpty, report.unnamedFilesStay == nil, !vault.isReadOnly else { return }
        for object in orphans { try vault.objects.quarantine(object) }
        report.removed = try vault.objects.emptyQuarantine()
    }
}

extension Attachments {
    /// Reads an attachment's file as far as there are keys: of a locked note the outer layer, which says whether the
    /// file is whole and the right one.
    func reader(toCheck record: AttachmentRecord, _ file: Int32, epoch: UInt32) throws -> ObjectReader {
        let noteKeys = vault.records.keyring[record.noteID]?.keys
        let layers = try vault.sealer.layers(
            record.object, record.id, note: record.noteID, epoch: epoch, record.isPrivate ? noteKeys : nil)
        guard record.isPrivate && noteKeys == nil else {
            return try ObjectReader(
                file: file, layers: layers, fileByteCount: record.fileByteCount, commitment: record.commitment,
                contentByteCount: try vault.sealer.details(of: record, noteKeys).byteCount)
        }
        return try ObjectReader(
            outerLayerOf: file, layers[0], fileByteCount: record.fileByteCount, commitment: record.commitment)
    }
}
