// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// `SettingKey` names every setting. What each may be, and what it is without a file, is in `SettingRule`; help,
/// `config ls` and the file that `config edit` begins with are made from the two.
public enum SettingKey: String, Sendable, CaseIterable {
    case editor
    case editorAllow = "editor_allow"
    case pager
    case pinentry
    case page
    case color
    case dateStyle = "date_style"
    case images
    case lockIdle = "lock.idle"
    case lockMax = "lock.max"
    case lockNote = "lock.note"
    case historyKeepAll = "history.keep_all"
    case historyKeepDaily = "history.keep_daily"
    case dailyNotebook = "daily.notebook"
    case dailyTemplate = "daily.template"
    case tagsInline = "tags.inline"
    case completionTitles = "completion.titles"
    case clipboardTool = "clipboard.tool"
    case clipboardClear = "clipboard.clear"
    case durabilityParity = "durability.parity"
    case syncUnattended = "sync.unattended"
    case webWindow = "web.window"
    case dictationCommand = "dictation.command"
    case booksCountry = "books.country"
    case booksGoogle = "books.google"
    case booksOpenLibrary = "books.openlibrary"

    /// The table that it stands in, and its name there.
    var place: (table: String?, name: String) {
        guard let dot = rawValue.firstIndex(of: ".") else { return (nil, rawValue) }
        return (String(rawValue[..<dot]), String(rawValue[rawValue.index(after: dot)...]))
    }

    /// Returns the setting of a name, in which `-` stands for `_` too.
    ///
    /// - Throws: `.usage` for an unknown name, with the nearest one.
    static func named(_ name: String) throws(ClientFailure) -> SettingKey {
        // A table called editor cannot stand beside the setting of that name.
        if name == "editor.allow" { return .editorAllow }
        // date-style is what the option is called.
        if let key = SettingKey(rawValue: String(name.map { $0 == "-" ? "_" : $0 })) { return key }
        let near = nearest(to: name)
        throw .usage(
            "there is no setting '\(VisibleText.escaped(name))'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
            hint: "vault config ls")
    }

    /// Returns the key that was probably meant; a table's name may have been left out.
    static func nearest(to name: String) -> String? {
        let lowered = name.utf8.count <= EditDistance.byteCountMax ? name.lowercased() : name
        let inTable = allCases.first { $0.place.table != nil && $0.place.name == lowered }
        return inTable?.rawValue
            ?? Suggestion.nearest(to: name, among: allCases.map { ($0.rawValue, $0.rawValue) })?.meant
    }

    /// What it is for, as part of a sentence.
    public var meaning: String { rule.help }
    /// Its value without a file; nil when it comes from elsewhere.
    public var standard: String? { rule.standard }
    /// What it may be, as part of a sentence.
    public var expectation: String { rule.expectation }

    var rule: SettingRule {
        switch self {
        case .syncUnattended:
            SettingRule(
                .choice(KeeperChoice.allCases.map(\.rawValue)), "off",
                "where the key is kept with which this machine syncs while the vault is locked: 'vault sync unattended' sets it"
            )
        case .webWindow:
            SettingRule(.choice(WindowChoice.allCases.map(\.rawValue)), "private", "the window that 'vault web' opens")
        case .dictationCommand:
            SettingRule(
                .command, nil, "the program that turns a recorded clip on its standard input into text; off without one"
            )
        case .booksCountry:
            SettingRule(.text, nil, "the country that book services are told, in two letters, such as DE")
        case .booksGoogle: SettingRule(.text, nil, "the address of a copy of Google Books, instead of its own")
        case .booksOpenLibrary: SettingRule(.text, nil, "the address of a copy of Open Library, instead of its own")
        case .editor: SettingRule(.command, nil, "the editor, when neither VISUAL nor EDITOR is set")
        case .editorAllow:
            SettingRule(
                .command, nil, "other editors that may be used though they may keep copies of the text, by their paths")
        case .pager: SettingRule(.command, nil, "the pager for long output, when PAGER is not set; less by default")
        case .pinentry:
            SettingRule(
                .command, "off",
                "the program that asks for passwords: 'auto' is the system's pinentry, 'off' asks on the terminal")
        case .page:
            SettingRule(.choice(PageChoice.allCases.map(\.rawValue)), "auto", "when long output goes through the pager")
        case .color: SettingRule(.choice(ColorChoice.allCases.map(\.rawValue)), "auto", "when to use colour")
        case .dateStyle: SettingRule(.choice(DateStyleChoice.allCases.map(\.rawValue)), "classic", "dates in lists")
        case .lockIdle: SettingRule(.span(1...365 * 86400), "15m", "lock after this time without a command")
        case .lockMax: SettingRule(.span(1...365 * 86400), "8h", "lock after this time in any case")
        case .historyKeepAll: SettingRule(.span(86400...100 * 365 * 86400), "30d", "how long every revision is kept")
        case .historyKeepDaily:
            SettingRule(.span(86400...100 * 365 * 86400), "1y", "how long the last revision of each day is kept")
        case .completionTitles:
            SettingRule(
                .choice(["on", "off"]), "off",
                "whether the Tab key offers titles, tags and notebooks of the open vault, which are then on the screen"
            )
        case .tagsInline:
            SettingRule(.choice(["on", "off"]), "on", "whether #tags in a text that is written are the note's tags")
        case .dailyNotebook: SettingRule(.text, "Daily", "the notebook of 'vault daily'")
        case .dailyTemplate: SettingRule(.text, "daily", "the template of 'vault daily'")
        case .images:
            SettingRule(
                .choice(PictureChoice.allCases.map(\.rawValue)), "auto", "how 'vault show' draws photos and sketches")
        case .lockNote:
            SettingRule(
                .span(1...365 * 86400), "5m", "lock a private note after this time without reading or writing it")
        case .clipboardTool:
            SettingRule(.choice(ClipboardChoice.allCases.map(\.rawValue)), "auto", "the program for the clipboard")
        case .durabilityParity:
            SettingRule(.percent, "off", "how much parity backups and archives get, to mend damage with")
        case .clipboardClear: SettingRule(.span(1...3600), "45s", "when a shared text is cleared from the clipboard")
        }
    }
}

/// `PageChoice` says when long output goes through the pager.
public enum PageChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

/// `ClipboardChoice` names what reaches the clipboard. OSC 52 writes it through the terminal, and only when it is asked
/// for.
public enum ClipboardChoice: String, Sendable, CaseIterable {
    case auto
    case wlCopy = "wl-copy"
    case xclip
    case osc52
}
