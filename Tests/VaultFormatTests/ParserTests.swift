// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

/// What holds for every parser of untrusted bytes.
struct ParserTests {
    @Test(arguments: Samples.all)
    func whatIsWrittenIsReadBack(parser: Parser) throws {
        #expect(try parser.readAndWrite(parser.sample) == parser.sample)
    }

    @Test(arguments: Samples.all)
    func everyPrefixIsRefused(parser: Parser) {
        for count in 0..<parser.sample.count {
            #expect(throws: FormatError.self) { try parser.readAndWrite(Array(parser.sample[0..<count])) }
        }
    }

    @Test(arguments: Samples.all)
    func aTrailingByteIsRefused(parser: Parser) {
        for byte in [UInt8(0), 1, 0x0A, 0xFF] {
            #expect(throws: FormatError(.trailingBytes, offset: parser.sample.count)) {
                try parser.readAndWrite(parser.sample + [byte])
            }
        }
    }

    @Test(arguments: Samples.all)
    func eachFlippedBitIsRefusedOrWrittenAgain(parser: Parser) {
        for index in parser.sample.indices {
            for bit in 0..<8 {
                var bytes = parser.sample
                bytes[index] ^= 1 << UInt8(bit)
                #expect(parser.isRefusedOrCanonical(bytes), "byte \(index), bit \(bit)")
            }
        }
    }

    /// Any field may be a length: no number put anywhere may make a parser take memory that the input does not hold.
    @Test(arguments: Samples.all)
    func H08hugeLengthsAreRefusedAndTakeNoMemory(parser: Parser) {
        let before = ThreadUsage.current()
        for index in 0..<parser.sample.count - 4 {
            for length: [UInt8] in [
                [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [1, 0, 0, 1],
            ] {
                var bytes = parser.sample
                bytes.replaceSubrange(index..<index + 4, with: length)
                #expect(parser.isRefusedOrCanonical(bytes))
                _ = try? parser.readAndWrite(Array(bytes[0..<index + 4]))
            }
        }
        #expect(ThreadUsage.current().faultedByteCount - before.faultedByteCount < 64 << 20)
    }

    @Test(arguments: Samples.all)
    func fiftyThousandRandomInputsAreRefusedOrWrittenAgain(parser: Parser) {
        var random = SeededGenerator(0x7661_756C_7400_0001)
        for round in 0..<50_000 {
            let bytes = round % 2 == 0 ? Self.noise(&random, parser.sample) : Self.mutation(&random, parser.sample)
            if !parser.isRefusedOrCanonical(bytes) { Issue.record("round \(round) is read, but written differently") }
        }
    }

    /// The beginning of a true value, then noise, so that the noise gets past magic and version.
    private static func noise(_ random: inout SeededGenerator, _ sample: [UInt8]) -> [UInt8] {
        let kept = random.below(sample.count)
        return Array(sample[0..<kept]) + random.bytes(random.below(100))
    }

    private static func mutation(_ random: inout SeededGenerator, _ sample: [UInt8]) -> [UInt8] {
        var bytes = sample
        for _ in 0...random.below(3) {
            let index = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[index] = UInt8(random.below(256))
            case 1: bytes[index] = [0, 1, 2, 0x7F, 0x80, 0xFF][random.below(6)]
            case 2: bytes.insert(UInt8(random.below(256)), at: index)
            default: if bytes.count > 1 { bytes.remove(at: index) }
            }
        }
        return bytes
    }
}
