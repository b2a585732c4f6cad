// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords
internal import GitComparison
internal import MarkdownHTML
internal import TextMerge

/// Texts on their way through vault-parse, and what it may answer.
extension FuzzTarget {
    static let texts = [html, comparison]

    /// The input as a note's text, and as a page and as an answer as they pass through the pipe.
    private static let html = FuzzTarget("html") { bytes in
        guard identity(MarkdownPage.init(parsing:), \.encoded, bytes), identity(HTMLPiece.list(parsing:), HTMLPiece.encoded, bytes) else {
            return false
        }
        guard let page = MarkdownPage(name: "n", references: ["att:a.png"], body: String(decoding: bytes, as: UTF8.self)),
            let pieces = MarkdownHTML.render(page)
        else { return false }
        return (try? HTMLPiece.list(parsing: HTMLPiece.encoded(pieces))) == pieces && pieces.allSatisfy(isHarmless)
    }

    /// No text of a note becomes a tag that runs or fetches something.
    private static func isHarmless(_ piece: HTMLPiece) -> Bool {
        switch piece {
        case .html(let text): !["<script", "<img", "<style", "<iframe", "<svg", "href=\"javascript"].contains { text.contains($0) }
        case .reference(let number, _, _): number == 0
        }
    }

    /// The input as a question, and as the answer to one: no answer loses a line.
    private static let comparison = FuzzTarget("comparison") { bytes in
        _ = ComparisonMessage.answer(bytes, by: GitComparison())
        let remote = RemoteComparison(FixedAnswer(bytes: bytes))
        let texts = ["one\ntwo\nthree\n", "one\nzwei\nthree\n", "one\ntwo\ndrei\n"].map { Array($0.utf8) }
        guard
            let merged = try? TextMerge.merge(
                base: texts[0], ours: texts[1], theirs: texts[2], ourLabel: "", theirLabel: "", by: remote),
            (try? WordDiff.hunks(old: texts[0], new: texts[1], by: remote)) != nil
        else { return false }
        switch merged {
        case .clean: return bytes.first == 2
        case .conflict(let marked): return !marked.isEmpty
        }
    }

    private struct FixedAnswer: ComparisonCarrier {
        let bytes: [UInt8]
        func ask(_ question: [UInt8]) -> [UInt8]? { bytes }
        func finish() {}
    }
}
