// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// An `Operation` is one thing that a client may ask of an agent: its fields, their order on the wire, and what is
/// known of it before it is carried out.
///
/// Each file beside this one holds the operations about one noun. The agent's table (VaultAgent, `OperationTable`) is
/// the list of all of them. Spec: docs/agent-protocol.md §3.
public protocol Operation: Sendable, Equatable {
    /// The byte that names it on the wire.
    static var id: UInt8 { get }
    static var traits: OperationTraits { get }

    /// A `Reply` is what the agent answers, once or several times, before the end.
    associatedtype Reply: ReplyValue = NoReply

    /// What it may have done when the agent ends before it answers.
    var effect: RequestEffect { get }
    /// Whether a secret follows it, in a frame of its own.
    var needsSecret: Bool { get }
    /// Whether its answer may be long: on a terminal a pager shows it.
    var isPaged: Bool { get }

    /// Makes one with empty fields, to be read into.
    init()
    /// Writes or reads the fields in the order of the wire. One function serves both directions, so they cannot differ.
    ///
    /// - Throws: `FormatError` while reading. Writing never throws.
    mutating func code(_ fields: inout some FieldCoder) throws(FormatError)
}

/// `OperationTraits` says what is true of every request of one kind.
public struct OperationTraits: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// It changes notes, keys or files of the vault: its answer promises that they are saved.
    public static let changes = OperationTraits(rawValue: 1)
    /// It may write into the vault, but no note is changed by it.
    public static let upkeep = OperationTraits(rawValue: 2)
    /// It may write into the vault, and only a later request promises that it is saved.
    public static let writes = OperationTraits(rawValue: 64)
    /// It writes outside of the vault.
    public static let output = OperationTraits(rawValue: 4)
    /// A secret follows it.
    public static let secret = OperationTraits(rawValue: 8)
    /// A descriptor comes with it.
    public static let descriptor = OperationTraits(rawValue: 16)
    /// Its answer is there to be read, and may be longer than a screen.
    public static let paged = OperationTraits(rawValue: 32)
}

extension Operation {
    public var effect: RequestEffect {
        if Self.traits.contains(.changes) { return .change }
        if Self.traits.contains(.upkeep) { return .upkeep }
        return Self.traits.contains(.output) ? .output : .nothing
    }

    public var needsSecret: Bool { Self.traits.contains(.secret) }
    public var needsDescriptor: Bool { Self.traits.contains(.descriptor) }
    public var isPaged: Bool { Self.traits.contains(.paged) }
    /// Whether serving it may change the vault.
    public var mayWrite: Bool { !Self.traits.isDisjoint(with: [.changes, .upkeep, .writes]) }

    /// Returns the payload of a request frame: the client's traits, one byte for the operation, its fields.
    public func encoded(for client: ClientTraits) -> [UInt8] {
        var writer = ByteWriter()
        client.encode(to: &writer)
        writer.u8(Self.id)
        var fields = FieldWriter(writer)
        var copy = self
        do throws(FormatError) { try copy.code(&fields) } catch { preconditionFailure("writing never throws") }
        return fields.writer.bytes
    }

    /// Reads the fields of a request.
    ///
    /// - Parameter reader: stands behind the operation's byte.
    /// - Throws: `FormatError` for anything that `encoded` does not make.
    public init(from reader: inout ByteReader) throws(FormatError) {
        self.init()
        var fields = FieldReader(reader)
        try code(&fields)
        reader = fields.reader
        try reader.end()
    }
}

extension Operation {
    /// Does nothing, for an operation without fields.
    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {}
}

/// `RequestEffect` says what may have become of the vault when the agent went away before its last word about a
/// request.
public enum RequestEffect: Sendable, Equatable {
    /// It only reads: nothing was changed, whatever happened.
    case nothing
    /// It reads, and writes what it found outside of the vault: nothing in the vault was changed, and what was written
    /// is not whole.
    case output
    /// It may change what the vault keeps beside its notes, such as the index or the progress of a rotation: no note
    /// was changed.
    case upkeep
    /// It changes what the user keeps there. Only its `end` promises that this was saved.
    case change
}
