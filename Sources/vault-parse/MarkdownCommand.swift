// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Sandbox

/// `vault-parse markdown`: a frame with a `ForeignFile` for each note, a frame with a `ParsedNote` back.
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
