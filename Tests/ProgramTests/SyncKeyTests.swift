// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Passwords and the vault's key over two devices and a folder.
@Suite struct SyncKeyTests {
    private static let second = "gravel lantern swift orchard"
    private static let third = "pewter saddle ribbon meadow"

    private func rotate(_ world: VaultWorld, to file: String) throws {
        try world.require(
            world.vault(
                "rotate", "--kdf-target", "0", "--new-password", "--password-file", world.passwordFile,
                "--new-password-file", file))
    }

    private func change(_ world: VaultWorld, from old: String, to new: String) throws {
        try world.require(
            world.vault("passwd", "--kdf-target", "0", "--password-file", old, "--new-password-file", new))
    }

    private func opens(_ world: VaultWorld, _ file: String) throws -> Bool {
        try world.require(world.vault("lock"))
        let code = try world.tryUnlock(file: file).code
        #expect(code == 0 || code == 4)
        return code == 0
    }

    /// What was read and sent before is on the standard output.
    private func expectStop(
        _ finished: Finished, _ code: Int32, says text: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            finished.code == code && finished.err.contains("vault: hint: "), "\(finished.err)", sourceLocation: location
        )
        #expect(finished.err.contains(text), "\(finished.err)", sourceLocation: location)
    }

    private func titles(_ world: VaultWorld) throws -> Set<String> {
        Set(try JSON(world.vault("ls", "--json"))["notes"].array.compactMap { $0["title"].string })
    }

    // MARK: Passwords

    @Test func D02aPasswordThatOneDeviceChangesIsTheOthersToo() throws {
        let devices = try SyncedDevices()
        let new = try devices.first.write("new", Self.second)
        try change(devices.first, from: devices.first.passwordFile, to: new)
        try devices.sync()
        let told = try devices.second.require(devices.second.vault("sync", "status"))
        #expect(told.err.contains("another device has changed passwords"))
        #expect(try !opens(devices.second, devices.second.passwordFile))
        #expect(try opens(devices.second, new))
        #expect(try JSON(devices.second.vault("key", "ls", "--json"))["keys"].array.count == 1)
        try devices.sync()
        try devices.expectEqual()
        // The remote has no header any more that the old one opens.
        let late = try VaultWorld(prepared: false, unlocked: false)
        expectRefusal(try late.vault("clone", devices.folder, "--password-file", late.passwordFile), 4)
        try late.require(late.vault("clone", devices.folder, "--password-file", new))
    }

    /// The first device has changed more of its own keys, and is not there any more when the second one changes the
    /// password: its header must go all the same.
    @Test func D02aRemovedPasswordOpensNoHeaderOfAnyDevice() throws {
        let devices = try SyncedDevices()
        let (first, second) = (devices.first, devices.second)
        for name in ["one", "two", "three"] {
            let file = try first.write(name, "\(Self.third) \(name)")
            try first.require(
                first.vault(
                    "key", "add", "--name", name, "--kdf-target", "0", "--password-file", first.passwordFile,
                    "--new-password-file", file))
        }
        try devices.sync()
        #expect(
            try JSON(second.vault("key", "ls", "--json"))["keys"].array.compactMap { $0["name"].string }.sorted()
                == ["one", "password", "three", "two"])
        try first.require(first.vault("lock"))
        let new = try second.write("new", Self.second)
        try change(second, from: second.passwordFile, to: new)
        try second.require(second.vault("sync", "now"))
        try second.require(second.vault("sync", "now"))
        let late = try VaultWorld(prepared: false, unlocked: false)
        expectRefusal(try late.vault("clone", devices.folder, "--password-file", late.passwordFile), 4)
        try late.require(late.vault("clone", devices.folder, "--password-file", new))
    }

    @Test func passwordsThatTwoDevicesChangeAtOnceBothOpen() throws {
        let devices = try SyncedDevices()
        let (one, other) = (try devices.first.write("one", Self.second), try devices.first.write("other", Self.third))
        try change(devices.first, from: devices.first.passwordFile, to: one)
        try change(devices.second, from: devices.second.passwordFile, to: other)
        try devices.sync()
        for world in [devices.first, devices.second] {
            #expect(try !opens(world, world.passwordFile))
            #expect(try opens(world, one))
            #expect(try opens(world, other))
        }
        try devices.sync()
        try devices.expectEqual()
    }

    @Test func aKeyThatWasRemovedWhereItIsNotUsedIsGoneEverywhere() throws {
        let devices = try SyncedDevices()
        let world = devices.first
        let other = try world.write("other", Self.second)
        try world.require(
            world.vault(
                "key", "add", "--name", "guest", "--kdf-target", "0", "--password-file", world.passwordFile,
                "--new-password-file", other))
        try devices.sync()
        #expect(try opens(devices.second, other))
        try world.require(world.vault("key", "rm", "guest", "--yes", "--password-file", world.passwordFile))
        try devices.sync()
        #expect(try !opens(devices.second, other))
        #expect(try opens(devices.second, devices.second.passwordFile))
    }

    // MARK: The vault's key

    @Test func D03aRotationIsFollowedAndNothingIsLost() throws {
        let devices = try SyncedDevices(notes: ["# Shared\none\ntwo\nthree"])
        let (first, second) = (devices.first, devices.second)
        let note = try #require(try JSON(first.vault("ls", "--json"))["notes"][0]["id"].string)
        let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ $0 >> 7) })
        try Data(content).write(to: URL(fileURLWithPath: first.path("plan.bin")))
        try first.require(first.vault("attach", "add", note, first.path("plan.bin")))
        try devices.sync()
        let new = try first.write("new", Self.second)
        try rotate(first, to: new)
        _ = try first.new("# Between\nwritten before the remote had heard of the new key")
        try first.require(first.vault("sync", "now"))
        _ = try first.new("# After it\nunder the new key")
        try first.require(first.vault("sync", "now"))
        // The second one wrote under the old key meanwhile, and goes on reading and writing by itself.
        _ = try second.new("# Beyond the cut\nunder the old key")
        try second.require(second.vault("append", note, "four"))
        expectStop(try second.vault("sync", "now"), 7, says: "changed the vault's key")
        #expect(try !titles(second).contains("Between"), "a thief of the old key would read it")
        let waits = try JSON(second.vault("sync", "status", "--json"))["remotes"][0]
        #expect(waits["alarms"][0]["kind"].string == "endedElsewhere")
        expectRefusal(try second.vault("sync", "follow", "--password-file", second.passwordFile), 4)
        expectRefusal(try second.vault("rotate", "--password-file", second.passwordFile), 7, says: "adopted it")
        #expect(
            try JSON(first.vault("sync", "status", "--json"))["remotes"][0]["devices"].array
                .contains { $0["awaited"].bool == true })
        try second.require(second.vault("sync", "follow", "--password-file", new))
        try devices.sync()
        try devices.expectEqual()
        #expect(try titles(first) == ["Shared", "Between", "After it", "Beyond the cut"])
        #expect(try first.require(first.vault("cat", note)).text.contains("four"))
        #expect(try opens(second, new))
        let copy = second.path("copy.bin")
        try second.require(second.vault("attach", "get", note, "plan.bin", "-o", copy))
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: copy))) == content)
        // A clone finds the vault of today, and only with the password of today.
        let late = try VaultWorld(prepared: false, unlocked: false)
        expectRefusal(try late.vault("clone", devices.folder, "--password-file", late.passwordFile), 4)
        try late.require(late.vault("clone", devices.folder, "--password-file", new))
        #expect(try late.tryUnlock(file: new).code == 0)
        #expect(try titles(late) == ["Shared", "Between", "After it", "Beyond the cut"])
        let alarms = try JSON(first.vault("sync", "status", "--json"))["remotes"][0]["alarms"].array
        #expect(alarms.isEmpty, "\(alarms)")
    }

    @Test func M11whatIsWrittenWithAnOldKeyAfterTheCutCountsNowhere() throws {
        let devices = try SyncedDevices(notes: ["# Shared\none"])
        let (first, second) = (devices.first, devices.second)
        try devices.sync()
        // A thief has the second device as it is now, and a remote of its own that does not show the ending.
        try second.require(second.vault("lock"))
        let stolen = first.path("stolen")
        try FileManager.default.copyItem(atPath: devices.folder, toPath: stolen)
        let new = try first.write("new", Self.second)
        try rotate(first, to: new)
        try first.require(first.vault("sync", "now"))
        // Its agent has the folder open.
        try first.require(first.vault("lock"))
        try FileManager.default.moveItem(atPath: devices.folder, toPath: first.path("aside"))
        try FileManager.default.moveItem(atPath: stolen, toPath: devices.folder)
        try second.unlock()
        _ = try second.new("# Planted\nby a thief with the old key")
        try second.require(second.vault("sync", "now"))
        try second.require(second.vault("lock"))
        // What the thief has sealed is put among what the remote has.
        try FileManager.default.moveItem(atPath: devices.folder, toPath: stolen)
        try FileManager.default.moveItem(atPath: first.path("aside"), toPath: devices.folder)
        var planted = 0
        let all = try #require(FileManager.default.enumerator(atPath: stolen)?.allObjects as? [String])
        for name in all.sorted() {
            let kind =
                try FileManager.default.attributesOfItem(atPath: stolen + "/" + name)[.type] as? FileAttributeType
            let target = devices.folder + "/" + name
            if kind == .typeDirectory {
                try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
            } else if !FileManager.default.fileExists(atPath: target) {
                try FileManager.default.copyItem(atPath: stolen + "/" + name, toPath: target)
                planted += 1
            }
        }
        #expect(planted > 0)
        #expect(try first.tryUnlock(file: new).code == 0)
        for _ in 0..<2 { _ = try first.vault("sync", "now") }
        #expect(try titles(first) == ["Shared"])
        let late = try VaultWorld(prepared: false, unlocked: false)
        try late.require(late.vault("clone", devices.folder, "--password-file", new))
        #expect(try late.tryUnlock(file: new).code == 0)
        #expect(try titles(late) == ["Shared"])
    }

    @Test func D03aSecondRotationWaitsForWhoHasNotComeOver() throws {
        let devices = try SyncedDevices()
        let (first, second) = (devices.first, devices.second)
        try devices.sync()
        let new = try first.write("new", Self.second)
        try rotate(first, to: new)
        try first.require(first.vault("sync", "now"))
        expectRefusal(try first.vault("rotate", "--password-file", new), 7, says: "adopted the new key")
        expectStop(try second.vault("sync", "now"), 7, says: "vault sync follow")
        try second.require(second.vault("sync", "follow", "--password-file", new))
        try first.require(first.vault("sync", "now"))
        try first.require(first.vault("rotate", "--kdf-target", "0", "--password-file", new))
        try first.require(first.vault("sync", "now"))
        expectStop(try second.vault("sync", "now"), 7, says: "vault sync follow")
        try second.require(second.vault("sync", "follow", "--password-file", new))
        try devices.sync()
        try devices.expectEqual()
    }

    @Test func aPausedRemoteStopsARotationToo() throws {
        let devices = try SyncedDevices()
        let first = devices.first
        try first.require(first.vault("sync", "pause"))
        expectRefusal(
            try first.vault("rotate", "--kdf-target", "0", "--password-file", first.passwordFile), 7, says: "paused")
        #expect(try JSON(first.vault("status", "--json"))["epoch"].int == 1)
    }

    @Test func aRemoteThatCannotBeReadStopsARotationUnlessItsOwnerWantsIt() throws {
        let devices = try SyncedDevices(notes: ["# Shared\none"])
        let first = devices.first
        let new = try first.write("new", Self.second)
        // Its agent has the folder open.
        try first.require(first.vault("lock"))
        try FileManager.default.moveItem(atPath: devices.folder, toPath: first.path("away"))
        try first.unlock()
        expectRefusal(
            try first.vault(
                "rotate", "--kdf-target", "0", "--new-password", "--password-file", first.passwordFile,
                "--new-password-file", new), 8)
        try first.require(
            first.vault(
                "rotate", "--unsynced", "--kdf-target", "0", "--new-password", "--password-file", first.passwordFile,
                "--new-password-file", new))
        try FileManager.default.moveItem(atPath: first.path("away"), toPath: devices.folder)
        #expect(try opens(first, new))
        _ = try devices.second.new("# Of the second\nsent before it heard of the new key")
        try devices.second.require(devices.second.vault("sync", "now"))
        try first.require(first.vault("sync", "now"))
        expectStop(try devices.second.vault("sync", "now"), 7, says: "vault sync follow")
        try devices.second.require(devices.second.vault("sync", "follow", "--password-file", new))
        try devices.sync()
        try devices.expectEqual()
        #expect(try titles(first) == ["Shared", "Of the second"])
    }

    @Test func anAgentThatIsKilledOnTheWayToTheNextKeyLosesNothing() throws {
        let devices = try SyncedDevices(notes: ["# Shared\none"])
        let (first, second) = (devices.first, devices.second)
        var present = first.passwordFile
        for round in 0..<3 {
            let new = try first.write("round\(round)", "\(Self.second) \(round)")
            _ = try second.new("# Second \(round)\nwritten before")
            try first.require(
                first.vault(
                    "rotate", "--unsynced", "--kdf-target", "0", "--new-password", "--password-file", present,
                    "--new-password-file", new))
            for (world, arguments) in [
                (first, ["sync", "now"]), (second, ["sync", "now"]),
                (second, ["sync", "follow", "--password-file", new]),
            ] {
                // Killed at another moment in each round; then it is begun again.
                let agent = try world.agentPID()
                let killer = Thread {
                    usleep(useconds_t(3_000 + 23_000 * round))
                    kill(agent, SIGKILL)
                }
                killer.start()
                _ = try world.vault(arguments)
                #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
                if try world.tryUnlock(file: present).code != 0 { #expect(try world.tryUnlock(file: new).code == 0) }
            }
            for _ in 0..<2 { _ = try first.vault("sync", "now") }
            _ = try second.vault("sync", "now")
            let follow = try second.vault("sync", "follow", "--password-file", new)
            #expect(follow.code == 0 || follow.code == 7, "\(follow.err)")
            try devices.sync()
            try devices.expectEqual()
            present = new
        }
        #expect(try titles(first) == ["Shared", "Second 0", "Second 1", "Second 2"])
    }
}
