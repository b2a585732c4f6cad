// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Which of the formats that are imported a source could be.
enum OwnFormats {
    static func formats(of view: SourceView) -> Set<ContainerFormat> {
        view.question.isFolder ? folder(view) : file(view)
    }

    /// As what a file would be encrypted: that it is one of these formats at all is for the user to say.
    static func encrypted(_ view: SourceView) -> Set<ContainerFormat> {
        let head = view.question.head
        if head.starts(with: "JRNLv3".utf8) || head.starts(with: "gAAAA".utf8) { return [.jrnl] }
        let isBackup = view.begin.first == 0x7B && view.contains("\"keyParams\"") && view.contains("\"content\":\"00")
        return isBackup ? [.standardnotes] : []
    }

    private static func file(_ view: SourceView) -> Set<ContainerFormat> {
        let (head, name) = (view.question.head, view.question.name.map(SourceView.lower))
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) {
            return name.suffix(4).elementsEqual(".jex".utf8) ? [.joplin] : [.joplin, .json]
        }
        if view.isZip {
            return view.entries.contains { SourceView.contains($0, Array("standard notes backup".utf8)) }
                ? [.standardnotes] : []
        }
        if head.starts(with: "JRNLv3".utf8) { return [.jrnl] }
        switch view.begin.first {
        case 0x3C: return view.contains("<en-export") && !view.contains("base64:aes") ? [.enex] : []
        case 0x7B: return json(view)
        default: return isJournalLine(view.begin) ? [.jrnl] : []
        }
    }

    private static func json(_ view: SourceView) -> Set<ContainerFormat> {
        if view.contains("\"vault-export\"") { return [.json] }
        var found: Set<ContainerFormat> = []
        // Day One has entries with tags too, and a time of another name.
        if view.contains("\"entries\""), view.contains("\"tags\""), !view.contains("\"creationDate\"") {
            found.insert(.jrnl)
        }
        // Managers of passwords have items too, and folders beside them.
        let isBackup =
            view.contains("\"content_type\"") || (view.contains("\"version\"") && !view.contains("\"folders\""))
        if view.contains("\"items\""), isBackup { found.insert(.standardnotes) }
        return found
    }

    /// "[2026-01-31 09:00] …", with or without the hour, and in either notation of it.
    private static func isJournalLine(_ text: ArraySlice<UInt8>) -> Bool {
        let line = Array(text.prefix(11))
        guard line.count == 11, line[0] == 0x5B, line[5] == 0x2D, line[8] == 0x2D else { return false }
        return [1, 2, 3, 4, 6, 7, 9, 10].allSatisfy { (0x30...0x39).contains(line[$0]) }
    }

    private static func folder(_ view: SourceView) -> Set<ContainerFormat> {
        let names = view.question.names
        if names.contains(where: { $0.elementsEqual(".obsidian".utf8) }) { return [.obsidian] }
        if names.contains(where: { $0.elementsEqual(".gpg-id".utf8) || $0.elementsEqual(".age-recipients".utf8) }) {
            return [.pass]
        }
        let layout = FolderLayout(names)
        var found: Set<ContainerFormat> = []
        if layout.joplinCount > 0, layout.joplinCount == layout.markdownCount { found.insert(.joplin) }
        if layout.journalCount > 0, layout.journalCount == layout.textCount { found.insert(.jrnl) }
        if layout.exportCount > 0 { found.insert(.json) }
        if layout.hasStandardNotes { found.insert(.standardnotes) }
        if layout.enexCount > 0 { found.insert(.enex) }
        if layout.passCount > 0 { found.insert(.pass) }
        // Folders of notes hold files of many kinds: they count when nothing else is meant.
        if found.isEmpty, layout.markdownCount > 0 { found.insert(.markdown) }
        return found
    }
}

/// What the names in a folder say of the program that wrote it.
private struct FolderLayout {
    private(set) var markdownCount = 0
    private(set) var textCount = 0
    /// `<32 hexadecimal digits>.md`.
    private(set) var joplinCount = 0
    /// `YYYY/MM/DD.txt`.
    private(set) var journalCount = 0
    /// `notes-000001.json`.
    private(set) var exportCount = 0
    private(set) var enexCount = 0
    private(set) var passCount = 0
    private(set) var hasStandardNotes = false

    init(_ paths: [[UInt8]]) {
        for path in paths {
            let parts = path.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
            guard let name = parts.last else { continue }
            if name.hasPrefix("Standard Notes Backup and Import File") { hasStandardNotes = true }
            let (stem, ending) = Self.split(name)
            switch ending {
            case "md", "markdown":
                markdownCount += 1
                if stem.utf8.count == 32, stem.allSatisfy({ $0.isASCII && $0.isHexDigit }) { joplinCount += 1 }
            case "txt":
                textCount += 1
                if parts.count == 3, Self.isNumber(parts[0], 4), Self.isNumber(parts[1], 2), Self.isNumber(stem, 2) {
                    journalCount += 1
                }
            case "json": if stem.hasPrefix("notes-"), Self.isNumber(String(stem.dropFirst(6)), 6) { exportCount += 1 }
            case "enex": enexCount += 1
            case "gpg", "age": passCount += 1
            default: break
            }
        }
    }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }

    private static func isNumber(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
