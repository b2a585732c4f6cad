// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `NoteAssembly` is a note that is being put together from parts of a foreign one: whatever is added, it stays within
/// the caps of `ParsedNote`.
struct NoteAssembly {
    private(set) var note: ParsedNote
    var losses = MarkdownLosses()
    private var tags = MarkdownTags()
    private var namesByKey: [String: String] = [:]
    private var takenNames: Set<String> = []
    private var nameHints: [String: Int] = [:]
    private var linkTargets: Set<String> = []
    private var extrasByteCount = 5
    /// Of a target and its label: what the vault still takes for one link.
    private static let linkByteCountMax = 490

    init(sourceKey: String) { note = ParsedNote(sourceKey: Self.key(sourceKey)) }

    /// Begins with a note that the Markdown importer has read already.
    init(_ note: ParsedNote, without code: Loss.Code) {
        self.note = note
        for loss in note.losses where loss.code != code { losses.add(loss.code, detail: loss.detail) }
        for tag in note.tags { _ = tags.add(tag, &losses) }
    }

    mutating func setTitle(_ text: String) {
        if MarkdownTitle.hasControlCharacters(text) { losses.add(.controlCharactersInTitle) }
        guard let clean = MarkdownTitle.clean(MarkdownTitle.cut(text, byteCountMax: 64 << 10)) else { return }
        note.title = MarkdownTitle.cut(clean, byteCountMax: ParsedNote.titleByteCountMax)
    }

    mutating func setBody(_ bytes: [UInt8]) {
        var end = bytes.count
        // A title that had to be cut is kept whole at the head by nobody else.
        if end > ParsedNote.bodyByteCountMax {
            losses.add(.bodyTooLong)
            end = ParsedNote.bodyByteCountMax
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        if let text = String(validating: bytes[..<end], as: UTF8.self) {
            note.body = text
        } else {
            losses.add(.textDamaged)
            note.body = MarkdownTitle.cut(
                String(decoding: bytes[..<end], as: UTF8.self), byteCountMax: ParsedNote.bodyByteCountMax)
        }
    }

    mutating func setNotebook(_ path: String) {
        note.notebook = MarkdownTitle.cut(path, byteCountMax: ParsedNote.notebookByteCountMax)
        if note.notebook != path { losses.add(.notebookTooLong) }
    }

    mutating func addTag(_ text: String) {
        if let tag = MarkdownTitle.clean(text) { _ = tags.add(tag, &losses) }
    }

    mutating func insert(_ flag: ParsedNote.Flags) { note.flags.insert(flag) }

    /// Sets times in milliseconds since 1970; what cannot be a time of a note is left out and named.
    mutating func setTimes(created: Int64?, updated: Int64?) {
        note.created = checked(created, "created")
        note.updated = checked(updated, "updated")
    }

    private mutating func checked(_ time: Int64?, _ name: String) -> Int64? {
        guard let time else { return nil }
        guard ParsedNote.times.contains(time) else {
            losses.add(.dateReplaced, detail: name)
            return nil
        }
        return time
    }

    /// Gives the note a file of the stream.
    ///
    /// - Returns: its name in this note; nil if there is no room for more.
    mutating func attach(key: String, name wanted: String) -> String? {
        if let known = namesByKey[key] { return known }
        let clean = SafeName.clean(wanted)
        let name = SafeName.unused(clean, among: takenNames, &nameHints)
        guard let reference = try? AttachmentReference(name: name, key: key) else {
            losses.add(.attachmentMissing)
            return nil
        }
        guard makeRoom(reference.encodedByteCount) else { return nil }
        if name != wanted { losses.add(.attachmentRenamed) }
        note.attachments.append(reference)
        takenNames.insert(name.lowercased())
        namesByKey[key] = name
        return name
    }

    /// Adds a link to another note.
    ///
    /// - Returns: the text of a link to another note; nil if it cannot be one.
    mutating func link(to key: String, target: String, label: String) -> String? {
        guard let reference = try? NoteReference(target: target, sourceKey: key) else { return nil }
        if !linkTargets.contains(target) {
            guard note.links.count < Int(UInt16.max), makeRoom(reference.encodedByteCount) else { return nil }
            linkTargets.insert(target)
            note.links.append(reference)
        }
        // A line ends a link; in running text it is a blank.
        let words = String(label.map { $0.isNewline ? " " : $0 })
        if words.isEmpty || words == target { return "[[\(target)]]" }
        // Brackets and bars would end it too, and so much is no link to the vault: the words stand before it then.
        let isLabel =
            !words.contains { $0 == "[" || $0 == "]" || $0 == "|" }
            && words.utf8.count + target.utf8.count <= Self.linkByteCountMax
        return isLabel ? "[[\(target)|\(words)]]" : "\(words) [[\(target)]]"
    }

    private mutating func makeRoom(_ byteCount: Int) -> Bool {
        guard extrasByteCount + byteCount <= ParsedNote.extrasByteCountMax, note.attachments.count < Int(UInt16.max)
        else {
            losses.add(.tooManyExtras)
            return false
        }
        extrasByteCount += byteCount
        return true
    }

    func finished() -> ParsedNote {
        var note = note
        note.tags = tags.list
        note.losses = losses.list
        return note
    }

    /// Returns a source's own name for a note, cut to what a link can carry.
    static func key(_ text: String) -> String {
        MarkdownTitle.cut(text, byteCountMax: NoteReference.sourceKeyByteCountMax)
    }
}
