// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `vault links ID --open N`: hands an address to the desktop, or shows the note that is meant.
enum LinkCommand {
    static func open(_ note: String, _ number: UInt32, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            conversation.output = .collect
            let outcome = try conversation.perform(LinkTarget(ref: note, number: number))
            guard outcome.code == .ok else { return outcome }
            let lines = String(decoding: conversation.takeCollected(), as: UTF8.self).split(separator: "\n", maxSplits: 1).map(String.init)
            guard lines.count == 2 else { throw ClientFailure(.other, "the agent named no target") }
            conversation.output = .print
            switch lines[0] {
            case "note": return try conversation.perform(ShowNotes(refs: [lines[1]], raw: false))
            case "date": return try conversation.perform(SearchNotes(query: "\"\(lines[1])\""))
            default: return try hand(lines[1], context)
            }
        }
    }

    /// xdg-open gets the address as its one argument, without a shell (ThreatModel E10).
    private static func hand(_ address: String, _ context: Context) throws(ClientFailure) -> Outcome {
        guard let program = ProgramPath.find("xdg-open") else {
            try Streams.write((context.presentation.isTerminal ? VisibleText.escaped(address) : address) + "\n")
            return Outcome(.ok)
        }
        let code = try ChildProgram.run(program, [address])
        guard code == 0 else {
            throw ClientFailure(.other, "xdg-open could not open it", hint: "vault links ID shows the address")
        }
        return Outcome(.ok)
    }
}
