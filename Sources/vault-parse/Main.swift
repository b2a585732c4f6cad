// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Sandbox

/// `Main` reads untrusted files from standard input and writes a record for each to standard output. It holds no key,
/// sees no vault, and after its first lines can open no file and no socket: what a malicious file could win here is a
/// wrong note.
///
/// `vault-parse COMMAND`; exit codes: 0 at the end of the input, 2 for a wrong command line, 13 for a malformed frame,
/// input that cannot be read, or a process that cannot be confined.
@main
enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 1 || ["sketch", "archive", "folder", "books"].contains(words.first ?? ""),
            let command = Command.all.first(where: { $0.name == words.first })
        else {
            Pipe.fail(
                "usage: vault-parse \(Command.all.map(\.name).joined(separator: "|")), with input on standard input",
                exitCode: 2)
        }
        guard command.prepare(), Sandbox.enter(for: command.work) else {
            Pipe.fail("this system refuses to confine it")
        }
        command.run(Array(words.dropFirst()))
    }
}
