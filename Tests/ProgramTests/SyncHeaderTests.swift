// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Headers in a remote that a store, or whoever can write there, has made.
@Suite struct SyncHeaderTests {
    private func headers(_ devices: SyncedDevices) throws -> [URL] {
        let found = try #require(FileManager.default.enumerator(atPath: devices.folder)?.allObjects as? [String])
        return found.filter { $0.contains("/h/") }.map { URL(fileURLWithPath: devices.folder + "/" + $0) }
    }

    private func counter(_ file: URL) throws -> UInt64 {
        try #require(UInt64(file.lastPathComponent.split(separator: "-")[0]))
    }

    /// Nobody vouches for a header of an epoch that nobody is in any more: its key is gone. A number that is in it must
    /// not become this vault's.
    @Test func M13aForgedHeaderOfAnEpochBeforeIsRemovedAndRaisesNothing() throws {
        let devices = try SyncedDevices()
        let first = devices.first
        var bytes = try [UInt8](Data(contentsOf: try #require(try headers(devices).first)))
        try first.require(
            first.vault("rotate", "--kdf-target", "0", "--password-file", first.passwordFile))
        try first.require(first.vault("sync", "now"))
        _ = try devices.second.vault("sync", "now")
        try devices.second.require(
            devices.second.vault("sync", "follow", "--password-file", devices.second.passwordFile))
        try devices.sync()
        let before = try #require(try headers(devices).map(counter).max())
        for forged in [UInt64(1) << 61, 1 << 30] {
            for index in 0..<8 { bytes[30 + index] = UInt8(truncatingIfNeeded: forged >> (56 - 8 * UInt64(index))) }
            let file = try first.write("forged", String(decoding: bytes, as: UTF8.self))
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            let digest = String(try first.system("sha256sum", [file]).text.prefix(8))
            let digits = String(forged)
            let name = String(repeating: "0", count: 20 - digits.count) + digits + "-" + digest
            let folder = try #require(try headers(devices).first).deletingLastPathComponent()
            try Data(bytes).write(to: folder.appending(path: name))
        }
        // A change of a password has the remote looked through.
        try first.require(
            first.vault(
                "passwd", "--kdf-target", "0", "--password-file", first.passwordFile, "--new-password-file",
                first.write("new", "gravel lantern swift orchard")))
        try first.require(first.vault("sync", "now"))
        let left = try headers(devices).map(counter)
        #expect(left.allSatisfy { $0 <= before + 2 }, "\(left)")
        try first.require(first.vault("sync", "now"))
    }

    /// The header of before lies there until all devices have come over, and its password opens it.
    @Test func D03noCloneIsMadeOfAHeaderOfBefore() throws {
        let devices = try SyncedDevices()
        let first = devices.first
        try first.require(
            first.vault(
                "rotate", "--kdf-target", "0", "--new-password", "--password-file", first.passwordFile,
                "--new-password-file", first.write("new", "gravel lantern swift orchard")))
        try first.require(first.vault("sync", "now"))
        #expect(try headers(devices).count > 1)
        let late = try VaultWorld(prepared: false, unlocked: false)
        let refused = try late.vault("clone", devices.folder, "--password-file", late.passwordFile)
        #expect(refused.code != 0 && refused.err.contains("vault: hint: "), "\(refused.err)")
        #expect(!FileManager.default.fileExists(atPath: late.path("vault/header")))
        // On its owner's word it is made, and says at once that the key was changed.
        let made = try late.vault("--accept-rollback", "clone", devices.folder, "--password-file", late.passwordFile)
        #expect(made.code == 7 && made.err.contains("another device has changed the vault's key"), "\(made.err)")
        #expect(FileManager.default.fileExists(atPath: late.path("vault/header")))
    }

    /// What could not be removed is not forgotten: the next round tries again.
    @Test func D02aHeaderThatCannotBeRemovedIsTriedAgain() throws {
        let devices = try SyncedDevices()
        let first = devices.first
        let old = try #require(try headers(devices).first)
        let new = try first.write("new", "gravel lantern swift orchard")
        try first.require(
            first.vault(
                "passwd", "--kdf-target", "0", "--password-file", first.passwordFile, "--new-password-file", new))
        // In the place of the old header lies what no program can remove: a folder that is not empty.
        let kept = try Data(contentsOf: old)
        try FileManager.default.removeItem(at: old)
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: false)
        try kept.write(to: old.appending(path: "x"))
        _ = try first.vault("sync", "now")
        try FileManager.default.removeItem(at: old)
        try kept.write(to: old)
        try first.require(first.vault("sync", "now"))
        #expect(!FileManager.default.fileExists(atPath: old.path))
    }
}
