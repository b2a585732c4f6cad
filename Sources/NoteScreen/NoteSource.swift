// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `NoteSource` gives the rows of a list or of what a search has found, as they are needed: a page of them is read when
/// one of its rows is shown, however long the list is.
struct NoteSource {
    private(set) var place = ListPlace.live
    /// Words and filters; empty for the whole list.
    private(set) var query = ""
    private var pages: [Int: [NoteRow]] = [:]
    /// How many rows there are; nil while that is not known.
    private(set) var count: Int?
    /// There are at least so many.
    private(set) var countMin = 0

    /// Rows that are asked for at once: those of most screens.
    private static let pageRowCount = 64
    /// Pages that are kept; others are read again.
    private static let pageCountMax = 64

    /// It was told to forget its rows, and their places may be others now.
    var isFresh = false

    init(place: ListPlace = .live, query: String = "") { (self.place, self.query) = (place, query) }

    /// Reads everything anew when it is shown next.
    mutating func forget() {
        pages = [:]
        (count, countMin) = (nil, 0)
        isFresh = true
    }

    /// Returns a row; nil behind the last one.
    mutating func row(_ index: Int, _ agent: ScreenAgent) throws(ClientFailure) -> NoteRow? {
        guard index >= 0, count.map({ index < $0 }) ?? true else { return nil }
        let number = index / Self.pageRowCount
        if pages[number] == nil {
            if pages.count >= Self.pageCountMax { pages = [:] }
            pages[number] = try page(number, agent)
        }
        let page = pages[number] ?? []
        let at = index % Self.pageRowCount
        return at < page.count ? page[at] : nil
    }

    private mutating func page(_ number: Int, _ agent: ScreenAgent) throws(ClientFailure) -> [NoteRow] {
        guard query.isEmpty || place != .live else { return try foundPage(number, agent) }
        var list = ListNotes()
        (list.place, list.filter) = (place, query)
        (list.limit, list.page) = (UInt32(Self.pageRowCount), UInt32(clamping: number + 1))
        let replies = try agent.ask(list)
        let rows = replies.flatMap(\.notes)
        if let total = replies.last?.total { count = total }
        learn(number, rows.count, hasMore: replies.last?.hasMore ?? false)
        return rows
    }

    private mutating func foundPage(_ number: Int, _ agent: ScreenAgent) throws(ClientFailure) -> [NoteRow] {
        var search = SearchNotes(query: query)
        (search.limit, search.page) = (UInt32(Self.pageRowCount), UInt32(clamping: number + 1))
        let replies = try agent.ask(search)
        let rows = replies.flatMap(\.hits).map(\.note)
        learn(number, rows.count, hasMore: replies.last?.hasMore ?? false)
        return rows
    }

    private mutating func learn(_ number: Int, _ rowCount: Int, hasMore: Bool) {
        // A page behind the end says nothing of where that is.
        guard rowCount > 0 || number == 0 else { return }
        let known = number * Self.pageRowCount + rowCount
        countMin = max(countMin, known)
        if !hasMore, count == nil { count = known }
    }
}
