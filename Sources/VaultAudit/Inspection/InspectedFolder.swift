// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `InspectedFolder` is a folder within a vault's directory, and holds what its listing tells.
public struct InspectedFolder: Encodable, Sendable, Equatable {
    /// From the vault's directory on, e.g. `objects/ab`; bytes other than printable ASCII as `\xNN`.
    public let path: String
    /// In the order of their names.
    public let files: [InspectedFile]
    public let isReadable: Bool

    /// Reads all folders beneath one, to a depth of three; a vault has no deeper ones.
    static func below(_ directory: InspectedDirectory, _ files: [InspectedFile], path: String = "", depth: Int = 3)
        throws(InspectionError)
        -> [InspectedFolder]
    {
        var folders: [InspectedFolder] = []
        for file in files where file.kind == "directory" && depth > 0 {
            let name = path.isEmpty ? file.name : path + "/" + file.name
            guard let inner = directory.folder(file.bytes) else {
                folders.append(InspectedFolder(path: name, files: [], isReadable: false))
                continue
            }
            let listed = try inner.files()
            folders.append(InspectedFolder(path: name, files: listed, isReadable: true))
            folders += try below(inner, listed, path: name, depth: depth - 1)
        }
        return folders
    }
}

/// `InspectedFile` holds one name in a vault's directory, and what the file system tells of it.
public struct InspectedFile: Encodable, Sendable, Equatable {
    /// Bytes other than printable ASCII as `\xNN`.
    public let name: String
    /// `file`, `directory`, `link` or `other`.
    public let kind: String
    public let byteCount: Int
    /// Permission bits in octal, e.g. `600`.
    public let mode: String
    /// Last change of the content, RFC 3339 in UTC.
    public let modified: String
    /// The name as it is.
    let bytes: [UInt8]
    /// The time of the last change since 1970.
    let seconds: Int

    private enum CodingKeys: CodingKey { case name, kind, byteCount, mode, modified }

    init(bytes: [UInt8], kind: String, byteCount: Int, mode: String, modified: String, seconds: Int) {
        self.bytes = bytes
        name = PrintableText.escaped(bytes)
        self.kind = kind
        self.byteCount = byteCount
        self.mode = mode
        self.modified = modified
        self.seconds = seconds
    }
}

/// `InspectedTotals` holds what sizes, counts and times say of a vault to somebody without its password. Spec:
/// docs/format.md §15.
public struct InspectedTotals: Encodable, Sendable, Equatable {
    /// Attachments: an object each, of padded size.
    public let objectCount: Int
    public let objectByteCount: Int
    /// The sizes that objects have, each as often as it occurs, smallest first.
    public let objectSizes: [Int]
    /// Objects that no row names any longer.
    public let quarantinedCount: Int
    /// Texts that are being edited or were not saved.
    public let draftCount: Int
    /// Pages of 4,096 bytes in the database files: with how much is written in all, not with how many notes.
    public let indexPageCount: Int
    /// Since the log was emptied last; 0 when the vault was closed.
    public let logByteCount: Int
    /// The newest time of any file, RFC 3339 in UTC.
    public let lastWritten: String?
    /// Folders that cannot be read: their content is not counted.
    public let unreadableCount: Int

    init(_ files: [InspectedFile], _ folders: [InspectedFolder]) {
        func regular(_ path: (String) -> Bool) -> [InspectedFile] {
            folders.filter { path($0.path) }.flatMap(\.files).filter { $0.kind == "file" }
        }
        let objects = regular { $0.hasPrefix("objects/") && $0 != "objects/quarantine" }
        objectCount = objects.count
        objectSizes = objects.map(\.byteCount).sorted()
        objectByteCount = Self.sum(objectSizes)
        quarantinedCount = regular { $0 == "objects/quarantine" }.count
        draftCount = regular { $0 == "drafts" }.count
        let indexes = files.filter { $0.kind == "file" && $0.name.hasPrefix("index-") }
        indexPageCount = Self.sum(indexes.filter { $0.name.hasSuffix(".db") }.map { $0.byteCount / 4096 })
        logByteCount = Self.sum(indexes.filter { $0.name.hasSuffix(".db-wal") }.map(\.byteCount))
        lastWritten =
            (files + folders.flatMap(\.files)).filter { $0.kind == "file" }.max { $0.seconds < $1.seconds }?.modified
        unreadableCount = folders.count { !$0.isReadable }
    }

    /// Returns the sum of sizes. Sparse files may claim any size: what does not fit is the largest number there is.
    static func sum(_ sizes: [Int]) -> Int {
        sizes.reduce(0) { total, size in
            let (sum, isTooLarge) = total.addingReportingOverflow(size)
            return isTooLarge ? .max : sum
        }
    }

    var lines: [String] {
        let sizes =
            objectSizes.isEmpty
            ? ""
            : ", of \(objectSizes[0]) to \(objectSizes[objectSizes.count - 1]) bytes as padded, \(objectByteCount) in all"
        return [
            "what this reveals", "  attachments  \(objectCount)\(sizes)", "  drafts       \(draftCount)",
            "  index        \(indexPageCount) pages of 4096 bytes",
            "  log          "
                + (logByteCount == 0
                    ? "empty: closed, or emptied since it was written last"
                    : "\(logByteCount) bytes since it was emptied"),
            "  quarantined  \(quarantinedCount)", "  last written \(lastWritten ?? "never")",
        ] + (unreadableCount == 0 ? [] : ["  INCOMPLETE   \(unreadableCount) folders cannot be read"])
    }
}
