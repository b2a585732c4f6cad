// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `VaultJSONDocument` is one document of an export, read note by note.
///
/// Spec: docs/export-json.md §2.
struct VaultJSONDocument {
    private static let format = "vault-export"
    private static let schema: UInt64 = 1

    let path: [UInt8]
    let isSurvey: Bool
    private let json: JSONStream
    private let index: VaultJSONIndex
    private let output: ImportOutput

    init(_ path: [UInt8], _ source: any EntrySource, isSurvey: Bool, _ index: VaultJSONIndex, _ output: ImportOutput) {
        (self.path, self.isSurvey, self.index, self.output) = (path, isSurvey, index, output)
        json = JSONStream(source)
    }

    /// Reads up to the notes.
    ///
    /// - Returns: nil if it is no document of an export.
    /// - Throws: `unknownVersion` for another schema; `JSONStream.malformed`.
    func part() throws(ImportFailure) -> VaultJSONIndex.Part? {
        guard try isOfFormat() else { return nil }
        var number: UInt64?
        var hasSchema = false
        while let key = try json.key() {
            switch key {
            case "schema":
                guard !hasSchema, try json.number() == Self.schema else {
                    throw ImportFailure(.unknownVersion, path: path)
                }
                hasSchema = true
            case "part":
                guard number == nil, let value = try json.number(), value > 0 else { throw JSONStream.malformed }
                number = value
            case "notes":
                guard hasSchema, let number else { throw JSONStream.malformed }
                try json.open("[")
                return VaultJSONIndex.Part(number: number, path: path)
            case "format", "noteCount", "last", "totalNoteCount": throw JSONStream.malformed
            default: try json.skipValue()
            }
        }
        throw JSONStream.malformed
    }

    /// Returns whether the document begins as an export does; any other is some other file, broken or not.
    private func isOfFormat() throws(ImportFailure) -> Bool {
        do throws(ImportFailure) {
            try json.open("{")
            guard try json.key() == "format" else { return false }
            return try json.text(max: 64)?.string == Self.format
        } catch {
            guard error == JSONStream.malformed else { throw error }
            return false
        }
    }

    /// Tells a person where a fault is.
    ///
    /// - Parameter note: its number; 0 outside of the notes.
    func place(inNote note: UInt64) -> [UInt8] {
        path + Array((note > 0 ? ": note \(note), line \(json.line)" : ": line \(json.line)").utf8)
    }

    /// Reads the notes and what stands behind them.
    ///
    /// - Parameter part: gets what the document says of itself.
    func readNotes(_ part: inout VaultJSONIndex.Part) throws(ImportFailure) {
        while try json.element() {
            part.noteCount += 1
            try readNote(number: part.noteCount)
        }
        var (noteCount, last, total, leftOut): (UInt64?, Bool?, UInt64?, UInt64?) = (nil, nil, nil, nil)
        var seen: Set<String> = []
        while let key = try json.key() {
            switch key {
            case "noteCount": noteCount = try json.number()
            case "last": last = try json.bool()
            case "totalNoteCount": total = try json.number()
            case "privateNotesLeftOut": leftOut = try json.number()
            case "format", "schema", "part", "notes": throw JSONStream.malformed
            default:
                try json.skipValue()
                continue
            }
            guard seen.insert(key).inserted else { throw JSONStream.malformed }
        }
        try json.end()
        guard noteCount == part.noteCount, let last, last == (total != nil), last == (leftOut != nil) else {
            throw JSONStream.malformed
        }
        part.totalNoteCount = total
        if isSurvey, let leftOut, leftOut > 0 { output.refuse(.encrypted, "locked private notes: \(leftOut)".utf8) }
    }

    private func readNote(number: UInt64) throws(ImportFailure) {
        if isSurvey { output.found.notes += 1 }
        guard try json.isNext("{") else {
            try json.skipValue()
            return refuse(.damaged, "", number)
        }
        var note = VaultJSONNote()
        var attachments = VaultJSONAttachments(isSurvey: isSurvey, index, output)
        try json.open("{")
        while let key = try json.key() {
            note.begin(key)
            guard key == "attachments" else {
                try note.read(key, json)
                continue
            }
            // The contents of a note that is damaged already are nobody's.
            if note.isDamaged {
                try json.skipValue()
            } else if try note.beginList(json) {
                try attachments.readAll(json)
            }
        }
        guard note.isWhole else { return refuse(.damaged, note.id, number) }
        guard index.claim(note: note.id) else { return refuse(.duplicate, note.id, number) }
        if isSurvey { try index.survey(note) } else { output.deliver(note.parsed(attachments, index.titles, output)) }
    }

    private func refuse(_ reason: RefusedEntry.Reason, _ id: String, _ number: UInt64) {
        guard isSurvey else { return }
        output.refuse(
            reason, path + Array((VaultJSONForm.isNoteID(id) ? ": note \(id)" : ": note number \(number)").utf8))
    }
}

/// `VaultJSONForm` checks and makes names and identifiers of vault's JSON export. What does not have their form is not
/// looked for anywhere.
///
/// Spec: docs/export-json.md §1, §3, §5.
enum VaultJSONForm {
    static let noteIDByteCount = 16
    static let attachmentIDByteCount = 26

    static func isNoteID(_ text: String) -> Bool {
        text.utf8.count == noteIDByteCount && text.utf8.allSatisfy(isBase32)
    }
    static func isAttachmentID(_ text: String) -> Bool {
        text.utf8.count == attachmentIDByteCount && text.utf8.allSatisfy(isBase32)
    }

    /// Returns whether a path is `attachments/ab/<id>`, perhaps with a short ending of letters and digits behind it.
    static func isFile(_ path: String, of id: String) -> Bool {
        let beginning = "attachments/" + String(decoding: Array(id.utf8.prefix(2)), as: UTF8.self) + "/" + id
        guard path.utf8.starts(with: beginning.utf8) else { return false }
        let ending = path.utf8.dropFirst(beginning.utf8.count)
        return ending.isEmpty
            || (ending.first == UInt8(ascii: ".") && (2...12).contains(ending.count)
                && ending.dropFirst().allSatisfy(isAlphanumeric))
    }

    /// Returns the name of a document: `notes-000001.json`.
    static func documentName(part: UInt64) -> String {
        let digits = String(part)
        return "notes-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".json"
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
