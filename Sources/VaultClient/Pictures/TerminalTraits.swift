// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// `TerminalTraits` holds what the environment says about the terminal.
struct TerminalTraits: Sendable, Equatable {
    /// Knows no escape sequences.
    let isPlain: Bool
    /// tmux or screen: pictures that pass through it are unknown to it, so that it neither moves nor clears them.
    let isMultiplexer: Bool
    /// The kernel's own: it draws no pictures, and its older versions print kitty's question.
    let isConsole: Bool
    /// The terminal is on another machine.
    let isRemote: Bool
    let depth: ColorDepth

    init(variable: (String) -> String? = Environment.text) {
        let term = variable("TERM") ?? ""
        isPlain = term.isEmpty || term == "dumb" || term == "unknown" || term.hasPrefix("eterm")
        isMultiplexer =
            term.hasPrefix("tmux") || term.hasPrefix("screen") || variable("TMUX")?.isEmpty == false
            || variable("STY")?.isEmpty == false
        isConsole = term == "linux"
        isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { variable($0)?.isEmpty == false }
        let depth = ColorDepth(term: term, colorTerm: variable("COLORTERM") ?? "")
        // screen hands COLORTERM on and does not know such colours itself; tmux turns them into what its terminal has.
        let isScreen = term.hasPrefix("screen") && variable("TMUX")?.isEmpty != false
        self.depth = isScreen && depth == .direct ? .palette : depth
    }

    /// How long an answer is waited for. A terminal that answers does so in a few milliseconds, or in the time that the
    /// line takes; one that never does costs all of it. What arrives later is typed into the shell, so this is longer
    /// than any answer should take: docs/decisions/0010.
    var patienceMilliseconds: Int { isRemote ? 2000 : 500 }

    /// What to write to ask. Primary device attributes (DA1) come last: every terminal answers them, and in order, so
    /// that their answer ends ours.
    ///
    /// kitty's query stands between a cursor that is saved and one that is put back, and the line is cleared behind it:
    /// some terminals print what they do not know. tmux takes it for a title, so it is left out there.
    var question: [UInt8] {
        let pictures = "\u{1B}7\u{1B}_Gi=\(TerminalReply.queryID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}8\u{1B}[K"
        return Array(((isMultiplexer ? "" : pictures) + "\u{1B}[16t\u{1B}[c").utf8)
    }
}
