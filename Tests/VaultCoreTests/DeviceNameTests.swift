// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// What devices say of themselves: names travel, the last one counts everywhere, and they outlast what becomes of a
/// vault.
struct DeviceNameTests {
    private let chains: [DeviceID]

    init() throws { chains = try (1...3).map { try DeviceID([UInt8](repeating: $0, count: 16)) } }

    private func introduced() throws -> DeviceSet {
        let set = try DeviceSet { _ = try $0.notes.create(NoteDraft(body: "a note")) }
        for number in 0..<2 { try set[number].devices.introduce(speakingAs: chains[number]) }
        return set
    }

    /// Names by the chain that they are of.
    private func names(_ store: OpenVault) throws -> [DeviceID: String] {
        try store.devices.known().reduce(into: [:]) { names, device in
            for chain in device.chains { names[chain] = device.name }
        }
    }

    @Test func allHearWhatADeviceIsCalled() throws {
        let set = try introduced()
        let host = try #require(ThisMachine.hostName)
        let notes = try set[0].history.changes(after: 0, limit: 100).notes
        try set.exchange()
        #expect(try names(set[0]) == [chains[0]: host, chains[1]: host] && names(set[1]) == names(set[0]))
        #expect(try set[0].devices.known().first?.device == set[0].devices.own)
        #expect(try set[1].devices.known().first { $0.chains == [chains[0]] }?.system == ThisMachine.system)
        // It is said once, and is a change of no note.
        let entries = try set[0].history.entryCount()
        try set[0].devices.introduce(speakingAs: chains[0])
        #expect(try set[0].history.entryCount() == entries)
        #expect(try set[0].history.changes(after: 0, limit: 100).notes == notes)
        #expect(try set.tell(1, 0).entryCount == 0)
        try set.expectAlike(notes)
    }

    @Test func theLastNameCountsOnAllDevices() throws {
        let set = try introduced()
        try set.exchange()
        try set[0].devices.rename(set[0].devices.own, to: "desk")
        // Another one may name it too, and both at once end with one of the two.
        try set[1].devices.rename(set[1].devices.own, to: "lap")
        try set.exchange()
        #expect(try names(set[1]) == [chains[0]: "desk", chains[1]: "lap"])
        for number in 0..<2 { try set[number].devices.rename(set[0].devices.own, to: "name \(number)") }
        try set.exchange()
        #expect(try names(set[0]) == names(set[1]) && names(set[0])[chains[0]]?.hasPrefix("name") == true)
        // A name under which it speaks stays its own, whoever renamed it meanwhile.
        try set[0].devices.introduce(speakingAs: chains[2])
        try set.exchange()
        #expect(try Set(names(set[1]).keys) == Set(chains) && names(set[0]) == names(set[1]))
        try set.expectAlike([])
    }

    @Test func aNameThatWasNotToldIsReplacedAllTheSame() throws {
        let set = try introduced()
        try set.exchange()
        for name in ["one", "two", "three"] { try set[0].devices.rename(set[0].devices.own, to: name) }
        try set.exchange()
        #expect(try names(set[1])[chains[0]] == "three")
    }

    @Test func A02aStatementUnderAnotherNameCountsNowhere() throws {
        let set = try introduced()
        let statement = EntryStatement.device(
            DeviceStatement(device: try set[0].devices.own, name: "forged", system: "", chains: []))
        let known = try set[0].history.entryCount()
        var body = EntryBody(
            entry: Entry(
                device: chains[2].bytes, sequence: 1, operation: .statement, noteID: .none,
                revisionID: try RevisionID([UInt8](repeating: 0xFF, count: 16)), parents: [],
                previous: Entry.firstPrevious))
        body.statement = statement
        try set[0].devices.apply([body.encoded])
        #expect(try !names(set[0]).values.contains("forged") && set[0].history.entryCount() == known)
        #expect(try check(set[0]).problems.isEmpty)
    }

    @Test func keyslotsOfOthersAreKeptAndPassedOn() throws {
        let set = try DeviceSet(3)
        let removed = EntryStatement.keyslotRemoved(epoch: 1, slotID: [UInt8](repeating: 9, count: 16))
        let name = try set[0].write { try $0.say(removed, replacing: []) }
        try set.tell(0, 1)
        // The third one hears of it from the second, which tells all that it has.
        try set[1].devices.tellEverything { bodies throws(VaultError) in try set[2].devices.apply(bodies) }
        for number in 0..<3 { #expect(try set[number].read { try $0.statement(named: name) } == removed) }
        #expect(try set[2].read { try $0.statements(.keyslotRemoved).map(\.isReplaced) } == [false])
        try set.expectAlike([])
    }

    @Test func aDeviceThatGoesOnSaysFromWhich() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "a note"))
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        try store.devices.introduce(speakingAs: chains[0])
        let before = try store.devices.own
        try store.devices.rename(before, to: "desk")
        try store.devices.becomeAnother()
        let known = try store.devices.known()
        #expect(try known.first?.device == store.devices.own && known.first?.origin == before)
        #expect(known.map(\.name) == ["desk", "desk"])
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func namesOutlastARepairARotationAndABackup() throws {
        let set = try introduced()
        try set.exchange()
        let before = try names(set[1])
        try RotatingVault.begin(set[1])
        try RotatingVault.finish(set[1])
        #expect(try names(set[1]) == before)
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(set[0]).name))
        let pins = PinStore(folder: place.folder.path + "/pins")
        try place.restore(name, pins: pins)
        let restored = try place.openRestored(pins: pins)
        #expect(try names(restored) == before)
        try restored.end()
        try set[0].end()
        try set.vaults[0].damage(page: 1)
        let (report, store) = try set.vaults[0].repair()
        #expect(report.isRebuilt && report.loss.isNone, "\(report)")
        #expect(try names(store) == before)
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func anArchiveHasTheHistoryWithoutTheNames() throws {
        let set = try introduced()
        try set.exchange()
        let place = try BackupPlace()
        let archive = try ArchiveFile(set[1], pins: PinStore(folder: place.folder.path + "/pins"))
        try archive.restore()
        let store = try archive.open()
        #expect(try names(store).isEmpty)
        #expect(try check(store).problems.isEmpty)
        // They come again with what others tell.
        try set[0].devices.tellEverything { bodies throws(VaultError) in try store.devices.apply(bodies) }
        #expect(try names(store) == names(set[0]))
        try store.end()
    }

    @Test func aRowThatNoEntryNamesIsFound() throws {
        let set = try introduced()
        try set[0].write { transaction in
            try transaction.database.execute(
                sql: "UPDATE statement SET name = ?", arguments: [Data([UInt8](repeating: 3, count: 16))])
        }
        #expect(try check(set[0]).problems.map(\.kind) == [.chain])
    }

    @Test func aVaultOfSchema7IsUpgraded() throws {
        let vault = try TestVault()
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "a note"))
        try store.write { transaction in
            for sql in [
                "DROP TABLE statement", "DROP TABLE heard", "DROP TABLE syncLog", "UPDATE state SET schema = 7",
            ] {
                try transaction.database.execute(sql: sql)
            }
        }
        try store.end()
        store = try vault.open()
        #expect(try store.read { try IndexState.fetch($0.database).schema } == 10)
        try store.devices.introduce(speakingAs: chains[0])
        #expect(try names(store).count == 1)
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }
}
