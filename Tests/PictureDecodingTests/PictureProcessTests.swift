// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignRecords
import Foundation
import Testing

/// The program itself, confined: a file on standard input, one record on standard output.
@Suite(.serialized)
struct PictureProcessTests {
    private struct Answer {
        let exitCode: Int32
        let wasKilled: Bool
        let record: PictureRecord?
    }

    /// - Parameters:
    ///   - size: what the input is grown to with zeros, in bytes.
    ///   - memoryKiB: what the process may take for itself.
    private func decode(_ bytes: [UInt8], size: UInt64? = nil, memoryKiB: Int? = nil) throws -> Answer {
        let file = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let input = try FileHandle(forUpdating: file)
        if let size {
            try input.truncate(atOffset: size)
            try input.seek(toOffset: 0)
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -d \(memoryKiB.map { "\($0)" } ?? "unlimited"); exec \"$0\" picture", Self.executable.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let answer = [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        return Answer(
            exitCode: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            record: try? PictureRecord.parse(answer))
    }

    private static var executable: URL {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "vault-parse")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        // Tests/PictureDecodingTests/PictureProcessTests.swift is three steps below the package.
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.appending(path: ".build/debug/vault-parse")
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
