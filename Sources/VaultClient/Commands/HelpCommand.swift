// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// Help that no command's page has.
enum HelpCommand {
    /// `vault` alone: the way to a first note.
    static let start = """
        vault keeps private notes, encrypted on this machine.

          vault init                  make a vault (once)
          vault unlock                open it
          vault new "buy milk"        write a note
          vault ls                    see your notes
          vault show ID               read one
          vault search milk           find one
          vault lock                  close it

        All commands: vault help     One of them: vault help new     Exit codes: vault help exit-codes

        """

    static var exitCodes: String {
        ExitCode.allCases.map { code in
            let number = String(code.rawValue)
            return String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning + "\n"
        }.joined()
    }
}
