// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `CalibreImport` reads a calibre library, "Author/Title (7)/metadata.opf" and what lies beside it, or one such file.
///
/// A book is delivered when its folder ends, so that it can name its cover and the files that are left out, wherever in
/// the folder they stand. Its epub or PDF is passed over unread. calibre knows no shelf, so none is told.
struct CalibreImport: ForeignImporter {
    /// The database of the library, which says what the files beside the books say, and its settings.
    private static let libraryFiles: Set<String> = [
        "metadata.db", "metadata_db_prefs_backup.json", "full-text-search.db", "notes.db",
    ]
    private static let coverEndings: Set<String> = ["jpg", "jpeg", "png"]

    private struct Folder {
        let path: [UInt8]
        var book: CalibreBook?
        var coverPath: [UInt8] = []
        var cover: (key: String, name: String, isWhole: Bool)?
        /// Files that are not imported.
        var others: [[UInt8]] = []
    }

    private var folder: Folder?
    private var known: Set<String> = []
    private let kind: SourceKind

    init(_ kind: SourceKind) { self.kind = kind }

    static func recognition(of view: SourceView) -> Recognition {
        switch view.shape {
        case .tar, .zip: return .none
        case .folder:
            guard view.files.contains(where: { $0.name.lowercased() == "metadata.opf" }) else { return .none }
            return view.hasName("metadata.db") ? .certain : .likely
        case .file:
            let isPackage = view.begin.first == 0x3C && view.contains("<package") && view.contains("<metadata")
            return isPackage && view.contains("idpf.org/2007/opf") ? .likely : .none
        }
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                output.refuse(refusal, entry.path)
                continue
            }
            let place = EntryPath.folder(entry.path)
            if folder.map({ !Self.isWithin(place, $0.path) }) ?? true {
                endFolder(output)
                folder = Folder(path: Array(place))
            }
            try take(entry, source, output)
        }
        endFolder(output)
        return false
    }

    /// Returns whether a folder is another one, or the one in it where calibre puts files that are not the book.
    private static func isWithin(_ path: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
        let data = other + Array("/data".utf8)
        return path.elementsEqual(other) || path.elementsEqual(data) || path.starts(with: data + [UInt8(ascii: "/")])
    }

    private mutating func take(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        let name = String(decoding: EntryPath.name(entry.path), as: UTF8.self).lowercased()
        let isInFolder = folder.map { EntryPath.folder(entry.path).elementsEqual($0.path) } ?? false
        let ending = EntryPath.ending(entry.path)
        if kind == .file || (isInFolder && name == "metadata.opf") {
            try readMetadata(entry, source, output)
        } else if isInFolder, folder?.cover == nil, name == "cover." + ending, Self.coverEndings.contains(ending) {
            try sendCover(entry, source, output)
        } else if entry.path.contains(UInt8(ascii: "/")) || !Self.libraryFiles.contains(name) {
            try output.remember(byteCount: entry.path.count)
            folder?.others.append(entry.path)
        }
    }

    private mutating func readMetadata(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        output.found.notes += 1
        guard let bytes = try source.readAll(max: MetadataParser.byteCountMax) else {
            return output.refuse(.tooLarge, entry.path)
        }
        guard !source.isCutShort else { return output.refuse(.damaged, entry.path) }
        let book: CalibreBook
        do throws(MetadataParser.Failure) {
            book = try CalibreBook(bytes, place: String(decoding: EntryPath.folder(entry.path), as: UTF8.self))
        } catch { return output.refuse(error.reason, entry.path) }
        try output.remember(byteCount: book.key.utf8.count)
        guard known.insert(book.key).inserted else { return output.refuse(.duplicate, entry.path) }
        folder?.book = book
    }

    private mutating func sendCover(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        output.found.attachments += 1
        let name = "cover." + EntryPath.ending(entry.path)
        let key = MarkdownTitle.cut(
            "cover/" + String(decoding: entry.path, as: UTF8.self), byteCountMax: AttachmentReference.keyByteCountMax)
        folder?.coverPath = entry.path
        folder?.cover = (key, name, try output.attachment(key: key, name: name, entry, source))
    }

    /// Delivers the book of a folder; files of a folder without one are told one by one.
    private mutating func endFolder(_ output: ImportOutput) {
        guard let folder else { return }
        self.folder = nil
        guard let book = folder.book else {
            for path in folder.others { output.refuse(.unknownKind, path) }
            if folder.cover != nil { output.refuse(.notUsed, folder.coverPath) }
            return
        }
        let endings = Set(folder.others.map { EntryPath.ending($0) }).sorted()
        let parsed = book.parsed(cover: folder.cover, files: endings)
        output.found.tags += UInt64(parsed.tags.count)
        output.deliver(parsed)
    }
}
