// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SealedObjects
import SecretMemory
import Testing

struct RangeTests {
    private static let byteCount = 600_000
    private static let edges: [UInt64] = [
        0, 1, 16_383, 16_384, 16_385, 262_143, 262_144, 262_145, 524_288, 599_999, 600_000,
    ]

    @Test(arguments: [1, 2])
    func everyRangeBetweenEdgesIsThatPartOfTheContent(layers: Int) throws {
        let sample = try Sample(Self.byteCount, layers: layers)
        let reader = try sample.reader()
        for begin in Self.edges {
            for end in Self.edges where end >= begin {
                let part = Array(sample.content[Int(begin)..<Int(end)])
                let target = try ScratchFile()
                try reader.copy(begin..<end, to: target.descriptor) { _ in true }
                #expect(target.bytes == part, "\(begin)..<\(end)")
                #expect(try reader.read(begin..<end).array == part, "\(begin)..<\(end)")
            }
        }
    }

    @Test(arguments: [1, 2])
    func aPipeGetsARangeToo(layers: Int) throws {
        let sample = try Sample(Self.byteCount, layers: layers)
        for range in [0..<UInt64(Self.byteCount), 16_383..<300_001, 5..<5] as [Range<UInt64>] {
            let pipe = try ScratchPipe()
            let received = Received { pipe.receive() }
            try sample.reader().copy(range, to: pipe.writing) { _ in true }
            pipe.closeWriting()
            #expect(received.value == Array(sample.content[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    @Test func aRangeBeyondTheContentIsRefused() throws {
        let sample = try Sample(1000)
        let (reader, target) = (try sample.reader(), try ScratchFile())
        for range in [0..<1001, 1000..<1001, 2000..<3000, 0..<UInt64.max] as [Range<UInt64>] {
            #expect(code { try reader.copy(range, to: target.descriptor) { _ in true } } == .tooLarge)
            #expect(code { _ = try reader.read(range) } == .tooLarge)
        }
        #expect(target.byteCount == 0)
        #expect(try reader.read(1000..<1000).byteCount == 0)
    }

    @Test func noMoreThanSixteenMebibytesAreReadAtOnce() throws {
        let (source, file, layers) = (try ScratchFile(sparse: (16 << 20) + 1), try ScratchFile(), try Sample.layers(1))
        let sealed = try ObjectWriter.seal(from: source.descriptor, to: file.descriptor, layers: layers) { _ in true }
        let reader = try ObjectReader(
            file: file.descriptor, layers: layers, fileByteCount: sealed.fileByteCount, commitment: sealed.commitment,
            contentByteCount: sealed.contentByteCount)
        #expect(try reader.read(1..<(16 << 20) + 1).byteCount == 16 << 20)
        #expect(code { _ = try reader.read(0..<(16 << 20) + 1) } == .tooLarge)
    }

    /// All chunks but those that hold the byte are spoiled: so no other one was opened.
    @Test(arguments: [1, 2])
    func onlyTheChunksThatARangeTouchesAreOpened(layers: Int) throws {
        let sample = try Sample(Self.byteCount, layers: layers)
        let reader = try sample.reader()
        let place = 300_000
        // With two layers the inner chunk, of 16,400 bytes, lies across two outer ones, or three.
        let inner = layers == 1 ? place..<place + 1 : 56 + place / 16_384 * 16_400..<56 + (place / 16_384 + 1) * 16_400
        let needed = inner.lowerBound / 16_384...(inner.upperBound - 1) / 16_384
        #expect(needed.count <= (layers == 1 ? 1 : 3))
        try sample.file.altered { bytes in
            for chunk in 0..<(bytes.count - 56 + 16_399) / 16_400 where !needed.contains(chunk) {
                bytes[56 + chunk * 16_400] ^= 1
            }
        } _: {
            #expect((try? reader.read(UInt64(place)..<UInt64(place) + 1).array) == [sample.content[place]])
            #expect(code { _ = try reader.read(0..<1) } == .notAuthentic)
        }
    }
}
