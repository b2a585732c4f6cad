// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Evernote's ENEX: notes with their files in one XML file. It is read twice, because links name their notes by title.
struct EvernoteImport: ForeignImporter {
    private static let shortByteCountMax = 64 << 10
    /// What Evernote knows of a note besides, and a person may want to.
    private static let keptAttributes: Set<String> = [
        "source-url", "author", "latitude", "longitude", "altitude", "reminder-time", "reminder-done-time",
    ]

    private var titles = NoteTitles()
    private var uses: [String: Int] = [:]

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        uses = [:]
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if pass == 0 { output.refuse(refusal, entry.path) }
                continue
            }
            guard EntryPath.ending(entry.path) == "enex" || !entry.path.contains(UInt8(ascii: "/")) else { continue }
            do throws(ImportFailure) {
                var reader = EvernoteReader(source, isSurvey: pass == 0, output)
                // The notebook has no name in the file: it is the file's.
                let notebook = MarkdownTitle.clean(MarkdownPath.stem(of: entry.path)) ?? ""
                if pass == 0, !notebook.isEmpty { output.found.notebooks += 1 }
                while let note = try reader.next(key: { self.unusedKey($0) }) {
                    if pass == 0 {
                        try survey(note, output)
                    } else {
                        let key = note.key ?? unusedKey(note.naturalKey)
                        var parsed = note.parsed(key: key, notebook: notebook, titles, output)
                        if key != note.naturalKey, parsed.losses.count < ParsedNote.lossCountMax { parsed.losses.append(Loss(.titleMadeUnique)) }
                        output.deliver(parsed)
                    }
                }
            } catch {
                throw ImportFailure(error.reason, path: error.path.isEmpty ? entry.path : error.path)
            }
        }
        return pass == 0
    }

    private mutating func survey(_ note: EvernoteNote, _ output: ImportOutput) throws(ImportFailure) {
        output.found.notes += 1
        output.found.tags += UInt64(note.tags.count)
        output.found.attachments += UInt64(note.resources.count)
        let title = MarkdownTitle.clean(MarkdownTitle.cut(note.title, byteCountMax: 1024)) ?? ""
        try output.remember(byteCount: 4 * title.utf8.count)
        _ = titles.add(key: note.key ?? unusedKey(note.naturalKey), title: title)
    }

    /// Two notes of one title and one second are two notes.
    private mutating func unusedKey(_ key: String) -> String {
        uses[key, default: 0] += 1
        let number = uses[key, default: 1]
        return number == 1 ? key : MarkdownTitle.cut(key, byteCountMax: 1000) + "#\(number)"
    }

    static func isKept(_ attribute: String) -> Bool { keptAttributes.contains(attribute) }
    static var textByteCountMax: Int { shortByteCountMax }
}
