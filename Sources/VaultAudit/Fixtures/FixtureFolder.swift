// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import VaultCore

/// A private folder, in memory where there is one, with a test's files and with pins of its own; it goes with this
/// value.
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
