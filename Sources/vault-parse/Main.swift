// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ForeignRecords
import MediaFormats

/// Reads untrusted files from standard input and writes a record for each to standard output. It holds no key, sees no
/// vault, and after its first lines can open no file and no socket: what a malicious file could win here is a wrong note.
///
/// `vault-parse markdown` reads frames and writes records; `vault-parse strip` reads a photo and writes it without place, serial numbers and the
/// like. Exit codes: 0 at the end of the input, 2 for a wrong command line, 13 for a malformed frame or
/// a process that cannot be confined.
@main
enum Main {
    static func main() {
        guard Confinement.enter() else { Pipe.fail("this system refuses to confine it") }
        switch CommandLine.arguments.count == 2 ? CommandLine.arguments[1] : "" {
        case "markdown": markdown()
        case "strip": strip()
        default: Pipe.fail("usage: vault-parse markdown|strip, with frames or a photo on standard input", exitCode: 2)
        }
    }

    /// Nothing is written before the whole photo is understood.
    private static func strip() {
        var input = Pipe()
        guard let photo = input.rest(max: PhotoMetadata.byteCountMax) else { Pipe.fail("the photo is too large") }
        guard let stripped = try? PhotoMetadata.strip(photo) else { Pipe.fail("the photo is not understood") }
        Pipe.write(stripped.bytes)
    }

    private static func markdown() {
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
