// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Glibc
import ParserProtocol
import Testing
import VaultTesting

@testable import AgentClient

/// A parser that dies, hangs up or talks nonsense is told as such. A shell stands in for vault-parse.
struct ParserFailureTests {
    private let folder = TemporaryFolder()

    private func kinds(_ script: String, lookCountMax: Int = 50) -> FileKinds {
        FileKinds(ParserProgram(path: "/bin/sh", words: ["-c", script]), lookCountMax: lookCountMax)
    }

    private func failure(_ script: String, lookCountMax: Int = 50) -> ParserFailure? {
        do {
            _ = try kinds(script, lookCountMax: lookCountMax).kind(of: [0x61])
            return nil
        } catch { return error as? ParserFailure }
    }

    private var photo: FileKind { get throws { try FileKind(kind: .photo, mediaType: "image/png", size: (3, 4)) } }

    @Test(arguments: ["exit 3", "kill -9 $$"]) func aParserThatDiesIsToldAsSuch(script: String) {
        #expect(failure(script) == .ended)
    }

    @Test func aParserThatHangsUpIsNotWaitedFor() { #expect(failure("exec >&-; exec /bin/sleep 60") == .ended) }

    @Test func aParserThatEndsInTheMiddleOfAnAnswerGaveNone() {
        #expect(failure(#"printf '\000\000\000\011abc'"#) == .ended)
    }

    @Test(arguments: [#"printf '\377\377\377\377'"#, #"printf '\000\000\000\003abc'"#, "echo What is this file"])
    func nonsenseIsNotTakenForAnAnswer(script: String) {
        #expect(failure(script + "; exec /bin/sleep 60") == .malformed)
    }

    @Test func aSilentParserIsGivenUp() { #expect(failure("exec /bin/sleep 60", lookCountMax: 2) == .silent) }

    @Test func aWholeAnswerCountsWhenTheParserEndsAfterIt() throws {
        folder.write(RecordFrame.enclosing(try photo.encoded), to: "answer")
        #expect(try kinds("/bin/cat \(folder.path)/answer").kind(of: [0x61]) == photo)
    }

    @Test func theNextFileHasANewParser() throws {
        folder.write(RecordFrame.enclosing(try photo.encoded), to: "answer")
        let kinds = kinds(
            "cd \(folder.path); test -e seen || { : > seen; exit 1; }; /bin/cat answer; exec /bin/sleep 60")
        #expect(throws: ParserFailure.ended) { try kinds.kind(of: [0x61]) }
        #expect(try kinds.kind(of: [0x61]) == photo)
    }

    @Test func aFileOnWhichTheParserFailsIsNamed() throws {
        let failure = #expect(throws: ClientFailure.self) { try kinds("exit 3").kind(of: [0x61], name: "a\u{1B}b.jpg") }
        #expect(failure?.outcome.code == .other)
        #expect(failure?.outcome.message == "cannot determine what a\u{241B}b.jpg is: vault-parse failed on it")
    }

    @Test func aFilterThatFailsGivesNothing() throws {
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(silence) }
        func output(_ script: String, max: Int) throws -> [UInt8] {
            try ParserFilter([], input: silence, ParserProgram(path: "/bin/sh", words: ["-c", script])).readAll(
                max: max)
        }
        #expect(try output("printf abc", max: 3) == Array("abc".utf8))
        #expect(throws: ParserFailure.ended) { try output("printf abc; exit 1", max: 3) }
        #expect(throws: ParserFailure.ended) { try output("printf abc; kill -9 $$", max: 3) }
        #expect(throws: ParserFailure.malformed) { try output("printf abcd", max: 3) }
    }

    @Test func aProgramThatIsMissingIsNoFailureOfTheFile() {
        let kinds = FileKinds(ParserProgram(path: folder.path + "/vault-parse"))
        #expect(throws: ClientFailure.self) { try kinds.kind(of: [0x61]) }
    }
}
