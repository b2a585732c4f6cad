// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JoplinImport` reads Joplin's RAW folder, or the same in a tar file (JEX).
///
/// The order of the files is any, so it is read three times: what is there, then the files that notes show, then the
/// notes.
struct JoplinImport: ForeignImporter {
    /// A note with its tail; ciphertext of encrypted items may be longer than the text was.
    private static let itemByteCountMax = 24 << 20

    private var index = JoplinIndex()
    private var sent: Set<ForeignID> = []

    init(_ kind: SourceKind) {}

    static func recognition(of view: SourceView) -> Recognition {
        // A tar is one of its own exports when it is called so; the vault's own JSON comes in one, too.
        if view.shape == .tar {
            let ending = view.question.name.map(SourceView.lower).suffix(4)
            return ending.elementsEqual(".jex".utf8) ? .certain : .likely
        }
        let notes = view.files.filter(\.isMarkdown)
        return !notes.isEmpty && notes.allSatisfy { isItem($0.stem) } ? .likely : .none
    }

    /// Returns whether a name is 32 hexadecimal digits.
    private static func isItem(_ stem: String) -> Bool {
        stem.utf8.count == 32 && stem.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if pass == 0 { output.refuse(refusal, entry.path) }
            } else if let id = Self.fileID(entry.path) {
                try take(file: id, entry, source, pass, output)
            } else if let id = Self.itemID(entry.path) {
                if pass != 1 { try take(item: id, entry, source, pass, output) }
            } else if pass == 0 {
                output.refuse(.unknownKind, entry.path)
            }
        }
        return pass < 2
    }

    private mutating func take(
        file id: ForeignID, _ entry: SourceEntry, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        switch pass {
        case 0:
            try output.remember(byteCount: 0)
            if index.files.insert(id).inserted {
                output.found.attachments += 1
            } else {
                output.refuse(.duplicate, entry.path)
            }
        case 1:
            guard index.named.contains(id) else { return output.refuse(.notUsed, entry.path) }
            guard sent.insert(id).inserted else { return }
            let known = index.resource(id)
            let dated = SourceEntry(path: entry.path, modified: known?.updated ?? entry.modified)
            let name = known?.name ?? String(decoding: EntryPath.name(entry.path), as: UTF8.self)
            try output.attachment(key: JoplinNote.key(ofFile: id), name: name, dated, source)
        default: break
        }
    }

    private mutating func take(
        item id: ForeignID, _ entry: SourceEntry, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        guard let bytes = try source.readAll(max: Self.itemByteCountMax) else {
            if pass == 0 { output.refuse(.tooLarge, entry.path) }
            return
        }
        var losses = MarkdownLosses()
        guard !source.isCutShort, let item = JoplinItem(MarkdownText(bytes, &losses).bytes) else {
            if pass == 0 { output.refuse(.damaged, entry.path) }
            return
        }
        guard pass == 0 else {
            guard item.kind == .note, !item.isEncrypted, sent.insert(id).inserted else { return }
            return output.deliver(JoplinNote.note(item, id, index, losses))
        }
        guard let kind = item.kind else { return output.refuse(.unknownKind, entry.path) }
        if kind == .masterKey { return }
        if kind == .revision { return output.refuse(.oldVersion, entry.path) }
        if item.isEncrypted {
            if kind == .note { output.found.notes += 1 }
            return output.refuse(.encrypted, entry.path)
        }
        if try !index.add(item, id, kind, output) { output.refuse(.duplicate, entry.path) }
    }

    /// Returns the identifier of a file at `resources/<id>.<ext>`, at any depth.
    private static func fileID(_ path: [UInt8]) -> ForeignID? {
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard parts.count >= 2, parts[parts.count - 2].elementsEqual("resources".utf8), let name = parts.last else {
            return nil
        }
        guard name.count == ForeignID.digitCount || name.dropFirst(ForeignID.digitCount).first == UInt8(ascii: ".")
        else { return nil }
        return ForeignID(name.prefix(ForeignID.digitCount))
    }

    /// Returns the identifier of an item at `<id>.md`, at any depth.
    private static func itemID(_ path: [UInt8]) -> ForeignID? {
        let name = EntryPath.name(path)
        guard name.count == ForeignID.digitCount + 3, name.suffix(3).elementsEqual(".md".utf8) else { return nil }
        return ForeignID(name.prefix(ForeignID.digitCount))
    }
}
