// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import GRDB
import SecretMemory
import Testing

@testable import SealedSQLite
@testable import VaultCrypto

/// A sealed database in a folder of its own, opened and closed as a test likes.
final class SealedFixture {
    let folder: URL
    let directory: Int32
    let pageKey: SymmetricKey
    let logKey: SymmetricKey
    var salt = [UInt8](repeating: 7, count: 32)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sealed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        directory = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY)
        pageKey = try SymmetricKey(SecureRandom.secret(32))
        logKey = try SymmetricKey(SecureRandom.secret(32))
    }

    deinit {
        close(directory)
        try? FileManager.default.removeItem(at: folder)
    }

    var databasePath: String { folder.appending(path: "index.db").path }
    var logPath: String { databasePath + "-wal" }

    func storage(pageKey: SymmetricKey? = nil, binding: [UInt8] = [1, 2, 3]) throws -> SealedStorage {
        try SealedStorage(
            directory: directory, name: "index.db", pageKey: pageKey ?? self.pageKey, logKey: logKey,
            pageBinding: binding,
            logBinding: binding + [9], logSalt: salt, creating: true)
    }

    func open(synced: UInt64 = 0, acceptingDamage: Bool = false, cacheKiB: Int = 16 * 1024) throws -> SealedDatabase {
        try SealedDatabase(
            storage(), syncedByteCount: synced, acceptingLogDamage: acceptingDamage, cacheKiB: cacheKiB,
            spillsCache: cacheKiB < 1024
        ) { _ in }
    }

    /// Copies both files as they are now, as a crash would leave them.
    func crashCopy() throws -> SealedFixture {
        let copy = try SealedFixture(keysOf: self)
        for name in ["index.db", "index.db-wal"]
        where FileManager.default.fileExists(atPath: folder.appending(path: name).path) {
            try FileManager.default.copyItem(at: folder.appending(path: name), to: copy.folder.appending(path: name))
        }
        return copy
    }

    private init(keysOf other: SealedFixture) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sealed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        directory = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY)
        pageKey = other.pageKey
        logKey = other.logKey
        salt = other.salt
    }

    func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var content = try bytes(path)
        body(&content)
        try Data(content).write(to: URL(fileURLWithPath: path))
    }
}

extension SealedDatabase {
    func fill(rows: Int, marker: String = "marker") throws {
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS item(id INTEGER PRIMARY KEY, text TEXT)")
            for row in 0..<rows {
                try database.execute(
                    sql: "INSERT INTO item(text) VALUES(?)",
                    arguments: ["\(marker) \(row) " + String(repeating: "x", count: 500)])
            }
        }
    }
    func count() throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") ?? -1 }
    }
}
