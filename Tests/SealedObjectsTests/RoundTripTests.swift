// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import SealedObjects
import Testing
import VaultCrypto

struct RoundTripTests {
    @Test(arguments: Sample.sizes, [1, 2])
    func whatIsSealedComesBack(byteCount: Int, layers: Int) throws {
        let sample = try Sample(byteCount, layers: layers)
        #expect(sample.sealed.contentByteCount == UInt64(byteCount))
        #expect(sample.sealed.fileByteCount == UInt64(sample.file.byteCount))
        #expect(sample.sealed.commitment == Array(sample.file.bytes[24..<56]))
        #expect((sample.sealed.innerCommitment?.count ?? 0) == (layers - 1) * 32)
        #expect(try sample.copied() == sample.content)
    }

    /// The one-shot form and `Padme` know nothing of this module: both must read what it writes, and write what it
    /// reads.
    @Test(arguments: Sample.sizes, [1, 2])
    func eachLayerIsPaddedAndThenSealed(byteCount: Int, layers: Int) throws {
        let sample = try Sample(byteCount, layers: layers)
        var bytes = sample.file.bytes
        for layer in sample.layers {
            bytes = try Padme.unpad(Cobblestone().open(bytes, key: layer.key, context: layer.context))
        }
        #expect(bytes == sample.content)
        for layer in sample.layers.reversed() {
            bytes = try Cobblestone().seal(Padme.pad(bytes), key: layer.key, context: layer.context)
        }
        #expect(try Sample(sample.content, layers: sample.layers, object: bytes).copied() == sample.content)
    }

    @Test(arguments: Sample.sizes, [1, 2])
    func aPipeGivesTheSameAsAFile(byteCount: Int, layers: Int) throws {
        let content = Sample.content(byteCount)
        let source = try ScratchPipe()
        let sending = source.send(content)
        let file = try ScratchFile()
        let list = try Sample.layers(layers)
        let sealed = try ObjectWriter.seal(from: source.reading, to: file.descriptor, layers: list) { _ in true }
        #expect(sealed.contentByteCount == UInt64(byteCount) && sealed.fileByteCount == UInt64(file.byteCount))
        _ = sending
        let reader = try ObjectReader(
            file: file.descriptor, layers: list, fileByteCount: sealed.fileByteCount, commitment: sealed.commitment,
            contentByteCount: sealed.contentByteCount)
        let target = try ScratchFile()
        try reader.copy(0..<sealed.contentByteCount, to: target.descriptor) { _ in true }
        #expect(target.bytes == content)
    }

    @Test func twoObjectsOfOneContentHaveNothingInCommonButTheirSize() throws {
        let (one, other) = (try Sample(40_000), try Sample(40_000))
        #expect(one.sealed.fileByteCount == other.sealed.fileByteCount)
        #expect(one.sealed.commitment != other.sealed.commitment)
        let same = zip(one.file.bytes, other.file.bytes).count { $0 == $1 }
        #expect(same < one.file.byteCount / 100, "equal only by chance, one byte of 256")
    }

    @Test func offsetsAndFlagsOfPassedDescriptorsStay() throws {
        let (source, target, back) = (try ScratchFile(Sample.content(50_000)), try ScratchFile(), try ScratchFile())
        let files = [source.descriptor, target.descriptor, back.descriptor]
        for file in files { lseek(file, 7, SEEK_SET) }
        let flags = files.map { fcntl($0, F_GETFL) }
        let layers = try Sample.layers(1)
        let sealed = try ObjectWriter.seal(from: source.descriptor, to: target.descriptor, layers: layers) { _ in true }
        try ObjectReader(
            file: target.descriptor, layers: layers, fileByteCount: sealed.fileByteCount, commitment: sealed.commitment,
            contentByteCount: 50_000
        ).copy(0..<50_000, to: back.descriptor) { _ in true }
        #expect(files.map { lseek($0, 0, SEEK_CUR) } == [7, 7, 7])
        #expect(files.map { fcntl($0, F_GETFL) } == flags)
        #expect(back.bytes == Sample.content(50_000))
    }

    @Test(arguments: [1, 2])
    func progressGrowsFromNothingToAllOfTheContent(layers: Int) throws {
        let source = try ScratchFile(Sample.content(5 << 20))
        var seen: [UInt64] = []
        let target = try ScratchFile()
        _ = try ObjectWriter.seal(from: source.descriptor, to: target.descriptor, layers: Sample.layers(layers)) {
            seen.append($0)
            return true
        }
        #expect(seen.first == 0 && seen.last == 5 << 20 && seen == seen.sorted())
        #expect(seen.count >= 2 && seen.count < 100)
    }
}
