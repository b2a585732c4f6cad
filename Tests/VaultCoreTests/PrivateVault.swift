// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SealedObjects
import SecretMemory
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What tests of private notes and attachments do again and again.
extension OpenVault {
    /// Gives a note a password and locks it, all at once.
    func makePrivate(_ note: NoteID, _ password: String = "rosebud", showsTitle: Bool = false) throws {
        let epoch = try privateNotes.nextKeyEpoch(of: note)
        let protecting = try protecting(note, password, epoch: epoch, showsTitle: showsTitle)
        try privateNotes.protect(note, protecting, attachments: reseal(note, to: protecting.opened))
        while try WordRemoval(self).step() {}
        while try attachments.removePending() {}
        privateNotes.relock(note)
    }

    func protecting(
        _ note: NoteID, _ password: String, keeping known: OpenedNoteKey? = nil, epoch: UInt32, showsTitle: Bool = false
    ) throws
        -> NoteProtecting
    {
        try NoteProtecting(
            note, vaultID: header.vaultID, password: secret(Array(password.utf8)), keeping: known, epoch: epoch,
            showsTitle: showsTitle,
            cost: .recommended)
    }

    func openPrivate(_ note: NoteID, _ password: String = "rosebud") throws {
        try privateNotes.unlock(note, with: privateNotes.opening(of: note).open(secret(Array(password.utf8))))
    }

    /// All attachments of a note in files of another key.
    func reseal(_ note: NoteID, to key: OpenedNoteKey?) throws -> [ResealedAttachment] {
        try attachments.ofAllRevisions(of: note).map { attachment in
            let bytes = try content(attachment)
            let file = try attachments.newObject(for: attachment, under: key)
            let sealed = try Self.seal(bytes, file)
            file.keep()
            return try attachments.resealed(attachment, file, sealed)
        }
    }

    func addAttachment(_ name: String, _ bytes: [UInt8], to note: NoteID, kind: AttachmentDetails.Kind = .file) throws
        -> Attachment
    {
        let file = try attachments.newObject(for: note)
        let sealed = try Self.seal(bytes, file)
        let details = AttachmentDetails(
            kind: kind, name: name, mediaType: "application/octet-stream", byteCount: 0, created: 1)
        return try attachments.add([(file, sealed, details)], to: note)[0]
    }

    static func seal(_ bytes: [UInt8], _ file: NewObject) throws -> SealedObject {
        let source = FileManager.default.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
        try Data(bytes).write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let opened = unsafe Glibc.open(source.path, O_RDONLY)
        defer { Glibc.close(opened) }
        let sealed = try ObjectWriter.seal(
            from: opened, to: file.descriptor, layers: file.layers, byteCountMax: 1 << 30
        ) { _ in true }
        try file.sync()
        return sealed
    }

    func content(_ attachment: Attachment) throws -> [UInt8] {
        let content = try attachments.content(of: attachment.id, note: attachment.note)
        var bytes = [UInt8](repeating: 0, count: Int(content.details.byteCount))
        let reader = try content.reader()
        try unsafe bytes.withUnsafeMutableBytes { try unsafe reader.read(0..<content.details.byteCount, into: $0) }
        return bytes
    }
}
