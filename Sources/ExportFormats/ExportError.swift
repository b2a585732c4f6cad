// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Why an export did not succeed. It holds no title, name or text.
public struct ExportError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        /// All codes, for the one exhaustive switch to exit codes.
        package enum Kind: Sendable, CaseIterable {
            case badPath, badIdentifier, exists, notOurs, noRoom, writeFailed, sizeChanged
        }
        package let kind: Kind

        /// A path has an empty, "." or ".." part, a "/" or NUL in a part, or is too long. The writers make none.
        public static let badPath = Code(kind: .badPath)
        /// An identifier is not base32 of its size.
        public static let badIdentifier = Code(kind: .badIdentifier)
        /// Something lies already where a file or folder was to be made, a symbolic link perhaps. Nothing was replaced.
        public static let exists = Code(kind: .exists)
        /// A folder became a link, or another's, while it was written to.
        public static let notOurs = Code(kind: .notOurs)
        /// The disk is full or read-only.
        public static let noRoom = Code(kind: .noRoom)
        public static let writeFailed = Code(kind: .writeFailed)
        /// An attachment's content was longer or shorter than its record says: the export is not whole.
        public static let sizeChanged = Code(kind: .sizeChanged)
    }

    /// Compare this.
    public let code: Code
    /// errno of the call that failed; 0 if none did.
    public let systemNumber: Int32

    public init(_ code: Code, systemNumber: Int32 = 0) {
        self.code = code
        self.systemNumber = systemNumber
    }
}
