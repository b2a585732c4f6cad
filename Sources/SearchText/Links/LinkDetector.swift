// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Finds addresses, telephone numbers, days and `[[note links]]` in a text; nothing in code, as Markdown marks it.
///
/// One pass: whatever a link could be made of is looked at a bounded number of times, so the time grows with the text alone.
public enum LinkDetector {
    /// In the order of their places; they never overlap. Text need not be UTF-8.
    public static func links(in text: [UInt8]) -> [DetectedLink] {
        var links: [DetectedLink] = []
        for segment in ProseSegments.of(text) {
            var scanner = LinkScanner(text, segment)
            scanner.run()
            links += scanner.links
        }
        return links
    }

    public static func links(in text: String) -> [DetectedLink] { links(in: Array(text.utf8)) }

    /// Whether a text may hold an address or a note link: bytes that every one of them has.
    public static func mayHaveLinks(_ text: Span<UInt8>) -> Bool {
        for offset in 0..<text.count {
            switch text[offset] {
            case UInt8(ascii: "@"): return true
            case UInt8(ascii: ":"), UInt8(ascii: "["):
                // "://", "mailto:", "tel:" and "[[".
                if text[offset] == UInt8(ascii: ":") || (offset + 1 < text.count && text[offset + 1] == UInt8(ascii: "[")) { return true }
            case UInt8(ascii: "w"), UInt8(ascii: "W"):
                if offset + 3 < text.count, text[offset + 3] == UInt8(ascii: "."), text[offset + 1] | 0x20 == UInt8(ascii: "w") { return true }
            default: continue
            }
        }
        return false
    }

    /// What `[[…]]` names, each once.
    public static func noteTargets(in text: [UInt8]) -> [String] {
        guard hasNoteLink(text.span) else { return [] }
        var known: Set<String> = []
        return links(in: text).filter { $0.kind == .note && known.insert($0.target).inserted }.map(\.target)
    }

    private static func hasNoteLink(_ text: Span<UInt8>) -> Bool {
        var before: UInt8 = 0
        for offset in 0..<text.count {
            if text[offset] == UInt8(ascii: "["), before == UInt8(ascii: "[") { return true }
            before = text[offset]
        }
        return false
    }
}
