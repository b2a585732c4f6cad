// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// Finds out what a file or folder is an export of, and refuses what cannot be the format that was named.
enum ImportDetection {
    private static let headByteCount = 64 << 10

    /// By content first, then by name.
    ///
    /// - Throws: `.usage` for a source that could be nothing, or more than one thing; the formats are listed.
    static func format(of source: borrowing ImportSource) throws(ClientFailure) -> ImportFormat {
        let found = source.isFolder ? formats(ofFolder: source) : formats(ofFile: source)
        if found.count == 1, let only = found.first { return only }
        let name = VisibleText.escaped(source.name)
        guard !found.isEmpty else {
            throw .usage("it cannot be told what \(name) is an export of", hint: "name the format: \(ImportFormat.list)")
        }
        let names = ImportFormat.allCases.filter(found.contains).map(\.rawValue).joined(separator: " or ")
        throw .usage("\(name) could be \(names)", hint: "name the format; all of them: \(ImportFormat.list)")
    }

    /// - Throws: `.usage` for a file where a folder is wanted, and for what is plainly encrypted.
    static func check(_ source: borrowing ImportSource, is format: ImportFormat) throws(ClientFailure) {
        guard source.isFolder || format.takesFile else {
            throw .usage("\(VisibleText.escaped(source.name)) is a file; \(format.rawValue) is a folder", hint: "name the folder that it lies in")
        }
        guard !source.isFolder else { return }
        let head = source.head(headByteCount)
        if format == .jrnl, head.starts(with: "JRNLv3".utf8) || head.starts(with: "gAAAA".utf8) {
            throw .usage("this journal is encrypted", hint: format.decryptionHint)
        }
        if format == .standardnotes, isEncryptedBackup(head) {
            throw .usage("this backup is encrypted", hint: format.decryptionHint)
        }
    }

    private static func isEncryptedBackup(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        return text.first == "{" && text.contains("\"keyParams\"") && text.contains("\"content\":\"00")
    }

    private static func formats(ofFile source: borrowing ImportSource) -> Set<ImportFormat> {
        let head = source.head(headByteCount)
        let name = source.name.lowercased()
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) { return name.hasSuffix(".jex") ? [.joplin] : [.joplin, .json] }
        let text = String(decoding: head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head, as: UTF8.self)
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return text.contains("Standard Notes Backup") ? [.standardnotes] : [] }
        if head.starts(with: "JRNLv3".utf8) { return [.jrnl] }
        let begin = text.drop { $0.isWhitespace }
        if begin.first == "<" { return text.contains("<en-export") ? [.enex] : [] }
        if begin.first == "{" { return formats(ofJSON: text) }
        return isJournalLine(begin) ? [.jrnl] : []
    }

    private static func formats(ofJSON text: String) -> Set<ImportFormat> {
        if text.contains("\"vault-export\"") { return [.json] }
        var found: Set<ImportFormat> = []
        if text.contains("\"entries\"") && text.contains("\"tags\"") { found.insert(.jrnl) }
        if text.contains("\"items\"") && (text.contains("\"version\"") || text.contains("\"content_type\"")) { found.insert(.standardnotes) }
        return found
    }

    /// "[2026-01-31 09:00] …", with or without the hour, and in either notation of it.
    private static func isJournalLine(_ text: Substring) -> Bool {
        let line = Array(text.prefix(11).utf8)
        guard line.count == 11, line[0] == UInt8(ascii: "["), line[5] == UInt8(ascii: "-"), line[8] == UInt8(ascii: "-") else { return false }
        return [1, 2, 3, 4, 6, 7, 9, 10].allSatisfy { (0x30...0x39).contains(line[$0]) }
    }

    private static func formats(ofFolder source: borrowing ImportSource) -> Set<ImportFormat> {
        if FolderLayout.has(".obsidian", in: source.descriptor) { return [.obsidian] }
        if FolderLayout.has(".gpg-id", in: source.descriptor) { return [.pass] }
        let layout = FolderLayout(MarkdownWalk(folder: source.descriptor, .everything).files)
        var found: Set<ImportFormat> = []
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
