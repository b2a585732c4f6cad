// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `VaultJSONImport` reads vault's own export: a JSON document alone, or a folder or tar of documents and files.
///
/// It is read to learn what is in it and whether it is whole; once more for the files, if it has some, because contents
/// come before their notes; and then for the notes. An export that is not whole gives what it has, and is told to be
/// incomplete.
///
/// Spec: docs/export-json.md.
struct VaultJSONImport: ForeignImporter {
    private enum Reading {
        case survey
        case files
        case notes
    }

    private var reading = Reading.survey
    private var index: VaultJSONIndex?

    init(_ kind: SourceKind) {}

    static func recognition(of view: SourceView) -> Recognition {
        switch view.shape {
        case .tar: .likely
        case .zip: .none
        case .folder: view.files.contains(where: isDocument) ? .likely : .none
        case .file: view.isJSON && view.contains("\"vault-export\"") ? .certain : .none
        }
    }

    /// Returns whether a file is `notes-000001.json`.
    private static func isDocument(_ file: FolderFile) -> Bool {
        file.ending == "json" && file.stem.hasPrefix("notes-")
            && String(file.stem.dropFirst(6)).isNumber(ofDigits: 6)
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        let index = index ?? VaultJSONIndex(output)
        self.index = index
        index.beginReading()
        var number = 0
        while let entry = try source.nextEntry() {
            number += 1
            if let refusal = entry.refusal {
                if reading == .survey { output.refuse(refusal, entry.path) }
            } else if !entry.path.contains(UInt8(ascii: "/")) {
                try read(document: entry, number, source, index, output)
            } else if reading == .files {
                try Self.send(entry, source, index, output)
            } else if reading == .notes, index.files[entry.path] == nil {
                output.refuse(.notUsed, entry.path)
            }
        }
        return try goOn(index, output)
    }

    /// Ends a reading and goes on to the next one.
    ///
    /// - Returns: whether there is another reading.
    private mutating func goOn(_ index: VaultJSONIndex, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        switch reading {
        case .survey:
            guard !index.parts.isEmpty else { throw index.faults.first ?? ImportFailure(.malformedContainer) }
            try index.checkParts()
            reading = index.files.isEmpty ? .notes : .files
            return true
        case .files:
            reading = .notes
            return true
        case .notes:
            for fault in index.faults.dropLast() { output.refuse(fault.reason, fault.path) }
            if let last = index.faults.last { throw last }
            return false
        }
    }

    private func read(
        document entry: SourceEntry, _ number: Int, _ source: any EntrySource, _ index: VaultJSONIndex,
        _ output: ImportOutput
    ) throws(ImportFailure) {
        let isSurvey = reading == .survey
        guard isSurvey || (reading == .notes && index.parts[number] != nil) else { return }
        var noteCount: UInt64 = 0
        let document = VaultJSONDocument(entry.path, source, isSurvey: isSurvey, index, output)
        do throws(ImportFailure) {
            guard var part = try document.part() else {
                if isSurvey { output.refuse(.unknownKind, entry.path) }
                return
            }
            // What it says counts, not its name: a document alone may have any.
            if isSurvey {
                guard try index.addPart(part, at: number) else { return output.refuse(.duplicate, entry.path) }
            }
            defer { noteCount = part.noteCount }
            try document.readNotes(&part)
            if isSurvey { index.parts[number] = part }
        } catch {
            guard error == JSONStream.malformed else { throw error }
            try index.addFault(.malformedContainer, document.place(inNote: noteCount))
        }
    }

    /// Passes a file on if a note names it, and remembers whether it was what the note says.
    private static func send(
        _ entry: SourceEntry, _ source: any EntrySource, _ index: VaultJSONIndex, _ output: ImportOutput
    ) throws(ImportFailure) {
        // The first of two files of one path counts.
        guard let file = index.files[entry.path], file.state == .missing else { return }
        guard output.start(key: file.id, name: file.name, modified: file.created, traits: file.traits) else { return }
        var content = VaultJSONContent(byteCount: file.byteCount ?? 0)
        do throws(ImportFailure) {
            while true {
                let piece = try source.readPiece()
                if piece.isEmpty { break }
                output.append(content.take(piece))
            }
        } catch {
            output.end(isWhole: false)
            throw error
        }
        let isWhole = content.isWhole && !source.isCutShort
        output.end(isWhole: isWhole)
        index.setState(ofFile: entry.path, isWhole ? .whole : .damaged)
    }
}
