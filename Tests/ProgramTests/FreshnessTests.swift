// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What the programs say of a vault that is not the one that was left, though all of it is authentic.
struct FreshnessTests {
    private func copy(_ from: String, to: String) throws { try FileManager.default.copyItem(atPath: from, toPath: to) }

    private func exchange(_ from: String, for to: String) throws {
        try FileManager.default.removeItem(atPath: to)
        try copy(from, to: to)
    }

    private func fingerprint(_ world: VaultWorld) throws -> String {
        try #require(JSON(world.vault("status", "--json"))["fingerprint"].string)
    }

    @Test func J03twoCopiesThatWereWrittenApartAreToldApartAndNamed() throws {
        let world = try VaultWorld()
        _ = try world.new("of both")
        try world.require(world.vault("lock"))
        try copy(world.directory, to: world.path("theirs"))
        try world.unlock()
        let mine = try world.new("mine")
        try world.require(world.vault("lock"))
        try copy(world.directory, to: world.path("mine"))
        // The other copy, as on a machine that has seen no more than it.
        try exchange(world.path("theirs"), for: world.directory)
        try world.forgetWhatWasSeen()
        try world.unlock()
        let theirs = try world.new("theirs")
        let print = try fingerprint(world)
        #expect(try world.require(world.vault("status")).text.contains("fingerprint " + print))
        #expect(try JSON(world.vault("status", "--json"))["chainDamaged"].bool == false)
        try world.require(world.vault("lock"))
        try copy(world.directory, to: world.path("theirs, written"))

        try exchange(world.path("mine"), for: world.directory)
        let refused = try world.tryUnlock()
        expectRefusal(refused, 11, says: "changed apart from each other")
        #expect(refused.err.contains("vault adopt DIR") && refused.err.contains("--accept-rollback"))
        // What was seen last opens as before.
        try exchange(world.path("theirs, written"), for: world.directory)
        try world.unlock()
        #expect(try fingerprint(world) == print)
        #expect(try world.vault("cat", theirs).code == 0)
        try world.require(world.vault("lock"))
        // On the owner's word the other one counts.
        try exchange(world.path("mine"), for: world.directory)
        #expect(try world.tryUnlock("--accept-rollback").code == 0)
        #expect(try world.vault("cat", mine).code == 0)
        #expect(try fingerprint(world) != print)
        try world.require(world.vault("lock"))
        #expect(try world.tryUnlock().code == 0)
    }

    @Test func J04aRemovedPasswordOpensNothingWithTheHeaderOfBefore() throws {
        let world = try VaultWorld()
        _ = try world.new("a note")
        let second = try world.write("second", "another password")
        try world.require(
            world.vault(
                "key", "add", "--name", "laptop", "--kdf-target", "0", "--password-file", world.passwordFile,
                "--new-password-file", second))
        for name in ["header", "header.2"] { try copy(world.directory + "/" + name, to: world.path("old-" + name)) }
        try world.require(world.vault("key", "rm", "laptop", "--yes", "--password-file", world.passwordFile))
        try world.require(world.vault("lock"))
        for name in ["header", "header.2"] {
            try exchange(world.path("old-" + name), for: world.directory + "/" + name)
        }
        for isKnown in [true, false] {
            if !isKnown { try world.forgetWhatWasSeen() }
            for file in [second, world.passwordFile] {
                let refused = try world.tryUnlock(file: file)
                expectRefusal(refused, 11, says: isKnown ? "older than what was last seen" : "earlier one")
                #expect(refused.err.contains("--accept-rollback"))
            }
        }
    }
}
