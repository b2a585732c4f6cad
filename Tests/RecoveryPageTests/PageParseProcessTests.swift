// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import RecoveryPage
import Testing
import VaultTesting

/// The program itself, confined: one frame on standard input, the page's record on standard output.
@Suite(.serialized)
struct PageParseProcessTests {
    @Test func thePageIsDrawnUnderTheFilter() throws {
        let key = Array(Samples.key.utf8)
        let leading = try RecoveryPageRecord.leading(
            vaultID: Samples.vaultID, date: "2026-11-21", name: "Notes", keyByteCount: key.count)
        let answer = try PageProcess.run(leading + key)
        #expect(!answer.wasKilled && answer.exitCode == 0 && answer.errors == "")
        let record = try SketchDrawingRecord(parsing: answer.output)
        #expect(record.status == .ok && record.format == .pdf)
        #expect(record.content == (try RecoveryPage.draw(Samples.record())))
        let drawn = DrawnModules(side: CodeReader.side, loops: DrawnPage(record.content).loops)
        #expect(CodeReader.read(drawn.isDark) == key)
    }

    @Test func theLargestPageIsDrawnUnderTheFilter() throws {
        let content = Samples.content(name: [UInt8](repeating: 0x01, count: 255), key: Array(Samples.longestKey.utf8))
        let answer = try PageProcess.run(RecordFrame.enclosing(content))
        #expect(!answer.wasKilled && answer.exitCode == 0)
        #expect(try SketchDrawingRecord(parsing: answer.output).content.count > 20_000)
    }

    @Test func aHostileFrameEndsItWith13AndOneLineThatTellsNothing() throws {
        let content = Samples.content()
        let frame = RecordFrame.enclosing(content)
        let inputs: [[UInt8]] = [
            [], [0, 0, 0], [0, 0, 0, 0], Array(frame.dropLast()), frame + [0], frame + frame,
            [0xFF, 0xFF, 0xFF, 0xFF] + content,
            Samples.length(RecoveryPageRecord.byteCountMax + 1) + content, RecordFrame.enclosing(content + [0]),
            RecordFrame.enclosing(Samples.content(key: Array("mbqw-ey3e-mvtg-o2d1".utf8))),
            RecordFrame.enclosing(Samples.content(name: [0x6D, 0xFF])),
        ]
        for input in inputs {
            let answer = try PageProcess.run(input)
            #expect(!answer.wasKilled && answer.exitCode == 13 && answer.output.isEmpty)
            #expect(
                answer.errors.hasPrefix("vault-parse: error: a frame is malformed: ")
                    && answer.errors.filter { $0 == "\n" }.count == 1)
            #expect(!answer.errors.contains("mbqw"))
        }
    }

    @Test func itTakesNoOtherWord() throws {
        let answer = try PageProcess.run([], arguments: ["recovery-page", "x"])
        #expect(!answer.wasKilled && answer.exitCode == 2 && answer.output.isEmpty)
    }
}
