// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `Settings` holds what the person has set in config.toml: checked texts, and typed accessors that know what holds
/// without them.
///
/// Order everywhere: option on the command line, environment, settings, default.
public struct Settings: Sendable, Equatable {
    /// What stands in the file. Every text passed its key's rule.
    let texts: [SettingKey: String]
    /// What the file holds and no setting has that name; told once for each command.
    let warnings: [String]

    /// Makes the settings of a person without a file.
    public init() {
        texts = [:]
        warnings = []
    }

    init(texts: [SettingKey: String], warnings: [String] = []) {
        self.texts = texts
        self.warnings = warnings
    }

    var editor: String? { texts[.editor] }
    /// Full paths of editors that are not known, and allowed.
    var allowedEditors: [String] { texts[.editorAllow].flatMap { CommandWords.split($0) } ?? [] }
    var pager: String? { texts[.pager] }
    var page: PageChoice { choice(.page) ?? .auto }
    /// Nil when it is not set, so that the environment can be asked first.
    var color: ColorChoice? { choice(.color) }
    var dateStyle: DateStyleChoice { choice(.dateStyle) ?? .classic }
    var lockIdleSeconds: UInt32 { seconds(.lockIdle) }
    var lockMaxSeconds: UInt32 { seconds(.lockMax) }
    var historyKeepAllSeconds: UInt32 { seconds(.historyKeepAll) }
    var historyKeepDailySeconds: UInt32 { seconds(.historyKeepDaily) }
    var dailyNotebook: String { text(.dailyNotebook) ?? "" }
    var dailyTemplate: String { text(.dailyTemplate) ?? "" }
    // Without its rule: this is asked for with each command.
    var readsTags: Bool { texts[.tagsInline] != "off" }
    var completesTitles: Bool { text(.completionTitles) == "on" }
    var images: PictureChoice { choice(.images) ?? .auto }
    var pinentry: String { text(.pinentry) ?? "off" }
    var unattended: KeeperChoice { choice(.syncUnattended) ?? .off }
    var window: WindowChoice { choice(.webWindow) ?? .private }
    /// As a shell reads it.
    var dictationCommand: String? { texts[.dictationCommand] }
    var booksCountry: String? { texts[.booksCountry] }
    var booksGoogle: String? { texts[.booksGoogle] }
    var booksOpenLibrary: String? { texts[.booksOpenLibrary] }
    var lockNoteSeconds: UInt32 { seconds(.lockNote) }
    var clipboardTool: ClipboardChoice { choice(.clipboardTool) ?? .auto }
    var clipboardClearSeconds: UInt32 { seconds(.clipboardClear) }

    /// Percent of a backup's or an archive's size; nil for none.
    var parityPercent: Int? { text(.durabilityParity).flatMap(SettingRule.percent) }

    /// Returns the value that holds, without the environment.
    func text(_ key: SettingKey) -> String? { texts[key] ?? key.rule.standard }

    private func choice<Choice: RawRepresentable<String>>(_ key: SettingKey) -> Choice? {
        texts[key].flatMap(Choice.init(rawValue:))
    }

    private func seconds(_ key: SettingKey) -> UInt32 {
        guard let text = text(key), let value = SettingSpan.seconds(text) else {
            preconditionFailure("\(key.rawValue) is not a time")
        }
        return value
    }
}

extension Settings {
    /// Reads config.toml.
    ///
    /// Without the file it costs one failed open(2).
    /// - Throws: `.failSafe` for a file that others could have written or that lies in the vault, `.usage` for one that
    ///   does not fit the rules.
    static func load(_ options: GlobalOptions) throws(ClientFailure) -> Settings {
        guard let path = SettingsFile.path,
            let bytes = try SettingsFile(path: path).read(vaultDirectory: SettingsFile.vaultDirectory(options))
        else {
            return Settings()
        }
        return try SettingsText.parse(bytes, path: path)
    }
}

extension Context {
    /// Returns how long revisions are kept.
    func retention() throws(ClientFailure) -> ThinHistory {
        let settings = try settings()
        var options = ThinHistory()
        options.keepAllSeconds = settings.historyKeepAllSeconds
        options.keepDailySeconds = settings.historyKeepDailySeconds
        return options
    }
}
