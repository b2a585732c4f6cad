// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SealedObjects
import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// An archive in memory, and vaults that are made of it.
final class ArchiveFile {
    static let password = "an archive's own password"
    let descriptor: Int32
    let folder: URL
    private(set) var counts = ArchiveCounts()
    private let pins: PinStore

    convenience init(_ store: OpenVault, pins: PinStore) throws {
        try self.init(empty: pins)
        let key = try ArchiveKey(opening: .password(secret(Array(Self.password.utf8))), cost: .recommended)
        let (index, freeze) = try store.freeze()
        counts = try Self.write(index, key, to: descriptor)
        _ = freeze
    }

    init(empty pins: PinStore) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        descriptor = unsafe Glibc.open(folder.path + "/archive", O_RDWR | O_CREAT | O_EXCL, 0o600)
        self.pins = pins
    }

    static func write(_ index: FrozenIndex, _ key: ArchiveKey, to target: Int32) throws -> ArchiveCounts {
        try unsafe ArchiveWriter.write(index, key, made: 1) { bytes throws(ObjectError) in
            guard unsafe Glibc.write(target, bytes.baseAddress!, bytes.count) == bytes.count else {
                throw ObjectError(.io)
            }
        } progress: { _ in
            true
        }.counts
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(at: folder)
    }

    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: folder.appending(path: "archive"))) }
    }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: folder.appending(path: "archive")) }

    /// Where vaults are restored to.
    var target: String { folder.path + "/restored" }

    /// Restores and opens it with the archive's password.
    @discardableResult
    func restore(password: String = password, as identity: RestoredIdentity = .automatic) throws -> RestoredVault {
        let opened = unsafe Glibc.open(folder.path + "/archive", O_RDONLY)
        defer { close(opened) }
        let reader = try ArchiveReader(opened) { _ in true }
        try reader.unlock(.password(secret(Array(password.utf8))))
        let owner = NewOwner(
            password: secret(Array("new".utf8)), recoveryKey: secret(RotatingVault.nextKey), cost: .recommended,
            targetMilliseconds: 0)
        return try ArchiveRestore.run(reader, to: Array(target.utf8), owner, as: identity, pins: pins)
    }

    func open() throws -> OpenVault {
        try OpenVault(VaultProbe(path: Array(target.utf8), pins: pins), .recoveryKey(secret(RotatingVault.nextKey)))
    }
}

/// Archives and the vaults that are made of them.
struct ArchiveTests {
    @Test func aVaultThatIsRestoredIsTheOneThatWasArchived() throws {
        let full = try RotatingVault()
        let store = try full.vault.open()
        let note = try store.notes.resolve("note 5 quokka")
        _ = try store.notes.edit(note) { $0.tags = ["a", "b/c"] }
        var before = try full.contents(store)
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        try store.end()
        let restored = try archive.restore(as: .original)
        #expect(
            restored.notes == 13 && restored.counts.attachments == 3 && restored.counts.drafts == 1
                && restored.takesThePlaceOfOlder)
        let opened = try archive.open()
        let after = try full.contents(opened)
        // Thumbnails are made anew.
        before.thumbnails = [:]
        #expect(after == before)
        let check = VaultCheck(opened)
        while try check.step() {}
        #expect(check.report.problems.isEmpty && check.report.attachments == 3)
        // What was done can still be undone.
        #expect(try opened.history.undo(limit: 10) != nil)
        try opened.end()
    }

    @Test func anArchiveOfAVaultThatIsKnownBecomesACopyOfIt() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        var before = try full.contents(store)
        before.thumbnails = [:]
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        _ = try store.notes.create(NoteDraft(body: "after the archive"))
        try store.end()
        let restored = try archive.restore()
        #expect(restored.isCopy && !restored.takesThePlaceOfOlder)
        let copy = try archive.open()
        #expect(try full.contents(copy) == before)
        #expect(copy.header.copyID != nil && copy.header.vaultID == store.header.vaultID)
        let opened = try full.vault.open()
        _ = try copy.notes.create(NoteDraft(body: "in the copy"))
        try opened.end()
        try copy.end()
        try full.vault.open().end()
        try archive.open().end()
    }

    @Test func anArchiveOpensWithItsOwnPasswordAlone() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        try store.end()
        expect(.wrongPassword) { try archive.restore(password: TestVault.password) }
        #expect(!FileManager.default.fileExists(atPath: archive.target))
        // No key of the vault is in it, and none of its names or words in plain.
        let bytes = try archive.bytes
        #expect(Data(bytes).range(of: Data("quokka".utf8)) == nil)
    }

    @Test func A01anArchiveThatWasChangedAnywhereRestoresNothing() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        try store.end()
        let whole = try archive.bytes
        var generator = SeededGenerator(6)
        let header = 6 + Int(whole[4]) << 8 + Int(whole[5])
        for _ in 0..<10 {
            var bytes = whole
            bytes[Int.random(in: header..<bytes.count, using: &generator)] ^=
                1 << UInt8.random(in: 0..<8, using: &generator)
            try archive.write(bytes)
            expect(.integrity) { try archive.restore() }
        }
        for cut in [1, 17, whole.count / 2, whole.count - header] {
            try archive.write(Array(whole.dropLast(cut)))
            expect(.integrity) { try archive.restore() }
        }
        try archive.write(whole + [0])
        expect(.integrity) { try archive.restore() }
        try archive.write(Array(whole.prefix(5)))
        expect(.notAnArchive) { try archive.restore() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: archive.folder.path) == ["archive"])
        try archive.write(whole)
        try archive.restore()
    }

    @Test func H08noByteOfAnArchivesHeaderTraps() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        try store.end()
        let whole = try archive.bytes
        for place in 0..<(6 + 39 + 30) {
            var bytes = whole
            bytes[place] ^= 0xFF
            try archive.write(bytes)
            #expect(throws: VaultError.self) { try archive.restore() }
        }
    }

    @Test func whatIsWrittenWhileAnArchiveIsMadeIsNotInIt() throws {
        let full = try RotatingVault(notes: 6)
        let store = try full.vault.open()
        let before = try full.contents(store)
        let key = try ArchiveKey(opening: .password(secret(Array(ArchiveFile.password.utf8))), cost: .recommended)
        let (index, freeze) = try store.freeze()
        // After this moment: an edit, a purge, an attachment that goes, a note that becomes private.
        _ = try store.notes.edit(store.notes.resolve("note 0 quokka")) { $0.body = "changed quokka" }
        _ = try store.notes.setTrashed(store.notes.resolve("note 4 quokka"), true)
        _ = try store.notes.purgeTrash(limit: 10)
        let edited = try store.notes.resolve("note 1 quokka edited")
        _ = try store.attachments.remove(store.attachments.all(of: edited).map(\.id), from: edited)
        _ = try store.attachments.removePending()
        expect(.exportRuns) { try store.freeze() }
        expect(.exportRuns) { try store.makePrivate(edited) }
        let archive = try ArchiveFile(empty: full.vault.pins)
        ftruncate(archive.descriptor, 0)
        lseek(archive.descriptor, 0, SEEK_SET)
        _ = try ArchiveFile.write(index, key, to: archive.descriptor)
        _ = freeze
        try archive.restore()
        let opened = try archive.open()
        var wanted = before
        wanted.thumbnails = [:]
        #expect(try full.contents(opened) == wanted)
        try opened.end()
    }

    @Test func anArchiveIsNotMadeWhileARotationRuns() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let (_, freeze) = try store.freeze()
        expect(.exportRuns) { try RotatingVault.begin(store) }
        _ = consume freeze
        try RotatingVault.begin(store)
        expect(.rotationRuns) { try store.freeze() }
        try RotatingVault.finish(store)
        _ = try store.freeze()
        try store.end()
    }

    @Test func H10aRestoreThatIsInterruptedLeavesNothingInTheWay() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        try store.end()
        // As a crash leaves it: a folder that nobody has locked, with its mark and something in it. Beside it folders
        // of the owner's with such names.
        for name in [".new-0123456789abcdef", ".new-fedcba9876543210", ".new", ".new-1"] {
            for folder in ["", "/objects", "/objects/ab"] {
                try FileManager.default.createDirectory(
                    atPath: archive.target + name + folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            try Data([1]).write(to: URL(filePath: archive.target + name + "/objects/ab/left"))
        }
        let mark = "/vault-in-the-making"
        try Data("a vault that is not whole; it may be removed\n".utf8).write(
            to: URL(filePath: archive.target + ".new-0123456789abcdef" + mark))
        try archive.restore()
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: archive.folder.path)) == [
                "archive", "restored", "restored.new-fedcba9876543210", "restored.new", "restored.new-1",
            ])
        #expect(FileManager.default.fileExists(atPath: archive.target + ".new/objects/ab/left"))
        expect(.exists) { try archive.restore() }
    }

    @Test func aRecoveryKeyOpensAnArchiveThatHasOne() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let archive = try ArchiveFile(store, pins: full.vault.pins)
        let key = try ArchiveKey(withRecoveryKey: ())
        let (index, _) = try store.freeze()
        ftruncate(archive.descriptor, 0)
        lseek(archive.descriptor, 0, SEEK_SET)
        _ = try ArchiveFile.write(index, key, to: archive.descriptor)
        try store.end()
        let another = key.isConfirmed(by: secret([0x61]))
        #expect(!another)
        let reader = try ArchiveReader(archive.descriptor) { _ in true }
        #expect(!reader.isOpenedByPassword)
        expect(.wrongPassword) { try reader.unlock(.recoveryKey(secret(RotatingVault.nextKey))) }
        switch key.recoveryText() {
        case .none: Issue.record("no key")
        case .some(let text):
            let isConfirmed = key.isConfirmed(by: text)
            #expect(isConfirmed)
            switch RecoveryKey.parse(text) {
            case .none: Issue.record("no key")
            case .some(let typed): try reader.unlock(.recoveryKey(typed))
            }
        }
    }
}
