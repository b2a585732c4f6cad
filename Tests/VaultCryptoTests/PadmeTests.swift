// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto

struct PadmeTests {
    @Test func whatIsPaddedComesBack() throws {
        for byteCount in Array(0...2000) + [16_376, 16_377, 65_536, 1 << 20] {
            let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
            let padded = Padme.pad(content)
            #expect(padded.count == Padme.paddedByteCount(byteCount + 8))
            #expect(try Padme.unpad(padded) == content)
        }
    }

    /// With a floor of 4 KiB all that is below it has one size, and what is above has the size that it has without.
    @Test func I01aHigherFloorHidesWhatIsBelowIt() throws {
        for byteCount in [0, 1, 248, 249, 4087, 4088, 4089, 5000, 100_000] {
            let content = [UInt8](repeating: 7, count: byteCount)
            let padded = Padme.pad(content, floor: 4096)
            #expect(padded.count == (byteCount <= 4088 ? 4096 : Padme.paddedByteCount(byteCount + 8)), "\(byteCount)")
            #expect(try Padme.unpad(padded, floor: 4096) == content)
        }
        #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(Padme.pad([1, 2, 3]), floor: 4096) }
        #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(Padme.pad([1, 2, 3], floor: 4096)) }
    }

    @Test func I01sizesBelowOneMebibyteFallIntoFewBuckets() throws {
        var buckets: Set<Int> = []
        var before = 0
        for byteCount in 0..<1 << 20 {
            let padded = try #require(Padme.paddedByteCount(byteCount))
            if padded < byteCount || padded < before { Issue.record("\(byteCount) bytes become \(padded)") }
            if byteCount > Padme.floorByteCount, (padded - byteCount) * 100 > byteCount * 12 {
                Issue.record("\(byteCount): more than 12 %")
            }
            buckets.insert(padded)
            before = padded
        }
        #expect(buckets.count <= 300)
    }

    /// Nothing is compressed: what stands in the content has no say in the size.
    @Test func I02equalPaddedSizesGiveEqualSealedSizes() throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(repeating: 3))
        for byteCount in [0, 100, 248, 249, 300, 5000, 40_000] {
            let padded = try #require(Padme.paddedByteCount(byteCount + 8))
            let largest = [UInt8](repeating: 0, count: padded - 8)
            let sizes = try [[UInt8](repeating: 0, count: byteCount), SecureRandom.bytes(byteCount), largest].map {
                content in
                try engine.seal(Padme.pad(content), key: key, context: []).count
            }
            #expect(Set(sizes).count == 1)
        }
    }

    @Test func aPaddingThatWeDoNotWriteIsRefused() throws {
        let padded = Padme.pad(Array("content".utf8))
        for index in 7..<padded.count - 8 {
            var bytes = padded
            bytes[index] = 1
            #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(bytes) }
        }
        for count in [0, 1, 8, 255] {
            #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(Array(padded.suffix(count))) }
        }
        #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad([0] + padded) }
        // 272 is the next size, but not that of 7 bytes.
        let bucketTooLarge = Array("content".utf8) + [UInt8](repeating: 0, count: 272 - 15) + [0, 0, 0, 0, 0, 0, 0, 7]
        #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(bucketTooLarge) }
    }

    @Test(
        arguments: [
            [0, 0, 0, 0, 0, 0, 0, 249], [0, 0, 0, 0, 0, 0, 1, 0], [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xF8],
            [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0, 0, 0, 0, 0],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func H08aLengthBeyondTheContentIsRefused(length: [UInt8]) {
        let bytes = [UInt8](repeating: 0, count: 248) + length
        #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(bytes) }
    }

    @Test func aLengthBelowTheContentIsRefused() {
        var padded = Padme.pad([1, 2, 3])
        padded[padded.count - 1] = 2
        #expect(throws: CryptoError(.notAuthentic)) { try Padme.unpad(padded) }
    }

    @Test func sizesThatNoIntegerHoldsHaveNoPaddedSize() {
        #expect(Padme.paddedByteCount(-1) == nil)
        #expect(Padme.paddedByteCount(.min) == nil)
        #expect(Padme.paddedByteCount(.max) == nil)
    }
}
