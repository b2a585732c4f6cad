// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Root may write to every disk but one that is full or read-only, so these are small tmpfs mounts of the tests' own.
@Suite(.serialized, .enabled(if: Privileges.canMount, "mounting a small disk needs root"))
struct DiskTests {
    @Test func onAFullDiskWhatWasAcknowledgedStays() throws {
        let disk = try SmallDisk(byteCount: 4 << 20)
        let world = try world(on: disk)
        var saved: [String: String] = [:]
        var refusal: Finished?
        for number in 0..<200 where refusal == nil {
            let text = "note \(number) " + String(repeating: "ab\(number % 10)", count: 20_000)
            let made = try world.vault("new", input: Array(text.utf8))
            if made.code == 0 { saved[made.id] = text } else { refusal = made }
        }
        expectRefusal(try #require(refusal), 9, says: "full")
        #expect(saved.count > 5)
        try expectAll(saved, in: world)

        // There is no room to empty the log either; the vault locks all the same and says what it could not do.
        #expect([0, 9].contains(try world.vault("lock").code))
        try fill(disk)
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        try expectAll(saved, in: world)
        expectRefusal(try world.vault("new", String(repeating: "no room for this ", count: 2000)), 9)

        try world.require(world.vault("lock"))
        #expect(disk.grow(byteCount: 32 << 20))
        try world.unlock()
        saved[try world.new("and for this")] = "and for this"
        saved[try world.new("written last")] = "written last"
        try expectAll(saved, in: world)
        #expect(try JSON(world.vault("check", "--json"))["clean"].bool == true)
    }

    @Test func aVaultOnAFullDiskOpensForReadingAndSaysSo() throws {
        let disk = try SmallDisk(byteCount: 2 << 20)
        let world = try world(on: disk)
        let id = try world.new("written while there was room")
        try world.require(world.vault("lock"))
        try fill(disk)
        let opened = try world.tryUnlock()
        #expect(opened.code == 0)
        #expect(opened.err.contains("vault: warning: "))
        #expect(try JSON(world.vault("status", "--json"))["readOnly"].bool == true)
        #expect(try world.vault("cat", id).text == "written while there was room")
        expectRefusal(try world.vault("append", id, "more"), 9, says: "full or read-only")
        #expect(try world.vault("check").code == 0)
    }

    @Test func aVaultOnAReadOnlyDiskOpensForReading() throws {
        let disk = try SmallDisk(byteCount: 2 << 20)
        let world = try world(on: disk)
        let id = try world.new("written before")
        try world.require(world.vault("lock"))
        #expect(disk.makeReadOnly())
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        #expect(opened.err.contains("vault: warning: "))
        #expect(try world.vault("cat", id).text == "written before")
        #expect(try world.vault("search", "before", "--json").text.contains(id))
        expectRefusal(try world.vault("new", "not saved"), 9, says: "read-only")
        expectRefusal(try world.vault("rm", id), 9, says: "read-only")
        #expect(try world.vault("check").code == 0)
        #expect(try world.vault("lock").code == 0)
    }

    @Test func aVaultIsMadeWholeOrNotAtAll() throws {
        let disk = try SmallDisk(byteCount: 64 << 10)
        let world = try VaultWorld(prepared: false)
        let place = disk.path + "/vault"
        let refused = try world.vault(["--vault", place, "init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile])
        expectRefusal(refused, 9, says: "full")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }

    private func world(on disk: SmallDisk) throws -> VaultWorld {
        let world = try VaultWorld(prepared: false)
        world.environment["NOTEVAULT_DIR"] = disk.path + "/vault"
        try world.require(world.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile))
        try world.unlock()
        return world
    }

    /// Leaves no byte free.
    private func fill(_ disk: SmallDisk) throws {
        let file = unsafe open(disk.path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let zeroes = [UInt8](repeating: 0, count: 4096)
        while unsafe zeroes.withUnsafeBytes({ unsafe write(file, $0.baseAddress!, $0.count) }) > 0 {}
    }

    private func expectAll(_ saved: [String: String], in world: VaultWorld) throws {
        for (id, text) in saved { #expect(try world.vault("cat", id).text == text) }
        #expect(try JSON(world.vault("ls", "--count", "--json"))["total"].int == saved.count)
    }
}
