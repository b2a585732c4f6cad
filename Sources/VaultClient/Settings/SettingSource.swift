// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `SettingSource` says what a setting is right now, and what made it so: the environment outranks the file.
struct SettingSource: Equatable {
    /// Nil when nothing names a value and the program looks around by itself.
    let value: String?
    /// `default`, `config.toml`, or a variable with its dollar sign.
    let origin: String

    /// Finds what a setting is: the first of its variables that means something, else the file, else the default.
    ///
    /// - Parameter variable: reads the environment.
    init(_ key: SettingKey, _ settings: Settings, variable: (String) -> String? = Environment.text) {
        for name in Self.variables(key) {
            guard let text = variable(name), let value = Self.meaning(name, text) else { continue }
            self.init(value: value, origin: "$" + name)
            return
        }
        self.init(value: settings.text(key), origin: settings.texts[key] == nil ? "default" : "config.toml")
    }

    private init(value: String?, origin: String) {
        self.value = value
        self.origin = origin
    }

    /// Returns variables that outrank a setting, the strongest first.
    private static func variables(_ key: SettingKey) -> [String] {
        switch key {
        case .editor: ["VISUAL", "EDITOR"]
        case .pager: ["NOTEVAULT_PAGER", "PAGER"]
        case .color: ["NO_COLOR", "CLICOLOR_FORCE"]
        default: []
        }
    }

    /// Returns what a variable's text comes to; nil when it says nothing.
    private static func meaning(_ name: String, _ text: String) -> String? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        switch name {
        case "NO_COLOR": return "never"
        case "CLICOLOR_FORCE": return text == "0" ? nil : "always"
        default: return text
        }
    }
}
