// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A sealed database that cannot be opened or used.
public struct SealedSQLiteError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The log was damaged or cut within what was acknowledged, or a page is not authentic.
        public static let damaged = Code(raw: 1)
        /// The file is missing, is not a regular file, is linked from elsewhere, or is another user's.
        public static let notAFile = Code(raw: 2)
        /// SQLite opened something else than our sealed file: nothing may be written to it.
        public static let notSealed = Code(raw: 3)
        /// The disk is full or read-only.
        public static let noRoom = Code(raw: 5)
        /// The operating system refused.
        public static let inputOutput = Code(raw: 4)
    }

    /// Compare this.
    public let code: Code
    public init(_ code: Code) { self.code = code }
}
