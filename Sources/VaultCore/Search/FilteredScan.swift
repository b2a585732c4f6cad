// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import RegexText
internal import SearchText
internal import VaultFormat

/// A `FilteredScan` does a list or search with filters, in steps of a few milliseconds: fields first, then words in the
/// folded texts, then patterns in the texts.
///
/// It ends when the page is full, or when it has looked at as much as it may (docs/decisions/0014).
public final class FilteredScan {
    /// Notes of the page, in order.
    public private(set) var notes: [NoteSummary] = []
    /// Whether another page has notes, as far as was looked.
    public private(set) var hasMore = false
    /// How many fit in all; nil when not all were looked at.
    public private(set) var total: Int?
    /// The answer may be incomplete: it had looked at as much as it may.
    public private(set) var isCutShort = false
    /// Notes looked at, and notes that there are.
    public var progress: (done: UInt64, total: UInt64) {
        (UInt64(clamping: max(looked, state?.source.passed.all ?? 0)), UInt64(clamping: noteCount))
    }

    let vault: OpenVault
    let search: FilteredSearch
    let regex: RegexPattern?
    private typealias State = (plan: FilterPlan, source: ScanSource, found: FoundNotes)
    private var state: State?
    /// The notes that may fit at all, while those of the list's order are looked at.
    private var few: [PackedID]?
    private var looked = 0
    var lookedBytes = 0
    private var noteCount = 0
    /// How many the list has in all, where not all are given.
    private var listCount: Int?
    private var generation: UInt64 = 0
    private var spent = Duration.zero
    private var isAtEnd = false
    private var hasEnded = false

    private let limits: ScanLimits
    /// Longer texts end a step before its least count of notes.
    private static let stepByteCount = 1 << 20

    /// Begins a scan.
    ///
    /// - Throws: `VaultError.badQuery` for pages that cannot be, `.badPattern`.
    public convenience init(_ vault: OpenVault, _ search: FilteredSearch) throws(VaultError) {
        try self.init(vault, search, ScanLimits())
    }

    init(_ vault: OpenVault, _ search: FilteredSearch, _ limits: ScanLimits) throws(VaultError) {
        guard (1...10_000).contains(search.limit), (1...1_000_000).contains(search.page) else {
            throw VaultError(.badQuery)
        }
        self.vault = vault
        self.search = search
        self.limits = limits
        do throws(RegexPatternError) {
            regex = search.regex.isEmpty ? nil : try RegexPattern(search.regex)
        } catch { throw VaultError(error.code == .tooCostly ? .tooCostly : .badPattern) }
    }

    /// Does a little more; false when the page is there.
    public func step() throws(VaultError) -> Bool {
        if try advance() { return true }
        guard let found = state?.found else { return false }
        var all = found
        let page = all.page(search)
        hasMore = page.hasMore
        total = isAtEnd ? listCount ?? found.count : nil
        notes = try summaries(page.rows)
        return false
    }

    /// Does a little more for a list without pages.
    ///
    /// - Parameter deliver: is given the next notes of the list, in order.
    /// - Returns: false at the end.
    public func step(delivering deliver: ([NoteSummary]) -> Void) throws(VaultError) -> Bool {
        if !hasEnded, state.map({ $0.source.isInOrder && $0.found.hasPart }) != true {
            hasEnded = try !advance()
            guard hasEnded || state?.source.isInOrder == true else { return true }
        }
        let rows = state?.found.takePart() ?? []
        if !rows.isEmpty { deliver(try summaries(rows)) }
        return !hasEnded || state?.found.isTaken == false
    }

    /// Looks at some more notes; false when no more need be looked at.
    private func advance() throws(VaultError) -> Bool {
        let begun = ContinuousClock.now
        defer { spent += begun.duration(to: .now) }
        return try vault.read { index in
            guard var now = self.state.take() else {
                try self.begin(index)
                return true
            }
            defer { self.state = now }
            let texts = try FoldedTexts(index.database)
            let unlocked = try index.unlockedByRow()
            // Opening those takes its time: what the step is for begins here, and does not end at once.
            let start = ContinuousClock.now
            var (stepped, bytesBefore) = (0, self.lookedBytes)
            repeat {
                guard let note = try now.source.next(index.database) else {
                    // A part without one that the page shows is a step too.
                    guard now.source.isAtEnd else { return true }
                    self.isAtEnd = true
                    try self.expectAll(now.source, index)
                    return false
                }
                self.looked += 1
                stepped += 1
                if let score = try self.score(note, unlocked.isEmpty ? nil : unlocked[note.row], now.plan, texts, index)
                {
                    now.found.add(note, score: score)
                }
                if self.isEnough(now) { return false }
                self.turnToFew(&now)
                bytesBefore = min(bytesBefore, self.lookedBytes)
            } while (stepped < self.limits.stepMin && self.lookedBytes - bytesBefore < Self.stepByteCount)
                || start.duration(to: .now) < self.limits.stepDuration
            self.isCutShort = self.hasLookedLong(now, from: begun)
            return !self.isCutShort
        }
    }

    private func begin(_ index: ReadAccess) throws {
        let plan = try FilterPlan(
            search.query, places: search.places, needsUploads: search.upload != nil, index)
        let choice = try ScanChoice(search, plan, try index.unlockedNotes(), limits, index)
        few = choice.few
        let counters = try IndexState.fetch(index.database)
        (noteCount, generation) = (choice.source.count ?? counters.counts.total, counters.generation)
        state = (plan, choice.source, FoundNotes(search, ranks: plan.ranks, areInOrder: choice.source.isInOrder))
    }

    /// Learns how many live notes there are, so that those are missed that SQLite did not come to because of an old
    /// page put back.
    private func expectAll(_ source: ScanSource, _ index: ReadAccess) throws {
        guard source.givesBestOnly else { return }
        let counters = try IndexState.fetch(index.database)
        // A note that is changed meanwhile moves to the end.
        guard counters.generation != generation || counters.counts[.live] == source.passed.live else {
            throw VaultError(.integrity)
        }
        listCount = counters.counts[.live]
    }

    private func isEnough(_ now: State) -> Bool {
        guard now.found.isFull, !search.countsOnly else { return false }
        return now.plan.looksAtTexts || regex != nil || looked >= limits.countedMin
    }

    private func hasLookedLong(_ now: State, from start: ContinuousClock.Instant) -> Bool {
        if search.isExhaustive || search.isWhole || search.countsOnly { return false }
        // A list by what no index has, title or size, is right only when all were seen: their fields are, and the
        // progress is shown.
        guard now.source.isInOrder || now.plan.looksAtTexts || regex != nil else { return false }
        let hasLookedEnough = looked >= limits.lookedMin || lookedBytes >= limits.byteCountMin
        return hasLookedEnough && spent + start.duration(to: .now) > limits.durationMax
    }

    /// Goes over to the few notes that may fit at all, from the first, when the newest notes were looked at in vain.
    private func turnToFew(_ now: inout State) {
        guard looked >= limits.lookedMin, let notes = few else { return }
        few = nil
        now.source = ScanSource(search, notes: notes)
        now.found = FoundNotes(search, ranks: now.plan.ranks, areInOrder: false)
        (looked, lookedBytes, noteCount, spent) = (0, 0, notes.count, .zero)
    }
}

extension FilteredScan {
    /// Returns how well a note fits; nil when it does not.
    func score(
        _ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ texts: FoldedTexts, _ index: ReadAccess
    ) throws -> Int? {
        let fields = unlocked.map { NoteFields($0) } ?? note
        let bits = plan.fits(fields)
        guard bits != 0, search.tag.map({ fields.hasTag($0) }) != false,
            search.notebook.map({ fields.notebook == NoteNames.notebook($0) }) != false,
            search.upload.map({ plan.sets.uploads?[fields.id] == $0 }) != false
        else { return nil }
        guard plan.looksAtTexts || regex != nil else { return 0 }
        guard let score = try wordScore(note, unlocked, plan, bits, texts, index) else { return nil }
        guard let regex else { return score }
        guard let (title, record) = try unlocked.map({ ($0.title, $0.record) }) ?? index.candidate(note.row) else {
            return nil
        }
        lookedBytes += record.body.utf8.count
        return try matches(regex, title, record.body) ? score : nil
    }

    private func wordScore(
        _ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ bits: Int64, _ texts: FoldedTexts,
        _ index: ReadAccess
    ) throws -> Int? {
        guard plan.looksAtTexts else { return 0 }
        return try index.withFolded(note, unlocked, texts) { title, body in
            self.lookedBytes += body.count
            return plan.score(title, body, bits)
        } ?? nil
    }

    private func matches(_ regex: RegexPattern, _ title: String, _ body: String) throws -> Bool {
        do throws(RegexPatternError) {
            if try regex.firstMatch(in: Array(title.utf8)) != nil { return true }
            return try regex.firstMatch(in: Array(body.utf8)) != nil
        } catch { throw VaultError(.tooCostly) }
    }

    func summaries(_ rows: [Int64]) throws(VaultError) -> [NoteSummary] {
        try vault.read { index in
            try rows.compactMap { row in
                try index.database.cachedStatement("SELECT * FROM note WHERE row = ?").row([row]).map {
                    try index.summary($0)
                }
            }
        }
    }
}
