// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A device that was stolen, and the two that are left.
@Suite struct RevokeTests {
    private static let second = "gravel lantern swift orchard"
    private static let third = "pewter saddle ribbon meadow"

    private final class Homes {
        let first: VaultWorld
        let second: VaultWorld
        let stolen: VaultWorld
        var folder: String { first.path("remote") }
        var all: [VaultWorld] { [first, second, stolen] }

        init() throws {
            first = try VaultWorld()
            second = try VaultWorld(prepared: false, unlocked: false)
            stolen = try VaultWorld(prepared: false, unlocked: false)
            try first.makeFolder("remote")
            _ = try first.new("# Shared\none")
            try first.require(first.vault("remote", "add", "folder", folder))
            try first.require(first.vault("sync", "now"))
            for (world, name) in [(second, "laptop"), (stolen, "phone")] {
                try world.require(world.vault("clone", folder, "--password-file", world.passwordFile))
                try world.unlock()
                try world.require(world.vault("device", "rename", name))
            }
            for world in [second, stolen] + all { try world.require(world.vault("sync", "now")) }
        }

        func devices(_ world: VaultWorld) throws -> [JSON] {
            try JSON(world.require(world.vault("device", "ls", "--json")))["devices"].array
        }
    }

    private func titles(_ world: VaultWorld) throws -> Set<String> {
        Set(try JSON(world.vault("ls", "--json"))["notes"].array.compactMap { $0["title"].string })
    }

    private func revoke(_ world: VaultWorld, _ name: String, from old: String, to new: String) throws -> Finished {
        try world.vault(
            "device", "revoke", name, "--yes", "--kdf-target", "0", "--password-file", old, "--new-password-file", new)
    }

    @Test func M22aRevokedDeviceAddsNothingAndTheOthersGoOn() throws {
        let homes = try Homes()
        let (first, second, stolen) = (homes.first, homes.second, homes.stolen)
        let new = try first.write("new", Self.second)
        let revoked = try first.require(revoke(first, "phone", from: first.passwordFile, to: new))
        #expect(revoked.err.contains("'phone' is retired") && revoked.err.contains("vault sync follow"))
        #expect(!revoked.err.contains("the password was not changed"))
        #expect(try JSON(first.vault("status", "--json"))["epoch"].int == 2)
        // Its agent is running, hears of the end, and takes no other name that somebody would wait for.
        _ = try stolen.new("# Beyond the cut\nby the thief")
        #expect(try stolen.vault("sync", "now").code == 7)
        expectRefusal(try stolen.vault("sync", "follow", "--password-file", stolen.passwordFile), 4)
        _ = try second.new("# Of the laptop\ntext")
        #expect(try second.vault("sync", "now").code == 7)
        try second.require(second.vault("sync", "follow", "--password-file", new))
        for world in [first, second, first] { try world.require(world.vault("sync", "now")) }
        for world in [first, second] { #expect(try titles(world) == ["Shared", "Of the laptop"]) }
        #expect(try !titles(stolen).contains("Of the laptop"))
        let devices = try homes.devices(first).filter { $0["retired"].bool == false }
        #expect(devices.compactMap { $0["name"].string }.count == 2 && devices.count == 2, "\(devices)")
        // Once more the same, and then the other one: nobody is waited for.
        expectRefusal(try revoke(first, "phone", from: new, to: new), 7, says: "was revoked")
        let other = try first.write("other", Self.third)
        try first.require(revoke(first, "laptop", from: new, to: other))
        #expect(try JSON(first.vault("status", "--json"))["epoch"].int == 3)
        #expect(try second.vault("sync", "now").code == 7)
        #expect(try homes.devices(first).count { $0["retired"].bool == false } == 1)
        #expect(try first.vault("check").code == 0)
    }

    /// The thief has the device, the key of before, and a remote of its own that shows no ending. The second device
    /// reads what was planted and the ending in one round.
    @Test func M11whatARevokedDeviceSealsCountsNowhere() throws {
        let homes = try Homes()
        let (first, second, stolen) = (homes.first, homes.second, homes.stolen)
        for world in [second, stolen] { try world.require(world.vault("lock")) }
        let aside = first.path("aside")
        try FileManager.default.copyItem(atPath: homes.folder, toPath: aside)
        let new = try first.write("new", Self.second)
        try first.require(revoke(first, "phone", from: first.passwordFile, to: new))
        try first.require(first.vault("lock"))
        let exchanged = first.path("exchanged")
        try FileManager.default.moveItem(atPath: homes.folder, toPath: exchanged)
        try FileManager.default.moveItem(atPath: aside, toPath: homes.folder)
        try stolen.unlock()
        _ = try stolen.new("# Planted\nby a thief with the old key")
        try stolen.require(stolen.vault("sync", "now"))
        try stolen.require(stolen.vault("lock"))
        // What it has sealed lies among what the remote has.
        try FileManager.default.moveItem(atPath: homes.folder, toPath: aside)
        try FileManager.default.moveItem(atPath: exchanged, toPath: homes.folder)
        var planted = 0
        for name in try #require(FileManager.default.enumerator(atPath: aside)?.allObjects as? [String]).sorted() {
            let (source, target) = (aside + "/" + name, homes.folder + "/" + name)
            let kind = try FileManager.default.attributesOfItem(atPath: source)[.type] as? FileAttributeType
            if kind == .typeDirectory {
                try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
            } else if !FileManager.default.fileExists(atPath: target) {
                try FileManager.default.copyItem(atPath: source, toPath: target)
                planted += 1
            }
        }
        #expect(planted > 0)
        #expect(try first.tryUnlock(file: new).code == 0)
        try second.unlock()
        #expect(try second.vault("sync", "now").code == 7)
        try second.require(second.vault("sync", "follow", "--password-file", new))
        for world in [first, second] {
            try world.require(world.vault("sync", "now"))
            #expect(try titles(world) == ["Shared"])
        }
    }

    @Test func whatIsNoDeviceToRevokeIsNamedBeforeAnythingIsAsked() throws {
        let homes = try Homes()
        let first = homes.first
        let own = try String(#require(homes.devices(first).first?["device"].string).suffix(6))
        expectRefusal(try first.vault("device", "revoke", own, "--yes"), 7, says: "the device itself")
        expectRefusal(try first.vault("device", "revoke", "tablet", "--yes"), 5, says: "no device 'tablet'")
        expectRefusal(try first.vault("device", "revoke", "phone", "--no-input"), 3, says: "confirmation")
        // Two that were named at once, each by itself.
        for world in [homes.second, homes.stolen] { try world.require(world.vault("device", "rename", "twin")) }
        for world in [homes.second, homes.stolen] + homes.all { try world.require(world.vault("sync", "now")) }
        if try homes.devices(first).count(where: { $0["name"].string == "twin" }) == 2 {
            expectRefusal(try first.vault("device", "revoke", "twin", "--yes"), 6, says: "2 devices")
        } else {
            Issue.record("the second device had heard of the first one's name")
        }
        let wrong = try first.write("wrong", "another phrase than that one")
        let last = try String(#require(homes.devices(first).last?["device"].string).suffix(6))
        expectRefusal(try revoke(first, last, from: wrong, to: wrong), 4)
        #expect(try JSON(first.vault("status", "--json"))["epoch"].int == 1)
        #expect(try homes.devices(first).allSatisfy { $0["retired"].bool == false })
    }

    @Test func theOwnerHearsThatThePasswordIsTheOneOfBefore() throws {
        let homes = try Homes()
        let first = homes.first
        let said = try first.require(
            first.vault(
                "device", "revoke", "phone", "--yes", "--kdf-target", "0", "--password-file", first.passwordFile,
                "--json"))
        #expect(try JSON(text: said.text)["schema"].int == 1)
        let told = try first.vault("sync", "status")
        #expect(told.code == 0)
        // A remote that cannot be read stops it before anything is changed, unless its owner wants it all the same.
        try first.require(first.vault("lock"))
        try FileManager.default.moveItem(atPath: homes.folder, toPath: first.path("away"))
        try first.unlock()
        let new = try first.write("new", Self.second)
        expectRefusal(try revoke(first, "laptop", from: first.passwordFile, to: new), 8)
        #expect(try JSON(first.vault("status", "--json"))["epoch"].int == 2)
        let unsynced = try first.vault(
            "device", "revoke", "laptop", "--yes", "--unsynced", "--kdf-target", "0", "--password-file",
            first.passwordFile)
        #expect(unsynced.code == 8 && unsynced.err.contains("was not told"), "\(unsynced.err)")
        #expect(unsynced.err.contains("vault: note: the password was not changed"))
        try FileManager.default.moveItem(atPath: first.path("away"), toPath: homes.folder)
    }

    @Test func aRevocationThatIsKilledIsBegunAgainOrGoesOn() throws {
        let homes = try Homes()
        let first = homes.first
        for note in 0..<40 { _ = try first.new("# Note \(note)\n" + String(repeating: "text ", count: 400)) }
        try first.require(first.vault("sync", "now"))
        let new = try first.write("new", Self.second)
        var (rounds, isDone) = (0, false)
        while !isDone, rounds < 12 {
            let agent = try first.agentPID()
            let delay = useconds_t(250_000 + 120_000 * rounds)
            let killer = Thread {
                usleep(delay)
                kill(agent, SIGKILL)
            }
            killer.start()
            let said = try revoke(first, "phone", from: first.passwordFile, to: new)
            isDone = said.code == 0 || said.err.contains("was revoked")
            #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
            rounds += 1
            // Either all is as it was, or the key is new and the device given up.
            let isNew = try first.tryUnlock(file: first.passwordFile).code != 0
            if isNew { #expect(try first.tryUnlock(file: new).code == 0) }
            let status = try JSON(first.vault("status", "--json"))
            #expect((status["epoch"].int == 2) == isNew)
            guard isNew else {
                let phone = try homes.devices(first).first { $0["name"].string == "phone" }
                #expect(phone?["retired"].bool == false, "nothing was changed: \(String(describing: phone))")
                continue
            }
            isDone = true
            // What is left of the rotation goes on by itself; there may be nothing.
            let resumed = try first.vault("rotate", "--resume")
            #expect(resumed.code == 0 || resumed.code == 5, "\(resumed.err)")
            try first.require(first.vault("sync", "now"))
            let phone = try homes.devices(first).first { $0["name"].string == "phone" }
            #expect(phone?["retired"].bool == true, "\(String(describing: phone))")
        }
        #expect(isDone, "no round reached the new key")
        expectRefusal(try revoke(first, "phone", from: new, to: new), 7, says: "was revoked")
        #expect(try homes.stolen.vault("sync", "now").code == 7)
        #expect(try homes.second.vault("sync", "now").code == 7)
        try homes.second.require(homes.second.vault("sync", "follow", "--password-file", new))
        #expect(try homes.second.vault("ls", "--count").text == "41\n")
        #expect(try first.vault("check").code == 0)
    }
}
