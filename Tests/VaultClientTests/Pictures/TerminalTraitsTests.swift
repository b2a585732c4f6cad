// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

/// What the environment says.
struct TerminalTraitsTests {
    private func traits(_ variables: [String: String]) -> TerminalTraits { TerminalTraits { variables[$0] } }

    @Test(arguments: [
        ("xterm-kitty", "", ColorDepth.direct), ("foot-extra", "", .direct), ("xterm-256color", "truecolor", .direct),
        ("xterm", "24bit", .direct),
        ("xterm-direct", "", .direct), ("xterm-256color", "", .palette), ("tmux-256color", "", .palette),
        ("tmux-256color", "truecolor", .direct),
        ("screen-256color", "truecolor", .palette), ("xterm", "", .sixteen), ("linux", "", .sixteen),
        ("vt220", "", .none), ("xterm-mono", "", .none),
        ("dumb", "", .none), ("", "", .none),
    ])
    func theNameTellsTheColors(term: String, colorTerm: String, depth: ColorDepth) {
        #expect(traits(["TERM": term, "COLORTERM": colorTerm]).depth == depth)
    }

    @Test func multiplexersAreKnown() {
        for variables in [
            ["TERM": "screen"], ["TERM": "tmux-256color"], ["TERM": "xterm", "TMUX": "/tmp/x,1,0"],
            ["TERM": "xterm", "STY": "1.pts"],
        ] {
            #expect(traits(variables).isMultiplexer)
            // tmux would take kitty's question for a title.
            #expect(traits(variables).question == Array("\u{1B}[16t\u{1B}[c".utf8))
        }
        #expect(!traits(["TERM": "xterm", "TMUX": "", "STY": ""]).isMultiplexer)
    }

    @Test func theQuestionIsWhatTerminalsKnow() {
        #expect(
            traits(["TERM": "xterm"]).question
                == Array(
                    "\u{1B}7\u{1B}_Gi=4177,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}8\u{1B}[K\u{1B}[16t\u{1B}[c".utf8))
    }

    @Test func aLineToAnotherMachineTakesLonger() {
        let here = traits(["TERM": "xterm"]).patienceMilliseconds
        #expect(traits(["TERM": "xterm", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]).patienceMilliseconds > here)
        #expect(traits(["TERM": "xterm", "SSH_TTY": ""]).patienceMilliseconds == here)
    }

    @Test func plainTerminalsAreKnown() {
        for term in ["", "dumb", "unknown", "eterm-color"] { #expect(traits(["TERM": term]).isPlain) }
        #expect(traits([:]).isPlain)
        #expect(!traits(["TERM": "linux"]).isPlain && traits(["TERM": "linux"]).isConsole)
    }
}
