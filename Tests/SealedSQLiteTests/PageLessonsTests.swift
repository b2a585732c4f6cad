// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSQLiteShims
import Foundation
import GRDBSQLite
import Testing

@testable import SealedSQLite

/// docs/sealed-sqlite.md §5, §6 and §7: what SQLite is told about the files, and what is taken from it.
struct PageLessonsTests {
    @Test func lesson05aTornFirstPageIsMadeWholeFromTheLog() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 50)
        let crashed = try fixture.crashCopy()
        try crashed.change(crashed.databasePath) { bytes in
            for index in 2048..<4096 { bytes[index] = 0 }
        }
        let again = try crashed.open()
        #expect(try again.count() == 50)
        try again.checkpoint()
        try again.close()
        #expect(try crashed.open().count() == 50)
    }

    @Test func lesson05theFirstPageIsSealedWhole() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 5)
        try database.checkpoint()
        let first = try fixture.bytes(fixture.databasePath).prefix(4096)
        #expect(first.firstRange(of: Array("SQLite format 3".utf8)) == nil)
        // Page size and reserve would stand here in the clear: 10 00 02 02 28 40 20 20.
        #expect(first.firstRange(of: [0x10, 0x00, 2, 2, 40, 64, 32, 32]) == nil)
        #expect(first.firstRange(of: Array("CREATE TABLE".utf8)) == nil)
    }

    /// In a file larger than 1 GiB; here one with a hole up to there.
    @Test func thePageThatSQLiteNeverUsesIsAHoleAndNothingElse() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 5)
        try database.checkpoint()
        try database.close()
        let file = try FileHandle(forUpdating: URL(filePath: fixture.databasePath))
        let number: UInt32 = 262_145
        try file.truncate(atOffset: UInt64(number) * 4096)
        let storage = try fixture.storage()
        #expect(storage.pageIsAuthentic(1) && storage.pageIsAuthentic(number))
        #expect(!storage.pageIsAuthentic(number - 1) && !storage.pageIsAuthentic(number + 1))
        try file.seek(toOffset: UInt64(number - 1) * 4096 + 77)
        try file.write(contentsOf: Data([1]))
        #expect(!storage.pageIsAuthentic(number))
    }

    @Test func lesson05aTornFirstPageWithoutALogIsDamage() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 50)
        try database.checkpoint()
        try database.close()
        try fixture.change(fixture.databasePath) { $0[2000] ^= 1 }
        #expect(throws: (any Error).self) { try fixture.open().count() }
    }

    @Test(arguments: [false, true])
    func lesson06theFilesPromisePowersafeOverwriteAndNothingElse(log: Bool) {
        let methods = unsafe log ? IOMethods.log : IOMethods.database
        let (version, promises) = unsafe (methods.pointee.iVersion, methods.pointee.xDeviceCharacteristics(nil))
        #expect(version == 1, "no shared memory, no memory map")
        #expect(promises == SQLITE_IOCAP_POWERSAFE_OVERWRITE)
    }

    @Test(arguments: [(512, 0), (4095, 0), (8192, 0), (4096, 100), (100, 0)])
    func lesson06aWriteOfAnotherSizeOrPlaceThanAPageIsRefused(count: Int, offset: Int) throws {
        let storage = try SealedFixture().storage()
        #expect(try write(count, at: offset, to: storage, log: false) == CInt(CS_IOERR_WRITE))
        #expect(storage.pageCount == 0)
        #expect(try write(4096, at: 0, to: storage, log: false) == SQLITE_OK)
    }

    @Test(arguments: [(4096, 32), (100, 32), (23, 32), (24, 33), (31, 0)])
    func lesson06aWriteToTheLogThatIsNoHeaderAndNoPageIsRefused(count: Int, offset: Int) throws {
        let storage = try SealedFixture().storage()
        #expect(try write(count, at: offset, to: storage, log: true) != SQLITE_OK)
        #expect(storage.logByteCount == 0)
    }

    private func write(_ count: Int, at offset: Int, to storage: SealedStorage, log: Bool) throws -> CInt {
        let bytes = [UInt8](repeating: 0, count: count)
        var file = unsafe OpenFile(base: sqlite3_file(), storage: Unmanaged.passUnretained(storage).toOpaque())
        let methods = unsafe log ? IOMethods.log : IOMethods.database
        return unsafe withUnsafeMutablePointer(to: &file) { file in
            unsafe file.withMemoryRebound(to: sqlite3_file.self, capacity: 1) { base in
                unsafe bytes.withUnsafeBytes {
                    unsafe methods.pointee.xWrite(base, $0.baseAddress, CInt(count), Int64(offset))
                }
            }
        }
    }

    @Test func lesson07aPageThatUsesTheReservedBytesIsRefused() throws {
        let storage = try SealedFixture().storage()
        for at in [4056, 4080, 4095] {
            var page = [UInt8](repeating: 1, count: 4056) + [UInt8](repeating: 0, count: 40)
            page[at] = 1
            let stored = unsafe page.withUnsafeBytes { unsafe storage.pages.writePage(1, $0) == .whole }
            #expect(!stored, "byte \(at)")
            let logged = unsafe page.withUnsafeBytes { unsafe storage.log.write($0, at: 32 + 24) }
            #expect(!logged, "byte \(at)")
        }
        let page = [UInt8](repeating: 1, count: 4056) + [UInt8](repeating: 0, count: 40)
        let stored = unsafe page.withUnsafeBytes { unsafe storage.pages.writePage(1, $0) == .whole }
        #expect(stored)
    }

    @Test func lesson07theReservedBytesAreZeroInMemory() throws {
        let storage = try SealedFixture().storage()
        let page = [UInt8](repeating: 1, count: 4056) + [UInt8](repeating: 0, count: 40)
        var back = [UInt8](repeating: 0xEE, count: 4096)
        let result = unsafe page.withUnsafeBytes { source in
            unsafe storage.pages.writePage(1, source) == .whole
                ? unsafe back.withUnsafeMutableBytes { unsafe storage.pages.readPage(1, into: $0) } : .failed
        }
        #expect(result == .whole)
        #expect(back == page)
    }
}
