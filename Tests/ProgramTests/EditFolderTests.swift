// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// The folder that a client names is only somebody's word: the agent touches none but those of edits.
@Suite struct EditFolderTests {
    @Test(arguments: [
        "precious", "notevault/edit-0", "notevault/../precious",
        "notevault/edit-0123456789abcdef0123456789abcdef/../../precious",
    ])
    func H02AnAgentTouchesNoFolderButThoseOfEdits(name: String) throws {
        let world = try VaultWorld()
        try world.makeFolder("run/precious")
        try world.write("run/precious/note.md", "mine")
        let path = world.path("run/" + name)
        let line = try AgentLine.greeted(#require(world.socket))
        #expect(try line.ask(BeginEdit(target: .new(.init(text: "x")), folder: path)).outcome.code == .usage)
        try world.require(world.vault("ls"))
        #expect(try String(contentsOfFile: world.path("run/precious/note.md"), encoding: .utf8) == "mine")
    }

    @Test func E05ALockEndsTheWorkOfAnEditsConnection() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let note = try world.require(
            world.vault("new", "-", input: Array(String(repeating: "long text ", count: 200_000).utf8))
        ).id
        let folder = world.path("run/notevault/edit-0123456789abcdef0123456789abcdef")
        #expect(unsafe mkdir(folder, 0o700) == 0)
        let line = try AgentLine.greeted(#require(world.socket))
        #expect(try line.ask(BeginEdit(target: .note(ref: note), folder: folder)).outcome.code == .ok)
        // An answer that is not taken keeps a job, and with it the store, waiting.
        try line.send(CatNotes(refs: [note, note, note], withDetails: false))
        usleep(100_000)
        try world.require(world.vault("lock"))
        #expect(VaultWorld.isRunning(agent), "it stays for the edit")
        let maps = try ProcFile.text(agent, "maps")
        #expect(!maps.contains("index-1.db"))
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent)/fd")) ?? []
        let files = open.compactMap { Programs.link("/proc/\(agent)/fd/\($0)") }
        #expect(
            !files.contains { $0.hasSuffix(".db") || $0.hasSuffix(".db-wal") }, "the vault's files are closed: \(files)"
        )
    }
}
