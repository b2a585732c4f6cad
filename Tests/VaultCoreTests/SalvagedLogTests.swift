// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A salvage without the log that had the last changes never calls itself whole.
struct SalvagedLogTests {
    /// A vault whose power was cut, with a note in the log alone.
    private func crashed(_ salvaging: Salvaging, vouchedFor: Bool) throws -> TestVault {
        let store = try salvaging.full.vault.open()
        _ = try store.notes.create(NoteDraft(body: "only in the log"))
        if vouchedFor { try store.recordProgress() }
        let crashed = try TestVault(copying: salvaging.full.vault, sharingPins: true)
        try store.end()
        return crashed
    }

    private func damage(_ vault: TestVault, _ damage: String) throws {
        switch damage {
        case "header": try vault.change("index-1.db-wal") { for at in 0..<72 { $0[at] ^= 0x55 } }
        case "sector":
            try vault.change("index-1.db-wal") { $0.replaceSubrange(0..<512, with: repeatElement(0, count: 512)) }
        case "all of it": try vault.change("index-1.db-wal") { for at in $0.indices { $0[at] ^= 0x55 } }
        case "gone": try vault.remove("index-1.db-wal")
        case "gone with its manifests": try vault.remove("index-1.db-wal", "manifest", "manifest.2")
        default: try vault.remove("manifest", "manifest.2")
        }
    }

    private static let damages = ["all of it", "gone", "gone with its manifests", "manifests"]

    @Test(arguments: damages, [false, true])
    func aLostLogIsTold(_ kind: String, _ vouchedFor: Bool) throws {
        let salvaging = try Salvaging()
        let vault = try crashed(salvaging, vouchedFor: vouchedFor)
        try damage(vault, kind)
        let report = try salvaging.salvage(vault)
        #expect(!report.isWhole && !report.knowsEnd && report.logIsLost, "\(report)")
        #expect(try salvaging.take().notes == salvaging.before.notes)
    }

    /// Each frame opens by itself: a bad sector under the log's header costs no note that the log holds.
    @Test(arguments: ["header", "sector"]) func aLogWithoutItsBeginningGivesTheNotesThatItHolds(_ kind: String)
        throws
    {
        let salvaging = try Salvaging()
        let vault = try crashed(salvaging, vouchedFor: true)
        try damage(vault, kind)
        #expect(throws: VaultError.self) { try vault.open() }
        #expect(try !salvaging.salvage(vault).logIsLost)
        let salvaged = try salvaging.take().notes
        #expect(salvaged.values.contains(["only in the log"]) && salvaged.count == salvaging.before.notes.count + 1)
        let (_, store) = try vault.repair()
        let bodies = try store.notes.list(NoteFilter(), offset: 0, limit: 100).map { try? store.notes.note($0.id).body }
        #expect(bodies.contains("only in the log"))
        try store.end()
    }

    /// An older index under a newer manifest is not whole, and neither is a log that was cut where a commit ended.
    @Test func whatIsOlderThanItsManifestIsNotWhole() throws {
        let salvaging = try Salvaging()
        let vault = try crashed(salvaging, vouchedFor: true)
        try vault.change("index-1.db-wal") { $0 = [] }
        let report = try salvaging.salvage(vault)
        #expect(!report.isWhole && !report.knowsEnd && report.logIsLost)
        try FileManager.default.removeItem(atPath: salvaging.target)
        let older = try TestVault(copying: salvaging.full.vault, sharingPins: true)
        let store = try salvaging.full.vault.open()
        _ = try store.notes.create(NoteDraft(body: "later"))
        try store.end()
        for name in ManifestFile.names {
            let newer = try salvaging.full.vault.bytes(name)
            try older.change(name) { $0 = newer }
        }
        let other = try salvaging.salvage(older)
        #expect(!other.isWhole && !other.knowsEnd && !other.logIsLost)
    }

    @Test func aClosedVaultNeedsNoLog() throws {
        let salvaging = try Salvaging()
        try? salvaging.full.vault.remove("index-1.db-wal")
        #expect(try salvaging.salvage(salvaging.full.vault).isWhole)
    }
}
