// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SkippedFile` names a file that an import could not hand to the agent: the client's part of the report of what was
/// left out.
public struct SkippedFile: Sendable, Equatable {
    public enum Reason: UInt8, Sendable, CaseIterable {
        case symbolicLink = 1
        case notAFile = 2
        case tooLarge = 3
        case unreadable = 4
        case pathTooLong = 5
        case tooDeep = 6
        case notParsed = 7
        case notDecrypted = 8

        /// The name in JSON, under `losses[].code`.
        public var scriptName: String {
            switch self {
            case .symbolicLink: "symbolicLink"
            case .notAFile: "notAFile"
            case .tooLarge: "fileTooLarge"
            case .unreadable: "unreadable"
            case .pathTooLong: "pathTooLong"
            case .tooDeep: "tooDeep"
            case .notParsed: "notParsed"
            case .notDecrypted: "notDecrypted"
            }
        }

        /// What a person is told after the file's name.
        public var sentence: String {
            switch self {
            case .symbolicLink: "it is a symbolic link; links are not followed"
            case .notAFile: "it is not a regular file"
            case .tooLarge: "it is larger than 16 MiB"
            case .unreadable: "it cannot be read"
            case .pathTooLong: "its path is too long"
            case .tooDeep: "it is more than 64 folders deep"
            case .notParsed: "it could not be decoded"
            case .notDecrypted: "it could not be decrypted"
            }
        }
    }

    /// Relative to the folder; what is not UTF-8 is escaped. At most 16,384 bytes.
    public var path: String
    public var reason: Reason

    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}
