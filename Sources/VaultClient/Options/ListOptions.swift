// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

/// What `ls` and `trash ls` are told.
public struct ListOptions: Sendable, Equatable {
    public var count = false
    public var long = false
    public var all = false
    public var limit: UInt32 = 20
    public var page: UInt32 = 1
    public var tag: String?
    public var notebook: String?
    public init() {}

    /// The request's form.
    public func query(trashed: Bool) -> ListQuery {
        var query = ListQuery()
        query.trashed = trashed
        query.tag = tag
        query.notebook = notebook
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
    public init(words: [String] = [], limit: UInt32 = 20, page: UInt32 = 1) {
        self.words = words
        self.limit = limit
        self.page = page
    }
}
