// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SecretMemory
import VaultCore
import VaultCrypto
import VaultFormat

/// A vault in a folder of its own with pins of its own, and what is in it.
final class Scene {
    /// Stands in every text, name and file: it must be in none on the disk.
    static let marker = "quokka-5d1e"
    enum Key { case old, new }

    /// What somebody finds who opens the vault.
    struct Found: Equatable {
        var key: Key
        var texts: Set<String> = []
        var files: Set<[UInt8]> = []
    }

    struct Failure: Error { let words: String }

    let folder: URL
    /// A vault that is prepared and not written.
    private(set) var creation: VaultCreation?
    /// Where the recovery key of the last one that was prepared lies, for the process that looks.
    private let keyFile: URL

    init(_ folder: URL, keyFile: URL) {
        self.folder = folder
        self.keyFile = keyFile
    }

    func prepare() throws {
        var password = SecretBytes(zeroes: 9)
        _ = unsafe password.withUnsafeMutableBytes { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0x61) }
        let made = try VaultCreation(
            path: Array(vault.path.utf8), password: password, cost: .recommended, withRecoveryKey: true)
        creation = made
        switch made.recoveryText() {
        case .none: throw Failure(words: "no recovery key")
        case .some(let text):
            switch RecoveryKey.parse(text) {
            case .none: throw Failure(words: "no recovery key")
            case .some(let key): try unsafe key.withUnsafeBytes { try unsafe Data($0).write(to: keyFile) }
            }
        }
    }

    var vault: URL { folder.appending(path: "vault") }
    var pins: PinStore { PinStore(folder: folder.appending(path: "pins").path) }

    func key(_ key: Key) -> SecretBytes {
        // The fault may hit this reading, which is not the job's: an empty key would make another vault.
        let bytes =
            key == .old
            ? Array((try? Data(contentsOf: keyFile)) ?? (try? Data(contentsOf: keyFile)) ?? Data())
            : [UInt8](repeating: 0x5A, count: RecoveryKey.byteCount)
        var secret = SecretBytes(zeroes: bytes.count)
        unsafe secret.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes) }
        return secret
    }

    static func bytes(_ count: Int) -> [UInt8] {
        let text = Array(marker.utf8)
        return (0..<count).map { text[$0 % text.count] }
    }

    func open(_ key: Key = .old) throws -> OpenVault {
        // A vault that was restored takes this one's place in the pins.
        let isOlder = FileManager.default.fileExists(atPath: restored.path)
        return try OpenVault(
            VaultProbe(path: Array(vault.path.utf8), pins: pins, acceptRollback: isOlder), .recoveryKey(self.key(key)))
    }

    /// The vault that most jobs begin with.
    func fill() throws {
        try creation?.commit(pins: pins)
        let store = try open()
        let note = try store.notes.create(NoteDraft(body: Self.marker + " first"))
        _ = try store.notes.create(NoteDraft(body: Self.marker + " second"))
        _ = try store.notes.edit(note.id) { $0.body += " edited" }
        for count in [0, 70_000] {
            let file = AddedContent(
                kind: .file, name: Self.marker, mediaType: "application/octet-stream", bytes: Self.bytes(count))
            _ = try store.attachments.add([file], to: note.id)
        }
        let thrownAway = try store.notes.create(NoteDraft(body: Self.marker + " thrown away"))
        _ = try store.attachments.add(
            [
                AddedContent(
                    kind: .file, name: "with it", mediaType: "application/octet-stream", bytes: Self.bytes(20_000))
            ], to: thrownAway.id)
        _ = try store.notes.setTrashed(thrownAway.id, true)
        try backUp(store, made: 0)
        try archive(store)
        try store.close()
    }

    static func finishRotation(_ store: OpenVault) throws {
        while true {
            switch try store.rotation.step() {
            case .more: break
            case .file(let file): try store.rotation.replace(file, commitment: file.work { _ in true }.get())
            case .done: return
            }
        }
    }

    /// Opens the vault with whichever key it has now, ends what was interrupted, checks everything and reads it.
    ///
    /// - Returns: nil when there is no vault.
    func look() throws -> Found? {
        guard FileManager.default.fileExists(atPath: vault.path) else { return nil }
        try searchForPlaintext()
        var found: Found
        let store: OpenVault
        do {
            (store, found) = (try open(.old), Found(key: .old))
        } catch let error as VaultError where error.code == .wrongPassword {
            (store, found) = (try open(.new), Found(key: .new))
        }
        for name in try backup().names() {
            _ = try SnapshotReader(backup(), name, .recoveryKey(key(.old))).verify { _ in true }
            found.texts.insert("a whole snapshot")
            if name.text.hasPrefix("19700102") { found.texts.insert("another one") }
        }
        if store.isRotating { try Self.finishRotation(store) }
        while try store.attachments.removePending() {}
        for book in try store.books.list(BookQuery()).books {
            let notes = try store.books.notes(of: book.note.id, limit: 10).sections
            for line in try store.books.book(book.note.id).details.log { found.texts.insert("line: " + line.line) }
            found.texts.insert("book: " + book.note.title)
            for section in notes { found.texts.insert("chapter: \(section.chapter?.title ?? "") \(section.count)") }
        }
        for place in [NotePlace.live, .trash] {
            var filter = NoteFilter()
            filter.place = place
            for note in try store.notes.list(filter, offset: 0, limit: 100) {
                found.texts.insert((note.isTrashed ? "trash: " : "") + (try store.notes.note(note.id).body))
                for attachment in try store.attachments.all(of: note.id) {
                    found.files.insert(try store.attachments.bytes(of: attachment))
                }
            }
        }
        let check = VaultCheck(store)
        while try check.step() {}
        guard check.report.problems.isEmpty else {
            throw Failure(words: "check found \(check.report.problems.map(\.kind))")
        }
        try store.close()
        if try isRestored(as: found) { found.texts.insert("restored") }
        try searchForPlaintext()
        let indexes = try FileManager.default.contentsOfDirectory(atPath: vault.path).filter {
            $0.hasPrefix("index-") && $0.hasSuffix(".db")
        }
        guard indexes.count == 1 else { throw Failure(words: "there are \(indexes.count) indexes") }
        return found
    }

    private func searchForPlaintext() throws {
        let marker = Data(Self.marker.utf8)
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        {
            guard let bytes = try? Data(contentsOf: file), bytes.range(of: marker) != nil else { continue }
            throw Failure(words: "plaintext in \(file.lastPathComponent)")
        }
    }
}
