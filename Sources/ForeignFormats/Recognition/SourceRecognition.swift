// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignPrograms
public import ParserProtocol

/// `SourceRecognition` finds out what a file or folder is an export of, by content first, then by names.
public enum SourceRecognition {
    /// Returns what a source can be an export of; there is an answer whatever the question holds.
    public static func answer(to question: SourceQuestion) -> SourceAnswer {
        let view = SourceView(question)
        var answer = SourceAnswer(
            formats: OwnFormats.formats(of: view).map(\.rawValue).sorted(),
            encrypted: OwnFormats.encrypted(view).map(\.rawValue).sorted())
        // A source of ours is never another program's, but for those that write Markdown: they are only named.
        guard answer.formats.isEmpty || answer.formats == [ImportFormat.markdown.rawValue] else { return answer }
        answer.program =
            ForeignProgram.all.first { program in
                (answer.formats.isEmpty || answer.formats == program.format.map { [$0] }) && program.shape.fits(view)
            }?.id
        return answer
    }
}

/// `SourceView` is a `SourceQuestion` made ready for tests: each of its parts is looked at once.
struct SourceView {
    enum Shape { case folder, tar, zip, file }

    let question: SourceQuestion
    let shape: Shape
    /// The beginning of the file with ASCII letters in lower case, without a byte order mark.
    let text: [UInt8]
    /// Paths in a folder or zip archive, in lower case.
    let entries: [[UInt8]]
    /// The names in a folder; empty for a file.
    let files: [FolderFile]
    let isZip: Bool
    /// Columns of the first line, in lower case, if that is what it has.
    let columns: Set<[UInt8]>

    init(_ question: SourceQuestion) {
        self.question = question
        let head = question.head
        isZip = !question.isFolder && ZipNames.isZip(head)
        let plain = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : SourceView.utf8(head)
        text = plain.map(SourceView.lower)
        let names = isZip ? ZipNames.names(head: head, tail: question.tail) : question.names
        entries = names.map { $0.map(SourceView.lower) }
        files = question.isFolder ? question.names.compactMap { FolderFile($0) } : []
        let isTar = head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
        shape = question.isFolder ? .folder : isTar ? .tar : isZip ? .zip : .file
        columns = isZip || question.isFolder ? [] : SourceView.columns(text)
    }

    /// Whether it begins as a JSON object does.
    var isJSON: Bool { begin.first == 0x7B }

    /// Returns whether a folder has this very name in it.
    func hasName(_ name: String) -> Bool {
        shape == .folder && question.names.contains { $0.elementsEqual(name.utf8) }
    }

    static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns the ASCII text of UTF-16 as some programs for Windows write it; all that is looked for is ASCII.
    private static func utf8(_ head: [UInt8]) -> [UInt8] {
        guard head.count >= 2, head.prefix(2) == [0xFF, 0xFE] || head.prefix(2) == [0xFE, 0xFF] else { return head }
        let isLittle = head[0] == 0xFF
        return stride(from: 2, to: head.count - 1, by: 2).map {
            head[$0 + (isLittle ? 1 : 0)] == 0 ? head[$0 + (isLittle ? 0 : 1)] : 0x3F
        }
    }

    /// The text from its first byte that is no white space.
    var begin: ArraySlice<UInt8> { text.drop(while: SourceView.isSpace) }

    func contains(_ wanted: String) -> Bool { SourceView.contains(text, Array(wanted.lowercased().utf8)) }

    static func contains(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first, text.count >= wanted.count else { return wanted.isEmpty }
        let last = text.count - wanted.count
        var at = 0
        while at <= last {
            guard let next = text[at...last].firstIndex(of: first) else { return false }
            if text[next..<next + wanted.count].elementsEqual(wanted) { return true }
            at = next + 1
        }
        return false
    }

    /// Returns the words of the first line between commas, semicolons or tabs, without quotation marks. A line that is
    /// cut off or very long has none.
    private static func columns(_ text: [UInt8]) -> Set<[UInt8]> {
        let line = text.prefix(4096).prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.count < 4096, !line.isEmpty, !line.contains(0) else { return [] }
        let separator: UInt8 = line.contains(0x09) ? 0x09 : line.contains(0x2C) ? 0x2C : 0x3B
        let words = line.split(separator: separator, omittingEmptySubsequences: false).map { word in
            var word = word.drop(while: isSpace)
            while let last = word.last, isSpace(last) { word = word.dropLast() }
            return Array(
                word.count >= 2 && word.first == 0x22 && word.last == 0x22 ? word.dropFirst().dropLast() : word)
        }
        return words.count > 1 ? Set(words) : []
    }
}

/// `ZipNames` finds names in a zip archive, from as much of its beginning and its end as is there: members at the
/// beginning, and the list of them at the end.
private enum ZipNames {
    /// Most names that are looked at.
    static let countMax = 4096

    static func isZip(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
    }

    static func names(head: [UInt8], tail: [UInt8]) -> [[UInt8]] {
        collect(head, signature: [0x50, 0x4B, 3, 4], lengthAt: 26, nameAt: 30)
            + collect(tail, signature: [0x50, 0x4B, 1, 2], lengthAt: 28, nameAt: 46)
    }

    private static func collect(_ bytes: [UInt8], signature: [UInt8], lengthAt: Int, nameAt: Int) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var at = 0
        while names.count < countMax, at + nameAt <= bytes.count {
            guard let next = bytes[at...(bytes.count - nameAt)].firstIndex(of: signature[0]) else { break }
            at = next + 1
            guard bytes[next..<next + 4].elementsEqual(signature) else { continue }
            let count = Int(bytes[next + lengthAt]) | Int(bytes[next + lengthAt + 1]) << 8
            guard (1...4096).contains(count), next + nameAt + count <= bytes.count else { continue }
            names.append(Array(bytes[next + nameAt..<next + nameAt + count]))
            at = next + nameAt + count
        }
        return names
    }
}
