// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

/// What `ls`, `trash ls` and `template ls` are told.
public struct ListOptions: Sendable, Equatable {
    /// Words and filters, as `search` takes them.
    public var filter: [String] = []
    public var count = false
    public var long = false
    public var all = false
    public var archived = false
    public var limit: UInt32 = 20
    public var page: UInt32 = 1
    public var tag: String?
    public var notebook: String?
    public var sort: SortChoice?
    public var reverse = false
    public var since: String?
    public init() {}

    /// The request's form.
    public func query(_ place: ListPlace) -> ListNotes {
        var query = ListNotes()
        query.place = archived && place == .live ? .archive : place
        query.tag = tag
        query.notebook = notebook
        query.filter = SinceFilter.joined(filter, since: since)
        query.sort = sort?.key ?? .modified
        query.reverse = reverse
        query.countOnly = count
        query.long = long
        query.limit = all ? 0 : limit
        query.page = page
        return query
    }
}

/// What `search` is told.
public struct SearchOptions: Sendable, Equatable {
    public var words: [String]
    public var limit: UInt32
    public var page: UInt32
    public var sort: SortChoice?
    public var reverse = false
    public var since: String?
    public var regex: String?
    public var all = false
    public init(words: [String] = [], limit: UInt32 = 20, page: UInt32 = 1) {
        self.words = words
        self.limit = limit
        self.page = page
    }

    /// The request's form.
    public var order: SearchNotes {
        var order = SearchNotes(query: SinceFilter.joined(words, since: since))
        order.regex = regex ?? ""
        order.sort = sort?.key
        order.reverse = reverse
        order.limit = limit
        order.page = page
        order.isExhaustive = all
        return order
    }
}

/// What lists are sorted by.
public enum SortChoice: String, Sendable, CaseIterable {
    case modified, created, title, size

    public var key: SortKey {
        switch self {
        case .modified: .modified
        case .created: .created
        case .title: .title
        case .size: .size
        }
    }
}

/// `--since` is a filter like those in the query: "7d" is that long ago, a date its begin.
enum SinceFilter {
    static func joined(_ words: [String], since: String?) -> String {
        guard let since else { return words.joined(separator: " ") }
        let isSpan = since.last.map { "dwmy".contains($0) } ?? false
        return (["modified:" + (isSpan ? since : ">=" + since)] + words).joined(separator: " ")
    }
}
