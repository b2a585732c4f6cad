// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ParsedNote {
    /// Where the source says a note stands. The bits are those of the record: never reused.
    public struct Flags: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let pinned = Flags(rawValue: 1)
        public static let archived = Flags(rawValue: 2)
        public static let trashed = Flags(rawValue: 4)
        /// It holds a secret, so it has to become a private note.
        public static let isPrivate = Flags(rawValue: 8)
        /// Others are made after it.
        public static let template = Flags(rawValue: 16)
        /// The source names no zone for the time: it was read in the one that the reader was given.
        public static let createdWithoutZone = Flags(rawValue: 32)
        public static let updatedWithoutZone = Flags(rawValue: 64)
        static let known: UInt8 = 127
    }
}
