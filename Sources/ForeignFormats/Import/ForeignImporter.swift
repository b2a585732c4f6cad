// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// A `ForeignImporter` reads one format. A container is read as often as the importer asks: first to learn what is in
/// it, last to deliver the notes.
protocol ForeignImporter {
    init(_ kind: SourceKind)
    /// Returns how well a source fits, by its contents first, then by names.
    static func recognition(of view: SourceView) -> Recognition
    /// Returns whether a file is what an encrypted file of this format looks like: that it is one at all is for the
    /// user to say.
    static func isEncrypted(_ view: SourceView) -> Bool
    /// Reads the container once.
    ///
    /// - Parameter pass: 0 for the first reading.
    /// - Returns: whether it has to see the container again.
    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool
}

extension ForeignImporter {
    static func isEncrypted(_ view: SourceView) -> Bool { false }
}

extension ImportFormat {
    /// What reads it: the only list of importers.
    var importer: any ForeignImporter.Type {
        switch self {
        case .markdown: MarkdownFolderImport.self
        case .obsidian: ObsidianImport.self
        case .joplin: JoplinImport.self
        case .standardnotes: StandardNotesImport.self
        case .enex: EvernoteImport.self
        case .jrnl: JournalImport.self
        case .pass: PasswordStoreImport.self
        case .json: VaultJSONImport.self
        case .goodreads: BookListImport<GoodreadsList>.self
        case .storygraph: BookListImport<StoryGraphList>.self
        case .calibre: CalibreImport.self
        case .kindle: KindleImport.self
        }
    }

    /// Reads a container to its end. Whatever it holds, the last record is a summary.
    public func run(_ source: any EntrySource, _ output: ImportOutput, kind: SourceKind = .file) {
        var importer: any ForeignImporter = importer.init(kind)
        let cut = kind == .archive ? CutSource(source) : nil
        let source = cut ?? source
        do throws(ImportFailure) {
            var pass = 0
            while try importer.read(source, pass: pass, output) {
                pass += 1
                output.again()
                try source.rewind()
            }
            output.finish(cut?.fault)
        } catch {
            output.finish(error)
        }
    }
}

/// `SourceKind` says what an importer reads: it decides which names mean something.
public enum SourceKind: Sendable {
    /// One file that somebody named: it is read whatever it is called.
    case file
    /// The files in an archive.
    case archive
    /// The files of a folder.
    case folder
}

/// `ImportFailure` says why a whole container was given up.
public struct ImportFailure: Error, Sendable, Equatable {
    public let reason: RefusedEntry.Reason
    /// The entry that caused it, if there is one; any bytes.
    public let path: [UInt8]

    public init(_ reason: RefusedEntry.Reason, path: [UInt8] = []) {
        self.reason = reason
        self.path = path
    }
}
