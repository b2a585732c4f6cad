// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

@testable import VaultAgent
@testable import VaultCore

/// docs/sealed-sqlite.md §17: reads do not wait on jobs. Counted in rows, not in time: a busy machine proves nothing.
struct JobTests {
    private static let rowCountMax = 200
    private static let noteCount = 230
    private let vault: TemporaryVault
    private var store: OpenVault { vault.store }
    private let connection = unsafe Connection(taking: open("/dev/null", O_WRONLY | O_CLOEXEC))

    init() throws {
        vault = try TemporaryVault()
        _ = try store.imports.save((0..<Self.noteCount).map { NoteDraft(body: "note \($0)") }, dryRun: false)
    }

    /// Steps of a job until it ends, with a read after each of them.
    private func steps(of job: any Job, after step: () throws -> Void) throws -> Int {
        var job = job
        for count in 1...1000 {
            let outcome = job.step(connection)
            try step()
            #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 1).count <= 1)
            if outcome != nil { return count }
        }
        return .max
    }

    @Test func lesson17emptyingTheTrashCommitsAtMostTwoHundredNotesAtATime() throws {
        for note in try store.notes.list(NoteFilter(), offset: 0, limit: 1000) {
            _ = try store.notes.setTrashed(note.id, true)
        }
        var left = try store.notes.counts().notes[.trash]
        #expect(left == Self.noteCount)
        let steps = try steps(of: EmptyTrashJob(store)) {
            let now = try store.notes.counts().notes[.trash]
            #expect(left - now <= Self.rowCountMax)
            left = now
        }
        #expect(left == 0 && steps > 1)
    }

    @Test func lesson17aListIsReadAtMostTwoHundredRowsAtATime() throws {
        let steps = try steps(of: FilteredJob(store, FilteredSearch(), for: .whole, columns: 80)) {}
        #expect(steps >= (Self.noteCount + Self.rowCountMax - 1) / Self.rowCountMax)
        // In an order for which all must be seen first.
        var search = FilteredSearch()
        (search.isWhole, search.order) = (true, .title)
        let scan = try FilteredScan(store, search)
        var (most, all) = (0, 0)
        while try scan.step(delivering: {
            most = max(most, $0.count)
            all += $0.count
        }) {}
        #expect(all == Self.noteCount && most <= Self.rowCountMax)
    }

    @Test func lesson17aCheckReadsAtMostTwoHundredNotesAtATime() throws {
        let check = VaultCheck(store)
        var last = check.report
        while try check.step() {
            let now = check.report
            #expect(now.notes - last.notes <= Self.rowCountMax && now.revisions - last.revisions <= Self.rowCountMax)
            last = now
            #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 1).count == 1)
        }
        #expect(last.notes == Self.noteCount && last.revisions == Self.noteCount && last.problems.isEmpty)
    }
}
