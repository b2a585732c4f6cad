// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SealedObjects
import Testing
import VaultCrypto

struct TamperTests {
    /// Whether a whole copy refuses the object, and nothing of the content from `chunk` on was written.
    private func refuses(_ sample: Sample, keepingBefore place: Int? = nil) throws -> Bool {
        let target = try ScratchFile()
        let result = code {
            try sample.reader().copy(0..<sample.sealed.contentByteCount, to: target.descriptor) { _ in true }
        }
        if let place {
            let written = target.bytes
            if written.dropFirst(place).prefix(16_384).contains(where: { $0 != 0 }) { return false }
        }
        return result == .notAuthentic
    }

    @Test(arguments: [1, 2])
    func A01aFlippedBitAnywhereIsRefused(layers: Int) throws {
        let sample = try Sample(40_000, layers: layers)
        let count = sample.file.byteCount
        var places = Array(0..<64) + [count - 17, count - 16, count - 1] + stride(from: 64, to: count, by: 997)
        // The tags.
        for end in stride(from: 56 + 16_400, to: count, by: 16_400) { places += end - 18...end + 1 }
        for place in places {
            try sample.file.altered {
                $0[place] ^= 1 << UInt8(place % 8)
            } _: {
                let isRefused = try refuses(sample)
                #expect(isRefused, "byte \(place)")
            }
        }
        #expect(try sample.copied() == sample.content)
    }

    @Test func nothingOfAChunkThatIsNotAuthenticIsWritten() throws {
        let sample = try Sample(600_000)
        for chunk in [0, 1, 15, 16, 35] {
            try sample.file.altered {
                $0[56 + chunk * 16_400 + 16_000] ^= 1
            } _: {
                let isRefused = try refuses(sample, keepingBefore: chunk * 16_384)
                #expect(isRefused, "chunk \(chunk)")
            }
        }
    }

    @Test(arguments: [1, 2])
    func A06swappedCutAndAddedChunksAreRefused(layers: Int) throws {
        let sample = try Sample(100_000, layers: layers)
        let whole = sample.file.bytes
        let prefix = Array(whole[..<56])
        let chunks = stride(from: 56, to: whole.count, by: 16_400).map {
            Array(whole[$0..<min($0 + 16_400, whole.count)])
        }
        func object(_ order: [Int]) -> [UInt8] { order.reduce(into: prefix) { $0 += chunks[$1] } }
        let all = Array(chunks.indices)
        #expect(object(all) == whole)
        var changed = [
            object([1, 0] + all[2...]), object([0, 0] + all[2...]), object(all + [all.count - 1]), object([0] + all),
            whole + [0],
        ]
        changed += all.map { object(Array(all[..<$0])) }
        changed += [[], Array(prefix.dropLast()), Array(whole.dropLast()), Array(whole.dropLast(16))]
        for bytes in changed {
            try sample.file.altered {
                $0 = bytes
            } _: {
                let isRefused = try refuses(sample)
                #expect(isRefused, "\(bytes.count) bytes")
            }
        }
    }

    /// Its tag alone says that the object ends there.
    @Test(arguments: [1, 2])
    func anEmptyLastChunkIsOpenedByAWholeCopyAndACheck(layers: Int) throws {
        // The outermost padded size is a whole number of chunks.
        let sample = try Sample(layers == 1 ? 262_144 - 8 : 600_000, layers: layers)
        try #require((sample.file.byteCount - 56) % 16_400 == 16)
        try sample.file.altered {
            $0[$0.count - 1] ^= 1
        } _: {
            let isRefused = try refuses(sample)
            let check = code { _ = try sample.reader().check(from: 0) }
            #expect(isRefused && check == .notAuthentic)
        }
    }

    /// A reader that was made before sees a cut as well.
    @Test func aFileThatIsCutAfterItWasOpenedIsRefused() throws {
        let sample = try Sample(600_000)
        let reader = try sample.reader()
        sample.file.cut(to: 300_000)
        let target = try ScratchFile()
        #expect(code { try reader.copy(0..<600_000, to: target.descriptor) { _ in true } } == .notAuthentic)
        #expect(code { _ = try reader.read(500_000..<500_001) } == .notAuthentic)
        #expect(code { _ = try reader.read(0..<1) } == nil)
    }

    @Test(arguments: [1, 2])
    func whatTheRecordSaysMustFit(layers: Int) throws {
        let sample = try Sample(100_000, layers: layers)
        let (size, count) = (sample.sealed.fileByteCount, sample.sealed.contentByteCount)
        for other in [0, size - 1, size + 1, UInt64.max] {
            #expect(code { _ = try sample.reader(fileByteCount: other) } == .notAuthentic)
        }
        var commitment = sample.sealed.commitment
        commitment[31] ^= 0x80
        for other in [commitment, [], Array(commitment.dropLast()), commitment + [0]] {
            #expect(code { _ = try sample.reader(commitment: other) } == .notAuthentic)
        }
        // Another padded size is seen at once, the same padded size by a whole copy.
        for other in [0, 1, count + 5000, count - 5000, 1 << 50, 1 << 62, UInt64.max] {
            #expect(code { _ = try sample.reader(contentByteCount: other) } == .notAuthentic, "\(other)")
        }
        for other in [count - 1, count + 1] {
            let target = try ScratchFile()
            #expect(
                code { try sample.reader(contentByteCount: other).copy(0..<other, to: target.descriptor) { _ in true } }
                    == .notAuthentic)
        }
    }

    @Test func anotherKeyContextOrOrderOfLayersOpensNothing() throws {
        let (one, two) = (try Sample(1000), try Sample(1000, layers: 2))
        let layer = one.layers[0]
        for other in try [
            SealLayer(key: layer.key, context: [1]), SealLayer(key: Sample.key(9), context: layer.context),
        ] {
            #expect(code { _ = try one.reader(layers: [other]) } == .notAuthentic)
            #expect(code { _ = try two.reader(layers: [two.layers[0], other]) } == .notAuthentic)
            #expect(code { _ = try two.reader(layers: [other, two.layers[1]]) } == .notAuthentic)
        }
        #expect(code { _ = try two.reader(layers: two.layers.reversed()) } == .notAuthentic)
        #expect(code { _ = try two.reader(layers: [two.layers[0]]) } == .notAuthentic)
        #expect(code { _ = try one.reader(layers: two.layers) } == .notAuthentic)
    }

    /// Made with the right keys, so every chunk is authentic: only the padding is wrong.
    @Test(arguments: [1, 2])
    func paddingOfAnyLayerThatIsNotTheOneIsRefused(layers: Int) throws {
        let list = try Sample.layers(layers)
        let content = Sample.content(17_000)
        for wrong in 0..<layers {
            for place in [0, 1, 3, 8] {
                var bytes = content
                for number in (0..<layers).reversed() {
                    bytes = Padme.pad(bytes)
                    // The last byte but 8 is filling; the others belong to the length.
                    if number == wrong, place > 0 { bytes[bytes.count - 1 - place] ^= 1 }
                    bytes = try Cobblestone().seal(bytes, key: list[number].key, context: list[number].context)
                }
                let sample = try Sample(content, layers: list, object: bytes)
                if place == 0 {
                    #expect(try sample.copied() == content)
                } else {
                    #expect(try refuses(sample), "layer \(wrong), \(place)")
                }
            }
        }
    }
}
