// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Several devices of one vault: copies of one folder, each under an identity of its own, that tell each other what
/// they did.
final class DeviceSet {
    let vaults: [TestVault]
    private(set) var stores: [OpenVault]
    /// How far each has told its own entries to each other one.
    private var told: [[UInt64]]

    /// - Parameter common: what all begin with.
    init(_ count: Int = 2, _ common: (OpenVault) throws -> Void = { _ in }) throws {
        let first = try TestVault()
        var store = try first.open()
        try common(store)
        try store.end()
        var vaults = [first]
        for _ in 1..<count {
            let copy = try TestVault(copying: first)
            try Self.rename(copy)
            vaults.append(copy)
        }
        self.vaults = vaults
        stores = []
        for vault in vaults { stores.append(try vault.open()) }
        store = stores[0]
        told = Array(repeating: [], count: count)
        let begin = try stores.map { try $0.read { try IndexState.fetch($0.database).sequence } }
        for number in 0..<count { told[number] = Array(repeating: number == 0 ? begin[0] : 0, count: count) }
    }

    /// Makes devices that begin with one note.
    static func sharing(
        _ body: String = "hidden zebra", among count: Int = 2
    ) throws -> (set: DeviceSet, note: NoteID) {
        var note: NoteID?
        let set = try DeviceSet(count) { note = try $0.notes.create(NoteDraft(body: body)).id }
        return (set, try #require(note))
    }

    /// Gives a copy an identity of its own: it keeps the entries that are there, as those of another device.
    private static func rename(_ vault: TestVault) throws {
        let store = try vault.open()
        try store.devices.becomeAnother()
        try store.end()
    }

    subscript(number: Int) -> OpenVault { stores[number] }

    /// What a device has to tell since it told last.
    func news(of sender: Int, to receiver: Int, byteCountMax: Int = 7 << 20) throws -> [[UInt8]] {
        _ = try stores[sender].devices.prepare()
        var bodies: [[UInt8]] = []
        while true {
            let part = try stores[sender].devices.told(after: told[sender][receiver], byteCountMax: byteCountMax)
            bodies += part.bodies
            told[sender][receiver] = part.through
            if part.isAll { return bodies }
        }
    }

    /// One tells another what it did.
    @discardableResult
    func tell(_ sender: Int, _ receiver: Int) throws -> AppliedEntries {
        try stores[receiver].devices.apply(news(of: sender, to: receiver))
    }

    /// Everybody tells everybody, until there is nothing to tell.
    func exchange() throws {
        for _ in 0..<3 {
            for sender in stores.indices {
                for receiver in stores.indices where receiver != sender { try tell(sender, receiver) }
            }
        }
    }

    /// All have the same heads in the same order, show the same texts, and are whole.
    func expectAlike(_ notes: [NoteID], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for note in notes {
            let heads = try stores.map { try $0.read { try $0.heads(of: note) } }
            #expect(Set(heads).count == 1, "heads of \(note.text)", sourceLocation: sourceLocation)
            let shown = try stores.map { store in
                try store.read { try $0.isPresent(note) } ? try store.versions(note) : []
            }
            #expect(Set(shown).count == 1, "\(shown)", sourceLocation: sourceLocation)
        }
        for store in stores {
            let report = try VaultCoreTests.check(store)
            #expect(report.problems.isEmpty, "\(report.problems)", sourceLocation: sourceLocation)
        }
    }

    func end() throws { for store in stores { try store.end() } }
}
