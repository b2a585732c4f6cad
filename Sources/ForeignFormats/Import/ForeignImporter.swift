// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Reads one format. A container is read as often as the importer asks: first to learn what is in it, last to deliver the notes.
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
    public var isArchived: Bool { self == .joplin || self == .standardnotes || self == .json }

    private var importer: any ForeignImporter {
        switch self {
        case .markdown: MarkdownFolderImport(.markdown)
        case .obsidian: MarkdownFolderImport(.obsidian)
        case .joplin: JoplinImport()
        case .standardnotes: StandardNotesImport()
        case .enex: EvernoteImport()
        case .jrnl: JournalImport()
        case .pass: PasswordStoreImport()
        case .json: VaultJSONImport()
        }
    }

    /// Reads a container to its end. Whatever it holds, the last record is a summary.
    public func run(_ source: any EntrySource, _ output: ImportOutput) {
        var importer = importer
        do throws(ImportFailure) {
            var pass = 0
            while try importer.read(source, pass: pass, output) {
                pass += 1
                output.again()
                try source.rewind()
            }
            output.finish(nil)
        } catch {
            output.finish(error)
        }
    }
}
