// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

struct ByteReaderTests {
    @Test func numbersAreBigEndianAndReadBack() throws {
        var writer = ByteWriter()
        writer.u8(0xFE)
        writer.u16(0xFEDC)
        writer.u32(0xFEDC_BA98)
        writer.u64(0xFEDC_BA98_7654_3210)
        writer.i64(.min)
        writer.flag(true)
        writer.text("ü")
        #expect(Array(writer.bytes[1..<7]) == [0xFE, 0xDC, 0xFE, 0xDC, 0xBA, 0x98])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.u8() == 0xFE)
        #expect(try reader.u16() == 0xFEDC)
        #expect(try reader.u32() == 0xFEDC_BA98)
        #expect(try reader.u64() == 0xFEDC_BA98_7654_3210)
        #expect(try reader.i64() == .min)
        #expect(try reader.flag())
        #expect(try reader.text(max: 2) == "ü")
        try reader.end()
    }

    @Test(arguments: [0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF, 5] as [UInt32])
    func H08aLengthThatTheInputDoesNotHoldIsRefused(length: UInt32) {
        var writer = ByteWriter()
        writer.u32(length)
        writer.raw([1, 2, 3, 4])
        let before = ThreadUsage.current()
        for _ in 0..<1000 {
            var reader = ByteReader(writer.bytes)
            #expect(throws: FormatError(.truncated, offset: 4)) { try reader.lengthPrefixed(max: .max) }
            var capped = ByteReader(writer.bytes)
            #expect(throws: FormatError(.tooLarge, offset: 0)) { try capped.lengthPrefixed(max: 4) }
        }
        #expect(ThreadUsage.current().faultedByteCount - before.faultedByteCount < 64 << 20)
    }

    @Test(arguments: [-1, Int.min, Int.max, 5])
    func aCountThatTheInputDoesNotHoldIsRefused(count: Int) {
        var reader = ByteReader([1, 2, 3, 4])
        #expect(throws: FormatError(.truncated, offset: 0)) { try reader.bytes(count) }
    }

    @Test func aFailedReadOfANumberMovesNothing() {
        var reader = ByteReader([1, 2, 3])
        #expect(throws: FormatError(.truncated, offset: 0)) { try reader.u64() }
        #expect(reader.offset == 0 && reader.remaining == 3)
    }
}
