// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Requests about what was before. Spec: docs/agent-protocol.md §3.
public enum Past: Sendable, Equatable {
    case history(ref: String)
    /// Two revisions, or with nil the newest and the one before it.
    case diff(ref: String, from: String?, to: String?)
    case revert(ref: String, revision: String)
    /// Takes back the last commands, newest first.
    case undo(commandCount: UInt32, UndoConsent)
    /// Brings back what the last undo took back.
    case redo(commandCount: UInt32)
    case thin(RetentionOptions)
}

/// Whether somebody has agreed to what an undo takes back.
public enum UndoConsent: UInt8, Sendable {
    /// It is done when it needs no question; else what it would do is told, and it ends with 10.
    case ask = 1
    /// The question was answered on this connection; nothing else may have been written since.
    case answered
    /// No question is wanted.
    case given
}

/// How long revisions are kept.
public struct RetentionOptions: Sendable, Equatable {
    /// All of them, in seconds.
    public var keepAllSeconds: UInt32 = 30 * 86400
    /// The last of each day, in seconds; after that the last of each month.
    public var keepDailySeconds: UInt32 = 365 * 86400
    /// Only says what would go.
    public var dryRun = false
    public init() {}
}

extension Past {
    private enum Operation: UInt8 { case history = 1, diff, revert, undo, thin, redo }

    func encode(to writer: inout ByteWriter) {
        func begin(_ operation: Operation) { writer.u8(operation.rawValue) }
        switch self {
        case .history(let ref):
            begin(.history)
            writer.text(ref)
        case .diff(let ref, let from, let to):
            begin(.diff)
            writer.text(ref)
            writer.optionalText(from)
            writer.optionalText(to)
        case .revert(let ref, let revision):
            begin(.revert)
            writer.text(ref)
            writer.text(revision)
        case .undo(let commandCount, let consent):
            begin(.undo)
            writer.u32(commandCount)
            writer.u8(consent.rawValue)
        case .redo(let commandCount):
            begin(.redo)
            writer.u32(commandCount)
        case .thin(let options):
            begin(.thin)
            writer.u32(options.keepAllSeconds)
            writer.u32(options.keepDailySeconds)
            writer.flag(options.dryRun)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let max = Request.refMax
        switch operation {
        case .history: self = .history(ref: try reader.text(max: max))
        case .diff:
            self = .diff(ref: try reader.text(max: max), from: try reader.optionalText(max: 64), to: try reader.optionalText(max: 64))
        case .revert: self = .revert(ref: try reader.text(max: max), revision: try reader.text(max: 64))
        case .undo:
            let count = try reader.u32()
            guard let consent = UndoConsent(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
            self = .undo(commandCount: count, consent)
        case .redo: self = .redo(commandCount: try reader.u32())
        case .thin:
            var options = RetentionOptions()
            options.keepAllSeconds = try reader.u32()
            options.keepDailySeconds = try reader.u32()
            options.dryRun = try reader.flag()
            self = .thin(options)
        }
    }
}
