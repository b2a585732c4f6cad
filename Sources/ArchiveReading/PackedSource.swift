// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ForeignFormats
internal import ParserProtocol

/// `PackedSource` opens a file that is an archive or stands for itself, as its first bytes say: some backups are given
/// as they are or packed.
public enum PackedSource {
    /// Returns the files of the archive if the file is one, else the file itself.
    ///
    /// - Parameter container: has one file.
    public static func opening(_ container: any EntrySource, limits: ArchiveLimits = ArchiveLimits()) -> any EntrySource
    {
        let peeking = PeekingSource(container)
        return peeking.looksPacked ? ArchiveSource(peeking, limits: limits) : peeking
    }
}

/// `PeekingSource` gives the first piece of the first file twice.
private final class PeekingSource: EntrySource {
    private let container: any EntrySource
    private var first: SourceEntry?
    private var piece: [UInt8]?
    private var failure: ImportFailure?

    init(_ container: any EntrySource) {
        self.container = container
        do throws(ImportFailure) {
            first = try container.nextEntry()
            if let first, first.refusal == nil { piece = try container.readPiece() }
        } catch {
            failure = error
        }
    }

    /// Whether the content is not JSON. A zip begins with "PK"; JSON with "{" or a mark before it, so what has neither
    /// is taken for a tar.
    var looksPacked: Bool {
        let text = (piece ?? []).drop { [0x20, 9, 10, 13, 0xEF, 0xBB, 0xBF].contains($0) }
        return text.first != UInt8(ascii: "{")
    }

    var isCutShort: Bool { container.isCutShort }

    func nextEntry() throws(ImportFailure) -> SourceEntry? {
        if let failure { throw failure }
        if let entry = first {
            first = nil
            return entry
        }
        piece = nil
        return try container.nextEntry()
    }

    func readPiece() throws(ImportFailure) -> [UInt8] {
        if let known = piece {
            piece = nil
            return known
        }
        return try container.readPiece()
    }

    func rewind() throws(ImportFailure) {
        (first, piece) = (nil, nil)
        try container.rewind()
    }
}
