// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `SourceEntry` is a file of a container, before its content is read.
public struct SourceEntry: Sendable, Equatable {
    /// Relative, without "." and ".."; perhaps not UTF-8.
    public let path: [UInt8]
    /// In milliseconds since 1970; nil if not known or out of `ParsedNote.times`.
    public let modified: Int64?
    /// Why the entry must not be read as a file; then it has no content.
    public let refusal: RefusedEntry.Reason?

    public init(path: [UInt8], modified: Int64?, refusal: RefusedEntry.Reason? = nil) {
        self.path = path
        self.modified = modified.flatMap { ParsedNote.times.contains($0) ? $0 : nil }
        self.refusal = refusal
    }
}

/// An `EntrySource` gives the files of a folder or of an archive, one after the other, as often as an importer has to
/// see them.
public protocol EntrySource: AnyObject {
    /// Returns the next file; what was left of the last one is passed over. Nil at the end.
    func nextEntry() throws(ImportFailure) -> SourceEntry?
    /// Returns the next piece of the file, at most 64 KiB; empty at its end.
    func readPiece() throws(ImportFailure) -> [UInt8]
    /// Whether the file's content ended before it should have.
    var isCutShort: Bool { get }
    /// Starts again from the first file; the same files come in the same order.
    func rewind() throws(ImportFailure)
}

extension EntrySource {
    /// Returns all of the file.
    ///
    /// - Returns: nil if it has more than `max` bytes.
    func readAll(max: Int) throws(ImportFailure) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let piece = try readPiece()
            if piece.isEmpty { return bytes }
            guard piece.count <= max - bytes.count else { return nil }
            bytes += piece
        }
    }
}

/// `CutSource` is an archive that may break off: the files before the break are given anyway, and the break is told at
/// the end.
final class CutSource: EntrySource {
    private let source: any EntrySource
    private var last: [UInt8] = []
    /// Where it broke off.
    private(set) var fault: ImportFailure?

    init(_ source: any EntrySource) { self.source = source }

    var isCutShort: Bool { source.isCutShort }

    func nextEntry() throws(ImportFailure) -> SourceEntry? {
        do throws(ImportFailure) {
            let entry = try source.nextEntry()
            if let entry { last = entry.path }
            return entry
        } catch {
            // Before its first file it is no archive at all.
            guard error.reason == .malformedContainer, !last.isEmpty else { throw error }
            fault = ImportFailure(error.reason, path: Array("after ".utf8) + last)
            return nil
        }
    }

    func readPiece() throws(ImportFailure) -> [UInt8] { try source.readPiece() }

    func rewind() throws(ImportFailure) {
        last = []
        try source.rewind()
    }
}

/// `PeekedSource` is one file whose first piece has been looked at and is given again.
final class PeekedSource: EntrySource {
    let first: [UInt8]
    private let source: any EntrySource
    private var isFirst = true

    init(_ source: any EntrySource) throws(ImportFailure) {
        self.source = source
        first = try source.readPiece()
    }

    var isCutShort: Bool { source.isCutShort }

    func nextEntry() throws(ImportFailure) -> SourceEntry? { nil }

    func readPiece() throws(ImportFailure) -> [UInt8] {
        if isFirst {
            isFirst = false
            return first
        }
        return try source.readPiece()
    }

    func rewind() throws(ImportFailure) { isFirst = true }
}
