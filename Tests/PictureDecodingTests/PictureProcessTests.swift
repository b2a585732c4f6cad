// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import ParserProtocol
import Testing
import VaultTesting

/// The program itself, confined: a file on standard input, one record on standard output.
@Suite(.serialized)
struct PictureProcessTests {
    private struct Answer {
        let run: ProgramRun
        var exitCode: Int32 { run.exitCode }
        var wasKilled: Bool { run.wasKilled }
        var record: PictureRecord? { try? PictureRecord.parse(run.output) }
    }

    /// - Parameters:
    ///   - size: what the input is grown to with zeros, in bytes.
    ///   - memoryKiB: what the process may take for itself.
    private func decode(_ bytes: [UInt8], size: UInt64? = nil, memoryKiB: Int? = nil) throws -> Answer {
        let folder = TemporaryFolder()
        folder.write(bytes, to: "picture")
        let input = try FileHandle(forUpdating: folder.file("picture"))
        if let size {
            try input.truncate(atOffset: size)
            try input.seek(toOffset: 0)
        }
        let script = "ulimit -d \(memoryKiB.map { "\($0)" } ?? "unlimited"); exec \"$0\" picture"
        return Answer(
            run: try ProgramRun(
                URL(filePath: "/bin/sh"), ["-c", script, Repository.program("vault-parse").path], input: input))
    }

    @Test(arguments: HostilePictureTests.files.indices) func everyKindIsDecodedUnderTheFilter(index: Int) throws {
        let answer = try decode(HostilePictureTests.files[index])
        #expect(!answer.wasKilled && answer.exitCode == 0)
        guard case .picture = answer.record else {
            Issue.record("no picture")
            return
        }
    }

    @Test func largePicturesAreDecodedUnderTheFilter() throws {
        let picture = TestPicture.gradient(1280, 960)
        for file in [
            picture.jpeg(), picture.jpeg(isProgressive: true), picture.webp(isLossless: true),
            picture.webp(isLossless: false),
        ] {
            guard case .picture(let pixels) = try decode(file).record else {
                Issue.record("no picture")
                continue
            }
            #expect(pixels.width == 1024 && pixels.height == 768)
        }
    }

    @Test func whatIsNoPictureIsARecordAndNotAFailure() throws {
        for (bytes, record) in [
            ([], .notKnown), (Array("text".utf8), .notKnown), ([0xFF, 0xD8, 0xFF, 0xE0], .damaged),
        ] as [([UInt8], PictureRecord)] {
            let answer = try decode(bytes)
            #expect(!answer.wasKilled && answer.exitCode == 0 && answer.record == record)
        }
    }

    @Test func H07aBombIsRefusedWithLittleMemory() throws {
        let bomb =
            PNGWriter.signature + PNGWriter.head(60000, 60000, colours: 6)
            + PNGWriter.chunk("IDAT", [UInt8](repeating: 0, count: 1 << 20))
        let answer = try decode(bomb, memoryKiB: 64 << 10)
        #expect(!answer.wasKilled && answer.exitCode == 0 && answer.record == .tooLarge)
    }

    @Test func aProgressiveJPEGThatNeedsTooMuchMemoryIsTooLarge() throws {
        // Within the cap on pixels, but the coefficients of its four inks would take more than a gigabyte.
        var file = TestPicture.jpeg(TestPicture.gradient(16, 16).rgba, 16, 16, channels: 4, isProgressive: true)
        let head = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC2]) })
        file.replaceSubrange(head + 5..<head + 9, with: bigEndian(14_000, 2) + bigEndian(14_000, 2))
        let answer = try decode(file)
        #expect(!answer.wasKilled && answer.exitCode == 0 && answer.record == .tooLarge)
    }

    @Test func inputAboveTheCapIsTooLarge() throws {
        let answer = try decode(TestPicture.gradient(16, 16).jpeg(), size: 128 << 20 + 1)
        #expect(!answer.wasKilled && answer.exitCode == 0 && answer.record == .tooLarge)
        guard case .picture = try decode(TestPicture.gradient(16, 16).jpeg(), size: 128 << 20).record else {
            Issue.record("the largest input is refused")
            return
        }
    }
}
