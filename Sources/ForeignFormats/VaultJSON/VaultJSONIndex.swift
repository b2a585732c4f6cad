// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `VaultJSONIndex` is what is remembered of an export from one reading to the next: names and identifiers, never a
/// text.
final class VaultJSONIndex {
    /// `Part` is a document that is believed to be a part.
    struct Part {
        let number: UInt64
        let path: [UInt8]
        var noteCount: UInt64 = 0
        /// Of all parts, as the last one says; nil in the others.
        var totalNoteCount: UInt64?
    }

    private static let titleByteCountMax = NoteReference.targetByteCountMax

    /// By the entry's place in the container.
    var parts: [Int: Part] = [:]
    private var partNumbers: Set<UInt64> = []
    private(set) var titles = NoteTitles()
    /// Contents that lie beside the documents, by path.
    private(set) var files: [[UInt8]: VaultJSONAttachment] = [:]
    private var notebooks: Set<String> = []
    private var claimedNotes: Set<String> = []
    private var claimedAttachments: Set<String> = []
    private(set) var faults: [ImportFailure] = []
    private var faultyPaths: Set<[UInt8]> = []
    private let output: ImportOutput

    init(_ output: ImportOutput) { self.output = output }

    func beginReading() {
        claimedNotes = []
        claimedAttachments = []
    }

    /// Adds a document that is believed to be a part.
    ///
    /// - Returns: false if another document has the number.
    func addPart(_ part: Part, at entry: Int) throws(ImportFailure) -> Bool {
        guard partNumbers.insert(part.number).inserted else { return false }
        try output.remember(byteCount: part.path.count)
        parts[entry] = part
        return true
    }

    /// Claims the identifier of a note.
    ///
    /// - Returns: false if a note had the identifier before in this reading.
    func claim(note id: String) -> Bool { claimedNotes.insert(id).inserted }
    func claim(attachment id: String) -> Bool { claimedAttachments.insert(id).inserted }

    func survey(_ note: VaultJSONNote) throws(ImportFailure) {
        let title = MarkdownTitle.cut(note.title, byteCountMax: Self.titleByteCountMax)
        try output.remember(byteCount: 2 * title.utf8.count + 4 * VaultJSONForm.noteIDByteCount)
        _ = titles.add(key: note.id, title: title)
        output.found.tags += UInt64(note.tags.count)
        guard !note.notebook.isEmpty, !notebooks.contains(note.notebook) else { return }
        try output.remember(byteCount: note.notebook.utf8.count)
        notebooks.insert(note.notebook)
        output.found.notebooks += 1
    }

    func addFile(_ path: String, _ attachment: VaultJSONAttachment) throws(ImportFailure) {
        try output.remember(byteCount: 2 * path.utf8.count + attachment.byteCountInMemory)
        files[Array(path.utf8)] = attachment
    }

    func setState(ofFile path: [UInt8], _ state: VaultJSONAttachment.State) { files[path]?.state = state }

    /// Adds a fault: the export is not whole. What is there is delivered anyway; the last fault is told at the very
    /// end.
    func addFault(_ reason: RefusedEntry.Reason, _ path: some Sequence<UInt8>) throws(ImportFailure) {
        let path = Array(path)
        // Each reading finds the same ones.
        guard faultyPaths.insert(path).inserted else { return }
        try output.remember(byteCount: 2 * path.count)
        faults.append(ImportFailure(reason, path: path))
    }

    /// Compares what the parts say of one another.
    func checkParts() throws(ImportFailure) {
        // A document that broke off has not said all of it.
        guard faults.isEmpty else { return }
        let sorted = parts.values.sorted { $0.number < $1.number }
        var expected: UInt64 = 1
        for part in sorted {
            guard part.number == expected else {
                return try addFault(.partMissing, VaultJSONForm.documentName(part: expected).utf8)
            }
            expected += 1
        }
        let lasts = sorted.filter { $0.totalNoteCount != nil }
        guard let last = lasts.first else {
            return try addFault(.partMissing, VaultJSONForm.documentName(part: expected).utf8)
        }
        let count = sorted.reduce(0) { $0 + $1.noteCount }
        if lasts.count > 1 || last.number != sorted.last?.number || last.totalNoteCount != count {
            try addFault(.malformedContainer, last.path)
        }
    }
}
