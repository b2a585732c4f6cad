// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto

/// Makes a vault of an archive or a backup as a person's would be made.
enum FixtureRestore {
    /// Of the archive in a file; the vault that is made has the recovery key given.
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

    /// Of the newest snapshot in a folder; the vault opens with what opened it when the snapshot was made.
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
    /// What the test opens its files with.
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
