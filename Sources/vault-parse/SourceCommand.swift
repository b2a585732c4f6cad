// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol

/// `vault-parse source`: a frame with a `SourceQuestion`, and the `SourceAnswer` back.
enum SourceCommand {
    static func run() {
        do {
            let question = try SourceQuestion(parsing: Pipe.onlyFrame(max: SourceQuestion.byteCountMax))
            Pipe.write(SourceRecognition.answer(to: question).encoded)
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }
}
