// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A new device that has a code of one that has the vault: it believes no remote that shows something else.
@Suite struct PairingTests {
    /// A home with a vault and a remote, and places for what a store may show instead.
    private final class Home {
        let world: VaultWorld
        var folder: String { world.path("remote") }

        init() throws {
            world = try VaultWorld()
            try world.makeFolder("remote")
            _ = try world.new("# Shopping\nmilk")
            try world.require(world.vault("remote", "add", "folder", folder))
            try world.require(world.vault("sync", "now"))
        }

        /// Writes a code to a file.
        func code(_ name: String = "code") throws -> String {
            try world.write(name, world.require(world.vault("device", "pair")).text)
        }

        /// Copies what lies in the remote now.
        func copy(_ name: String) throws -> String {
            try FileManager.default.copyItem(atPath: folder, toPath: world.path(name))
            return world.path(name)
        }

        /// Files of an area of a remote, by their paths below it.
        func files(_ area: String, in folder: String? = nil) throws -> Set<String> {
            let root = (folder ?? self.folder) + "/notevault-1/"
            let vault = try #require(try FileManager.default.contentsOfDirectory(atPath: root).first)
            let found = FileManager.default.enumerator(atPath: root + vault + "/" + area)?.allObjects as? [String]
            return Set((found ?? []).filter { $0.utf8.count > 2 }.map { "notevault-1/\(vault)/\(area)/\($0)" })
        }

        func put(_ file: String, into folder: String) throws {
            let target = URL(fileURLWithPath: folder + "/" + file)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: URL(fileURLWithPath: self.folder + "/" + file), to: target)
        }
    }

    private func titles(_ world: VaultWorld) throws -> Set<String> {
        Set(try JSON(world.vault("ls", "--json"))["notes"].array.compactMap { $0["title"].string })
    }

    private func newWorld() throws -> VaultWorld { try VaultWorld(prepared: false, unlocked: false) }

    private func clone(_ world: VaultWorld, _ arguments: String..., input: [UInt8] = []) throws -> Finished {
        try world.vault(["clone"] + arguments + ["--password-file", world.passwordFile], input: input)
    }

    @Test func aCodeSaysWhereTheVaultIsAndWhatIsThere() throws {
        let home = try Home()
        let shown = try JSON(home.world.require(home.world.vault("device", "pair", "--json")))
        #expect(shown["schema"].int == 1 && shown["remote"].string == "folder" && shown["epoch"].int == 1)
        let vault = try JSON(home.world.vault("status", "--json"))["vaultID"].string
        #expect(vault != nil && shown["vault"].string == vault)
        let letters = try #require(shown["code"].string)
        let text = try home.world.require(home.world.vault("device", "pair"))
        #expect(text.err.contains("it opens nothing") && text.text.split(separator: "\n").count < 12)
        // From standard input, in capitals and without groups: no place was typed.
        let second = try newWorld()
        let typed = letters.uppercased().filter { $0 != "-" }
        let cloned = try second.require(clone(second, "--code", input: Array(typed.utf8)))
        #expect(cloned.err.contains("everything that the pairing code names"))
        try second.unlock()
        #expect(try titles(second) == ["Shopping"])
        let status = try JSON(second.vault("sync", "status", "--json"))["remotes"][0]
        #expect(status["alarms"].array.isEmpty && status["remote"]["synced"].string != nil, "\(status)")
        // It serves a second device, and what came since is no obstacle.
        let file = try home.code()
        _ = try home.world.new("# Later\ntext")
        try home.world.require(home.world.vault("sync", "now"))
        let third = try newWorld()
        let answer = try third.require(clone(third, "--code-file", file, "--json"))
        #expect(try JSON(text: answer.text)["cloned"].bool == true)
        try third.unlock()
        #expect(try titles(third) == ["Shopping", "Later"])
    }

    @Test func M06aCloneWithACodeTakesNoOlderState() throws {
        let home = try Home()
        let old = try home.copy("old")
        _ = try home.world.new("# Later\ntext")
        let code = try home.code()
        let world = try newWorld()
        expectRefusal(try clone(world, old, "--code-file", code), 11, says: "older state")
        #expect(!FileManager.default.fileExists(atPath: world.directory))
        // Without the code nobody would have known.
        let trusting = try newWorld()
        try trusting.require(clone(trusting, old))
        try world.require(clone(world, "--code-file", code))
        try world.unlock()
        #expect(try titles(world) == ["Shopping", "Later"])
    }

    /// The store shows the named segment when it is looked for, and not what comes before it.
    @Test func M06whatIsHiddenBehindTheNamedSegmentIsMissed() throws {
        let home = try Home()
        let old = try home.copy("old")
        _ = try home.world.new("# Later\ntext")
        try home.world.require(home.world.vault("sync", "now"))
        let said = try home.files("s")
        let code = try home.code()
        let named = try home.files("s").subtracting(said)
        try #require(named.count == 1)
        try home.world.require(home.world.vault("lock"))
        for file in named { try home.put(file, into: old) }
        let areas = ["s", "h", "o"]
        let before = try areas.map { try home.files($0, in: old) }
        let world = try newWorld()
        let refused = try clone(world, old, "--code-file", code)
        #expect(refused.code == 11 && refused.err.contains("older state"), "\(refused.err)")
        // The vault knows it still after a restart, and says nothing to others meanwhile.
        try world.unlock()
        #expect(try world.vault("sync", "now").code == 11)
        let status = try JSON(world.vault("sync", "status", "--json"))["remotes"][0]
        #expect(status["alarms"].array.contains { $0["kind"].string == "olderThanCode" }, "\(status)")
        #expect(status["remote"]["synced"].isNull)
        #expect(try titles(world) == ["Shopping"])
        _ = try world.new("# Here\ntext")
        #expect(try world.vault("sync", "now").code == 11)
        #expect(try areas.map { try home.files($0, in: old) } == before, "it has put nothing but its card")
        let known = before[0]
        // The store shows it all: the code is met, and nothing is left of it.
        for file in try home.files("s").subtracting(known) { try home.put(file, into: old) }
        try world.require(world.vault("sync", "now"))
        #expect(try titles(world) == ["Shopping", "Later", "Here"])
        #expect(try home.files("s", in: old).count > home.files("s").count, "and says what it has")
        #expect(try JSON(world.vault("sync", "status", "--json"))["remotes"][0]["alarms"].array.isEmpty)
    }

    @Test func M04aCloneWithACodeTakesNoOlderHeader() throws {
        let home = try Home()
        let old = try home.copy("old")
        let new = try home.world.write("new", "gravel lantern swift orchard")
        try home.world.require(
            home.world.vault(
                "passwd", "--kdf-target", "0", "--password-file", home.world.passwordFile, "--new-password-file", new))
        let code = try home.code()
        // The store shows everything, and of the headers only the one that the old password opens.
        try home.world.require(home.world.vault("lock"))
        for area in ["s", "d"] {
            for file in try home.files(area).subtracting(home.files(area, in: old)) { try home.put(file, into: old) }
        }
        let world = try newWorld()
        expectRefusal(try clone(world, old, "--code-file", code), 11, says: "older state")
        expectRefusal(try clone(world, "--code-file", code), 4)
        try world.require(world.vault("clone", "--code-file", code, "--password-file", new))
    }

    @Test func M21aCodeNamesItsVaultAndNoOther() throws {
        let (home, other) = (try Home(), try Home())
        let code = try home.code()
        let world = try newWorld()
        expectRefusal(try clone(world, other.folder, "--code-file", code), 5, says: "is not there")
        // Another vault's header under the name of this one.
        let vault = try #require(try JSON(home.world.vault("status", "--json"))["vaultID"].string)
        let root = other.folder + "/notevault-1/"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: root).first)
        try other.world.require(other.world.vault("lock"))
        try FileManager.default.moveItem(atPath: root + name, toPath: root + vault)
        expectRefusal(try clone(world, other.folder, "--code-file", code), 5, says: "is not there")
        expectRefusal(
            try clone(world, "--code-file", code, "--vault-id", name), 2, says: "pairing code is for the vault")
        #expect(!FileManager.default.fileExists(atPath: world.directory))
    }

    @Test func aCodeOfBeforeTheKeyWasChangedIsOutOfDate() throws {
        let home = try Home()
        let code = try home.code()
        try home.world.require(
            home.world.vault("rotate", "--kdf-target", "0", "--password-file", home.world.passwordFile))
        try home.world.require(home.world.vault("sync", "now"))
        let world = try newWorld()
        expectRefusal(try clone(world, "--code-file", code), 7, says: "changed after this pairing code")
        try world.require(clone(world, "--code-file", home.code("again")))
    }

    @Test func aSlipIsNamedByItsGroup() throws {
        let home = try Home()
        let words = try home.world.require(home.world.vault("device", "pair")).text.split(
            whereSeparator: \.isWhitespace)
        let world = try newWorld()
        var typed = words.map(String.init)
        typed[4] = String(typed[4].dropLast()) + (typed[4].last == "a" ? "b" : "a")
        let wrong = try world.write("wrong", typed.joined(separator: " "))
        expectRefusal(try clone(world, "--code-file", wrong), 2, says: "group 5 of the pairing code, '\(typed[4])'")
        let short = try world.write("short", words.dropLast().joined(separator: " "))
        expectRefusal(try clone(world, "--code-file", short), 2, says: "incomplete")
        expectRefusal(try clone(world, "--code-file", world.path("nowhere")), 5)
        expectRefusal(try clone(world, "--code", input: []), 2, says: "no pairing code")
        expectRefusal(try clone(world), 2, says: "<place>")
        expectRefusal(try clone(world, "--code", "--no-input"), 3)
    }

    @Test func aCodeNeedsARemoteThatIsRead() throws {
        let alone = try VaultWorld()
        expectRefusal(try alone.vault("device", "pair"), 5, says: "no remote")
        let home = try Home()
        expectRefusal(try home.world.vault("device", "pair", "--qr"), 2, says: "terminal")
        try home.world.require(home.world.vault("sync", "pause"))
        expectRefusal(try home.world.vault("device", "pair"), 7, says: "paused")
        try home.world.require(home.world.vault("sync", "resume"))
        try home.world.require(home.world.vault("lock"))
        try FileManager.default.moveItem(atPath: home.folder, toPath: home.world.path("away"))
        try home.world.unlock()
        expectRefusal(try home.world.vault("device", "pair"), 8)
    }

    @Test func aTerminalShowsThePictureAndTheLettersAreTypedBack() throws {
        let home = try Home()
        home.world.environment["TERM"] = "xterm-256color"
        let shown = try home.world.shown("device", "pair", "--qr")
        #expect(shown.contains("\u{2580}") && shown.contains("\u{1B}[30;107m"))
        let lines = shown.split(separator: "\n").filter { $0.wholeMatch(of: /[a-z2-7 ]{8,53}/) != nil }
        #expect(lines.count > 2, "\(shown)")
        #expect(try home.world.shown(["device", "pair"], columns: 40).contains("\u{2580}") == false)
        let world = try newWorld()
        let session = try world.terminal("clone", "--code", "--password-file", world.passwordFile)
        try session.answer("Pairing code: ", lines[0])
        for line in lines.dropFirst() { try session.answer("more, or an empty line: ", line) }
        #expect(try session.finish() == 0, "\(session.transcript)")
        try world.unlock()
        #expect(try titles(world) == ["Shopping"])
    }
}
