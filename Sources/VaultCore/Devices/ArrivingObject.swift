// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import GRDB
internal import Glibc
public import VaultFormat

/// `ArrivingObject` is an attachment's object that another device has told of, while its parts come in. It gets
/// its name when all of it is there: after a crash it is there whole, or not at all. Spec: docs/format.md §25.7.
public final class ArrivingObject {
    public let record: AttachmentRecord
    public let parts: PartList
    private let vault: OpenVault
    private let folder: VaultDirectory
    private let file: Int32
    private var check: PartCheck?
    /// The part that comes next.
    public private(set) var next: UInt32 = 0

    fileprivate init(_ record: AttachmentRecord, _ vault: OpenVault) throws(VaultError) {
        guard let parts = PartList(fileByteCount: record.fileByteCount) else { throw VaultError(.integrity) }
        (self.record, self.parts, self.vault) = (record, parts, vault)
        folder = try vault.directory.folder(ObjectFolder.name).folder(record.object.folder)
        file = vs_open_unnamed(folder.descriptor)
        guard file >= 0 else { throw VaultDirectory.failure() }
    }

    deinit { close(file) }

    public var isWhole: Bool { next == parts.count }

    /// Takes the next part.
    ///
    /// - Returns: false for bytes that are not that part, which is then still missing.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.libraryFailed`.
    public func take(_ bytes: [UInt8]) throws(VaultError) -> Bool {
        guard !isWhole, let check = try known(bytes), try check.isPart(bytes, next) else { return false }
        let range = parts.range(of: next)
        var done = 0
        while done < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { raw in
                unsafe pwrite(file, raw.baseAddress! + done, raw.count - done, off_t(range.lowerBound) + off_t(done))
            }
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { throw VaultDirectory.failure() }
            done += put
        }
        next += 1
        return true
    }

    /// Returns how the parts are looked at, which the beginning of the first part says.
    private func known(_ bytes: [UInt8]) throws(VaultError) -> PartCheck? {
        if let check { return check }
        guard bytes.count >= Self.beginByteCount else { return nil }
        do throws(VaultError) {
            check = try vault.partCheck(of: record, begin: Array(bytes.prefix(Self.beginByteCount)))
        } catch {
            guard error.code == .integrity else { throw error }
        }
        return check
    }

    private static let beginByteCount = 56

    /// Gives it its name; it is durable when this returns.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func finish() throws(VaultError) {
        precondition(isWhole, "all parts were taken")
        guard fsync(file) == 0 else { throw VaultDirectory.failure() }
        let named = unsafe vs_name_descriptor(file, folder.descriptor, record.object.hex)
        guard named == 0 || errno == EEXIST else { throw VaultDirectory.failure() }
        guard folder.sync() else { throw VaultDirectory.failure() }
    }
}

extension Devices {
    /// Returns attachments that other devices have told of and whose objects are not here.
    ///
    /// - Throws: `VaultError.integrity`.
    public func missingObjects() throws(VaultError) -> [AttachmentRecord] {
        try records { !$0 } + waitingAttachments(areHere: false)
    }

    private func records(where isWanted: (_ isHere: Bool) -> Bool) throws(VaultError) -> [AttachmentRecord] {
        let objects = ObjectFolder(vault.directory)
        let epoch = vault.header.epoch
        return try vault.read { index in
            let rows = try Row.fetchAll(
                index.database, sql: "SELECT id, note, object, sealed FROM attachment WHERE epoch = ?",
                arguments: [Int64(epoch)])
            return try rows.compactMap { row in
                guard try isWanted(objects.contains(ObjectName(row.bytes("object")))) else { return nil }
                return try ArchiveRows.attachment(row, index.sealer)
            }
        }
    }

    /// Returns the attachments of this epoch whose objects are here.
    ///
    /// - Throws: `VaultError.integrity`.
    ///
    /// - Parameter note: of this note alone.
    public func objectsHere(of note: NoteID? = nil) throws(VaultError) -> [AttachmentRecord] {
        try records { $0 }.filter { note == nil || $0.noteID == note }
    }

    /// Begins to take an object's parts in.
    ///
    /// - Throws: `VaultError.integrity` for a size that no object has; `.readOnly`, `.saveFailed`.
    public func receive(_ record: AttachmentRecord) throws(VaultError) -> ArrivingObject {
        try ArrivingObject(record, vault)
    }

    /// Returns a part of an object as it is stored here; nil when the object is not here or has another size.
    ///
    /// - Throws: `VaultError.notOurs`, `.system`.
    public func part(_ part: UInt32, of record: AttachmentRecord) throws(VaultError) -> [UInt8]? {
        guard let parts = PartList(fileByteCount: record.fileByteCount), part < parts.count,
            let file = try ObjectFolder(vault.directory).open(record.object)
        else { return nil }
        defer { ObjectFolder.close(file) }
        let range = parts.range(of: part)
        var bytes = [UInt8](repeating: 0, count: Int(range.count))
        var done = 0
        while done < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { raw in
                unsafe pread(file, raw.baseAddress! + done, raw.count - done, off_t(range.lowerBound) + off_t(done))
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}
