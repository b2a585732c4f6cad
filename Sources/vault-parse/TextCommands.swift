// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import GitComparison
import MarkdownHTML
import ParserProtocol
import Sandbox
import TextMerge

/// `HTMLCommand` runs `vault-parse html`: a frame with a `MarkdownPage` for each note, a frame with its `HTMLPiece`s
/// back.
enum HTMLCommand {
    static func run() {
        Pipe.answer(max: MarkdownPage.byteCountMax) { question throws(RecordError) in
            MarkdownHTML.render(try MarkdownPage(parsing: question)).map(HTMLPiece.encoded)
        }
    }
}

/// `ReadingCommand` runs `vault-parse reading`: a frame with a `ReadingQuestion`, a frame with the `ReadingRow`s back.
enum ReadingCommand {
    static func run() {
        Pipe.answer(max: ReadingQuestion.byteCountMax) { question throws(RecordError) in
            MarkdownRows.rows(try ReadingQuestion(parsing: question)).map(ReadingRow.encoded)
        }
    }
}

/// `CompareCommand` runs `vault-parse compare`: a frame with a question of two or three lists of numbers, a frame with
/// the answer back. Spec: `ComparisonMessage`.
enum CompareCommand {
    static func run() {
        Pipe.answer(max: ComparisonMessage.questionByteCountMax) { question throws(RecordError) in
            ComparisonMessage.answer(question, by: GitComparison())
        }
    }
}

extension Pipe {
    /// Answers each frame of the input with one, each with a time of its own.
    ///
    /// - Parameter answer: nil ends the process.
    fileprivate static func answer(max: Int, _ answer: ([UInt8]) throws(RecordError) -> [UInt8]?) {
        var input = Pipe()
        do throws(RecordError) {
            while let question = try input.nextFrame(max: max) {
                Sandbox.allowMoreTime(for: .manyInputs)
                guard let bytes = try answer(question) else { fail("a question has no answer") }
                write(RecordFrame.enclosing(bytes))
            }
        } catch {
            fail("a frame is malformed: \(error)")
        }
    }
}

/// `MarkdownCommand` runs `vault-parse markdown`: a frame with a `ForeignFile` for each note, a frame with a
/// `ParsedNote` back.
enum MarkdownCommand {
    static func run() { LocalZone.$current.withValue(SystemZone.zone, operation: convert) }

    private static func convert() {
        var input = Pipe()
        do {
            while let frame = try input.nextFrame() {
                Sandbox.allowMoreTime(for: .manyInputs)
                let file = try ForeignFile(parsing: frame)
                var note = MarkdownNote.parse(file)
                // Without a word in the text, the file's own time says when it was last changed.
                if note.updated == nil, ParsedNote.times.contains(file.modified) { note.updated = file.modified }
                Pipe.write(RecordFrame.enclosing(note.encoded))
            }
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }
}
