// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Goes through an ENEX file note by note. Files are passed on while they come in, decoded, in constant memory.
struct EvernoteReader {
    private var xml: XMLStream
    private let isSurvey: Bool
    private let output: ImportOutput
    private var path: [String] = []

    init(_ source: any EntrySource, isSurvey: Bool, _ output: ImportOutput) {
        xml = XMLStream(source)
        self.isSurvey = isSurvey
        self.output = output
    }

    /// - Parameter key: makes a key that no other note has of a natural one.
    /// - Throws: `malformedContainer` for XML that is none, or another kind of file.
    mutating func next(key: (String) -> String) throws(ImportFailure) -> EvernoteNote? {
        while let token = try xml.next() {
            switch token {
            case .start(let name, _):
                if path.isEmpty, name != "en-export" { throw ImportFailure(.malformedContainer) }
                path.append(name)
                if path == ["en-export", "note"] { return try note(key) }
            case .end: path.removeLast()
            case .text: break
            }
        }
        return nil
    }

    private mutating func note(_ key: (String) -> String) throws(ImportFailure) -> EvernoteNote {
        var note = EvernoteNote()
        while let token = try xml.next() {
            switch token {
            case .start(let name, _):
                switch name {
                case "title": note.title = try text()
                case "created": note.created = try text()
                case "updated": note.updated = try text()
                case "tag": note.tags.append(try text())
                case "content": try content(&note)
                case "task": try task(&note)
                case "note-attributes": try attributes(&note)
                case "resource": try resource(&note, key)
                default: try skip()
                }
            case .end:
                path.removeLast()
                return note
            case .text: break
            }
        }
        throw ImportFailure(.malformedContainer)
    }

    /// The text up to the end of the element that has begun; elements in it are passed over.
    private mutating func text() throws(ImportFailure) -> String {
        var bytes: [UInt8] = []
        try eachPiece { piece in
            if bytes.count < EvernoteImport.textByteCountMax { bytes += piece }
        }
        return MarkdownTitle.cut(String(decoding: bytes, as: UTF8.self), byteCountMax: EvernoteImport.textByteCountMax)
    }

    private mutating func skip() throws(ImportFailure) { try eachPiece { _ in } }

    private mutating func eachPiece(_ body: ([UInt8]) -> Void) throws(ImportFailure) {
        var depth = 0
        while let token = try xml.next() {
            switch token {
            case .start: depth += 1
            case .end:
                if depth == 0 { return }
                depth -= 1
            case .text(let piece): body(piece)
            }
        }
        throw ImportFailure(.malformedContainer)
    }

    private mutating func content(_ note: inout EvernoteNote) throws(ImportFailure) {
        let isSurvey = isSurvey
        var (bytes, isCut) = ([UInt8](), false)
        try eachPiece { piece in
            guard !isSurvey else { return }
            if bytes.count + piece.count <= EvernoteNote.contentByteCountMax { bytes += piece } else { isCut = true }
        }
        (note.content, note.isContentCut) = (bytes, isCut)
    }

    private mutating func children(_ body: (inout EvernoteReader, String) throws(ImportFailure) -> Void) throws(ImportFailure) {
        while let token = try xml.next() {
            switch token {
            case .start(let name, _): try body(&self, name)
            case .end: return
            case .text: break
            }
        }
        throw ImportFailure(.malformedContainer)
    }

    private mutating func attributes(_ note: inout EvernoteNote) throws(ImportFailure) {
        var list: [(key: String, value: String)] = []
        try children { (reader, name) throws(ImportFailure) in
            let value = try reader.text()
            if EvernoteImport.isKept(name), list.count < 16 { list.append((name, value)) }
        }
        note.attributes = list
    }

    private mutating func task(_ note: inout EvernoteNote) throws(ImportFailure) {
        var (title, isDone) = ("", false)
        try children { (reader, name) throws(ImportFailure) in
            let value = try reader.text()
            if name == "title" { title = value }
            if name == "taskStatus" { isDone = value == "completed" }
        }
        if note.tasks.count < 10_000 { note.tasks.append((MarkdownTitle.clean(title) ?? "", isDone)) }
    }

    private mutating func resource(_ note: inout EvernoteNote, _ makeKey: (String) -> String) throws(ImportFailure) {
        let noteKey = note.key ?? makeKey(note.naturalKey)
        note.key = noteKey
        let key = MarkdownTitle.cut("file/\(note.resources.count + 1)/\(noteKey)", byteCountMax: AttachmentReference.keyByteCountMax)
        var (name, mediaType, hash, isWhole, hasData) = ("", "", "", false, false)
        try children { (reader, element) throws(ImportFailure) in
            switch element {
            case "data" where !hasData:
                hasData = true
                (hash, isWhole) = try reader.data(key: key)
            case "mime": mediaType = try reader.text().lowercased()
            case "resource-attributes":
                try reader.children { (reader, element) throws(ImportFailure) in
                    let value = try reader.text()
                    if element == "file-name" { name = value }
                }
            default: try reader.skip()
            }
        }
        if hasData { note.resources.append(.init(key: key, hash: hash, name: name, mediaType: mediaType, isWhole: isWhole)) }
    }

    private mutating func data(key: String) throws(ImportFailure) -> (hash: String, isWhole: Bool) {
        if isSurvey {
            try skip()
            return ("", true)
        }
        var (base64, digest) = (Base64Stream(), MD5())
        let output = output
        let isStarted = output.start(key: key, name: "attachment", modified: nil)
        try eachPiece { piece in
            let bytes = base64.decode(piece)
            digest.update(bytes)
            if isStarted { output.append(bytes) }
        }
        if isStarted { output.end(isWhole: base64.isWhole) }
        return (digest.hexadecimal(), base64.isWhole)
    }
}
