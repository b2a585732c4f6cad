// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDBSQLite
import Testing

@testable import SealedSQLite

/// docs/sealed-sqlite.md §8 and §9, at the place where SQLite asks for files: the database and its log are opened,
/// nothing else is.
struct OpenedFilesTests {
    /// Opens a file through a VFS of its own, as SQLite would, and closes nothing: no file of ours holds a resource.
    private func open(_ name: String?, flag: CInt) throws -> CInt {
        let storage = try SealedFixture().storage()
        let vfs = try SealedVFS(storage, number: Int.random(in: 1_000_000...9_000_000))
        let registered = try unsafe #require(sqlite3_vfs_find(vfs.name))
        var file = unsafe OpenFile(base: sqlite3_file(), storage: nil)
        return unsafe withUnsafeMutablePointer(to: &file) { file in
            unsafe file.withMemoryRebound(to: sqlite3_file.self, capacity: 1) { base in
                unsafe registered.pointee.xOpen(
                    registered, name, base, flag | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
            }
        }
    }

    @Test(arguments: [SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_WAL])
    func theDatabaseAndItsLogAreOpened(flag: CInt) throws {
        #expect(try open("index.db", flag: flag) == SQLITE_OK)
    }

    @Test(arguments: [SQLITE_OPEN_MAIN_JOURNAL, SQLITE_OPEN_SUPER_JOURNAL])
    func lesson08aRollbackJournalIsNotOpened(flag: CInt) throws {
        #expect(try open("index.db-journal", flag: flag) == SQLITE_CANTOPEN)
    }

    @Test(arguments: [SQLITE_OPEN_TEMP_DB, SQLITE_OPEN_TEMP_JOURNAL, SQLITE_OPEN_TRANSIENT_DB, SQLITE_OPEN_SUBJOURNAL])
    func lesson09aTemporaryFileIsNotOpened(flag: CInt) throws {
        #expect(try open(nil, flag: flag) == SQLITE_CANTOPEN)
        #expect(try open("named", flag: flag) == SQLITE_CANTOPEN)
    }

    @Test func lesson08aRollbackJournalIsSaidNotToBeThere() throws {
        let fixture = try SealedFixture()
        try Data([1, 2, 3]).write(to: fixture.folder.appending(path: "index.db-journal"))
        let vfs = try SealedVFS(fixture.storage(), number: Int.random(in: 1_000_000...9_000_000))
        let registered = try unsafe #require(sqlite3_vfs_find(vfs.name))
        var answer: CInt = 7
        let asked = unsafe registered.pointee.xAccess(
            registered, fixture.databasePath + "-journal", SQLITE_ACCESS_EXISTS, &answer)
        #expect(asked == SQLITE_OK && answer == 0)
    }
}
