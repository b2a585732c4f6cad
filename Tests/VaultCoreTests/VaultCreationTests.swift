// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultTesting

@testable import VaultCore

struct VaultCreationTests {
    private func newPath() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "vault-new-\(UUID().uuidString)")
    }

    private func creation(_ folder: URL, withRecoveryKey: Bool = false) throws -> VaultCreation {
        try VaultCreation(
            path: Array(folder.path.utf8), password: secret([0x70]), cost: .recommended,
            withRecoveryKey: withRecoveryKey)
    }

    @Test func nothingIsOnDiskUntilItIsCommittedAndThenAllIsOursAlone() throws {
        let folder = newPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let creation = try creation(folder)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try creation.commit(pins: PinStore(folder: folder.path + "-pins"))
        defer { try? FileManager.default.removeItem(atPath: folder.path + "-pins") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let index = ["index-1.db", "index-1.db-wal", "index-1.map"]
        #expect(names == ["header", "header.2"] + index + ["lock", "manifest", "manifest.2"])
        #expect(try mode(folder.path) == 0o700)
        for name in names { #expect(try mode(folder.path + "/" + name) == 0o600, "H09: \(name)") }
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.deletingLastPathComponent().path)
        #expect(!beside.contains { $0.hasPrefix(folder.lastPathComponent + ".new") })
    }

    @Test func aVaultThatWasMadeOpensWithItsOwnKeysAndLaterWithItsPassword() throws {
        let place = TemporaryFolder()
        let pins = PinStore(folder: place.path + "/pins")
        let folder = URL(filePath: place.path + "/vault")
        let made = try creation(folder, withRecoveryKey: true).commit(pins: pins)
        let store = try made.open()
        #expect(store.openedKeyslot.duration == nil, "no key was derived, so no time was taken that could be told of")
        #expect(store.keyslots.oldCost == nil)
        #expect(store.openedKeyslot.slotID == store.header.keyslots.first { $0.kind == .password }?.slotID)
        expect(.busy, "it is as open as any other") { try made.open() }
        let note = try store.notes.create(NoteDraft(body: "kept")).id
        try store.close()
        let probe = try VaultProbe(path: Array(folder.path.utf8), pins: pins)
        let again = try OpenVault(probe, .password(secret([0x70])))
        #expect(try again.read { try $0.isPresent(note) })
        try again.close()
    }

    @Test func A11anotherVaultInItsPlaceDoesNotOpenWithTheKeysOfTheOneThatWasMade() throws {
        let place = TemporaryFolder()
        let pins = PinStore(folder: place.path + "/pins")
        let folder = URL(filePath: place.path + "/vault")
        let made = try creation(folder).commit(pins: pins)
        try FileManager.default.removeItem(at: folder)
        try creation(folder).commit(pins: PinStore(folder: place.path + "/others"))
        expect(.otherVault, "the account knows its own") { try made.open() }
        expect(.integrity, "and so do the keys") { try made.open(pins: PinStore(folder: place.path + "/none")) }
    }

    /// Whoever has changed the passwords meanwhile has not changed what its maker opens it with.
    @Test func A11aHeaderThatWasChangedMeanwhileDoesNotOpenWithoutACredential() throws {
        let place = TemporaryFolder()
        let pins = PinStore(folder: place.path + "/pins")
        let folder = URL(filePath: place.path + "/vault")
        let made = try creation(folder).commit(pins: pins)
        let probe = try VaultProbe(path: Array(folder.path.utf8), pins: pins)
        let other = try OpenVault(probe, .password(secret([0x70])))
        try other.changeHeader { _ in }
        try other.close()
        expect(.integrity) { try made.open() }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func whatIsThereAlreadyIsLeftAlone() throws {
        let file = newPath()
        try Data("mine".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        expect(.exists) { try creation(file) }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))

        let folder = newPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("mine".utf8).write(to: folder.appending(path: "letter"))
        expect(.exists) { try creation(folder) }
        #expect(try Data(contentsOf: folder.appending(path: "letter")) == Data("mine".utf8))

        let link = newPath()
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: newPath())
        defer { try? FileManager.default.removeItem(at: link) }
        expect(.exists, "H03: a link that points nowhere") { try creation(link) }
    }

    @Test func anEmptyDirectoryBecomesAVaultAndIsKeptWhenNothingIsCommitted() throws {
        let folder = newPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let creation = try creation(folder)
        #expect(FileManager.default.fileExists(atPath: folder.path))
        try creation.commit(pins: PinStore(folder: folder.path + "-pins"))
        try? FileManager.default.removeItem(atPath: folder.path + "-pins")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/header"))
    }

    @Test func D04theRecoveryKeyMustBeTypedBack() throws {
        let folder = newPath()
        let creation = try creation(folder, withRecoveryKey: true)
        let text =
            switch creation.recoveryText() {
            case .none: [UInt8]()
            case .some(let text): exposed(text)
            }
        #expect(text.count == 44)
        #expect(confirms(creation, text))
        #expect(
            confirms(creation, Array(String(decoding: text, as: UTF8.self).uppercased().replacing("-", with: " ").utf8))
        )
        #expect(!confirms(creation, Array(text.dropLast())))
        var slip = text
        slip[3] = slip[3] == 0x61 ? 0x62 : 0x61
        #expect(!confirms(creation, slip))
        #expect(!confirms(creation, []))
    }

    /// The checksum says so before any slot is tried; without it a slip would cost a try and look like a wrong key.
    @Test func D04aSlipIsNoRecoveryKey() throws {
        let text = try exposed(RecoveryKey.text(secret(TestVault.recoveryKey)))
        #expect(isRecoveryKey(text))
        for index in text.indices where text[index] != 0x2D {
            var slip = text
            slip[index] = slip[index] == 0x61 ? 0x62 : 0x61
            #expect(!isRecoveryKey(slip), "character \(index)")
        }
    }

    private func isRecoveryKey(_ typed: [UInt8]) -> Bool {
        switch RecoveryKey.parse(secret(typed)) {
        case .none: false
        case .some: true
        }
    }

    private func confirms(_ creation: VaultCreation, _ typed: [UInt8]) -> Bool {
        creation.isConfirmed(by: secret(typed))
    }

    @Test func D04aPasswordIsNoRecoveryKeyAndARecoveryKeyIsNoPassword() throws {
        let vault = try TestVault()
        expect(.wrongPassword, "20 bytes of password") {
            try OpenVault(vault.probe(), .recoveryKey(secret(Array("correct horse batter".utf8))))
        }
        expect(.wrongPassword) { try OpenVault(vault.probe(), .password(secret(TestVault.recoveryKey))) }
    }
}
