// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import SearchText
import Testing
import VaultFormat

@testable import VaultCore

/// Lists with filters: every order by pages and whole, whatever the way that notes are found, and where a scan ends.
struct FilteredScanTests {
    private static let words = ["amber", "birch", "cedar", "Dürer", "elm"]
    private let vault: TestVault
    private let store: OpenVault
    private let notes: [NoteID]
    private let places: [NotePlace]

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        var drafts: [NoteDraft] = []
        for number in 0..<150 {
            var draft = NoteDraft(
                body: "\(Self.words[number % 5]) \(Self.words[number % 3]) text \(number)\n"
                    + String(repeating: "x", count: number * 7 % 50))
            draft.created = Int64(number * 7919 % 150) * 1000
            if number.isMultiple(of: 4) { draft.tags = ["four"] }
            if number.isMultiple(of: 15) { draft.tags += ["four/fifteen"] }
            drafts.append(draft)
        }
        _ = try store.imports.save(drafts, dryRun: false)
        notes = try store.notes.list(NoteFilter(), offset: 0, limit: 1000).map(\.id)
        _ = try store.notes.modify(Array(notes.prefix(9)), .flag(.archived, true), ChangeGroup(.archive))
        _ = try store.notes.modify([notes[20], notes[30]], .flag(.pinned, true), ChangeGroup(.pin))
        _ = try store.notes.setTrashed(notes[40], true)
        places = [.live, .archive]
    }

    private func search(_ text: String, _ order: NoteOrder, reverse: Bool) throws -> FilteredSearch {
        var search = FilteredSearch()
        if !text.isEmpty { search.query = try NoteQuery(text, clock: QueryClock(now: Machine.now) { _ in 0 }) }
        search.places = places
        search.order = order
        search.reverse = reverse
        return search
    }

    private func whole(_ search: FilteredSearch, _ limits: ScanLimits = ScanLimits()) throws -> [NoteID] {
        var search = search
        search.isWhole = true
        let scan = try FilteredScan(store, search, limits)
        var found: [NoteID] = []
        while try scan.step(delivering: { found += $0.map(\.id) }) {}
        return found
    }

    private func paged(_ search: FilteredSearch, _ limits: ScanLimits = ScanLimits()) throws -> [NoteID] {
        var search = search
        search.limit = 7
        var found: [NoteID] = []
        while true {
            let scan = try FilteredScan(store, search, limits)
            while try scan.step() {}
            found += scan.notes.map(\.id)
            guard scan.hasMore else { return found }
            search.page += 1
        }
    }

    /// As the lists sort, said in Swift.
    private func sorted(_ ids: [NoteID], _ order: NoteOrder, reverse: Bool) throws -> [NoteID] {
        let found = try ids.map { id in try store.read { try $0.summary(of: id) } }
        let rows = try store.read { index in
            try Dictionary(
                uniqueKeysWithValues: ids.map { id in
                    (
                        id,
                        try index.database.cachedStatement("SELECT row FROM note WHERE id = ?").row([id.bytes.blob])?
                            .integer("row") ?? 0
                    )
                })
        }
        func number(_ note: NoteSummary) -> Int64 {
            switch order {
            case .modified: note.modified
            case .created: note.created
            case .size: Int64(note.byteCount)
            case .title, .rank: 0
            }
        }
        return found.sorted { first, second in
            if order == .modified, first.isPinned != second.isPinned { return first.isPinned }
            let (one, two) = reverse ? (second, first) : (first, second)
            if order == .title, one.title.lowercased() != two.title.lowercased() {
                return one.title.lowercased() < two.title.lowercased()
            }
            return (number(one), rows[one.id] ?? 0) > (number(two), rows[two.id] ?? 0)
        }.map(\.id)
    }

    @Test(arguments: [
        "", "tag:four", "amber", "amber OR tag:four", "-cedar", "title:birch -elm", "state:pinned|archived",
        "tag:four cedar",
    ])
    func everyOrderIsTheSameByPagesAndWholeAndWhereFewMayFit(query: String) throws {
        for order in [NoteOrder.modified, .created, .title, .size] {
            for reverse in [false, true] {
                let search = try search(query, order, reverse: reverse)
                let found = try whole(search)
                #expect(
                    try !found.isEmpty && found == sorted(found, order, reverse: reverse),
                    "\(query) \(order) \(reverse)")
                #expect(try paged(search) == found, "\(query) \(order) \(reverse)")
                // Nothing is few: all notes are walked through.
                #expect(
                    try paged(search, ScanLimits(manyCount: -1, wordCount: -1)) == found, "\(query) \(order) \(reverse)"
                )
                // Without pages nothing is delivered twice.
                #expect(
                    try whole(search, ScanLimits(lookedMin: 5, fewCount: -1, wordCount: -1)) == found,
                    "\(query) \(order) \(reverse)")
                // Begun with all, ended with the few.
                #expect(try paged(search, ScanLimits(lookedMin: 5, fewCount: -1, wordCount: -1)).count == found.count)
            }
        }
        let ranked = try paged(search(query, .rank, reverse: false))
        #expect(
            try Set(ranked) == Set(whole(search(query, .created, reverse: false))) && ranked.count == Set(ranked).count)
    }

    @Test func whatSQLitePassesIsOnNoPage() throws {
        _ = try store.notes.edit(notes[70]) { $0.body = "a note\nwith a title as others have it" }
        _ = try store.notes.edit(notes[71]) { $0.title = "A NOTE" }
        for (number, title) in [
            "Éclair", "e\u{301}clair", "éclair", "\u{1F33F}", "\u{FF66}", String(repeating: "x", count: 80) + "é",
        ].enumerated() {
            _ = try store.notes.edit(notes[73 + number]) { $0.title = title }
        }
        try store.makePrivate(notes[72], showsTitle: true)
        try store.makePrivate(notes[80])
        for (order, reverse) in [NoteOrder.created, .title, .size].flatMap({ [($0, false), ($0, true)] }) {
            var search = try search("", order, reverse: reverse)
            search.places = [.live]
            let found = try whole(search)
            #expect(try found.count == store.notes.counts().notes[.live])
            for partCount in [1, 30, 40, 150, 10_000] {
                let limits = ScanLimits(stepDuration: .zero, bestOfCount: partCount)
                #expect(NoteWalk(bestOf: search, [.live], limits) != nil)
                #expect(try paged(search, limits) == found, "\(order) \(reverse) \(partCount)")
            }
            search.limit = 3
            let scan = try FilteredScan(store, search, ScanLimits(stepMin: 1, bestOfCount: 40))
            while try scan.step() { #expect(scan.progress.done <= scan.progress.total) }
            #expect(scan.total == found.count && scan.hasMore && scan.notes.map(\.id) == Array(found.prefix(3)))
        }
    }

    @Test func partsWithoutALiveNoteAreStepsAndNoEnd() throws {
        _ = try store.notes.modify(Array(notes.prefix(149)), .flag(.archived, true), ChangeGroup(.archive))
        var search = try search("", .size, reverse: false)
        search.places = [.live]
        let scan = try FilteredScan(store, search, ScanLimits(stepDuration: .zero, stepMin: 1, bestOfCount: 10))
        var steps = 1
        while try scan.step() { steps += 1 }
        #expect(
            try steps >= 15 && scan.total == store.notes.counts().notes[.live] && scan.notes.map(\.id) == whole(search))
    }

    @Test func A08aLiveNoteThatIsHiddenIsMissed() throws {
        var search = try search("", .size, reverse: false)
        search.places = [.live]
        let count = try paged(search).count
        for change in ["live = live - 1", "live = live + 2"] {
            try store.write { try $0.database.execute(sql: "UPDATE state SET \(change)") }
            #expect(throws: VaultError(.integrity)) { try paged(search).count }
        }
        try store.write { try $0.database.execute(sql: "UPDATE state SET live = live - 1") }
        #expect(try paged(search).count == count)
        try store.write {
            try $0.database.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [notes[60].bytes.blob])
        }
        #expect(throws: VaultError(.integrity)) { try paged(search).count }
    }

    @Test func aScanEndsAfterAWhileAndSaysSoUnlessAllAreToBeLookedAt() throws {
        let limits = ScanLimits(
            stepDuration: .zero, durationMax: .zero, lookedMin: 20, byteCountMin: 1 << 30, wordCount: -1)
        for order in [NoteOrder.modified, .rank, .title] {
            var search = try search("nowhere OR unheard", order, reverse: false)
            let scan = try FilteredScan(store, search, limits)
            while try scan.step() {}
            // A script that asks for page after page comes to an end.
            #expect(scan.isCutShort && !scan.hasMore && scan.total == nil && scan.progress.done == 20)
            search.isExhaustive = true
            let all = try FilteredScan(store, search, limits)
            while try all.step() {}
            #expect(!all.isCutShort && !all.hasMore && all.total == 0)
        }
    }

    @Test(arguments: ["tag:four", "", "state:archived|live -has:link"]) func backwardsPagesNeitherOverlapNorSkip(
        query: String
    ) throws {
        let search = try search(query, .rank, reverse: true)
        let found = try paged(search)
        #expect(try found == sorted(found, .rank, reverse: true) && Set(found) == Set(whole(search)))
    }

    @Test func A08aNoteWhoseTextIsGoneIsMissedNotPassedOver() throws {
        try store.write {
            try $0.database.execute(
                sql: "DELETE FROM folded WHERE row = (SELECT row FROM note WHERE id = ?)",
                arguments: [notes[50].bytes.blob])
        }
        for query in ["amber", "-amber", "nowhere OR unheard"] {
            #expect(throws: VaultError(.integrity)) {
                try whole(search(query, .modified, reverse: false), ScanLimits(wordCount: -1))
            }
        }
        #expect(throws: VaultError(.integrity)) {
            for number in 0..<150 {
                _ = try store.search.find("text \(number)", limit: 20, page: 1, snippetColumns: 40)
            }
        }
        let scan = ExportScan(
            store, try NoteQuery("-amber", clock: QueryClock(now: Machine.now) { _ in 0 }), places: [.live])
        #expect(throws: VaultError(.integrity)) { while try scan.step() {} }
    }

    @Test func aListByTitleIsNeverCutShort() throws {
        let limits = ScanLimits(stepDuration: .zero, durationMax: .zero, lookedMin: 1, byteCountMin: 1)
        let scan = try FilteredScan(store, search("", .title, reverse: false), limits)
        while try scan.step() {}
        #expect(!scan.isCutShort && scan.total == 149 && scan.notes.count == 20)
    }

    @Test func allThatFitAreCounted() throws {
        var search = try search("tag:four", .modified, reverse: false)
        search.countsOnly = true
        search.limit = 1
        for limits in [ScanLimits(), ScanLimits(lookedMin: 1, countedMin: 0, fewCount: -1)] {
            let scan = try FilteredScan(store, search, limits)
            while try scan.step() {}
            let found = try whole(self.search("tag:four", .created, reverse: false))
            #expect(scan.total == found.count)
        }
    }

    @Test(arguments: [Int64(1), .min, .max]) func wordsAreFoundByTheRarestOfManyGrams(newest: Int64) throws {
        let many =
            "\"elm cedar text 149\" \"cedar text\" \"elm cedar\" \"dar text 149\" \"lm cedar\" \"r text 14\" xxxxx"
        #expect(try store.search.find(many, limit: 5, page: 1, snippetColumns: 40).hits.count == 1)
        #expect(
            try store.search.find("amber birch cedar durer elm text", limit: 5, page: 1, snippetColumns: 40).hits
                .isEmpty)
        // Whatever a damaged table says of its rows.
        let change =
            newest == .max
            ? "row = 9223372036854775807 WHERE id = ?" : "row = row - 9223372036854775807 - 1 WHERE ? IS NOT NULL"
        if newest != 1 {
            try store.write {
                try $0.database.execute(sql: "UPDATE note SET \(change)", arguments: [notes[3].bytes.blob])
            }
        }
        let needles = try SearchQuery(many).needles
        #expect(Grams.needed(forAll: needles).count > 16)
        let asked = try store.read { try SearchTable.expression(needles, $0.database) }
        #expect(asked.split(separator: " AND ").count == 8)
        if newest == 1 { #expect(asked.contains("149")) }
    }

    @Test(arguments: [
        "place = 'live'", "modified = 'now'", "byteCount = x'00'", "tags = x'41'", "notebook = x'41'", "features = 1.5",
        "title = x'41'",
    ])
    func aColumnOfAnotherTypeIsDamageAndNothingElse(assignment: String) throws {
        try store.write {
            try $0.database.execute(
                sql: "UPDATE note SET \(assignment) WHERE id = ?", arguments: [notes[50].bytes.blob])
        }
        #expect(throws: VaultError(.integrity)) { try whole(search("", .title, reverse: false)).count }
        var best = try search("", .size, reverse: true)
        best.places = [.live]
        if assignment.hasPrefix("place") { #expect(throws: VaultError(.integrity)) { try paged(best).count } }
    }

    @Test(arguments: [NoteWalk.Order.rows, .modified(.live, isPinned: false, notebook: nil, within: nil)])
    func aWalkThatIsLedBackIsDamageAndNoEndlessWalk(order: NoteWalk.Order) throws {
        var sound = NoteWalk(order)
        #expect(try store.read { try sound.next($0.database).count } >= 138)
        // As an old page put back would: what was passed comes again.
        let columns = "id, place, pinned, features, created, 5 AS modified, byteCount, title, notebook, tags, 5 AS row"
        try store.write { try $0.database.execute(sql: "CREATE TEMP VIEW note AS SELECT \(columns) FROM main.note") }
        for reverse in [false, true] {
            var walk = NoteWalk(order, reverse: reverse)
            #expect(throws: VaultError(.integrity)) { try store.read { try walk.next($0.database) } }
        }
    }
}
