// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct LinksCommand: Command {
    static let name = "links"
    static var spec: Spec {
        Spec(
            "List a note's links.",
            discussion: "Web and mail addresses, telephone numbers, dates and [[other notes]].",
            examples: [
                "vault links k7": "See the addresses, dates and notes that a note points to.",
                "vault links k7 --open 2": "Open the second one.",
            ])
    }
    var id = ""
    var open: UInt32?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.option(&open, "open", value: "n", "Open the link with this number.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard let open else { return try context.send(ListLinks(ref: id)) }
        return try LinkCommand.open(id, open, context)
    }
}

struct BacklinksCommand: Command {
    static let name = "backlinks"
    static var spec: Spec {
        Spec(
            "List the notes that link to a note.",
            examples: ["vault backlinks k7": "See which notes point to this one."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListBacklinks(ref: id)) }
}

/// `LinkCommand` runs `vault links ID --open N`: hands an address to the desktop, or shows the note that is meant.
enum LinkCommand {
    static func open(_ note: String, _ number: UInt32, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(LinkTarget(ref: note, number: number))
            guard outcome.code == .ok else { return outcome }
            guard let link = replies.first?.links.first else {
                throw ClientFailure(.other, "the agent named no target")
            }
            switch link.kind {
            case .note:
                let withDetails = context.options.json || context.style.isTerminal
                return try conversation.perform(ShowNotes(refs: [link.target], raw: false, withDetails: withDetails))
            case .date: return try conversation.perform(SearchNotes(query: "\"\(link.target)\""))
            case .url, .email, .phone, .address: return try hand(link.target, context)
            case .parcel, .flight:
                try Streams.write(link.target + "\n")
                return Outcome(.ok)
            }
        }
    }

    /// Opens an address with xdg-open, which gets it as its one argument, without a shell (ThreatModel E10).
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
