// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A vault that has lost its manifest or a part of its log: refused with what to type, opened on its owner's word, and
/// what is lost is said and never ends with 0.
@Suite struct AcceptLossTests {
    private func remove(_ world: VaultWorld, _ names: String...) throws {
        for name in names { try FileManager.default.removeItem(atPath: world.directory + "/" + name) }
    }

    /// Three notes in a log of which a frame in the middle is damaged.
    private func worldWithADamagedLog() throws -> (world: VaultWorld, notes: [String], log: Data) {
        let world = try VaultWorld()
        let notes = try (0..<3).map { try world.new("note \($0)") }
        let agent = try world.agentPID()
        kill(agent, SIGKILL)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        let file = URL(fileURLWithPath: world.directory + "/index-1.db-wal")
        var log = try Data(contentsOf: file)
        log[log.count / 2] ^= 1
        try log.write(to: file)
        return (world, notes, log)
    }

    @Test func aVaultWithoutItsManifestsOpensOnItsOwnersWordAndSaysWhatIsNotKnown() throws {
        let world = try VaultWorld()
        let id = try world.new("a note")
        try world.require(world.vault("lock"))
        try remove(world, "manifest")
        try world.unlock()
        try world.require(world.vault("lock"))
        try remove(world, "manifest", "manifest.2")
        let refused = try world.tryUnlock()
        expectRefusal(refused, 13, says: "both copies of the manifest are damaged or missing")
        #expect(refused.err.contains("vault unlock --accept-loss"))
        let opened = try world.tryUnlock("--accept-loss")
        #expect(opened.code == 0, "nothing is known to be lost: \(opened.err)")
        #expect(opened.err.contains("vault: warning: both copies of the manifest were lost"))
        #expect(opened.err.contains("newest state"))
        #expect(try world.vault("cat", id).text == "a note")
        try world.require(world.vault("lock"))
        let again = try world.tryUnlock()
        #expect(again.code == 0 && !again.err.contains("manifest"), "\(again.err)")
    }

    @Test func aDamagedLogIsRefusedThenCutKeptAndCounted() throws {
        let (world, notes, log) = try worldWithADamagedLog()
        let refused = try world.tryUnlock()
        expectRefusal(refused, 13, says: "the log of the latest changes is damaged")
        #expect(refused.err.contains("vault unlock --accept-loss"))
        let opened = try world.tryUnlock("--accept-loss")
        #expect(opened.code == 12, "\(opened.err)")
        #expect(opened.err.contains("saved change") && opened.err.contains("at least"), "\(opened.err)")
        #expect(opened.err.contains(notes[2]), "the last note's entry is whole: \(opened.err)")
        try world.agentPID()
        #expect(try world.vault("cat", notes[0]).text == "note 0")
        expectRefusal(try world.vault("cat", notes[2]), 5)
        let kept = try #require(
            try FileManager.default.contentsOfDirectory(atPath: world.directory).first { $0.contains(".damaged-") })
        #expect(opened.err.contains(kept))
        #expect(try Data(contentsOf: URL(fileURLWithPath: world.directory + "/" + kept)) == log)
        let check = try JSON(world.vault("check", "--json"))
        #expect(check["clean"].bool == true && check["foreign"].array.isEmpty)
        try world.require(world.vault("lock"))
        #expect(try world.tryUnlock().code == 0)
    }

    @Test func filesThatTheLostChangesMayHaveNamedAreLeftInPlaceAndThatIsSaid() throws {
        let (world, _, _) = try worldWithADamagedLog()
        let files = [
            "drafts/" + String(repeating: "ab", count: 16), "objects/ab/" + String(repeating: "ab", count: 32),
        ]
        for folder in ["drafts", "objects", "objects/ab"] {
            try? FileManager.default.createDirectory(
                atPath: world.directory + "/" + folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        for file in files {
            try Data("of a lost row".utf8).write(to: URL(fileURLWithPath: world.directory + "/" + file))
        }
        #expect(try world.tryUnlock("--accept-loss").code == 12)
        let check = try world.vault("check")
        #expect(check.text.contains("left in place while 'index-1.db-wal.damaged-"), "\(check.text)")
        try world.require(world.vault("lock"))
        try world.unlock()
        for file in files { #expect(FileManager.default.fileExists(atPath: world.directory + "/" + file)) }
    }

    /// A script sees it too, whichever command it was that opened the vault.
    @Test func aSingleCommandDoesWhatItWasAskedAndEndsWithTheLoss() throws {
        let (world, notes, _) = try worldWithADamagedLog()
        let options = ["--password-file", world.passwordFile]
        expectRefusal(try world.vault(options + ["ls"]), 13, says: "the log of the latest changes is damaged")
        let shown = try world.vault(options + ["--accept-loss", "cat", notes[0]])
        #expect(shown.code == 12 && shown.text == "note 0", "\(shown.code) \(shown.err)")
        #expect(shown.err.contains("at least"))
        #expect(try world.vault(options + ["cat", notes[0]]).code == 0)
    }
}
