// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Finds addresses, telephone numbers, days and `[[note links]]` in a text; nothing in code, as Markdown marks it.
///
/// One pass: whatever a link could be made of is looked at a bounded number of times, so the time grows with the text
/// alone. In a target are the characters of RFC 3986 and, in hosts, letters of other scripts: nothing that a terminal
/// obeys.
public enum LinkDetector {
    private static let opening = ByteFinder(Array("[[".utf8))

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

    /// What `[[…]]` names, each once.
    public static func noteTargets(in text: [UInt8]) -> [String] {
        guard opening.first(in: text.span) != nil else { return [] }
        var known: Set<String> = []
        return links(in: text).filter { $0.kind == .note && known.insert($0.target).inserted }.map(\.target)
    }
}
