// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SealedSQLite
import Testing

/// Index pages and frames of the log are sealed under one key each: a nonce that came twice would show the XOR of two
/// pages.
struct NonceTests {
    /// 24 bytes at the end of a page, before its tag; 24 at the begin of the log's header and of each frame.
    private func nonces(_ fixture: SealedFixture) throws -> (pages: [[UInt8]], log: [[UInt8]]) {
        let pages = try fixture.bytes(fixture.databasePath)
        let log = try fixture.bytes(fixture.databasePath + "-wal")
        let places = [0] + stride(from: 72, to: log.count, by: 4120)
        return (
            stride(from: 0, to: pages.count, by: 4096).map { Array(pages[$0 + 4056..<$0 + 4080]) },
            log.isEmpty ? [] : places.map { Array(log[$0..<$0 + 24]) }
        )
    }

    @Test func C03noNonceOfAPageOrAFrameComesTwice() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        var seen: Set<[UInt8]> = []
        var before: [[UInt8]] = []
        for _ in 0..<6 {
            try database.fill(rows: 40)
            let frames = try nonces(fixture).log
            #expect(frames.count > 5)
            for nonce in frames { #expect(seen.insert(nonce).inserted) }
            // Some pages are written again, under the same number; the log begins anew.
            try database.checkpoint()
            let pages = try nonces(fixture).pages
            #expect(pages.first != before.first)
            for (index, nonce) in pages.enumerated() where index >= before.count || nonce != before[index] {
                #expect(seen.insert(nonce).inserted)
            }
            before = pages
        }
        try database.close()
    }
}
