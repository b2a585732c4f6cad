// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `SearchScan` says how far a search has come, what it shows, and when it must stop.
///
/// Matches come newest first and are ranked a window at a time: whole pages, at most four, fewer when matches are rare
/// among the candidates, because each candidate must be opened. Where a window ends depends only on what is there, so
/// that pages neither overlap nor skip (docs/decisions/0006).
struct SearchScan {
    /// Candidates that one search opens at most, and for how long.
    static let candidateCountMax = 2000
    static let durationMax = Duration.milliseconds(50)
    /// Fewest candidates that are looked at, however long it takes: a busy machine must not make a small vault's answer
    /// incomplete.
    private static let candidateCountMin = 64
    private static let byteCountMin = 1 << 20
    private static let windowPagesMax = 4
    /// Candidates after which a window ends with the current page.
    private static let windowCandidateCount = 60

    /// The answer may be incomplete: it had looked at as much as it may.
    private(set) var isCutShort = false
    private let limit: Int
    private let page: Int
    /// Pages of the windows that were passed.
    private var pagesBefore = 0
    private var window: [(row: Int64, score: Int)] = []
    private var isWindowFull = false
    private var foundMore = false
    private var openedInWindow = 0
    private var opened = 0
    private var byteCount = 0
    private let begin = ContinuousClock.now

    init(limit: Int, page: Int) {
        self.limit = limit
        self.page = page
    }

    /// Returns whether to go on; it is asked before each candidate is opened.
    mutating func mayContinue() -> Bool {
        if foundMore { return false }
        if isWindowFull && isInWindow && !isLastOfWindow { return false }
        opened += 1
        openedInWindow += 1
        let timeCounts = opened > Self.candidateCountMin || byteCount > Self.byteCountMin
        isCutShort = opened > Self.candidateCountMax || (timeCounts && begin.duration(to: .now) > Self.durationMax)
        return !isCutShort
    }

    /// Counts the bytes of a candidate's text that was looked at.
    mutating func looked(at byteCount: Int) { self.byteCount += byteCount }

    mutating func add(_ row: Int64, score: Int) {
        if isWindowFull {
            // The first match behind a full window: all that the page needs to know, or the begin of the next window.
            if isInWindow {
                foundMore = true
                return
            }
            pagesBefore += window.count / limit
            window = []
            isWindowFull = false
            openedInWindow = 0
        }
        window.append((row, score))
        let wholePages = window.count % limit == 0
        isWindowFull =
            wholePages && (window.count / limit >= Self.windowPagesMax || openedInWindow >= Self.windowCandidateCount)
    }

    /// Rows of the page, best first.
    var shown: [Int64] {
        guard isInWindow else { return [] }
        let ranked = window.sorted { ($0.score, $0.row) > ($1.score, $1.row) }
        return ranked.dropFirst((page - 1 - pagesBefore) * limit).prefix(limit).map(\.row)
    }

    /// Whether there is another page.
    var hasMore: Bool { foundMore || (isInWindow && !isLastOfWindow) }

    private var isInWindow: Bool { page - 1 >= pagesBefore && page - 1 < pagesBefore + pagesOfWindow }
    private var isLastOfWindow: Bool { page == pagesBefore + pagesOfWindow }
    private var pagesOfWindow: Int { (window.count + limit - 1) / limit }
}
