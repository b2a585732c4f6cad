// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// Which pager is run, when one is.
struct PagerChoice: Equatable {
    let path: String
    let arguments: [String]
    let environment: [String]

    /// NOTEVAULT_PAGER, PAGER, the setting, `less`.
    ///
    /// - Returns: nil when there is none, or when `cat` or an empty text says that none is wanted.
    static func find(
        setting: String?, variable: (String) -> String? = Environment.text,
        find: (String) -> String? = { ProgramPath.find($0) }
    ) -> PagerChoice? {
        let command = variable("NOTEVAULT_PAGER") ?? variable("PAGER") ?? setting ?? "less"
        guard let words = CommandWords.split(command), let name = words.first, name != "cat", let path = find(name)
        else { return nil }
        return PagerChoice(
            path: path, arguments: Array(words.dropFirst()), environment: Environment.all(with: additions(variable)))
    }

    /// less keeps no history of what was searched for, writes no log file and runs no other program (ThreatModel G06).
    /// FRX: it ends by itself when one screen is enough, shows colours, and leaves the text on the screen; who has LESS
    /// set wants it otherwise.
    private static func additions(_ variable: (String) -> String?) -> [(name: String, value: String)] {
        [("LESSHISTFILE", "-"), ("LESSSECURE", "1"), ("LESSOPEN", ""), ("LESSCLOSE", "")]
            + (variable("LESS") == nil ? [("LESS", "FRX")] : [])
    }
}
