// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import ForeignFormats
import ParserProtocol
import PictureDecoding

/// `BooksCommand` runs `vault-parse books google|openlibrary`: a frame with a service's answer, and a frame with a
/// `BookRecord` for each book and one for the end back.
enum BooksCommand {
    @Sendable static func run(_ words: [String]) {
        guard words.count == 1, let service = BookService(rawValue: words[0]) else {
            let names = BookService.allCases.map(\.rawValue).joined(separator: "|")
            Pipe.fail("usage: vault-parse books \(names)", exitCode: 2)
        }
        do {
            let answer = try Pipe.onlyFrame(max: BookRecord.answerByteCountMax)
            for record in BookAnswer.records(of: answer, from: service) {
                Pipe.write(RecordFrame.enclosing(record.encoded))
            }
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }
}

/// `CoverCommand` runs `vault-parse cover`: a whole file until the end of the input, one `CoverRecord` back, also when
/// there is no picture in it.
enum CoverCommand {
    static func run() {
        guard let bytes = Pipe.wholeInput(max: CoverRecord.inputByteCountMax) else {
            Pipe.write(CoverRecord.tooLarge.encoded)
            return
        }
        Pipe.write(CoverPicture.record(of: bytes).encoded)
    }
}
