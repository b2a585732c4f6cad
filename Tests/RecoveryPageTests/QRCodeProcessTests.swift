// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import RecoveryPage
import Testing
import VaultTesting

/// `vault-parse qr-code`, confined: letters in one frame, modules back.
@Suite(.serialized)
struct QRCodeProcessTests {
    private func run(_ input: [UInt8]) throws -> ProgramRun {
        try PageProcess.run(input, arguments: ["qr-code"])
    }

    @Test func lettersBecomeModules() throws {
        let text = Array(String(repeating: "AGQKDIVA2345", count: 16).utf8)
        let answer = try run(RecordFrame.enclosing(text))
        #expect(!answer.wasKilled && answer.exitCode == 0 && answer.errors == "")
        let code = try QRCodeRecord(parsing: answer.output)
        let modules = try QRModules(letters: text)
        #expect(code.side == modules.side && code.side == 41)
        for y in 0..<code.side { for x in 0..<code.side { #expect(code.isDark(x, y) == modules.isDark(x, y)) } }
        // The three corners by which a reader finds it.
        for (x, y) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            #expect(
                (0..<7).allSatisfy { code.isDark(x + $0, y) && code.isDark(x, y + $0) } && !code.isDark(x + 1, y + 1))
        }
        #expect(!code.isDark(-1, 0) && !code.isDark(code.side, 0))
    }

    @Test func whatIsNoTextEndsItWith13() throws {
        let long = [UInt8](repeating: 0x41, count: QRCodeRecord.textByteCountMax + 1)
        for text in [[], [0], [0x41, 0], long] {
            let answer = try run(RecordFrame.enclosing(text))
            #expect(!answer.wasKilled && answer.exitCode == 13 && answer.output.isEmpty)
        }
        for input in [[], [0, 0], RecordFrame.enclosing(Array("ABC".utf8)) + [0]] {
            #expect(try run(input).exitCode == 13)
        }
        let words = try QRCodeRecord(parsing: run(RecordFrame.enclosing(Array("Bäume, \"b\"\n".utf8))).output)
        #expect(words.side >= 21)
        let most = [UInt8](repeating: 0x41, count: QRCodeRecord.textByteCountMax)
        #expect(try QRCodeRecord(parsing: run(RecordFrame.enclosing(most)).output).side > 100)
    }

    @Test func aRecordHasOneForm() throws {
        let code = try QRCodeRecord(side: 21) { x, y in (x + y) % 3 == 0 }
        #expect(try QRCodeRecord(parsing: code.encoded) == code)
        for count in 0..<code.encoded.count {
            #expect(throws: RecordError.self) { try QRCodeRecord(parsing: Array(code.encoded[..<count])) }
        }
        for wrong in [code.encoded + [0], [22] + code.encoded.dropFirst(), [21, 2] + code.encoded.dropFirst(2)] {
            #expect(throws: RecordError.self) { try QRCodeRecord(parsing: wrong) }
        }
        #expect(throws: RecordError.self) { try QRCodeRecord(side: 23) { _, _ in false } }
    }
}
