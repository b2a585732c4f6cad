// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What other programs and desktops hand over.
@Suite struct CaptureTests {
    private func newest(_ world: VaultWorld) throws -> String {
        let listed = try JSON(world.require(world.vault("ls", "--limit", "1", "--json")))
        return try #require(listed["notes"][0]["id"].string)
    }

    @Test func addressesStandFirstAndTextFollows() throws {
        let world = try VaultWorld()
        try world.require(
            world.vault(
                "capture", "--url", "https://example.org/a", "--title", "A talk", "-", input: Array("said".utf8)))
        let note = try newest(world)
        #expect(try world.require(world.vault("cat", note)).text == "https://example.org/a\n\nsaid")
        #expect(
            try JSON(world.require(world.vault("ls", "--limit", "1", "--json")))["notes"][0]["title"].string == "A talk"
        )
        try world.require(world.vault("capture", "https://example.org/b", "and", "words"))
        #expect(try world.require(world.vault("cat", newest(world))).text == "https://example.org/b\n\nand words")
    }

    @Test func filesAreAttachedAlsoByTheirAddresses() throws {
        let world = try VaultWorld()
        try world.write("a file ä.txt", "content")
        try world.write("b.txt", "more")
        let address = URL(fileURLWithPath: world.path("a file ä.txt")).absoluteString
        #expect(address.contains("%20"))
        try world.require(world.vault("capture", address, world.path("b.txt"), "--title", "Files"))
        let rows = try JSON(world.require(world.vault("attach", "ls", newest(world), "--json")))["attachments"]
        #expect([rows[0]["name"].string, rows[1]["name"].string] == ["a file ä.txt", "b.txt"])
    }

    @Test func aFileManagersMenuSendsFiles() throws {
        let world = try VaultWorld()
        try world.write("a photo's list.txt", "content")
        let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let script = "\(package)/Support/desktop/nautilus/Send to vault"
        var environment = world.environment
        environment["PATH"] = "\(Programs.directory):/usr/bin:/bin"
        let sent = try Command.run([script, world.path("a photo's list.txt")], environment: environment)
        #expect(sent.code == 0, "\(sent.text)\(sent.err)")
        let rows = try JSON(world.require(world.vault("attach", "ls", newest(world), "--json")))["attachments"]
        #expect(rows[0]["name"].string == "a photo's list.txt")
        try world.require(world.vault("lock"))
        #expect(try Command.run([script, world.path("a photo's list.txt")], environment: environment).code == 1)
        // The words of the other menus are those of the command.
        for menu in ["thunar/vault-send.desktop", "dolphin/vault-send.desktop", "vault-capture.desktop"] {
            let text = try String(contentsOfFile: "\(package)/Support/desktop/\(menu)", encoding: .utf8)
            #expect(text.split(separator: "\n").contains { $0.hasPrefix("Exec=vault capture %") }, "\(menu)")
        }
    }

    @Test func anAddressOfANoteLeadsToItAndNowhereElse() throws {
        let world = try VaultWorld()
        try world.require(world.vault("new", "aim"))
        let note = try newest(world)
        defer { _ = try? world.vault("web", "--stop") }
        let opened = try world.require(world.vault("open", "vault://note/\(note)", "--json"))
        #expect(try JSON(opened)["url"].string?.hasSuffix("&n=\(note)") == true)
        for wasOpen in [true, false] {
            let ended = try world.require(world.vault("web", "--stop", "--json"))
            #expect(try JSON(ended)["ended"].bool == wasOpen)
        }
        for wrong in [
            "vault://other/\(note)", "vault://note/", "vault://note/A&d=x", "https://example.org", "\(note)",
            "vault://new?",
            "vault://new?title=a&title=b", "vault://new?url=javascript:1", "vault://new?title=%zz", "vault://new?x=1",
        ] {
            #expect(try world.vault("open", wrong).code == 2, "\(wrong)")
        }
    }

    @Test func nothingIsKeptOfNothingAndOfALockedVault() throws {
        let world = try VaultWorld()
        #expect(try world.vault("capture").code == 2)
        try world.require(world.vault("lock"))
        #expect(try world.vault("capture", "https://example.org", "--no-input").code == 3)
    }
}
