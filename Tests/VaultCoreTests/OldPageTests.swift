// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import SealedSQLite
@testable import VaultCore

/// ThreatModel J01, J02: parts of a vault's index put back as they were, each authentic by itself. No account's pin
/// helps.
struct OldPageTests {
    /// A closed vault with its files of before, and what it holds now.
    private final class States: @unchecked Sendable {
        let now: TestVault
        let before: TestVault
        let bodies: [NoteID: String]
        let changed: [Int]

        init(_ now: TestVault, before: TestVault, _ bodies: [NoteID: String], changed: [Int]) {
            (self.now, self.before, self.bodies, self.changed) = (now, before, bodies, changed)
        }
    }

    private static let shared = Result { try make() }

    private static func make() throws -> States {
        let vault = try TestVault()
        var store = try vault.open()
        var notes: [NoteID] = []
        for number in 0..<40 {
            var draft = NoteDraft(body: "first \(number) " + String(repeating: "word\(number) ", count: 200))
            draft.tags = ["tag\(number % 5)"]
            notes.append(try store.notes.create(draft).id)
        }
        try store.end()
        let before = try TestVault(copying: vault)
        store = try vault.open()
        for (number, note) in notes.enumerated() where number % 4 == 0 {
            _ = try store.notes.edit(note) {
                $0.body = "second \(number) " + String(repeating: "w\(number) ", count: 99)
            }
        }
        _ = try store.notes.setTrashed(notes[1], true)
        try store.end()
        store = try vault.open()
        _ = try store.notes.edit(notes[8]) { $0.body = "third" }
        try store.end()
        store = try vault.open()
        let bodies = try Dictionary(uniqueKeysWithValues: notes.map { ($0, try store.notes.note($0).body) })
        try store.end()
        let (old, new) = (try before.bytes("index-1.db"), try vault.bytes("index-1.db"))
        let changed = (1...old.count / 4096).filter { page in
            let range = (page - 1) * 4096..<page * 4096
            return old[range] != new[range]
        }
        return States(vault, before: before, bodies, changed: changed)
    }

    private let states: States
    init() throws { states = try Self.shared.get() }

    private func putBack(_ pages: [Int], in vault: TestVault) throws {
        let old = try states.before.bytes("index-1.db")
        let path = vault.folder.appending(path: "index-1.db").path
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64((page - 1) * 4096))
            try file.write(contentsOf: Data(old[(page - 1) * 4096..<page * 4096]))
        }
        try file.close()
    }

    /// Nothing is shown that is not as it was last; and something is refused.
    private func expectNothingOldIsShown(_ vault: TestVault, _ what: Comment) throws {
        var refusals = 0
        func reading(_ body: () throws -> Void) throws {
            do { try body() } catch let error as VaultError {
                #expect([.integrity, .noteDamaged, .revisionDamaged, .rollback].contains(error.code), what)
                refusals += 1
            }
        }
        try reading {
            let store = try vault.open()
            defer { try? store.close() }
            try reading {
                let listed = try store.notes.list(NoteFilter(), offset: 0, limit: 100)
                #expect(listed.count == 39, what)
            }
            for (note, body) in states.bodies {
                try reading {
                    let shown = try store.notes.note(note).body
                    #expect(shown == body, what)
                }
            }
            try reading {
                let problems = try check(store).problems
                #expect(problems.contains { $0.kind == .oldPage && $0.page != nil }, what)
                if !problems.isEmpty { refusals += 1 }
            }
        }
        #expect(refusals > 0, what)
    }

    @Test func J02eachOldPageAloneIsRefusedAndNamed() throws {
        try #require(states.changed.count > 10)
        for page in states.changed {
            let copy = try TestVault(copying: states.now)
            try putBack([page], in: copy)
            try expectNothingOldIsShown(copy, "page \(page)")
        }
    }

    @Test func J01anySetOfOldPagesIsRefused() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let some = states.changed.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
            guard !some.isEmpty else { continue }
            let copy = try TestVault(copying: states.now)
            try putBack(some, in: copy)
            try expectNothingOldIsShown(copy, "pages \(some)")
        }
        let copy = try TestVault(copying: states.now)
        try putBack(states.changed.filter { $0 != 2 }, in: copy)
        try expectNothingOldIsShown(copy, "all but page 2")
    }

    @Test func J01anOldMapAloneCostsNothingAndWithPagesHelpsNobody() throws {
        let old = try states.before.bytes("index-1.map")
        let alone = try TestVault(copying: states.now)
        try alone.change("index-1.map") { $0 = old }
        let store = try alone.open()
        for (note, body) in states.bodies { #expect(try store.notes.note(note).body == body) }
        #expect(try check(store).problems.isEmpty)
        try store.end()
        for pages in [[states.changed[0]], states.changed] {
            let copy = try TestVault(copying: states.now)
            try copy.change("index-1.map") { $0 = old }
            try putBack(pages, in: copy)
            try expectNothingOldIsShown(copy, "the map and \(pages.count) pages")
            try copy.remove("index-1.map")
            try expectNothingOldIsShown(copy, "no map and \(pages.count) pages")
        }
    }

    @Test func J01anOldManifestFitsNoNewerPages() throws {
        let copy = try TestVault(copying: states.now)
        for name in ManifestFile.names {
            let old = try states.before.bytes(name)
            try copy.change(name) { $0 = old }
        }
        expect(.integrity) { try copy.open() }
        let map = try states.before.bytes("index-1.map")
        try copy.change("index-1.map") { $0 = map }
        expect(.integrity, "with its own map too") { try copy.open() }
    }

    @Test func J02aPagePutBackUnderAnOpenVaultIsRefused() throws {
        let copy = try TestVault(copying: states.now)
        let store = try copy.open()
        for (note, body) in states.bodies { #expect(try store.notes.note(note).body == body) }
        try putBack(states.changed, in: copy)
        store.database.queue.releaseMemory()
        #expect(throws: VaultError.self) {
            for note in states.bodies.keys { _ = try store.notes.note(note) }
        }
        do {
            _ = try store.notes.list(NoteFilter(), offset: 0, limit: 100)
        } catch { #expect(error.damage == .oldPages) }
        try? store.close()
    }

    /// The check can open no second connection then, and goes through the vault's own.
    @Test func J02aCheckEndsThoughPageOneIsOldAndAPrivateNoteIsOpen() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "of one person")).id
        try store.makePrivate(note)
        try store.openPrivate(note)
        try store.startNewLog(isOpen: true)
        let old = try vault.bytes("index-1.db")[..<4096]
        // Page one knows the size of the file, and changes with it.
        _ = try store.notes.create(NoteDraft(body: String(repeating: "of everybody ", count: 3000)))
        try store.startNewLog(isOpen: true)
        try #require(vault.bytes("index-1.db")[..<4096] != old)
        let file = try #require(FileHandle(forUpdatingAtPath: vault.folder.appending(path: "index-1.db").path))
        try file.write(contentsOf: Data(old))
        try file.close()
        let report = try check(store)
        #expect(report.problems.contains { $0.kind == .oldPage && $0.page == 1 })
        #expect(report.notes == 2 && report.revisions >= 2)
        try? store.close()
    }

    @Test func J01onTheOwnersWordOldPagesAreTakenAndCounted() throws {
        let copy = try TestVault(copying: states.now)
        let pages = Array(states.changed.filter { $0 > 1 }.suffix(2))
        try putBack(pages, in: copy)
        var store = try copy.open(acceptLoss: true)
        #expect(store.loss?.oldPageCount == 2)
        #expect(try !check(store).problems.contains { $0.kind == .oldPage })
        try store.end()
        store = try copy.open()
        #expect(store.loss == nil && store.manifest.map != nil)
        try store.end()
    }

    /// What an old page holds counts as older than all else, and is told of.
    @Test func J01aRepairSaysWhatWasOld() throws {
        let copy = try TestVault(copying: states.now)
        try putBack(Array(states.changed.suffix(1)), in: copy)
        let (report, store) = try copy.repair()
        #expect(report.isRebuilt && report.oldPages == 1 && report.remaining.isEmpty)
        let lost = Set(report.loss.notes.map(\.id))
        for (note, body) in states.bodies where !lost.contains(note) {
            #expect(try store.notes.note(note).body == body)
        }
        try store.end()
    }

    /// Of an earlier program, restored or repaired: from the first opening on its pages have a map.
    @Test func aVaultWithoutAMapGetsOneWhenItIsOpened() throws {
        let copy = try TestVault(copying: states.now)
        var store = try copy.open()
        try store.end()
        var manifest = store.manifest
        manifest.map = nil
        try store.manifestFile.write(manifest)
        try copy.remove("index-1.map")
        store = try copy.open()
        #expect(store.manifest.map != nil && store.database.storage.map != nil)
        #expect(try check(store).problems.isEmpty)
        try store.end()
        try putBack([states.changed[1]], in: copy)
        try expectNothingOldIsShown(copy, "a map of its own")
    }

    /// One that was kept from before takes any page that is authentic: it must not count again once there is a map.
    @Test func J01aManifestOfBeforeTheMapIsOlderThanWhatWasSeen() throws {
        let copy = try TestVault(copying: states.now)
        var store = try copy.open()
        try store.end()
        var manifest = store.manifest
        manifest.map = nil
        try store.manifestFile.write(manifest)
        let kept = try ManifestFile.names.map { (name: $0, bytes: try copy.bytes($0)) }
        store = try copy.open()
        try store.end()
        for (name, bytes) in kept { try copy.change(name) { $0 = bytes } }
        try copy.remove("index-1.map")
        try putBack([states.changed[1]], in: copy)
        expect(.rollback) { try copy.open() }
    }
}
