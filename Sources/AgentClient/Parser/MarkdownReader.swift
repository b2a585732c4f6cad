// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
public import ParserProtocol

/// `MarkdownReader` has texts in Markdown laid out for a terminal, by a `vault-parse` that runs until this is gone.
public final class MarkdownReader {
    private final class Running {
        var parser: ParserProcess
        init() throws(ClientFailure) { parser = try ParserProcess(["reading"], nil) }
    }
    private var running: Running?
    /// One that has failed is not asked again.
    private var hasFailed = false
    private static let lookCountMax = 50

    public init() {}

    /// Returns a text in rows; nil if layout failed or is not worthwhile: the text is then shown as it is.
    public func rows(of text: String, columns: Int) -> [ReadingRow]? {
        guard !hasFailed, Self.mayHaveMarks(text), let question = ReadingQuestion(columns: columns, text: text) else {
            return nil
        }
        guard let answer = answer(to: question), let rows = try? ReadingRow.parse(answer) else {
            (hasFailed, running) = (true, nil)
            return nil
        }
        return rows
    }

    /// A text without any of these is the same as Markdown.
    private static func mayHaveMarks(_ text: String) -> Bool {
        text.utf8.contains { byte in "#*_`|>[]-+~=".utf8.contains(byte) } || text.contains { $0.isNumber }
            || text.utf8.count > 60
    }

    private func answer(to question: ReadingQuestion) -> [UInt8]? {
        if running == nil { running = try? Running() }
        guard let running else { return nil }
        var pending = ByteQueue()
        var received = ByteQueue()
        pending.append(RecordFrame.enclosing(question.encoded))
        var looks = 0
        while true {
            do {
                if let answer = try received.takeFrame(max: ReadingRow.answerByteCountMax) { return answer }
            } catch { return nil }
            guard looks < Self.lookCountMax else { return nil }
            switch running.parser.exchange(pending: &pending, received: &received) {
            case .nothing: looks += 1
            case .worked: looks = 0
            case .gone: return try? received.takeFrame(max: ReadingRow.answerByteCountMax)
            }
        }
    }
}
