// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import SecretMemory
import Testing
import VaultCrypto

@testable import SealedSQLite

/// A copy under another key while the source is written to.
struct IndexCopyTests {
    @Test func whatIsWrittenWhileTheCopyRunsIsInTheCopy() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(directory) }
        func storage(_ name: String, creating: Bool) throws -> SealedStorage {
            let key = try SymmetricKey(
                unsafe SecretBytes(byteCount: 32) {
                    unsafe $0.initializeMemory(as: UInt8.self, repeating: UInt8(name.utf8.count))
                })
            return try SealedStorage(
                directory: directory, name: name, pageKey: key, logKey: key, pageBinding: Array(name.utf8),
                logBinding: [1],
                logSalt: [UInt8](repeating: 3, count: 32), creating: creating)
        }
        let source = try SealedDatabase(storage("a.db", creating: true), syncedByteCount: 0) { _ in }
        try source.queue.write { database in
            try database.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, x BLOB)")
            for number in 0..<4000 {
                try database.execute(sql: "INSERT INTO t VALUES(?, randomblob(900))", arguments: [number])
            }
        }
        let copy = try IndexCopy(source, to: storage("bbb.db", creating: true)) { _ in }
        var steps = 0
        while try copy.step(pageCount: 50, leaving: 40) {
            steps += 1
            try source.queue.write { database in
                // Before, behind and beyond the place that the copy has reached; sometimes the log is emptied as well.
                for place in [steps, 4000 - steps * 7, steps * 53 % 4000] {
                    try database.execute(sql: "UPDATE t SET x = randomblob(900) WHERE id = ?", arguments: [place])
                }
                try database.execute(sql: "INSERT INTO t VALUES(?, randomblob(900))", arguments: [10_000 + steps])
                try database.execute(sql: "DELETE FROM t WHERE id = ?", arguments: [steps * 11])
            }
            if steps % 5 == 0 { try source.checkpoint() }
        }
        #expect(steps > 10)
        try source.queue.write { try $0.execute(sql: "INSERT INTO t VALUES(99999, x'01')") }
        try copy.finishPages()
        try copy.close()
        let target = try SealedDatabase(storage("bbb.db", creating: false), syncedByteCount: 0) { _ in }
        func rows(_ database: SealedDatabase) throws -> [Row] {
            try database.queue.inDatabase { try Row.fetchAll($0, sql: "SELECT * FROM t ORDER BY id") }
        }
        let expected = try rows(source)
        #expect(try rows(target) == expected)
        #expect(expected.contains { $0["id"] == 99999 })
        #expect(try target.queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        for page in 1...target.storage.pageCount { #expect(target.storage.pageIsAuthentic(page)) }
        // The source's keys open no page of the copy.
        let wrong = try SealedStorage(
            directory: directory, name: "bbb.db", pageKey: SymmetricKey(random: ()), logKey: SymmetricKey(random: ()),
            pageBinding: Array("a.db".utf8),
            logBinding: [1], logSalt: [UInt8](repeating: 3, count: 32), creating: false)
        #expect(!wrong.pageIsAuthentic(1))
    }

    @Test func aCopyWhoseLastPageIsRefusedIsNotDone() throws {
        let fixture = try SealedFixture()
        let storage = try fixture.storage()
        let database = try SealedDatabase(copyInto: storage) { _ in }
        try database.fill(rows: 100)
        // From here on the system refuses each write: the last one is behind the answer to the switch to a log.
        let unwritable = unsafe open(fixture.databasePath, O_RDONLY)
        #expect(unwritable >= 0 && dup2(unwritable, storage.pages.file.descriptor) >= 0)
        close(unwritable)
        #expect(throws: SealedSQLiteError(.noRoom)) { try database.endCopy() }
    }
}
