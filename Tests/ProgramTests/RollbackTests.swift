// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

@Suite struct RollbackTests {
    @Test func A07AnOlderCopyOfTheWholeVaultIsRefused() throws {
        let world = try VaultWorld()
        let old = try world.new("in the copy and after it")
        let before = try generation(world)
        try world.require(world.vault("lock"))
        try copy(world.directory, to: world.path("copy"))
        try world.unlock()
        let new = try world.new("only after the copy")
        let after = try generation(world)
        try world.require(world.vault("lock"))
        try putBack(world)

        let refused = try world.tryUnlock()
        expectRefusal(refused, 11, says: "older than what was last seen")
        #expect(
            refused.err.contains("\(before)") && refused.err.contains("\(after)"),
            "both generations are named: \(refused.err)")
        #expect(refused.err.contains("--accept-rollback"))

        let accepted = try world.tryUnlock("--accept-rollback")
        #expect(accepted.code == 0, "\(accepted.err)")
        #expect(try world.vault("cat", old).code == 0)
        expectRefusal(try world.vault("cat", new), 5)
        #expect(try generation(world) > after, "what was accepted is from now on the newest")
        #expect(try world.vault("check").code == 0)
        try world.require(world.vault("lock"))
        #expect(try world.tryUnlock().code == 0)
    }

    @Test(arguments: [["manifest", "manifest.2"], ["index-1.db"]])
    func A07OneOlderFileAmongNewOnesIsRefused(names: [String]) throws {
        let world = try VaultWorld()
        _ = try world.new("first")
        try world.require(world.vault("lock"))
        try copy(world.directory, to: world.path("copy"))
        try world.unlock()
        _ = try world.new(String(repeating: "second and much longer ", count: 5000))
        try world.require(world.vault("lock"))
        for name in names {
            try FileManager.default.removeItem(atPath: world.directory + "/" + name)
            try copy(world.path("copy/" + name), to: world.directory + "/" + name)
        }
        let refused = try world.tryUnlock()
        expectRefusal(refused, refused.code)
        #expect([11, 13].contains(refused.code), "\(refused.err)")
    }

    @Test(arguments: [["manifest", "manifest.2"], ["index-1.db"], ["index-1.db-wal"]])
    func A08AMissingFileIsRefused(names: [String]) throws {
        let world = try VaultWorld()
        let id = try world.new("a note")
        try world.require(world.vault("lock"))
        for name in names { try FileManager.default.removeItem(atPath: world.directory + "/" + name) }
        let refused = try world.tryUnlock()
        // The log is empty after a proper close: without it nothing is missing.
        if names == ["index-1.db-wal"] && refused.code == 0 {
            return #expect(try world.vault("cat", id).text == "a note")
        }
        expectRefusal(refused, refused.code)
        #expect([11, 13].contains(refused.code), "\(refused.err)")
    }

    @Test func A11AnotherVaultAtTheSamePlaceIsRefused() throws {
        let world = try VaultWorld(unlocked: false)
        let options = ["--vault", world.path("attackers"), "--password-file", world.passwordFile]
        try world.require(world.vault(options + ["init", "--kdf-target", "0", "--no-recovery"]))
        try FileManager.default.moveItem(atPath: world.directory, toPath: world.path("moved"))
        try FileManager.default.moveItem(atPath: world.path("attackers"), toPath: world.directory)
        expectRefusal(try world.tryUnlock(), 11, says: "not the vault that was last seen")
        expectRefusal(
            try world.vault("--password-file", world.passwordFile, "new", "a secret"), 11,
            says: "not the vault that was last seen")
        // Who means another vault gives it another path: no option allows it here.
        expectRefusal(try world.tryUnlock("--accept-rollback"), 11, says: "not the vault that was last seen")
        let elsewhere = ["--vault", world.path("moved"), "--password-file", world.passwordFile]
        #expect(try world.vault(elsewhere + ["ls"]).code == 0)
    }

    @Test func A05APageOfAnotherVaultWithTheSamePasswordIsRefused() throws {
        let world = try VaultWorld()
        _ = try world.new("a note of the first vault")
        try world.require(world.vault("lock"))
        let options = ["--vault", world.path("second"), "--password-file", world.passwordFile]
        try world.require(world.vault(options + ["init", "--kdf-target", "0", "--no-recovery"]))
        for names in [["index-1.db"], ["manifest", "manifest.2"]] {
            for name in names {
                try FileManager.default.removeItem(atPath: world.path("second/" + name))
                try copy(world.directory + "/" + name, to: world.path("second/" + name))
            }
            expectRefusal(try world.vault(options + ["unlock"]), 13)
        }
    }

    /// A sample: the format's own tests try every byte of small files.
    @Test func A01NoChangedByteOfTheIndexIsReadAsIfNothingHappened() throws {
        let world = try VaultWorld()
        for number in 0..<10 { _ = try world.new("note \(number) " + String(repeating: "zyzzyva", count: 300)) }
        try world.require(world.vault("lock"))
        let path = world.directory + "/index-1.db"
        let original = try Data(contentsOf: URL(fileURLWithPath: path))
        // A check remembers in the vault how it ended: each try begins with the whole vault as it was.
        try FileManager.default.copyItem(atPath: world.directory, toPath: world.path("whole"))
        func putBack() throws {
            try FileManager.default.removeItem(atPath: world.directory)
            try FileManager.default.copyItem(atPath: world.path("whole"), toPath: world.directory)
            try world.forgetWhatWasSeen()
        }
        var found = 0
        for step in 0..<8 {
            try putBack()
            var changed = original
            changed[original.count / 8 * step + 100] ^= 0x10
            try changed.write(to: URL(fileURLWithPath: path))
            let checked = try world.vault("--password-file", world.passwordFile, "check")
            #expect(
                checked.code == 13,
                "byte \(original.count / 8 * step + 100): \(checked.code) \(checked.text) \(checked.err)")
            found += 1
        }
        #expect(found == 8)
        try putBack()
        #expect(try world.tryUnlock().code == 0)
        #expect(try world.vault("check").code == 0)
    }

    private func generation(_ world: VaultWorld) throws -> Int {
        try #require(JSON(world.vault("status", "--json"))["generation"].int)
    }

    private func copy(_ from: String, to: String) throws { try FileManager.default.copyItem(atPath: from, toPath: to) }

    private func putBack(_ world: VaultWorld) throws {
        try FileManager.default.removeItem(atPath: world.directory)
        try FileManager.default.moveItem(atPath: world.path("copy"), toPath: world.directory)
    }
}
