// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

struct ScreenCommand: Command {
    static let name = "tui"
    static var spec: Spec {
        Spec(
            "Read and search on a screen of the terminal.",
            discussion: """
                The list is on one side and the text of the selected note on the other, or below it on a narrow \
                terminal. After /, notes are searched while you type. e edits a note in your editor, n creates \
                one, d moves one to the trash and u takes it back; ? shows all keys. L locks the vault; q leaves it \
                open. It works over ssh.
                """,
            examples: ["vault tui": "Look through your notes."])
    }

    mutating func declare(_ list: inout ArgumentList) {}

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard Terminal.isOutput, Terminal.canDraw, !context.options.json else {
            throw .usage("this terminal cannot show a screen", hint: "vault ls, vault show and vault search")
        }
        let location = try context.location()
        let program = try Programs.path(of: "vault-tui")
        // A vault that is locked is a question first; the agent that it leaves is the one that the screen asks. Without
        // a question an agent would be there for one command alone.
        if try Session.running(location, context) == nil, try !PasswordSource(context).asksSomebody {
            throw ClientFailure(
                .locked, "the vault is locked, and a password option opens it for one command only",
                hint: "vault unlock, then vault tui")
        }
        try Session.with(context) { (_: inout Conversation) throws(ClientFailure) in }
        let style = context.options.dateStyle ?? context.settingsOrDefaults.dateStyle
        ChildProgram.become(program, [String(decoding: location.directory, as: UTF8.self), style.rawValue])
        throw ClientFailure(.other, "vault-tui cannot be started", hint: "install all of vault's programs again")
    }
}
