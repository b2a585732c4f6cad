// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct TodoCommand: Command {
    static let name = "todo"
    static var spec: Spec {
        Spec(
            "List the open tasks of all notes: lines such as '- [ ] call Ada'.",
            discussion: "The number behind a note's identifier is what 'vault done' takes.",
            examples: [
                "vault todo": "What is left to do, the newest notes first.",
                "vault todo tag:work": "Only notes with a tag; words and filters work as in search.",
            ])
    }
    var query: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.terms(&query, "query", "Words and filters that the notes must match.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var search = SearchNotes(query: query.joined(separator: " "))
        search.regex = #"(?m)^[ \t]*([-*+]|[0-9]{1,9}[.)]) {1,4}\[ \]"#
        (search.limit, search.isExhaustive, search.sort) = (0, true, .modified)
        return try Session.with(context) { conversation throws(ClientFailure) in
            // What it finds are no rows that somebody sees.
            conversation.agent.traits.isShown = false
            let (found, pages) = try conversation.ask(search)
            try found.require()
            let refs = pages.flatMap(\.hits).map(\.note.id)
            var tasks: [Row] = []
            // Some notes at a time: all texts at once would lie here together.
            for begin in stride(from: 0, to: refs.count, by: Self.batchCount) {
                let batch = Array(refs[begin..<min(begin + Self.batchCount, refs.count)])
                let (shown, notes) = try conversation.ask(ShowNotes(refs: batch, raw: false, withDetails: false))
                try shown.require()
                for note in notes where !note.note.isSecret {
                    for (index, task) in TaskLines.all(in: note.body).enumerated() where !task.isDone {
                        tasks.append(Row(note: note.note, number: index + 1, text: task.text))
                    }
                }
            }
            try print(tasks, context)
            if pages.contains(where: { $0.hasMore || $0.isCutShort }) {
                Streams.warn("there are more notes with tasks than were looked at; give words or filters")
            }
            return Outcome(.ok)
        }
    }

    private static let batchCount = 100

    private struct Row {
        let note: NoteRow
        let number: Int
        let text: String
    }

    private func print(_ tasks: [Row], _ context: Context) throws(ClientFailure) {
        if context.options.json { return try Streams.write(Self.json(tasks) + "\n") }
        var before = ""
        for task in tasks {
            if context.style.isTerminal, task.note.id != before {
                try Streams.write("\(task.note.shortID)  \(VisibleText.escaped(task.note.title))\n")
            }
            before = task.note.id
            let text = VisibleText.escaped(task.text)
            try Streams.write(
                context.style.isTerminal ? "  \(task.number)  \(text)\n" : "\(task.note.id)\t\(task.number)\t\(text)\n")
        }
        context.reporter.talk(tasks.isEmpty ? "nothing to do" : "\(tasks.count) to do; vault done ID N")
    }

    private static func json(_ tasks: [Row]) -> String {
        let rows = tasks.map { task in
            "{\"note\":\(JSONText.quoted(task.note.id)),\"title\":\(JSONText.quoted(task.note.title)),"
                + "\"number\":\(task.number),\"text\":\(JSONText.quoted(task.text))}"
        }
        return "{\"schema\":1,\"tasks\":[\(rows.joined(separator: ","))]}"
    }
}

struct DoneCommand: Command {
    static let name = "done"
    static var spec: Spec {
        Spec(
            "Tick a task of a note.",
            examples: ["vault done k7 2": "Tick the task that 'vault todo' numbers 2; undo takes it back."])
    }
    var id = ""
    var number: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&number, "number", "Which of its tasks; the first one that is open by default.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard let number = UInt32(number ?? "0") else {
            throw .usage("'\(VisibleText.escaped(number ?? ""))' is not a task number", hint: "vault todo")
        }
        return try context.send(TickTask(ref: try NameCheck.short(id, "ID"), number: number))
    }
}
