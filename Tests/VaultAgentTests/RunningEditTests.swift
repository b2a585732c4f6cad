// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAgent
@testable import VaultCore

/// How long an edit that nobody goes on with holds the vault open.
struct RunningEditTests {
    private let vault: TemporaryVault

    init() throws { vault = try TemporaryVault() }

    @Test func anEditOfAPageHoldsTheVaultOpenForTenMinutesAfterItsLastChange() throws {
        let registry = EditRegistry()
        let page = RunningEdit(try vault.store.drafts.begin(DraftStart()), .edit, note: nil, hasFolder: false)
        registry.began(page)
        let begun = BootClock.seconds
        #expect(registry.holdsOpen(now: begun + 590) && !registry.holdsOpen(now: begun + 601))
        try page.save(Array("typed".utf8))
        let changed = BootClock.seconds
        #expect(registry.holdsOpen(now: changed + 599))
        #expect(!registry.holdsOpen(now: changed + 601))
    }

    @Test func anEditorHoldsItOpenAsLongAsItIsOpen() throws {
        let registry = EditRegistry()
        let editor = RunningEdit(try vault.store.drafts.begin(DraftStart()), .edit, note: nil, hasFolder: true)
        registry.began(editor)
        #expect(registry.holdsOpen(now: BootClock.seconds + 100_000))
        registry.ended(editor)
        #expect(!registry.holdsOpen(now: BootClock.seconds))
    }
}
