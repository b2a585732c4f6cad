// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `VaultInspection` holds what a thief learns of a vault's directory without a password.
///
/// Nothing here is verified: a person who can write the files can make them say anything. Links are named, never
/// followed.
public struct VaultInspection: Encodable, Sendable {
    /// Grows when a member changes its meaning.
    public let schema: Int
    /// In the order of their names.
    public let files: [InspectedFile]
    /// Of drafts and attachments, with every file.
    public let folders: [InspectedFolder]
    public let totals: InspectedTotals
    public let headers: [InspectedHeader]

    private static let headerNames = ["header", "header.2"]

    /// Reads the names, sizes and headers in a vault's directory.
    ///
    /// - Parameter path: a directory; where its last part is a link it is refused.
    /// - Throws: `InspectionError`.
    public init(path: String) throws(InspectionError) {
        let directory = try InspectedDirectory(path: path)
        schema = 2
        files = try directory.files()
        folders = try InspectedFolder.below(directory, files)
        totals = InspectedTotals(files, folders)
        headers = Self.headerNames.compactMap { name in
            directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax + 1).map {
                InspectedHeader(name: name, bytes: $0)
            }
        }
    }

    /// One object without a line feed.
    public var json: String { ReportJSON.encode(self) }

    public var text: String {
        let width = files.map(\.name.count).max() ?? 0
        let listed = files.map { file in
            let name = file.name + String(repeating: " ", count: width - file.name.count)
            return "\(name)  \(file.kind)  \(file.byteCount) bytes  mode \(file.mode)  changed \(file.modified)"
        }
        return (["files"] + listed.map { "  \($0)" } + headers.flatMap(\.lines) + totals.lines).joined(separator: "\n")
    }
}

/// `InspectionError` tells of a directory that cannot be inspected.
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
