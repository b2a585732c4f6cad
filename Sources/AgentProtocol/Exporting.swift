// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// A request for notes in a form that other programs read. The agent writes it itself, to the descriptor that comes with the request: no text
/// of a note goes through the client. Spec: docs/agent-protocol.md §8.
public struct Exporting: Sendable, Equatable {
    public enum Format: UInt8, Sendable, CaseIterable {
        case markdown = 1
        case json = 2
        case html = 3
        case jex = 4
        case text = 5
    }

    /// How it is laid down.
    public enum Form: UInt8, Sendable, CaseIterable {
        /// Files in a folder: the descriptor is an empty directory.
        case folder = 1
        /// The same files in one tar archive.
        case archive = 2
        /// One text.
        case document = 3
    }

    /// Whether it is wrapped in an age file, and for whom.
    public enum Sealing: Sendable, Equatable {
        case none
        /// `age1…`, at least one.
        case recipients([String])
        /// The passphrase is in the secret frame that follows.
        case passphrase
    }

    public var format: Format
    public var form: Form
    /// Words and filters, as `search` takes them; empty for all.
    public var query = ""
    public var includesTrash = false
    public var includesHistory = true
    public var sealing = Sealing.none
    /// Whether the age file is text.
    public var isArmored = false

    public init(_ format: Format, _ form: Form) {
        self.format = format
        self.form = form
    }

    public var needsSecret: Bool { sealing == .passphrase }

    /// Whether the format can be laid down so, and so sealed.
    public var isPossible: Bool {
        switch form {
        case .folder: sealing == .none && [.markdown, .json].contains(format)
        case .archive: [.markdown, .json, .jex].contains(format)
        case .document: [.json, .html, .text].contains(format)
        }
    }
}

extension Exporting {
    /// Longest query, in bytes.
    public static let queryByteCountMax = 16384
    /// What one age file can be written to.
    public static let recipientCountMax = 1024

    func encode(to writer: inout ByteWriter) {
        writer.u8(format.rawValue)
        writer.u8(form.rawValue)
        writer.text(query)
        writer.flag(includesTrash)
        writer.flag(includesHistory)
        sealing.encode(to: &writer)
        writer.flag(isArmored)
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let format = Format(rawValue: try reader.u8()), let form = Form(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.init(format, form)
        query = try reader.text(max: Self.queryByteCountMax)
        includesTrash = try reader.flag()
        includesHistory = try reader.flag()
        sealing = try Sealing(from: &reader)
        isArmored = try reader.flag()
    }
}

extension Exporting.Sealing {
    func encode(to writer: inout ByteWriter) {
        switch self {
        case .none: writer.u8(0)
        case .recipients(let recipients):
            writer.u8(1)
            writer.texts(recipients)
        case .passphrase: writer.u8(2)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        switch try reader.u8() {
        case 0: self = .none
        case 1: self = .recipients(try reader.texts())
        case 2: self = .passphrase
        default: throw FormatError(.unknownKind)
        }
    }
}
