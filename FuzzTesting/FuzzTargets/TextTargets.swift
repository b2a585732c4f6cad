// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ExportFormats
internal import GitComparison
internal import MarkdownHTML
internal import ParserProtocol
internal import TextMerge

/// Texts on their way through vault-parse, and what it may answer.
extension FuzzTarget {
    static let texts = [html, comparison]

    /// The input as a note's text, which becomes only what the agent lets through, and as a page and as an answer as
    /// they pass through the pipe.
    private static let html = FuzzTarget("html") { bytes in
        guard identity(MarkdownPage.init(parsing:), \.encoded, bytes),
            identity({ try HTMLPiece.list(parsing: $0, referenceCount: 1) }, HTMLPiece.encoded, bytes)
        else { return false }
        guard
            let page = MarkdownPage(
                name: "n", nonce: "v0123456789abcdef0123456789abcdef", references: ["att:a.png"],
                body: String(decoding: bytes, as: UTF8.self)),
            let pieces = MarkdownHTML.render(page)
        else { return false }
        return (try? HTMLPiece.list(parsing: HTMLPiece.encoded(pieces), referenceCount: 1)) == pieces
            && HTMLCheck(name: "n").allows(pieces)
    }

    /// The input as a question, and as the answer to one: no answer loses a line that a side wrote.
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
        case .clean(let text):
            return ["zwei", "drei"].allSatisfy { String(decoding: text, as: UTF8.self).contains($0) }
        case .conflict(let marked): return !marked.isEmpty
        }
    }

    private struct FixedAnswer: ComparisonCarrier {
        let bytes: [UInt8]
        func ask(_ question: [UInt8]) -> [UInt8]? { bytes }
        func finish() {}
    }
}
