// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What becomes of a draft, by every way out of an editor and without one.
@Suite(.enabled(if: Programs.system("vim") != nil, "vim is not installed"))
struct EditDraftTests {
    private let world: VaultWorld

    init() throws {
        world = try VaultWorld()
        world.environment["TERM"] = "xterm"
    }

    /// Runs an editor that does what vim's commands say, at once.
    private func edit(_ vim: String..., with arguments: [String]) throws -> (code: Int32, said: String) {
        world.environment["EDITOR"] = "vim" + vim.map { " -c '\($0)'" }.joined()
        let session = try TerminalSession([Programs.path("vault")] + arguments, environment: world.environment)
        let code = try session.finish()
        return (code, session.transcript)
    }

    /// A draft of a note whose editor and client were killed after it had saved "save 1".
    private func recover(_ note: String) throws -> String {
        let run = try EditRun(world, note: note, saves: 1, pause: 60_000)
        try run.waitForSave()
        let editor = try #require(run.editor)
        run.session.kill(SIGKILL)
        kill(editor, SIGKILL)
        #expect(
            VaultWorld.waitForEnd(of: editor, seconds: 10) != nil
                && VaultWorld.waitForEnd(of: run.session.pid, seconds: 10) != nil)
        // The agent looks at an edit whose client has gone when it is told, and at the latest a few seconds later.
        let deadline = Clock.seconds + 10
        var isTold = false
        while !isTold, Clock.seconds < deadline {
            isTold = try world.vault("ls").err.contains("1 recovered draft: vault draft ls")
        }
        #expect(isTold)
        return try #require(try drafts().first?["id"].string)
    }

    private func drafts(_ options: String...) throws -> [JSON] {
        try JSON(world.vault(["draft", "ls", "--json"] + options))["drafts"].array
    }
    private func text(_ note: String) throws -> String { try world.require(world.vault("cat", note)).text }

    @Test(arguments: [["wq"], ["w", "q"], ["x"], ["q"]]) func aRecoveredDraftThatIsSavedAsItIsBecomesTheNote(
        leaving: [String]
    ) throws {
        let note = try world.new("first text")
        let draft = try recover(note)
        world.environment["EDITOR"] = "vim" + leaving.map { " -c \($0)" }.joined()
        let session = try world.terminal("draft", "resume", draft, "--yes")
        #expect(try session.finish() == 0, "\(session.transcript)")
        #expect(!session.transcript.contains("nothing was changed"))
        #expect(try text(note) == "save 1\n")
        #expect(try drafts("--all").isEmpty)
    }

    @Test func aRecoveredDraftThatIsPutBackToTheNoteIsNoChange() throws {
        let note = try world.new("first text")
        let draft = try recover(note)
        let (code, said) = try edit("call setline(1, \"first text\")", "wq", with: ["draft", "resume", draft, "--yes"])
        #expect(code == 0 && said.contains("nothing was changed"), "\(said)")
        #expect(try JSON(world.vault("history", note, "--json"))["revisions"].array.count == 1)
        #expect(try drafts("--all").isEmpty)
    }

    @Test func aTemplateThatIsSavedAsItIsBecomesANote() throws {
        #expect(
            try edit(
                "call setline(1, [\"# {{title}}\", \"agenda\"])", "wq", with: ["template", "edit", "meeting", "--yes"]
            ).code == 0)
        let (code, said) = try edit("wq", with: ["new", "--template", "meeting", "--title", "Monday", "--yes"])
        #expect(code == 0 && !said.contains("nothing was changed"), "\(said)")
        #expect(try text("Monday") == "# Monday\nagenda\n")
    }

    @Test func anUnchangedNoteStaysAsItIs() throws {
        let note = try world.new("no line feed at the end")
        let (code, said) = try edit("wq", with: ["edit", note, "--yes"])
        #expect(code == 0 && said.contains("nothing was changed"))
        #expect(try text(note) == "no line feed at the end")
        #expect(try drafts("--all").isEmpty)
    }

    @Test func anEditorThatIsLeftWithAnErrorPromisesADraftOnlyWhereOneIs() throws {
        let note = try world.new("first text")
        let (code, said) = try edit("cq", with: ["edit", note, "--yes"])
        #expect(code == 10 && said.contains("the editor exited with status 1: nothing was saved"), "\(said)")
        #expect(!said.contains("draft"))
        #expect(try drafts("--all").isEmpty)
        let (second, saved) = try edit(
            "call setline(1, \"saved\")", "w", "call setline(1, \"not saved\")", "cq", with: ["edit", note, "--yes"])
        #expect(
            second == 10 && saved.contains("vault draft ls --all keeps what the editor saved, for a day"), "\(saved)")
        let discarded = try drafts("--all")
        #expect(discarded.count == 1 && discarded[0]["state"].string == "discarded")
        #expect(try world.require(world.vault("draft", "show", note)).text == "saved\n")
        #expect(try drafts().isEmpty && text(note) == "first text")
    }

    @Test func aResumedDraftThatIsLeftWithAnErrorStaysADraft() throws {
        let note = try world.new("first text")
        let draft = try recover(note)
        let (code, said) = try edit("call setline(1, \"not saved\")", "cq", with: ["draft", "resume", draft, "--yes"])
        #expect(code == 10 && said.contains("vault draft resume \(draft.prefix(6))"), "\(said)")
        #expect(try drafts().map { $0["state"].string } == ["recovered"])
        #expect(try world.require(world.vault("draft", "show", draft)).text == "save 1\n")
        #expect(try text(note) == "first text")
    }

    @Test func aDraftIsSavedWithoutAnEditor() throws {
        let note = try world.new("first text")
        let draft = try recover(note)
        let saved = try JSON(world.require(world.vault("draft", "save", draft, "--json")))
        #expect(saved["outcome"].string == "saved" && saved["notes"][0]["id"].string == note)
        #expect(try text(note) == "save 1\n")
        #expect(try drafts("--all").isEmpty)
        expectRefusal(try world.vault("draft", "save", draft), 5, says: "there is no such draft")
    }

    @Test func aDraftThatIsSavedMeetsWhatWasChangedMeanwhile() throws {
        let note = try world.new("first text\n\nlast line\n")
        let draft = try recover(note)
        try world.require(world.vault("replace", note, "--", "first text\n\nanother last line\n"))
        #expect(try JSON(world.require(world.vault("draft", "save", draft, "--json")))["outcome"].string == "merged")
        #expect(try text(note) == "save 1\n\nanother last line\n")
        try world.require(world.vault("replace", note, "--", "first text\n\nlast line\n"))
        let second = try recover(note)
        try world.require(world.vault("replace", note, "--", "at the same place\n\nlast line\n"))
        #expect(try JSON(world.require(world.vault("draft", "save", second, "--json")))["outcome"].string == "forked")
        #expect(
            try JSON(world.vault("history", note, "--json"))["revisions"].array.filter { $0["head"].bool == true }.count
                == 2)
        #expect(try drafts("--all").isEmpty)
    }

    @Test func aPrivateNotesDraftIsSavedWhileTheNoteIsUnlocked() throws {
        let password = try world.write("note password", "umbrella kettle orchard")
        let note = try world.require(
            world.vault("new", "--private", "--note-password-file", password, "--", "first text")
        ).id
        _ = try world.vault("note", "lock", note)
        try world.require(world.vault("note", "unlock", note, "--note-password-file", password))
        let draft = try recover(note)
        try world.require(world.vault("note", "lock", note))
        expectRefusal(
            try world.vault("draft", "save", draft), 3, says: "this note has a password of its own and is locked")
        #expect(try drafts().count == 1)
        try world.require(world.vault("note", "unlock", note, "--note-password-file", password))
        try world.require(world.vault("draft", "save", draft))
        #expect(try text(note) == "save 1\n")
    }
}
