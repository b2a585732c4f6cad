// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A query that cannot be searched for. It does not hold the query.
public struct SearchQueryError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// Nothing is left to look for: the query is blank, or holds only quotes and combining marks.
        public static let empty = Code(raw: 1)
        /// More than `SearchQuery.needleCountMax` words and phrases.
        public static let tooManyNeedles = Code(raw: 2)
        /// A word or phrase above `SearchQuery.needleByteCountMax` bytes, folded.
        public static let needleTooLong = Code(raw: 3)
    }

    /// Compare this.
    public let code: Code

    init(_ code: Code) { self.code = code }
}
