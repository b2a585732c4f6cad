// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `vault config`: looks at the settings and changes them. It works on a file that does not fit the rules, too, as far as that is possible.
enum ConfigCommand {
    static func get(_ name: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let key = try SettingKey.named(name)
        let source = SettingSource(key, try context.settings())
        try Streams.write(context.options.json ? "{\"schema\":1,\(members(key, source))}\n" : (source.value ?? "") + "\n")
        return Outcome(.ok)
    }

    static func list(_ context: Context) throws(ClientFailure) -> Outcome {
        let settings = try context.settings()
        let rows = SettingKey.allCases.map { key in (key, SettingSource(key, settings)) }
        if context.options.json {
            let items = rows.map { "{\(members($0.0, $0.1))}" }.joined(separator: ",")
            try Streams.write("{\"schema\":1,\"settings\":[\(items)],\"path\":\(JSONText.quotedOrNull(SettingsFile.path))}\n")
            return Outcome(.ok)
        }
        let width = SettingKey.allCases.map { $0.rawValue.count }.max() ?? 0
        for (key, source) in rows {
            let value = VisibleText.escaped(source.value ?? "-")
            let origin = source.origin == "default" ? "" : "  (\(source.origin))"
            try Streams.write(key.rawValue + String(repeating: " ", count: width - key.rawValue.count + 2) + value + origin + "\n")
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
        try context.print(json: "{\"schema\":1,\"key\":\(JSONText.quoted(key.rawValue)),\"value\":\(JSONText.quoted(value))}", text: "")
        return Outcome(.ok)
    }

    static func unset(_ name: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let key = try SettingKey.named(name)
        try change(key, to: nil, context)
        try context.print(
            json: "{\"schema\":1,\"key\":\(JSONText.quoted(key.rawValue)),\"value\":\(JSONText.quotedOrNull(key.rule.standard))}", text: "")
        return Outcome(.ok)
    }

    /// Where the file is, or would be.
    static func location() throws(ClientFailure) -> String {
        guard let path = SettingsFile.path else {
            throw .usage("HOME is not set, so there is no place for settings", hint: "set HOME or XDG_CONFIG_HOME")
        }
        return path
    }

    /// The edit is one of lines; what it did is read again, and must differ from before in this one value alone.
    private static func change(_ key: SettingKey, to value: String?, _ context: Context) throws(ClientFailure) {
        let path = try location()
        let writer = SettingsWriter(file: SettingsFile(path: path), vaultDirectory: SettingsFile.vaultDirectory(context.options))
        let text = try writer.current()
        var expected = try SettingsText.values(Array(text.utf8), path: path)
        let before = expected
        expected[key.rawValue] = value.map { .text($0) }
        guard expected != before else { return }
        var edit = SettingsEdit(text)
        if let value { edit.set(key, to: value) } else { _ = edit.unset(key) }
        guard let after = try? SettingsText.values(Array(edit.text.utf8), path: path), after == expected else {
            throw ClientFailure(
                .other, "\(key.rawValue) is written in \(VisibleText.escaped(path)) in a way that cannot be changed on its own",
                hint: "vault config edit")
        }
        try writer.write(edit.text)
    }

    private static func members(_ key: SettingKey, _ source: SettingSource) -> String {
        "\"key\":\(JSONText.quoted(key.rawValue)),\"value\":\(JSONText.quotedOrNull(source.value)),\"source\":\(JSONText.quoted(source.origin))"
    }
}
