// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `EditorAllowing` asks once whether an editor whose ways with copies are not known may be used, and notes a yes in
/// the settings.
enum EditorAllowing {
    static func allows(_ path: String, _ settings: Settings, _ context: Context) throws(ClientFailure) -> Bool {
        if settings.allowedEditors.contains(path) { return true }
        guard !context.options.noInput, Terminal.canAsk else { return false }
        let name = VisibleText.escaped(path)
        Streams.say("\(name) may keep copies of the text on a disk, unencrypted: swap, backup, undo and history files.")
        Streams.say("vault knows how to keep nano, vim, nvim, emacs, micro, kak and hx from that, and not this one.")
        guard try Confirmation.ask("Use it from now on?") else { return false }
        let file = try ConfigCommand.location()
        let writer = SettingsWriter(
            file: SettingsFile(path: file), vaultDirectory: SettingsFile.vaultDirectory(context.options))
        var edit = SettingsEdit(try writer.current())
        edit.set(.editorAllow, to: (settings.allowedEditors + [path]).map(ShellWord.quoted).joined(separator: " "))
        try writer.write(edit.text)
        context.reporter.talk("noted in \(VisibleText.escaped(file)): editor_allow")
        return true
    }
}
