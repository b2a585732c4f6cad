// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What a device keeps of what it has said, where it says it, and as whom.
struct OutboxTests {
    private func object(_ store: OpenVault, _ number: UInt64, _ text: String) throws -> SealedRemoteObject {
        let sealer = try store.segmentSealer()
        var segment = RemoteSegment(
            previous: number == 1 ? RemoteSegment.firstPrevious : [UInt8](repeating: 5, count: 32), made: 1,
            header: try RemoteHeaders.stamp(of: store.header))
        segment.entries = [Array(text.utf8)]
        return try sealer.seal(
            segment,
            at: RemotePlace(kind: .segment, epoch: store.header.epoch, device: store.devices.own, number: number))
    }

    @Test func whatWasSealedIsKeptByteForByte() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let (one, two) = (try object(store, 1, "one"), try object(store, 2, "two"))
        try store.outbox.keep(one, through: 3)
        try store.outbox.keep(two)
        try store.outbox.keep(one)
        expect(.integrity, "another content under one number") {
            try store.outbox.keep(object(store, 1, "another"))
        }
        try store.end()
        store = try vault.open()
        #expect(try store.outbox.bytes(of: one.name) == one.bytes && store.outbox.unsent() == [one.name, two.name])
        try store.outbox.acknowledge(one.name)
        #expect(try store.outbox.unsent() == [two.name] && store.outbox.bytes(of: one.name) == one.bytes)
        #expect(try check(store).foreign.isEmpty)
        try vault.change("outbox/" + two.name.hex) { $0[100] ^= 1 }
        expect(.integrity) { try store.outbox.bytes(of: two.name) }
        try store.outbox.remove(two.name)
        #expect(try store.outbox.bytes(of: two.name) == nil)
        // What a crash has left goes; what a row names stays.
        try Data([1]).write(to: vault.folder.appending(path: "outbox/" + two.name.hex))
        try store.outbox.sweep()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: vault.folder.appending(path: "outbox").path)
                == [one.name.hex])
        try store.end()
    }

    @Test func remotesGoWithTheVaultAndNotWithItsArchive() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "text"))
        let home = RemoteEntry(name: "home", settings: Array("folder /x".utf8), credentials: Array("token".utf8))
        #expect(try store.remotes.add(home).settings == home.settings)
        expect(.exists) { try store.remotes.add(home) }
        try store.devices.apply([], state: RemoteState("home", [1, 2, 3], sentThrough: 0))
        func expectHome() throws {
            #expect(try store.remotes.stored().map(\.name) == ["home"])
            #expect(try store.remotes.stored()[0].state == [1, 2, 3])
            #expect(try exposed(store.remotes.credential(of: "home")) == home.credentials)
        }
        try expectHome()
        try RotatingVault.begin(store)
        try RotatingVault.finish(store)
        try expectHome()
        let place = try BackupPlace()
        let archive = try ArchiveFile(store, pins: PinStore(folder: place.folder.path + "/pins"))
        try archive.restore()
        let restored = try archive.open()
        #expect(try restored.remotes.stored().isEmpty)
        try restored.end()
        try store.remotes.forget("home")
        #expect(try store.remotes.stored().isEmpty)
        try store.end()
    }

    @Test func anotherLifeIsAnotherDevice() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "of the first life")).id
        let first = try store.devices.own
        let second = try store.devices.becomeAnother()
        #expect(try first != second && store.devices.own == second)
        _ = try store.notes.edit(note) { $0.body += "\nof the second" }
        #expect(try store.read { try $0.entries(of: note).map(\.device) }.count == 2)
        #expect(try store.devices.told(after: 0).bodies.count == 1, "only what this device said")
        #expect(try check(store).problems.isEmpty)
        try store.end()
        store = try vault.open()
        #expect(try store.devices.own == second && !store.chain.isDamaged)
        #expect(try store.body(note) == "of the first life\nof the second")
        // What is undone is what this device did.
        #expect(try store.history.undo(limit: 10)?.notes == [note])
        #expect(try store.body(note) == "of the first life" && store.history.undo(limit: 10) == nil)
        try store.end()
    }
}
