// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

/// `ConfigEditing` runs `vault config edit`: opens the file in an editor. It holds no secret, so any editor will do.
enum ConfigEditing {
    /// Opens the settings file in an editor, and reads it afterwards to warn of mistakes; a file that is missing is
    /// made from a template.
    ///
    /// - Parameter editor: runs an editor on the file at a path, and answers its exit code.
    static func run(
        _ context: Context, editor: (String) throws(ClientFailure) -> Int32 = ConfigEditing.runEditor
    ) throws(ClientFailure) -> Outcome {
        let path = try ConfigCommand.location()
        let writer = SettingsWriter(
            file: SettingsFile(path: path), vaultDirectory: SettingsFile.vaultDirectory(context.options))
        if try writer.file.read(vaultDirectory: writer.vaultDirectory) == nil { try writer.write(template) }
        let code = try editor(try writer.target())
        guard code == 0 else {
            throw ClientFailure(
                .other, "the editor exited with status \(code)", hint: "look at \(ShellWord.quoted(path))")
        }
        let settings = try Settings.load(context.options)
        settings.warnings.forEach(Streams.warn)
        try context.print(json: "{\"schema\":1,\"path\":\(JSONText.quoted(path))}", text: "")
        return Outcome(.ok)
    }

    /// A file with every setting as a comment: its default, and what it means.
    static var template: String {
        var lines = ["# Settings of vault. To change one, remove the # before it."]
        var table: String?
        // TOML wants what stands in no table first; the settings are in that order already.
        for key in SettingKey.allCases {
            let place = key.place
            if place.table != table {
                lines += ["", "[\(place.table ?? "")]"]
                table = place.table
            }
            lines.append("# \(key.rule.help)")
            lines.append("#\(place.name) = \(SettingsEdit.quoted(key.rule.standard ?? ""))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Runs the editor of VISUAL, EDITOR or the setting, or the first of the common ones. A file that does not fit the
    /// rules must not keep it from being mended.
    static func runEditor(_ path: String) throws(ClientFailure) -> Int32 {
        let setting = (try? Settings.load(GlobalOptions()))?.editor
        let named = [Environment.text("VISUAL"), Environment.text("EDITOR"), setting].compactMap { $0 }
        for command in named + ["editor", "nano", "vi"] {
            guard let words = CommandWords.split(command), let name = words.first, let program = ProgramPath.find(name)
            else { continue }
            guard isatty(0) == 1 || named.contains(command) else { break }
            let signals = TerminalSignals.leaveToChild()
            defer { signals.restore() }
            return try ChildProgram.run(program, words.dropFirst() + [path])
        }
        throw .usage("no editor can be run here", hint: "edit the file that 'vault config path' names")
    }
}
