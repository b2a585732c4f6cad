// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A directory that cannot be inspected.
public struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// Missing, not a directory, or a link.
        public static let notADirectory = Code(raw: 1)
        /// It may not be read.
        public static let notReadable = Code(raw: 2)
        /// More than 10,000 names.
        public static let tooManyFiles = Code(raw: 3)
    }

    /// Compare this.
    public let code: Code

    /// For people.
    public var description: String {
        switch code {
        case .notADirectory: "not a directory, or a link to one"
        case .tooManyFiles: "more than \(InspectedDirectory.fileCountMax) files: this is not a vault"
        default: "the directory cannot be read"
        }
    }

    init(_ code: Code) { self.code = code }
}
