// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SearchText

/// A `NoteOrder` says what a filtered list is sorted by.
public enum NoteOrder: Sendable, Equatable {
    case modified, created, title, size
    /// The best first: by where the words are, then the newest.
    case rank
}

/// A `FilteredSearch` says what `FilteredScan` is to look for.
public struct FilteredSearch: Sendable {
    public var query: NoteQuery?
    /// A pattern that title or text must match; empty for none.
    public var regex = ""
    public var places: [NotePlace] = [.live]
    public var tag: String?
    public var notebook: String?
    /// Where the changes of the notes are.
    public var upload: UploadState?
    public var order = NoteOrder.modified
    public var reverse = false
    /// Notes on a page; from 1.
    public var limit = 20
    public var page = 1
    /// Every note is looked at, however long it takes; else the scan ends after a while, and says so.
    public var isExhaustive = false
    /// All that fit, without pages.
    public var isWhole = false
    /// They are counted, not listed.
    public var countsOnly = false
    public init() {}
}

/// `ScanLimits` says how much a scan looks at.
struct ScanLimits {
    var stepDuration = Duration.milliseconds(10)
    var stepMin = 20
    var durationMax = Duration.milliseconds(400)
    /// Fewest notes that are looked at, however long it takes: a busy machine must not make a small vault's answer
    /// incomplete.
    var lookedMin = 20_000
    var byteCountMin = 8 << 20
    /// Fewest notes that are counted after a page that is full, so that a small vault's lists say how many there are.
    var countedMin = 2_000
    /// Of so many that may fit at all each is looked at, whatever the order.
    var fewCount = 2_000
    /// Most notes that are still fewer than a large vault has.
    var manyCount = 50_000
    /// Of so many notes each time a list by creation, title or size is given the best, where its page ends before as
    /// many.
    var bestOfCount = 10_000
    var bestCount = 1_000
    /// Rows of the search table that are taken out at once.
    var wordCount = 4_000
}
