// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `RenderedWords` holds the words of a rendered note, to tell whether its text is all there.
///
/// Markdown drops what it takes for definitions and nothing refers to, the words of a table's row beyond its head, and
/// more; and the process that renders is not trusted with a text.
struct RenderedWords {
    private var counts: [ArraySlice<UInt8>: Int] = [:]

    /// Counts the words of a rendered note.
    ///
    /// - Parameter originals: what stood in the text in place of each reference.
    init(_ pieces: [HTMLPiece], _ originals: [String]) {
        for piece in pieces {
            switch piece {
            case .html(let text):
                for word in Self.words(Self.readable(Array(text.utf8))) { counts[word, default: 0] += 1 }
            case .reference(let number, _, let label):
                let original = originals.indices.contains(number) ? originals[number] : ""
                for word in Self.words(Array("\(label) \(original)".utf8)) { counts[word, default: 0] += 1 }
            }
        }
    }

    /// Returns whether each word of the text is there as often as it was typed, apart from those that Markdown reads as
    /// signs.
    func hold(_ text: String) -> Bool {
        var left = counts
        return Self.words(Self.withoutSigns(Array(text.utf8))).allSatisfy { word in
            guard let count = left[word], count > 0 else { return false }
            left[word] = count - 1
            return true
        }
    }

    /// Returns runs of letters and digits.
    private static func words(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { byte in
            !(byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte))
        }
    }

    /// Returns HTML with its percent-encoded bytes as themselves, as they stood in the text.
    private static func readable(_ bytes: [UInt8]) -> [UInt8] {
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x41...0x46: byte - 0x37
            default: nil
            }
        }
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = digit(bytes[at + 1]),
                let low = digit(bytes[at + 2])
            {
                let byte = high << 4 | low
                // Only what cmark-gfm encoded: ASCII that was typed encoded stays so.
                result += byte >= 0x80 ? [byte] : bytes[at...(at + 2)].map { $0 }
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }

    /// Returns the text without numbers of lists, boxes of tasks, entities and labels of links that a definition has.
    private static func withoutSigns(_ bytes: [UInt8]) -> [UInt8] {
        let labels = Set(bytes.split(separator: 0x0A).compactMap { definedLabel($0) })
        var result = bytes
        var isLineStart = true
        var at = 0
        while at < result.count {
            let byte = result[at]
            if isLineStart, (0x30...0x39).contains(byte) {
                let digits = result[at...].prefix(10).prefix { (0x30...0x39).contains($0) }
                let end = digits.endIndex
                if digits.count <= 9, end < result.count, [0x2E, 0x29].contains(result[end]),
                    end + 1 == result.count || [0x20, 0x09, 0x0A].contains(result[end + 1])
                {
                    for index in digits.indices { result[index] = 0x20 }
                    at = end + 1
                    continue
                }
            }
            if byte == UInt8(ascii: "["), let end = result[at...].prefix(1000).firstIndex(of: UInt8(ascii: "]")) {
                let label = Array(result[(at + 1)..<end])
                if labels.contains(folded(label)) || ["x", "X"].contains(String(decoding: label, as: UTF8.self)) {
                    // A footnote's label has no space, and is shown.
                    let isFootnote = label.first == UInt8(ascii: "^") && !label.contains(0x20)
                    for index in (at + 1)..<end where !isFootnote { result[index] = 0x20 }
                }
            }
            if byte == UInt8(ascii: "&"), let end = result[at...].prefix(34).firstIndex(of: UInt8(ascii: ";")) {
                for index in at..<end { result[index] = 0x20 }
            }
            isLineStart =
                byte == 0x0A
                || isLineStart
                    && [0x20, 0x09, UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")]
                        .contains(byte)
            at += 1
        }
        return result
    }

    /// Returns the label of a definition, `[label]: …`, if the line is one.
    private static func definedLabel(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let text = line.drop { $0 == 0x20 || $0 == UInt8(ascii: ">") }
        guard text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")),
            end + 1 < text.endIndex,
            text[end + 1] == UInt8(ascii: ":")
        else { return nil }
        return folded(Array(text[(text.startIndex + 1)..<end]))
    }

    private static func folded(_ label: [UInt8]) -> [UInt8] {
        label.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
