// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SealedObjects
public import VaultFormat

/// Attachments whose content is in memory.
extension VaultStore {
    /// Attaches contents to a note, as one change.
    ///
    /// - Throws: as `attach`.
    public func attach(_ contents: [AddedContent], to note: NoteID) throws(VaultError) -> [Attachment] {
        var made: [(file: NewObject, sealed: SealedObject, details: AttachmentDetails)] = []
        for content in contents {
            let file = try newObject(for: note)
            var details = AttachmentDetails(
                kind: content.kind, name: AttachmentName.clean(content.name), mediaType: content.mediaType, byteCount: UInt64(content.bytes.count),
                created: Machine.now)
            details.caption = content.caption
            let sealed: SealedObject
            do throws(ObjectError) { sealed = try Self.seal(content.bytes, into: file) } catch {
                throw VaultError(error.code == .noRoom ? .readOnly : .saveFailed)
            }
            try file.sync()
            made.append((file, sealed, details))
        }
        return try attach(made, to: note)
    }

    /// All of an attachment's content, for what fits into memory.
    ///
    /// - Parameter byteCountMax: larger ones are refused with `.tooLarge`.
    public func bytes(of attachment: Attachment, byteCountMax: UInt64 = 64 << 20) throws(VaultError) -> [UInt8] {
        guard attachment.details.byteCount <= byteCountMax else { throw VaultError(.tooLarge) }
        let content = try content(of: attachment.id, note: attachment.note)
        var bytes = [UInt8](repeating: 0, count: Int(attachment.details.byteCount))
        do throws(ObjectError) {
            let reader = try content.reader()
            try unsafe bytes.withUnsafeMutableBufferPointer { target throws(ObjectError) in
                try unsafe reader.read(0..<content.details.byteCount, into: UnsafeMutableRawBufferPointer(target))
            }
        } catch { throw VaultError(error.code == .notAuthentic ? .integrity : .saveFailed) }
        return bytes
    }

    private static func seal(_ bytes: [UInt8], into file: NewObject) throws(ObjectError) -> SealedObject {
        let memory = vs_memory_file()
        guard memory >= 0 else { throw ObjectError(.io, systemError: errno) }
        defer { Glibc.close(memory) }
        var done = 0
        while done < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(memory, $0.baseAddress! + done, $0.count - done) }
            guard put > 0 else { throw ObjectError(.io, systemError: errno) }
            done += put
        }
        return try ObjectWriter.seal(from: memory, to: file.descriptor, layers: file.layers, byteCountMax: UInt64(bytes.count)) { _ in true }
    }
}
