// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// A file that an import could not hand to the agent: the client's part of the report of losses.
public struct SkippedFile: Sendable, Equatable {
    public enum Reason: UInt8, Sendable, CaseIterable {
        case symbolicLink = 1
        case notAFile = 2
        case tooLarge = 3
        case unreadable = 4
        case pathTooLong = 5
        case tooDeep = 6
        case notParsed = 7

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
            case .tooDeep: "it lies more than 64 folders deep"
            case .notParsed: "it could not be decoded"
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

    func encode(to writer: inout ByteWriter) {
        writer.text(path)
        writer.u8(reason.rawValue)
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        path = try reader.text(max: 16384)
        guard let reason = Reason(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.reason = reason
    }
}

extension ByteReader {
    mutating func skippedFiles() throws(FormatError) -> [SkippedFile] {
        let count = try u32()
        // Each is at least five bytes: no more are believed than can be there.
        guard Int(count) <= remaining / 5 else { throw FormatError(.tooLarge, offset: offset) }
        var files: [SkippedFile] = []
        for _ in 0..<count { files.append(try SkippedFile(from: &self)) }
        return files
    }
}
