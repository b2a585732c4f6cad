// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `WebAsk` is what the confined server asks `vault` for: one byte. Each is answered with a `WebAnswer`, in turn.
/// Spec: docs/web-protocol.md §3.
public enum WebAsk: UInt8, Sendable, CaseIterable {
    /// A connection to the agent that has the vault open.
    case agent = 1
    /// A connection to a new agent, for an unlock.
    case newAgent
    /// A `vault-parse kind`: two answers, the first with its input, the second with its output.
    case kind
    /// A `vault-parse strip`: as `kind`.
    case strip
    /// Waits for the end of a `vault-parse`, whose number stands behind this byte: the answer says whether it ended
    /// well. The number is the message of the answers that it came with.
    case parsed
    /// The token was used and need not be kept any longer.
    case tokenUsed
    /// A `vault-parse qr-code`: as `kind`.
    case code
    /// `vault doctor`, `vault key ls` and `vault config ls` as JSON: as `kind`.
    case doctor
    case keys
    case settings
    /// `vault export json` without encryption: as `kind`.
    case export
    /// Imports a file, whose kind stands behind this byte (`ImportedFileKind`): as `kind`.
    case importFile
    /// The program of the settings that turns a clip into text: as `kind`.
    case dictation
    /// Waits for the end of one of these, whose number stands behind this byte: the answer's message is its exit code.
    case ended
    /// Asks book services: words go in, what was found comes out; as `kind`.
    case searchBooks
    /// Records that the owner agrees to queries to the addresses that go in: as `kind`.
    case agreeToBooks
    /// Adds a book that a search has named, to the shelf whose number stands behind this byte (`BookShelf`): as `kind`.
    case addBook
    /// Signs in to a service by what rclone asks: three lines go in, and one for each answer; a line comes out for each
    /// question, and one for the end. As `kind`.
    case signIn
}

/// `ImportedFileKind` says what a file that is imported is called: an import tells formats apart by that and by what is
/// in it.
public enum ImportedFileKind: UInt8, Sendable, CaseIterable {
    case json = 1
    case jex, enex, zip, txt, md

    public var ending: String {
        switch self {
        case .json: "json"
        case .jex: "jex"
        case .enex: "enex"
        case .zip: "zip"
        case .txt: "txt"
        case .md: "md"
        }
    }
}

/// `WebAnswer` is the answer of `vault`: `UInt8 kind | text message | text hint`, a descriptor with it where one was
/// asked for.
public struct WebAnswer: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        case done = 0
        /// Nobody has the vault open.
        case locked
        case failed
    }

    public static let byteCountMax = 4096
    /// Begins a packet that nobody asked for: a new token follows, for a window that is opened again.
    public static let tokenMark: UInt8 = 0x10
    public var kind: Kind
    public var message: String
    public var hint: String

    public init(_ kind: Kind, _ message: String = "", hint: String = "") {
        (self.kind, self.message, self.hint) = (kind, message, hint)
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u8(kind.rawValue)
        writer.text(Self.cut(message, 2048))
        writer.text(Self.cut(hint, 1024))
        return writer.bytes
    }

    /// Returns a text of at most so many bytes.
    private static func cut(_ text: String, _ max: Int) -> String {
        guard text.utf8.count > max else { return text }
        var begin = text
        while begin.utf8.count > max { begin.removeLast() }
        return begin
    }

    /// Reads one.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.kind = kind
        message = try reader.text(max: 2048)
        hint = try reader.text(max: 1024)
        try reader.end()
    }
}

/// `DroppedFile` goes before the bytes of a file that is imported: `UInt64 size | UInt8 count | name`, with zeros to 264
/// bytes.
public struct DroppedFile: Sendable, Equatable {
    /// Of the head, in bytes.
    public static let byteCount = 264
    public static let nameByteCountMax = 200
    public let contentByteCount: UInt64
    /// Without a folder; it begins with no point.
    public let name: String

    /// Makes the head of a file; nil for an invalid name.
    public init?(name: String, contentByteCount: UInt64) {
        let bytes = Array(name.utf8)
        guard (1...Self.nameByteCountMax).contains(bytes.count), bytes[0] != UInt8(ascii: "."),
            !bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == 0x7F })
        else { return nil }
        (self.name, self.contentByteCount) = (name, contentByteCount)
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u64(contentByteCount)
        writer.u8(UInt8(name.utf8.count))
        writer.raw(Array(name.utf8))
        writer.raw([UInt8](repeating: 0, count: Self.byteCount - 9 - name.utf8.count))
        return writer.bytes
    }

    /// Reads one.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        let size = try reader.u64()
        let count = Int(try reader.u8())
        guard count <= Self.nameByteCountMax else { throw FormatError(.tooLarge) }
        let name = try reader.bytes(count)
        guard try reader.bytes(Self.byteCount - 9 - count).allSatisfy({ $0 == 0 }) else {
            throw FormatError(.notCanonical)
        }
        try reader.end()
        guard let text = String(validating: name, as: UTF8.self),
            let made = DroppedFile(name: text, contentByteCount: size)
        else { throw FormatError(.notCanonical) }
        self = made
    }
}
