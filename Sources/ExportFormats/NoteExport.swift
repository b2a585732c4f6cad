// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `NoteExport` is a writer of one format. Notes are pushed one by one; after an error nothing more may be pushed and
/// the output is to be thrown away.
public protocol NoteExport: AnyObject {
    /// Adds a note.
    ///
    /// - Throws: `ExportError`, and whatever a sink or an attachment's content throws.
    func add(_ note: ExportedNote) throws

    /// Counts private notes that the caller leaves out because they are locked.
    func leaveOut(privateNotes count: Int)

    /// Writes what comes last, and ends the target. Call it once.
    ///
    /// - Returns: what the format could not carry, in a fixed order.
    func finish() throws -> [ExportLoss]
}

/// An `ExportTarget` takes the files of an export that has several. Names in paths are made by `SafeName`; a target
/// checks them anyway.
public protocol ExportTarget: AnyObject {
    /// Makes a folder, before anything in it. Its parents are there.
    ///
    /// - Parameter modified: milliseconds since 1970, UTC.
    func addFolder(_ path: [String], modified: Int64) throws

    /// Makes a file from exactly `byteCount` bytes.
    ///
    /// - Throws: `ExportError.sizeChanged` if the content is longer or shorter.
    func addFile(_ path: [String], byteCount: UInt64, modified: Int64, content: (ByteSink) throws -> Void) throws

    /// Ends the export. Nothing can be added afterwards.
    func finish() throws
}

extension ExportTarget {
    func addFile(_ path: [String], modified: Int64, bytes: [UInt8]) throws {
        try addFile(path, byteCount: UInt64(bytes.count), modified: modified) { sink in try sink(bytes.span) }
    }
}

/// `ExportPath` checks paths within an export: relative, and never out of it.
enum ExportPath {
    private static let partByteCountMax = 255
    static let depthMax = 64

    /// Checks a path, part by part.
    ///
    /// - Throws: `ExportError.badPath`.
    static func check(_ path: [String]) throws(ExportError) {
        guard (1...depthMax).contains(path.count) else { throw ExportError(.badPath) }
        for part in path {
            guard (1...partByteCountMax).contains(part.utf8.count), part != ".", part != "..",
                part.utf8.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "/") })
            else { throw ExportError(.badPath) }
        }
    }
}

/// `ExportError` says why an export did not succeed. It holds no title, name or text.
public struct ExportError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        /// `Kind` lists all codes, for the one exhaustive switch to exit codes.
        package enum Kind: Sendable, CaseIterable {
            case badPath, badIdentifier, exists, notOurs, noRoom, writeFailed, sizeChanged
        }
        package let kind: Kind

        /// A path has an empty, "." or ".." part, a "/" or NUL in a part, or is too long. The writers make none.
        public static let badPath = Code(kind: .badPath)
        /// An identifier is not base32 of its size.
        public static let badIdentifier = Code(kind: .badIdentifier)
        /// The name of a file or folder to be made is already in use, perhaps by a symbolic link. Nothing was replaced.
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
