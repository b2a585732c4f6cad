// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `MarkdownNote` reads a Markdown or plain text file into a note. Any bytes give a note: what cannot be understood
/// stays text.
///
/// A name that ends in .md or .markdown, in any case, is Markdown: front matter and tags in the text are read. Every
/// other file is plain text: all of it is the body. The file's name without its ending is the title, unless the front
/// matter says another.
public enum MarkdownNote {
    /// Reads a file into a note.
    ///
    /// - Parameter file: at most `ForeignFile.byteCountMax` bytes, untrusted.
    /// - Returns: a note whose every field is within the caps of `ParsedNote`.
    public static func parse(_ file: ForeignFile) -> ParsedNote { read(file).note }

    /// Reads the note, and what only the importer of its whole folder has a use for.
    static func read(_ file: ForeignFile) -> (note: ParsedNote, names: MarkdownNames) {
        var note = ParsedNote(sourceKey: file.sourceKey)
        var losses = MarkdownLosses()
        note.notebook = MarkdownPath.notebook(of: file.path, &losses)
        let head = Head(file, &losses)
        note.title = head.title
        if let properties = head.properties {
            note.created = properties.created
            note.updated = properties.updated
            note.flags = properties.flags
        }
        if head.isMarkdown {
            var tags = head.tags
            scan(head.bytes, from: head.bodyStart, into: &tags, &losses)
            note.tags = tags.list
        }
        let kept = head.properties?.kept ?? []
        if kept.isEmpty {
            setBody(&note, head.bytes[head.bodyStart...], &losses)
        } else {
            // The first line is now a fence, which nobody wants to see as a title: say what it would have been.
            note.title = note.title ?? head.firstLine
            let fence = Array("---\n".utf8)
            setBody(&note, (fence + kept + fence + head.bytes[head.bodyStart...])[...], &losses)
        }
        note.losses = losses.list
        return (note, head.names)
    }

    /// Returns the names by which other notes may call the file's note, without a look at its text.
    static func names(of file: ForeignFile) -> MarkdownNames {
        var losses = MarkdownLosses()
        return Head(file, &losses).names
    }

    /// `Head` holds a file's text, its properties and where the body begins.
    private struct Head {
        let bytes: [UInt8]
        let isMarkdown: Bool
        private(set) var properties: MarkdownProperties?
        private(set) var tags = MarkdownTags()
        private(set) var bodyStart = 0
        private(set) var title: String?

        init(_ file: ForeignFile, _ losses: inout MarkdownLosses) {
            bytes = MarkdownText(file.content, &losses).bytes
            isMarkdown = MarkdownPath.isMarkdown(file.path)
            if isMarkdown { readProperties(&losses) }
            let stem = MarkdownPath.stem(of: file.path)
            title = properties?.title
            guard title == nil else { return }
            let ownID = properties?.ownID
            title = MarkdownNames.title(
                fromFile: stem, isOwnExport: ownID != nil, firstLine: ownID == nil ? nil : firstLine)
            guard title != nil else { return }
            if String(validating: file.path, as: UTF8.self) == nil { losses.add(.pathNotUTF8) }
            if MarkdownTitle.hasControlCharacters(stem) { losses.add(.controlCharactersInTitle) }
        }

        var firstLine: String? { MarkdownTitle.firstLine(of: bytes[bodyStart...]) }

        /// "# Words", or "# [x] Words" of a task of nb.
        private var heading: String? {
            var line = bytes[bodyStart...].drop { $0 <= 0x20 }
            guard line.starts(with: "# ".utf8) else { return nil }
            line = line.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
            if line.starts(with: "[ ] ".utf8) || line.starts(with: "[x] ".utf8) { line = line.dropFirst(4) }
            return MarkdownTitle.clean(
                MarkdownTitle.cut(String(decoding: line.prefix(4096), as: UTF8.self), byteCountMax: 1024))
        }

        var names: MarkdownNames {
            var names = MarkdownNames(title: title ?? firstLine ?? "")
            names.heading = heading
            guard let properties else { return names }
            names.aliases = properties.aliases
            names.ownID = properties.ownID
            names.attachments = properties.attachments
            return names
        }

        private mutating func readProperties(_ losses: inout MarkdownLosses) {
            switch MarkdownFrontMatter.split(bytes) {
            case .absent: break
            case .tooLong: losses.add(.frontMatterInvalid)
            case .found(let yaml, let afterwards):
                properties = MarkdownProperties(yaml: Array(bytes[yaml]), tags: &tags, &losses)
                if properties != nil { bodyStart = afterwards } else { losses.add(.frontMatterInvalid) }
            }
        }
    }

    private static func scan(
        _ bytes: [UInt8], from start: Int, into tags: inout MarkdownTags, _ losses: inout MarkdownLosses
    ) {
        var scanner = MarkdownScanner(bytes, from: start)
        scanner.scan(into: &tags, &losses)
        if scanner.attachmentCount > 0 { losses.add(.attachmentNotImported, detail: String(scanner.attachmentCount)) }
    }

    private static func setBody(_ note: inout ParsedNote, _ bytes: ArraySlice<UInt8>, _ losses: inout MarkdownLosses) {
        var end = bytes.endIndex
        if bytes.count > ParsedNote.bodyByteCountMax {
            losses.add(.bodyTooLong)
            end = bytes.startIndex + ParsedNote.bodyByteCountMax
            // Not in the middle of a character: its later bytes are 10xxxxxx.
            while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        note.body = String(decoding: bytes[..<end], as: UTF8.self)
    }
}

/// `MarkdownFrontMatter` finds the properties that stand between "---" lines at the very start of a Markdown file.
private enum MarkdownFrontMatter {
    /// Largest front matter that is read, in bytes.
    static let byteCountMax = 64 << 10

    enum Split: Equatable {
        /// No "---" in the first line, or nothing closes it: then it is a rule across the page.
        case absent
        /// It closes after more than `byteCountMax` bytes.
        case tooLong
        /// The lines between, with their last LF, and where the text begins after them.
        case found(yaml: Range<Int>, bodyStart: Int)
    }

    static func split(_ bytes: [UInt8]) -> Split {
        let first = line(at: 0, in: bytes)
        guard isFence(bytes[first], "---"), first.upperBound < bytes.count else { return .absent }
        let start = first.upperBound + 1
        var at = start
        while at < bytes.count {
            let line = line(at: at, in: bytes)
            if isFence(bytes[line], "---") || isFence(bytes[line], "...") {
                guard at - start <= byteCountMax else { return .tooLong }
                return .found(yaml: start..<at, bodyStart: bodyStart(after: line.upperBound, in: bytes))
            }
            at = line.upperBound + 1
        }
        return .absent
    }

    /// Returns where the body begins: one empty line after the front matter is its margin, not text.
    private static func bodyStart(after end: Int, in bytes: [UInt8]) -> Int {
        var start = min(end + 1, bytes.count)
        if start < bytes.count, bytes[start] == UInt8(ascii: "\n") { start += 1 }
        return start
    }

    /// Returns the line that begins at `start`, without its LF.
    private static func line(at start: Int, in bytes: [UInt8]) -> Range<Int> {
        start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
    }

    private static func isFence(_ line: ArraySlice<UInt8>, _ mark: StaticString) -> Bool {
        let mark = mark.description.utf8
        guard line.starts(with: mark) else { return false }
        return line.dropFirst(mark.count).allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

/// `MarkdownLosses` holds losses of one note, each told once, at most as many as a record holds.
struct MarkdownLosses {
    private(set) var list: [Loss] = []

    mutating func add(_ code: Loss.Code, detail: String = "") {
        let loss = Loss(code, detail: detail)
        guard list.count < ParsedNote.lossCountMax, !list.contains(loss) else { return }
        // The last place says that the list is cut.
        list.append(list.count == ParsedNote.lossCountMax - 1 ? Loss(.moreLosses) : loss)
    }
}
