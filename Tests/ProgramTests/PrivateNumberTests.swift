// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Private notes in numbers: 300 entries of pass, of which one is found, opened and copied in three commands.
@Suite struct PrivateNumberTests {
    private static let count = 120

    /// A store of pass that needs no key: gpg is stood in for by a program that gives the file as it is.
    private func store(_ world: VaultWorld) throws -> String {
        try world.makeFolder("store")
        try world.makeFolder("store/web")
        try world.makeFolder("tools")
        let gpg = try world.write(
            "tools/gpg",
            "#!/bin/sh\nfor last; do :; done\ncase \"$last\" in -*) exec cat ;; *) exec cat \"$last\" ;; esac\n")
        unsafe chmod(gpg, 0o700)
        world.environment["PATH"] = world.path("tools") + ":/usr/bin:/bin"
        try world.write("store/.gpg-id", "somebody")
        for number in 1...Self.count {
            let folder = number % 2 == 0 ? "web/" : ""
            try world.write("store/\(folder)entry\(number).gpg", "secret-\(number)\nuser: me\(number)\n")
        }
        return world.path("store")
    }

    @Test func oneDerivationOpensAnImport() throws {
        let world = try VaultWorld()
        let store = try store(world)
        let secret = try world.write("secret", "one password of all")
        try world.require(
            world.vault("import", "pass", store, "--note-password-file", secret, "--show-title", seconds: 120))
        // Titles are told, and nothing else.
        let list = try world.vault("ls", "--all").text
        #expect(list.contains("entry7") && !list.contains("secret-7"))
        let other = try world.write("other", "another one")
        let alone = try world.new("Diary\nsomething else")
        try world.require(world.vault("note", "lock", alone, "--note-password-file", other))
        // A wrong one opens nothing.
        let wrong = try world.write("wrong", "no password at all")
        #expect(try world.vault("note", "unlock", "--all", "--note-password-file", wrong).code == 4)
        let begun = Date()
        let opened = try JSON(world.vault("note", "unlock", "--all", "--note-password-file", secret, "--json"))
        let whole = Date().timeIntervalSince(begun)
        #expect(opened["unlocked"].int == Self.count && opened["left"].int == 1)
        #expect(whole < 20, "as many derivations as notes would take far longer")
        #expect(try world.vault("cat", "entry7").text.hasPrefix("secret-7"))
        #expect(try world.vault("cat", alone).code == 3)
        // Locked again, those of one notebook alone.
        try world.require(world.vault("lock"))
        try world.unlock()
        let some = try JSON(world.vault("note", "unlock", "-b", "web", "--note-password-file", secret, "--json"))
        #expect(some["unlocked"].int == Self.count / 2)
        #expect(try world.vault("cat", "entry8").text.hasPrefix("secret-8"))
        #expect(try world.vault("cat", "entry7").code == 3)
    }

    @Test func withoutALockedNoteNothingIsDone() throws {
        let world = try VaultWorld()
        let secret = try world.write("secret", "one password of all")
        let finished = try world.vault("note", "unlock", "--all", "--note-password-file", secret)
        #expect(finished.code == 0 && finished.err.contains("no private note is locked"))
        #expect(try world.vault("note", "unlock").code == 2)
    }
}
