// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RegexPatternError` says why a pattern cannot be used, or not on this text. It holds neither of them.
public struct RegexPatternError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The pattern breaks the rules of patterns; `message` and `offset` say how and where.
        public static let invalid = Code(raw: 1)
        /// The pattern is empty.
        public static let empty = Code(raw: 2)
        /// The pattern has more than `RegexPattern.byteCountMax` bytes.
        public static let tooLong = Code(raw: 3)
        /// The match took more work or memory than one text may cost.
        public static let tooCostly = Code(raw: 4)
        /// The text is not UTF-8; `offset` is that of the first bad byte.
        public static let notUTF8 = Code(raw: 5)
    }

    /// Compare this.
    public let code: Code
    /// In bytes: where in the pattern it is wrong, or for `notUTF8` where in the text.
    public let offset: Int
    /// A sentence without a full stop; for `invalid` in the words of PCRE2.
    public let message: String

    init(_ code: Code, offset: Int = 0, message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }
}
