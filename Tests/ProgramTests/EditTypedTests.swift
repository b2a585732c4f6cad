// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What an editor holds and has not written: it outlives a terminal that closes and whatever is killed, and is never
/// the note.
@Suite struct EditTypedTests {
    private let world: VaultWorld
    private static let given = "first\nsecond\n"
    private static let typed = "typed words\nand more\n"

    /// Keys that put `typed` before a text and leave the editor in the middle of it.
    private static let keys = [
        "vim": "ggOtyped words\rand more", "nvim": "ggOtyped words\rand more", "emacs": "typed words\rand more\r",
    ]
    .merging(["nano": "typed words\rand more\r"]) { first, _ in first }

    enum End: CaseIterable { case terminalClosed, clientHungUp, editorHungUp, editorKilled, clientKilled, bothKilled }

    struct Case: CustomTestStringConvertible {
        let editor: String
        let end: End
        var testDescription: String { "\(editor), \(end)" }

        static var all: [Case] {
            let some = ["vim", "nvim", "emacs"].flatMap { editor in End.allCases.map { Case(editor: editor, end: $0) } }
            // nano writes only when it is hung up on.
            return some + [End.terminalClosed, .clientHungUp, .editorHungUp].map { Case(editor: "nano", end: $0) }
        }
    }

    init() throws {
        world = try VaultWorld()
        world.environment["TERM"] = "xterm"
    }

    private func begin(_ editor: String, _ note: String) throws -> (session: TerminalSession, editor: pid_t) {
        world.environment["EDITOR"] = editor
        let session = try world.terminal("edit", note, "--yes")
        // Nothing is typed at an editor that has not drawn the text yet: on a busy machine that takes seconds.
        try session.wait(for: "second")
        session.waitForQuiet(seconds: 1)
        let children = try ProcFile.text(session.pid, "task/\(session.pid)/children")
        return (session, try #require(children.split(separator: " ").first.flatMap { pid_t($0) }))
    }

    /// All drafts that are not thrown away, by their texts.
    private func drafts(_ options: String...) throws -> [String] {
        try JSON(world.vault(["draft", "ls", "--json"] + options))["drafts"].array
            .map { try world.require(world.vault("draft", "show", $0["id"].string ?? "")).text }
    }

    @Test(arguments: Case.all) func whatWasTypedTwoSecondsBeforeIsADraftByteForByte(_ test: Case) throws {
        guard Programs.system(test.editor) != nil, let keys = Self.keys[test.editor] else { return }
        let note = try world.require(world.vault("new", "-", input: Array(Self.given.utf8))).id
        let (begun, editor) = try begin(test.editor, note)
        let client = begun.pid
        try begun.type(keys)
        begun.waitForQuiet(seconds: 0.3)
        usleep(2_000_000)
        switch test.end {
        case .terminalClosed: break
        case .clientHungUp: begun.kill(SIGHUP)
        case .editorHungUp: kill(editor, SIGHUP)
        case .editorKilled: kill(editor, SIGKILL)
        case .clientKilled: begun.kill(SIGKILL)
        case .bothKilled:
            begun.kill(SIGKILL)
            kill(editor, SIGKILL)
        }
        if test.end == .clientHungUp || test.end == .editorHungUp || test.end == .editorKilled {
            _ = try begun.finish(seconds: 20)
        }
        // The terminal goes: what still runs on it is hung up on.
        begun.hangUp()
        #expect(VaultWorld.waitForEnd(of: client, seconds: 20) != nil, "the client ends")
        #expect(VaultWorld.waitForEnd(of: editor, seconds: 20) != nil, "the editor ends")
        #expect(try world.vault("ls").err.contains("1 recovered draft"))
        #expect(try drafts() == [Self.typed + Self.given])
        #expect(try world.require(world.vault("cat", note)).text == Self.given, "it is not the note")
    }

    @Test(arguments: ["vim", "nvim"], [":q!", ":cq"]) func whatWasTypedAndThrownAwayIsNoDraft(
        editor: String, leaving: String
    ) throws {
        guard Programs.system(editor) != nil else { return }
        let note = try world.require(world.vault("new", "-", input: Array(Self.given.utf8))).id
        let (session, _) = try begin(editor, note)
        try session.type("ggOsecret words")
        session.waitForQuiet(seconds: 2)
        try session.type("\u{1B}")
        session.waitForQuiet(seconds: 0.3)
        try session.type(leaving + "\r")
        #expect(try session.finish() == (leaving == ":q!" ? 0 : 10), "\(session.transcript.suffix(200))")
        #expect(try world.require(world.vault("cat", note)).text == Self.given)
        #expect(try drafts("--all") == [])
        #expect(!session.transcript.contains("vault draft"))
    }

    @Test(arguments: ["vim", "nvim"]) func whatWasSavedInBetweenIsTheDiscardedDraftAndNotWhatWasTypedAfterIt(
        editor: String
    ) throws {
        guard Programs.system(editor) != nil else { return }
        let note = try world.require(world.vault("new", "-", input: Array(Self.given.utf8))).id
        let (session, _) = try begin(editor, note)
        for keys in ["ggOsaved\u{1B}", ":w\r", "Onot saved\u{1B}"] {
            try session.type(keys)
            session.waitForQuiet(seconds: 1)
        }
        try session.type(":cq\r")
        #expect(try session.finish() == 10)
        #expect(try drafts("--all") == ["saved\n" + Self.given])
    }

    /// A pause in the middle of an insertion must not cut it in two, move the cursor or leave its mode.
    @Test(arguments: ["vim", "nvim"]) func aPauseBreaksNeitherUndoNorTheModeNorTheCursor(editor: String) throws {
        guard Programs.system(editor) != nil else { return }
        let note = try world.require(world.vault("new", "-", input: Array(Self.given.utf8))).id
        let (session, _) = try begin(editor, note)
        for keys in ["ggAone ", "two ", "three"] {
            try session.type(keys)
            session.waitForQuiet(seconds: 1.5)
        }
        try session.type("\u{1B}")
        session.waitForQuiet(seconds: 0.3)
        // The whole insertion again on the next line, then both taken back, each in one step.
        for keys in [
            "j.", ":let again = getline(2)\r", "uu", ":call append(1, [again, mode(), @#, &modified . ''])\r", ":wq\r",
        ] {
            try session.type(keys)
            session.waitForQuiet(seconds: 0.3)
        }
        #expect(try session.finish() == 0)
        let lines = try world.require(world.vault("cat", note)).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines == ["first", "secondone two three", "n", "", "0", "second", ""])
    }

    /// An editor that is not known is a question once; nothing is edited after anything but a yes.
    @Test func G02anUnknownEditorIsAskedForOnce() throws {
        let world = try VaultWorld()
        let note = try world.new("before")
        let editor = try world.write("my editor", "#!/bin/sh\necho after >> \"$1\"\n")
        unsafe chmod(editor, 0o700)
        world.environment["EDITOR"] = "'\(editor)'"
        world.environment["TERM"] = "xterm"
        world.environment["XDG_CONFIG_HOME"] = world.path("home/config")
        let refused = try world.terminal("edit", note, "--yes")
        try refused.answer("Use it from now on? [y/N] ", "")
        #expect(try refused.finish() == 2)
        #expect(try !world.vault("cat", note).text.contains("after"))
        let allowed = try world.terminal("edit", note, "--yes")
        try allowed.answer("Use it from now on? [y/N] ", "y")
        #expect(try allowed.finish() == 0)
        let again = try world.terminal("edit", note, "--yes")
        #expect(try again.finish() == 0)
        #expect(!again.lastScreen.contains("from now on"))
        #expect(try world.vault("cat", note).text.components(separatedBy: "after").count == 3)
        #expect(try world.vault("config", "get", "editor.allow").text.contains("my editor"))
        // Without somebody to ask it is refused as before.
        try world.require(world.vault("config", "unset", "editor.allow"))
        let unasked = try world.terminal("edit", note, "--yes", "--no-input")
        #expect(try unasked.finish() == 2)
    }
}
