// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `ObsidianImport` reads Obsidian's vault: a folder of Markdown whose links are Obsidian's.
struct ObsidianImport: ForeignImporter {
    private var notes = MarkdownFolderImport(.obsidian)

    init(_ kind: SourceKind) {}

    static func recognition(of view: SourceView) -> Recognition {
        view.hasName(".obsidian") ? .certain : .none
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        try notes.read(source, pass: pass, output)
    }
}
