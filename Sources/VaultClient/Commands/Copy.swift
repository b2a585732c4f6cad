// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

struct CopyCommand: Command {
    static let name = "copy"
    static var spec: Spec {
        Spec(
            "Copy one line of a note to the clipboard, which is cleared after a while.",
            discussion: """
                By default, the first line below the title, usually a password. Nothing else of the note leaves \
                the vault. The clipboard is cleared after 45 seconds, if the line is still there: vault config set \
                clipboard.clear 2m.
                """,
            examples: [
                "vault copy github": "Copy the first line, such as a password.",
                "vault copy github --field user": "Copy the text after 'user:'.",
                "vault copy k7 --line 3": "Copy another line.",
            ])
    }
    var id = ""
    var line: UInt32 = 1
    var field: String?
    var usesTerminal = false
    var allowsDisk = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.option(&line, "line", "Which line, from 1.")
        list.option(&field, "field", value: "name", "The line that begins with this name and a colon.")
        list.flag(
            &usesTerminal, "osc52", "Use the terminal's own clipboard, even from another machine; it is not cleared.")
        list.flag(
            &allowsDisk, "allow-disk-temp",
            "Let wl-copy keep the text in a file on a disk while it is on the clipboard.")
    }

    var complaint: String? { line == 0 ? "lines are counted from 1" : nil }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let settings = try context.settings()
        // What cannot be done is said before the note is read.
        let tool = try ClipboardTool.choose(usesTerminal ? .osc52 : settings.clipboardTool)
        let part = ShareNote(
            ref: try NameCheck.short(id, "ID"), line: field == nil ? line : 0,
            field: try NameCheck.short(field ?? "", "field"))
        let bytes = try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(part)
            try outcome.require()
            return replies.flatMap { Array($0.text.utf8) }
        }
        try ShareCommand.copy(bytes, tool, allowsDisk: allowsDisk, settings, context)
        return Outcome(.ok)
    }
}
