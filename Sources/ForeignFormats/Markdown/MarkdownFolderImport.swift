// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownFolderImport` reads a folder of Markdown: notes, files beside them that they show or link to, folders as
/// notebooks. Obsidian's vaults are such folders.
///
/// It is read four times: which notes and files there are; which files the notes name; those files; the notes. Without
/// other files than notes, twice.
struct MarkdownFolderImport: ForeignImporter {
    enum Style {
        case markdown
        case obsidian
    }

    private enum Stage {
        case names
        case mentions
        case files
        case notes
    }

    private static let contentByteCountMax = 16 << 20

    private let style: Style
    private var stage = Stage.names
    private var index = ObsidianIndex()
    private var waiting: [OwnedFile] = []
    private var shown: Set<Int> = []
    private var folders: Set<String> = []
    private var hasFiles = false

    init(_ style: Style) { self.style = style }
    init(_ kind: SourceKind) { self.init(Style.markdown) }

    /// Recognizes a folder with Markdown as possible: folders of notes hold files of many kinds, so they count when
    /// nothing else is meant.
    static func recognition(of view: SourceView) -> Recognition {
        view.files.contains(where: \.isMarkdown) ? .possible : .none
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        var seen: Set<String> = []
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if stage == .names { output.refuse(refusal, entry.path) }
                continue
            }
            // `.obsidian`, `.trash`, `.git`: the programs' own.
            if entry.path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") }) {
                continue
            }
            // To Obsidian names that differ only in case are one.
            if style == .obsidian, let path = String(validating: entry.path, as: UTF8.self),
                !seen.insert(path.lowercased()).inserted
            {
                if stage == .names { output.refuse(.duplicate, entry.path) }
                continue
            }
            switch stage {
            case .names: try takeName(entry, source, output)
            case .files: try takeFile(entry, source, output)
            case .mentions, .notes: try takeNote(entry, source, output)
            }
        }
        return try advance(output)
    }

    /// Goes on to the next stage.
    ///
    /// - Returns: whether the folder is to be read once more.
    private mutating func advance(_ output: ImportOutput) throws(ImportFailure) -> Bool {
        switch stage {
        case .names:
            settle(output)
            stage = hasFiles ? .mentions : .notes
        case .mentions: stage = .files
        case .files: stage = .notes
        case .notes: return false
        }
        return true
    }

    // MARK: The first reading

    private mutating func takeName(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        let kind = MarkdownFileKind(entry.path, style)
        guard let path = String(validating: entry.path, as: UTF8.self) else {
            // No text can name such a file; a note is one anyway.
            switch kind {
            case .note: output.found.notes += 1
            case .encrypted: refuseEncrypted(entry.path, output)
            case .file, .drawing:
                output.found.attachments += 1
                output.refuse(.notUsed, entry.path)
            }
            return
        }
        var names: MarkdownNames?
        var refusal: RefusedEntry.Reason?
        if kind == .note {
            switch try content(entry, source) {
            case .file(let file): names = MarkdownNote.names(of: file)
            case .refused(let reason): refusal = reason
            }
        }
        if kind == .drawing { names = MarkdownNames(title: ObsidianIndex.name(path)) }
        let named = (names?.aliases ?? []).reduce(names?.title.utf8.count ?? 0) { $0 + $1.utf8.count }
        try output.remember(byteCount: path.utf8.count + named)
        let file = OwnedFile(path: path, kind: kind, names: names, refusal: refusal)
        // Whether it is a note's own is known once all notes are.
        if file.mayBeOwned { waiting.append(file) } else { add(file, output) }
    }

    private mutating func add(_ file: OwnedFile, _ output: ImportOutput) {
        switch file.kind {
        case .encrypted: return refuseEncrypted(file.path.utf8, output)
        case .file: output.found.attachments += 1
        case .drawing:
            output.found.attachments += 1
            output.found.notes += 1
        case .note:
            if let refusal = file.refusal { return output.refuse(refusal, file.path.utf8) }
            output.found.notes += 1
            let folder = ObsidianIndex.folder(file.path)
            if !folder.isEmpty, folders.insert(folder).inserted { output.found.notebooks += 1 }
        }
        hasFiles = hasFiles || file.kind != .note
        var names = file.names
        // Obsidian knows a note by its file's name and its aliases alone.
        if style == .obsidian { names?.heading = nil }
        index.add(file.path, note: names)
    }

    private func refuseEncrypted(_ path: some Sequence<UInt8>, _ output: ImportOutput) {
        output.found.notes += 1
        output.refuse(.encrypted, path)
    }

    /// Decides what the files that wait are: those in "X.files" beside "X.md" are attachments of X, whatever they are;
    /// all others are what they look like.
    private mutating func settle(_ output: ImportOutput) {
        index.sort()
        let others = Set(waiting.filter { $0.kind == .note && $0.refusal == nil }.map(\.path))
        let owners = waiting.map { file in
            file.owner { path in others.contains(path) || index.place(of: path).map { index.isNote($0) } == true }
        }
        for (file, owner) in zip(waiting, owners) where owner == nil { add(file, output) }
        index.sort()
        let places = owners.map { owner in owner.flatMap { index.place(of: $0) } }
        for (file, place) in zip(waiting, places) {
            guard let place else { continue }
            output.found.attachments += 1
            hasFiles = true
            index.add(file.path, note: nil, owner: place)
        }
        waiting = []
        index.sort()
    }

    // MARK: The other readings

    private mutating func takeNote(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        let kind = MarkdownFileKind(entry.path, style)
        if let path = String(validating: entry.path, as: UTF8.self) {
            guard let place = index.place(of: path), index.isNote(place) else { return }
            if kind == .drawing { return takeDrawing(entry, path, place, output) }
        } else if kind != .note {
            return
        }
        guard case .file(let file) = try content(entry, source) else {
            // Without a name in the index it was not looked at before.
            if stage == .notes, String(validating: entry.path, as: UTF8.self) == nil {
                output.refuse(.tooLarge, entry.path)
            }
            return
        }
        let note = MarkdownFolderNote(file, index, style)
        if stage == .mentions {
            shown.formUnion(note.files)
            return
        }
        let parsed = note.finished()
        output.found.tags += UInt64(parsed.tags.count)
        output.found.links += UInt64(parsed.links.count)
        output.deliver(parsed)
    }

    /// Makes a note that holds nothing but a file.
    private mutating func takeDrawing(_ entry: SourceEntry, _ path: String, _ place: Int, _ output: ImportOutput) {
        guard stage == .notes else {
            shown.insert(place)
            return
        }
        var note = NoteAssembly(sourceKey: path)
        let name = ObsidianIndex.name(path)
        note.setTitle(name)
        note.setNotebook(ObsidianIndex.folder(path))
        note.setTimes(created: nil, updated: entry.modified)
        if let attached = note.attach(key: path, name: name) {
            note.setBody(Array("[\(attached)](att:\(attached))\n".utf8))
        }
        note.losses.add(.drawingKept)
        output.deliver(note.finished())
    }

    private mutating func takeFile(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        guard let path = String(validating: entry.path, as: UTF8.self), let place = index.place(of: path) else {
            return
        }
        if shown.contains(place) {
            try output.attachment(key: path, name: ObsidianIndex.name(path), entry, source)
        } else if !index.isNote(place) {
            output.refuse(.notUsed, entry.path)
        }
    }

    private enum Content {
        case file(ForeignFile)
        case refused(RefusedEntry.Reason)
    }

    private func content(_ entry: SourceEntry, _ source: any EntrySource) throws(ImportFailure) -> Content {
        guard let content = try source.readAll(max: Self.contentByteCountMax) else { return .refused(.tooLarge) }
        guard !source.isCutShort else { return .refused(.damaged) }
        let file = try? ForeignFile(path: entry.path, modified: entry.modified ?? .min, content: content)
        return file.map { .file($0) } ?? .refused(.tooLarge)
    }
}
