// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `LentTerminal` runs a command of `vault` on the terminal while the screen is away: an editor, a password.
enum LentTerminal {
    /// Runs it, and lets what it said be read where it failed.
    ///
    /// - Returns: its exit code.
    static func run(_ words: [String], in directory: String) -> Int32 {
        guard let path = try? Programs.path(of: "vault"),
            let pid = try? ChildProgram.start(path, ["--vault", directory] + words, input: 0, output: 1)
        else { return -1 }
        let code = ChildProgram.wait(for: pid)
        if code != 0 {
            let line = Array("\nPress Enter to return to the list".utf8)
            _ = unsafe line.withUnsafeBytes { unsafe write(1, $0.baseAddress!, $0.count) }
            var byte: UInt8 = 0
            while unsafe read(0, &byte, 1) == 1, byte != 10, byte != 13 {}
        }
        return code
    }

    /// Becomes another command of `vault`; does not come back unless it cannot be started.
    static func become(_ words: [String], in directory: String) {
        guard let path = try? Programs.path(of: "vault") else { return }
        ChildProgram.become(path, ["--vault", directory] + words)
    }
}
