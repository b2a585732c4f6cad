// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Files of attachments in a remote: they go when nobody needs them any more, and not before.
@Suite struct LeftObjectTests {
    private func objects(_ devices: SyncedDevices) throws -> Set<String> {
        let all = try #require(FileManager.default.enumerator(atPath: devices.folder)?.allObjects as? [String])
        return Set(all.filter { $0.contains("/o/") && $0.split(separator: "/").last?.count == 64 })
    }

    /// Two homes and a note with a file that both have.
    private func devicesWithFile() throws -> (SyncedDevices, note: String, file: [UInt8]) {
        let devices = try SyncedDevices()
        let file = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let note = try devices.first.new("# With a file\nsee there")
        try devices.first.require(
            devices.first.vault("attach", "add", note, "-", "--name", "data", input: file))
        try devices.sync()
        #expect(try devices.second.require(devices.second.vault("attach", "get", note, "data", "-o", "-")).out == file)
        #expect(try objects(devices).count == 1)
        return (devices, note, file)
    }

    /// A device that comes now, with all that the remote has.
    private func anotherDevice(_ devices: SyncedDevices) throws -> VaultWorld {
        let world = try VaultWorld(prepared: false, unlocked: false)
        try world.require(world.vault("clone", devices.folder, "--password-file", world.passwordFile))
        try world.unlock()
        try world.require(world.vault("sync", "now"))
        return world
    }

    /// Does what others hear of, and lets a device act that has not heard of it: its agent reads by itself, too.
    private func unheard(by deaf: VaultWorld, _ others: () throws -> Void, _ act: () throws -> Void) throws {
        try deaf.require(deaf.vault("sync", "pause"))
        try others()
        try act()
        try deaf.require(deaf.vault("sync", "resume"))
    }

    private func purge(_ note: String, on world: VaultWorld) throws {
        try world.require(world.vault("rm", note))
        try world.require(world.vault("trash", "empty", "--yes"))
    }

    @Test func M12filesOfAPurgedNoteGoWhenAllHaveHeardOfIt() throws {
        let (devices, note, _) = try devicesWithFile()
        let (first, second) = (devices.first, devices.second)
        try purge(note, on: first)
        try first.require(first.vault("sync", "now"))
        // The other device has not heard of it, and may still change the note.
        #expect(try objects(devices).count == 1)
        try second.require(second.vault("sync", "now"))
        try first.require(first.vault("sync", "now"))
        #expect(try objects(devices).count == 1, "it has not said that it has read it")
        _ = try second.new("# A word\nsaid after reading")
        try devices.sync()
        #expect(try objects(devices).isEmpty)
        try devices.expectEqual()
        #expect(try JSON(first.vault("sync", "status", "--json"))["remotes"][0]["alarms"].array.isEmpty)
        for world in [first, second] { #expect(try world.vault("check").code == 0) }
    }

    @Test func M12anEditBesideThePurgeKeepsTheFile() throws {
        let (devices, note, file) = try devicesWithFile()
        let (first, second) = (devices.first, devices.second)
        try unheard(by: second) {
            try purge(note, on: first)
        } _: {
            try second.require(second.vault("replace", note, "-", input: Array("# With a file\nstill wanted".utf8)))
        }
        try devices.sync()
        _ = try second.new("# A word\nsaid after reading")
        try devices.sync()
        try devices.sync()
        #expect(try objects(devices).count == 1)
        try devices.expectEqual()
        for world in [first, second] {
            #expect(try world.require(world.vault("attach", "get", note, "data", "-o", "-")).out == file)
        }
        let late = try anotherDevice(devices)
        #expect(try late.require(late.vault("attach", "get", note, "data", "-o", "-")).out == file)
    }

    @Test func M12filesOfAnEndedEpochGoWhenAllHaveCome() throws {
        let (devices, note, file) = try devicesWithFile()
        let (first, second) = (devices.first, devices.second)
        let before = try objects(devices)
        try first.require(first.vault("rotate", "--kdf-target", "0", "--password-file", first.passwordFile))
        try first.require(first.vault("sync", "now"))
        // Each epoch has other names. Who has not come over may still read what it had.
        #expect(try objects(devices).count == 2 && objects(devices).isSuperset(of: before))
        #expect(try second.vault("sync", "now").code == 7)
        try second.require(second.vault("sync", "follow", "--password-file", second.passwordFile))
        try devices.sync()
        // Each device has put its own copy in the new epoch.
        #expect(try objects(devices).count == 2 && objects(devices).isDisjoint(with: before))
        let late = try anotherDevice(devices)
        for world in [first, second, late] {
            #expect(try world.require(world.vault("attach", "get", note, "data", "-o", "-")).out == file)
            #expect(try world.vault("check").code == 0)
        }
    }

    @Test func filesThatHadNoPasswordGoWhenAllHaveTheNotesPassword() throws {
        let (devices, note, file) = try devicesWithFile()
        let (first, second) = (devices.first, devices.second)
        let before = try objects(devices)
        let word = try first.write("word", "of the note alone")
        try first.require(first.vault("note", "lock", note, "--note-password-file", word))
        try devices.sync()
        _ = try second.new("# A word\nsaid after reading")
        try devices.sync()
        #expect(try objects(devices).count == 1 && objects(devices).isDisjoint(with: before))
        try second.require(second.vault("note", "unlock", note, "--note-password-file", word))
        #expect(try second.require(second.vault("attach", "get", note, "data", "-o", "-")).out == file)
    }
    /// Whoever joined the notes, and whatever the other device wrote in one of them meanwhile.
    @Test(arguments: ["", "target", "source", "at once"])
    func M12aFileThatWentToAnotherNoteOutlivesItsFirst(edited: String) throws {
        let (devices, note, file) = try devicesWithFile()
        let (first, second) = (devices.first, devices.second)
        let target = try first.new("# Joined\nwith the other\n\n\n\nend")
        try devices.sync()
        try second.require(second.vault("sync", "pause"))
        try first.require(first.vault("merge", target, note, "--yes"))
        // All of it comes to the other device in one segment.
        if edited == "at once" { try first.require(first.vault("trash", "empty", "--yes")) }
        // It fits together with the join.
        let text = ["target": ("# Joined\nchanged ", "\n\n\n\nend"), "source": ("# With a file\nsee here ", "")][edited]
        for round in 0..<2 {
            guard let (before, after) = text else { continue }
            let changed = Array("\(before)\(round)\(after)".utf8)
            try second.require(second.vault("replace", edited == "target" ? target : note, "-", input: changed))
        }
        try second.require(second.vault("sync", "resume"))
        try devices.sync()
        // Unless the first still shows it here.
        if edited != "source" {
            #expect(try second.require(second.vault("attach", "get", target, "data", "-o", "-")).out == file)
        } else {
            try second.require(second.vault("rm", note))
        }
        try second.require(second.vault("trash", "empty", "--yes"))
        for _ in 0..<2 {
            _ = try first.new("# A word\nsaid after reading")
            try devices.sync()
        }
        #expect(try objects(devices).count == 1)
        let late = try anotherDevice(devices)
        for world in [first, second, late] {
            #expect(try world.require(world.vault("attach", "get", target, "data", "-o", "-")).out == file)
            #expect(try world.vault("check").code == 0)
        }
    }

    @Test func M12whatWasTakenBackIsNotRemovedWithTheNextPurge() throws {
        let (devices, note, file) = try devicesWithFile()
        let (first, second) = (devices.first, devices.second)
        try unheard(by: second) {
            try purge(note, on: first)
        } _: {
            try second.require(second.vault("replace", note, "-", input: Array("# With a file\nstill wanted".utf8)))
        }
        try devices.sync()
        _ = try second.new("# A word\nsaid after reading")
        try devices.sync()
        // The other device purges it now, and a third one has not heard of that.
        let third = try anotherDevice(devices)
        _ = try third.new("# Of the third\nfirst words")
        try third.require(third.vault("sync", "now"))
        try devices.sync()
        try unheard(by: third) {
            try purge(note, on: second)
            try devices.sync()
            #expect(try objects(devices).count == 1, "the third device has not read that")
        } _: {
            try third.require(third.vault("replace", note, "-", input: Array("# With a file\nwanted again".utf8)))
        }
        for world in [third, first, second, third, first, second] { try world.require(world.vault("sync", "now")) }
        for world in [first, second, third] {
            #expect(try world.require(world.vault("attach", "get", note, "data", "-o", "-")).out == file)
        }
    }
}
