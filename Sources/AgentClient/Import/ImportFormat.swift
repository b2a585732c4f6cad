// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What an import reads. The raw values are the words of `vault import` and of `vault-parse`.
public enum ImportFormat: String, Sendable, CaseIterable {
    case markdown, obsidian, joplin, standardnotes, jrnl, pass, enex, json

    /// What it is, for a person.
    public var title: String {
        switch self {
        case .markdown: "a folder of Markdown and text files"
        case .obsidian: "an Obsidian vault"
        case .joplin: "a Joplin export (.jex, or a RAW folder)"
        case .standardnotes: "a decrypted Standard Notes backup"
        case .jrnl: "a jrnl journal"
        case .pass: "a pass store"
        case .enex: "an Evernote export (.enex)"
        case .json: "a JSON export of vault"
        }
    }

    /// Whether a single file can be one.
    public var takesFile: Bool { self != .markdown && self != .obsidian && self != .pass }

    /// What to do about a source that is encrypted.
    public var decryptionHint: String {
        switch self {
        case .jrnl: "jrnl --format json > journal.json, then vault import jrnl journal.json"
        case .standardnotes:
            "in Standard Notes: Preferences, Backups, Decrypted, Download backup; then import that file"
        case .joplin: "in Joplin: wait until all notes are decrypted, export again, then import that file"
        case .markdown, .obsidian:
            "decrypt it to a .md file first (nb show ID, gpg -d FILE, age -d FILE), then import again"
        case .pass: "check whether gpg opens it: pass show NAME"
        default: "export it decrypted from the other program, then import that"
        }
    }

    /// All of them, for a message.
    public static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
