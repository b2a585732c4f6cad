// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Two homes that meet over a folder, as commands see them: devices by name, what the remote has, and what it lost.
@Suite struct DeviceTests {
    /// A vault with a remote, and its clone.
    private final class Homes {
        let first: VaultWorld
        let second: VaultWorld
        var folder: String { first.path("remote") }

        init() throws {
            first = try VaultWorld()
            second = try VaultWorld(prepared: false, unlocked: false)
            try first.makeFolder("remote")
            _ = try first.new("# Shopping\nmilk")
            try first.require(first.vault("remote", "add", "folder", folder))
            try first.require(first.vault("sync", "now"))
            try second.require(second.vault("clone", folder, "--password-file", second.passwordFile))
            try second.unlock()
            try sync()
        }

        func sync() throws {
            for world in [first, second, first, second] { try world.require(world.vault("sync", "now")) }
        }

        func devices(_ world: VaultWorld) throws -> [JSON] {
            try JSON(world.require(world.vault("device", "ls", "--json")))["devices"].array
        }

        /// Files below a folder of the remote's.
        func files(_ area: String) throws -> [String] {
            let root = folder + "/notevault-1/"
            let vault = try #require(try FileManager.default.contentsOfDirectory(atPath: root).first)
            let base = root + vault + "/" + area
            return (FileManager.default.enumerator(atPath: base)?.allObjects as? [String] ?? [])
                .filter { $0.utf8.count > 2 }.map { base + "/" + $0 }.sorted()
        }
    }

    @Test func devicesAreListedByNameOnBoth() throws {
        let homes = try Homes()
        for world in [homes.first, homes.second] {
            let devices = try homes.devices(world)
            #expect(devices.count == 2 && devices.map { $0["this"].bool } == [true, false])
            #expect(devices.allSatisfy { $0["name"].string?.isEmpty == false && $0["retired"].bool == false })
            let other = try #require(devices.last)
            #expect(other["heard"].string != nil && other["dormant"].bool == false)
        }
        // The second one has read the first one's parts, and said so; the first has not spoken since.
        let read = try homes.devices(homes.first).last?["remotes"][0]
        #expect(read?["hasRead"].int.map { $0 > 0 } == true && read?["hasRead"].int == read?["sent"].int)
        #expect(
            try homes.devices(homes.first).map { $0["device"].string }
                == homes.devices(homes.second).reversed().map { $0["device"].string })
        let lines = try homes.first.require(homes.first.vault("device", "ls")).text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("\tthis\t") && lines[1].contains("\tactive\t"), "\(lines)")
        #expect(try homes.first.shown("device", "ls").contains("this one"))
    }

    @Test func anotherNameIsHeardOnBoth() throws {
        let homes = try Homes()
        try homes.first.require(homes.first.vault("device", "rename", "desk"))
        try homes.sync()
        #expect(try homes.devices(homes.second).last?["name"].string == "desk")
        // Any device may name another one, by its last characters too.
        let last = try String(#require(homes.devices(homes.first).last?["device"].string).suffix(6))
        try homes.first.require(homes.first.vault("device", "rename", last, "lap top"))
        try homes.sync()
        #expect(try homes.devices(homes.second).first?["name"].string == "lap top")
        expectRefusal(try homes.first.vault("device", "rename", "lap top"), 7, says: "another device")
        expectRefusal(try homes.first.vault("device", "rename", "two\nlines"), 2)
        expectRefusal(try homes.first.vault("device", "rename", "nobody", "else"), 5)
        // A name outlasts a lock.
        try homes.first.require(homes.first.vault("lock"))
        try homes.first.unlock()
        #expect(try homes.devices(homes.first).first?["name"].string == "desk")
    }

    @Test func aRetiredDeviceGoesOnUnderAnotherNameWhenItComesBack() throws {
        let homes = try Homes()
        try homes.second.require(homes.second.vault("device", "rename", "old"))
        try homes.sync()
        expectRefusal(try homes.first.vault("device", "retire", "old", "--no-input"), 3, says: "confirmation")
        let own = try String(#require(homes.devices(homes.first).first?["device"].string).suffix(6))
        expectRefusal(try homes.first.vault("device", "retire", own, "--yes"), 7)
        let chain = try homes.devices(homes.first).last?["remotes"][0]["device"].string
        let retired = try JSON(homes.first.require(homes.first.vault("device", "retire", "old", "--yes", "--json")))
        #expect(retired["schema"].int == 1 && retired["devices"][0]["retired"].bool == true)
        #expect(try homes.devices(homes.first).last?["retired"].bool == true)
        try homes.first.require(homes.first.vault("sync", "now"))
        // It is not locked out, and what it writes counts.
        _ = try homes.second.new("# From the retired one\ntext")
        try homes.sync()
        try homes.sync()
        let back = try #require(try homes.devices(homes.first).last)
        #expect(back["name"].string == "old" && back["retired"].bool == false)
        #expect(back["remotes"][0]["device"].string != chain)
        #expect(try JSON(homes.first.vault("ls", "--json"))["notes"].array.count == 2)
    }

    @Test func whatTwoScreensSayIsCompared() throws {
        let homes = try Homes()
        let points = try JSON(homes.first.require(homes.first.vault("sync", "compare", "--json")))["points"].array
            .compactMap { $0["point"].string }
        #expect(points.count == 2)
        let same = try JSON(homes.second.require(homes.second.vault(["sync", "compare"] + points + ["--json"])))
        #expect(same["compared"].array.count == 2, "\(same)")
        #expect(same["compared"].array.allSatisfy { ["same", "otherIsBehind"].contains($0["verdict"].string) })
        let point = try #require(
            points.first { text in
                same["compared"].array.contains { $0["point"].string == text && $0["verdict"].string == "same" }
            })
        let forged = point.dropLast() + (point.last == "0" ? "1" : "0")
        let other = try homes.second.vault("sync", "compare", String(forged))
        #expect(other.code == 13 && other.err.contains("different data") && other.err.contains("vault: hint: "))
        #expect(other.text == "\(forged)\tdifferent\n")
        expectRefusal(try homes.second.vault("sync", "compare", "12:abc"), 2)
        // By a file: whatever form the other device has printed it in.
        let file = try homes.second.write("other.json", "{\"points\":[{\"point\":\"\(forged)\"}]}")
        #expect(try homes.second.vault("sync", "compare", "--file", file).code == 13)
        let empty = try homes.second.write("empty.json", "{}")
        expectRefusal(try homes.second.vault("sync", "compare", "--file", empty), 2)
        // One that is only late is no alarm.
        _ = try homes.first.new("# More\ntext")
        try homes.first.require(homes.first.vault("sync", "now"))
        try homes.first.require(homes.first.vault(["sync", "compare"] + points))
    }

    @Test func nothingGoesOverAPausedRemote() throws {
        let homes = try Homes()
        try homes.first.require(homes.first.vault("sync", "pause"))
        let before = try homes.files("s")
        _ = try homes.first.new("# Written on a train\ntext")
        expectRefusal(try homes.first.vault("sync", "now"), 7, says: "paused")
        expectRefusal(try homes.first.vault("sync", "verify"), 7, says: "paused")
        // Over a lock too; the agent would have sent it by itself some seconds after the change.
        try homes.first.require(homes.first.vault("lock"))
        try homes.first.unlock()
        sleep(5)
        #expect(try homes.files("s") == before)
        #expect(try JSON(homes.first.vault("remote", "ls", "--json"))["remotes"][0]["paused"].bool == true)
        #expect(try homes.first.vault("sync", "status").text.contains("paused"))
        try homes.first.require(homes.first.vault("sync", "resume"))
        try homes.sync()
        #expect(try JSON(homes.second.vault("ls", "--json"))["notes"].array.count == 2)
    }

    @Test func theLogTellsWhatSyncingDid() throws {
        let homes = try Homes()
        let note = try #require(try JSON(homes.first.vault("ls", "--json"))["notes"][0]["id"].string)
        for (world, text) in [(homes.first, "# Shopping\ntea"), (homes.second, "# Shopping\ncoffee")] {
            try world.require(world.vault("replace", note, "-", input: Array(text.utf8)))
        }
        try homes.sync()
        let lines = try JSON(homes.first.require(homes.first.vault("sync", "log", "--json")))["lines"].array
        #expect(lines.first?["kind"].string == "sent" && lines.allSatisfy { $0["remote"].string == "folder" })
        let came = try #require(lines.last { $0["kind"].string == "received" })
        #expect(came["count"].int == 1)
        #expect(try came["device"].string == homes.devices(homes.first).last?["name"].string)
        #expect(lines.contains { $0["kind"].string == "conflict" && $0["count"].int == 1 })
        // What fails is named once, and no line has a word of a note.
        try FileManager.default.removeItem(atPath: homes.folder)
        try homes.first.makeFolder("remote")
        for _ in 0..<2 { #expect(try homes.first.vault("sync", "now").code == 8) }
        let after = try homes.first.require(homes.first.vault("sync", "log"))
        #expect(after.text.split(separator: "\n").count { $0.contains("failed") } == 1, "\(after.text)")
        #expect(!after.text.contains("Shopping") && !after.text.contains(note))
    }

    @Test func aRemoteGetsAnotherName() throws {
        let homes = try Homes()
        _ = try homes.first.new("# Before\ntext")
        try homes.first.require(homes.first.vault("remote", "set", "folder", "--name", "nas"))
        #expect(try JSON(homes.first.vault("remote", "ls", "--json"))["remotes"][0]["name"].string == "nas")
        expectRefusal(try homes.first.vault("remote", "set", "nas", "--name", "a b"), 2)
        expectRefusal(try homes.first.vault("remote", "set", "nas"), 2)
        expectRefusal(try homes.first.vault("remote", "set", "folder", "--name", "other"), 5)
        // A folder asks for no password.
        let secret = try homes.first.write("secret", "a password")
        expectRefusal(
            try homes.first.vault("remote", "set", "nas", "--user", "me", "--secret-file", secret), 2,
            says: "no password")
        try homes.sync()
        #expect(try JSON(homes.second.vault("ls", "--json"))["notes"].array.count == 2)
    }

    @Test func X63whatARemoteHasLostIsNamedAndSentAgain() throws {
        let homes = try Homes()
        let note = try #require(try JSON(homes.first.vault("ls", "--json"))["notes"][0]["id"].string)
        let file = homes.first.path("plan.bin")
        try Data([UInt8](repeating: 7, count: 100_000)).write(to: URL(fileURLWithPath: file))
        try homes.first.require(homes.first.vault("attach", "add", note, file))
        try homes.sync()
        let whole = try JSON(homes.first.require(homes.first.vault("sync", "verify", "--json")))
        #expect(whole["whole"].bool == true && whole["faults"].array.isEmpty)
        let count = try #require(whole["objects"].int)
        #expect(count >= 4, "a header, a card, segments and a part: \(count)")
        // Of one file there is the half, the others are gone; which are whose a store does not know.
        var lost = try homes.files("o") + homes.files("s") + homes.files("d") + homes.files("h")
        let cut = lost.removeFirst()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: cut))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: cut))
        for path in lost { try FileManager.default.removeItem(atPath: path) }
        let broken = try homes.first.vault("sync", "verify", "--json")
        #expect(broken.code == 13, "\(broken.err)")
        let faults = try JSON(text: broken.text)["faults"].array
        #expect(faults.count == count && faults.count { $0["altered"].bool == true } == 1)
        #expect(Set(faults.compactMap { $0["kind"].string }) == ["header", "card", "segment", "part"])
        #expect(try homes.files("s").isEmpty, "verify sends nothing")
        let mended = try JSON(homes.first.require(homes.first.vault("sync", "repair", "--json")))
        #expect(mended["whole"].bool == true && mended["faults"].array.allSatisfy { $0["mended"].bool == true })
        try homes.first.require(homes.first.vault("sync", "verify"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: cut)) == bytes)
        // The other device sends its own again.
        try homes.second.require(homes.second.vault("sync", "repair"))
        for path in lost where !path.contains("/h/") { #expect(FileManager.default.fileExists(atPath: path)) }
        try homes.sync()
        #expect(try homes.first.vault("check").code == 0)
    }
}
