// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ForeignRecords

/// Reads untrusted files from standard input and writes a record for each to standard output. It holds no key, sees no
/// vault, and after its first lines can open no file and no socket: what a malicious file could win here is a wrong note.
///
/// `vault-parse markdown`; exit codes: 0 at the end of the input, 2 for a wrong command line, 13 for a malformed frame or
/// a process that cannot be confined.
@main
enum Main {
    static func main() {
        guard Confinement.enter() else { Pipe.fail("this system refuses to confine it") }
        guard CommandLine.arguments.count == 2, CommandLine.arguments[1] == "markdown" else {
            Pipe.fail("usage: vault-parse markdown, with frames on standard input", exitCode: 2)
        }
        var input = Pipe()
        do {
            while let frame = try input.nextFrame() {
                Confinement.allowMoreTime()
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
