// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What docs/decrypt.py, which was written from docs/format.md alone, makes of files that were put back as they were,
/// and of a map that is damaged.
@Suite struct DecryptFreshnessTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let pageByteCount = 4096
    private static let nodeByteCount = 1024

    private func decrypt(_ world: VaultWorld, _ password: String? = nil, _ options: String...) throws -> Finished {
        let python = Self.package + "/bench-out/venv/bin/python"
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "Scripts/setup.sh test installs cryptography and argon2-cffi")
        let file = password ?? world.passwordFile
        return try Command.run(
            [python, Self.package + "/docs/decrypt.py", world.directory, "--password-file", file, "--json"] + options,
            environment: world.environment, seconds: 120)
    }

    private func bytes(_ world: VaultWorld, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: world.directory + "/" + name)))
    }

    private func write(_ world: VaultWorld, _ name: String, _ bytes: [UInt8]) throws {
        let path = world.directory + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        unsafe chmod(path, 0o600)
    }

    /// A closed vault with some notes, and its index as it was before the last of them.
    private func twice() throws -> (world: VaultWorld, before: [UInt8]) {
        let world = try VaultWorld()
        for number in 1...5 { _ = try world.new("zebra \(number) " + String(repeating: "stripes ", count: 900)) }
        try world.require(world.vault("lock"))
        let before = try bytes(world, "index-1.db")
        try world.unlock()
        _ = try world.new("the last zebra")
        try world.require(world.vault("lock"))
        return (world, before)
    }

    private func page(_ number: Int, of file: [UInt8]) -> ArraySlice<UInt8> {
        file[number * Self.pageByteCount..<(number + 1) * Self.pageByteCount]
    }

    @Test func J01anOlderPageIsRefusedAndASalvageNamesIt() throws {
        let (world, before) = try twice()
        let now = try bytes(world, "index-1.db")
        let changed = (0..<min(before.count, now.count) / Self.pageByteCount).filter {
            page($0, of: before) != page($0, of: now)
        }
        try #require(!changed.isEmpty)
        #expect(try decrypt(world).code == 0)
        for number in changed {
            var mixed = now
            let place = number * Self.pageByteCount..<(number + 1) * Self.pageByteCount
            mixed.replaceSubrange(place, with: page(number, of: before))
            try write(world, "index-1.db", mixed)
            let refused = try decrypt(world)
            #expect(refused.code == 13 && refused.err.contains("page \(number + 1) of the index is older"))
            let salvaged = try JSON(decrypt(world, nil, "--salvage"))
            #expect(salvaged["oldPages"].array.map(\.int) == [number + 1])
        }
    }

    @Test func aDamagedMapIsMadeAgainFromThePages() throws {
        let (world, _) = try twice()
        let map = try bytes(world, "index-1.map")
        for node in stride(from: 0, to: map.count, by: Self.nodeByteCount) {
            var damaged = map
            damaged[node + 7] ^= 1
            try write(world, "index-1.map", damaged)
            #expect(try decrypt(world).code == 0, "at \(node)")
        }
        try FileManager.default.removeItem(atPath: world.directory + "/index-1.map")
        #expect(try decrypt(world).code == 0)
    }

    @Test func aDamagedMapHidesNoOlderPage() throws {
        let (world, before) = try twice()
        let (now, map) = try (bytes(world, "index-1.db"), bytes(world, "index-1.map"))
        let first = try #require(
            (0..<before.count / Self.pageByteCount).first { page($0, of: before) != page($0, of: now) })
        let place = first * Self.pageByteCount..<(first + 1) * Self.pageByteCount
        var mixed = now
        mixed.replaceSubrange(place, with: page(first, of: before))
        try write(world, "index-1.db", mixed)
        for damaged in [[UInt8](), [UInt8](repeating: 0, count: map.count)] {
            try write(world, "index-1.map", damaged)
            #expect(try decrypt(world).code == 13)
        }
    }

    @Test func J04anOlderHeaderOpensNothing() throws {
        let world = try VaultWorld()
        _ = try world.new("zebra")
        let old = try bytes(world, "header")
        try world.write("other-password", "another password for the zebra")
        try world.require(
            world.vault(
                "passwd", "--password-file", world.passwordFile, "--new-password-file", world.path("other-password"),
                "--kdf-target", "0"))
        try world.require(world.vault("lock"))
        let new = try bytes(world, "header")
        try #require(old != new)
        // One old copy beside the new one: its password is no more.
        try write(world, "header.2", old)
        #expect(try decrypt(world).code == 4)
        #expect(try decrypt(world, world.path("other-password")).code == 0)
        try write(world, "header", old)
        let refused = try decrypt(world)
        #expect(refused.code == 13 && refused.err.contains("the header is older"))
    }
}
