// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import Presentation
internal import VaultFormat

/// `OpenCommand` runs `vault attach open`: shows an attachment in the desktop's program for it. It is written to a
/// folder in memory, and goes with it when the person says that they have seen it.
enum OpenCommand {
    static func run(_ note: String, _ name: String, allowsDisk: Bool, yes: Bool, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        guard let program = ProgramPath.find("xdg-open") else {
            throw ClientFailure(
                .notFound, "xdg-open is not installed, so it cannot be opened", hint: "vault attach get ID NAME -o PATH"
            )
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(note, "ID")
            try Session.require(try conversation.perform(DescribeAttachment(ref: ref, name: name)))
            guard let found = conversation.attachment else {
                throw ClientFailure(.other, "the agent sent no description")
            }
            let folder = try EditFolder.make(allowsDisk: allowsDisk, vaultID: context.location().vaultID())
            defer { folder.remove() }
            let shown = ProgramPath.lastName(found.details.name)
            let file = unsafe vs_open_at(folder.descriptor, shown, O_RDWR | O_CREAT | O_EXCL, 0o600)
            guard file >= 0 else {
                throw ClientFailure(.localSaveFailed, "cannot write to memory: \(SystemError.text(errno))")
            }
            defer { close(file) }
            let outcome = try conversation.perform(GetAttachment(ref: ref, name: name, range: nil), descriptor: file)
            guard outcome.code == .ok else { return outcome }
            try confirm(shown, file, yes: yes, context)
            let code = try ChildProgram.run(program, [folder.path + "/" + shown])
            guard code == 0 else {
                throw ClientFailure(.other, "xdg-open could not show it", hint: "vault attach get ID NAME -o PATH")
            }
            try wait(context)
            try context.print(json: "{\"schema\":1,\"opened\":\(JSONText.quoted(shown))}", text: "")
            return Outcome(.ok)
        }
    }

    /// Asks before a file is opened that may run as a program: a page or a program that came with a mail, say, would
    /// run with all that its reader may do.
    private static func confirm(_ name: String, _ file: Int32, yes: Bool, _ context: Context) throws(ClientFailure) {
        guard !yes, let kind = RunnableKind.of(name: name, file) else { return }
        let shown = VisibleText.escaped(name)
        try Confirmation.require(
            "'\(shown)' (\(kind)) may run as a program when it is opened. Open it?",
            refused: "'\(shown)' was not opened",
            hint: "vault attach get ID NAME -o PATH to look at it first, or --yes", context)
    }

    /// Waits until the file may go. xdg-open ends at once; the program that it started reads the file later.
    private static func wait(_ context: Context) throws(ClientFailure) {
        guard !context.options.noInput, Terminal.canAsk else {
            sleep(30)
            return
        }
        _ = try Confirmation.ask("It is in memory while you look at it. Remove it now?")
    }
}
