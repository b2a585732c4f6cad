// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GitComparison
import Testing

@testable import TextMerge

/// What a comparison in another process may answer, and what becomes of it.
struct ComparisonMessageTests {
    /// Answers questions as the confined process does, or with bytes of its own.
    private final class Carrier: ComparisonCarrier {
        var answer: (([UInt8]) -> [UInt8]?)?
        private(set) var questionCount = 0
        private(set) var isFinished = false

        func ask(_ question: [UInt8]) -> [UInt8]? {
            questionCount += 1
            if let answer { return answer(question) }
            return ComparisonMessage.answer(question, by: GitComparison())
        }
        func finish() { isFinished = true }
    }

    private func merge(_ texts: (String, String, String), _ carrier: Carrier) throws -> TextMerge.Outcome {
        try TextMerge.merge(
            base: bytes(texts.0), ours: bytes(texts.1), theirs: bytes(texts.2), ourLabel: "", theirLabel: "",
            by: RemoteComparison(carrier))
    }

    @Test func anotherProcessGivesWhatTheLibraryGives() throws {
        var texts = TestTexts(seed: 11)
        for _ in 0..<50 {
            let base = texts.text(lineCountMax: 40)
            let (ours, theirs) = (texts.edited(base), texts.edited(base))
            let carrier = Carrier()
            let remote = RemoteComparison(carrier)
            let here = GitComparison()
            #expect(
                try TextMerge.merge(base: base, ours: ours, theirs: theirs, ourLabel: "", theirLabel: "", by: remote)
                    == TextMerge.merge(base: base, ours: ours, theirs: theirs, ourLabel: "", theirLabel: "", by: here))
            #expect(
                try WordDiff.hunks(old: ours, new: theirs, by: remote)
                    == WordDiff.hunks(old: ours, new: theirs, by: here))
            #expect(
                try LineDiff.unified(old: ours, new: theirs, oldLabel: "a", newLabel: "b", by: remote)
                    == LineDiff.unified(old: ours, new: theirs, oldLabel: "a", newLabel: "b", by: here))
            #expect(carrier.isFinished || carrier.questionCount == 0)
        }
    }

    @Test func noByteOfATextIsSent() throws {
        let carrier = Carrier()
        var sent: [UInt8] = []
        carrier.answer = { question in
            sent += question
            return ComparisonMessage.answer(question, by: GitComparison())
        }
        let secret = "correct horse battery staple"
        _ = try merge(("a\n\(secret) 1\nb\nc\n", "a\n\(secret) 2\nb\nc\n", "a\n\(secret) 1\nb\nc \(secret)\n"), carrier)
        #expect(!sent.isEmpty && sent.count < 200)
        #expect(sent.allSatisfy { $0 < 16 }, "only small numbers")
    }

    /// Whatever comes back, no text is lost: it is a conflict that holds both sides, or the right merge.
    @Test func anAnswerThatDoesNotFitIsAConflict() throws {
        let texts = ("one\ntwo\nthree\n", "one\nzwei\nthree\n", "one\ntwo\ndrei\n")
        var answers: [[UInt8]?] = [
            nil, [], [0], [1], [2], [9], [2, 0, 0, 0], [2, 0, 0, 0, 1], [2, 255, 255, 255, 255], [2, 0, 0, 0, 0],
        ]
        for number: UInt32 in [99, .max, .max - 1, .max - 2] {
            answers.append([2, 0, 0, 0, 1] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) })
        }
        // Both lines that were kept, and neither that was written; the first line again and again; a conflict of
        // nothing.
        for elements: [UInt32] in [
            [0, 1, 2], [Array(repeating: 0, count: 9)].flatMap { $0 } + [3, 4], [.max, .max - 1, .max - 2, 0, 3, 4],
        ] {
            let numbers = [UInt32(elements.count)] + elements
            answers.append(
                [2]
                    + numbers.flatMap { number in
                        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
                    })
        }
        for answer in answers {
            let carrier = Carrier()
            carrier.answer = { _ in answer }
            let outcome = try merge(texts, carrier)
            guard case .conflict(let marked) = outcome else {
                Issue.record("\(String(describing: answer)) is taken for a merge")
                continue
            }
            let text = String(decoding: marked, as: UTF8.self)
            for line in ["one\n", "zwei\n", "drei\n"] { #expect(text.contains(line), "\(text)") }
        }
    }

    @Test func changesThatDoNotFitAreOneChange() throws {
        let (old, new) = (bytes("a\nb\nc\nd\n"), bytes("a\nB\nc\nD\n"))
        let words: [[UInt32]] = [
            [], [0, 9, 0, 9], [1, 0, 0, 1], [0, 1, 5, 6], [2, 3, 2, 3, 0, 1, 0, 1], [.max, .max, .max, .max],
            [0, 0, 0, 0],
        ]
        for numbers in words {
            let carrier = Carrier()
            let list = [UInt32(numbers.count / 4)] + numbers
            carrier.answer = { _ in
                [1] + list.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) } }
            }
            let diff = try LineDiff.unified(
                old: old, new: new, oldLabel: "a", newLabel: "b", by: RemoteComparison(carrier))
            #expect(try TestPatcher.apply(diff, to: old) == new, "\(numbers)")
        }
    }

    @Test func whatIsNoQuestionHasNoAnswer() {
        let questions: [[UInt8]] = [
            [], [0], [1], [3, 0, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1],
            [2, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0],
        ]
        for question in questions {
            #expect(ComparisonMessage.answer(question, by: GitComparison()) == nil, "\(question)")
        }
    }
}
