// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SyncProtocol
import Testing
import VaultTesting

/// A folder that others write in too: a sync program, another device, somebody hostile.
struct FolderStoreTests {
    private let folder = TemporaryFolder()
    private static let vaultFolder = "notevault-1/a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"

    private func remote() throws -> Remote {
        var order = StartOrder(vault: StoreWorld.vault, settings: .folder)
        order.createsVaultFolder = true
        return try Remote(order, folder: folder.url)
    }

    private func place(_ name: StoreName) -> String {
        ([Self.vaultFolder] + name.folder.parts + [name.text]).joined(separator: "/")
    }

    private func names() -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).sorted()
    }

    @Test func filesLieWhereTheFormatSaysAndAreTheOwnersAlone() throws {
        let name = Names.name(.segment, 1)
        #expect(try remote().put(name, [1, 2, 3]).value == 0)
        let parts = name.folder.parts
        let shard = "\(Self.vaultFolder)/s/\(parts[1])"
        #expect(names() == ["notevault-1", Self.vaultFolder, "\(Self.vaultFolder)/s", shard, "\(shard)/\(name.text)"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(place(name)).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// A link anywhere in the path is not followed; what it points to stays as it was, and Landlock would stop it too.
    @Test(arguments: 0..<4) func H03LinksAreNotFollowed(depth: Int) throws {
        let outside = TemporaryFolder()
        let name = Names.name(.segment, 2)
        let parts = place(name).split(separator: "/").map(String.init)
        // The vault's folder, the area's, the shard's, the file itself.
        let link = parts[...(depth + 1)].joined(separator: "/")
        folder.make(parts[...depth].joined(separator: "/"))
        let target = outside.file("target")
        if depth == 3 { outside.write([9], to: "target") } else { outside.make("target") }
        folder.link(link, to: target.path)
        let remote = try remote()
        #expect(try remote.get(name).failure != nil)
        if depth < 3 {
            #expect(try remote.put(name, [1]).failure?.code == .malformed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
        } else {
            // Under the file's own name the link itself is replaced.
            #expect(try remote.put(name, [1]).value == 0)
            #expect(try Data(contentsOf: target) == Data([9]))
            #expect(try remote.get(name).value == [1])
        }
    }

    @Test func H04WhatIsNoFileIsNotRead() throws {
        let (pipe, directory) = (Names.name(.card, 1), Names.name(.card, 2))
        folder.make("\(Self.vaultFolder)/d/\(directory.text)")
        #expect(unsafe mkfifo(folder.file(place(pipe)).path, 0o600) == 0)
        let remote = try remote()
        #expect(try remote.get(pipe, seconds: 5).failure?.code == .malformed)
        #expect(try remote.get(directory).failure != nil)
        #expect(try remote.put(directory, [1]).failure != nil)
    }

    @Test func namesOfOthersAreNotListedAndWhatWasLeftLongAgoGoes() throws {
        let (ours, old, new) = (
            Names.name(.card, 3), ".notevault-0123456789abcdef.tmp", ".notevault-fedcba9876543210.tmp"
        )
        let base = "\(Self.vaultFolder)/d/"
        folder.make(base)
        for name in [
            ours.text, old, new, ours.text.uppercased(), ours.text + ".sync-conflict", ".syncthing.x.tmp",
            ".notevault-x.tmp",
        ] {
            folder.write([1], to: base + name)
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date.now.addingTimeInterval(-100_000)], ofItemAtPath: folder.file(base + old).path)
        let remote = try remote()
        #expect(try remote.list(#require(StoreFolder(.card))).value == [ours])
        let left = names()
        #expect(!left.contains(base + old) && left.contains(base + new) && left.contains(base + ".notevault-x.tmp"))
        #expect(left.count == 2 + 1 + 6)
    }

    /// Killed at any moment, a put leaves nothing under its name or all of it.
    @Test func X63AnUnfinishedPutIsNotThere() throws {
        let content = [UInt8](repeating: 5, count: 38 << 20)
        let digest = [UInt8](repeating: 0, count: 32)
        var whole = 0
        for number in 0..<12 {
            let name = Names.name(.segment, 100 + number)
            do {
                let remote = try remote()
                let file = MemoryFile(content)
                _ = try remote.process.put(name, from: file.descriptor, byteCount: content.count, digest: digest)
                usleep(useconds_t(number * 3000))
            }
            guard let data = try? Data(contentsOf: folder.file(place(name))) else { continue }
            #expect(data.count == content.count)
            whole += 1
        }
        #expect(whole < 12)
    }

    @Test(.enabled(if: geteuid() == 0, "mounts a small disk")) func aFullDiskIsToldAsAQuotaAndLeavesNothing() throws {
        let disk = folder.file("disk")
        folder.make("disk")
        try #require(unsafe mount("none", disk.path, "tmpfs", 0, "size=2m") == 0)
        defer { _ = unsafe umount2(disk.path, Int32(MNT_DETACH)) }
        var order = StartOrder(vault: StoreWorld.vault, settings: .folder)
        order.createsVaultFolder = true
        let remote = try Remote(order, folder: disk)
        let name = Names.name(.segment, 3)
        #expect(try remote.put(name, [UInt8](repeating: 1, count: 4 << 20)).failure?.code == .quota)
        #expect(!names().contains { $0.hasSuffix(".tmp") || $0.hasSuffix(name.text) })
        #expect(try remote.put(name, [1]).value == 0)
    }

    @Test func aFileOfAnotherDeviceIsTold() throws {
        let (remote, other) = (try remote(), try remote())
        #expect(try other.put(Names.name(.segment, 4), [1]).value == 0)
        #expect(try remote.watch().value == 0)
        // Its own are no news.
        #expect(try remote.put(Names.name(.segment, 5), [1]).value == 0)
        #expect(throws: Remote.Silent.self) { try remote.next(0.5) }
        // A new shard, then a file in it that is watched by now; each is told once until something is asked.
        for number in [6, 7, 6] {
            #expect(try other.put(Names.name(.segment, number), [1]).value == 0)
            #expect(try remote.next(5) == .changed)
            #expect(try other.put(Names.name(.segment, number), [1]).value == 0)
            #expect(throws: Remote.Silent.self) { try remote.next(0.3) }
            _ = try remote.get(Names.name(.segment, number))
        }
    }
}
