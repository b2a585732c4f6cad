// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// An attachment that does not open costs an export that attachment, and nothing else.
@Suite struct DamagedExportTests {
    @Test(arguments: ["markdown", "json", "html", "jex"])
    func anAttachmentThatDoesNotOpenIsLeftOutAndNamed(format: String) throws {
        let world = try VaultWorld()
        let note = try world.new("holds two files")
        try world.attach(note, "whole.bin", [UInt8](repeating: 1, count: 20_000))
        let before = try Set(objects(world))
        try world.attach(note, "broken.bin", [UInt8](repeating: 2, count: 300_000))
        let broken = try #require(objects(world).first { !before.contains($0) })
        var bytes = try Data(contentsOf: URL(filePath: broken))
        bytes[150_000] ^= 1
        try bytes.write(to: URL(filePath: broken))
        _ = try world.new("another note")
        let words = ["export", format, "--plaintext", "-o", world.path("out")]
        let exported = try world.vault(words)
        #expect(exported.code == 12, "\(exported.err)")
        #expect(exported.err.contains("broken.bin") && !exported.err.contains("whole.bin"))
        #expect(world.exists("out"))
    }

    @Test func aPipeGetsAWholeDocumentToo() throws {
        let world = try VaultWorld()
        let note = try world.new("holds a file")
        try world.attach(note, "broken.bin", [UInt8](repeating: 2, count: 9_000))
        try FileManager.default.removeItem(atPath: #require(objects(world).first))
        let exported = try world.vault("export", "json", "--plaintext", "-o", "-")
        #expect(exported.code == 12 && exported.err.contains("broken.bin"))
        #expect(try JSON(exported)["notes"].array.count == 1)
    }

    private func objects(_ world: VaultWorld) throws -> [String] {
        let folder = world.directory + "/objects"
        return try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }.filter {
            (try? FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType) == .typeRegular
        }
    }
}
