// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `CompletedNames` tells a shell titles, tags and notebooks that begin as a word does, of the vault that is open. It
/// says nothing while the setting `completion.titles` is off, and never asks for a password: what a shell offers stands
/// on the screen without having been asked for.
enum CompletedNames {
    /// The hidden command: `vault __complete note|tag|notebook WORD`.
    static let command = "__complete"
    /// Notes whose titles are looked at: those that changed last.
    private static let noteCountMax: UInt32 = 2000
    private static let offerCountMax = 100

    static func run(_ words: [String]) -> Int32 {
        let context = Context(options: GlobalOptions())
        guard words.count == 2, context.settingsOrDefaults.completesTitles, let location = try? context.location()
        else { return 0 }
        var traits = ClientTraits()
        traits.isUnattended = true
        guard var agent = try? AgentConnection.toRunning(location, traits: traits),
            let names = try? names(words[0], &agent)
        else { return 0 }
        let begin = words[1].lowercased()
        // What cannot be typed is not offered.
        let offers = names.filter { $0.lowercased().hasPrefix(begin) && VisibleText.escaped($0) == $0 && !$0.isEmpty }
        try? Streams.write(offers.prefix(offerCountMax).map { $0 + "\n" }.joined())
        return 0
    }

    private static func names(_ kind: String, _ agent: inout AgentConnection) throws(ClientFailure) -> [String] {
        switch kind {
        case "tag": return try agent.ask(ListTags()).replies.flatMap { $0.names.map(\.name) }
        case "notebook": return try agent.ask(ListNotebooks()).replies.flatMap { $0.names.map(\.name) }
        case "note":
            var list = ListNotes()
            list.limit = noteCountMax
            return try agent.ask(list).replies.flatMap { $0.notes.map(\.title) }
        default: return []
        }
    }
}
