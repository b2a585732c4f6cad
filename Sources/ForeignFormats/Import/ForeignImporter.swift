// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ForeignRecords

/// Reads one format. A container is read as often as the importer asks: first to learn what is in it, last to deliver
/// the notes.
protocol ForeignImporter {
    /// - Parameter pass: 0 for the first reading.
    /// - Returns: whether it has to see the container again.
    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool
}

/// The formats whose containers `vault-parse` reads.
public enum ContainerFormat: String, Sendable, CaseIterable {
    case markdown
    case obsidian
    case joplin
    case standardnotes
    case enex
    case jrnl
    case pass
    /// The vault's own export.
    case json

    /// Archive formats of a single file; any other file stands for itself.
    public var isArchived: Bool { self == .joplin || self == .standardnotes || self == .json || self == .markdown }

    private func importer(_ kind: SourceKind) -> any ForeignImporter {
        switch self {
        case .markdown: MarkdownFolderImport(.markdown)
        case .obsidian: MarkdownFolderImport(.obsidian)
        case .joplin: JoplinImport()
        case .standardnotes: StandardNotesImport(kind)
        case .enex: EvernoteImport(kind)
        case .jrnl: JournalImport(kind)
        case .pass: PasswordStoreImport()
        case .json: VaultJSONImport()
        }
    }

    /// Reads a container to its end. Whatever it holds, the last record is a summary.
    public func run(_ source: any EntrySource, _ output: ImportOutput, kind: SourceKind = .file) {
        var importer = importer(kind)
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

/// What an importer reads: it decides which names mean something.
public enum SourceKind: Sendable {
    /// One file that somebody named: it is read whatever it is called.
    case file
    /// The files in an archive.
    case archive
    /// The files of a folder.
    case folder
}

/// Why a whole container was given up.
public struct ImportFailure: Error, Sendable, Equatable {
    public let reason: RefusedEntry.Reason
    /// The entry that did it, if it was one; any bytes.
    public let path: [UInt8]

    public init(_ reason: RefusedEntry.Reason, path: [UInt8] = []) {
        self.reason = reason
        self.path = path
    }
}
