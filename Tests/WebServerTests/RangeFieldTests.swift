// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import WebServer

struct RangeFieldTests {
    @Test func aRangeIsWithinTheFile() {
        #expect(RangeField("bytes=0-", of: 10).map { [$0.first, $0.last] } == [0, 9])
        #expect(RangeField("bytes=2-4", of: 10).map { [$0.first, $0.last] } == [2, 4])
        #expect(RangeField("bytes=2-400", of: 10).map { [$0.first, $0.last] } == [2, 9])
        #expect(RangeField("bytes=-3", of: 10).map { [$0.first, $0.last] } == [7, 9])
        #expect(RangeField("bytes=-30", of: 10).map { [$0.first, $0.last] } == [0, 9])
    }

    @Test(arguments: [
        "bytes=10-", "bytes=-0", "bytes=4-2", "bytes=0-1,3-4", "bytes=", "items=0-1", "bytes=+1-2", "bytes=a-b",
    ])
    func whatNoByteIsInIsRefused(_ text: String) { #expect(RangeField(text, of: 10) == nil) }

    @Test func anEmptyFileHasNoRange() { #expect(RangeField("bytes=0-", of: 0) == nil) }
}
