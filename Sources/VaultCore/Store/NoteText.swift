// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import TextReading
internal import VaultFormat

/// A `NoteText` is what the index makes of a note's record: titles, snippets, links, and the folded text that search
/// looks in.
struct NoteText {
    let title: String
    let snippet: String
    let foldedTitle: [UInt8]
    let foldedBody: [UInt8]

    init(_ record: NoteRecord) {
        title = Self.title(record)
        snippet = Self.snippet(record)
        foldedTitle = TextFold.fold(title)
        let folded = TextFold.fold(record.body)
        foldedBody = folded.contains(0) ? folded.map { $0 == 0 ? 0x20 : $0 } : folded
    }

    /// Returns the title alone, where nothing is indexed: folding a long text takes longer than showing it.
    static func title(_ record: NoteRecord) -> String {
        spaced(NoteTitle.display(title: record.title, body: record.body))
    }
    static func snippet(_ record: NoteRecord) -> String {
        spaced(Snippet.plain(title: record.title, body: record.body))
    }

    /// Puts a space in the place of each NUL, which would end the text where SQLite takes it; the record keeps it.
    private static func spaced(_ text: String) -> String {
        text.utf8.contains(0) ? String(decoding: text.utf8.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self) : text
    }

    /// What goes into the search table. The title stands apart from the body by a line feed, which no folded query
    /// holds.
    var indexed: [UInt8] { foldedTitle + [0x0A] + foldedBody }

    /// Titles are looked up by this; longer ones share a key and are compared whole.
    var titleKey: [UInt8] { Self.key(foldedTitle) }

    static func key(_ folded: [UInt8]) -> [UInt8] { Array(folded.prefix(keyByteCountMax)) }
    static let keyByteCountMax = 64
}

/// `NoteLinks` says where a note leads to: found once, when its text is indexed.
struct NoteLinks {
    /// Keys of the notes that `[[…]]` names: the folded title or identifier, cut as `NoteText.titleKey` is. Each once.
    let targets: [[UInt8]]
    let features: NoteFeatures

    init(_ record: NoteRecord) {
        let body = Array(record.body.utf8)
        let base: NoteFeatures = record.title == nil ? [] : .title
        guard LinkDetector.mayHaveLinks(body.span) else {
            targets = []
            features = base
            return
        }
        targets = Self.targets(body)
        let isLinked = !targets.isEmpty || LinkDetector.links(in: body).contains { [.url, .email].contains($0.kind) }
        features = isLinked ? base.union(.link) : base
    }

    /// Returns only the targets, which are what must be taken out of the index again.
    static func targets(_ body: [UInt8]) -> [[UInt8]] {
        var known: Set<[UInt8]> = []
        return LinkDetector.noteTargets(in: body).map { NoteText.key(TextFold.fold($0)) }.filter {
            !$0.isEmpty && known.insert($0).inserted
        }
    }
}

/// A `ProjectedNote` is a note as the lists have it: of a private one only what may be known while it is locked.
struct ProjectedNote {
    let record: NoteRecord
    let isPrivate: Bool

    init(record: NoteRecord, isPrivate: Bool) {
        self.record = record
        self.isPrivate = isPrivate
    }

    init(_ opened: RecordSealer.Opened) { self.init(record: opened.face, isPrivate: opened.isPrivate) }

    func features(_ links: NoteLinks) -> NoteFeatures {
        var features = links.features
        if isPrivate { features.insert(.isPrivate) }
        if !record.attachments.isEmpty { features.insert(.attachment) }
        if record.book != nil { features.insert(.book) }
        return features
    }
}

/// `NoteFeatures` says what a note has besides its words; a column of bits in the index.
struct NoteFeatures: OptionSet, Equatable {
    let rawValue: Int64
    static let link = NoteFeatures(rawValue: 1)
    /// A title that was set.
    static let title = NoteFeatures(rawValue: 2)
    /// It has a password of its own.
    static let isPrivate = NoteFeatures(rawValue: 4)
    static let attachment = NoteFeatures(rawValue: 8)
    /// It is a book, wherever it lies.
    static let book = NoteFeatures(rawValue: 16)
}
