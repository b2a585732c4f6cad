// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SealedObjects
import Testing
import VaultCrypto

struct CheckTests {
    private func check(_ reader: ObjectReader) throws -> Int {
        var (place, steps) = (0, 1)
        while let next = try reader.check(from: place) { (place, steps) = (next, steps + 1) }
        return steps
    }

    private func outer(_ sample: Sample, fileByteCount: UInt64? = nil, commitment: [UInt8]? = nil) throws
        -> ObjectReader
    {
        try ObjectReader(
            outerLayerOf: sample.file.descriptor, sample.layers[0],
            fileByteCount: fileByteCount ?? sample.sealed.fileByteCount,
            commitment: commitment ?? sample.sealed.commitment)
    }

    @Test(arguments: [0, 249, 16_384, 3_000_000], [1, 2])
    func anObjectIsCheckedInStepsToItsEnd(byteCount: Int, layers: Int) throws {
        let sample = try Sample(byteCount, layers: layers)
        let (steps, mebibytes) = (try check(sample.reader()), sample.file.byteCount >> 20)
        #expect(steps > mebibytes && steps <= mebibytes + 2)
        let last = sample.file.byteCount - 1
        for place in [56, last / 2, last] {
            try sample.file.altered {
                $0[place] ^= 1
            } _: {
                let result = code { _ = try check(sample.reader()) }
                #expect(result == .notAuthentic, "byte \(place)")
            }
        }
    }

    @Test(arguments: Sample.sizes, [1, 2])
    func theOuterLayerIsOpenedWithoutTheInnerOnesKey(byteCount: Int, layers: Int) throws {
        let sample = try Sample(byteCount, layers: layers)
        let reader = try outer(sample)
        let inside = try Padme.unpad(
            Cobblestone().open(sample.file.bytes, key: sample.layers[0].key, context: sample.layers[0].context))
        #expect(reader.contentByteCount == UInt64(inside.count))
        #expect(throws: Never.self) { _ = try check(reader) }
        let target = try ScratchFile()
        try reader.copy(0..<reader.contentByteCount, to: target.descriptor) { _ in true }
        #expect(target.bytes == inside)
    }

    @Test func anOuterLayerThatTheRecordDoesNotNameIsRefused() throws {
        let sample = try Sample(5000, layers: 2)
        let (size, other) = (sample.sealed.fileByteCount, try Sample(5000, layers: 2))
        for wrong in [0, 71, size - 1, size + 1, UInt64.max] {
            #expect(code { _ = try outer(sample, fileByteCount: wrong) } == .notAuthentic)
        }
        #expect(code { _ = try outer(sample, commitment: other.sealed.commitment) } == .notAuthentic)
        #expect(code { _ = try outer(sample, commitment: []) } == .notAuthentic)
        for length in [[UInt8](repeating: 0xff, count: 8), [0, 0, 0, 0, 0, 0, 0, 1]] {
            let padded = [UInt8](repeating: 0, count: 16_384) + length
            let bytes = try Cobblestone().seal(padded, key: sample.layers[0].key, context: sample.layers[0].context)
            #expect(code { _ = try outer(Sample([], layers: sample.layers, object: bytes)) } == .notAuthentic)
        }
    }

    @Test func memoryOfTheCallersIsWipedOnFailure() throws {
        let sample = try Sample(50_000)
        let reader = try sample.reader()
        var target = [UInt8](repeating: 0xaa, count: 40_000)
        try unsafe target.withUnsafeMutableBytes { try unsafe reader.read(5000..<45_000, into: $0) }
        #expect(target == Array(sample.content[5000..<45_000]))
        try sample.file.altered {
            $0[56 + 2 * 16_400 + 9] ^= 1
        } _: {
            let result = code {
                try unsafe target.withUnsafeMutableBytes { try unsafe reader.read(5000..<45_000, into: $0) }
            }
            #expect(result == .notAuthentic)
        }
        #expect(target.allSatisfy { $0 == 0 })
    }
}
