// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

struct PictureRecordTests {
    private static let full = PictureRecord.picture(PicturePixels(width: 2, height: 3, rgba: Array(0..<24)))

    @Test func aRecordIsReadBackAsTheSameValue() throws {
        #expect(Self.full.encoded == [0, 0, 0, 0, 2, 0, 0, 0, 3] + Array(0..<24))
        for record in [Self.full, .notKnown, .damaged, .tooLarge] {
            #expect(try PictureRecord.parse(record.encoded) == record)
        }
        #expect([PictureRecord.notKnown, .damaged, .tooLarge].map(\.encoded) == [[1], [2], [3]])
        let largest = PictureRecord.picture(
            PicturePixels(width: 1024, height: 1024, rgba: [UInt8](repeating: 7, count: 4 << 20)))
        #expect(largest.encoded.count == PictureRecord.byteCountMax)
        #expect(try PictureRecord.parse(largest.encoded) == largest)
    }

    @Test func everyWrongLengthIsRefused() {
        let encoded = Self.full.encoded
        for count in encoded.indices {
            #expect(throws: RecordError.self) { try PictureRecord.parse(Array(encoded[..<count])) }
        }
        #expect(throws: RecordError(.trailingBytes, offset: encoded.count)) { try PictureRecord.parse(encoded + [0]) }
        for status in [1, 2, 3] as [UInt8] {
            #expect(throws: RecordError(.trailingBytes, offset: 1)) { try PictureRecord.parse([status, 0]) }
        }
    }

    @Test func aSideOfZeroOrAboveTheBoxIsRefused() {
        for (width, height) in [(0, 1), (1, 0), (0, 0)] as [(UInt8, UInt8)] {
            #expect(throws: RecordError(.notCanonical, offset: width == 0 ? 1 : 5)) {
                try PictureRecord.parse([0, 0, 0, 0, width, 0, 0, 0, height, 1, 2, 3, 4])
            }
        }
        #expect(throws: RecordError(.tooLarge, offset: 1)) {
            try PictureRecord.parse([0, 0, 0, 4, 1, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 4 * 1025))
        }
        #expect(throws: RecordError(.tooLarge, offset: 5)) {
            try PictureRecord.parse([0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
        }
    }

    @Test func anotherStatusIsRefused() {
        for status in 4...255 as ClosedRange<UInt8> {
            #expect(throws: RecordError(.unknownVersion, offset: 0)) { try PictureRecord.parse([status]) }
        }
        #expect(throws: RecordError(.truncated, offset: 0)) { try PictureRecord.parse([]) }
    }
}
