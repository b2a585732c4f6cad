// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// docs/decrypt.py, written from docs/format.md by somebody who has not seen our code, against what our programs have
/// just made.
@Suite struct DecryptTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// Two Python packages in an environment that `Scripts/setup.sh test` makes.
    private func decrypt(_ world: VaultWorld, _ arguments: String...) throws -> Finished {
        let python = Self.package + "/bench-out/venv/bin/python"
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "Scripts/setup.sh test installs cryptography and argon2-cffi")
        return try Command.run(
            [python, Self.package + "/docs/decrypt.py"] + arguments, environment: world.environment, seconds: 120)
    }

    private struct Full {
        let world: VaultWorld
        let first: String
        let hidden: String
    }

    private func full() throws -> Full {
        let world = try VaultWorld()
        try world.write("note-password", "rosebud in the snow")
        try world.write("archive-password", "an archive's own password here")
        let first = try world.new("first zebra\nwith text", "-t", "a/b", "-b", "Travel/2026", "--title", "A title")
        let hidden = try world.new("hidden zebra")
        for note in [first, hidden] { try world.attach(note, "stripes.bin", [UInt8](repeating: 7, count: 70_000)) }
        try world.require(world.vault("append", first, "and more"))
        try world.require(world.vault("note", "lock", hidden, "--note-password-file", world.path("note-password")))
        try world.require(world.vault("book", "add", "--manual", "Dune zebra", "--author", "F. Herbert"))
        try world.require(world.vault("book", "log", "dune", "--page", "50", "slow start", "--date", "2026-01-06"))
        try world.require(world.vault("book", "put", "dune", first, "--chapter", "1. Arrakis"))
        let gone = try world.new("thrown away")
        try world.require(world.vault("rm", gone))
        return Full(world: world, first: first, hidden: hidden)
    }

    private func expectAll(_ finished: Finished, _ full: Full) throws {
        try #require(finished.code == 0, "\(finished.err)")
        let notes = try JSON(finished)["notes"].array
        #expect(notes.count == 4)
        let book = try #require(notes.first { $0["title"].string == "Dune zebra" })
        #expect(book["book"]["shelf"].int == 2 && book["book"]["authors"][0].string == "F. Herbert")
        #expect(book["book"]["log"].array.count == 1 && book["book"]["chapters"][0][1].string == "1. Arrakis")
        let first = try #require(notes.first { $0["id"].string == full.first })
        #expect(first["body"].string == "first zebra\nwith text\nand more" && first["title"].string == "A title")
        #expect(first["bookPlace"]["book"].string == book["id"].string)
        #expect(first["notebook"].string == "Travel/2026" && first["tags"].array.map(\.string) == ["a/b"])
        #expect(first["revisions"].array.first?["body"].string == "first zebra\nwith text")
        let hidden = try #require(notes.first { $0["id"].string == full.hidden })
        #expect(hidden["body"].string == "hidden zebra" && hidden["locked"].bool == false)
        for note in [first, hidden] {
            // SHA-256 of 70,000 bytes 07.
            #expect(
                note["attachments"][0]["sha256"].string == "\(Self.digest)"
                    && note["attachments"][0]["name"].string == "stripes.bin")
        }
        #expect(notes.contains { $0["body"].string == "thrown away" && $0["flags"].int == 1 })
    }

    private static let digest: String = {
        guard
            let summed = try? Command.run(
                ["/usr/bin/sha256sum"], environment: [:], input: [UInt8](repeating: 7, count: 70_000))
        else { return "" }
        return String(summed.text.prefix(64))
    }()

    @Test func itOpensAVaultAnArchiveAndASnapshot() throws {
        let full = try full()
        let world = full.world
        let note = ["--note-password-file", world.path("note-password"), "--json"]
        try world.require(
            world.vault(
                "export", "vault", "-o", world.path("all.vault"), "--new-password-file", world.path("archive-password"),
                "--kdf-target", "0"))
        let snapshot =
            try JSON(world.require(world.vault("backup", "create", world.path("backup"), "--json")))["snapshot"].string
            ?? ""
        // As it lies there while the agent has it open: with a log that is not empty.
        try FileManager.default.copyItem(atPath: world.directory, toPath: world.path("copy"))
        try expectAll(
            decrypt(world, world.path("copy"), "--password-file", world.passwordFile, note[0], note[1], note[2]), full)
        try expectAll(
            decrypt(
                world, world.path("all.vault"), "--password-file", world.path("archive-password"), note[0], note[1],
                note[2]), full)
        try expectAll(
            decrypt(
                world, world.path("backup/snapshots/" + snapshot), "--password-file", world.passwordFile, note[0],
                note[1], note[2]), full)
        let listed = try decrypt(world, world.path("all.vault"), "--password-file", world.path("archive-password"))
        #expect(listed.code == 0 && listed.text.contains("first zebra") && !listed.text.contains("hidden zebra"))
        #expect(try decrypt(world, world.path("copy"), "--password-file", world.path("archive-password")).code == 4)
    }

    @Test func itSaysThatASnapshotIsOfADamagedVault() throws {
        let world = try VaultWorld()
        try world.attach(world.new("Garden plan"), "beds.bin", [UInt8](repeating: 7, count: 300_000))
        let objects = URL(filePath: world.path("vault/objects"))
        for name in try FileManager.default.subpathsOfDirectory(atPath: objects.path) {
            // A folder has no content.
            guard var bytes = try? Data(contentsOf: objects.appending(path: name)) else { continue }
            bytes[150_000] ^= 1
            try bytes.write(to: objects.appending(path: name))
            unsafe chmod(objects.path + "/" + name, 0o600)
        }
        #expect(try world.vault("backup", "create", world.path("backup")).code == 13)
        let folder = world.path("backup/snapshots")
        let snapshot = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        let refused = try decrypt(world, folder + "/" + snapshot, "--password-file", world.passwordFile)
        #expect(refused.code == 13 && refused.text.isEmpty && refused.err.contains("snapshot of a damaged vault"))
    }

    /// Either copy of the manifest is enough, also under the names that a rotation gives them.
    @Test(arguments: ["manifest", "manifest.2", "manifest.next", "manifest.2.next"])
    func oneCopyOfTheManifestIsEnough(name: String) throws {
        let world = try VaultWorld()
        _ = try world.new("zebra")
        try world.require(world.vault("lock"))
        let folder = world.directory
        try FileManager.default.moveItem(atPath: folder + "/manifest", toPath: world.path("kept"))
        try FileManager.default.removeItem(atPath: folder + "/manifest.2")
        try FileManager.default.moveItem(atPath: world.path("kept"), toPath: folder + "/" + name)
        let opened = try decrypt(world, folder, "--password-file", world.passwordFile, "--json")
        #expect(try opened.code == 0 && JSON(opened)["notes"].array.count == 1, "\(opened.err)")
        let salvaged = try decrypt(world, folder, "--password-file", world.passwordFile, "--json", "--salvage")
        #expect(try salvaged.code == 0 && JSON(salvaged)["knowsEnd"].bool == true, "\(salvaged.err)")
    }

    @Test func itRefusesWhatWasChanged() throws {
        let full = try full()
        let world = full.world
        let path = world.path("all.vault")
        try world.require(
            world.vault(
                "export", "vault", "-o", path, "--new-password-file", world.path("archive-password"), "--kdf-target",
                "0"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let refused = try decrypt(world, path, "--password-file", world.path("archive-password"))
        #expect(refused.code == 13 && refused.text.isEmpty)
    }
}
