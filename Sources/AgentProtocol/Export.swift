// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Writes notes in a form that other programs read. The agent writes it itself, to the descriptor: no text of a note
/// goes through the client. Spec: docs/agent-protocol.md §8.
public struct ExportNotes: Operation {
    public static let id: UInt8 = 0x50
    public static let traits: OperationTraits = [.output, .descriptor]
    public typealias Reply = ExportReport
    /// The longest query, in bytes.
    public static let queryByteCountMax = 16384
    /// The most recipients of one age file.
    public static let recipientCountMax = 1024

    public enum Format: UInt8, Sendable, CaseIterable {
        case markdown = 1
        case json = 2
        case html = 3
        case jex = 4
        case text = 5
    }

    /// `Form` says how an export is laid out.
    public enum Form: UInt8, Sendable, CaseIterable {
        /// Files in a folder: the descriptor is an empty directory.
        case folder = 1
        /// The same files in one tar archive.
        case archive = 2
        /// One text.
        case document = 3
    }

    /// `Sealing` says whether an export is wrapped in an age file, and for whom.
    public enum Sealing: Sendable, Equatable {
        case none
        /// `age1…`, at least one.
        case recipients([String])
        /// The passphrase is in the secret frame that follows.
        case passphrase
    }

    public var format = Format.markdown
    public var form = Form.folder
    /// Words and filters, as `search` takes them; empty for all.
    public var query = ""
    public var includesTrash = false
    public var includesHistory = true
    public var sealing = Sealing.none
    /// Whether the age file is text.
    public var isArmored = false

    public init() {}

    public init(_ format: Format, _ form: Form) {
        self.format = format
        self.form = form
    }

    public var needsSecret: Bool { sealing == .passphrase }

    /// Whether the format supports this form and this sealing.
    public var isPossible: Bool {
        switch form {
        case .folder: sealing == .none && [.markdown, .json].contains(format)
        case .archive: [.markdown, .json, .jex].contains(format)
        case .document: [.json, .html, .text].contains(format)
        }
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&format)
        try fields.code(&form)
        try fields.text(&query, max: Self.queryByteCountMax)
        try fields.flag(&includesTrash)
        try fields.flag(&includesHistory)
        try sealing.code(&fields)
        try fields.flag(&isArmored)
    }
}

extension ExportNotes.Sealing {
    private enum Kind: UInt8 { case none = 0, recipients, passphrase }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        var recipients: [String] = []
        var kind = Kind.none
        switch self {
        case .none: break
        case .recipients(let list): (kind, recipients) = (.recipients, list)
        case .passphrase: kind = .passphrase
        }
        try fields.code(&kind)
        if kind == .recipients { try fields.references(&recipients) }
        self =
            switch kind {
            case .none: .none
            case .recipients: .recipients(recipients)
            case .passphrase: .passphrase
            }
    }
}
