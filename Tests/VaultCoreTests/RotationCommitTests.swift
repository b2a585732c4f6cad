// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// The moment between a rotation's header and its manifest.
struct RotationCommitTests {
    private let fixture: RotatingVault
    private var vault: TestVault { fixture.vault }

    init() throws { fixture = try RotatingVault() }

    /// From the moment when the header is there it counts, whatever becomes of the manifest's last name.
    @Test func D01aCommitStandsBeforeItsManifestHasItsName() throws {
        let store = try vault.open()
        let before = try fixture.contents(store)
        // The disk refuses the file that comes after the header: what is left is what a crash between the two leaves.
        let blocker = vault.folder.appending(path: "manifest.new")
        try FileManager.default.createDirectory(at: blocker.appending(path: "full"), withIntermediateDirectories: true)
        try RotatingVault.begin(store)
        #expect(store.isReadOnly && store.header.epoch == 2)
        try FileManager.default.removeItem(at: blocker)
        let crashed = try TestVault(copying: vault, sharingPins: true)
        let opened = try crashed.openAsCopy(key: RotatingVault.nextKey)
        #expect(try fixture.contents(opened) == before)
        try RotatingVault.finish(opened)
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
        withExtendedLifetime(crashed) {}
    }
}
