// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import ParserProtocol
import PictureDecoding
import Testing
import VaultTesting

struct CoverTests {
    private func size(_ bytes: [UInt8]) throws -> [Int] {
        guard case .picture(let width, let height, let jpeg) = CoverPicture.record(of: bytes) else { return [] }
        // What was written can be read, and has that size.
        guard case .picture(let pixels) = PictureDecoder.record(of: jpeg) else { return [] }
        #expect(pixels.width == Int(width) && pixels.height == Int(height))
        return [pixels.width, pixels.height]
    }

    @Test func aCoverIsMadeSmallerAndNeverLarger() throws {
        #expect(try size(PNGWriter.file(.gradient(900, 1400))) == [386, 600])
        #expect(try size(PNGWriter.file(.gradient(1400, 700))) == [600, 300])
        #expect(try size(PNGWriter.file(.gradient(40, 60))) == [40, 60])
        #expect(try size(PNGWriter.file(.gradient(600, 600))) == [600, 600])
        #expect(try size(PNGWriter.file(.gradient(3000, 1))) == [600, 1])
    }

    @Test func eachKindIsWrittenAnew() throws {
        for file in HostilePictureTests.files {
            guard case .picture(_, _, let jpeg) = CoverPicture.record(of: file) else {
                Issue.record("no picture")
                continue
            }
            #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]) && !jpeg.elementsEqual(file))
            #expect(!String(decoding: jpeg, as: UTF8.self).contains("Exif"))
            let record = CoverPicture.record(of: file)
            #expect(try CoverRecord(parsing: record.encoded) == record)
        }
    }

    @Test func whatLetsSomethingThroughLiesOnWhite() throws {
        let clear = TestPicture(16, 16) { _, _ in [0, 0, 0, 0] }
        guard case .picture(_, _, let jpeg) = CoverPicture.record(of: PNGWriter.file(clear)),
            case .picture(let pixels) = PictureDecoder.record(of: jpeg)
        else {
            Issue.record("no picture")
            return
        }
        #expect(pixels.rgba.allSatisfy { $0 == 255 })
    }

    @Test func whatIsNoCoverSaysSo() {
        #expect(CoverPicture.record(of: []) == .notKnown)
        #expect(CoverPicture.record(of: Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)) == .notKnown)
        // Services have an empty picture of one pixel in place of none.
        #expect(CoverPicture.record(of: PNGWriter.file(.gradient(1, 1))) == .notKnown)
        let file = PNGWriter.file(.gradient(200, 300))
        #expect(CoverPicture.record(of: Array(file.prefix(file.count / 2))) == .damaged)
        let claim = PNGWriter.signature + PNGWriter.head(100_000, 100_000, colours: 2)
        #expect(CoverPicture.record(of: claim + PNGWriter.chunk("IDAT", [1])) == .tooLarge)
        #expect(CoverPicture.record(of: [UInt8](repeating: 0xFF, count: (5 << 20) + 1)) == .tooLarge)
    }

    @Test func theProgramDoesTheSameConfined() throws {
        let program = Repository.program("vault-parse")
        let file = PNGWriter.file(.gradient(900, 1400))
        let run = try ProgramRun(program, ["cover"], input: file)
        #expect(run.exitCode == 0 && !run.wasKilled)
        #expect(try CoverRecord(parsing: run.output) == CoverPicture.record(of: file))
        let large = try ProgramRun(
            URL(filePath: "/bin/sh"), ["-c", "head -c 6000000 /dev/zero | \"$0\" cover", program.path])
        #expect(large.exitCode == 0 && large.output == CoverRecord.tooLarge.encoded)
    }
}
