// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault repair` as its owner runs it.
@Suite struct VaultRepairTests {
    /// Flips a byte of a page of the index, from 1.
    private func damage(_ world: VaultWorld, page: Int) throws {
        let url = URL(fileURLWithPath: world.directory + "/index-1.db")
        var bytes = try Data(contentsOf: url)
        bytes[(page - 1) * 4096 + 700] ^= 0x20
        try bytes.write(to: url)
    }

    private func kept(_ world: VaultWorld) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.directory).filter { $0.contains(".db.damaged-") }
    }

    @Test func aVaultWithoutDamageIsNotChanged() throws {
        let world = try VaultWorld()
        let note = try world.new("whole")
        let open = try world.vault("repair")
        #expect(open.code == 0 && open.text == "no problems found; nothing was changed\n", "\(open.err)")
        #expect(try world.vault("cat", note).text == "whole", "it is open still")
        try world.require(world.vault("lock"))
        let locked = try world.vault("repair", "--password-file", world.passwordFile)
        #expect(locked.code == 0 && locked.text == "no problems found; nothing was changed\n", "\(locked.err)")
        #expect(try kept(world).isEmpty)
    }

    @Test func aVaultThatCannotBeOpenedIsRepairedWithItsPassword() throws {
        let world = try VaultWorld()
        var notes: [String: String] = [:]
        for number in 0..<20 { notes[try world.new("note \(number)")] = "note \(number)" }
        try world.require(world.vault("lock"))
        try damage(world, page: 1)
        let refused = try world.tryUnlock()
        expectRefusal(refused, 13)
        #expect(refused.err.contains("vault repair"), "\(refused.err)")

        let repaired = try world.vault("repair", "--json", "--password-file", world.passwordFile)
        #expect(repaired.code == 0, "\(repaired.err)")
        let answer = try JSON(repaired)
        #expect(answer["complete"].bool == true && answer["rebuilt"].bool == true && answer["notes"].int == 20)
        #expect(try kept(world).contains(#require(answer["kept"].string)))
        try world.unlock()
        for (note, text) in notes { #expect(try world.vault("cat", note).text == text) }
        let checked = try JSON(world.vault("check", "--json"))
        #expect(checked["clean"].bool == true && checked["foreign"].array.isEmpty)
    }

    @Test func anOpenVaultIsRepairedAndStaysOpen() throws {
        let world = try VaultWorld()
        var notes: [String: String] = [:]
        for number in 0..<20 { notes[try world.new("note \(number)")] = "note \(number)" }
        try world.require(world.vault("lock"))
        // Past the first pages, which every opening reads.
        let pages = try Data(contentsOf: URL(fileURLWithPath: world.directory + "/index-1.db")).count / 4096
        try damage(world, page: pages)
        try world.unlock()
        let repaired = try world.vault("repair")
        #expect([0, 13].contains(repaired.code), "\(repaired.err)")
        #expect(repaired.text.contains("rebuilt: the index") && repaired.text.contains("kept in the vault's folder"))
        #expect((repaired.code == 0) == repaired.text.contains("nothing is lost"))
        let listed = try world.vault("ls")
        #expect(listed.code == 0, "it is open still")
        #expect(try world.vault("new", "after the repair").code == 0)
        #expect(try world.vault("check").code == 0)
    }

    @Test func aWrongPasswordRepairsNothing() throws {
        let world = try VaultWorld()
        _ = try world.new("text")
        try world.require(world.vault("lock"))
        try damage(world, page: 1)
        let wrong = try world.write("wrong", "not the password\n")
        expectRefusal(try world.vault("repair", "--password-file", wrong), 4)
        #expect(try kept(world).isEmpty)
    }
}
