// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Somebody moves, replaces or removes the files of a vault that is unlocked, between one command and the next.
@Suite struct MovedFileTests {
    enum Way: CaseIterable { case renamed, replaced, removed }

    private func disturb(_ name: String, _ way: Way, _ world: VaultWorld) throws {
        let file = world.directory + "/" + name
        let other = world.path("aside")
        switch way {
        case .removed: #expect(unsafe unlink(file) == 0)
        case .renamed: #expect(unsafe rename(file, other) == 0)
        case .replaced:
            try FileManager.default.copyItem(atPath: file, toPath: other)
            #expect(unsafe rename(other, file) == 0)
        }
    }

    private func texts(_ world: VaultWorld) throws -> [String] {
        let ids = try JSON(world.vault("ls", "--json"))["notes"].array.compactMap { $0["id"].string }
        return try ids.map { try world.vault("cat", $0).text }.sorted()
    }

    /// Does what the refusal's hint says.
    private func putBack(_ world: VaultWorld, _ refused: Finished) throws {
        let begin = try #require(refused.err.range(of: "mv -n "))
        let end = try #require(refused.err.range(of: "; then vault unlock"))
        let line = "cd '\(world.directory)'; " + refused.err[begin.lowerBound..<end.lowerBound]
        _ = try Command.run(["/bin/sh", "-c", line], environment: world.environment)
    }

    @Test(arguments: ["index-1.db", "index-1.db-wal"], Way.allCases)
    func D06anExchangedIndexIsSaidAndItsNotesAreBesideIt(name: String, way: Way) throws {
        let world = try VaultWorld()
        _ = try world.new("first")
        _ = try world.new("second")
        try disturb(name, way, world)
        let refused = try world.vault("new", "third")
        expectRefusal(refused, 11, says: "'index-1.rescued'")
        // What lies there is put aside, and nothing is ever overwritten.
        for name in ["manifest", "manifest.2", "index-1.db", "index-1.db-wal"] {
            #expect(refused.err.contains("mv -n \(name) "))
        }
        #expect(refused.err.contains("mv -n index-1.rescued index-1.db; mv -n manifest.rescued manifest"))
        #expect(!refused.err.contains("rm "))
        expectRefusal(try world.vault("ls"), 11, says: "replaced or removed")
        #expect(try world.vault("lock").code == 0)
        try putBack(world, refused)
        try world.unlock()
        #expect(try texts(world) == ["first", "second"])
        #expect(try world.vault("check").code == 0)
    }

    @Test(arguments: ["manifest", "lock", "header"], [Way.renamed, .removed])
    func D06aSmallFileIsWrittenAnewAndThatIsSaid(name: String, way: Way) throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        _ = try world.new("first")
        try disturb(name, way, world)
        // Without a header the client finds no vault to ask an agent for.
        let refused = try world.vault("new", "second")
        guard name != "header" else { return #expect(refused.code != 0, "\(refused.err)") }
        expectRefusal(refused, 7, says: "rewritten and nothing is lost")
        _ = try world.new("second")
        kill(agent, SIGKILL)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 5) != nil)
        try world.unlock()
        #expect(try texts(world) == ["first", "second"])
        #expect(try world.vault("check").code == 0)
    }

    @Test func D06whatIsLostOnlyAtTheLockIsSaidByIt() throws {
        let world = try VaultWorld()
        _ = try world.new("first")
        try disturb("index-1.db", .removed, world)
        expectRefusal(try world.vault("lock"), 11, says: "'index-1.rescued'")
        let refused = try world.tryUnlock()
        expectRefusal(refused, 11, says: "'index-1.rescued'")
        try putBack(world, refused)
        try world.unlock()
        #expect(try texts(world) == ["first"])
    }

    /// Each rescue's hint has names that nothing has, also where another one was followed within the same second.
    @Test func D06rescuesWithinASecondAreAllPutBack() throws {
        let world = try VaultWorld()
        for number in 1...3 {
            _ = try world.new("kept \(number)")
            try disturb("index-1.db", .removed, world)
            let refused = try world.vault("new", "never saved")
            expectRefusal(refused, 11, says: "'index-1.rescued'")
            try world.require(world.vault("lock"))
            try putBack(world, refused)
            try world.unlock()
        }
        #expect(try texts(world) == ["kept 1", "kept 2", "kept 3"])
    }

    /// Another machine's index takes the place of ours, is put aside for what was rescued, and gives its notes.
    @Test func D06whatWasPutAsideIsNamedAndTakenOver() throws {
        let world = try VaultWorld()
        _ = try world.new("first")
        try world.require(world.vault("lock"))
        try FileManager.default.copyItem(atPath: world.directory, toPath: world.path("theirs"))
        let there = ["--vault", world.path("theirs"), "--password-file", world.passwordFile]
        let pins = world.environment["XDG_STATE_HOME"]
        world.environment["XDG_STATE_HOME"] = world.path("another-machine")
        try world.require(world.vault(there + ["new", "theirs"]))
        world.environment["XDG_STATE_HOME"] = pins
        try world.unlock()
        _ = try world.new("ours")
        for name in ["index-1.db", "index-1.db-wal", "manifest", "manifest.2"] {
            let path = world.directory + "/" + name
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: world.path("theirs") + "/" + name, toPath: path)
        }
        let refused = try world.vault("new", "never saved")
        expectRefusal(refused, 11, says: "'index-1.rescued'")
        try world.require(world.vault("lock"))
        try putBack(world, refused)
        let unlocked = try world.tryUnlock()
        #expect(unlocked.code == 0, "\(unlocked.err)")
        let begin = try #require(unlocked.err.range(of: "vault adopt 'index-1.db.aside-"))
        let name = unlocked.err[begin.lowerBound...].split(separator: "'")[1]
        // Who has not read it when it was unlocked asks for it.
        #expect(try world.vault("check").text.contains("note: vault adopt '\(name)' takes over the notes"))
        #expect(try JSON(world.vault("check", "--json"))["rescued"].array.count == 1)
        try world.require(world.vault("adopt", String(name)))
        #expect(try texts(world) == ["first", "ours", "theirs"])
        #expect(try world.vault("check").code == 0)
    }

    @Test(arguments: Way.allCases) func D06withoutItsLockFileAVaultHasOneAgent(way: Way) throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let here = world.environment["XDG_RUNTIME_DIR"]!
        try world.makeFolder("run2")
        try disturb("lock", way, world)
        world.environment["XDG_RUNTIME_DIR"] = world.path("run2")
        expectRefusal(try world.tryUnlock(), 7, says: "(pid \(agent), \(here)) has this vault open")
        #expect(try JSON(world.vault("status", "--json"))["agentPID"].int == Int(agent))
        #expect(try world.vault("lock").code == 0)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        try world.unlock()
    }

    @Test func D06aSyncProgramsCopyIsNamedByUnlockCheckAndDoctor() throws {
        let world = try VaultWorld(unlocked: false)
        let name = "header (Ann's conflicted copy 2026-01-01)"
        try FileManager.default.copyItem(
            atPath: world.directory + "/header", toPath: world.directory + "/" + name)
        #expect(try world.tryUnlock().err.contains("'\(name)' is Dropbox's copy of 'header'"))
        #expect(try world.vault("check").text.contains("Dropbox's copy of 'header', and authentic"))
        #expect(try world.vault("doctor").text.contains("Dropbox"))
        #expect(FileManager.default.fileExists(atPath: world.directory + "/" + name))
    }

    @Test func D07anotherMachinesLeaseIsRefusedUntilItIsTakenOver() throws {
        let world = try VaultWorld(unlocked: false)
        let lease = "vault lease 1\nmachine b\nboot 2\nhost attic\npid 7\nsession s\nbeat 3\n"
        try Data(lease.utf8).write(to: URL(fileURLWithPath: world.directory + "/lease"))
        let refused = try world.tryUnlock()
        expectRefusal(refused, 7, says: "attic has this vault open")
        #expect(refused.err.contains("vault unlock --take-over"))
        try world.unlock("--take-over")
        _ = try world.new("mine now")
        #expect(try world.vault("lock").code == 0)
        #expect(!FileManager.default.fileExists(atPath: world.directory + "/lease"))
    }
}
