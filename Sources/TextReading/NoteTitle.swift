// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteTitle` finds a note's title, and the rest of its body.
///
/// The title that was set counts; without one the first line that is not blank, less its Markdown heading marks.
public enum NoteTitle {
    /// Longest title shown, in grapheme clusters.
    public static let characterCountMax = 200
    /// Largest title, in bytes: one cluster may hold any number of marks.
    public static let byteCountMax = 4096

    /// Returns a note's title, in one line with white space collapsed: the one that was set, else the first line of its
    /// body; empty for a blank note.
    ///
    /// - Parameter title: the one that was set; nil or blank for none.
    public static func display(title: String?, body: String) -> String {
        if let title {
            let line = line(of: title, from: title.startIndex) { _ in false }
            if !line.isEmpty { return line }
        }
        let start = textStart(in: body, from: body.startIndex)
        return line(of: body, from: afterHeadingMarks(in: body, from: start), until: \.isNewline)
    }

    /// Returns the body after the line that gives the title, without blank lines before it; all of the body when a
    /// title was set.
    public static func rest(title: String?, of body: String) -> Substring {
        if let title, textStart(in: title, from: title.startIndex) < title.endIndex { return body[...] }
        var index = textStart(in: body, from: body.startIndex)
        while let cluster = Cluster.next(in: body, at: &index), !cluster.isNewline {}
        // The first line that is not blank keeps its indentation.
        var lineStart = index
        var start = index
        while let cluster = Cluster.next(in: body, at: &index), cluster.isWhitespace {
            if cluster.isNewline { lineStart = index }
            start = index
        }
        return start == body.endIndex ? body[start...] : body[lineStart...]
    }

    /// Returns the first cluster at `start` or behind it that is not white space, or the end.
    public static func textStart(in text: String, from start: String.Index) -> String.Index {
        var index = start
        var next = start
        while let cluster = Cluster.next(in: text, at: &next), cluster.isWhitespace { index = next }
        return index
    }

    /// Skips one to six "#" and a space, as in CommonMark's ATX headings. A line of nothing else is left as it is.
    private static func afterHeadingMarks(in text: String, from start: String.Index) -> String.Index {
        let marks = text.utf8[start...].prefix { $0 == UInt8(ascii: "#") }
        guard 1...6 ~= marks.count else { return start }
        var index = marks.endIndex
        var end = marks.endIndex
        while let cluster = Cluster.next(in: text, at: &index), cluster.isWhitespace {
            if cluster.isNewline { return start }
            end = index
        }
        return end == marks.endIndex || end == text.endIndex ? start : end
    }

    private static func line(of text: String, from start: String.Index, until isEnd: (Cluster) -> Bool) -> String {
        var line = CollapsedLine(byteCountMax: byteCountMax)
        var index = textStart(in: text, from: start)
        while line.clusterCount < characterCountMax, let cluster = Cluster.next(in: text, at: &index), !isEnd(cluster) {
            guard line.append(cluster) else { break }
        }
        return line.trimmed
    }
}

/// `CollapsedLine` is a line made of a text's clusters: each run of white space is one space, and it never outgrows its
/// cap.
public struct CollapsedLine {
    /// Largest cluster, in bytes: a larger one is an attack, not a letter, and is shown as U+FFFD.
    private static let clusterByteCountMax = 128

    public private(set) var bytes: [UInt8] = []
    public private(set) var clusterCount = 0
    public private(set) var columns = 0
    private let byteCountMax: Int
    private var endsInSpace = false

    public init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    /// The line without a space at its end.
    public var trimmed: String { String(decoding: bytes.dropLast(endsInSpace ? 1 : 0), as: UTF8.self) }

    /// Adds a cluster; returns false, and adds nothing, when the line is full.
    public mutating func append(_ original: Cluster) -> Bool {
        let isSpace = original.isWhitespace
        if isSpace, endsInSpace { return true }
        let isOutsized = original.byteCount > Self.clusterByteCountMax
        let cluster: Cluster = isSpace ? .ascii(0x20) : isOutsized ? .other("\u{FFFD}") : withBase(original)
        guard bytes.count + cluster.byteCount <= byteCountMax else { return false }
        switch cluster {
        case .ascii(let byte): bytes.append(byte)
        case .other(let character): bytes.append(contentsOf: character.utf8)
        }
        clusterCount += 1
        columns += cluster.columns
        endsInSpace = isSpace
        return true
    }

    /// Marks that followed a control character stand alone; here they would join the space or "…" before them, so they
    /// get the dotted circle as a base.
    private func withBase(_ cluster: Cluster) -> Cluster {
        guard endsInSpace || clusterCount < 2, case .other(let character) = cluster else { return cluster }
        let based = "\u{25CC}\(character)"
        return based.count == 1 ? .other(Character(based)) : cluster
    }
}
