// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing

@testable import SealedSQLite

/// docs/sealed-sqlite.md §12: SQLite's memory is cleared as it is freed, or titles outlive the unlocked vault.
struct MemoryLessonTests {
    @Test func lesson12noRowIsLeftInMemoryAfterClose() throws {
        #expect(SealedDatabase.wipesMemory)
        // Made by SQLite out of parts, so that no text of ours holds it: what is found later was SQLite's.
        let (head, tail) = ("Qz7kVw", "mY3pXu")
        let needle = Array((head + tail).utf8).map { $0 ^ 0x5A }
        try useAndClose(
            head: head, tail: tail, whileOpen: { #expect(Self.occurrences(ofMasked: needle) > 100, "the search works") }
        )
        // A stack that SQLite used is not cleared: one or two copies may lie there until it is used again.
        #expect(Self.occurrences(ofMasked: needle) <= 4)
    }

    private func useAndClose(head: String, tail: String, whileOpen body: () -> Void) throws {
        let database = try SealedFixture().open()
        try database.queue.write { connection in
            try connection.execute(sql: "CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, text TEXT)")
            try connection.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
                    INSERT INTO note SELECT n, ? || ? || n, ? || ? || n || hex(randomblob(100)) FROM number
                    """, arguments: [head, tail, head, tail])
            try connection.execute(sql: "CREATE INDEX byTitle ON note(title)")
            // The last page through the log's own buffer, which the agent's wiping `free` clears, is one of these.
            try connection.execute(sql: "CREATE TABLE pad(bytes BLOB); INSERT INTO pad VALUES(zeroblob(40000))")
        }
        let sorted = try database.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM (SELECT title FROM note ORDER BY text DESC)")
        }
        #expect(sorted == 2000)
        body()
        try database.checkpoint()
        try database.close()
    }

    /// Counts a text in this process's writable memory; it is given masked, so that the search does not find itself.
    private static func occurrences(ofMasked needle: [UInt8]) -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0, let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return -1 }
        defer { close(memory) }
        // The window holds what it reads, so it is not searched itself.
        let windowByteCount = 1 << 20
        guard let window = unsafe mmap(nil, windowByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        else { return -1 }
        defer { unsafe munmap(window, windowByteCount) }
        let own = UInt(bitPattern: window)
        var count = 0
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), bounds.count == 2 else { continue }
            var at = bounds[0]
            while at < bounds[1] {
                if at >= own, at < own + UInt(windowByteCount) {
                    at = own + UInt(windowByteCount)
                    continue
                }
                let end = at < own ? min(bounds[1], own) : bounds[1]
                let size = min(UInt(windowByteCount), end - at)
                let got = unsafe pread(memory, window, Int(size), Int(at))
                if got > 0 {
                    count += unsafe occurrences(ofMasked: needle, in: UnsafeRawBufferPointer(start: window, count: got))
                }
                at += size
            }
        }
        return count
    }

    private static func occurrences(ofMasked needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var at = bytes.baseAddress!
        let end = unsafe at + bytes.count
        let first = CInt(needle[0] ^ 0x5A)
        while let found = unsafe memchr(at, first, end - at) {
            unsafe at = UnsafeRawPointer(found) + 1
            guard unsafe end - at >= needle.count - 1 else { break }
            var matches = true
            for index in 1..<needle.count
            where unsafe at.load(fromByteOffset: index - 1, as: UInt8.self) ^ 0x5A != needle[index] {
                matches = false
                break
            }
            if matches { count += 1 }
        }
        return count
    }
}
