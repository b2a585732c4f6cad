// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `EvernoteImport` reads Evernote's ENEX: notes with their files in one XML file. It is read twice, because links name
/// their notes by title.
struct EvernoteImport: ForeignImporter {
    private static let shortByteCountMax = 64 << 10
    /// What Evernote knows of a note besides, and a person may want to.
    private static let keptAttributes: Set<String> = [
        "source-url", "author", "latitude", "longitude", "altitude", "reminder-time", "reminder-done-time",
    ]

    private var titles = NoteTitles()
    private var uses: [String: Int] = [:]
    /// Numbers of notes that cannot be read, by the number of their file.
    private var damaged: [Int: Set<Int>] = [:]
    private var faults: [ImportFailure] = []
    let kind: SourceKind

    init(_ kind: SourceKind) { self.kind = kind }

    static func recognition(of view: SourceView) -> Recognition {
        switch view.shape {
        case .tar, .zip: return .none
        case .folder: return view.files.contains { $0.ending == "enex" } ? .likely : .none
        case .file:
            let isExport = view.begin.first == 0x3C && view.contains("<en-export") && !view.contains("base64:aes")
            return isExport ? .likely : .none
        }
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        uses = [:]
        var number = 0
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if pass == 0 { output.refuse(refusal, entry.path) }
                continue
            }
            guard kind == .file || EntryPath.ending(entry.path) == "enex" else {
                if pass == 0 { output.refuse(.unknownKind, entry.path) }
                continue
            }
            number += 1
            try read(file: entry, number, source, pass, output)
        }
        guard pass > 0 else { return true }
        for fault in faults.dropLast() { output.refuse(fault.reason, fault.path) }
        if let last = faults.last { throw last }
        return false
    }

    /// Reads the notes of one file; what is whole in it counts, however it ends.
    private mutating func read(
        file entry: SourceEntry, _ number: Int, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        var reader = EvernoteReader(source, isSurvey: pass == 0, damagedNumbers: damaged[number] ?? [], output)
        // The notebook has no name in the file: it is the file's.
        let notebook = MarkdownTitle.clean(MarkdownPath.stem(of: entry.path)) ?? ""
        if pass == 0, !notebook.isEmpty { output.found.notebooks += 1 }
        do throws(ImportFailure) {
            while let element = try reader.next(key: { self.unusedKey($0) }) {
                switch element {
                case .note(let note) where pass == 0: try survey(note, output)
                case .note(let note): deliver(note, notebook, output)
                // Once for both readings, unless the file was changed between them.
                case .damaged(let note, let line) where damaged[number]?.contains(note) != true:
                    output.found.notes += 1
                    try output.remember(byteCount: 0)
                    damaged[number, default: []].insert(note)
                    output.refuse(.damaged, entry.path + Array(": note \(note), line \(line)".utf8))
                case .damaged: break
                }
            }
        } catch {
            guard error.reason == .malformedContainer else {
                throw ImportFailure(error.reason, path: error.path.isEmpty ? entry.path : error.path)
            }
            guard pass == 0 else { return }
            let place = reader.noteCount > 0 ? ": after note \(reader.noteCount), line \(reader.line)" : ""
            faults.append(ImportFailure(.malformedContainer, path: entry.path + Array(place.utf8)))
        }
    }

    private mutating func deliver(_ note: EvernoteNote, _ notebook: String, _ output: ImportOutput) {
        let key = note.key ?? unusedKey(note.naturalKey)
        var parsed = note.parsed(key: key, notebook: notebook, titles, output)
        if key != note.naturalKey, parsed.losses.count < ParsedNote.lossCountMax {
            parsed.losses.append(Loss(.titleMadeUnique))
        }
        output.deliver(parsed)
    }

    private mutating func survey(_ note: EvernoteNote, _ output: ImportOutput) throws(ImportFailure) {
        output.found.notes += 1
        output.found.tags += UInt64(note.tags.count)
        output.found.attachments += UInt64(note.resources.count)
        let title = MarkdownTitle.clean(MarkdownTitle.cut(note.title, byteCountMax: 1024)) ?? ""
        try output.remember(byteCount: 4 * title.utf8.count)
        _ = titles.add(key: note.key ?? unusedKey(note.naturalKey), title: title)
    }

    /// Returns a key that no note of this import has yet: two notes of one title and one second are two notes.
    private mutating func unusedKey(_ key: String) -> String {
        uses[key, default: 0] += 1
        let number = uses[key, default: 1]
        return number == 1 ? key : MarkdownTitle.cut(key, byteCountMax: 1000) + "#\(number)"
    }

    static func isKept(_ attribute: String) -> Bool { keptAttributes.contains(attribute) }
    static var textByteCountMax: Int { shortByteCountMax }
}
