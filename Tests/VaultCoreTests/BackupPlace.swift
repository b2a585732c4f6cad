// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A backup's folder, and what is made in it.
final class BackupPlace {
    let folder: URL
    private var number = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "backup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "b"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.path + "/b" }
    var target: String { folder.path + "/restored" }

    /// Of a file in the backup's folder.
    func url(_ file: String) -> URL { URL(filePath: path + "/" + file) }

    func open() throws -> BackupFolder { try BackupFolder(taking: unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY)) }

    func write(
        _ store: OpenVault, made: Int64? = nil, goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws -> BackupWriter.Written {
        number += 1
        let (index, freeze) = try store.freeze()
        defer { _ = freeze }
        return try BackupWriter.write(index, to: open(), made: made ?? Int64(number), goesOn: goesOn)
    }

    func verify(_ name: SnapshotName, _ store: OpenVault) throws -> SnapshotReader.Verified {
        try SnapshotReader(open(), name, store.backups.access).verify { _ in true }
    }

    @discardableResult
    func restore(
        _ name: SnapshotName?, key: [UInt8] = TestVault.recoveryKey, as identity: RestoredIdentity = .automatic,
        salvaging: Bool = false, pins: PinStore
    ) throws -> RestoredVault {
        let owner = {
            NewOwner(
                password: secret(Array("new".utf8)), recoveryKey: secret(RotatingVault.nextKey), cost: .recommended,
                targetMilliseconds: 0)
        }
        return try BackupRestore.run(
            open(), name, .recoveryKey(secret(key)), to: Array(target.utf8), owner: owner, as: identity,
            salvaging: salvaging, pins: pins
        ) { _ in true }
    }

    func openRestored(key: [UInt8] = TestVault.recoveryKey, pins: PinStore) throws -> OpenVault {
        try OpenVault(VaultProbe(path: Array(target.utf8), pins: pins), .recoveryKey(secret(key)))
    }

    /// Makes room for another restore.
    func forgetRestored() { try? FileManager.default.removeItem(atPath: target) }

    /// All files with their sizes, as paths from the backup's folder on.
    var files: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: path).filter { !$0.contains(".new") } }
    }
}
