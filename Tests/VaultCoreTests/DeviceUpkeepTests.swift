// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// A vault that holds entries of two devices is checked, archived, backed up, rotated, repaired and upgraded like any
/// other, and keeps them.
struct DeviceUpkeepTests {
    /// Two devices that have told each other everything: a note that both wrote in and joined, one with two heads, one
    /// that was purged and lives on, and one that is gone.
    private func filled() throws -> (DeviceSet, notes: [NoteID]) {
        var notes: [NoteID] = []
        let set = try DeviceSet { store in
            for text in ["1\n2\n3\n4\n", "two heads", "purged", "gone"] {
                notes.append(try store.notes.create(NoteDraft(body: text)).id)
            }
        }
        for number in 0..<2 {
            _ = try set[number].notes.edit(notes[0]) {
                $0.body = number == 0 ? "one\n2\n3\n4\n" : "1\n2\n3\nfour\n"
            }
            _ = try set[number].notes.edit(notes[1]) { $0.body = "head \(number)" }
        }
        for number in 0..<2 {
            let chain = try DeviceID([UInt8](repeating: UInt8(number + 1), count: DeviceID.byteCount))
            try set[number].devices.introduce(speakingAs: chain)
        }
        try set[0].purge(notes[3])
        try set[0].purge(notes[2])
        _ = try set[1].notes.edit(notes[2]) { $0.body = "lives on" }
        notes.append(try set[1].notes.create(NoteDraft(body: "of the second")).id)
        try set.exchange()
        #expect(try set[0].devices.join(notes) == [notes[0]])
        try set.exchange()
        try set.expectAlike(notes)
        return (set, notes)
    }

    private struct Content: Equatable {
        var versions: [NoteID: [String]] = [:]
        var entries: Set<[UInt8]> = []
    }

    private func content(_ store: OpenVault, _ notes: [NoteID]) throws -> Content {
        var content = Content()
        for note in notes where try store.read({ try $0.isPresent(note) }) {
            content.versions[note] = try store.versions(note)
        }
        content.entries = try store.read { index in
            Set(try Row.fetchAll(index.database, sql: "SELECT bytes FROM entry").map { try $0.bytes("bytes") })
        }
        return content
    }

    private func expectSame(_ store: OpenVault, _ before: Content, _ notes: [NoteID]) throws {
        #expect(try content(store, notes) == before)
        let problems = try check(store).problems
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func anArchiveHoldsWhatAllDevicesSaid() throws {
        let (set, notes) = try filled()
        let before = try content(set[1], notes)
        let place = try BackupPlace()
        let archive = try ArchiveFile(set[1], pins: PinStore(folder: place.folder.path + "/pins"))
        try archive.restore()
        let store = try archive.open()
        try expectSame(store, before, notes)
        _ = try store.notes.edit(notes[0]) { $0.body += "and on\n" }
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func aSnapshotHoldsWhatAllDevicesSaid() throws {
        let (set, notes) = try filled()
        let before = try content(set[0], notes)
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(set[0]).name))
        _ = try place.verify(name, set[0])
        let pins = PinStore(folder: place.folder.path + "/pins")
        try place.restore(name, pins: pins)
        let store = try place.openRestored(pins: pins)
        try expectSame(store, before, notes)
        try store.end()
    }

    @Test func aRotationSealsWhatOthersWrote() throws {
        let (set, notes) = try filled()
        let before = try content(set[1], notes)
        try RotatingVault.begin(set[1])
        try RotatingVault.finish(set[1])
        try expectSame(set[1], before, notes)
        try set[1].end()
        let store = try set.vaults[1].open(key: RotatingVault.nextKey)
        try expectSame(store, before, notes)
        try store.end()
    }

    @Test func aRepairKeepsWhatOthersWrote() throws {
        let (set, notes) = try filled()
        let before = try content(set[1], notes)
        try set[1].end()
        let vault = set.vaults[1]
        try vault.damage(page: 1)
        let (report, store) = try vault.repair()
        #expect(report.isRebuilt && report.loss.isNone, "\(report)")
        try expectSame(store, before, notes)
        try store.end()
    }

    @Test func aVaultOfSchema6IsUpgraded() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let notes = try (0..<50).map { try store.notes.create(NoteDraft(body: "note \($0)")).id }
        try store.write { transaction in
            for sql in [
                "DROP INDEX entryByNote", "DROP TABLE device", "DROP TABLE waiting", "DROP TABLE toldKey",
                "DROP TABLE arrival", "DROP TABLE statement", "DROP TABLE heard", "DROP INDEX noteBySource",
                "CREATE UNIQUE INDEX noteBySource ON note(source) WHERE source IS NOT NULL",
                "UPDATE state SET schema = 6",
            ] { try transaction.database.execute(sql: sql) }
        }
        try store.end()
        store = try vault.open()
        #expect(try store.read { try IndexState.fetch($0.database).schema } == 10)
        #expect(try store.read { try $0.entries(of: notes[3]).count } == 1)
        let plan = try store.read { index in
            try Row.fetchAll(
                index.database,
                sql:
                    "EXPLAIN QUERY PLAN SELECT bytes FROM entry WHERE substr(bytes, 28, 10) = x'00' ORDER BY device, sequence"
            ).map { try $0.text("detail") }
        }
        #expect(plan.count == 1 && plan[0].contains("USING INDEX entryByNote"), "\(plan)")
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func twoDevicesMayHaveImportedFromOnePlace() throws {
        let set = try DeviceSet()
        var draft = NoteDraft(body: "imported")
        draft.source = "md\n/a.md"
        let notes = try (0..<2).map { try set[$0].notes.create(draft).id }
        try set.exchange()
        try set.expectAlike(notes)
        #expect(try set[0].notes.counts().notes[.live] == 2)
    }

    @Test func aDamagedVaultIsSalvagedWithWhatOthersWrote() throws {
        let (set, notes) = try filled()
        let before = try content(set[1], notes)
        try set[1].end()
        let salvaging = try Salvaging()
        let report = try salvaging.salvage(set.vaults[1])
        #expect(report.isWhole, "\(report)")
        let store = try OpenVault(
            VaultProbe(path: Array(salvaging.target.utf8), pins: salvaging.full.vault.pins),
            .recoveryKey(secret(TestVault.recoveryKey)))
        #expect(try content(store, notes).versions.mapValues(Set.init) == before.versions.mapValues(Set.init))
        let problems = try check(store).problems
        #expect(problems.isEmpty, "\(problems)")
        try store.end()
    }
}

extension DeviceUpkeepTests {
    /// `docs/decrypt.py` shares no code with vault, and reads what several devices wrote as they show it.
    @Test func theSecondReaderShowsWhatTheDevicesShow() throws {
        let (set, notes) = try filled()
        let shown = try notes.filter { note in try set[1].read { try $0.isPresent(note) } }
            .reduce(into: [String: [String]]()) { $0[$1.text] = try set[1].versions($1) }
        try set[1].end()
        let python = Repository.root.appending(path: "bench-out/venv/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "Scripts/setup.sh test installs cryptography and argon2-cffi")
        let secrets = TemporaryFolder()
        secrets.write(Array(TestVault.password.utf8), to: "password")
        let script = Repository.root.appending(path: "docs/decrypt.py").path
        for options in [[], ["--salvage"]] {
            let ended = try ProgramRun(
                python,
                [
                    "-B", script, set.vaults[1].folder.path, "--password-file", secrets.file("password").path, "--json",
                ] + options)
            #expect(ended.exitCode == 0, "\(ended.errors)")
            struct Report: Decodable {
                struct Note: Decodable {
                    struct Older: Decodable {
                        var body: String?
                        var isHead: Bool
                    }
                    var id: String
                    var body: String?
                    var revisions: [Older]
                }
                var notes: [Note]
            }
            let report = try JSONDecoder().decode(Report.self, from: Data(ended.output))
            var found: [String: [String]] = [:]
            for note in report.notes {
                found[note.id] = note.revisions.filter(\.isHead).compactMap(\.body) + [note.body ?? ""]
            }
            #expect(found == shown, "\(options)")
        }
    }
}
