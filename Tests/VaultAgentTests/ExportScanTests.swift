// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ExportFormats
import SearchText
import Testing
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// Which notes an export finds while others write.
struct ExportScanTests {
    private let vault: TemporaryVault
    private var store: OpenVault { vault.store }
    private let ids: [NoteID]

    init() throws {
        vault = try TemporaryVault()
        let store = vault.store
        // More than a page, in an order that is not that of their times.
        _ = try store.imports.save(
            (0..<1200).map { number in
                var draft = NoteDraft(body: "note \(number) \(number % 7 == 0 ? "seventh" : "other")")
                draft.created = Int64(number * 7919 % 1200) * 1000
                if number % 3 == 0 { draft.tags = ["three"] }
                return draft
            }, dryRun: false)
        ids = try store.notes.list(NoteFilter(), offset: 0, limit: 2000).map(\.id)
    }

    private func found(_ query: String?, _ places: [NotePlace] = [.live], between step: () throws -> Void = {}) throws
        -> [NoteID]
    {
        let scan = ExportScan(
            store, try query.map { try NoteQuery($0, clock: QueryClock(now: Machine.now, offset: { _ in 0 })) },
            places: places, stepDuration: .zero)
        while try scan.step() { try step() }
        return (0..<scan.count).compactMap { scan[$0] }
    }

    @Test func allAreFoundOnceTheOldestFirstThoughTheyAreChangedMeanwhile() throws {
        var next = 0
        let all = try found(nil) {
            for id in ids[next..<min(next + 100, ids.count)] { _ = try store.notes.edit(id) { $0.body += " changed" } }
            next = min(next + 100, ids.count)
        }
        #expect(next > 0 && Set(all) == Set(ids) && all.count == ids.count)
        let times = try all.map { try store.notes.note($0).created }
        #expect(times == times.sorted())
        #expect(try found(nil) == all)
    }

    @Test func filtersFindWhatAListFinds() throws {
        _ = try store.notes.setTrashed(ids[0], true)
        for (query, count) in [
            ("tag:three", 400), ("seventh", 172), ("seventh tag:three", 58), ("-seventh", 1028), ("state:trashed", 1),
        ] {
            let all = try found(query, [.live, .trash])
            #expect(Set(all).count == count && all.count == count, "\(query): \(all.count)")
        }
        #expect(try found("note").count == 1199)
        #expect(try found(nil, [.trash]) == [ids[0]])
        let times = try found("seventh").map { try store.notes.note($0).created }
        #expect(times == times.sorted())
    }

    @Test func whatIsGoneWhenItsTurnComesIsPassedOver() throws {
        let scan = ExportScan(store, nil, places: [.live, .trash])
        while try scan.step() {}
        _ = try store.notes.setTrashed(ids[5], true)
        while try store.notes.purgeTrash(limit: 10) > 0 {}
        var reader = ExportReader(store, scan, readsHistory: true, countsHistory: true, knowsBooks: true)
        var names: Set<String> = []
        reading: while true {
            switch try reader.step() {
            case .goesOn: break
            case .note(let note, _, _): names.insert(note.id)
            case .end: break reading
            }
        }
        #expect(
            names.count == 1199 && !names.contains(ids[5].text) && reader.lockedCount == 0 && reader.damagedCount == 0)
    }
}
