// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// kill -9 of client, editor and agent at random moments of an edit: the text as the editor saved it last is there.
@Suite(.enabled(if: Programs.system("vim") != nil, "vim is not installed"))
struct EditKillTests {
    /// `VAULT_KILLS` asks for more, as `make check` does.
    private static var rounds: Int { Programs.text(of: "VAULT_KILLS").flatMap(Int.init).map { max($0 / 2, 1) } ?? 9 }

    private enum Victim: CaseIterable { case client, editor, agent, clientAndEditor, all }

    @Test func whatAnEditorSavedLastIsThereWhateverIsKilled() throws {
        let world = try VaultWorld()
        var random = SystemRandomNumberGenerator()
        for round in 0..<Self.rounds {
            let note = try world.new("save 0, round \(round)")
            let victim = Victim.allCases[round % Victim.allCases.count]
            try run(
                world, note, victim, delay: UInt32.random(in: 0..<120_000, using: &random), "round \(round), \(victim)")
        }
        #expect(try world.vault("check").code == 0)
    }

    private func run(_ world: VaultWorld, _ note: String, _ victim: Victim, delay: UInt32, _ comment: Comment) throws {
        let agent = try world.agentPID()
        var edit: EditRun? = try EditRun(world, note: note, saves: 60)
        try edit!.waitForSave()
        usleep(delay)
        let editor = edit!.editor
        if [.agent, .all].contains(victim) { kill(agent, SIGKILL) }
        if [.client, .clientAndEditor, .all].contains(victim) { edit!.session.kill(SIGKILL) }
        if let editor, [.editor, .clientAndEditor, .all].contains(victim) { kill(editor, SIGKILL) }
        if victim == .agent {
            // The client is left with a text and no agent: it asks for the password once more.
            try edit!.session.answer("Password: ", VaultWorld.password)
            #expect(try edit!.session.finish() == 0, comment)
        } else if victim == .editor {
            _ = try edit!.session.finish()
        }
        let saved = edit!.saved
        // The terminal goes; what still runs on it is hung up on.
        if let editor, VaultWorld.isRunning(editor) { kill(editor, SIGKILL) }
        if let editor { #expect(VaultWorld.waitForEnd(of: editor, seconds: 10) != nil) }
        // Until the client is gone too, its folder is one that somebody uses.
        if [.client, .clientAndEditor, .all].contains(victim) {
            #expect(VaultWorld.waitForEnd(of: edit!.session.pid, seconds: 10) != nil)
        }
        let savedAtEnd = max(saved, edit!.saved)
        if victim == .all { _ = VaultWorld.waitForEnd(of: agent, seconds: 10) }
        if try JSON(world.vault("status", "--json"))["state"].string != "unlocked" { try world.unlock() }
        let kept = try edit!.kept(note: note)
        #expect(kept >= savedAtEnd, "\(comment): \(kept) of \(savedAtEnd)")
        #expect(edit!.folder == nil, "nothing is left in memory: \(comment)")
        edit = nil
        for draft in try JSON(world.vault("draft", "ls", "--json"))["drafts"].array {
            try world.require(world.vault("draft", "discard", draft["id"].string ?? ""))
        }
    }

    /// vim moves the text of before aside, writes the file anew, and removes the other one then. What it wrote until it
    /// was killed is kept as well.
    @Test(arguments: [("", 0), ("rm \"$1\"", 0), ("head -c 4096 /dev/zero | tr '\\0' x > \"$1\"", 4096)])
    func D01aSaveThatWasBrokenOffCostsNoEarlierOne(ending: String, count: Int) throws {
        let world = try VaultWorld()
        try leave(
            """
            echo save 7 > "$1"
            mv "$1" "$1~"
            : > "$1"
            \(ending)
            """, in: world)
        let begun = count > 0 ? [String(repeating: "x", count: count)] : []
        #expect(Set(try drafts(of: world)) == Set(["save 7\n"] + begun))
    }

    /// All vaults of a person have their editors' folders in one place.
    @Test func D01whatAnEditorLeftOutlivesTheUnlockOfAnotherVault() throws {
        let world = try VaultWorld()
        let other = try VaultWorld()
        try other.require(other.vault("lock"))
        try leave("echo save 7 > \"$1\"\nkill -KILL \(world.agentPID())", in: world)
        let runtime = other.environment["XDG_RUNTIME_DIR"]
        other.environment["XDG_RUNTIME_DIR"] = world.environment["XDG_RUNTIME_DIR"]
        try other.unlock()
        try other.require(other.vault("lock"))
        other.environment["XDG_RUNTIME_DIR"] = runtime
        try world.unlock()
        #expect(try drafts(of: world) == ["save 7\n"])
    }

    /// Edits a note, and kills the client while the editor does something.
    private func leave(_ work: String, in world: VaultWorld) throws {
        let note = try world.new("save 0")
        let editor = try world.write(
            "editor",
            """
            #!/bin/sh
            echo $$ > \(world.path("process"))
            kill -STOP $PPID
            \(work)
            kill -KILL $PPID
            """)
        unsafe chmod(editor, 0o700)
        world.environment["EDITOR"] = editor
        world.environment["TERM"] = "xterm"
        let session = try world.terminal("edit", note, "--yes", "--allow-unknown-editor")
        let deadline = Clock.seconds + 120
        var editing: pid_t?
        while editing == nil, Clock.seconds < deadline {
            // Without a pause this would take a processor from the editor that it waits for.
            usleep(10_000)
            let process = try? String(contentsOfFile: world.path("process"), encoding: .utf8)
            editing = process.flatMap { pid_t($0.dropLast()) }
        }
        for process in [session.pid, try #require(editing)] {
            #expect(VaultWorld.waitForEnd(of: process, seconds: 30) != nil)
        }
    }

    private func drafts(of world: VaultWorld) throws -> [String] {
        try JSON(world.vault("draft", "ls", "--json"))["drafts"].array.map {
            try world.vault("draft", "show", $0["id"].string ?? "").text
        }
    }

    @Test func anEditOutlivesTheLockAndTheNextCommandTellsOfIt() throws {
        let world = try VaultWorld()
        let note = try world.new("save 0")
        let agent = try world.agentPID()
        let edit = try EditRun(world, note: note, saves: 40, pause: 20)
        try edit.waitForSave()
        try world.require(world.vault("lock"))
        #expect(try JSON(world.vault("status", "--json"))["state"].string == "locked")
        #expect(VaultWorld.isRunning(agent), "it stays for the edit")
        expectRefusal(try world.vault("cat", note), 3, says: "locked")
        #expect(try edit.session.finish() == 3)
        #expect(edit.session.transcript.contains("the vault was locked meanwhile; your text is kept as a draft"))
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil, "it ends with the last edit")
        let unlocked = try world.vault("unlock", "--password-file", world.passwordFile)
        try world.agentPID()
        #expect(unlocked.err.contains("1 recovered draft: vault draft ls"))
        #expect(try edit.kept(note: note) == 40)
        #expect(edit.folder == nil)
    }

    @Test func aDraftThatAnEditorHasOpenIsLeftAlone() throws {
        let world = try VaultWorld()
        let note = try world.new("save 0")
        let edit = try EditRun(world, note: note, saves: 30, pause: 30)
        try edit.waitForSave()
        let drafts = try JSON(world.vault("draft", "ls", "--json"))["drafts"]
        #expect(drafts.array.count == 1 && drafts[0]["state"].string == "unsaved")
        expectRefusal(try world.vault("draft", "discard", note), 7, says: "an editor has this draft open")
        #expect(try edit.session.finish() == 0)
        #expect(try world.vault("cat", note).text == "save 30\n")
        #expect(try JSON(world.vault("draft", "ls", "--json"))["drafts"].array.isEmpty)
    }
}
