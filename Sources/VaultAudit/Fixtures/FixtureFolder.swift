// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto

/// `FixtureFolder` is a private folder, in memory where there is one, with a test's files and with pins of its own; it
/// goes with this value.
final class FixtureFolder {
    private let folder: URL
    let pins: PinStore

    init() throws {
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        folder = parent.appending(path: "vault-audit-\(UUID().uuidString)")
        pins = PinStore(folder: folder.appending(path: "pins").path)
        try Self.make(folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Where the files of a test are.
    var given: URL { folder.appending(path: "given") }
    /// Where a vault is made of them, when they are an archive's or a backup's.
    var restored: URL { folder.appending(path: "restored") }

    /// Puts these files in the place of what was there.
    func put(_ files: FixtureFiles) throws {
        try? FileManager.default.removeItem(at: given)
        try Self.make(given)
        for (path, bytes) in files.contents {
            let file = given.appending(path: path)
            try Self.make(file.deletingLastPathComponent())
            try Self.write(bytes, to: file)
        }
    }

    func bytes(_ name: String, in vault: URL) -> [UInt8]? {
        FileManager.default.contents(atPath: vault.appending(path: name).path).map { Array($0) }
    }

    private static func write(_ bytes: [UInt8], to file: URL) throws {
        let isWritten = FileManager.default.createFile(
            atPath: file.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw VectorFault("a file cannot be written in a temporary folder") }
    }

    private static func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw VectorFault("a temporary folder cannot be made")
        }
    }
}

/// `FixtureFiles` holds the files of a whole vault, archive or backup as a test has them: its base's, its own over
/// them, then its edits. Shape: Vectors/README.md.
struct FixtureFiles {
    /// Contents by path below the folder.
    private(set) var contents: [String: [UInt8]] = [:]

    /// What an archive is called among a test's files.
    static let archiveName = "archive"

    init(archive: [UInt8]) { contents = [Self.archiveName: archive] }

    init(contents: [String: [UInt8]]) { self.contents = contents }

    /// Collects the files of a test: those of its base, then its own, then what its edits make of them.
    ///
    /// - Throws: `VectorFault`.
    init(_ test: VectorTest) throws {
        if test.has("base") { contents = try FixtureFiles(test.earlier("base")).contents }
        for (path, value) in test.fields["files"]?.object ?? [:] {
            guard let bytes = value.text.flatMap({ Data(base64Encoded: $0) }) else {
                throw VectorFault("a file is not base64")
            }
            contents[try Self.checked(path)] = Array(bytes)
        }
        for edit in try test.has("edit") ? test.list("edit") : [] { try apply(edit, of: test) }
    }

    private mutating func apply(_ edit: JSONValue, of test: VectorTest) throws {
        let fields = edit.object ?? [:]
        guard let path = fields["file"]?.text else { throw VectorFault("an edit names no file") }
        switch fields["op"]?.text {
        case "take":
            let named = VectorTest(file: test.file, group: test.group, fields: test.fields.merging(fields) { $1 })
            contents[try Self.checked(path)] = try FixtureFiles(named.earlier("base")).content(
                fields["name"]?.text ?? path)
        case "remove":
            _ = try content(path)
            contents[path] = nil
        case "exchangeFiles":
            guard let other = fields["with"]?.text else { throw VectorFault("an edit names no second file") }
            (contents[path], contents[other]) = (try content(other), try content(path))
        default: contents[path] = try SealedEdit.apply([edit], to: content(path))
        }
    }

    private func content(_ path: String) throws -> [UInt8] {
        guard let bytes = contents[path] else { throw VectorFault("an edit names a file that does not exist") }
        return bytes
    }

    /// Returns a path that leads nowhere but below the folder, no matter who wrote the test.
    private static func checked(_ path: String) throws -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.first != "."
                && part.utf8.allSatisfy {
                    (0x2D...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
        }
        guard isPlain, parts.count <= 4, path.utf8.count <= 200 else {
            throw VectorFault("a file's path is not a path in a vault")
        }
        return path
    }
}

/// `FixtureRestore` makes a vault of an archive or a backup as a person's would be made.
enum FixtureRestore {
    /// Makes the vault of the archive in a file; the vault that is made has the recovery key given.
    ///
    /// - Throws: `VaultError`, `VectorFault`.
    static func archive(_ file: URL, _ test: VectorTest, in place: FixtureFolder) throws {
        let descriptor = unsafe Glibc.open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw VectorFault("there is no archive") }
        defer { close(descriptor) }
        let reader = try ArchiveReader(descriptor) { _ in true }
        try reader.unlock(test.credential())
        let owner = NewOwner(
            password: SecretBytes(array: Array("a new password".utf8)), recoveryKey: Self.recoveryKey,
            cost: .recommended, targetMilliseconds: 0)
        _ = try ArchiveRestore.run(reader, to: Array(place.restored.path.utf8), owner, pins: place.pins)
    }

    /// Makes the vault of the newest snapshot in a folder; the vault opens with what opened it when the snapshot was
    /// made.
    ///
    /// - Throws: `VaultError`.
    static func snapshot(_ test: VectorTest, in place: FixtureFolder) throws {
        let folder = try BackupFolder(taking: unsafe Glibc.open(place.given.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        _ = try BackupRestore.run(
            folder, nil, test.credential(), to: Array(place.restored.path.utf8), owner: { throw VaultError(.oldKey) },
            pins: place.pins
        ) { _ in true }
    }

    /// What opens a vault that was made of an archive, without a derivation.
    static var recoveryKey: SecretBytes { SecretBytes(array: [UInt8](repeating: 0x5A, count: RecoveryKey.byteCount)) }
}

extension VectorTest {
    /// Returns what the test opens its files with.
    ///
    /// - Throws: `VaultError.wrongPassword` for an invalid recovery key; `VectorFault`.
    func credential() throws -> Credential {
        if has("recoveryKey") {
            switch RecoveryKey.parse(SecretBytes(array: Array(try text("recoveryKey").utf8))) {
            case .none: throw VaultError(.wrongPassword)
            case .some(let key): return .recoveryKey(key)
            }
        }
        let password = SecretBytes(array: try bytes("password"))
        guard has("keyFile") else { return .password(password) }
        switch KeyFile.parse(SecretBytes(array: Array(try text("keyFile").utf8))) {
        case .none: throw VaultError(.badKeyFile)
        case .some(let key): return .passwordAndKeyFile(.init(password: password, keyFile: key))
        }
    }
}
