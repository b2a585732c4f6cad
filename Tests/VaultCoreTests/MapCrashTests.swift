// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import SealedSQLite
@testable import VaultCore

/// The order in which log, pages, map and manifests are written: whatever a crash leaves opens with every note.
struct MapCrashTests {
    private func bodies(_ store: OpenVault) throws -> Set<String> {
        try Set(store.notes.list(NoteFilter(), offset: 0, limit: 100).map { try store.notes.note($0.id).body })
    }

    /// The files at each step of emptying the log.
    private func crashes(_ vault: TestVault, _ store: OpenVault) throws -> [(String, TestVault)] {
        let before = try vault.bytes("index-1.db")
        var crashes = [("in the log", try TestVault(copying: vault))]
        try store.database.emptyLog()
        crashes.append(("in the file", try TestVault(copying: vault)))
        for part in 2...3 {
            let some = try TestVault(copying: vault)
            try some.change("index-1.db") { bytes in
                for page in 0..<before.count / 4096 where page % part == 0 {
                    bytes.replaceSubrange(
                        page * 4096..<page * 4096 + 4096, with: before[page * 4096..<page * 4096 + 4096])
                }
            }
            crashes.append(("partly in the file, \(part)", some))
        }
        let root = try #require(try store.database.storage.flushMap())
        crashes.append(("the map written", try TestVault(copying: vault)))
        let second = try vault.bytes("manifest.2")
        var next = store.manifest
        (next.map, next.syncedByteCount) = (MapRoot(root), 0)
        next.generation = try store.generation()
        try store.vouch(next)
        let vouched = try TestVault(copying: vault)
        crashes.append(("vouched for", vouched))
        let once = try TestVault(copying: vouched)
        try once.change("manifest.2") { $0 = second }
        crashes.append(("vouched for once", once))
        store.database.storage.adoptMap()
        try store.database.cutLog()
        crashes.append(("cut", try TestVault(copying: vault)))
        try store.startNewLog(isOpen: true)
        crashes.append(("another log", try TestVault(copying: vault)))
        return crashes
    }

    @Test func aCrashAtEachStepOfACheckpointOpensWithEveryNote() throws {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<20 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        try store.startNewLog(isOpen: true)
        for number in 20..<45 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        let expected = Set((0..<45).map(String.init))
        for (what, crash) in try crashes(vault, store) {
            // A crash of the recovery itself is the same again.
            for (again, second) in [("", crash)] + (try opened(crash)) {
                let opened = try second.open()
                #expect(try bodies(opened) == expected && opened.loss == nil, "\(what) \(again)")
                #expect(try check(opened).problems.isEmpty, "\(what) \(again)")
                _ = try opened.notes.create(NoteDraft(body: "after"))
                try opened.end()
                let last = try second.open()
                #expect(try bodies(last) == expected.union(["after"]), "\(what) \(again)")
                try last.end()
            }
        }
        try store.end()
    }

    /// Nothing is written while it is judged what is opened; then pages change that the node was made of.
    @Test func J02aNodeThatIsMadeAgainWhileOpeningIsOnDiskBeforeItsPagesChange() throws {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<20 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        try store.startNewLog(isOpen: true)
        for number in 20..<45 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        let crash = try TestVault(copying: vault)
        try store.end()
        try crash.change("index-1.map") { $0 = [UInt8](repeating: 0, count: $0.count) }
        for (what, second) in try opened(crash) {
            let opened = try second.open()
            #expect(try bodies(opened) == Set((0..<45).map(String.init)), "\(what)")
            #expect(try check(opened).problems.isEmpty, "\(what)")
            try opened.end()
        }
    }

    /// As a recovery leaves it that ends when SQLite has emptied the log.
    private func opened(_ crash: TestVault) throws -> [(String, TestVault)] {
        let probe = try crash.probe()
        let (header, keys, _) = try probe.unlock(.recoveryKey(secret(TestVault.recoveryKey)))
        let manifest = try ManifestFile(probe.directory, keys: keys, header: header).read()
        let database = try IndexFile.open(probe.directory, header: header, keys: keys, manifest: manifest)
        try database.beginWriting()
        let after = try TestVault(copying: crash)
        try? database.close()
        return [("recovered", after)]
    }

    /// The nodes that a checkpoint writes lie where those of the map before were: no manifest may name those any more.
    @Test func bothManifestsNameTheMapBeforeTheOneBeforeIsOverwritten() throws {
        let vault = try TestVault()
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "one"))
        try store.end()
        let second = try vault.bytes("manifest.2")
        store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "two"))
        try store.startNewLog(isOpen: true)
        _ = try store.notes.create(NoteDraft(body: "three"))
        let crash = try TestVault(copying: vault)
        try crash.change("manifest.2") { $0 = second }
        try store.end()
        // While no manifest can be written, nothing of the map that the second one names is overwritten.
        let stuck = try TestVault(copying: crash)
        let map = try stuck.bytes("index-1.map")
        let inTheWay = stuck.folder.appending(path: "manifest.new")
        try FileManager.default.createDirectory(at: inTheWay, withIntermediateDirectories: false)
        if let refused = try? stuck.open() { try? refused.close() }
        #expect(try stuck.bytes("index-1.map") == map)
        let opened = try crash.open()
        #expect(opened.manifestFile.isMapInBoth(opened.manifest.map))
        #expect(try bodies(opened) == ["one", "two", "three"])
        try opened.end()
    }

    @Test func withoutRoomForTheMapTheLogStaysAndNothingMoreIsWritten() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "kept"))
        store.database.storage.map?.leaveAlone()
        #expect(throws: VaultError.self) { try store.startNewLog(isOpen: true) }
        #expect(store.isReadOnly && store.database.storage.logByteCount > 0)
        #expect(try bodies(store) == ["kept"])
        let crash = try TestVault(copying: vault)
        let opened = try crash.open()
        #expect(try bodies(opened) == ["kept"])
        try opened.end()
    }

    @Test func anEditWritesLittleOfTheMap() throws {
        let vault = try TestVault()
        let store = try vault.open()
        var last: NoteID?
        for number in 0..<150 {
            last = try store.notes.create(NoteDraft(body: String(repeating: "word\(number) ", count: 300))).id
        }
        try store.startNewLog(isOpen: true)
        let before = try #require(store.database.storage.map).writtenByteCount
        _ = try store.notes.edit(#require(last)) { $0.body = "short" }
        try store.startNewLog(isOpen: true)
        let written = try #require(store.database.storage.map).writtenByteCount - before
        #expect(written > 0 && written < 100 * 1024)
        try store.end()
    }
}
