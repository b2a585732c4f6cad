// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
internal import ParserProtocol

/// `EvernoteReader` goes through an ENEX file note by note. Files are passed on while they come in, decoded, in
/// constant memory.
struct EvernoteReader {
    private let xml: XMLStream
    /// Whether texts and files are passed over: in the first reading, and of a note that was seen to be damaged in it.
    private var isSurvey: Bool
    private let isFirstReading: Bool
    private let damagedNumbers: Set<Int>
    private let output: ImportOutput
    /// Open elements outside of notes.
    private var depth = 0
    private(set) var noteCount = 0

    enum Element {
        case note(EvernoteNote)
        /// A note that cannot be read to its end.
        case damaged(number: Int, line: Int)
    }

    /// Begins a reading of a file.
    ///
    /// - Parameter damagedNumbers: the notes of this file that the first reading found to be damaged.
    init(_ source: any EntrySource, isSurvey: Bool, damagedNumbers: Set<Int>, _ output: ImportOutput) {
        xml = XMLStream(source, root: "en-export", item: "note")
        self.isSurvey = isSurvey
        isFirstReading = isSurvey
        self.damagedNumbers = damagedNumbers
        self.output = output
    }

    /// The line of the last fault, for a person.
    var line: Int { xml.line }

    /// Returns the next note, or the place of a damaged one; nil at the end.
    ///
    /// - Parameter key: makes a key that no other note has of a natural one.
    /// - Throws: `malformedContainer` for XML that is none outside of its notes, or another kind of file, or one that
    ///   is cut.
    mutating func next(key: (String) -> String) throws(ImportFailure) -> Element? {
        while let token = try xml.next() {
            switch token {
            case .start(let name):
                if depth == 0, name != "en-export" { throw ImportFailure(.malformedContainer) }
                if depth == 1, name == "note" { return try element(key) }
                depth += 1
            case .end: depth -= 1
            case .text: break
            }
        }
        return nil
    }

    /// Reads a note, or skips one that is damaged: it is no reason to give up the others, and the next one begins where
    /// its tag stands.
    private mutating func element(_ key: (String) -> String) throws(ImportFailure) -> Element {
        noteCount += 1
        isSurvey = isFirstReading || damagedNumbers.contains(noteCount)
        do throws(ImportFailure) {
            return .note(try note(key))
        } catch {
            guard error.reason == .malformedContainer || error.reason == .declarations else { throw error }
            let line = xml.line
            try xml.recover()
            return .damaged(number: noteCount, line: line)
        }
    }

    private mutating func note(_ key: (String) -> String) throws(ImportFailure) -> EvernoteNote {
        var note = EvernoteNote()
        while let token = try xml.next() {
            switch token {
            case .start(let name):
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
            case .end: return note
            case .text: break
            }
        }
        throw ImportFailure(.malformedContainer)
    }

    /// Returns the text up to the end of the element that has begun; elements in it are passed over.
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

    private mutating func children(_ body: (inout EvernoteReader, String) throws(ImportFailure) -> Void)
        throws(ImportFailure)
    {
        while let token = try xml.next() {
            switch token {
            case .start(let name): try body(&self, name)
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
        let key = MarkdownTitle.cut(
            "file/\(note.resources.count + 1)/\(noteKey)", byteCountMax: AttachmentReference.keyByteCountMax)
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
        if hasData {
            note.resources.append(.init(key: key, hash: hash, name: name, mediaType: mediaType, isWhole: isWhole))
        }
    }

    private mutating func data(key: String) throws(ImportFailure) -> (hash: String, isWhole: Bool) {
        if isSurvey {
            try skip()
            return ("", true)
        }
        var base64 = Base64Stream()
        let digest = MD5Name()
        let output = output
        let isStarted = output.start(key: key, name: "attachment", modified: nil)
        do throws(ImportFailure) {
            try eachPiece { piece in
                let bytes = base64.decode(piece)
                digest.update(bytes)
                if isStarted { output.append(bytes) }
            }
        } catch {
            if isStarted { output.end(isWhole: false) }
            throw error
        }
        if isStarted { output.end(isWhole: base64.isWhole) }
        return (digest.hexadecimal(), base64.isWhole)
    }
}

/// `MD5Name` makes the name that ENML calls a file by: MD5 of its bytes, by libcrypto. It finds a file's place in a
/// text and protects nothing.
///
/// Without it, as where a system's rules forbid MD5, files have no name: they then stand at the end of their note.
@safe
final class MD5Name {
    private static let byteCount = 16

    private let context: OpaquePointer?
    private var isWhole: Bool

    init() {
        unsafe context = EVP_MD_CTX_new()
        isWhole = unsafe context != nil && EVP_DigestInit_ex(context, EVP_md5(), nil) == 1
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func update(_ bytes: [UInt8]) {
        guard isWhole else { return }
        isWhole = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
    }

    /// Gives the digest in lower case; empty if the library has no MD5. Nothing can be added afterwards.
    func hexadecimal() -> String {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        guard isWhole, unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return "" }
        isWhole = false
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
