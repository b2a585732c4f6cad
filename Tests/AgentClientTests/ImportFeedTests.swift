// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import ParserProtocol
import SecretMemory
import Testing
import VaultTesting

@testable import AgentClient

/// An import from a file to an agent, with a shell in the place of vault-parse that says what a test wants.
struct ImportFeedTests {
    private let folder = TemporaryFolder()

    /// - Parameters:
    ///   - records: what the parser says of the source.
    ///   - rest: what it does then.
    private func feed(
        _ records: [ImportRecord], then rest: String = "", isCancelled: @escaping () -> Bool = { false },
        tell: @escaping ImportFeed.Listener = { _ in }
    ) throws -> ImportFeed {
        folder.write(records.flatMap { RecordFrame.enclosing($0.encoded) }, to: "records")
        folder.write(
            RecordFrame.enclosing(try FileKind(kind: .file, mediaType: "text/plain", size: nil).encoded), to: "kind")
        let script = "test $0 = kind && exec /bin/cat \(folder.path)/kind; /bin/cat \(folder.path)/records; \(rest)"
        let program = ParserProgram(path: "/bin/sh", words: ["-c", script])
        return ImportFeed(.json, ParserSetting(zone: .machine, isCancelled: isCancelled, program: program), tell)
    }

    private func source(byteCount: Int = 10) throws -> ImportSource {
        folder.write([UInt8](repeating: 0x61, count: byteCount), to: "source.json")
        return try ImportSource(folder.path + "/source.json") { _ throws(ClientFailure) in
            throw .usage("no file here is encrypted")
        }
    }

    private func note(_ key: String) -> ImportRecord { .note(ParsedNote(sourceKey: key)) }

    @Test func aWholeImportIsBegunSentAndEnded() throws {
        var feed = try feed([note("a"), note("b"), .summary(ImportSummary())])
        var agent = StubAgent()
        let (ending, _) = try feed.run(try source(), over: &agent)
        #expect(ending == .complete)
        #expect(agent.requests == [BeginImport.id, ImportNotes.id, EndImport.id])
        #expect(feed.tally.savedCount == 2)
        #expect(feed.tally.fileCount == 1)
    }

    @Test func aPipeThatEndsEarlyIsAFailureAndWhatWasSavedIsKnown() throws {
        var feed = try feed((0..<201).map { note("n\($0)") })
        var agent = StubAgent()
        let (ending, _) = try feed.run(try source(), over: &agent)
        #expect(ending == .failed(.ended))
        #expect(feed.tally.savedCount == 200)
        #expect(feed.tally.summary == nil)
    }

    @Test func nonsenseEndsTheImport() throws {
        var feed = try feed([note("a")], then: #"printf '\377\377\377\377'; exec /bin/sleep 60"#)
        var agent = StubAgent()
        #expect(try feed.run(try source(), over: &agent).ending == .failed(.malformed))
    }

    @Test func recordsInAnImpossibleOrderEndTheImport() throws {
        var feed = try feed([.attachmentBytes([1]), .summary(ImportSummary())])
        var agent = StubAgent()
        #expect(try feed.run(try source(), over: &agent).ending == .failed(.malformed))
    }

    @Test func aParserThatReadsNothingOfALargeSourceEndsNobodyElse() throws {
        var feed = try feed([], then: "exec <&-; exec >&-; exit 0")
        var agent = StubAgent()
        #expect(try feed.run(try source(byteCount: 8 << 20), over: &agent).ending == .failed(.ended))
    }

    @Test func anAttachmentThatIsCutOffIsAnsweredBeforeTheImportEnds() throws {
        let start = try AttachmentStart(key: "k", name: "a.txt", modified: nil)
        let large = [UInt8](repeating: 7, count: ImportRecord.pieceByteCountMax)
        var feed = try feed([.attachmentStart(start)] + (0..<5).map { _ in .attachmentBytes(large) })
        var agent = StubAgent()
        // Nobody reads the pipe until the answer is asked for: it must hold what comes before.
        agent.takesFiles = false
        #expect(try feed.run(try source(), over: &agent).ending == .failed(.ended))
        #expect(agent.requests == [BeginImport.id, ImportAttachment.id, EndImport.id])
    }

    @Test func anAttachmentArrivesWhole() throws {
        let start = try AttachmentStart(key: "k", name: "a.txt", modified: nil)
        var feed = try feed([
            .attachmentStart(start), .attachmentBytes([1, 2]), .attachmentBytes([3]), .attachmentEnd(isWhole: true),
            note("a"),
            .summary(ImportSummary()),
        ])
        var agent = StubAgent()
        #expect(try feed.run(try source(), over: &agent).ending == .complete)
        #expect(agent.files == [[1, 2, 3]])
    }

    @Test func anAgentThatRefusesAnAttachmentEndsTheImport() throws {
        let start = try AttachmentStart(key: "k", name: "a.txt", modified: nil)
        var feed = try feed([
            .attachmentStart(start), .attachmentBytes([1]), .attachmentEnd(isWhole: true), .summary(ImportSummary()),
        ])
        var agent = StubAgent()
        agent.outcomes[ImportAttachment.id] = [.localSaveFailed]
        #expect(throws: ClientFailure(Outcome(.localSaveFailed))) { try feed.run(try source(), over: &agent) }
        #expect(agent.requests.last == ImportAttachment.id)
    }

    @Test func aCancelledImportEnds() throws {
        var feed = try feed([note("a")], then: "exec /bin/sleep 60", isCancelled: { true })
        var agent = StubAgent()
        #expect(try feed.run(try source(), over: &agent).ending == .interrupted)
    }

    @Test func whatTheListenerThrowsEndsTheImport() throws {
        let failure = ClientFailure(.localSaveFailed, "no room for the report")
        var feed = try feed(
            [.refused(RefusedEntry(.encrypted, path: Array("x".utf8)))], then: "exec /bin/sleep 60",
            tell: { news throws(ClientFailure) in if case .leftOut = news { throw failure } })
        var agent = StubAgent()
        #expect(throws: failure) { try feed.run(try source(), over: &agent) }
        #expect(feed.tally.isEncrypted)
    }

    @Test func aPasswordGoesWithTheBeginning() throws {
        var feed = try feed([.summary(ImportSummary())])
        var agent = StubAgent()
        var secret = SecretBytes(zeroes: 2)
        unsafe secret.withUnsafeMutableBytes { raw in unsafe raw.copyBytes(from: [0x70, 0x77]) }
        _ = try feed.run(try source(), password: secret, over: &agent)
        #expect(agent.secrets == [[0x70, 0x77]])
    }
}
