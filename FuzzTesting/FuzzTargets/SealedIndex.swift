// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import GRDB
internal import Glibc
internal import SealedSQLite
internal import VaultCrypto

/// A small sealed database whose log is not empty, put back as it was and altered for each input.
final class SealedIndex {
    enum Part: UInt8 { case pages, database, log }

    private static let binding: [UInt8] = [1, 2, 3]
    private let folder: URL
    private let directory: Int32
    private let pageKey: SymmetricKey
    private let logKey: SymmetricKey
    private let sealer: XAES256GCM
    private let plainPages: [[UInt8]]
    private let database: [UInt8]
    private let log: [UInt8]

    init() throws {
        // Memory, where there is some: a disk would be what is measured.
        let root =
            FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
        folder = root.appending(path: "vault-fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        directory = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        pageKey = try SymmetricKey(FuzzTarget.secret([UInt8](repeating: 1, count: 32)))
        logKey = try SymmetricKey(FuzzTarget.secret([UInt8](repeating: 2, count: 32)))
        sealer = try XAES256GCM(pageKey)
        let storage = try Self.storage(directory, pageKey, logKey, creating: true)
        let opened = try SealedDatabase(storage, syncedByteCount: 0) { _ in }
        try Self.fill(opened)
        try opened.checkpoint()
        plainPages = (1...storage.pageCount).compactMap { storage.openedPage($0) }
        database = try Self.bytes(folder, "index.db")
        try opened.queue.write { try $0.execute(sql: "UPDATE item SET name = name || 'x' WHERE id % 7 = 0") }
        log = try Self.bytes(folder, "index.db-wal")
        try opened.close()
    }

    deinit {
        Glibc.close(directory)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func storage(_ directory: Int32, _ pageKey: SymmetricKey, _ logKey: SymmetricKey, creating: Bool)
        throws -> SealedStorage
    {
        try SealedStorage(
            directory: directory, name: "index.db", pageKey: pageKey, logKey: logKey, pageBinding: binding,
            logBinding: binding + [9],
            logSalt: [UInt8](repeating: 7, count: 32), creating: creating)
    }

    private static func fill(_ database: SealedDatabase) throws {
        try database.queue.write { database in
            try database.execute(sql: "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT NOT NULL, content BLOB)")
            try database.execute(sql: "CREATE INDEX item_name ON item(name)")
            try database.execute(
                sql: "CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=none, columnsize=0)")
            for number in 0..<60 {
                let name = "name \(number * 37 % 60)"
                try database.execute(
                    sql: "INSERT INTO item(name, content) VALUES(?, ?)",
                    arguments: [name, Data(repeating: UInt8(number), count: number * number * 3)])
                try database.execute(
                    sql: "INSERT INTO words(rowid, text) VALUES(?, ?)",
                    arguments: [number + 1, "alpha beta\(number) \(name)"])
            }
        }
    }

    /// Both files as they were, with the edits.
    func put(_ edits: [IndexEdit], part: Part) throws {
        var (database, log) = (database, log)
        switch part {
        case .pages:
            log = []
            var pages = plainPages
            for edit in edits {
                let index = (edit.place >> 12) % pages.count
                IndexEdit(place: edit.place & 0xFFF, bytes: edit.bytes).apply(to: &pages[index])
                try reseal(index, pages[index], into: &database)
            }
        case .database: edits.forEach { $0.apply(to: &database) }
        case .log: edits.forEach { $0.apply(to: &log) }
        }
        try Data(database).write(to: folder.appending(path: "index.db"))
        try Data(log).write(to: folder.appending(path: "index.db-wal"))
    }

    /// What somebody with the key could write: an authentic page in its place that SQLite never made.
    private func reseal(_ index: Int, _ page: [UInt8], into database: inout [UInt8]) throws {
        let number = UInt32(index + 1)
        let data = Self.binding + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        let nonce = (0..<24).map { UInt8(truncatingIfNeeded: index + $0) }
        var sealed = [UInt8](repeating: 0, count: 4096)
        try unsafe sealed.withUnsafeMutableBytes { target in
            try unsafe nonce.withUnsafeBytes { nonce in
                try unsafe data.withUnsafeBytes { data in
                    try unsafe page.withUnsafeBytes { page in
                        try unsafe sealer.seal(
                            nonce: nonce, associatedData: data, UnsafeRawBufferPointer(rebasing: page[0..<4056]),
                            into: UnsafeMutableRawBufferPointer(rebasing: target[0..<4056]),
                            tag: UnsafeMutableRawBufferPointer(rebasing: target[4080..<4096]))
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[4056..<4080]).copyBytes(from: nonce)
                    }
                }
            }
        }
        database.replaceSubrange(index * 4096..<(index + 1) * 4096, with: sealed)
    }

    private static let statements = [
        "SELECT count(*), sum(length(name)), sum(length(content)) FROM item",
        "SELECT id FROM item WHERE name = 'name 7'",
        "SELECT group_concat(rowid) FROM words WHERE words MATCH 'alpha'",
        "UPDATE item SET name = 'another' WHERE id = 9",
        "INSERT INTO words(rowid, text) VALUES(1000, 'gamma')", "DELETE FROM item WHERE id < 5",
        "PRAGMA quick_check(3)",
    ]

    /// Damage is an error, never a trap; what an error is does not matter here.
    func readsOrRefuses() -> Bool {
        guard let storage = try? Self.storage(directory, pageKey, logKey, creating: false),
            let database = try? SealedDatabase(storage, syncedByteCount: 0, prepare: { _ in })
        else { return true }
        for statement in Self.statements {
            _ = try? database.queue.inDatabase { try Row.fetchAll($0, sql: statement) }
        }
        try? database.close()
        return true
    }

    private static func bytes(_ folder: URL, _ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: name)))
    }
}
