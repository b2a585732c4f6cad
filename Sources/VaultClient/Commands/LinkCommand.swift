// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `vault links ID --open N`: hands an address to the desktop, or shows the note that is meant.
enum LinkCommand {
    static func open(_ note: String, _ number: UInt32, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(LinkTarget(ref: note, number: number))
            guard outcome.code == .ok else { return outcome }
            guard let link = replies.first?.links.first else { throw ClientFailure(.other, "the agent named no target") }
            switch link.kind {
            case .note:
                let withDetails = context.options.json || context.style.isTerminal
                return try conversation.perform(ShowNotes(refs: [link.target], raw: false, withDetails: withDetails))
            case .date: return try conversation.perform(SearchNotes(query: "\"\(link.target)\""))
            case .url, .email, .phone: return try hand(link.target, context)
            }
        }
    }

    /// xdg-open gets the address as its one argument, without a shell (ThreatModel E10).
    private static func hand(_ address: String, _ context: Context) throws(ClientFailure) -> Outcome {
        guard let program = ProgramPath.find("xdg-open") else {
            try Streams.write((context.style.isTerminal ? VisibleText.escaped(address) : address) + "\n")
            return Outcome(.ok)
        }
        let code = try ChildProgram.run(program, [address])
        guard code == 0 else {
            throw ClientFailure(.other, "xdg-open could not open it", hint: "vault links ID shows the address")
        }
        return Outcome(.ok)
    }
}
