// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A command that finds the vault locked asks whoever sits at the terminal, and goes on.
@Suite struct LockedTests {
    private static let vault = Programs.path("vault")

    @Test func aCommandAsksForThePasswordAndGoesOn() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try TerminalSession([Self.vault, "new", "milk"], environment: world.environment)
        try session.answer("Password: ", "not it")
        try session.wait(for: "wrong password; attempt 1 of 3")
        try session.answer("Password: ", VaultWorld.password)
        try session.wait(for: "saved")
        #expect(try session.finish() == 0)
        // It stays open, as after an unlock.
        let pid = try world.agentPID()
        #expect(try JSON(world.vault("ls", "--json"))["notes"].array.count == 1)
        #expect(VaultWorld.isAgent(pid))
    }

    @Test func whatAProgramPipesInIsNotLost() throws {
        let world = try VaultWorld(unlocked: false)
        let command = "printf 'one\\ntwo\\n' | \(Self.vault) new -"
        let session = try TerminalSession(["/bin/sh", "-c", command], environment: world.environment)
        try session.answer("Password: ", VaultWorld.password)
        try session.wait(for: "saved")
        #expect(try session.finish() == 0)
        _ = try world.agentPID()
        let note = try #require(try JSON(world.vault("ls", "--json"))["notes"][0]["id"].string)
        #expect(try world.require(world.vault("cat", note)).text == "one\ntwo\n")
    }

    @Test func nobodyIsAskedWithoutATerminalOrWithNoInput() throws {
        let world = try VaultWorld(unlocked: false)
        expectRefusal(try world.vault("ls"), 3, says: "the vault is locked")
        let session = try TerminalSession([Self.vault, "ls", "--no-input"], environment: world.environment)
        try session.wait(for: "the vault is locked")
        #expect(try session.finish() == 3)
    }

    @Test func threeWrongPasswordsEndIt() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try TerminalSession([Self.vault, "ls"], environment: world.environment)
        for _ in 0..<3 { try session.answer("Password: ", "not it") }
        #expect(try session.finish() == 4)
        #expect(try world.vault("status", "--json").text.contains("\"locked\""))
    }

    @Test func whoHasTypedTheFirstPasswordIsNotAskedAgain() throws {
        let world = try VaultWorld(prepared: false)
        let session = try TerminalSession(
            [Self.vault, "init", "--kdf-target", "0", "--no-recovery"], environment: world.environment)
        try session.answer("New password: ", VaultWorld.password)
        try session.answer("Repeat it: ", VaultWorld.password)
        try session.wait(for: "unlocked")
        #expect(try session.finish() == 0)
        _ = try world.agentPID()
        _ = try world.new("milk")
        // A script's vault stays closed.
        let scripted = try VaultWorld(unlocked: false)
        #expect(try scripted.vault("ls").code == 3)
    }

    @Test func aPinentryAsksInsteadOfTheTerminal() throws {
        let world = try VaultWorld(unlocked: false)
        try world.require(world.vault("config", "set", "pinentry", "/usr/bin/pinentry-curses"))
        world.environment["TERM"] = "xterm"
        let session = try TerminalSession([Self.vault, "new", "milk"], environment: world.environment)
        try session.wait(for: "vault needs a secret to go on.")
        session.waitForQuiet(seconds: 0.3)
        try session.type(VaultWorld.password + "\r")
        try session.wait(for: "saved")
        #expect(try session.finish() == 0)
        _ = try world.agentPID()
        #expect(!session.transcript.contains(VaultWorld.password))
        // Without a terminal it says so, and a pinentry that is not there is named.
        try world.require(world.vault("lock"))
        try world.require(world.vault("config", "set", "pinentry", "/usr/bin/no-pinentry"))
        expectRefusal(try world.vault("ls"), 5, says: "/usr/bin/no-pinentry is not there")
        try world.require(world.vault("config", "set", "pinentry", "off"))
        #expect(try world.vault("ls").code == 3)
    }
}
