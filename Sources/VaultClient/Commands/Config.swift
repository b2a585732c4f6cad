// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `ConfigGroup` is the heading `vault config`.
enum ConfigGroup: CommandGroup {
    static let name = "config"
    static var spec: Spec {
        Spec(
            "Show or change settings.",
            discussion: """
                They are in one file, which 'vault config path' names. Options override the environment, which \
                overrides the file.
                """)
    }
    static var commands: CommandList {
        [
            ConfigGetCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self, ConfigListCommand.self,
            ConfigPathCommand.self,
            ConfigEditCommand.self,
        ]
    }
}

struct ConfigGetCommand: Command {
    static let name = "get"
    static var spec: Spec {
        Spec(
            "Print one setting.",
            examples: ["vault config get date-style": "Print one setting."])
    }
    var key = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&key, "key", "Its name, such as lock.idle.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.get(key, context) }
}

struct ConfigSetCommand: Command {
    static let name = "set"
    static var spec: Spec {
        Spec(
            "Change one setting.",
            examples: ["vault config set date-style iso": "Write dates in lists as 2026-01-31."])
    }
    var key = ""
    var value = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&key, "key", "Its name, such as lock.idle.")
        list.word(&value, "value", "The new value.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.set(key, value, context) }
}

struct ConfigUnsetCommand: Command {
    static let name = "unset"
    static var spec: Spec {
        Spec(
            "Go back to a setting's default.",
            examples: ["vault config unset date-style": "Go back to the default."])
    }
    var key = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&key, "key", "Its name, such as lock.idle.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.unset(key, context) }
}

struct ConfigListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List all settings, and where each comes from.",
            examples: ["vault config ls": "See all settings, and where each comes from."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.list(context) }
}

struct ConfigPathCommand: Command {
    static let name = "path"
    static var spec: Spec {
        Spec(
            "Print where the settings are.",
            examples: ["vault config path": "Print where the settings file is."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.path(context) }
}

struct ConfigEditCommand: Command {
    static let name = "edit"
    static var spec: Spec {
        Spec(
            "Open the settings in your editor.",
            examples: ["vault config edit": "Open the settings in your editor."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigEditing.run(context) }
}

/// `ConfigCommand` runs `vault config`: looks at the settings and changes them. It works on a file that does not fit
/// the rules, too, as far as that is possible.
enum ConfigCommand {
    static func get(_ name: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let key = try SettingKey.named(name)
        let source = SettingSource(key, try context.settings())
        try Streams.write(
            context.options.json ? "{\"schema\":1,\(members(key, source))}\n" : (source.value ?? "") + "\n")
        return Outcome(.ok)
    }

    static func list(_ context: Context) throws(ClientFailure) -> Outcome {
        let settings = try context.settings()
        let rows = SettingKey.allCases.map { key in (key, SettingSource(key, settings)) }
        if context.options.json {
            let items = rows.map { "{\(members($0.0, $0.1))}" }.joined(separator: ",")
            try Streams.write(
                "{\"schema\":1,\"settings\":[\(items)],\"path\":\(JSONText.quotedOrNull(SettingsFile.path))}\n")
            return Outcome(.ok)
        }
        let width = SettingKey.allCases.map { $0.rawValue.count }.max() ?? 0
        for (key, source) in rows {
            let value = VisibleText.escaped(source.value ?? "-")
            let origin = source.origin == "default" ? "" : "  (\(source.origin))"
            try Streams.write(
                key.rawValue + String(repeating: " ", count: width - key.rawValue.count + 2) + value + origin + "\n")
        }
        return Outcome(.ok)
    }

    static func path(_ context: Context) throws(ClientFailure) -> Outcome {
        let path = try location()
        try Streams.write(context.options.json ? "{\"schema\":1,\"path\":\(JSONText.quoted(path))}\n" : path + "\n")
        return Outcome(.ok)
    }

    static func set(_ name: String, _ value: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let key = try SettingKey.named(name)
        guard key.rule.accepts(value) else {
            throw .usage("\(key.rawValue) must be \(key.rule.expectation)", hint: "vault config ls")
        }
        try change(key, to: value, context)
        try context.print(
            json: "{\"schema\":1,\"key\":\(JSONText.quoted(key.rawValue)),\"value\":\(JSONText.quoted(value))}",
            text: "")
        return Outcome(.ok)
    }

    static func unset(_ name: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let key = try SettingKey.named(name)
        try change(key, to: nil, context)
        try context.print(
            json:
                "{\"schema\":1,\"key\":\(JSONText.quoted(key.rawValue)),\"value\":\(JSONText.quotedOrNull(key.rule.standard))}",
            text: "")
        return Outcome(.ok)
    }

    /// Tells where the file is, or would be.
    static func location() throws(ClientFailure) -> String {
        guard let path = SettingsFile.path else {
            throw .usage("HOME is not set, so there is no place for settings", hint: "set HOME or XDG_CONFIG_HOME")
        }
        return path
    }

    /// Changes one setting in the file. The edit is one of lines; what it did is read again, and must differ from
    /// before in this one value alone.
    static func change(_ key: SettingKey, to value: String?, _ context: Context) throws(ClientFailure) {
        let path = try location()
        let writer = SettingsWriter(
            file: SettingsFile(path: path), vaultDirectory: SettingsFile.vaultDirectory(context.options))
        let text = try writer.current()
        var expected = try SettingsText.values(Array(text.utf8), path: path)
        let before = expected
        expected[key.rawValue] = value.map { .text($0) }
        guard expected != before else { return }
        var edit = SettingsEdit(text)
        if let value { edit.set(key, to: value) } else { _ = edit.unset(key) }
        guard let after = try? SettingsText.values(Array(edit.text.utf8), path: path), after == expected else {
            throw ClientFailure(
                .other,
                "\(key.rawValue) is written in \(VisibleText.escaped(path)) in a way that cannot be changed on its own",
                hint: "vault config edit")
        }
        try writer.write(edit.text)
    }

    private static func members(_ key: SettingKey, _ source: SettingSource) -> String {
        "\"key\":\(JSONText.quoted(key.rawValue)),\"value\":\(JSONText.quotedOrNull(source.value)),\"source\":\(JSONText.quoted(source.origin))"
    }
}
