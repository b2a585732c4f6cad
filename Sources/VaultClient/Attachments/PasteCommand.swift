// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import VaultFormat

/// `PasteCommand` runs `vault attach add ID --paste`: the picture that lies in the clipboard.
enum PasteCommand {
    static func run(_ note: String, name: String?, caption: String?, _ context: Context) throws(ClientFailure)
        -> Outcome
    {
        let (program, arguments) = try reader()
        return try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(note, "ID")
            let pasted = try Producer(program, arguments)
            var file = AddedFile(name: name ?? "pasted.png", kind: .photo, mediaType: "image/png")
            file.caption = caption ?? ""
            let outcome = try conversation.perform(PutAttachment(ref: ref, file: file), descriptor: pasted.output)
            guard outcome.code == .ok else { return outcome }
            guard pasted.finish() == 0 else {
                _ = try conversation.perform(DropAttachments(count: 1))
                throw ClientFailure(
                    .notFound, "there is no picture in the clipboard", hint: "copy one, or vault attach add ID FILE")
            }
            return try conversation.perform(CommitAttachments(ref: ref))
        }
    }

    private static func reader() throws(ClientFailure) -> (String, [String]) {
        if Environment.text("WAYLAND_DISPLAY") != nil, let program = ProgramPath.find("wl-paste") {
            return (program, ["--no-newline", "--type", "image/png"])
        }
        if Environment.text("DISPLAY") != nil, let program = ProgramPath.find("xclip") {
            return (program, ["-selection", "clipboard", "-out", "-target", "image/png"])
        }
        throw ClientFailure(
            .notFound, "no clipboard can be reached from here", hint: "a desktop is needed, and wl-paste or xclip")
    }
}
