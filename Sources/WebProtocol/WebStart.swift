// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `WebStart` is what `vault` tells `vault-web` first: where it is to be found, and what an unlock needs.
///
/// `text label | UInt16 port | 16 bytes token | bytes directory | bytes identity | text time zone | UInt32 idle | UInt32
/// note idle | UInt32 at most | text name | flag hasDictation | flag readsTags`. Spec: docs/web-protocol.md §2.
public struct WebStart: Sendable, Equatable {
    public static let tokenByteCount = 16
    public static let byteCountMax = 16 << 10

    /// The host's first label: 80 random bits in base32. Empty for a page at 127.0.0.1, whose session no cookie keeps.
    public var label = ""
    public var port: UInt16 = 0
    /// Opens one session, once.
    public var token: [UInt8] = []
    /// The vault's directory, and what tells it from a copy (`UnlockVault`, `Hello`).
    public var directory: [UInt8] = []
    public var identity: [UInt8] = []
    public var timeZone = ""
    /// Seconds, as `UnlockVault` has them.
    public var idleSeconds: UInt32 = 15 * 60
    public var noteIdleSeconds: UInt32 = 5 * 60
    public var maxSeconds: UInt32 = 8 * 3600
    /// The vault's directory for a person to read.
    public var name = ""
    /// A program is set that turns clips into text.
    public var hasDictation = false
    /// Tags in a text are also the note's tags.
    public var readsTags = true

    public init() {}

    /// The host that browsers name: nothing else is answered.
    public var host: String { isNumeric ? "127.0.0.1:\(port)" : "\(label).localhost:\(port)" }
    public var isNumeric: Bool { label.isEmpty }
    public var origin: String { "http://\(host)" }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.text(label)
        writer.u16(port)
        writer.raw(token)
        writer.lengthPrefixed(directory)
        writer.lengthPrefixed(identity)
        writer.text(timeZone)
        writer.u32(idleSeconds)
        writer.u32(noteIdleSeconds)
        writer.u32(maxSeconds)
        writer.text(name)
        writer.flag(hasDictation)
        writer.flag(readsTags)
        return writer.bytes
    }

    /// Reads one.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        label = try reader.text(max: 63)
        port = try reader.u16()
        token = try reader.bytes(Self.tokenByteCount)
        directory = try reader.lengthPrefixed(max: 4096)
        identity = try reader.lengthPrefixed(max: 256)
        timeZone = try reader.text(max: 256)
        idleSeconds = try reader.u32()
        noteIdleSeconds = try reader.u32()
        maxSeconds = try reader.u32()
        name = try reader.text(max: 8192)
        hasDictation = try reader.flag()
        readsTags = try reader.flag()
        try reader.end()
    }
}
