// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SealedObjects
import SecretMemory
import VaultCore
import VaultCrypto
import VaultFormat

/// Copies of the vault, and vaults that are made of them.
extension Scene {
    var restored: URL { folder.appending(path: "restored") }
    private var archiveFile: URL { folder.appending(path: "archive") }

    func backup() throws -> BackupFolder {
        let path = folder.appending(path: "backup").path
        unsafe mkdir(path, 0o700)
        return try BackupFolder(taking: unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY))
    }

    func backUp(_ store: OpenVault, made: Int64) throws {
        let (index, freeze) = try store.freeze()
        defer { _ = freeze }
        _ = try BackupWriter.write(index, to: backup(), made: made) { _ in true }
    }

    func archive(_ store: OpenVault) throws {
        let (index, freeze) = try store.freeze()
        defer { _ = freeze }
        let file = unsafe Glibc.open(archiveFile.path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer { close(file) }
        // The recovery key costs no derivation.
        let key = try ArchiveKey(opening: .recoveryKey(key(.old)), cost: .recommended)
        _ = try unsafe ArchiveWriter.write(index, key, made: 1) { bytes throws(ObjectError) in
            guard unsafe write(file, bytes.baseAddress!, bytes.count) == bytes.count else { throw ObjectError(.io) }
        } progress: { _ in
            true
        }
    }

    func restore(fromArchive: Bool) throws {
        var password = SecretBytes(zeroes: 9)
        _ = unsafe password.withUnsafeMutableBytes { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0x61) }
        let path = Array(restored.path.utf8)
        guard fromArchive else {
            guard let newest = try backup().names().last else { throw Failure(words: "no snapshot") }
            _ = try BackupRestore.run(
                backup(), newest, .recoveryKey(key(.old)), to: path, owner: { throw Failure(words: "a new key") },
                pins: pins
            ) { _ in true }
            return
        }
        let file = unsafe Glibc.open(archiveFile.path, O_RDONLY)
        defer { close(file) }
        let reader = try ArchiveReader(file) { _ in true }
        try reader.unlock(.recoveryKey(key(.old)))
        let owner = NewOwner(password: password, recoveryKey: key(.old), cost: .recommended, targetMilliseconds: 0)
        _ = try ArchiveRestore.run(reader, to: path, owner, pins: pins)
    }

    /// Whether there is a vault that was restored. If there is one it is whole and holds what the other one does.
    func isRestored(as found: Found) throws -> Bool {
        guard FileManager.default.fileExists(atPath: restored.path) else { return false }
        let probe = try VaultProbe(path: Array(restored.path.utf8), pins: pins, acceptRollback: true)
        let store = try OpenVault(probe, .recoveryKey(key(.old)))
        var texts: Set<String> = []
        for place in [NotePlace.live, .trash] {
            var filter = NoteFilter()
            filter.place = place
            for note in try store.notes.list(filter, offset: 0, limit: 100) {
                texts.insert((note.isTrashed ? "trash: " : "") + (try store.notes.note(note.id).body))
                for attachment in try store.attachments.all(of: note.id) {
                    _ = try store.attachments.bytes(of: attachment)
                }
            }
        }
        guard texts == found.texts.filter({ $0.contains(Self.marker) }) else {
            throw Failure(words: "another vault was restored")
        }
        let check = VaultCheck(store)
        while try check.step() {}
        guard check.report.problems.isEmpty else {
            throw Failure(words: "what was restored is not whole: \(check.report.problems.map(\.kind))")
        }
        try store.close()
        return true
    }
}
