// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FormatError` tells of bytes that are not what they should be. It says where, never what stood there.
public struct FormatError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The input ends too early.
        public static let truncated = Code(raw: 1)
        /// Bytes are left after the last field.
        public static let trailingBytes = Code(raw: 2)
        /// A length or count above its cap.
        public static let tooLarge = Code(raw: 3)
        public static let notUTF8 = Code(raw: 4)
        /// A second encoding of a value that has only one.
        public static let notCanonical = Code(raw: 5)
        public static let badMagic = Code(raw: 6)
        /// Made by a newer program.
        public static let unknownVersion = Code(raw: 7)
        /// A feature flag that this program does not know: it may not open what it does not understand.
        public static let unknownFeature = Code(raw: 8)
        public static let unknownKind = Code(raw: 9)
        /// A cost of Argon2id below the floor or above the ceiling.
        public static let costOutOfRange = Code(raw: 10)
        public static let allZero = Code(raw: 11)
        public static let duplicate = Code(raw: 12)
    }

    /// Compare this.
    public let code: Code
    /// First bad byte, in bytes from the start.
    public let offset: Int?
    /// For `.tooLarge`: the length that was there and the longest that is taken, in bytes; nil for a count.
    public let length: (found: Int, max: Int)?

    public init(_ code: Code, offset: Int? = nil, length: (found: Int, max: Int)? = nil) {
        self.code = code
        self.offset = offset
        self.length = length
    }

    /// Compares code and offset: how long it was is a detail, and no other error.
    public static func == (one: FormatError, other: FormatError) -> Bool {
        one.code == other.code && one.offset == other.offset
    }
}
