// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `PasswordStoreImport` reads the entries of pass, decrypted by its owner's gpg: path and text. Each becomes a private
/// note with the text as it is.
struct PasswordStoreImport: ForeignImporter {
    private static let contentByteCountMax = 1 << 20

    private var known: Set<String> = []
    private var folders: Set<String> = []

    init(_ kind: SourceKind) {}

    static func recognition(of view: SourceView) -> Recognition {
        if view.hasName(".obsidian") { return .none }
        if view.hasName(".gpg-id") || view.hasName(".age-recipients") { return .certain }
        return view.files.contains { $0.ending == "gpg" || $0.ending == "age" } ? .likely : .none
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                output.refuse(refusal, entry.path)
                continue
            }
            guard !entry.path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") })
            else { continue }
            output.found.notes += 1
            guard let path = String(validating: Self.stem(entry.path), as: UTF8.self), !path.isEmpty else {
                output.refuse(.unsafePath, entry.path)
                continue
            }
            guard let bytes = try source.readAll(max: Self.contentByteCountMax) else {
                output.refuse(.tooLarge, entry.path)
                continue
            }
            guard !source.isCutShort else {
                output.refuse(.damaged, entry.path)
                continue
            }
            try output.remember(byteCount: path.utf8.count)
            guard known.insert(path).inserted else {
                output.refuse(.duplicate, entry.path)
                continue
            }
            let folder = ObsidianIndex.folder(path)
            if !folder.isEmpty, folders.insert(folder).inserted { output.found.notebooks += 1 }
            output.deliver(Self.note(path, bytes, entry))
        }
        return false
    }

    private static func note(_ path: String, _ bytes: [UInt8], _ entry: SourceEntry) -> ParsedNote {
        var note = NoteAssembly(sourceKey: path)
        // The first line is the secret: it must never become the title.
        note.setTitle(ObsidianIndex.name(path))
        note.setNotebook(ObsidianIndex.folder(path))
        note.setTimes(created: nil, updated: entry.modified)
        note.setBody(MarkdownText(bytes, &note.losses).bytes)
        note.insert(.isPrivate)
        return note.finished()
    }

    private static func stem(_ path: [UInt8]) -> ArraySlice<UInt8> {
        for ending in [".gpg", ".age"] where path.suffix(4).elementsEqual(ending.utf8) { return path.dropLast(4) }
        return path[...]
    }
}
