// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultFormat

@testable import VaultCore

/// Unlocking: what opens a vault, what it is refused for, and how little a refusal tells.
struct UnlockTests {
    @Test func thePasswordAndTheRecoveryKeyOpenTheSameVault() throws {
        let vault = try TestVault()
        let first = try vault.open(password: TestVault.password)
        let note = try first.notes.create(NoteDraft(body: "written under the password"))
        try first.end()
        let second = try vault.open()
        #expect(try second.notes.note(note.id).body == "written under the password")
        try second.end()
    }

    @Test func I06aWrongPasswordAndADamagedSlotLookAlike() throws {
        let vault = try TestVault()
        expect(.wrongPassword) { try vault.open(password: "wrong") }
        // The last bytes of both slots' wrapped keys: 39 + 165 and 39 + 330.
        try vault.changeBothHeaders { bytes in
            bytes[39 + 160] ^= 1
            bytes[39 + 165 + 160] ^= 1
        }
        expect(.wrongPassword) { try vault.open(password: TestVault.password) }
        expect(.wrongPassword) { try vault.open() }
    }

    @Test func lesson13afterASlotHasOpenedDamageIsCalledDamage() throws {
        for (names, at) in [(["index-1.db"], 100), (ManifestFile.names, 70), (["index-1.db"], 4096 + 100)] {
            let vault = try TestVault()
            for name in names { try vault.change(name) { $0[at] ^= 1 } }
            expect(.integrity, "\(names)") {
                let store = try vault.open()
                return try store.notes.list(NoteFilter(), offset: 0, limit: 10)
            }
        }
    }

    @Test func lesson02aSecondProgramIsRefusedAtOnce() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let begin = ContinuousClock.now
        expect(.busy) { try vault.open() }
        #expect(begin.duration(to: .now) < .seconds(2))
        try store.end()
    }

    @Test func aRefusedUnlockGivesTheVaultBack() throws {
        let vault = try TestVault()
        let probe = try vault.probe()
        expect(.wrongPassword) { try OpenVault(probe, .recoveryKey(secret([UInt8](repeating: 1, count: 20)))) }
        let store = try vault.open()
        try store.end()
        _ = probe
    }

    @Test func closingGivesTheVaultBack() throws {
        let vault = try TestVault()
        let store = try vault.open()
        try store.close()
        try vault.open().close()
        _ = store.header
    }

    @Test func H03aDirectoryThatOthersMayWriteInIsRefused() throws {
        let vault = try TestVault()
        for mode: mode_t in [0o720, 0o702, 0o777] {
            unsafe chmod(vault.folder.path, mode)
            expect(.notOurs) { try vault.probe() }
        }
        unsafe chmod(vault.folder.path, 0o755)
        _ = try vault.probe()
    }

    @Test func H03aLinkInTheVaultsPlaceIsRefused() throws {
        let vault = try TestVault()
        let link = vault.folder.path + "-link"
        unsafe symlink(vault.folder.path, link)
        defer { unsafe unlink(link) }
        expect(.notOurs) { try VaultProbe(path: Array(link.utf8), pins: vault.pins) }
        expect(.noVault) { try VaultProbe(path: Array((link + "-none").utf8), pins: vault.pins) }
    }

    @Test(arguments: ["header", "manifest", "manifest.2", "index-1.db", "index-1.db-wal", "lock"])
    func H03H04aLinkAHardLinkOrAPipeInAFilesPlaceIsNotFollowed(name: String) throws {
        for kind in ["link", "hard link", "pipe"] {
            let vault = try TestVault()
            let (path, moved) = (vault.folder.path + "/" + name, vault.folder.path + "-" + name)
            defer { unsafe unlink(moved) }
            unsafe rename(path, moved)
            switch kind {
            case "link": unsafe symlink(moved, path)
            case "hard link": unsafe link(moved, path)
            default: unsafe mkfifo(path, 0o600)
            }
            if name == "header" || name.hasPrefix("manifest") {
                // The other copy is enough, and this one is mended; the file outside stays what it was.
                let outside = kind == "pipe" ? [] : try Array(Data(contentsOf: URL(fileURLWithPath: moved)))
                try vault.open().end()
                if kind != "pipe" { #expect(try Array(Data(contentsOf: URL(fileURLWithPath: moved))) == outside) }
                #expect(try vault.bytes("header") == vault.bytes("header.2"))
                #expect(try vault.bytes("manifest") == vault.bytes("manifest.2"))
            } else {
                #expect(throws: VaultError.self, "\(kind) for \(name)") { try vault.open() }
            }
        }
    }

    @Test func aReadOnlyVaultOpensForReading() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "still to be read"))
        try store.end()
        // No file in the directory can be replaced any more; root would not be stopped by permissions.
        try FileManager.default.createDirectory(
            atPath: vault.folder.path + "/manifest.new", withIntermediateDirectories: false)
        try Data().write(to: vault.folder.appending(path: "manifest.new/kept"))
        let again = try vault.open()
        #expect(again.isReadOnly)
        #expect(try again.notes.note(note.id).body == "still to be read")
        #expect(try again.search.find("still", limit: 5, page: 1, snippetColumns: 60).hits.count == 1)
        expect(.readOnly) { try again.notes.create(NoteDraft(body: "no")) }
        expect(.readOnly) { try again.notes.setTrashed(note.id, true) }
        try again.end()
    }
}
