// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import ParserProtocol
import Testing

/// The program itself, as the client runs it: frames on one pipe, records on another.
@Suite(.serialized)
struct ParseProcessTests {
    @Test func aDocumentWithFrontMatterComesBackRight() throws {
        let file = try ForeignFile(
            path: Array("Work/a.md".utf8), modified: 7,
            content: Array("---\ntitle: Plan\ntags: [x]\ncreated: 2024-01-31\nown: 1\n---\n\nText #y\n".utf8))
        let result = try ParseProcess.run(frames: [file])
        #expect(result.exitCode == 0 && result.errors == "" && result.notes.count == 1)
        let note = try #require(result.notes.first)
        #expect(note.title == "Plan" && note.tags == ["x", "y"] && note.created == 1_706_659_200_000)
        #expect(note.notebook == "Work" && note.sourceKey == "Work/a.md")
        #expect(note.body == "---\nown: 1\n---\nText #y\n")
        #expect(note.losses == [Loss(.unknownFrontMatterKey, detail: "own")])
    }

    @Test func recordsComeInTheOrderOfTheFiles() throws {
        let files = try (0..<500).map {
            try ForeignFile(path: Array("\($0).md".utf8), modified: 0, content: Array("text \($0)".utf8))
        }
        let result = try ParseProcess.run(frames: files)
        #expect(result.exitCode == 0 && result.notes.map(\.sourceKey) == (0..<500).map { "\($0).md" })
    }

    @Test func theLargestFileFitsIntoItsMemory() throws {
        // Each of these bytes becomes three, so no other file takes more.
        let content = [UInt8](repeating: 0x80, count: ForeignFile.byteCountMax - 100)
        let result = try ParseProcess.run(frames: [
            try ForeignFile(path: Array("a.txt".utf8), modified: 0, content: content)
        ])
        #expect(result.exitCode == 0 && result.notes.count == 1)
        #expect(result.notes.allSatisfy { codes($0) == [.notUTF8, .bodyTooLong] })
    }

    @Test func noInputIsNoOutput() throws {
        let result = try ParseProcess.run(input: [])
        #expect(result.exitCode == 0 && result.output.isEmpty && result.errors == "")
    }

    @Test(
        arguments: [
            [0], [0, 0, 0], [0, 0, 0, 5, 1, 2], [0xFF, 0xFF, 0xFF, 0xFF], [0x01, 0x01, 0, 1], [0, 0, 0, 0],
            [0, 0, 0, 2, 0, 1],
            [0, 0, 0, 12, 0, 2, 0x2E, 0x2E, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 11, 0, 1, 0x2F, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func aMalformedFrameEndsItWith13AndOneLine(input: [UInt8]) throws {
        let result = try ParseProcess.run(input: input)
        #expect(result.exitCode == 13 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("vault-parse: error: ") && result.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func aWrongCommandLineIsRefused() throws {
        for arguments in [[], ["enex"], ["markdown", "x"]] {
            #expect(try ParseProcess.run(input: [], arguments: arguments).exitCode == 2)
        }
    }

    @Test func anEnvironmentVariableCannotSpoilTheRecords() throws {
        let file = try ForeignFile(path: Array("a.md".utf8), modified: 0, content: Array("---\ntitle: T\n---\n".utf8))
        let result = try ParseProcess.run(frames: [file], environment: ["YAMS_DEFAULT_ENCODING": "UTF16"])
        #expect(result.notes.first?.title == "T")
    }

    @Test func itCanOpenNothingStartNothingAndLeaveNothing() throws {
        let running = try ParseProcess.start()
        defer { running.stop() }
        let file = try ForeignFile(path: Array("a.md".utf8), modified: 0, content: [])
        // Once it answers, it has confined itself.
        try running.send(RecordFrame.enclosing(file.encoded))
        #expect(try running.receive(count: RecordFrame.headerByteCount).count == RecordFrame.headerByteCount)
        let limits = try String(contentsOfFile: "/proc/\(running.processID)/limits", encoding: .utf8)
        for (name, soft, hard) in [
            ("Max core file size", "0", "0"), ("Max file size", "0", "0"), ("Max open files", "0", "0"),
            ("Max processes", "0", "0"), ("Max address space", "1073741824", "1073741824"),
        ] {
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
            #expect(line.dropFirst(name.count).split(separator: " ").prefix(2) == [Substring(soft), Substring(hard)])
        }
        let status = try String(contentsOfFile: "/proc/\(running.processID)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("SigBlk:\t0000000000000000"))
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(running.processID)/fd")
        #expect(Set(open) == ["0", "1", "2"])
    }
}
