// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// What is kept of the work with remotes beside what is told: lines of a log, and what a remote is called.
struct SyncLogTests {
    @Test func theLastThousandLinesAreKept() throws {
        let vault = try TestVault()
        let store = try vault.open()
        for start in stride(from: 0, to: 1010, by: 101) {
            try store.syncLog.add((start..<start + 101).map { SyncLine(.sent, over: "home", count: $0) })
        }
        let lines = try store.syncLog.lines()
        #expect(lines.count == 1000 && lines.first?.count == 10 && lines.last?.count == 1009)
        #expect(lines.allSatisfy { $0.remote == "home" && $0.kind == .sent && $0.made > 0 })
        // A kind of a newer program is passed over.
        try store.write { try $0.database.execute(sql: "UPDATE syncLog SET kind = 99 WHERE count = 1009") }
        #expect(try store.syncLog.lines().count == 999)
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func aRemoteThatIsRenamedGoesOnWhereItWas() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "a note"))
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: [2]))
        _ = try store.remotes.tellNew(over: "home")
        let told = try store.remotes.toTell(over: "home", after: 0)
        try store.remotes.change("home", name: "nas", settings: [3])
        #expect(try store.remotes.toTell(over: "nas", after: 0) == told && !told.isEmpty)
        #expect(try store.remotes.toTell(over: "home", after: 0).isEmpty)
        let row = try #require(try store.remotes.stored().first)
        #expect(row.name == "nas" && row.settings == [3])
        #expect(try unsafe store.remotes.credential(of: "nas").withUnsafeBytes { unsafe Array($0) } == [2])
        _ = try store.remotes.add(RemoteEntry(name: "other", settings: [1], credentials: []))
        expect(.exists) { try store.remotes.change("other", name: "nas") }
        expect(.empty) { try store.remotes.change("other", name: "") }
        #expect(try store.remotes.stored().map(\.name).sorted() == ["nas", "other"])
        try store.end()
    }
}
