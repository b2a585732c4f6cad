// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Parity as its user meets it: a setting, backups and archives that are mended, and what each ends with.
@Suite struct MendTests {
    /// Writes over bytes in place.
    private func damage(_ path: String, at offset: Int, count: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(repeating: 0xA5, count: count))
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }.filter { path in
            var status = stat()
            return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    private func contents(of folder: String) throws -> [String: Data] {
        Dictionary(
            uniqueKeysWithValues: try files(in: folder).map { ($0, try Data(contentsOf: URL(filePath: $0))) })
    }

    private func world() throws -> VaultWorld {
        let world = try VaultWorld()
        let note = try world.new("Garden plan")
        try world.attach(note, "beds.bin", (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
        try world.require(world.vault("config", "set", "durability.parity", "10%"))
        return world
    }

    @Test func aDamagedBackupIsMendedWithoutAPassword() throws {
        let world = try world()
        let folder = world.path("backup")
        let created = try JSON(world.require(world.vault("backup", "create", folder, "--json")))
        #expect((created["parityByteCount"].int ?? 0) > 30_000)
        let before = try contents(of: folder)
        let object = try #require(before.keys.filter { $0.contains("/objects/") }.max())
        #expect(try world.vault("backup", "mend", folder).text.contains("all whole"))

        try damage(object, at: 100_000, count: 4096)
        let verified = try world.vault("backup", "verify", folder)
        #expect(verified.code == 13 && verified.err.contains("vault backup mend"))
        let trial = try world.vault("backup", "mend", folder, "--dry-run")
        #expect(trial.code == 13 && trial.text.contains("can be mended"))
        try world.vault("lock")
        let mended = try JSON(world.require(world.vault("backup", "mend", folder, "--json")))
        #expect(mended["mended"].array.count == 1 && mended["lost"].array.isEmpty)
        #expect(mended["mended"].array.first?["damagedBlocks"].int == 2)
        #expect(try contents(of: folder) == before)
        try world.unlock()
        try world.require(world.vault("backup", "verify", folder))
    }

    @Test func damageBeyondRepairIsNamedLeftAloneAndEndsWith13() throws {
        let world = try world()
        let folder = world.path("backup")
        try world.require(world.vault("backup", "create", folder))
        let object = try #require(files(in: folder).filter { $0.contains("/objects/") }.max())
        try damage(object, at: 0, count: 300_000)
        let before = try contents(of: folder)
        let mended = try world.vault("backup", "mend", folder)
        #expect(mended.code == 13 && mended.err.contains("beyond repair"))
        #expect(try contents(of: folder) == before)
    }

    @Test func parityThatIsLostAsAWholeEndsWith12AndIsWrittenAnew() throws {
        let world = try world()
        let folder = world.path("backup")
        try world.require(world.vault("backup", "create", folder))
        let parity = try #require(files(in: folder).first { $0.contains("/parity/") })
        let size = try Data(contentsOf: URL(filePath: parity)).count
        try damage(parity, at: 0, count: 64)
        try damage(parity, at: size - 64, count: 64)
        #expect(try world.vault("backup", "mend", folder).code == 12)
        try world.require(world.vault("backup", "create", folder))
        #expect(try world.vault("backup", "mend", folder).code == 0)
    }

    @Test func anArchiveHasParityBesideItAndIsMended() throws {
        let world = try world()
        let file = world.path("notes.vault")
        let export = [
            "export", "vault", "-o", file, "--new-password-file", world.passwordFile, "--kdf-target", "0",
        ]
        try world.require(world.vault(export))
        let whole = try Data(contentsOf: URL(filePath: file))
        try damage(file, at: 50_001, count: 4096)
        #expect(try world.vault("backup", "mend", file, "--dry-run").code == 13)
        try world.require(world.vault("backup", "mend", file))
        #expect(try Data(contentsOf: URL(filePath: file)) == whole)
        unsafe unlink(file)
        // A file of that name beside it is not overwritten.
        expectRefusal(try world.vault(export), 7, says: "notes.vault.parity")
        // All of it is more than a tenth.
        #expect(try world.vault("backup", "mend", file).code == 13)
    }

    @Test func withoutTheSettingThereIsNoParityAndNothingToMend() throws {
        let world = try VaultWorld()
        _ = try world.new("plain")
        let folder = world.path("backup")
        try world.require(world.vault("backup", "create", folder))
        #expect(try !files(in: folder).contains { $0.contains("/parity/") })
        expectRefusal(try world.vault("backup", "mend", folder), 5, says: "no parity")
        for value in ["0%", "101%", "10", "ten", "-1%", "05%"] {
            #expect(try world.vault("config", "set", "durability.parity", value).code == 2, "\(value)")
        }
        for value in ["1%", "100%", "off"] {
            try world.require(world.vault("config", "set", "durability.parity", value))
        }
    }
}
