// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteLink` finds `[[title]]` or `[[identifier|label]]`, on one line and not nested.
enum NoteLink {
    private static let byteCountMax = 500

    /// Returns the link that begins at a bracket; nil if none does.
    ///
    /// - Parameter begin: the place of the first bracket.
    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        let limit = min(segment.upperBound, begin + 4 + byteCountMax)
        guard begin + 2 < limit, text[begin + 1] == open, text[begin + 2] != open, !isEscaped(text, begin, segment)
        else { return nil }
        guard let end = (begin + 2..<limit).first(where: { [open, close, 0x0A, 0x0D].contains(text[$0]) }),
            text[end] == close,
            end + 1 < limit, text[end + 1] == close, !WebAddress.begins(text, begin + 2, begin..<end)
        else { return nil }
        // "[[1]](https://…)" is Markdown's own link, of which the text is in brackets.
        if end + 2 < segment.upperBound, text[end + 2] == UInt8(ascii: "(") { return nil }
        let parts = String(decoding: text[(begin + 2)..<end], as: UTF8.self).split(
            separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let target = clean(parts[0])
        let label = parts.count > 1 ? clean(parts[1]) : target
        guard !target.isEmpty else { return nil }
        return DetectedLink(
            kind: .note, range: begin..<(end + 2), target: target, label: label.isEmpty ? target : label)
    }

    /// Returns whether an odd number of backslashes stands before it.
    private static func isEscaped(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Bool {
        var at = begin
        while at > segment.lowerBound, text[at - 1] == UInt8(ascii: "\\") { at -= 1 }
        return (begin - at) % 2 == 1
    }

    /// Returns one line without controls, so that it can be typed, shown and compared.
    private static func clean(_ text: Substring) -> String {
        let kept = text.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) && !ByteClass.isReordering($0)
        }
        return String(String.UnicodeScalarView(kept)).split(separator: " ").joined(separator: " ")
    }
}
