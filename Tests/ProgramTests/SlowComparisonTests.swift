// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// While vault-parse compares, the agent serves others; and what they change meanwhile counts.
struct SlowComparisonTests {
    private let world: VaultWorld
    private let parser: StandInParser
    private let note: String
    private var gate: String { world.path("gate") }
    private var started: String { world.path("started") }

    /// A parser that begins only when a file is there, and ends with the test's folder.
    init() throws {
        world = try VaultWorld(unlocked: false)
        let script = """
            : > \(world.path("started"))
            while [ ! -e \(world.path("gate")) ]; do [ -d \(world.path("programs")) ] || exit 1; sleep 0.02; done
            exec \(world.path("programs/real-parse")) "$@"
            """
        parser = try StandInParser(world, script: script)
        try parser.unlock()
        try world.agentPID()
        note = try world.new("one\ntwo\nthree\nfour\nfive\n")
    }

    private func line() throws -> AgentLine { try AgentLine.greeted(#require(world.socket)) }

    private func open() throws { try world.write("gate", "") }

    /// Parsers wait again, and none has begun.
    private func close() throws {
        for path in [gate, started] { try? FileManager.default.removeItem(atPath: path) }
    }

    private func waitUntilItCompares() throws {
        let deadline = Clock.seconds + 10
        while unsafe access(started, F_OK) != 0 {
            try #require(Clock.seconds < deadline, "vault-parse was not started")
            usleep(2000)
        }
    }

    private func replace(_ text: String) throws { try world.require(world.vault("replace", note, text)) }

    /// An edit that began with the note as it is.
    private func beginEdit() throws -> AgentLine {
        let folder = world.path("run/notevault/edit-0123456789abcdef0123456789abcdef")
        _ = unsafe mkdir(folder, 0o700)
        let line = try line()
        #expect(try line.ask(BeginEdit(target: .note(ref: note), folder: folder)).outcome.code == .ok)
        return line
    }

    private func ending(of line: AgentLine) throws -> EndedEdit.Ending? {
        let answer = try line.answer()
        #expect(answer.outcome.code == .ok, "\(answer.outcome.message)")
        return try answer.replies.last.map { try EndedEdit(parsing: $0) }?.ending
    }

    /// If the agent waited for the comparison, it would give up after 5 s, and then answer these.
    private func expectOthersAreServed() throws {
        #expect(try JSON(world.vault("status", "--json"))["agentPID"].int != nil)
        #expect(try world.vault("cat", note).code == 0)
    }

    @Test(arguments: [false, true]) func othersAreServedWhileRevisionsAreCompared(byWord: Bool) throws {
        try replace("One\ntwo\nthree\nfour\nFive\n")
        let line = try line()
        try line.send(CompareRevisions(ref: note, from: nil, to: nil, byWord: byWord))
        try waitUntilItCompares()
        try expectOthersAreServed()
        try open()
        let answer = try line.answer()
        #expect(answer.outcome.code == .ok)
        let compared = try ComparedRevisions(parsing: #require(answer.replies.first))
        // Without a comparison, all five lines would have changed.
        if byWord {
            let same = compared.hunks.flatMap(\.pieces).filter { $0.kind == .same }.map(\.text)
            #expect(same.contains { String(decoding: $0, as: UTF8.self).contains("two\nthree\nfour\n") })
        } else {
            #expect(String(decoding: compared.unified, as: UTF8.self).contains("\n two\n three\n four\n"))
        }
    }

    @Test func aNoteThatIsChangedWhileItIsMergedIsMergedAgain() throws {
        let edit = try beginEdit()
        try replace("One\ntwo\nthree\nfour\nfive\n")
        try edit.send(CommitEdit(text: Array("one\ntwo\nthree\nfour\nFive\n".utf8)))
        try waitUntilItCompares()
        try expectOthersAreServed()
        try replace("One\ntwo\nThree\nfour\nfive\n")
        try open()
        #expect(try ending(of: edit) == .merged)
        #expect(try world.vault("cat", note).text == "One\ntwo\nThree\nfour\nFive\n")
        #expect(try world.vault("check").code == 0)
    }

    @Test func whatALockInterruptsIsADraftThatIsMergedWhenItIsSaved() throws {
        let edit = try beginEdit()
        try replace("One\ntwo\nthree\nfour\nfive\n")
        try edit.send(CommitEdit(text: Array("one\ntwo\nthree\nfour\nFive\n".utf8)))
        try waitUntilItCompares()
        let begin = Clock.seconds
        try world.require(world.vault("lock"))
        let answer = try edit.answer()
        #expect(answer.outcome.code == .locked && answer.outcome.message.contains("kept as a draft"))
        #expect(Clock.seconds - begin < 4, "a lock waits for no comparison")

        try parser.unlock()
        try world.agentPID()
        try close()
        let draft = try #require(try JSON(world.vault("draft", "ls", "--json"))["drafts"].array.first?["id"].string)
        let line = try line()
        try line.send(SaveDraft(ref: draft))
        try waitUntilItCompares()
        try expectOthersAreServed()
        try open()
        #expect(try ending(of: line) == .merged)
        #expect(try world.vault("cat", note).text == "One\ntwo\nthree\nfour\nFive\n")
    }

    @Test func aClientThatGoesWhileItsTextIsMergedLeavesADraft() throws {
        var edit: AgentLine? = try beginEdit()
        try replace("One\ntwo\nthree\nfour\nfive\n")
        try edit?.send(CommitEdit(text: Array("one\ntwo\nthree\nfour\nFive\n".utf8)))
        try waitUntilItCompares()
        edit = nil
        try world.require(world.vault("ls"))
        let draft = try #require(try JSON(world.vault("draft", "ls", "--json"))["drafts"].array.first?["id"].string)
        #expect(try world.vault("draft", "show", draft).text == "one\ntwo\nthree\nfour\nFive\n")
        #expect(try world.vault("cat", note).text == "One\ntwo\nthree\nfour\nfive\n")
    }

    @Test func othersAreServedWhileHeadsAreJoined() throws {
        try open()
        let edit = try beginEdit()
        try replace("theirs\ntwo\nthree\nfour\nfive\n")
        try edit.send(CommitEdit(text: Array("ours\ntwo\nthree\nfour\nfive\n".utf8)))
        #expect(try ending(of: edit) == .forked)
        try close()
        let folder = world.path("run/notevault/edit-fedcba9876543210fedcba9876543210")
        #expect(unsafe mkdir(folder, 0o700) == 0)
        let line = try line()
        try line.send(BeginEdit(target: .heads(ref: note), folder: folder))
        try waitUntilItCompares()
        try expectOthersAreServed()
        // Its shown version then fits to the other.
        try replace("one\ntwo\nthree\nfour\nFive\n")
        try open()
        #expect(try ending(of: line) == .merged)
        #expect(try world.vault("cat", note).text == "theirs\ntwo\nthree\nfour\nFive\n")
    }
}
