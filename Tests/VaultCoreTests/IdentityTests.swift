// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

@testable import VaultCore

/// Vaults with a remote that were copied, or set back to an older state: they go on as another device, and what the
/// device of before had not told is told by the next one.
struct IdentityTests {
    private let vault: TestVault
    private let first: DeviceID
    private let told: NoteID

    /// A vault that has told one note, and another one that is not told yet.
    init() throws {
        vault = try TestVault()
        let store = try vault.open()
        told = try store.notes.create(NoteDraft(body: "told")).id
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        try store.remotes.record(RemoteState("home", [1], sentThrough: store.remotes.tellNew(over: "home")))
        _ = try store.notes.create(NoteDraft(body: "not told"))
        first = try store.devices.own
        try store.end()
    }

    private func expectAnother(_ store: OpenVault, than device: DeviceID) throws {
        #expect(try store.devices.own != device)
        #expect(try store.remotes.stored().map(\.isRestored) == [true])
        _ = try store.remotes.tellNew(over: "home")
        let untold = try store.remotes.toTell(over: "home", after: 1)
        #expect(untold.contains { $0.entry.device == device.bytes && $0.entry.noteID != told })
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aVaultThatIsOpenedAgainIsTheSameDevice() throws {
        for _ in 0..<2 {
            let store = try vault.open()
            #expect(try store.devices.own == first)
            #expect(try store.remotes.stored().map(\.isRestored) == [false])
            try store.end()
        }
    }

    @Test func aCopyThatAnotherAccountOpensIsAnotherDevice() throws {
        let copy = try TestVault(copying: vault)
        var store = try copy.open()
        try expectAnother(store, than: first)
        let second = try store.devices.own
        try store.end()
        store = try copy.open()
        #expect(try store.devices.own == second)
        try store.end()
    }

    /// As on a stick that goes from one machine to another and back.
    @Test func aVaultThatWasAnotherDeviceMeanwhileComesBack() throws {
        let copy = try TestVault(copying: vault)
        var store = try copy.open()
        let note = try store.notes.create(NoteDraft(body: "written there")).id
        let second = try store.devices.own
        try store.end()
        try vault.putBack(copy)
        store = try vault.open()
        #expect(try store.devices.own != first && store.devices.own != second)
        #expect(try store.body(note) == "written there" && check(store).problems.isEmpty)
        try store.end()
    }

    @Test func anOlderStateThatWasAcceptedIsAnotherDevice() throws {
        let earlier = try TestVault(copying: vault)
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "later"))
        try store.end()
        try vault.putBack(earlier)
        expect(.rollback) { try vault.open() }
        store = try vault.open(acceptRollback: true)
        try expectAnother(store, than: first)
        try store.end()
    }

    /// The state that was accepted is written before the new identity is.
    @Test func aCrashBeforeTheNewIdentityIsWrittenChangesNothingOfThat() throws {
        let identity = try vault.probe().identity
        vault.pins.disown(identity)
        let store = try vault.open()
        try expectAnother(store, than: first)
        try store.end()
    }

    @Test func whereNothingCanBeRememberedADeviceStaysWhatItIs() throws {
        let copy = try TestVault(copying: vault)
        let store = try OpenVault(
            VaultProbe(path: copy.path, pins: .none), .recoveryKey(secret(TestVault.recoveryKey)))
        #expect(try store.devices.own == first)
        try store.end()
    }

    @Test func aVaultWithoutRemotesStaysWhatItIsUntilItGetsOne() throws {
        let plain = try TestVault()
        var store = try plain.open()
        _ = try store.notes.create(NoteDraft(body: "text"))
        let device = try store.devices.own
        try store.end()
        let copy = try TestVault(copying: plain)
        store = try copy.open()
        #expect(try store.devices.own == device)
        // The other one may have told of itself, or may do so.
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        #expect(try store.devices.own != device)
        try store.end()
        store = try plain.open()
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        #expect(try store.devices.own == device)
        try store.end()
    }

    @Test func anOlderStateThatWasAcceptedBeforeThereIsARemoteIsAnotherDeviceOverIt() throws {
        let plain = try TestVault()
        var store = try plain.open()
        _ = try store.notes.create(NoteDraft(body: "text"))
        let device = try store.devices.own
        try store.end()
        let earlier = try TestVault(copying: plain)
        store = try plain.open()
        _ = try store.notes.create(NoteDraft(body: "later"))
        try store.end()
        try plain.putBack(earlier)
        try plain.open(acceptRollback: true).end()
        store = try plain.open()
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        #expect(try store.devices.own != device)
        try store.end()
    }

    /// The remote was removed on the other machine, so nothing makes this one another device when it comes back.
    @Test func aVaultThatIsAnotherDeviceSinceIsNotCalledAnotherHistory() throws {
        let copy = try TestVault(copying: vault)
        var store = try copy.open()
        try store.remotes.forget("home")
        _ = try store.notes.create(NoteDraft(body: "written there"))
        let second = try store.devices.own
        try store.end()
        try vault.putBack(copy)
        for _ in 0..<2 {
            store = try vault.open()
            #expect(try store.devices.own == second)
            try store.end()
        }
    }

    /// A copy that went another way is refused also right after the vault became another device.
    @Test func anotherHistoryIsRefusedAfterTheNewIdentity() throws {
        let branch = try TestVault(copying: vault)
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "here"))
        try store.end()
        vault.pins.disown(try vault.probe().identity)
        store = try vault.open()
        #expect(try store.devices.own != first)
        try store.end()
        // As new as this one, by its generation.
        store = try branch.open()
        for number in 0..<20 { _ = try store.notes.create(NoteDraft(body: "there \(number)")) }
        try store.end()
        try vault.putBack(branch)
        expect(.otherHistory) { try vault.open() }
    }

    @Test func anOlderStateThatWasAcceptedIsAnotherDeviceAlsoWhereNothingCanBeRemembered() throws {
        let earlier = try TestVault(copying: vault)
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "later"))
        try store.end()
        try vault.putBack(earlier)
        store = try OpenVault(
            VaultProbe(path: vault.path, pins: vault.pins.readingOnly, acceptRollback: true),
            .recoveryKey(secret(TestVault.recoveryKey)))
        try expectAnother(store, than: first)
        try store.end()
    }
}
